"""Equities in one unit or the other: points of the cube, normalised in a match, and match winning chances.

Both are straight lines of each other for one cube and score, so two points of the match equity table decide. The
table is ours (Kazaross XG2); another program's own table differs in the third decimal.
"""

from __future__ import annotations

from fullprime.rules.game import Game

NORMAL_95 = 1.959964
"""Half the width of the interval that holds 95 % of a normal distribution, in standard errors."""


def _line(game: Game) -> tuple[float, float]:
    """The player on roll's chance to win the match at equity 0, and the gain for one point of equity."""
    from fullprime.engine.cube.context import context_of  # noqa: PLC0415 - numpy waits until it is needed

    context = context_of(game)
    worst, best = float(context.value(-1.0)), float(context.value(1.0))
    return (best + worst) / 2, (best - worst) / 2


def to_mwc(equity: float, game: Game) -> float:
    """The match winning chance of an equity of the player on roll, at this cube and score."""
    middle, half = _line(game)
    return middle + half * equity


def to_points(chance: float, game: Game) -> float | None:
    """The equity of a match winning chance of the player on roll; None where the game decides nothing."""
    middle, half = _line(game)
    return (chance - middle) / half if half else None


def difference_in_points(chance: float, game: Game) -> float | None:
    """A difference of match winning chances, such as luck, as a difference of equities."""
    _, half = _line(game)
    return chance / half if half else None


def difference_in_chances(points: float, game: Game) -> float:
    """A difference of equities as a difference of match winning chances."""
    return points * _line(game)[1]
