"""Exact knowledge of positions: the bear-off tables and those of few checkers, behind one interface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.tables.bearoff import Bearoff
from fullprime.engine.tables.counting import bound_races
from fullprime.engine.tables.endgames import A_ROLL, Endgames
from fullprime.engine.tables.occupied import find_occupied

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ExactTables:
    """The tables that hold for one game; None where there are none."""

    bearoff: Bearoff | None = None
    endgames: Endgames | None = None

    def look_up(self, boards: Boards, outputs: Floats, exact: Floats) -> Bools:
        """Put the values of the tables into outputs (n, 5) and cubeful equities (n, 4) themselves.

        Returns which outputs they knew; finished games are left alone. Lopsided races are bounded by counting.
        """
        is_exact = np.zeros(len(boards), bool)
        if self.endgames is not None:
            is_exact, chances = self.endgames.probabilities(boards)
            outputs[is_exact] = chances[is_exact]
        if self.bearoff is not None:
            covered, chances = self.bearoff.probabilities(boards)
            if covered.any():
                covered &= ~is_exact & ~is_finished(boards)
                outputs[covered] = chances[covered]
            is_exact = is_exact | covered
            listed, equities = self.bearoff.equities(boards)
            exact[listed] = equities[listed]
            bound_races(self.bearoff, boards, outputs, is_exact)
        return is_exact

    def bound(self, boards: Boards, outputs: Floats) -> None:
        """Raise the chances of lopsided races to what counting rolls proves, in ``outputs`` (n, 5) itself."""
        if self.bearoff is not None:
            bound_races(self.bearoff, boards, outputs, np.zeros(len(boards), bool))

    def in_bearoff(self, boards: Boards) -> Bools:
        """A mask of the packed positions (n, 32) that the bear-off tables hold, cube and all: all checkers are home."""
        if self.bearoff is None:
            return np.zeros(len(boards), bool)
        occupation = find_occupied(boards)
        return np.asarray(occupation.home & occupation.they_are_home & occupation.nothing_in_hand)

    def within_a_turn(self, boards: Boards) -> Bools:
        """A mask (n,) of the packed positions (n, 32) from which a play may lead into the tables, and of some more."""
        near: Bools = np.zeros(len(boards), bool)
        if self.bearoff is not None:
            near = find_occupied(boards).they_are_home
            if near.any():  # the opponent is home: in most positions with contact he is not
                near &= np.maximum(boards[:, 7:26], 0).sum(1, dtype=np.int64) <= A_ROLL
        if self.endgames is not None:
            near = near | self.endgames.within_a_turn(boards)
        return near


def is_finished(boards: Boards) -> Bools:
    """Rows in which a side has nothing left on the board, on the bar or in hand."""
    return find_occupied(boards).finished
