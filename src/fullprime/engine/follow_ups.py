"""Rolls that give more than two dice: the named double, the complement and the extra throw of Acey Deucey.

What such a roll is worth is the value of the board after everything that it gives has been played as well as possible,
with the same player on roll again where he throws again. Inside a look-ahead tree a roll is just a roll.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.layout import OFF
from fullprime.engine.core.pack import legal_plays, swap, unpack
from fullprime.engine.evaluator import Boards
from fullprime.rules.dice import Roll
from fullprime.rules.route import play_to
from fullprime.rules.variants.variant import FollowUp, Variant

Floats = npt.NDArray[np.float64]

Values = Callable[[Boards], Floats]
"""What boards (n, 32) are worth to their player on roll: (n,)."""


class Staged(NamedTuple):
    """The results of a roll (n, 32), still seen by the player who made them, and what each is worth to him.

    ``goes_on`` (n,): all dice have been played, so that he gets what follows.
    """

    rows: Boards
    values: Floats
    goes_on: npt.NDArray[np.bool_]


def play_values(values: Values, row: Boards, roll: Roll, rest: tuple[FollowUp, ...], variant: Variant) -> Staged:
    """Every play of a roll from one board (1, 32); ``rest`` is what follows when all dice have been played."""
    rows, offsets = legal_plays(row, np.array([[roll.high, roll.low]], np.int8), variant)
    complete = _complete(row, rows, offsets, roll, variant)
    return Staged(rows, _played(values, rows, complete, roll, rest, variant), complete & ~_is_over(rows))


def double_values(values: Values, row: Boards, rest: tuple[FollowUp, ...], variant: Variant) -> Floats:
    """What naming each of the doubles 1 to 6 is worth (6,); ``rest`` is what follows a double played completely."""
    return np.array([_turn(values, row, Roll(number, number), rest, variant)[0] for number in range(1, 7)])


def _turn(values: Values, rows: Boards, roll: Roll, rest: tuple[FollowUp, ...], variant: Variant) -> Floats:
    """What a roll is worth to the players on roll (n,), played as well as possible."""
    dice = np.repeat(np.array([[roll.high, roll.low]], np.int8), len(rows), axis=0)
    results, offsets = legal_plays(rows, dice, variant)
    complete = _complete(rows, results, offsets, roll, variant)
    best: Floats = np.maximum.reduceat(_played(values, results, complete, roll, rest, variant), offsets[:-1])
    return best


def _played(
    values: Values,
    rows: Boards,
    complete: npt.NDArray[np.bool_],
    roll: Roll,
    rest: tuple[FollowUp, ...],
    variant: Variant,
) -> Floats:
    goes_on = complete & ~_is_over(rows) if rest else np.zeros(len(rows), bool)
    found = np.empty(len(rows))
    if not goes_on.all():
        found[~goes_on] = -values(swap(rows[~goes_on]))
    if goes_on.any():
        found[goes_on] = _after(values, rows[goes_on], roll, rest, variant)
    return found


def _after(values: Values, rows: Boards, roll: Roll, rest: tuple[FollowUp, ...], variant: Variant) -> Floats:
    match rest[0]:
        case FollowUp.ROLL_AGAIN:
            return values(rows)
        case FollowUp.COMPLEMENT:
            other = Roll(7 - roll.high, 7 - roll.low)
            return _turn(values, rows, other, rest[1:], variant)
        case FollowUp.CHOOSE_DOUBLE:
            doubles = [Roll(number, number) for number in range(1, 7)]
            return np.asarray(np.max([_turn(values, rows, double, rest[1:], variant) for double in doubles], axis=0))


def _complete(
    before: Boards, rows: Boards, offsets: npt.NDArray[np.int64], roll: Roll, variant: Variant
) -> npt.NDArray[np.bool_]:
    """Which results have used all dice: by the pips moved, or move by move where a checker went off by a larger die."""
    origin = np.repeat(np.arange(len(before)), np.diff(offsets))
    total = sum(roll.dice)
    moved = _pips(before)[origin] - _pips(rows)
    complete = moved == total
    unclear = ~complete & (rows[:, OFF] > before[origin, OFF])
    for index in np.flatnonzero(unclear):
        start, after = unpack(np.stack([before[origin[index]], rows[index]]))
        complete[index] = len(play_to(start, roll, after, variant).moves) == len(roll.dice)
    return np.asarray(complete)


def _pips(rows: Boards) -> npt.NDArray[np.int64]:
    own = np.maximum(rows[:, 1:26], 0).astype(np.int64)
    pips: npt.NDArray[np.int64] = own @ np.arange(1, 26) + 25 * rows[:, 28].astype(np.int64)
    return pips


def _is_over(rows: Boards) -> npt.NDArray[np.bool_]:
    return np.asarray(~((rows[:, 1:26] > 0).any(1) | (rows[:, 28] > 0)))
