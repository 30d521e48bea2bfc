"""Every board that the next roll of a side can lead to: the 21 rolls at once, by the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullprime.engine.boards.edge import row_of
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.position import Position
from fullprime.rules.variants.variant import Variant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def next_boards(position: Position, variant: Variant, *, whole: bool = False) -> list[npt.NDArray[np.int8]]:
    """For each roll of ``ALL_ROLLS`` the packed boards int8 (n, 32) after its plays, seen by the player who made them.

    A roll that cannot be played gives the position itself. In games where a roll gives more, these are the boards
    after the two dice alone, or where the ``whole`` roll is wanted those after all that it gives, up to a new throw.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> [len(boards) for boards in next_boards(BACKGAMMON.starting_position, BACKGAMMON)][:3]
    [42, 15, 75]
    """
    import numpy as np

    from fullprime.engine.boards.follow_ups import follow_ups_of, turns_from
    from fullprime.engine.core.moves import plays
    from fullprime.engine.core.pack import rules_array, swap

    row, rules = row_of(position)[0], rules_array(variant)
    out, scratch = np.empty((plays.MAX_PLAYS, 32), np.int8), np.empty(plays.SCRATCH, np.int64)
    found = []
    for roll in ALL_ROLLS:
        if whole and (rest := follow_ups_of(roll, variant)):
            ends = turns_from(row[None], roll, rest, variant)
            boards = ends.boards.copy()
            boards[~ends.again] = swap(boards[~ends.again])
            found.append(boards)
            continue
        count = plays.legal_plays_into(row, roll.high, roll.low, rules, out, scratch)
        found.append(out[:count].copy())
    return found


__all__ = ["next_boards"]
