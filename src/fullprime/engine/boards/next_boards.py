"""The next roll, by the kernels: every board that it can lead to, and whether the other side has a shot then."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fullprime.engine.boards.conversion import row_of
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.position import Position
from fullprime.rules.variants.variant import Variant


def next_boards(position: Position, variant: Variant, *, whole_turn: bool = False) -> list[npt.NDArray[np.int8]]:
    """For each roll of ``ALL_ROLLS`` the packed boards int8 (n, 32) after its plays, seen by the player who made them.

    A roll that cannot be played gives the position itself. In games where a roll gives more, these are the boards
    after the two dice alone, or with ``whole_turn`` those after all that the roll gives, up to a new throw.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> [len(boards) for boards in next_boards(BACKGAMMON.starting_position, BACKGAMMON)][:3]
    [42, 15, 75]
    """
    from fullprime.engine.boards.follow_ups import follow_ups_of, list_turn_ends
    from fullprime.engine.core.moves import plays
    from fullprime.engine.core.pack import rules_array, swap

    row, rules = row_of(position)[0], rules_array(variant)
    out, scratch = np.empty((plays.MAX_PLAYS, 32), np.int8), np.empty(plays.SCRATCH, np.int64)
    boards_by_roll = []
    for roll in ALL_ROLLS:
        if whole_turn and (follow_ups := follow_ups_of(roll, variant)):
            ends = list_turn_ends(row[None], roll, follow_ups, variant)
            boards = ends.boards.copy()
            boards[~ends.again] = swap(boards[~ends.again])
            boards_by_roll.append(boards)
            continue
        count = plays.legal_plays_into(row, roll.high, roll.low, rules, out, scratch)
        boards_by_roll.append(out[:count].copy())
    return boards_by_roll


_OUTSIDE = slice(7, 25)
"""The points outside the home board of the side that hits, in its own numbers."""


def leave_shots(boards: npt.NDArray[np.int8], variant: Variant) -> bool:
    """True if the other side has a shot after each of the packed boards int8 (n, 32), seen by the side that moved."""
    from fullprime.engine.boards.follow_ups import follow_ups_of, list_turn_ends
    from fullprime.engine.core.moves import plays
    from fullprime.engine.core.pack import rules_array, swap

    rules = rules_array(variant)
    out, scratch = np.empty((plays.MAX_PLAYS, 32), np.int8), np.empty(plays.SCRATCH, np.int64)
    for row in swap(np.unique(boards, axis=0)):
        blots = row[_OUTSIDE] == -1
        for roll in ALL_ROLLS if blots.any() else ():
            if follow_ups := follow_ups_of(roll, variant):
                ends = list_turn_ends(row[None], roll, follow_ups, variant)
                after = np.where(ends.again[:, None], ends.boards, swap(ends.boards))
            else:
                after = out[: plays.legal_plays_into(row, roll.high, roll.low, rules, out, scratch)]
            if (after[:, _OUTSIDE][:, blots] >= 0).any():
                break
        else:
            return False
    return True
