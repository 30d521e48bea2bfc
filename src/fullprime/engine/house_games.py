"""Games of the engine against itself under the rules of a house, with the cube, and what each of them was worth.

All games of a batch go on side by side. Both sides play what the nets think best at a glance; cubes are turned, taken,
beavered and dropped by the same view. Results are counted by the rules, so that every option of a house counts. The
dice of a game depend on the seed and on its number alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.pack import unpack
from fullprime.engine.cube.bar_share import outcomes
from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.equity import CubeContext, answer_beaver, cube_equities
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards, starting_boards
from fullprime.engine.search.budget import Stopped
from fullprime.engine.search.tree import value_weights
from fullprime.engine.tables.exact import is_finished
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.score import Settings
from fullprime.rules.variants.variant import OpeningDice, Settlement

Floats = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.int64]

_BLOCK = 64
_LONGEST = 5000


class HouseGamesError(FullprimeError):
    """Games that :func:`play_house_games` cannot play."""


@dataclass(frozen=True, slots=True)
class HouseGames:
    """Finished games, an entry each."""

    points: Floats
    """The points that the opener has won; negative where the other has."""
    levels: Indexes
    """1 single, 2 gammon, 3 backgammon, 4 with the bar; 0 for a drop and where checkers are counted."""
    plies: Indexes
    """Rolls, dances included."""
    cubes: Indexes
    """The cube at the end."""
    dropped: npt.NDArray[np.bool_]
    """Games that ended with a drop."""


def play_house_games(
    engine: Engine, settings: Settings, games: range, seed: int, stop: Callable[[], bool] | None = None
) -> HouseGames:
    """Play games of these numbers for money. Raises HouseGamesError for a match, Stopped when told to stop."""
    if settings.is_match:
        raise HouseGamesError(f"games are played for money here, not in a match to {settings.length}")
    return _Batch(engine, settings, games, seed).play(stop)


class _Batch:
    """Games on their way. Arrays hold all of them; ``live`` are those that still run, boards seen by who is on roll."""

    def __init__(self, engine: Engine, settings: Settings, games: range, seed: int) -> None:
        self.searcher, self.settings, self.variant = engine.searcher, settings, settings.variant
        self.per_checker = self.variant.settlement is not Settlement.GAMES
        count = len(games)
        self.streams = [np.random.default_rng((seed, game)) for game in games]
        self.boards: Boards = starting_boards(self.variant, count)
        self.ours = np.ones(count, bool)
        """True where the opener is on roll."""
        self.multiplier = np.ones(count, np.int64)
        self.contexts: list[CubeContext] = []
        self._numbers: dict[CubeContext, int] = {}
        self.cubes = np.full(count, self._number(context_of(Game.new(settings))))
        self.points, self.levels = np.zeros(count), np.zeros(count, np.int64)
        self.plies, self.values = np.zeros(count, np.int64), np.ones(count, np.int64)
        self.dropped = np.zeros(count, bool)
        self.live: Indexes = np.arange(count)

    def play(self, stop: Callable[[], bool] | None) -> HouseGames:
        """All games to their end."""
        table = np.stack([self._opening(game, stream) for game, stream in enumerate(self.streams)])
        for ply in range(_LONGEST):
            if stop is not None and stop():
                raise Stopped("the games were stopped")
            if ply and ply % _BLOCK == 0:
                table = np.stack([stream.integers(1, 7, (_BLOCK, 2), dtype=np.int8) for stream in self.streams])
            if ply:
                self._turn_cubes()
            if not len(self.live):
                return HouseGames(self.points, self.levels, self.plies, self.values, self.dropped)
            self._roll(table[self.live, ply % _BLOCK].astype(np.int64))
        raise HouseGamesError(f"{len(self.live)} games have not ended after {_LONGEST} rolls")

    def _opening(self, game: int, stream: np.random.Generator) -> npt.NDArray[np.int8]:
        """The first rolls of a game, after the throw that decides who opens; ties may double the stake."""
        limit, ties = self.settings.automatic_doubles, 0
        while True:
            dice = stream.integers(1, 7, 2, dtype=np.int8)
            if dice[0] == dice[1]:
                if (limit is None or ties < limit) and ties < 20:
                    self.multiplier[game] *= 2
                ties += 1
            elif not (self.variant.reroll_opening_acey_deucey and dice.sum() == 3):
                break
        rolls = stream.integers(1, 7, (_BLOCK, 2), dtype=np.int8)
        if self.variant.opening_dice is OpeningDice.PLAY:
            rolls[0] = dice
        return rolls

    # -- the cube -----------------------------------------------------------------------------------------
    def _turn_cubes(self) -> None:
        """Doubles, takes, beavers and drops of those who are on roll."""
        live, gone = self.live, np.zeros(len(self.live), bool)
        for context, places in self._group_by_cube(live):
            if not context.may_double or context.is_dead:
                continue
            at = live[places]
            boards = np.ascontiguousarray(self.boards[at])
            outputs, exact, _ = self.searcher.evaluate(boards)
            efficiency = self.searcher.efficiency(boards, outputs)
            equities = cube_equities(outcomes(outputs, boards, context), context, efficiency, exact)
            rolling, take = equities[:, 0], equities[:, 1]
            beaver = answer_beaver(equities[:, 3], equities[:, 4])
            take_values = np.fmin(take, beaver)
            doubles = np.fmin(take_values, 1.0) > rolling
            drops = doubles & (take_values >= 1.0)
            raised = doubles & ~drops & (beaver < take)
            self.cubes[at[doubles & ~drops]] = self._number(context.doubled)
            raccooned = raised & (equities[:, 4] > equities[:, 3])
            for turned, after in ((raised, context.after_beaver), (raccooned, context.after_raccoon)):
                if after is not None:
                    self.cubes[at[turned]] = self._number(after)
            ended = at[drops]
            value = context.cube * self.multiplier[ended]
            self.points[ended] = np.where(self.ours[ended], value, -value)
            self.dropped[ended], self.values[ended] = True, context.cube
            gone[places[drops]] = True
        self.live = live[~gone]

    # -- dice and plays -----------------------------------------------------------------------------------
    def _roll(self, dice: Indexes) -> None:
        live = self.live
        self.plies[live] += 1
        if self.variant.acey_deucey_doubles_stake:
            acey = (dice.min(axis=1) == 1) & (dice.max(axis=1) == 2)
            self.multiplier[live[acey]] = np.minimum(2 * self.multiplier[live[acey]], 1 << 40)
        after, again = np.empty((len(live), 32), np.int8), np.zeros(len(live), bool)
        for context, places in self._group_by_cube(live):
            weights = value_weights(context.swapped, self.per_checker)
            expansion = self.searcher.best_boards(
                np.ascontiguousarray(self.boards[live[places]]), dice[places], weights
            )
            after[places] = expansion.boards
            if expansion.again is not None:
                again[places] = expansion.again
        self.boards[live] = after
        passed = live[~again]
        self.ours[passed] ^= True
        swap = np.array([self._number(context.swapped) for context in list(self.contexts)])
        self.cubes[passed] = swap[self.cubes[passed]]
        over = is_finished(after)
        self._end(live[over])
        self.live = live[~over]

    def _end(self, at: Indexes) -> None:
        """End games that the players on roll have lost: the others have borne off their last checkers."""
        if not len(at):
            return
        for game, position in zip(at.tolist(), unpack(np.ascontiguousarray(self.boards[at])), strict=True):
            context, loser = self.contexts[self.cubes[game]], position.player
            if self.per_checker:
                base = self.settings.checkers_to_pay(loser)
            else:
                level = self.settings.level(loser, context.owner is not None)
                self.levels[game], base = level, level * context.cube
            points = base * self.multiplier[game]
            self.points[game] = -points if self.ours[game] else points
            self.values[game] = context.cube

    def _number(self, context: CubeContext) -> int:
        number = self._numbers.get(context)
        if number is None:
            number = self._numbers[context] = len(self.contexts)
            self.contexts.append(context)
        return number

    def _group_by_cube(self, at: Indexes) -> Iterator[tuple[CubeContext, Indexes]]:
        numbers = self.cubes[at]
        for number in np.unique(numbers).tolist():
            yield self.contexts[number], np.flatnonzero(numbers == number)
