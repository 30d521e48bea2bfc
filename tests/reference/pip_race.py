"""The race without wastage, solved with the cube: each roll takes its pips off, whoever reaches nothing wins.

A model of long races that has an exact answer, and so a judge of formulas for the efficiency of the cube.
"""

from __future__ import annotations

import numpy as np

from fullprime.rules.dice import ALL_ROLLS

CUBELESS, OWNED, CENTRED, UNAVAILABLE = range(4)


def solve(longest: int) -> np.ndarray:
    """Equities [own pips, other's pips, 4] of rolling now with a cube at 1, player on roll first.

    Columns: nobody ever doubles; the cube on the own side; in the middle; on the other side.
    """
    size = longest + 1
    values = np.full((size, size, 4), np.nan)
    values[1:, 0] = -1.0
    for total in range(2, 2 * longest + 1):
        own = np.arange(max(1, total - longest), min(longest, total - 1) + 1)
        other = total - own
        chances = np.zeros((len(own), 4))
        for roll in ALL_ROLLS:
            left = np.maximum(own - sum(roll.dice), 0)
            theirs = values[other, left]
            turned = np.minimum(1.0, 2.0 * theirs[:, UNAVAILABLE])
            after = np.stack(
                [
                    -theirs[:, CUBELESS],
                    -theirs[:, UNAVAILABLE],
                    -np.maximum(theirs[:, CENTRED], turned),
                    -np.maximum(theirs[:, OWNED], turned),
                ],
                axis=1,
            )
            after[left == 0] = 1.0
            chances += roll.weight / 36 * after
        values[own, other] = chances
    return values
