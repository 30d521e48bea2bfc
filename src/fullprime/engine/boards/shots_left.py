"""Whether every one of some boards leaves a shot: a roll of the other side that hits outside its own home board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fullprime.rules.dice import ALL_ROLLS

if TYPE_CHECKING:
    from fullprime.rules.variants.variant import Variant

_OUTSIDE = slice(7, 25)
"""The points outside the home board of the side that hits, in its own numbers."""


def leave_shots(boards: npt.NDArray[np.int8], variant: Variant) -> bool:
    """True if the other side has a shot after each of the packed boards int8 (n, 32), seen by the side that moved."""
    from fullprime.engine.boards.follow_ups import follow_ups_of, turns_from
    from fullprime.engine.core.moves import plays
    from fullprime.engine.core.pack import rules_array, swap

    rules = rules_array(variant)
    out, scratch = np.empty((plays.MAX_PLAYS, 32), np.int8), np.empty(plays.SCRATCH, np.int64)
    for row in swap(np.unique(boards, axis=0)):
        blots = row[_OUTSIDE] == -1
        for roll in ALL_ROLLS if blots.any() else ():
            if rest := follow_ups_of(roll, variant):
                ends = turns_from(row[None], roll, rest, variant)
                after = np.where(ends.again[:, None], ends.boards, swap(ends.boards))
            else:
                after = out[: plays.legal_plays_into(row, roll.high, roll.low, rules, out, scratch)]
            if (after[:, _OUTSIDE][:, blots] >= 0).any():
                break
        else:
            return False
    return True


__all__ = ["leave_shots"]
