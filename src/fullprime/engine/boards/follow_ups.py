"""Rolls that give more than two dice: the named double, the complement and the extra throw of Acey Deucey.

The value of such a roll is that of the board after everything that it gives has been played as well as possible,
with the same player on roll again where he throws again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.layout import OFF
from fullprime.engine.core.moves import turns
from fullprime.engine.core.pack import legal_plays, swap, unpack
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.nets.net import NetError
from fullprime.rules.dice import Roll
from fullprime.rules.route import find_play_to
from fullprime.rules.variants.variant import FollowUp, Variant

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Indexes = npt.NDArray[np.int64]

Values = Callable[[Boards], Floats]
"""A function from boards (n, 32) to their values for their players on roll: (n,)."""


_STAGES = {
    FollowUp.CHOOSE_DOUBLE: turns.CHOOSE_DOUBLE,
    FollowUp.COMPLEMENT: turns.COMPLEMENT,
    FollowUp.ROLL_AGAIN: turns.ROLL_AGAIN,
}


def follow_ups_array(variant: Variant, *, strict: bool = True) -> npt.NDArray[np.int64]:
    """The extra moves and throws of special rolls in a variant, as the kernels read them: int64 (2, 3).

    The kernels do not know turns that play three numbers one after the other: such a variant raises NetError, or,
    unless ``strict``, its special rolls give nothing more.
    """
    array = np.zeros(turns.STAGES, np.int64)
    for row, stages in enumerate((variant.after_acey_deucey, variant.after_double)):
        if len(stages) > 2 or (len(stages) == 2 and stages[1] is not FollowUp.ROLL_AGAIN):
            if not strict:
                return np.zeros(turns.STAGES, np.int64)
            raise NetError(f"{variant.name}: no kernel for {' + '.join(stages)} after a special roll")
        array[row, : len(stages)] = [_STAGES[stage] for stage in stages]
    return array


def has_follow_ups(variant: Variant) -> bool:
    """True if some rolls of a variant give more than two dice."""
    return bool(variant.after_acey_deucey or variant.after_double)


def follow_ups_of(roll: Roll, variant: Variant) -> tuple[FollowUp, ...]:
    """The follow-ups of a roll in a variant, due after all its dice have been played."""
    if roll.is_acey_deucey:
        return variant.after_acey_deucey
    return variant.after_double if roll.is_double else ()


class StagedTurns(NamedTuple):
    """The results of a roll (n, 32), still seen by the player who made them, and the value of each to him.

    ``goes_on`` (n,): all dice have been played, so that he gets the extras that follow.
    """

    rows: Boards
    values: Floats
    goes_on: npt.NDArray[np.bool_]


def evaluate_plays(
    values: Values, row: Boards, roll: Roll, follow_ups: tuple[FollowUp, ...], variant: Variant
) -> StagedTurns:
    """Every play of a roll from one board (1, 32); ``follow_ups`` come when all dice have been played."""
    rows, offsets = legal_plays(row, np.array([[roll.high, roll.low]], np.int8), variant)
    complete = _complete(row, rows, offsets, roll, variant)
    return StagedTurns(
        rows, _play_follow_ups(values, rows, complete, roll, follow_ups, variant), complete & ~_is_over(rows)
    )


class TurnEnds(NamedTuple):
    """Ends of turns that begin with one of several plays.

    ``plays`` (n, 32) are seen by the player who makes them. The other arrays have a row for each end: its board, seen
    by the next player to roll; whether that is the same player ``again``; and the ``play`` it begins with.
    """

    plays: Boards
    boards: Boards
    again: Bools
    play: Indexes

    @property
    def plays_swapped(self) -> Boards:
        """The boards after the plays as the other player sees them (n, 32)."""
        return swap(self.plays)


def list_turn_ends(row: Boards, roll: Roll, follow_ups: tuple[FollowUp, ...], variant: Variant) -> TurnEnds:
    """All turns of a roll from one board (1, 32); ``follow_ups`` come when all dice have been played."""
    plays, offsets = legal_plays(row, np.array([[roll.high, roll.low]], np.int8), variant)
    goes_on = np.zeros(len(plays), bool)
    if follow_ups:
        goes_on = _complete(row, plays, offsets, roll, variant) & ~_is_over(plays)
    return _join_ends(plays, _split(plays, np.arange(len(plays)), goes_on, roll, follow_ups, variant))


def list_double_ends(row: Boards, follow_ups: tuple[FollowUp, ...], variant: Variant) -> TurnEnds:
    """All turns that continue with a named double from one board; ``play`` is the number of the double less 1."""
    parts: list[TurnEnds] = []
    for number in range(1, 7):
        double = list_turn_ends(row, Roll(number, number), follow_ups, variant)
        parts.append(double._replace(play=np.full(len(double.play), number - 1)))
    return _join_ends(row, parts)


def _join_ends(plays: Boards, parts: list[TurnEnds]) -> TurnEnds:
    boards = np.ascontiguousarray(np.concatenate([part.boards for part in parts]))
    again = np.concatenate([part.again for part in parts])
    return TurnEnds(plays, boards, again, np.concatenate([part.play for part in parts]))


def _split(
    rows: Boards, play: Indexes, goes_on: Bools, roll: Roll, follow_ups: tuple[FollowUp, ...], variant: Variant
) -> list[TurnEnds]:
    """The ends below boards of a turn, each of which began with ``play``; some go on with its ``follow_ups``."""
    over = ~goes_on
    parts = [TurnEnds(rows[:0], rows[:0], over[:0], play[:0])]
    if over.any():
        ended = swap(np.ascontiguousarray(rows[over]))
        parts.append(TurnEnds(rows[:0], ended, np.zeros(len(ended), bool), play[over]))
    if goes_on.any():
        parts += _stage(np.ascontiguousarray(rows[goes_on]), play[goes_on], roll, follow_ups, variant)
    return parts


def _stage(
    rows: Boards, play: Indexes, roll: Roll, follow_ups: tuple[FollowUp, ...], variant: Variant
) -> list[TurnEnds]:
    if follow_ups[0] is FollowUp.ROLL_AGAIN:
        return [TurnEnds(rows[:0], rows, np.ones(len(rows), bool), play)]
    parts: list[TurnEnds] = []
    for number in range(1, 7) if follow_ups[0] is FollowUp.CHOOSE_DOUBLE else (7 - roll.high,):
        double = Roll(number, number)
        results, offsets = legal_plays(rows, np.full((len(rows), 2), number, np.int8), variant)
        goes_on = np.zeros(len(results), bool)
        if follow_ups[1:]:
            goes_on = _complete(rows, results, offsets, double, variant) & ~_is_over(results)
        parts += _split(results, np.repeat(play, np.diff(offsets)), goes_on, double, follow_ups[1:], variant)
    return parts


def _turn(values: Values, rows: Boards, roll: Roll, follow_ups: tuple[FollowUp, ...], variant: Variant) -> Floats:
    """The values of a roll to the players on roll (n,), played as well as possible."""
    dice = np.repeat(np.array([[roll.high, roll.low]], np.int8), len(rows), axis=0)
    results, offsets = legal_plays(rows, dice, variant)
    complete = _complete(rows, results, offsets, roll, variant)
    best: Floats = np.maximum.reduceat(
        _play_follow_ups(values, results, complete, roll, follow_ups, variant), offsets[:-1]
    )
    return best


def _play_follow_ups(
    values: Values,
    rows: Boards,
    complete: npt.NDArray[np.bool_],
    roll: Roll,
    follow_ups: tuple[FollowUp, ...],
    variant: Variant,
) -> Floats:
    goes_on = complete & ~_is_over(rows) if follow_ups else np.zeros(len(rows), bool)
    worths = np.empty(len(rows))
    if not goes_on.all():
        worths[~goes_on] = -values(swap(rows[~goes_on]))
    if goes_on.any():
        worths[goes_on] = _evaluate_after(values, rows[goes_on], roll, follow_ups, variant)
    return worths


def _evaluate_after(
    values: Values, rows: Boards, roll: Roll, follow_ups: tuple[FollowUp, ...], variant: Variant
) -> Floats:
    match follow_ups[0]:
        case FollowUp.ROLL_AGAIN:
            return values(rows)
        case FollowUp.COMPLEMENT:
            other = Roll(7 - roll.high, 7 - roll.low)
            return _turn(values, rows, other, follow_ups[1:], variant)
        case FollowUp.CHOOSE_DOUBLE:
            doubles = [Roll(number, number) for number in range(1, 7)]
            worths = [_turn(values, rows, double, follow_ups[1:], variant) for double in doubles]
            return np.asarray(np.max(worths, axis=0))


def _complete(
    before: Boards, rows: Boards, offsets: npt.NDArray[np.int64], roll: Roll, variant: Variant
) -> npt.NDArray[np.bool_]:
    """A mask of the results that use all dice: by the pips moved, or move by move where a larger die bore one off."""
    origin = np.repeat(np.arange(len(before)), np.diff(offsets))
    total = sum(roll.dice)
    moved = _pips(before)[origin] - _pips(rows)
    complete = moved == total
    unclear = ~complete & (rows[:, OFF] > before[origin, OFF])
    for index in np.flatnonzero(unclear):
        start, after = unpack(np.stack([before[origin[index]], rows[index]]))
        complete[index] = len(find_play_to(start, roll, after, variant).moves) == len(roll.dice)
    return np.asarray(complete)


def _pips(rows: Boards) -> npt.NDArray[np.int64]:
    counts = np.maximum(rows[:, 1:26], 0).astype(np.int64)
    pips: npt.NDArray[np.int64] = counts @ np.arange(1, 26) + 25 * rows[:, 28].astype(np.int64)
    return pips


def _is_over(rows: Boards) -> npt.NDArray[np.bool_]:
    return np.asarray(~((rows[:, 1:26] > 0).any(1) | (rows[:, 28] > 0)))
