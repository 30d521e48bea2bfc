"""A packed position as one vector of 32 bytes: the places of both sides, the other player's view; bits of a mask.

A comparison of the whole vector with a number gives a mask of places at once. The operations are written for LLVM in
`board_code`; with the JIT off plain loops stand in.
"""

from typing import Any

import numpy as np

from fullprime.engine.core.jit import JIT, operation

OWN, OTHER, POINTS = 0x3FFFFFE, 0x1FFFFFF, 0x1FFFFFE
"""Places on which a side's checkers may stand, as bits of `places`, and the points alone."""
TURNED = (*range(25, -1, -1), 27, 26, 29, 28, 31, 30)
"""Where each place of a packed position stands for the other player."""
ROW = 32
"""Bytes of a packed position."""
_CODE = "fullprime.engine.core.lanes.board_code"


def _plain_count_ones(mask):  # type: ignore[no-untyped-def]
    return int(mask).bit_count()


def _plain_places(boards, at):  # type: ignore[no-untyped-def]
    row = np.ascontiguousarray(boards[at]).view(np.int8)
    bits = 1 << np.arange(ROW)
    conditions = ((row > 0, OWN), (row < 0, OTHER), (row > 1, POINTS), (row < -1, POINTS))
    return tuple(int(bits[where].sum()) & mask for where, mask in conditions)


def _plain_turn_round(position, out):  # type: ignore[no-untyped-def]
    row = position[list(TURNED)]
    row[:26] *= -1
    out[:] = row


if JIT:
    places: Any = operation(_CODE, "places")
    """Bits of the places (0 to 25) of own and other checkers, of own and other made points of ``boards[at]``."""
    turn_round: Any = operation(_CODE, "turn_round")
    """A position (32,) seen by the other player, into ``out`` (32,), which may be the same one."""
    count_ones: Any = operation(_CODE, "count_ones")
    """How many bits of a mask are set."""
else:
    places, turn_round, count_ones = _plain_places, _plain_turn_round, _plain_count_ones
