"""Conversion of single positions to rows of the kernels and back: ``pack`` and ``unpack`` for one, without arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fullprime.rules.errors import PositionError
from fullprime.rules.position import BAR, HAND, OFF, Position, unchecked_position

Row32 = npt.NDArray[np.int8]


def row_of(position: Position) -> Row32:
    """Pack one position into a row (1, 32); raises PositionError for a position that kernels cannot take."""
    own, other = position.player, position.opponent
    if not (0 < sum(own) <= 15 and 0 < sum(other) <= 15 and min(own) >= 0 and min(other) >= 0):
        raise PositionError(f"{position.text}: 1 to 15 checkers a side")
    row = [own[place] - other[25 - place] for place in range(1, 25)]
    if any(own[place] and other[25 - place] for place in range(1, 25)):
        raise PositionError(f"{position.text}: two colours stand on one point")
    flags = (int(position.player_licence), int(position.opponent_licence))
    packed = [-other[BAR], *row, own[BAR], own[OFF], other[OFF], own[HAND], other[HAND], *flags]
    return np.array([packed], np.int8)


def position_of(row: Row32) -> Position:
    """Unpack a row (32,) into a position, seen by the same player."""
    counts: list[int] = row.tolist()
    own = [max(count, 0) for count in counts[1:25]]
    other = [max(-count, 0) for count in counts[24:0:-1]]
    return unchecked_position(
        (counts[26], *own, counts[25], counts[28]),
        (counts[27], *other, -counts[0], counts[29]),
        bool(counts[30]),
        bool(counts[31]),
    )
