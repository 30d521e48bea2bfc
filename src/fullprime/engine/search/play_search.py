"""Search among candidates: boards after plays and turns, as deep as a level and a budget allow, and cached."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fullprime.engine.boards import follow_ups as stages
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.probabilities import CHECKERS_A_POINT, Probabilities, five_of, swapped
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.budget import Budget, Stopped
from fullprime.engine.search.levels import Level, Sieve
from fullprime.engine.search.misjudgement import off_by
from fullprime.engine.search.searcher import Searcher
from fullprime.engine.search.tree import worth_of

Floats = npt.NDArray[np.float64]

Progress = Callable[[int, int], None]
"""Called with the candidates that are done and those there are, at the present depth and below."""

CACHE = 1 << 15
"""Judged candidates that are remembered."""

_ENDS = 24
"""Ends of whole turns that are judged beside the best one of every play."""


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
        self._worths: dict[CubeContext, npt.NDArray[np.float32]] = {}

    def worth(self, context: CubeContext) -> npt.NDArray[np.float32]:
        """The factors that make the five outputs a value for their player at this score (see ``search.worth_of``)."""
        found = self._worths.get(context)
        if found is None:
            found = self._worths[context] = worth_of(context, self.per_checker)
        return found

    def plays(
        self,
        rows: Boards,
        context: CubeContext,
        level: Level,
        budget: Budget,
        progress: Progress | None,
        *,
        whole: bool,
        again: npt.NDArray[np.bool_] | None = None,
        kept: int | None = None,
    ) -> tuple[list[BoardValue], bool]:
        """All candidates (n, 32), seen by the next player to roll, as deep as the level and the budget allow.

        With ``whole`` off the search ends as soon as the choice is made. ``again`` (n,): that is the same player.
        The candidate ``kept`` is looked at as far as the best, however bad it seems.
        Values and outputs are always those of the other one.
        """
        point = self.point(context)
        again = np.zeros(len(rows), bool) if again is None else again
        judged = self._judge(rows, again, 0, context, None, joint=level.joint)
        if level.noise:
            outputs = np.array([each.outputs for each in judged])
            off = (level.noise * point * off_by(rows, outputs, self.per_checker)).tolist()
            judged = [each._replace(value=each.value + wrong) for each, wrong in zip(judged, off, strict=True)]
        budget.nodes += len(rows)
        picked: Sequence[int] = range(len(rows))
        for depth, sieve in enumerate(self._sieves(level), start=1):
            picked = _sieved(judged, picked, sieve, point)
            if len(picked) == 1 and (depth > level.ply or (len(rows) > 1 and not whole)):
                break
            if kept is not None and kept not in picked:
                picked = [*picked, kept]
            groups = [picked] if depth == 1 else [[index] for index in picked]
            done = 0
            for group in groups:
                try:
                    deeper = self._judge(rows[group], again[group], depth, context, budget)
                except Stopped:
                    return judged, False
                for index, found in zip(group, deeper, strict=True):
                    judged[index] = found
                done += len(group)
                if progress is not None:
                    progress(done, len(picked))
        return judged, True

    def _sieves(self, level: Level) -> tuple[Sieve, ...]:
        """The filters that plays pass on their way to one ply, to two and so on."""
        if level.close is None or self.searcher.whole_turns:
            return level.sieves
        return (*level.sieves, level.close)

    def point(self, context: CubeContext) -> float:
        """Values in one point of equity, or in as many checkers as matter as much."""
        if self.per_checker:
            return CHECKERS_A_POINT
        return float(context.value(1.0)) - float(context.value(0.0))

    def _judge(
        self,
        rows: Boards,
        again: npt.NDArray[np.bool_],
        depth: int,
        context: CubeContext,
        budget: Budget | None,
        *,
        joint: bool = False,
    ) -> list[BoardValue]:
        """Boards after turns of the player whose context this is, as the other player sees them."""
        theirs = context.swapped
        if not again.any():
            return self._judge_side(rows, depth, theirs, context, budget, joint=joint)
        found: list[BoardValue] = [BoardValue(0.0, (0.0,) * 5, 0)] * len(rows)
        for mine, sides in ((False, (theirs, context)), (True, (context, theirs))):
            part = np.flatnonzero(again == mine)
            if not len(part):
                continue
            judged = self._judge_side(np.ascontiguousarray(rows[part]), depth, *sides, budget, joint=joint)
            for index, each in zip(part.tolist(), judged, strict=True):
                if mine:
                    each = BoardValue(context.flip(each.value), five_of(swapped(np.array(each.outputs))), each.depth)
                found[index] = each
        return found

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
        worth, other_worth = self.worth(context), self.worth(other)
        keys = [(row.tobytes(), depth, context) for row in rows] if depth else []
        found: list[BoardValue | None] = [None] * len(rows)
        with self._lock:
            for index, key in enumerate(keys):
                known = self._cache.get(key)
                if known is not None:
                    self._cache.move_to_end(key)
                    found[index] = known
        missing = [index for index, each in enumerate(found) if each is None]
        if missing:
            boards = rows if len(missing) == len(rows) else np.ascontiguousarray(rows[missing])
            tree = self.searcher.tree(boards, depth, worth, other_worth, budget, joint=joint)
            values = tree.decided(context, self.searcher.efficiency).tolist()
            outputs = tree.outputs.tolist()
            fresh = [BoardValue(value, tuple(five), depth) for value, five in zip(values, outputs, strict=True)]
            for index, each in zip(missing, fresh, strict=True):
                found[index] = each
            if keys:
                with self._lock:
                    for index, each in zip(missing, fresh, strict=True):
                        self._cache[keys[index]] = each
                    while len(self._cache) > CACHE:
                        self._cache.popitem(last=False)
        return [each for each in found if each is not None]

    def _static_values(self, context: CubeContext) -> Callable[[Boards], Floats]:
        def values(rows: Boards) -> Floats:
            tree = self.searcher.tree(rows, 0, self.worth(context))
            return tree.decided(context, self.searcher.efficiency)

        return values

    def turns(
        self, turns: stages.Turns, context: CubeContext, level: Level, budget: Budget
    ) -> tuple[list[int], list[BoardValue], bool]:
        """The ends of turns worth a closer look, judged as deep as the level says; the rest is left out.

        Those are the statically best end of each group (numbered by ``turns.play``) and the best ones of
        all.
        """
        values = self._static_values(context)
        static = np.empty(len(turns.boards))
        for mine in (False, True):
            part = turns.again == mine
            if part.any():
                found = values(np.ascontiguousarray(turns.boards[part]))
                static[part] = found if mine else -found
        order = np.argsort(-static, kind="stable")
        _, first = np.unique(turns.play[order], return_index=True)
        ends = np.unique(np.concatenate([order[first], order[:_ENDS]]))
        judged, complete = self.plays(
            np.ascontiguousarray(turns.boards[ends]),
            context,
            level,
            budget,
            None,
            whole=True,
            again=turns.again[ends],
        )
        return ends.tolist(), judged, complete

    def equity(self, context: CubeContext, value: float) -> float:
        """A value of the next player as the equity of the one who moves now, or as his checkers."""
        own = context.flip(value)
        return own if self.per_checker else float(context.equity(own))


def order_of(judged: list[BoardValue]) -> list[int]:
    """Indexes from the best: deeper ones first, by the other player's value after them; the first among equals."""
    return sorted(range(len(judged)), key=lambda index: (-judged[index].depth, judged[index].value, index))


def _sieved(judged: list[BoardValue], among: Sequence[int], sieve: Sieve, point: float) -> list[int]:
    """The candidates that are looked at one ply further, the best first. ``point``: values in one point of equity."""
    order = sorted(among, key=lambda index: (judged[index].value, index))
    best = judged[order[0]].value
    return [index for index in order[: sieve.most] if judged[index].value <= best + sieve.near * point]
