"""Plays within trials that are looked ahead: the best few of a roll, deeper and deeper while they are close."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.lookahead.search import ROLLS
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.probabilities import a_point, swapped, weighed
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.levels import Sieve
from fullprime.engine.search.searcher import Expansion, Searcher

Floats = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.int64]
Worth = npt.NDArray[np.float32]

SIEVES = (Sieve(4, 0.08), Sieve(3, 0.04))
"""Plays of a roll that go from the static judgement to one ply, and from each ply to the next."""

REMEMBERED = 1 << 14
"""Plays looked two plies ahead or more that are kept: the first plies of trials come again and again."""


class Choice(NamedTuple):
    """A chosen turn: the board (32,), its outputs (5,) for the next to roll, and if that is the same player."""

    board: npt.NDArray[np.int8]
    outputs: npt.NDArray[np.float32]
    again: bool


class _Memory:
    """The choices of one searcher, those that were asked for last; used by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[object, ...], Choice] = OrderedDict()

    def get(self, key: tuple[object, ...]) -> Choice | None:
        with self._lock:
            return self._kept.get(key)

    def put(self, key: tuple[object, ...], choice: Choice) -> None:
        with self._lock:
            self._kept[key] = choice
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)


_memories: WeakKeyDictionary[Searcher, _Memory] = WeakKeyDictionary()


def chosen(
    searcher: Searcher,
    boards: Boards,
    thrown: Indexes,
    worths: tuple[Worth, Worth],
    context: CubeContext | None,
    depth: int,
) -> Expansion:
    """The best turns of one roll each by look-ahead: boards (n, 32) and which of the 21 rolls was thrown (n,).

    ``worths``: of outputs to the player who waits and to the one who moves. ``context``: that of the latter, where the
    cube counts for the choice.
    """
    memory = _memories.setdefault(searcher, _Memory()) if depth > 1 else None
    asked = zip(boards, thrown.tolist(), strict=True)
    keys = [(row.tobytes(), roll, context, worths[0].tobytes(), depth) for row, roll in asked]
    found = [None if memory is None else memory.get(key) for key in keys]
    missing = [place for place, each in enumerate(found) if each is None]
    if missing:
        fresh = _looked(searcher, boards[missing], thrown[missing], worths, context, depth)
        for place, choice in zip(missing, fresh, strict=True):
            found[place] = choice
            if memory is not None:
                memory.put(keys[place], choice)
    whole = [each for each in found if each is not None]
    return Expansion(
        np.stack([each.board for each in whole]),
        np.stack([each.outputs for each in whole]),
        np.array([each.again for each in whole], bool),
    )


def _looked(
    searcher: Searcher,
    boards: Boards,
    thrown: Indexes,
    worths: tuple[Worth, Worth],
    context: CubeContext | None,
    depth: int,
) -> list[Choice]:
    scale = a_point(searcher.evaluator.per_checker)
    point = scale if context is None else float(context.value(1.0)) - float(context.value(0.0))
    whole, turns, outputs, costs, asks = _static(searcher, boards, thrown, worths[0])
    left = np.arange(len(whole))
    for ply in range(1, depth + 1):
        left = left[_near(costs[left], asks[left], SIEVES[min(ply, 2) - 1], scale if ply == 1 else point)]
        counts = np.bincount(asks[left], minlength=len(boards))
        open_ = left[counts[asks[left]] > 1] if ply > 1 else left
        if not len(open_):
            break
        tree = searcher.tree(np.ascontiguousarray(whole[open_]), ply, *worths, passing=True)
        again = turns[open_]
        if context is None:
            costs[open_] = weighed(np.where(again[:, np.newaxis], swapped(tree.outputs), tree.outputs), worths[0])
        else:
            costs[open_] = tree.decided(context.swapped, searcher.efficiency)
            if again.any():
                own = tree.decided(context, searcher.efficiency)
                costs[open_] = np.where(again, context.flip(own), costs[open_])
        if ply == 1:
            outputs[open_] = tree.leaf
    order = left[np.lexsort((costs[left], asks[left]))]
    _, first = np.unique(asks[order], return_index=True)
    return [
        Choice(whole[place].copy(), outputs[place].astype(np.float32), bool(turns[place])) for place in order[first]
    ]


def _static(
    searcher: Searcher, boards: Boards, thrown: Indexes, worth: Worth
) -> tuple[Boards, npt.NDArray[np.bool_], Floats, Floats, Indexes]:
    """Every turn of the rolls: boards, whose turn is next, outputs, costs, and which question each belongs to."""
    rows, turns = [], []
    for board, (high, low) in zip(boards, ROLLS[thrown].tolist(), strict=True):
        plays, again = searcher.turn_ends(board[np.newaxis], high, low)
        rows.append(plays)
        turns.append(again)
    whole, again = np.concatenate(rows), np.concatenate(turns)
    outputs = searcher.evaluate(whole)[0]
    costs = weighed(np.where(again[:, np.newaxis], swapped(outputs), outputs), worth)
    return whole, again, outputs, costs, np.repeat(np.arange(len(rows)), [len(each) for each in rows])


def _near(costs: Floats, asks: Indexes, sieve: Sieve, point: float) -> Indexes:
    """The places of the plays that pass a sieve, in the order of their questions, the best first."""
    order = np.lexsort((costs, asks))
    starts = np.flatnonzero(np.diff(asks[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    least = np.repeat(costs[order][starts], np.diff(np.append(starts, len(order))))
    return np.asarray(order[(rank < sieve.most) & (costs[order] <= least + sieve.near * point)])
