"""Misjudgements of the weak levels: numbers that look random and are drawn by the position itself."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def misjudgement(boards: npt.NDArray[np.int8], seed: int = 0) -> Floats:
    """One number (n,) for each packed position (n, 32), as if drawn from the standard normal distribution.

    The same position and seed always give the same number.
    """
    words = np.ascontiguousarray(boards).view(np.uint64).reshape(len(boards), 4)
    state = np.full(len(boards), np.uint64(seed % (1 << 64)), np.uint64)
    for column in range(4):
        state = _mixed(state ^ words[:, column])
    first = (state >> np.uint64(11)).astype(np.float64) * 2.0**-53
    second = (_mixed(state) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    normal: Floats = np.sqrt(-2.0 * np.log1p(-first)) * np.cos(2.0 * np.pi * second)
    return normal


def _mixed(state: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finalizer of SplitMix64 (Steele, Lea and Flood, 2014)."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))
