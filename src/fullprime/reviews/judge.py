"""An engine asked by a review: worths, the values of rolls, and if equities are exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.equity import CubeContext, has_exact_equities
from fullprime.engine.cube.probabilities import swap_sides
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.cube_search import groups_of
from fullprime.engine.search.play_search import AT_ONCE
from fullprime.rules.dice import ALL_ROLLS

Floats = npt.NDArray[np.float64]

WEIGHTS: Floats = np.array([roll.weight / 36 for roll in ALL_ROLLS])
"""Of the 21 rolls in the order in which the searcher expands them."""


class Judge:
    """An engine that a review asks. ``stop`` is asked between calls; then ``Stopped`` is raised."""

    def __init__(self, engine: Engine, stop: Callable[[], bool] | None = None) -> None:
        self.engine = engine
        self.searcher = engine.searcher
        self.judging = engine.judging
        self.per_checker = engine.per_checker
        self.stop = stop

    def worth(self, context: CubeContext) -> npt.NDArray[np.float32]:
        """The values of outputs to the player whose context this is."""
        return self.judging.weights(context)

    def equity(self, context: CubeContext, value: float) -> float:
        """A value of the player whose context this is as an equity (checkers where games are settled by them)."""
        return value if self.per_checker else float(context.equity(value))

    def exact(self, rows: Boards, context: CubeContext, depth: int) -> bool:
        """True if tables and solved bear-offs know the equities of all these boards (n, 32) with this cube, looked
        ``depth`` plies ahead.
        """
        cube_is_exact = depth > 0 or has_exact_equities(context) or (not context.is_match and not context.may_double)
        return cube_is_exact and bool(self.searcher.tables.in_bearoff(rows).all())

    def rolls(self, rows: Boards, contexts: Sequence[CubeContext], *, filtered: bool = True) -> Floats:
        """The values of the 21 rolls, each played statically best, to the players on roll: (n, 21).

        Unless ``filtered``, the large nets see every play: the best of a double is then never left out.
        """
        roll_values = np.empty((len(rows), len(ALL_ROLLS)))
        for context, part in groups_of(contexts, AT_ONCE[1]):
            theirs = context.swapped
            below = self.searcher.expand(rows[part], self.worth(theirs), Budget(stop=self.stop), filtered=filtered)
            flat = np.ascontiguousarray(below.boards.reshape(-1, 32))
            tree = self.searcher.tree(flat, 0, self.worth(theirs))
            values = context.flip(tree.evaluate_decision(theirs, self.searcher.efficiency))
            if below.again is not None:  # there he rolls again himself
                values = np.where(
                    below.again.ravel(), tree.evaluate_decision(context, self.searcher.efficiency), values
                )
            roll_values[part] = values.reshape(len(part), len(ALL_ROLLS))
        return roll_values


def chances_of(outputs: Sequence[float] | Floats, *, swap: bool) -> tuple[float, float, float, float, float]:
    """Five outputs as plain numbers, seen by the other player with ``swap``."""
    chances = swap_sides(np.asarray(outputs)) if swap else np.asarray(outputs)
    win, gammon, backgammon, lose_gammon, lose_backgammon = (round(float(chance), 6) for chance in chances)
    return win, gammon, backgammon, lose_gammon, lose_backgammon
