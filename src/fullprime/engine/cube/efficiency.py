"""Cube efficiency: a number between 0 (a dead cube) and 1 (a fully live one), by position.

Any function from packed positions (n, 32) to n numbers can take the place of :class:`PhaseEfficiency`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

Efficiency = Callable[[npt.NDArray[np.int8]], Floats]
"""Packed positions (n, 32) in, efficiencies (n,) out."""


RACE: tuple[tuple[float, float], ...] = (
    (3, 0.0),
    (8, 0.32),
    (11, 0.42),
    (17, 0.49),
    (22, 0.56),
    (30, 0.60),
    (40, 0.66),
    (50, 0.69),
    (62, 0.72),
    (77, 0.74),
    (92, 0.76),
    (108, 0.78),
)
"""Learnt from the exact solution of a race without wastage, five pips being the wastage of a real one: the figures
with which doubles and takes lose least. ``docs/equity.md`` has the measurement.
"""


@dataclass(frozen=True, slots=True)
class PhaseEfficiency:
    """The efficiency of the cube by phase: one figure while there is contact, by length in a race."""

    contact: float = 0.68
    race: tuple[tuple[float, float], ...] = RACE
    """(pips of the player on roll, efficiency), linear between, constant outside."""

    def __call__(self, rows: npt.NDArray[np.int8]) -> Floats:
        """Efficiencies (n,) of packed positions (n, 32)."""
        places = np.arange(26)
        own = np.where(rows[:, :26] > 0, places, 0).max(axis=1)
        other = np.where(rows[:, :26] < 0, 25 - places, 0).max(axis=1)
        in_hand = (rows[:, 28] != 0) | (rows[:, 29] != 0)
        pips = (np.maximum(rows[:, :26], 0).astype(np.int64) * places).sum(axis=1)
        lengths, efficiencies = zip(*self.race, strict=True)
        race = np.interp(pips, lengths, efficiencies)
        return np.where((own + other <= 24) & ~in_hand, race, self.contact)
