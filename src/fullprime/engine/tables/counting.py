"""Lopsided races by counting rolls: what a side that bears off wins at least while the other has not come home.

The tables know how many rolls the side at home needs; the other needs at least the rolls that throw its pips. The wins
that follow from this, and the gammons of a loser who has borne nothing off, are certain, however far a race is outside
of what nets learnt.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.tables.bearoff import Bearoff
from fullprime.engine.tables.occupied import find_occupied
from fullprime.rules.dice import ALL_ROLLS

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_HOME = 6
_MOST_PIPS = 15 * 25
_PLACES = np.arange(1, 25)
_DISTANCES = np.stack([_PLACES - 25, np.minimum(_PLACES - 25 + _HOME, 0)], axis=1)
"""Pips of the other side's checkers to bear off and to come home, by the places of the side at home; negative."""


def bound_races(tables: Bearoff, boards: Boards, outputs: Floats, is_exact: Bools) -> None:
    """Raise the chances of the side at home to what counting rolls proves, in ``outputs`` (n, 5) itself.

    Of packed positions (n, 32) in which one side is home and has borne a checker off, the other is not, and they
    cannot meet; others, and those that ``is_exact`` marks, stay as they are.
    """
    if not boards[:, 26:28].any():
        return
    occupation = find_occupied(boards)
    bare = occupation.bars_empty & occupation.nothing_in_hand & ~is_exact
    mine, theirs = occupation.home, occupation.they_are_home
    chosen = np.flatnonzero((mine != theirs) & bare & (np.where(mine, boards[:, 26], boards[:, 27]) > 0))
    if not len(chosen):
        return
    ahead = mine[chosen]
    # All as the side at home sees it: its own checkers by its numbers, the other's by the other's.
    own = np.where(ahead[:, np.newaxis], boards[chosen, 1:25], -boards[chosen, 24:0:-1])
    # A race: the last checker of the side at home has passed the first one that is not there.
    last = np.where(own[:, :_HOME] > 0, _PLACES[:_HOME], 0).max(axis=1)
    first = np.where(own < 0, _PLACES, 25).min(axis=1)
    apart = (last > 0) & (last < first) & (first < 25 - _HOME)
    if not apart.all():
        chosen, ahead, own = chosen[apart], ahead[apart], own[apart]
        if not len(chosen):
            return
    needed = tables.rolls[_ranks(own[:, :_HOME])].astype(np.float64)
    pips, home = (np.minimum(own, 0).astype(np.int64) @ _DISTANCES).T
    home = home + 1
    none_off = np.where(ahead, boards[chosen, 27], boards[chosen, 26]) == 0
    wins = _chance_in_time(needed, pips, ahead)
    gammons = np.where(none_off, _chance_in_time(needed, home, ahead), 0.0)
    _raise(outputs, chosen[ahead], wins[ahead], gammons[ahead], of_mover=True)
    _raise(outputs, chosen[~ahead], wins[~ahead], gammons[~ahead], of_mover=False)


def _chance_in_time(needed: Floats, pips: npt.NDArray[np.int64], first: Bools) -> Floats:
    """The chance (n,) that the rolls ``needed`` (n, k) are thrown before the other has thrown its ``pips``."""
    rolls = np.arange(needed.shape[1])[np.newaxis, :] - first[:, np.newaxis]
    in_time = pips_thrown(needed.shape[1])[np.maximum(rolls, 0), pips[:, np.newaxis]]
    chances: Floats = np.clip((needed * (1.0 - in_time)).sum(axis=1), 0.0, 1.0)
    return chances


def _raise(outputs: Floats, chosen: npt.NDArray[np.int64], wins: Floats, gammons: Floats, *, of_mover: bool) -> None:
    part = outputs[chosen]
    win, gammon, backgammon, lose_gammon, lose_backgammon = part.T
    if of_mover:
        win = np.maximum(win, wins)
        gammon = np.minimum(np.maximum(gammon, gammons), win)
        lose_gammon = np.minimum(lose_gammon, 1.0 - win)
    else:
        win = np.minimum(win, 1.0 - wins)
        lose_gammon = np.minimum(np.maximum(lose_gammon, gammons), 1.0 - win)
        gammon = np.minimum(gammon, win)
    raised = (win, gammon, np.minimum(backgammon, gammon), lose_gammon, np.minimum(lose_backgammon, lose_gammon))
    outputs[chosen] = np.stack(raised, axis=1)


@cache
def pips_thrown(most: int) -> Floats:
    """The chance that a number of rolls (less than ``most``) throws at least a number of pips: (most, pips)."""
    single_roll = np.zeros(25)
    for roll in ALL_ROLLS:
        single_roll[(roll.high + roll.low) * (2 if roll.high == roll.low else 1)] += roll.weight / 36
    chances = np.zeros((most, _MOST_PIPS + 1))
    thrown = np.ones(1)
    for rolls in range(most):
        at_least = np.cumsum(thrown[::-1])[::-1][: _MOST_PIPS + 1]
        chances[rolls, : len(at_least)] = np.minimum(at_least, 1.0)
        thrown = np.convolve(thrown, single_roll)
    return chances


def _ranks(counts: Boards) -> npt.NDArray[np.int64]:
    """The indexes in the tables of checkers (n, 6) on the points 1 to 6."""
    from fullprime.engine.core.tables import bearoff as core

    room = np.full(len(counts), core.LIMIT)
    ranks = np.zeros(len(counts), np.int64)
    for point in range(_HOME, 0, -1):
        left = room - np.maximum(counts[:, point - 1], 0)
        ranks += core.CHOOSE[point, room] - core.CHOOSE[point, left]
        room = left
    return ranks
