"""Positions as a net sees them. Every encoding has a version, which travels with its net.

Version 1: for each side, in its own numbering and the player on roll first, 27 slots (0 off, 1-24, 25 bar, 26 hand)
of six units for the number of checkers there; one unit each for the two licence flags (Dutch Backgammon);
and 68 hand-made features, 34 a side (`HAND_FEATURES`). The same inputs serve every variant.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

VERSION = 1
SLOTS = 27
COUNTS = 16
UNITS = 6
SLOT_GROUPS = 2 * SLOTS + 2
"""Slots of the player on roll, of the opponent, then the two licence flags."""

HAND_FEATURES: tuple[str, ...] = (
    "rearmost checker / 24",
    "rearmost made point from 13 on / 24",
    "made points in the opponent's home / 3",
    "chance to escape of the rearmost checker",
    "chance to escape of the second checker from the back",
    "chance to escape from the rearmost made point",
    "mobility: pips outside home times the chance to escape",
    "spread of the checkers behind the mean",
    "pips / 167",
    "timing: pips that can be played without breaking home or anchors / 100",
    "pips behind the opponent's rearmost checker / 152",
    "pips past the opponent's rearmost checker / 100",
    "wall: how hard the best-held place in our home is to leave",
    "wall squared",
    "points closed in our home / 6",
    "points closed squared",
    "checkers on two or more anchors",
    "checkers on a single anchor",
    "longest prime / 6",
    "most points made of six in a row / 6",
    "rolls that hit / 36",
    "rolls that hit two / 36",
    "pips lost by the opponent to our shots",
    "blots / 6",
    "blots at home / 3",
    "height of the tallest stack",
    "pips needed to bring everything home / 100",
    "checkers on the bar against closed points",
    "lead in the race, in standard deviations",
    "points occupied / 10",
    "rolls that make the 4-point",
    "rolls that make the 5-point",
    "rolls that make the 7-point",
    "rolls that make the 20-point",
)
"""The names of one side's features, in order; `engine.core.nets.features` computes them."""

FEATURES = 2 * len(HAND_FEATURES)


def unit_values() -> NDArray[np.float32]:
    """Values of the units, (slot group, count, unit): the units that ``count`` checkers in a slot switch on."""
    values = np.zeros((SLOT_GROUPS, COUNTS, UNITS), np.float32)
    count = np.arange(COUNTS)
    stack = [count >= level for level in (1, 2, 3, 4, 5)] + [np.maximum(count - 5, 0) / 3]
    off = [count / 15] + [count >= level for level in (1, 5, 9, 12, 14)]
    hand = [count / 15] + [count >= level for level in (1, 2, 3, 6, 10)]
    for side in range(2):
        for slot in range(SLOTS):
            kinds = off if slot == 0 else hand if slot == 26 else stack
            values[side * SLOTS + slot] = np.array(kinds, np.float32).T
    values[2 * SLOTS :, 1:, 0] = 1
    return values


def table_of(units: NDArray[np.float32]) -> NDArray[np.float32]:
    """First-layer rows (group x count, width) from unit weights (group, unit, width)."""
    rows = np.einsum("gcu,guw->gcw", unit_values(), units, dtype=np.float64)
    return np.ascontiguousarray(rows.reshape(SLOT_GROUPS * COUNTS, -1), np.float32)


def largest_sums(table: NDArray[np.float32]) -> NDArray[np.float32]:
    """By column (width,) the largest size of a sum of rows that fifteen checkers a side and the licences can make."""
    largest = np.zeros(table.shape[1], np.float32)
    for signed in (table.reshape(SLOT_GROUPS, COUNTS, -1), -table.reshape(SLOT_GROUPS, COUNTS, -1)):
        total = np.maximum(signed[2 * SLOTS :, 1], 0).sum(axis=0)
        for side in range(2):
            most = np.zeros((COUNTS, table.shape[1]), np.float32)  # by the number of checkers in the slots so far
            for rows in signed[side * SLOTS : (side + 1) * SLOTS]:
                before = most.copy()
                for count in range(1, COUNTS):
                    np.maximum(most[count:], before[: COUNTS - count] + rows[count], out=most[count:])
            total += most.max(axis=0)
        np.maximum(largest, total, out=largest)
    return largest
