"""A small board of 38 columns: a point a number and a checker, for examples beside a text and for narrow screens."""

from __future__ import annotations

from collections.abc import Iterable

from fullprime.rules.position import BAR, HAND, OFF, Position, mirror

_WIDTH = 3


def small_board(position: Position, *, ascii_only: bool = False) -> str:
    """The board seen by the player on roll, who sits at the bottom with full checkers and bears off at the right.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> print(small_board(BACKGAMMON.starting_position, ascii_only=True))
    13 14 15 16 17 18 | 19 20 21 22 23 24
    5X  .  .  . 3O  . | 5O  .  .  .  . 2X
    -------------------------------------
    5O  .  .  . 3X  . | 5X  .  .  .  . 2O
    12 11 10  9  8  7 |  6  5  4  3  2  1
    """
    checkers = "XO" if ascii_only else "●○"
    empty, bar, across = (".", "|", "-") if ascii_only else ("·", "│", "─")

    def cell(point: int) -> str:
        mine, theirs = position.player[point], position.opponent[mirror(point)]
        return f"{mine}{checkers[0]}" if mine else f"{theirs}{checkers[1]}" if theirs else empty

    def line(words: Iterable[object]) -> str:
        cells = [f"{word!s:>{_WIDTH - 1}}" for word in words]
        return f"{' '.join(cells[:6])} {bar} {' '.join(cells[6:])}"

    far, near = range(13, 25), range(12, 0, -1)
    lines = [line(far), line(map(cell, far)), across * len(line(far)), line(map(cell, near)), line(near)]
    beside = [
        f"{row[slot]}{checkers[side]} {where}"
        for side, row in enumerate((position.player, position.opponent))
        for slot, where in ((BAR, "on the bar"), (HAND, "in hand"), (OFF, "off"))
        if row[slot]
    ]
    return "\n".join([*lines, *([", ".join(beside)] if beside else [])])
