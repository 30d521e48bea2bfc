"""The places that the two sides occupy, as bits: a few whole numbers for each of thousands of positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.layout import BAR, HAND, THEIR_BAR, THEIR_HAND
from fullprime.engine.nets.evaluator import Boards

Bools = npt.NDArray[np.bool_]
Bits = npt.NDArray[np.uint32]

_HOME = 6


def _bits(first: int, last: int) -> np.uint32:
    return np.uint32(sum(1 << place for place in range(first, last + 1)))


_ON_BOARD, _THEIRS_ON_BOARD = _bits(1, BAR), _bits(THEIR_BAR, BAR - 1)
_OUTSIDE, _THEIRS_OUTSIDE = _bits(_HOME + 1, BAR), _bits(THEIR_BAR, BAR - _HOME - 1)
_IN_HAND, _THEIRS_IN_HAND = _bits(HAND, HAND), _bits(THEIR_HAND, THEIR_HAND)
_ON_BAR, _THEIRS_ON_BAR = _bits(BAR, BAR), _bits(THEIR_BAR, THEIR_BAR)


@dataclass(frozen=True, slots=True)
class Occupied:
    """The bytes above zero, and those below it, of packed positions (n, 32), as bits (n,): bit p stands for byte p."""

    above: Bits
    below: Bits

    @property
    def finished(self) -> Bools:
        """Rows in which a side has nothing left on the board, on the bar or in hand."""
        own = (self.above & (_ON_BOARD | _IN_HAND)) != 0
        other = ((self.below & _THEIRS_ON_BOARD) | (self.above & _THEIRS_IN_HAND)) != 0
        return np.asarray(~(own & other))

    @property
    def home(self) -> Bools:
        """Rows in which the player on roll has nothing outside of the own home but what is in hand."""
        return np.asarray((self.above & _OUTSIDE) == 0)

    @property
    def they_are_home(self) -> Bools:
        """Rows in which the opponent has nothing outside of the own home but what is in hand."""
        return np.asarray((self.below & _THEIRS_OUTSIDE) == 0)

    @property
    def nothing_in_hand(self) -> Bools:
        """Rows in which no checkers are in hand."""
        return np.asarray((self.above & (_IN_HAND | _THEIRS_IN_HAND)) == 0)

    @property
    def bars_empty(self) -> Bools:
        """Rows in which no checkers are on the bar."""
        return np.asarray(((self.above & _ON_BAR) | (self.below & _THEIRS_ON_BAR)) == 0)


def find_occupied(boards: Boards) -> Occupied:
    """The places that are occupied in packed positions (n, 32)."""
    return Occupied(_pack(boards > 0), _pack(boards < 0))


def _pack(marks: Bools) -> Bits:
    if not len(marks):
        return np.zeros(0, np.uint32)
    return np.packbits(np.ascontiguousarray(marks), axis=1, bitorder="little").view("<u4").ravel()
