"""Misjudgements of the weak levels: drawn by the position itself, and larger where people find it harder to judge.

How far a level is off is ``noise`` times `difficulty` times a number that looks random. People err where the game hangs
in the balance and where checkers are behind on both sides, most in back games and with the cube; a race can be counted,
and a game that is as good as decided is judged without error.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.layout import HAND, THEIR_HAND

Floats = npt.NDArray[np.float64]

CUBE = 1.5
"""A level misjudges a position before the roll, for the cube, by this factor more than boards after plays."""

_MOST = 2.0
"""The most standard deviations of a misjudgement: a slip of the hand is no error of judgement."""
_USUAL_SPREAD = 1.3
"""Standard deviation of a game's result in points, from the start."""
_CALMEST, _WILDEST = 0.04, 1.6
_BEAROFF, _RACE = 0.15, 0.3
"""What is left of an error where both sides bear off, and in other races."""
_EASIEST, _PER_CHECKER, _BEHIND = 0.7, 0.1, 7
"""With contact: by how many checkers both sides have in the other's home or on the bar, up to ``_BEHIND``."""
_BACK_GAME = 1.4
"""Where a side holds two points there or more."""


def normal_noise(boards: npt.NDArray[np.int8], seed: int = 0) -> Floats:
    """One number (n,) for each packed position (n, 32), as if drawn from the standard normal distribution.

    The same position and seed always give the same number.
    """
    words = np.ascontiguousarray(boards).view(np.uint64).reshape(len(boards), 4)
    state = np.full(len(boards), np.uint64(seed % (1 << 64)), np.uint64)
    for column in range(4):
        state = _mix(state ^ words[:, column])
    first = (state >> np.uint64(11)).astype(np.float64) * 2.0**-53
    second = (_mix(state) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    normal: Floats = np.sqrt(-2.0 * np.log1p(-first)) * np.cos(2.0 * np.pi * second)
    return normal


def noise_of(boards: npt.NDArray[np.int8], outputs: Floats, per_checker: bool, seed: int = 0) -> Floats:
    """The error (n,) of a level of ``noise`` 1 in each packed position (n, 32), given its five outputs (n, 5)."""
    return difficulty(boards, outputs, per_checker) * np.clip(normal_noise(boards, seed), -_MOST, _MOST)


def difficulty(boards: npt.NDArray[np.int8], outputs: Floats, per_checker: bool) -> Floats:
    """The difficulty (n,) of judging positions (n, 32): about 1 in an ordinary middle game.

    The spread of the game's result by the outputs (n, 5), times what the plan of the game makes of it.
    """
    spread = np.clip(_compute_deviation(outputs, per_checker) / _USUAL_SPREAD, _CALMEST, _WILDEST)
    hardness: Floats = spread * _plan(boards)
    return hardness


def _compute_deviation(outputs: Floats, per_checker: bool) -> Floats:
    """The standard deviation of the result: in points, in games settled by checkers that of winning and losing."""
    win, gammon, backgammon, lost, badly = outputs.T
    if per_checker:
        variance = (2.0 * _USUAL_SPREAD) ** 2 * win * (1.0 - win)
    else:
        mean = 2.0 * win - 1.0 + gammon + backgammon - lost - badly
        variance = 1.0 + 3.0 * (gammon + lost) + 5.0 * (backgammon + badly) - mean * mean
    spread: Floats = np.sqrt(np.maximum(variance, 0.0))
    return spread


def _plan(boards: npt.NDArray[np.int8]) -> Floats:
    """What the plan of the game makes of an error: (n,)."""
    points = boards[:, :26].astype(np.int64)
    own, other = np.maximum(points, 0), np.maximum(-points, 0)
    in_hand = (boards[:, [HAND, THEIR_HAND]] > 0).any(axis=1)
    behind = own[:, 19:].sum(axis=1) + other[:, :7].sum(axis=1)
    anchors = np.maximum((own[:, 19:25] > 1).sum(axis=1), (other[:, 1:7] > 1).sum(axis=1))
    rearmost = np.where(own > 0, np.arange(26), -1).max(axis=1)
    foremost = np.where(other > 0, np.arange(26), 26).min(axis=1)
    contact = _EASIEST + _PER_CHECKER * np.minimum(behind, _BEHIND)
    contact = np.where(anchors > 1, _BACK_GAME * contact, contact)
    race = np.where((rearmost <= 6) & (foremost >= 19), _BEAROFF, _RACE)
    return np.where((rearmost < foremost) & ~in_hand, race, contact)


def _mix(state: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finalizer of SplitMix64 (Steele, Lea and Flood, 2014)."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))
