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
from fullprime.engine.cube.probabilities import points_unit, swap_sides, weighted_sum
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.levels import Sieve
from fullprime.engine.search.searcher import Expansion, Searcher

Floats = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float32]

SIEVES = (Sieve(4, 0.08), Sieve(3, 0.04))
"""Plays of a roll that go from the static judgement to one ply, and from each ply to the next."""

REMEMBERED = 1 << 14
"""Plays looked two plies ahead or more that are kept: the first plies of trials come again and again."""


class ChosenTurn(NamedTuple):
    """A chosen turn: the board (32,), its outputs (5,) for the next to roll, and if that is the same player."""

    board: npt.NDArray[np.int8]
    outputs: npt.NDArray[np.float32]
    again: bool


class _Memory:
    """The latest choices of one searcher; used by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._choices: OrderedDict[tuple[object, ...], ChosenTurn] = OrderedDict()

    def get(self, key: tuple[object, ...]) -> ChosenTurn | None:
        with self._lock:
            return self._choices.get(key)

    def put(self, key: tuple[object, ...], choice: ChosenTurn) -> None:
        with self._lock:
            self._choices[key] = choice
            while len(self._choices) > REMEMBERED:
                self._choices.popitem(last=False)


_memories: WeakKeyDictionary[Searcher, _Memory] = WeakKeyDictionary()


def choose_turns_ahead(
    searcher: Searcher,
    boards: Boards,
    thrown: Indexes,
    weights: tuple[Weights, Weights],
    context: CubeContext | None,
    depth: int,
) -> Expansion:
    """Choose by look-ahead the best turn of each board (n, 32) with its roll, an index (n,) of the 21 rolls.

    ``weights``: of outputs to the player who waits and to the one who moves. ``context``: that of the latter, where the
    cube counts for the choice.
    """
    memory = _memories.setdefault(searcher, _Memory()) if depth > 1 else None
    questions = zip(boards, thrown.tolist(), strict=True)
    keys = [(row.tobytes(), roll, context, weights[0].tobytes(), depth) for row, roll in questions]
    choices = [None if memory is None else memory.get(key) for key in keys]
    missing = [place for place, choice in enumerate(choices) if choice is None]
    if missing:
        fresh = _look_ahead(searcher, boards[missing], thrown[missing], weights, context, depth)
        for place, choice in zip(missing, fresh, strict=True):
            choices[place] = choice
            if memory is not None:
                memory.put(keys[place], choice)
    turns = [choice for choice in choices if choice is not None]
    return Expansion(
        np.stack([turn.board for turn in turns]),
        np.stack([turn.outputs for turn in turns]),
        np.array([turn.again for turn in turns], bool),
    )


def _look_ahead(
    searcher: Searcher,
    boards: Boards,
    thrown: Indexes,
    weights: tuple[Weights, Weights],
    context: CubeContext | None,
    depth: int,
) -> list[ChosenTurn]:
    scale = points_unit(searcher.evaluator.per_checker)
    point = scale if context is None else float(context.value(1.0)) - float(context.value(0.0))
    ends, turns, outputs, costs, decision_of = _static(searcher, boards, thrown, weights[0])
    left = np.arange(len(ends))
    for ply in range(1, depth + 1):
        left = left[_near(costs[left], decision_of[left], SIEVES[min(ply, 2) - 1], scale if ply == 1 else point)]
        counts = np.bincount(decision_of[left], minlength=len(boards))
        open_ = left[counts[decision_of[left]] > 1] if ply > 1 else left
        if not len(open_):
            break
        tree = searcher.tree(np.ascontiguousarray(ends[open_]), ply, *weights, passing=True)
        again = turns[open_]
        if context is None:
            costs[open_] = weighted_sum(
                np.where(again[:, np.newaxis], swap_sides(tree.outputs), tree.outputs), weights[0]
            )
        else:
            costs[open_] = tree.evaluate_decision(context.swapped, searcher.efficiency)
            if again.any():
                same_player = tree.evaluate_decision(context, searcher.efficiency)
                costs[open_] = np.where(again, context.flip(same_player), costs[open_])
        if ply == 1:
            outputs[open_] = tree.leaf
    order = left[np.lexsort((costs[left], decision_of[left]))]
    _, first = np.unique(decision_of[order], return_index=True)
    return [
        ChosenTurn(ends[place].copy(), outputs[place].astype(np.float32), bool(turns[place])) for place in order[first]
    ]


def _static(
    searcher: Searcher, boards: Boards, thrown: Indexes, weights: Weights
) -> tuple[Boards, npt.NDArray[np.bool_], Floats, Floats, Indexes]:
    """Every turn of the rolls: boards, whose turn is next, outputs, costs, and which question each belongs to."""
    rows, turns = [], []
    for board, (high, low) in zip(boards, ROLLS[thrown].tolist(), strict=True):
        plays, again = searcher.turn_ends(board[np.newaxis], high, low)
        rows.append(plays)
        turns.append(again)
    ends, again = np.concatenate(rows), np.concatenate(turns)
    outputs = searcher.evaluate(ends)[0]
    costs = weighted_sum(np.where(again[:, np.newaxis], swap_sides(outputs), outputs), weights)
    return ends, again, outputs, costs, np.repeat(np.arange(len(rows)), [len(part) for part in rows])


def _near(costs: Floats, decision_of: Indexes, sieve: Sieve, point: float) -> Indexes:
    """The places of the plays that pass a sieve, in the order of their questions, the best first."""
    order = np.lexsort((costs, decision_of))
    starts = np.flatnonzero(np.diff(decision_of[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    least = np.repeat(costs[order][starts], np.diff(np.append(starts, len(order))))
    return np.asarray(order[(rank < sieve.most) & (costs[order] <= least + sieve.near * point)])
