"""Themes of errors, and their totals."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reviews.test_explain import begun, cube, decided

from fullprime.reviews.decision import CubeEquities, Kind
from fullprime.reviews.error_themes import ErrorTheme, ThemeTotal
from fullprime.reviews.themes import theme_of
from fullprime.rules.position import Position

FIGURES = CubeEquities(0.6, 0.5, 1.0, "double, take", 0.4, (0.7, 0.2, 0.0, 0.1, 0.0))


@pytest.mark.parametrize(
    ("board", "dice", "best", "played", "theme"),
    [
        ("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", (3, 1), "8/5 6/5", "24/23 13/10", ErrorTheme.POINT_MISSED),
        ("20:2 13:5 8:3 6:5 / 20:2 13:5 8:3 6:5", (5, 4), "13/8 13/9", "20/11", ErrorTheme.ANCHOR_BROKEN),
        ("24:2 13:5 8:3 6:5 / 20 24 13:5 8:3 6:5", (4, 3), "13/10 24/20", "13/9 13/10", None),
    ],
)
def test_a_play_has_the_theme_of_its_first_reason(
    board: str, dice: tuple[int, int], best: str, played: str, theme: ErrorTheme | None
) -> None:
    game = replace(begun(*dice), position=Position.from_text(board))
    found = theme_of(decided(game, best, played), game)
    assert found in ErrorTheme
    assert theme is None or found is theme


@pytest.mark.parametrize(
    ("mistake", "theme"),
    [
        ("missed double", ErrorTheme.DOUBLES_LATE),
        ("missed redouble, cash", ErrorTheme.CASH_MISSED),
        ("wrong double, too good", ErrorTheme.TOO_GOOD),
        ("wrong redouble", ErrorTheme.DOUBLES_EARLY),
        ("wrong take", ErrorTheme.TAKES),
        ("wrong drop", ErrorTheme.DROPS),
        ("missed beaver", ErrorTheme.OTHER_CUBE),
    ],
)
def test_errors_of_the_cube_are_told_apart(mistake: str, theme: ErrorTheme) -> None:
    decision = replace(cube(Kind.DOUBLE, ("double", "no double"), FIGURES), mistake=mistake)
    assert theme_of(decision, begun()) is theme


def test_a_total_is_read_as_a_sentence() -> None:
    assert str(ThemeTotal(ErrorTheme.POINT_MISSED, 2, 0.32)) == "misses a point: 2 times, 0.320"
