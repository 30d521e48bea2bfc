"""Trees of every roll's best play: the values of their positions with and without the cube."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.lookahead import search as kernels
from fullprime.engine.cube.efficiency import Efficiency
from fullprime.engine.cube.equity import (
    CubeContext,
    CubeOwner,
    cubeless_equities,
    has_exact_equities,
    no_double_equities,
)
from fullprime.engine.cube.probabilities import CHECKERS, swapped
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
    _known: dict[CubeContext, Floats] = field(default_factory=dict, repr=False)
    _powers: tuple[Efficiency, Floats] | None = field(default=None, repr=False)

    def take(self, rows: npt.NDArray[np.int64]) -> Tree:
        """The tree of some of the positions alone, ``rows`` (m,) of them, with the trees below them."""
        place = np.full(len(self.boards), -1)
        place[self.opened] = np.arange(len(self.opened))
        opened = np.flatnonzero(place[rows] >= 0)
        kept = place[rows][opened]
        below = self.below
        if below is not None:
            rolls = len(kernels.ROLLS)
            below = below.take((kept[:, np.newaxis] * rolls + np.arange(rolls)).ravel())
        return Tree(
            self.boards[rows],
            self.leaf[rows],
            self.exact[rows],
            opened,
            self.per_checker,
            below,
            None if self.again is None else self.again[kept],
            None if self.share is None else self.share[kept],
            self.live,
            None if self._outputs is None else self._outputs[rows],
        )

    @property
    def outputs(self) -> Floats:
        """Cubeless outputs (n, 5), averaged over the rolls from the bottom up."""
        if self._outputs is None:
            found = self.leaf.copy()
            if self.below is not None:
                children = swapped(self.below.outputs)
                if self.again is not None:
                    children = np.where(self.again.reshape(-1, 1), self.below.outputs, children)
                children = children.reshape(len(self.opened), len(kernels.ROLLS), 5)
                looked = np.einsum("r,nrk->nk", kernels.WEIGHTS, children)
                if self.share is not None:
                    looked += self.share[:, np.newaxis] * (self.leaf[self.opened] - looked)
                found[self.opened] = looked
            self._outputs = found
        return self._outputs

    def rolled(self, context: CubeContext, efficiency: Efficiency) -> Floats:
        """Values (n,) to the player on roll of rolling now with this cube: points, or chances to win the match.

        In a game settled by checkers they are checkers, and there is no cube.
        """
        known = self._values.get(context)
        if known is not None:
            return known
        found = np.empty(len(self.boards))
        ends = np.ones(len(self.boards), bool)
        ends[self.opened] = False
        if ends.any():
            found[ends] = self._static(ends, context, efficiency)
        if self.below is not None:
            children = self.below.decided(context.swapped, efficiency)
            if self.again is not None:
                own = self.below.decided(context, efficiency)
                children = np.where(self.again.reshape(-1), context.flip(own), children)
            children = children.reshape(len(self.opened), len(kernels.ROLLS))
            other = np.einsum("r,nr->n", kernels.WEIGHTS, children)  # not @: the same bits in any batch
            looked = context.flip(other)
            if self.share is not None:
                looked += self.share * (self._static(self.opened, context, efficiency) - looked)
            found[self.opened] = looked
        self._values[context] = found
        return found

    def _static(
        self, ends: npt.NDArray[np.bool_] | npt.NDArray[np.int64], context: CubeContext, efficiency: Efficiency
    ) -> Floats:
        outputs = self.leaf[ends]
        if self.per_checker:
            return np.asarray(CHECKERS * (outputs[:, 1] - outputs[:, 3]))
        equities = no_double_equities(outputs, context, self.powers(efficiency)[ends], self.exact[ends])
        solved = self._solved(context)
        if solved is not None:
            equities = np.where(np.isnan(solved[ends]), equities, solved[ends])
        return np.asarray(context.value(equities))

    def powers(self, efficiency: Efficiency) -> Floats:
        """Efficiencies (n, 3) of the cube by its place, which all contexts share."""
        if self._powers is None or self._powers[0] is not efficiency:
            self._powers = efficiency, efficiency(self.boards, self.leaf)
        return self._powers[1]

    def _solved(self, context: CubeContext) -> Floats | None:
        """Equities (n,) of rolling with this cube from ``live``, NaN where it does not know; None where it is none."""
        if self.live is None:
            return None
        found = self._known.get(context)
        if found is None:
            found = np.full(len(self.boards), np.nan)
            rows = np.flatnonzero(np.isnan(self.exact[:, 0])) if has_exact_equities(context) else slice(None)
            found[rows] = self.live(self.boards[rows], context)
            self._known[context] = found
        return found

    def is_solved(self, context: CubeContext) -> Bools:
        """A mask (n,) of the positions whose equities with this cube come from exact tables or solutions."""
        listed = ~np.isnan(self.exact[:, 0]) & has_exact_equities(context)
        solved = self._solved(context)
        return listed if solved is None else listed | ~np.isnan(solved)

    def decided(self, context: CubeContext, efficiency: Efficiency) -> Floats:
        """Values (n,) to the player on roll when both sides take the best cube actions before he rolls."""
        found = self.rolled(context, efficiency)
        if self.per_checker or not context.may_double or context.is_dead:
            return found
        doubled = np.minimum(self.rolled(context.doubled, efficiency), context.value(1.0))
        beaver = beavered(context)
        if beaver is not None:
            doubled = np.minimum(doubled, self.rolled(beaver, efficiency))
        return np.maximum(found, doubled)


def beavered(context: CubeContext) -> CubeContext | None:
    """The cube after a double and a beaver that is accepted, or None where beavers are not played."""
    if not context.beavers or not context.may_double:
        return None
    value = 4 * context.cube
    if context.cap is not None and value > context.cap:
        return None
    return CubeContext(
        cube=value,
        owner=CubeOwner.OPPONENT,
        jacoby=context.jacoby,
        beavers=True,
        cap=context.cap,
        stake=context.stake,
        table=context.table,
    )


def worth_of(context: CubeContext, per_checker: bool) -> npt.NDArray[np.float32]:
    """The worth of outputs to their player without the cube being turned again: five factors and a constant."""
    if per_checker:
        return np.array([0, CHECKERS, 0, -CHECKERS, 0, 0], np.float32)
    basis = np.array([[0] * 5, [1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 1, 1]])
    lost, win, gammon, backgammon, lose_gammon, lose_backgammon = cubeless_equities(basis.astype(float), context)
    steps = [win - lost, gammon - win, backgammon - gammon, lose_gammon - lost, lose_backgammon - lose_gammon, lost]
    return np.array(steps, np.float32)
