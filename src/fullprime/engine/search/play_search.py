"""Values of boards after plays, looked some plies ahead, and cached: every ranking of plays comes from here."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.probabilities import CHECKERS_A_POINT, Probabilities, probabilities_of, swap_sides
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.searcher import Searcher, has_time_for_cubes
from fullprime.engine.search.tree import value_weights

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

Progress = Callable[[int, int], None]
"""Called with the candidates that are done and those there are, at the present depth and below."""

CACHE = 1 << 15
"""Judged candidates that are remembered."""

AT_ONCE = {0: 8192, 1: 512, 2: 96, 3: 4}
"""Boards that one tree of a depth begins with: memory stays small and a search can be stopped."""


class BoardValue(NamedTuple):
    """A board as its player on roll sees it: value (points or match chances), outputs, plies, and where it was rolled
    out the trials and the standard error of its distance from the best one (of the best: from the next), in points.
    """

    value: float
    outputs: Probabilities
    depth: int
    trials: int = 0
    error: float = 0.0


class Judging:
    """Judges candidates with one searcher and remembers them; serves every level, and many threads at once."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self.per_checker = searcher.evaluator.per_checker
        self._cache: OrderedDict[tuple[bytes, int, CubeContext], BoardValue] = OrderedDict()
        self._lock = threading.Lock()
        self._weights: dict[CubeContext, npt.NDArray[np.float32]] = {}

    def weights(self, context: CubeContext) -> npt.NDArray[np.float32]:
        """The weights of the five outputs in a position's value at this score; see ``search.tree.value_weights``."""
        weights = self._weights.get(context)
        if weights is None:
            weights = self._weights[context] = value_weights(context, self.per_checker)
        return weights

    def point(self, context: CubeContext) -> float:
        """One point of equity (or its equivalent in checkers) in the unit of the values at this score."""
        if self.per_checker:
            return CHECKERS_A_POINT
        return float(context.value(1.0)) - float(context.value(0.0))

    def judge(
        self,
        rows: Boards,
        again: Bools,
        depth: int,
        context: CubeContext,
        budget: Budget | None,
        *,
        joint: bool = False,
    ) -> list[BoardValue]:
        """Judge boards (n, 32) after turns of the player whose context this is, as the other player sees them.

        They are seen by the next to roll, who is the same player where ``again`` (n,) says so. Raises Stopped.
        """
        theirs = context.swapped
        if not again.any():
            return self._judge_side(rows, depth, theirs, context, budget, joint=joint)
        values: list[BoardValue] = [BoardValue(0.0, (0.0,) * 5, 0)] * len(rows)
        for mine, sides in ((False, (theirs, context)), (True, (context, theirs))):
            part = np.flatnonzero(again == mine)
            if not len(part):
                continue
            judged = self._judge_side(np.ascontiguousarray(rows[part]), depth, *sides, budget, joint=joint)
            for index, value in zip(part.tolist(), judged, strict=True):
                if mine:
                    value = BoardValue(
                        context.flip(value.value), probabilities_of(swap_sides(np.array(value.outputs))), value.depth
                    )
                values[index] = value
        return values

    def _judge_side(
        self,
        rows: Boards,
        depth: int,
        context: CubeContext,
        other: CubeContext,
        budget: Budget | None,
        *,
        joint: bool = False,
    ) -> list[BoardValue]:
        """Boards as their players on roll see them, from the cache where they have been searched before.

        ``context`` is theirs, ``other`` that of the players who wait.
        """
        weights, other_weights = self.weights(context), self.weights(other)
        keys = [(row.tobytes(), depth, context) for row in rows] if depth else []
        judged: list[BoardValue | None] = [None] * len(rows)
        with self._lock:
            for index, key in enumerate(keys):
                cached = self._cache.get(key)
                if cached is not None:
                    self._cache.move_to_end(key)
                    judged[index] = cached
        missing = [index for index, value in enumerate(judged) if value is None]
        if missing:
            boards = rows if len(missing) == len(rows) else np.ascontiguousarray(rows[missing])
            tree = self.searcher.tree(boards, depth, weights, other_weights, budget, joint=joint)
            values = tree.evaluate_decision(context, self.searcher.efficiency).tolist()
            outputs = tree.outputs.tolist()
            fresh = [BoardValue(value, tuple(five), depth) for value, five in zip(values, outputs, strict=True)]
            for index, value in zip(missing, fresh, strict=True):
                judged[index] = value
            if keys and has_time_for_cubes(budget):
                with self._lock:
                    for index, value in zip(missing, fresh, strict=True):
                        self._cache[keys[index]] = value
                    while len(self._cache) > CACHE:
                        self._cache.popitem(last=False)
        return [value for value in judged if value is not None]

    def static_values(self, rows: Boards, context: CubeContext) -> Floats:
        """The values (n,) of boards by the usual nets to the players on roll, whose context this is."""
        return self.searcher.tree(rows, 0, self.weights(context)).evaluate_decision(context, self.searcher.efficiency)

    def equity(self, context: CubeContext, value: float) -> float:
        """A value of the next player as the equity of the one who moves now, or as his checkers."""
        flipped = context.flip(value)
        return flipped if self.per_checker else float(context.equity(flipped))
