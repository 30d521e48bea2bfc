"""Players that choose plays in batches: our levels, net files and rule bots, behind one protocol."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from fullprime.engine.boards.follow_ups import follow_ups_of
from fullprime.engine.bots.batch import BatchPlayer, Dice, PlayerError
from fullprime.engine.bots.bots import best_double, best_play
from fullprime.engine.core.pack import pack, swap, unpack
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.nets.net import Net, manifest, nets_with
from fullprime.engine.rollouts.luck import LuckJudge
from fullprime.engine.search.levels import LEVELS, level_named
from fullprime.engine.search.searcher import Ends
from fullprime.engine.warmup import prepare
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import OFF, Position
from fullprime.rules.variants.variant import FollowUp, Variant


class EnginePlayer:
    """A level of the engine as a player; at 0-ply whole batches go through the kernels."""

    def __init__(self, engine: Engine, name: str | None = None) -> None:
        self.engine = engine
        self.name = name or engine.level.name
        self.in_batches = engine.level.ply == 0 and not engine.level.noise

    def choose(self, boards: Boards, dice: Dice) -> Ends:
        """Choose the best turns; a position has the same one in any batch."""
        again = np.zeros(len(boards), bool)
        if self.in_batches:
            boards, wide = np.ascontiguousarray(boards), dice.astype(np.int64)
            if self.engine.searcher.whole_turns:
                best = self.engine.searcher.best_boards(boards, wide, self.engine.weights(CUBELESS), filtered=False)
                after, again = best.boards, again if best.again is None else best.again
            else:
                after = self.engine.static_best(boards, wide, CUBELESS, self.engine.level)
            alone = np.flatnonzero(self.engine.searcher.tables.within_a_turn(boards))
        else:
            after, alone = np.empty_like(boards), np.arange(len(boards))
        for index in alone.tolist():
            roll = Roll(int(dice[index, 0]), int(dice[index, 1]))
            after[index], again[index] = self.engine.best_end(boards[index : index + 1], roll)
        return Ends(after, again)


class RulePlayer:
    """The heuristic or the random bot."""

    def __init__(self, name: str, variant: Variant, seed: int | str = 0) -> None:
        self.name = name
        self.in_batches = False
        self._variant = variant
        self._random = random.Random(f"random-player:{seed}") if name == "random" else None

    def choose(self, boards: Boards, dice: Dice) -> Ends:
        """The bot's play in each position."""
        pairs = zip(unpack(np.ascontiguousarray(boards)), dice.tolist(), strict=True)
        turns = [self._one(position, Roll(*pair)) for position, pair in pairs]
        again = np.array([goes_on for _, goes_on in turns], bool)
        after = pack([position for position, _ in turns])
        if not again.all():
            after[~again] = swap(after[~again])
        return Ends(after, again)

    def _one(self, position: Position, roll: Roll) -> tuple[Position, bool]:
        """The board after a whole turn, seen by the player who made it, and whether he rolls again."""
        follow_ups: tuple[FollowUp, ...] = follow_ups_of(roll, self._variant)
        while True:
            play = self._play(position, roll)
            position = play.after
            if not follow_ups or len(play.moves) < len(roll.dice) or position.player[OFF] == position.checkers:
                return position, False
            stage, follow_ups = follow_ups[0], follow_ups[1:]
            if stage is FollowUp.ROLL_AGAIN:
                return position, True
            number = 7 - roll.high if stage is FollowUp.COMPLEMENT else self._double(position)
            roll = Roll(number, number)

    def _play(self, position: Position, roll: Roll) -> Play:
        plays = legal_plays(position, roll, self._variant)
        return self._random.choice(plays) if self._random is not None else best_play(plays, self._variant)

    def _double(self, position: Position) -> int:
        return self._random.randint(1, 6) if self._random is not None else best_double(position, self._variant)


def play_turns(boards: Boards, dice: Dice, turn: Callable[[Position, Roll], tuple[Position, bool]]) -> Ends:
    """Play turns one by one, by ``turn``; gives the boards at their ends.

    ``turn`` gives the board after a whole turn, seen by the next player to roll, and whether that is the same one.
    """
    pairs = zip(unpack(np.ascontiguousarray(boards)), dice.tolist(), strict=True)
    ends = [turn(position, Roll(*pair)) for position, pair in pairs]
    return Ends(pack([position for position, _ in ends]), np.array([again for _, again in ends], bool))


def player_named(name: str, variant: Variant, *, seed: int | str = 0, threads: int = 1) -> BatchPlayer:
    """A player by its typed name: a level, ``heuristic``, ``random``, a net file, or a player of another distribution.

    Raises PlayerError, also for another program that is not installed or does not play the variant.
    """
    key = name.strip()
    if key.lower() in ("heuristic", "random"):
        return RulePlayer(key.lower(), variant, seed)
    if key.endswith(".npz"):
        engine = Engine.open(variant, "fast", threads, nets=nets_with(Net.read(Path(key))))
        return _prepare(EnginePlayer(engine, Path(key).name))
    try:
        level = level_named(key)
    except FullprimeError:
        return _find_in_other_distributions(key, variant)
    return _prepare(EnginePlayer(Engine.open(variant, level, threads)))


def _find_in_other_distributions(name: str, variant: Variant) -> BatchPlayer:
    sources = player_sources()
    for source in sources:
        player = source.find(name, variant)
        if player is not None:
            return player
    choices = ", ".join([*LEVELS, "heuristic", "random", "FILE.npz", *(source.names for source in sources)])
    more = "" if sources else "; other programs come with fullprime-lab: pip install fullprime-lab"
    raise PlayerError(f"there is no player {name[:60]!r}; there are {choices}{more}")


def make_luck_judge(variant: Variant) -> LuckJudge | None:
    """Make the judge of the luck of the dice from the nets of the package; None where a game has none."""
    if variant.name not in manifest():
        return None
    return LuckJudge(_prepare(EnginePlayer(Engine.open(variant, "0-ply"))).engine.searcher)


def _prepare(player: EnginePlayer) -> EnginePlayer:
    prepare(player.engine)
    return player


GROUP = "fullprime.players"
"""The entry points by which other distributions name a `PlayerSource`; fullprime-lab has one for other programs."""


class PlayerSource(Protocol):
    """A source of players from another distribution, by names that this package does not use."""

    names: str
    """What may be typed for them, in words."""

    def find(self, name: str, variant: Variant) -> BatchPlayer | None:
        """Find a player by name; None for a name of another source.

        Raises PlayerError for a player that is not installed or does not play the variant.
        """
        ...


@cache
def player_sources() -> tuple[PlayerSource, ...]:
    """The player sources of all installed distributions."""
    from importlib.metadata import entry_points

    return tuple(entry.load() for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name))
