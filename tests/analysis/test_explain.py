"""Words about a mistake: only what can be counted is said."""

from __future__ import annotations

import pytest

from fullprime.analysis.decision import Decision, GameStage, Kind, Option
from fullprime.analysis.explain import explain, shooting
from fullprime.rules.dice import Roll
from fullprime.rules.game import Game, opening
from fullprime.rules.notation import read_play
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import DUTCH


@pytest.mark.parametrize(
    ("position", "shots"),
    [
        ("7 6:14 / 24:15", 17),
        ("6:15 / 24:15", 0),
        ("1 6:14 / bar 6:14", 11),
        ("2 6:13 1 / bar 6:14", 20),
        ("24 6:14 / 13:15", 3),
    ],
)
def test_shots_that_every_player_knows(position: str, shots: int) -> None:
    assert shooting(Position.from_text(position)) == shots


def test_without_the_licence_nobody_hits() -> None:
    assert shooting(Position.from_text("7 6:14 / 24:15"), DUTCH) == 0


def decision(best: str, played: str, gap: tuple[float, ...]) -> tuple[Decision, Game]:
    game = Game.new(Settings()).act(opening(3, 1))
    plays = [read_play(text, game.position, Roll(3, 1)) for text in (best, played)]
    chances = (0.55, 0.16, 0.01, 0.13, 0.0)
    other = tuple(a - b for a, b in zip(chances, gap, strict=True))
    options = (
        Option(best, 0.16, 0.0, 0.16, 2, chances, plays[0].moves),
        Option(played, 0.0, 0.16, 0.0, 2, other, plays[1].moves),  # type: ignore[arg-type]
    )
    return (
        Decision(
            0,
            1,
            Player.X,
            Kind.PLAY,
            GameStage.OPENING,
            options,
            1,
            0.01,
            counts=True,
            counts_gnu=True,
            dice=Roll(3, 1),
        ),
        game,
    )


def test_a_point_made_and_chances_won_are_said() -> None:
    words = explain(*decision("8/5 6/5", "24/23 13/10", (0.05, 0.03, 0.0, -0.02, 0.0)))
    assert words.startswith("8/5 6/5 makes the 5 point, keeps the 24 point")
    assert "wins 5.0 % more" in words
    assert "wins 3.0 % more gammons" in words
    assert "loses 2.0 % fewer gammons" in words


def test_differences_that_are_nothing_are_not_said() -> None:
    words = explain(*decision("8/5 6/5", "24/23 13/10", (0.001, 0.0, 0.0, 0.0, 0.0)))
    assert "%" not in words


def test_shots_are_said() -> None:
    words = explain(*decision("8/5 6/5", "6/5 8/5", (0.0, 0.0, 0.0, 0.0, 0.0)))
    assert words == ""
    words = explain(*decision("24/23 24/21", "6/5 6/3", (0.0,) * 5))
    assert "of 36 that hit instead of" in words
