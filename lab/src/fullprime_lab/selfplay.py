"""Bots against each other: results, and statistics of the games."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from fullprime.common.json_values import JsonFields, json_names
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll, SeededDice
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.score import Player, Settings

if TYPE_CHECKING:
    from fullprime.engine.bots.bots import NamedBot


@dataclass(slots=True)
class SelfplayTally:
    """The results of bots against each other. Pairs are (X, O); X is the first bot. Rates: None before any game."""

    __json__: ClassVar[JsonFields] = json_names(
        "games", "wins", "points", "points_per_game", "gammons", "gammon_rate", "backgammons", "backgammon_rate",
        "drops", "plies_per_game", "first_mover_share", "seconds", "games_per_second",
    )  # fmt: skip

    games: int = 0
    """Games played."""
    wins: list[int] = field(default_factory=lambda: [0, 0])
    """Games won by each."""
    points: list[int] = field(default_factory=lambda: [0, 0])
    """Points won by each."""
    gammons: list[int] = field(default_factory=lambda: [0, 0])
    """Games won that are worth a gammon or more, by each."""
    backgammons: list[int] = field(default_factory=lambda: [0, 0])
    """Games won that are worth a backgammon, by each."""
    drops: int = 0
    """Games that ended by a drop."""
    plies: int = 0
    """Rolls played, dances included."""
    first_mover_wins: int = 0
    """Games won by the player who moved first."""
    seconds: float = 0.0
    """The time they took."""

    @property
    def points_per_game(self) -> float | None:
        """X's points less O's, a game."""
        return self._share(self.points[0] - self.points[1])

    @property
    def gammon_rate(self) -> float | None:
        """The share of games worth a gammon or more in all games."""
        return self._share(sum(self.gammons))

    @property
    def backgammon_rate(self) -> float | None:
        """The share of games worth a backgammon in all games."""
        return self._share(sum(self.backgammons))

    @property
    def plies_per_game(self) -> float | None:
        """Rolls played, dances included."""
        return self._share(self.plies)

    @property
    def first_mover_share(self) -> float | None:
        """The share of the games won by the player who moved first."""
        return self._share(self.first_mover_wins)

    @property
    def games_per_second(self) -> float | None:
        """The speed at which they were played."""
        return self.games / self.seconds if self.seconds else None

    def _share(self, count: float) -> float | None:
        return round(count / self.games, 6) if self.games else None


def play_games(
    settings: Settings,
    bots: tuple[str, str],
    games: int,
    seed: int | str,
    progress: Callable[[SelfplayTally], None] | None = None,
) -> SelfplayTally:
    """Play ``games`` separate games, each with its own dice from the seed; ``progress`` is called after each.

    Raises SettingsError for an unknown bot or a number of games that is not allowed.
    """
    if not 1 <= games <= 100_000_000:
        raise SettingsError(f"games are 1 to 100000000, not {games}")
    from fullprime.engine.bots.bots import bot_named

    players = (bot_named(bots[0], f"{seed}:X"), bot_named(bots[1], f"{seed}:O"))
    tally = SelfplayTally()
    begun = time.perf_counter()
    for number in range(1, games + 1):
        _count(tally, *play_game(Game.new(settings), players, SeededDice(f"{seed}:{number}")))
        tally.seconds = time.perf_counter() - begun
        if progress is not None:
            progress(tally)
    return tally


def play_game(game: Game, players: tuple[NamedBot, NamedBot], dice: SeededDice) -> tuple[Game, Player, int]:
    """One game to its end: the game over, the player who moved first, and the number of rolls played."""
    first, plies = None, 0
    while not game.is_over:
        if game.phase is Phase.OPENING_ROLL:
            action = acts.opening(dice.die(), dice.die())
        else:
            assert game.turn is not None
            first = game.turn if first is None else first
            action = players[game.turn].choose(game)
            if action.kind is ActionKind.ROLL:
                action = acts.roll(Roll(dice.die(), dice.die()))
            plies += action.kind is ActionKind.PLAY
        game = game.act(action)
    assert first is not None
    return game, first, plies


def _count(tally: SelfplayTally, game: Game, first: Player, plies: int) -> None:
    result = game.result
    assert result is not None
    tally.games += 1
    tally.plies += plies
    tally.wins[result.winner] += 1
    tally.points[result.winner] += result.points
    tally.gammons[result.winner] += (result.level or 0) >= 2
    tally.backgammons[result.winner] += (result.level or 0) >= 3
    tally.drops += result.how == "drop"
    tally.first_mover_wins += result.winner is first
