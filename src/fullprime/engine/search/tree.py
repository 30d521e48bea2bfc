"""Trees of every roll's best play: the values of their positions with and without the cube."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.lookahead import search as kernels
from fullprime.engine.cube.bar_share import outcomes
from fullprime.engine.cube.efficiency import Efficiency
from fullprime.engine.cube.equity import (
    CubeContext,
    cubeless_equities,
    has_exact_equities,
    no_double_equities,
)
from fullprime.engine.cube.probabilities import CHECKERS, swap_sides
from fullprime.engine.nets.evaluator import Boards

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

LiveEquities = Callable[[Boards, CubeContext], Floats]
"""Exact equities (n,) of rolling with a cube, NaN where they are not known (see ``tables.cubes``)."""


@dataclass(slots=True)
class Tree:
    """Positions of one level (n, 32) and the trees below them.

    ``leaf`` (n, 5): outputs where the search ends or the outcome is exact. ``opened``: the rows that were expanded;
    ``below`` holds their 21 children each, in the order of the rolls, seen by the next to roll: the other player,
    or the same one where ``again`` (n, 21) says so. ``exact`` (n, 4): cubeful equities of the bear-off table, NaN
    where it has none. ``share``: the weight of each opened row's static judgement beside the one from below.
    ``live``: asked for the exact equities of rows that the table does not know, with any cube.
    """

    boards: Boards
    leaf: Floats
    exact: Floats
    opened: npt.NDArray[np.int64]
    per_checker: bool = False
    below: Tree | None = None
    again: Bools | None = None
    share: Floats | None = None
    live: LiveEquities | None = None
    _outputs: Floats | None = field(default=None, repr=False)
    _values: dict[CubeContext, Floats] = field(default_factory=dict, repr=False)
    _equities: dict[CubeContext, Floats] = field(default_factory=dict, repr=False)
    _powers: tuple[Efficiency, Floats] | None = field(default=None, repr=False)

    def take(self, rows: npt.NDArray[np.int64]) -> Tree:
        """The tree of some of the positions alone, ``rows`` (m,) of them, with the trees below them."""
        place = np.full(len(self.boards), -1)
        place[self.opened] = np.arange(len(self.opened))
        opened = np.flatnonzero(place[rows] >= 0)
        places = place[rows][opened]
        below = self.below
        if below is not None:
            rolls = len(kernels.ROLLS)
            below = below.take((places[:, np.newaxis] * rolls + np.arange(rolls)).ravel())
        return Tree(
            self.boards[rows],
            self.leaf[rows],
            self.exact[rows],
            opened,
            self.per_checker,
            below,
            None if self.again is None else self.again[places],
            None if self.share is None else self.share[places],
            self.live,
            None if self._outputs is None else self._outputs[rows],
        )

    @property
    def outputs(self) -> Floats:
        """Cubeless outputs (n, 5), averaged over the rolls from the bottom up."""
        if self._outputs is None:
            self._outputs = self._average(self.leaf, None if self.below is None else self.below.outputs)
        return self._outputs

    def outcomes(self, context: CubeContext) -> Floats:
        """The outputs and, where they count in this game, the backgammons on the bar: (n, 5) or (n, 7)."""
        if self.per_checker or not context.counts_bar:
            return self.outputs
        below = None if self.below is None else self.below.outcomes(context)
        return self._average(outcomes(self.leaf, self.boards, context), below)

    def _average(self, leaf: Floats, below: Floats | None) -> Floats:
        outputs = leaf.copy()
        if below is not None:
            children = swap_sides(below)
            if self.again is not None:
                children = np.where(self.again.reshape(-1, 1), below, children)
            children = children.reshape(len(self.opened), len(kernels.ROLLS), below.shape[1])
            looked = np.einsum("r,nrk->nk", kernels.WEIGHTS, children)
            if self.share is not None:
                looked += self.share[:, np.newaxis] * (leaf[self.opened] - looked)
            outputs[self.opened] = looked
        return outputs

    def evaluate_roll(self, context: CubeContext, efficiency: Efficiency) -> Floats:
        """Values (n,) to the player on roll of rolling now with this cube: points, or chances to win the match.

        In a game settled by checkers they are checkers, and there is no cube.
        """
        cached = self._values.get(context)
        if cached is not None:
            return cached
        values = np.empty(len(self.boards))
        ends = np.ones(len(self.boards), bool)
        ends[self.opened] = False
        if ends.any():
            values[ends] = self._static(ends, context, efficiency)
        if self.below is not None:
            children = self.below.evaluate_decision(context.swapped, efficiency)
            if self.again is not None:
                same_player = self.below.evaluate_decision(context, efficiency)
                children = np.where(self.again.reshape(-1), context.flip(same_player), children)
            children = children.reshape(len(self.opened), len(kernels.ROLLS))
            other = np.einsum("r,nr->n", kernels.WEIGHTS, children)  # not @: the same bits in any batch
            looked = context.flip(other)
            if self.share is not None:
                looked += self.share * (self._static(self.opened, context, efficiency) - looked)
            values[self.opened] = looked
        self._values[context] = values
        return values

    def _static(
        self, ends: npt.NDArray[np.bool_] | npt.NDArray[np.int64], context: CubeContext, efficiency: Efficiency
    ) -> Floats:
        outputs = self.leaf[ends]
        if self.per_checker:
            return np.asarray(CHECKERS * (outputs[:, 1] - outputs[:, 3]))
        outputs = outcomes(outputs, self.boards[ends], context)
        equities = no_double_equities(outputs, context, self.powers(efficiency)[ends], self.exact[ends])
        solved = self._solve_live(context)
        if solved is not None:
            equities = np.where(np.isnan(solved[ends]), equities, solved[ends])
        return np.asarray(context.value(equities))

    def powers(self, efficiency: Efficiency) -> Floats:
        """Efficiencies (n, 3) of the cube by its place, which all contexts share."""
        if self._powers is None or self._powers[0] is not efficiency:
            self._powers = efficiency, efficiency(self.boards, self.leaf)
        return self._powers[1]

    def _solve_live(self, context: CubeContext) -> Floats | None:
        """Equities (n,) of rolling with this cube from ``live``, NaN where it does not know; None where it is none."""
        if self.live is None:
            return None
        equities = self._equities.get(context)
        if equities is None:
            equities = np.full(len(self.boards), np.nan)
            rows = np.flatnonzero(np.isnan(self.exact[:, 0])) if has_exact_equities(context) else slice(None)
            equities[rows] = self.live(self.boards[rows], context)
            self._equities[context] = equities
        return equities

    def is_solved(self, context: CubeContext) -> Bools:
        """A mask (n,) of the positions whose equities with this cube come from exact tables or solutions."""
        listed = ~np.isnan(self.exact[:, 0]) & has_exact_equities(context)
        solved = self._solve_live(context)
        return listed if solved is None else listed | ~np.isnan(solved)

    def evaluate_decision(self, context: CubeContext, efficiency: Efficiency) -> Floats:
        """Values (n,) to the player on roll when both sides take the best cube actions before he rolls."""
        values = self.evaluate_roll(context, efficiency)
        if self.per_checker or not context.may_double or context.is_dead:
            return values
        doubled = np.minimum(self.evaluate_roll(context.doubled, efficiency), context.value(1.0))
        if context.after_beaver is not None:
            beavered = self.evaluate_roll(context.after_beaver, efficiency)
            if context.after_raccoon is not None:
                raccoon = np.minimum(self.evaluate_roll(context.after_raccoon, efficiency), context.value(4.0))
                beavered = np.maximum(beavered, raccoon)
            doubled = np.minimum(doubled, beavered)
        return np.maximum(values, doubled)


def value_weights(context: CubeContext, per_checker: bool) -> npt.NDArray[np.float32]:
    """The worth of outputs to their player without the cube being turned again: five factors and a constant.

    Where a checker on the bar counts, backgammons are worth what they are on average: enough to choose plays by.
    """
    if per_checker:
        return np.array([0, CHECKERS, 0, -CHECKERS, 0, 0], np.float32)
    basis = np.array([[0] * 5, [1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 1, 1]])
    lost, win, gammon, backgammon, lose_gammon, lose_backgammon = cubeless_equities(basis.astype(float), context)
    steps = [win - lost, gammon - win, backgammon - gammon, lose_gammon - lost, lose_backgammon - lose_gammon, lost]
    return np.array(steps, np.float32)


def outcome_weights(context: CubeContext, per_checker: bool) -> npt.NDArray[np.float32]:
    """The weights for ``bar_share.outcomes``, where a checker on the bar counts: seven factors and a constant."""
    if per_checker or not context.counts_bar:
        return value_weights(context, per_checker)
    single, gammon, home, bar = (
        [1, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0, 0],
        [1, 1, 1, 0, 0, 0, 0],
        [1, 1, 1, 0, 0, 1, 0],
    )
    lose_gammon, lose_home, lose_bar = [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 1, 1, 0, 1]
    steps = [([0] * 7, single), (single, gammon), (gammon, home), ([0] * 7, lose_gammon), (lose_gammon, lose_home)]
    steps += [(home, bar), (lose_home, lose_bar)]
    less, more = (cubeless_equities(np.array(part, float), context) for part in zip(*steps, strict=True))
    return np.append(more - less, less[0]).astype(np.float32)
