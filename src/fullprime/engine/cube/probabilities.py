"""The five outputs of an evaluation, and their worth.

Every evaluation is five numbers of the player on roll: win, win a gammon or more, win a backgammon, lose a gammon or
more, lose a backgammon. They are cumulative: a backgammon counts as a gammon and as a win too.

In a game settled by checkers (Acey Deucey) a result is a number of checkers, not one of three sizes. There the outputs
are: win; checkers won / 15 on average (zero in lost games counted in); zero; checkers lost / 15; zero. They keep the
order of the first meaning (each no more than the chance to win or to lose), and swap sides in the same way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import Settlement, Variant

Probabilities = tuple[float, float, float, float, float]
"""Win, win a gammon or more, win a backgammon, lose a gammon or more, lose a backgammon."""
NAMES = ("win", "win gammon", "win backgammon", "lose gammon", "lose backgammon")
CHECKERS = 15
"""The factor of outputs 1 and 3 in a game settled by checkers."""
CHECKERS_A_POINT = 5.0
"""Checkers that matter in such a game about as much as a point in others: its winner gets some seven of them."""


def points_unit(per_checker: bool) -> float:
    """One point in the unit of a game's equities, points or checkers, to convert thresholds stated in points."""
    return CHECKERS_A_POINT if per_checker else 1.0


def equity(outputs: NDArray[np.floating], variant: Variant = BACKGAMMON) -> NDArray[np.float64]:
    """Cubeless points a game that the player on roll wins on average; ``outputs`` (..., 5) gives (...).

    >>> float(equity(np.array([0.5, 0.25, 0.0, 0.125, 0.0])))
    0.125
    """
    p = np.asarray(outputs, np.float64)
    if variant.settlement is not Settlement.GAMES:
        checkers: NDArray[np.float64] = CHECKERS * (p[..., 1] - p[..., 3])
        return checkers
    games: NDArray[np.float64] = 2 * p[..., 0] - 1 + p[..., 1] + p[..., 2] - p[..., 3] - p[..., 4]
    return games


def weighted_sum(outputs: NDArray[np.floating], weights: NDArray[np.floating]) -> NDArray[np.float64]:
    """The values (...) of outputs (..., 5 or 7): their sum by the weights and the constant of ``tree.value_weights``.

    Summed in one order, so that a row has the same bits in any batch.

    >>> float(weighted_sum(np.array([0.5, 0.25, 0.0, 0.125, 0.0]), np.array([2, 1, 1, -1, -1, -1])))
    0.125
    """
    total = np.full(outputs.shape[:-1], float(weights[-1]))
    for column in range(len(weights) - 1):
        total += outputs[..., column] * float(weights[column])
    return total


def swap_sides(outputs: NDArray[np.floating]) -> NDArray[np.float64]:
    """Probabilities (..., 5), or those of ``bar_share.outcomes`` (..., 7), as the other player sees them.

    >>> swap_sides(np.array([0.75, 0.25, 0.0, 0.125, 0.0])).tolist()
    [0.25, 0.125, 0.0, 0.25, 0.0]
    """
    p = np.asarray(outputs, np.float64)
    on_bar = [p[..., 6], p[..., 5]] if p.shape[-1] == 7 else []
    return np.stack([1 - p[..., 0], p[..., 3], p[..., 4], p[..., 1], p[..., 2], *on_bar], axis=-1)


def swap_differences(differences: NDArray[np.floating]) -> NDArray[np.float64]:
    """Differences of probabilities (..., 5 or 7) as the other player sees them, such as the luck of a roll.

    >>> swap_differences(np.array([0.5, 0.25, 0.0, -0.125, 0.0])).tolist()
    [-0.5, -0.125, 0.0, 0.25, 0.0]
    """
    d = np.asarray(differences, np.float64)
    on_bar = [d[..., 6], d[..., 5]] if d.shape[-1] == 7 else []
    return np.stack([-d[..., 0], d[..., 3], d[..., 4], d[..., 1], d[..., 2], *on_bar], axis=-1)


def probabilities_of(outputs: NDArray[np.floating]) -> Probabilities:
    """An array of five outputs as plain numbers."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = (float(output) for output in outputs)
    return win, gammon, backgammon, lose_gammon, lose_backgammon


def chances_text(probabilities: Probabilities, per_checker: bool = False) -> str:
    """The outputs in per cent: one's own, then the opponent's."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = (100 * probability for probability in probabilities)
    if per_checker:
        return (
            f"win {win:.2f} % ({gammon * 0.15:.2f} checkers a game), "
            f"lose {100 - win:.2f} % ({lose_gammon * 0.15:.2f} checkers a game)"
        )
    return (
        f"win {win:.2f} % (gammon {gammon:.2f}, backgammon {backgammon:.2f}), "
        f"lose {100 - win:.2f} % (gammon {lose_gammon:.2f}, backgammon {lose_backgammon:.2f})"
    )
