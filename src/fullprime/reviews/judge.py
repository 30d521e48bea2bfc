"""Many boards judged together: the questions of a whole game go through the engine in a few calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.efficiency import at
from fullprime.engine.cube.equity import CubeContext, has_exact_equities
from fullprime.engine.cube.probabilities import swapped
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.tree import Tree, beavered, worth_of
from fullprime.rules.dice import ALL_ROLLS

Floats = npt.NDArray[np.float64]

WEIGHTS: Floats = np.array([roll.weight / 36 for roll in ALL_ROLLS])
"""Of the 21 rolls in the order in which the searcher expands them."""

MOST = {0: 8192, 1: 512, 2: 96}
"""Boards that one tree of a depth begins with: memory stays small and a review can be stopped."""


@dataclass(frozen=True, slots=True)
class CubeValues:
    """The cube decision of one board: equities in units of the present cube, NaN for actions that the rules forbid."""

    no_double: float
    take: float
    beaver: float
    outputs: Floats
    efficiency: float
    exact: bool
    depth: int


class Judge:
    """An engine asked about many boards at once. ``stop`` is asked between calls; then ``Stopped`` is raised."""

    def __init__(self, engine: Engine, stop: Callable[[], bool] | None = None) -> None:
        self.engine = engine
        self.searcher = engine.searcher
        self.per_checker = engine.per_checker
        self.stop = stop
        self._worths: dict[CubeContext, npt.NDArray[np.float32]] = {}

    def worth(self, context: CubeContext) -> npt.NDArray[np.float32]:
        """The values of outputs to the player whose context this is."""
        if context not in self._worths:
            self._worths[context] = worth_of(context, self.per_checker)
        return self._worths[context]

    def equity(self, context: CubeContext, value: float) -> float:
        """A value of the player whose context this is as an equity (checkers where games are settled by them)."""
        return value if self.per_checker else float(context.equity(value))

    def exact(self, rows: Boards, context: CubeContext, depth: int) -> bool:
        """True if tables and solved bear-offs know the equities of all these boards (n, 32) with this cube, looked
        ``depth`` plies ahead.
        """
        known = depth > 0 or has_exact_equities(context) or (not context.is_match and not context.may_double)
        return known and bool(self.searcher.tables.in_bearoff(rows).all())

    def values(
        self, rows: Boards, contexts: Sequence[CubeContext], depth: int
    ) -> tuple[list[float], list[list[float]]]:
        """Values and outputs of boards (n, 32) for their players on roll, whose contexts these are."""
        values = np.empty(len(rows))
        outputs = np.empty((len(rows), 5))
        for context, part, tree in self._trees(rows, contexts, depth):
            values[part] = tree.decided(context, self.searcher.efficiency)
            outputs[part] = tree.outputs
        return values.tolist(), outputs.tolist()

    def cubes(self, rows: Boards, contexts: Sequence[CubeContext], depth: int) -> list[CubeValues]:
        """The cube decisions of the players on roll."""
        found: dict[int, CubeValues] = {}
        efficiency = self.searcher.efficiency
        for context, part, tree in self._trees(rows, contexts, depth):
            nothing = np.full(len(part), np.nan)
            rolling = np.asarray(context.equity(tree.rolled(context, efficiency)))
            take = beaver = nothing
            if context.may_double:
                take = np.asarray(context.equity(tree.rolled(context.doubled, efficiency)))
                raised = beavered(context)
                if raised is not None:
                    beaver = np.asarray(context.equity(tree.rolled(raised, efficiency)))
            power = at(tree.powers(efficiency), context)
            listed = tree.is_solved(context)
            for place, index in enumerate(part.tolist()):
                found[index] = CubeValues(
                    float(rolling[place]),
                    float(take[place]),
                    float(beaver[place]),
                    tree.outputs[place],
                    float(power[place]),
                    bool(listed[place]),
                    depth,
                )
        return [found[index] for index in range(len(rows))]

    def rolls(self, rows: Boards, contexts: Sequence[CubeContext], *, filtered: bool = True) -> Floats:
        """The values of the 21 rolls, each played statically best, to the players on roll: (n, 21).

        Unless ``filtered``, the large nets see every play: the best of a double is then never left out.
        """
        found = np.empty((len(rows), len(ALL_ROLLS)))
        for context, part in _groups(contexts, MOST[1]):
            theirs = context.swapped
            below = self.searcher.expand(rows[part], self.worth(theirs), Budget(stop=self.stop), filtered=filtered)
            flat = np.ascontiguousarray(below.boards.reshape(-1, 32))
            tree = self.searcher.tree(flat, 0, self.worth(theirs))
            values = context.flip(tree.decided(theirs, self.searcher.efficiency))
            if below.again is not None:  # there he rolls again himself
                values = np.where(below.again.ravel(), tree.decided(context, self.searcher.efficiency), values)
            found[part] = values.reshape(len(part), len(ALL_ROLLS))
        return found

    def _trees(
        self, rows: Boards, contexts: Sequence[CubeContext], depth: int
    ) -> list[tuple[CubeContext, npt.NDArray[np.int64], Tree]]:
        found = []
        for context, part in _groups(contexts, MOST.get(depth, MOST[2])):
            boards = np.ascontiguousarray(rows[part])
            worth, other = self.worth(context), self.worth(context.swapped)
            budget = Budget(stop=self.stop)
            budget.spend(0)
            found.append((context, part, self.searcher.tree(boards, depth, worth, other, budget)))
        return found


def chances_of(outputs: Sequence[float] | Floats, *, swap: bool) -> tuple[float, float, float, float, float]:
    """Five outputs as plain numbers, seen by the other player with ``swap``."""
    seen = swapped(np.asarray(outputs)) if swap else np.asarray(outputs)
    win, gammon, backgammon, lose_gammon, lose_backgammon = (round(float(each), 6) for each in seen)
    return win, gammon, backgammon, lose_gammon, lose_backgammon


def _groups(contexts: Sequence[CubeContext], most: int) -> list[tuple[CubeContext, npt.NDArray[np.int64]]]:
    """Indexes by context, never more than ``most`` together."""
    by_context: dict[CubeContext, list[int]] = {}
    for index, context in enumerate(contexts):
        by_context.setdefault(context, []).append(index)
    return [
        (context, np.array(indexes[start : start + most], np.int64))
        for context, indexes in by_context.items()
        for start in range(0, len(indexes), most)
    ]
