"""The luck of a roll: the worth of the board after its best play, less the mean of that over all 21 rolls.

It is nothing on average, even if the judge of the boards is a bad one; taken off a result it leaves the mean
where it is and most of the noise behind.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.lookahead.search import ROLLS, WEIGHTS
from fullprime.engine.cube.bar_share import outcomes
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.probabilities import swap_sides, weighted_sum
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.searcher import Expansion, Searcher
from fullprime.engine.search.tree import value_weights

Floats = npt.NDArray[np.float64]

_PLACE = np.zeros((7, 7), np.int64)
for _place, (_high, _low) in enumerate(ROLLS.tolist()):
    _PLACE[_high, _low] = _PLACE[_low, _high] = _place


def places_of(dice: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """The index, among the 21 rolls, of each pair of dice (n, 2): (n,)."""
    return np.asarray(_PLACE[dice[:, 0], dice[:, 1]])


def mean_over_rolls(values: Floats) -> Floats:
    """Means (n, …) over the rolls of values (n, 21, …), summed in one order."""
    total = np.zeros_like(values[:, 0])
    for roll, weight in enumerate(WEIGHTS.tolist()):
        total += weight * values[:, roll]
    return total


def outcomes_of_rolls(
    searcher: Searcher, expansion: Expansion, context: CubeContext = CUBELESS
) -> tuple[Floats, Floats, Floats]:
    """Outputs (n, 21, 5) of the boards that each roll leads to, seen by the player who does not throw now; the same
    as the next to roll sees them (21 n, 5), and the exact equities of the tables (21 n, 4), NaN where there are none.
    Where a checker on the bar counts by ``context``, the outputs are seven: see ``bar_share.outcomes``.
    """
    flat, outputs = expansion.boards.reshape(-1, 32), expansion.outputs.reshape(-1, 5).astype(np.float64)
    exact = np.full((len(flat), 4), np.nan)
    searcher.tables.look_up(flat, outputs, exact)
    outputs = outcomes(outputs, flat, context)
    again = None if expansion.again is None else expansion.again.reshape(-1, 1)
    seen_by_waiter = outputs if again is None else np.where(again, swap_sides(outputs), outputs)
    return seen_by_waiter.reshape(-1, len(ROLLS), outputs.shape[1]), outputs, exact


class LuckJudge:
    """The luck of rolls in cubeless money games, judged statically by the nets of one game."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self._weights = value_weights(CUBELESS, searcher.evaluator.per_checker)

    def measure(self, boards: Boards, dice: npt.NDArray[np.int8]) -> Floats:
        """The luck of the rolls (n, 2) in positions (n, 32) for the players who threw them: (n,) points, or checkers in
        games settled by checkers. Only of rolls that all 36 were possible for: not of one that decided an opening.
        """
        expansion = self._searcher.expand(np.ascontiguousarray(boards), self._weights)
        costs = weighted_sum(outcomes_of_rolls(self._searcher, expansion)[0], self._weights)
        return np.asarray(mean_over_rolls(costs) - costs[np.arange(len(costs)), places_of(dice)])
