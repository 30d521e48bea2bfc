"""Bots against each other: results, and statistics of the games."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from fullprime.rules import game as acts
from fullprime.rules.dice import Roll, SeededDice
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.score import Player, Settings

if TYPE_CHECKING:
    from fullprime.engine.bots.bots import Bot


class SelfplayJson(TypedDict):
    """The results of bots against each other. Pairs are (X, O); X is the first bot. Rates: None before any game."""

    games: int
    """Games played."""
    wins: list[int]
    """Games won by each."""
    points: list[int]
    """Points won by each."""
    points_per_game: float | None
    """X's points less O's, a game."""
    gammons: list[int]
    """Games won that are worth a gammon or more, by each."""
    gammon_rate: float | None
    """The share of such games in all games."""
    backgammons: list[int]
    """Games won that are worth a backgammon, by each."""
    backgammon_rate: float | None
    """The share of such games in all games."""
    drops: int
    """Games that ended by a drop."""
    plies_per_game: float | None
    """Rolls played, dances included."""
    first_mover_share: float | None
    """The share of the games won by the player who moved first."""
    seconds: float
    """The time they took."""
    games_per_second: float | None
    """The speed at which they were played."""


@dataclass(slots=True)
class SelfplayTally:
    """The counts. Pairs are (X, O); X is the first bot."""

    games: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    points: list[int] = field(default_factory=lambda: [0, 0])
    gammons: list[int] = field(default_factory=lambda: [0, 0])
    """Games won that are worth a gammon or more."""
    backgammons: list[int] = field(default_factory=lambda: [0, 0])
    drops: int = 0
    plies: int = 0
    """Rolls played, dances included."""
    first_mover_wins: int = 0
    seconds: float = 0.0

    def json(self) -> SelfplayJson:
        """The counts and the rates that follow from them; rates are None before the first game."""
        games = self.games

        def share(count: float) -> float | None:
            return round(count / games, 6) if games else None

        return {
            "games": games,
            "wins": list(self.wins),
            "points": list(self.points),
            "points_per_game": share(self.points[0] - self.points[1]),
            "gammons": list(self.gammons),
            "gammon_rate": share(sum(self.gammons)),
            "backgammons": list(self.backgammons),
            "backgammon_rate": share(sum(self.backgammons)),
            "drops": self.drops,
            "plies_per_game": share(self.plies),
            "first_mover_share": share(self.first_mover_wins),
            "seconds": round(self.seconds, 3),
            "games_per_second": round(games / self.seconds, 3) if self.seconds else None,
        }


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


def play_game(game: Game, players: tuple[Bot, Bot], dice: SeededDice) -> tuple[Game, Player, int]:
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
