"""Cube efficiency: a number between 0 (a dead cube) and 1 (a fully live one), by position and by the cube's place.

A searcher takes any :class:`Efficiency`; :class:`PhaseEfficiency` knows the phase of a game alone,
:class:`~fullprime.engine.cube.learnt.LearntEfficiency` the position.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.cube.model import CONTACT_EFFICIENCY

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int8]

_PLACES = {None: 0, CubeOwner.MOVER: 1, CubeOwner.OPPONENT: 2}


class Efficiency(Protocol):
    """Efficiencies of boards by the place of the cube."""

    def __call__(self, rows: Rows, outputs: Floats) -> Floats:
        """Efficiencies (n, 3) of packed positions (n, 32) with static outputs (n, 5).

        The columns: the cube in the middle, with the player on roll, with the opponent.
        """


def select_efficiency(efficiencies: Floats, context: CubeContext) -> Floats:
    """The column (n,) of efficiencies (n, 3) for the place of this cube."""
    return np.asarray(efficiencies[:, _PLACES[context.owner]])


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

    contact: float = CONTACT_EFFICIENCY
    race: tuple[tuple[float, float], ...] = RACE
    """(pips of the player on roll, efficiency), linear between, constant outside."""

    def of(self, rows: Rows) -> Floats:
        """Efficiencies (n,) of packed positions (n, 32), wherever the cube is."""
        pips = (np.maximum(rows[:, :26], 0).astype(np.int64) * np.arange(26)).sum(axis=1)
        lengths, efficiencies = zip(*self.race, strict=True)
        race = np.interp(pips, lengths, efficiencies)
        return np.where(in_contact(rows), self.contact, race)

    def __call__(self, rows: Rows, outputs: Floats) -> Floats:  # noqa: ARG002 - others need them
        """Efficiencies (n, 3); see :class:`Efficiency`."""
        return np.repeat(self.of(rows)[:, np.newaxis], 3, axis=1)


def in_contact(rows: Rows) -> npt.NDArray[np.bool_]:
    """A mask (n,) of the packed positions (n, 32) in which the sides have not passed each other."""
    places = np.arange(26)
    farthest = np.where(rows[:, :26] > 0, places, 0).max(axis=1)
    farthest_other = np.where(rows[:, :26] < 0, 25 - places, 0).max(axis=1)
    in_hand = (rows[:, 28] != 0) | (rows[:, 29] != 0)
    return np.asarray((farthest + farthest_other > 24) | in_hand)
