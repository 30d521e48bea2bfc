"""Dice of rollouts: every throw is a function of the seed, the number of the trial and the ply, and of nothing else.

All candidates of a rollout meet the same dice, and it does not matter who plays a trial, when, or beside which others.
Trials come in groups of 36. Within a group each of the 36 ordered throws comes once at the first ply and once at the
second; over 36 groups (1,296 trials) each pair of first and second throw comes exactly once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

GROUP = 36
"""Trials that belong together: as many as there are ordered throws."""
SQUARE = GROUP * GROUP
"""Trials over which the first two throws are all their pairs."""

Numbers = npt.NDArray[np.uint64]
Indexes = npt.NDArray[np.int64]

DICE = np.array([(first, second) for first in range(1, 7) for second in range(1, 7)], np.int64)
"""The 36 ordered throws."""

_TRIAL, _PLY, _STREAM = (np.uint64(odd) for odd in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))


def scramble(numbers: Numbers) -> Numbers:
    """Scramble 64-bit numbers: the finaliser of SplitMix64 (Steele, Lea, Flood, 2014)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def draw_throws(seed: int, trials: Indexes, ply: int, *, stratified: bool = True) -> Indexes:
    """The ordered throws (n,), as indexes of :data:`DICE`, of some trials at one ply (0 is the first throw)."""
    if stratified and ply < 2:
        indexes = np.empty(len(trials), np.int64)
        squares = trials // SQUARE
        for square in np.unique(squares).tolist():
            here = squares == square
            group, place = np.divmod(trials[here] - square * SQUARE, GROUP)
            if ply == 0:
                indexes[here] = _shuffle(seed, square, 0)[place]
            else:
                # A Latin square with its rows, columns and symbols shuffled.
                row, column = _shuffle(seed, square, 1)[place], _shuffle(seed, square, 2)[group]
                indexes[here] = _shuffle(seed, square, 3)[(row + column) % GROUP]
        return indexes
    key = _key(seed, 4)
    numbers = scramble(scramble(key + _TRIAL * trials.astype(np.uint64)) ^ _times(_PLY, ply + 1))
    return ((numbers >> np.uint64(32)) * np.uint64(GROUP) >> np.uint64(32)).astype(np.int64)


def _times(odd: np.uint64, number: int) -> np.uint64:
    """A product modulo 2**64, of which NumPy would warn for single numbers."""
    return np.uint64(int(odd) * number & 0xFFFF_FFFF_FFFF_FFFF)


def _key(seed: int, stream: int) -> Numbers:
    start = np.array([seed & 0xFFFF_FFFF_FFFF_FFFF], np.uint64)
    return scramble(scramble(start + _TRIAL) + _times(_STREAM, stream + 1))


def _shuffle(seed: int, square: int, stream: int) -> Indexes:
    """A permutation of 36 things, one for each square of trials and each purpose."""
    places = np.arange(GROUP, dtype=np.uint64)
    keys = scramble(scramble(_key(seed, stream) + _times(_PLY, square + 1)) + _TRIAL * (places + np.uint64(1)))
    return np.argsort(keys, kind="stable")
