"""The share of backgammons that end with a checker of the loser on the bar, where a house counts them apart.

The outputs of an evaluation say how likely a backgammon is; the share says of which kind: exactly of a finished game,
nothing where the sides have passed each other or the loser has borne off, else a logistic function of a few counts,
learnt from the engine's own games (``fullprime_lab.training.bar_share``; ``docs/equity.md`` has the measurement).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.efficiency import in_contact
from fullprime.engine.cube.equity import CubeContext

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int8]

BAR, OFF, THEIR_OFF, HAND, THEIR_HAND = range(25, 30)
"""Bytes of a packed position."""
FEATURES = 4
WEIGHTS = np.array([-3.1604, 1.8711, 0.7641, -0.4333])
"""Of the features, in their order."""


def outcomes(outputs: Floats, rows: Rows, context: CubeContext) -> Floats:
    """The outputs (n, 5) of positions (n, 32), or with the backgammons on the bar (n, 7) where a house counts them.

    The last two are then the chances to win and to lose a backgammon with a checker on the bar.
    """
    if not context.counts_bar:
        return outputs
    return np.concatenate([outputs, outputs[:, [2, 4]] * bar_shares(rows)], axis=1)


def bar_shares(rows: Rows) -> Floats:
    """The shares (n, 2) of won and of lost backgammons in which the loser has a checker on the bar."""
    own, other = _sides(rows)
    shares = np.zeros((len(rows), 2))
    contact = np.flatnonzero(in_contact(rows))
    if len(contact):
        inputs = features(rows[contact])
        shares[contact] = np.column_stack([1.0 / (1.0 + np.exp(-_product(side))) for side in inputs])
    for column, loser, winner, off in ((0, other, own, THEIR_OFF), (1, own, other, OFF)):
        over = ~winner.any(axis=1)
        shares[over, column] = loser[over, BAR] > 0
        shares[rows[:, off] > 0, column] = 0.0
    return shares


def features(rows: Rows) -> tuple[Floats, Floats]:
    """The inputs (n, FEATURES) of the share: for games that the opponent loses, and for those of the player on roll."""
    own, other = _sides(rows)
    return _features(other, own), _features(own, other)


def _sides(rows: Rows) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The checkers (n, 26) of both sides by their own numbers; those in hand count as on the bar."""
    own = np.maximum(rows[:, :26], 0).astype(np.int64)
    other = np.maximum(-rows[:, :26], 0).astype(np.int64)[:, ::-1].copy()
    own[:, BAR] += rows[:, HAND]
    other[:, BAR] += rows[:, THEIR_HAND]
    return own, other


def _features(loser: npt.NDArray[np.int64], winner: npt.NDArray[np.int64]) -> Floats:
    """One, one by the checkers that the winner has left, the loser's on the bar, and whether he has an anchor."""
    columns = [
        np.ones(len(loser)),
        1.0 / np.maximum(winner.sum(axis=1), 1),
        np.minimum(loser[:, BAR], 4) / 4.0,
        (loser[:, 19:25] >= 2).any(axis=1),
    ]
    return np.column_stack(columns).astype(np.float64)


def _product(inputs: Floats) -> Floats:
    """Sums of features times weights, in one order: a position has the same bits in any batch."""
    total = np.zeros(len(inputs))
    for column, weight in enumerate(WEIGHTS.tolist()):
        total += inputs[:, column] * weight
    return total
