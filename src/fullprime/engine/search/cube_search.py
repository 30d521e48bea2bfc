"""Search before the roll: a position's equity and its cube decision, as deep as a level and a budget allow."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.action import CubeDecision, decision_from
from fullprime.engine.cube.context import cubeless
from fullprime.engine.cube.efficiency import at
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.probabilities import equity as cubeless_equity
from fullprime.engine.cube.probabilities import five_of
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.budget import Budget, Stopped
from fullprime.engine.search.levels import Level
from fullprime.engine.search.misjudgement import CUBE, off_by
from fullprime.engine.search.play_search import Judging
from fullprime.engine.search.results import Evaluation
from fullprime.engine.search.tree import Tree, beavered, worth_of
from fullprime.engine.tables.exact import is_finished
from fullprime.rules.position import Position

Floats = npt.NDArray[np.float64]


def deepest(
    judging: Judging, row: Boards, context: CubeContext, level: Level, budget: Budget | None
) -> tuple[Tree, int]:
    """The tree of a packed position (1, 32) at the level's depth, or as deep as the budget allows, and that depth."""
    theirs = context.swapped
    worth, other = judging.worth(context), judging.worth(theirs)
    searcher = judging.searcher
    if budget is None:
        return searcher.tree(row, level.ply, worth, other, joint=level.joint), level.ply
    tree, reached = searcher.tree(row, 0, worth, other, joint=level.joint), 0
    for depth in range(1, level.ply + 1):
        try:
            tree, reached = searcher.tree(row, depth, worth, other, budget), depth
        except Stopped:
            break
    return tree, reached


def evaluation(judging: Judging, tree: Tree, board: Position, context: CubeContext, depth: int) -> Evaluation:
    """The results of a position's tree."""
    outputs = tree.outputs[0]
    value = float(tree.decided(context, judging.searcher.efficiency)[0])
    if judging.per_checker:
        plain = equity = value
    else:
        equity = float(context.equity(value))
        plain = plain_equity(outputs, context)
    listed = not np.isnan(tree.exact[0, 0]) and not context.may_double
    exact = bool(listed or tree.is_solved(context)[0] or is_finished(tree.boards)[0])
    return Evaluation(board, context, five_of(outputs), plain, equity, value, depth, exact, judging.per_checker)


def cube_equities(judging: Judging, tree: Tree, context: CubeContext) -> tuple[float, float, float]:
    """Equities of no double, of a double and a take, and of a beaver by a position's tree; NaN where it is none."""
    efficiency = judging.searcher.efficiency
    no_double = float(context.equity(tree.rolled(context, efficiency)[0]))
    take = beaver = float("nan")
    if context.may_double:
        take = float(context.equity(tree.rolled(context.doubled, efficiency)[0]))
        raised = beavered(context)
        if raised is not None:
            beaver = float(context.equity(tree.rolled(raised, efficiency)[0]))
    return no_double, take, beaver


def cube_decision(judging: Judging, tree: Tree, context: CubeContext, depth: int, level: Level) -> CubeDecision:
    """The results of a position's tree for the cube."""
    efficiency = judging.searcher.efficiency
    if level.noise:
        tree = _mistaken(tree, level)
    no_double, take, beaver = cube_equities(judging, tree, context)
    return decision_from(
        tree.outputs[0],
        context,
        no_double,
        take,
        beaver,
        efficiency=float(at(tree.powers(efficiency), context)[0]),
        exact=bool(tree.is_solved(context)[0]),
        depth=depth,
    )


def _mistaken(tree: Tree, level: Level) -> Tree:
    """The tree's position with a chance to win that is off by the level's misjudgement."""
    outputs = tree.outputs.copy()
    low, high = outputs[:, 1], 1.0 - outputs[:, 3]
    off = off_by(tree.boards, tree.outputs, tree.per_checker, seed=1)
    outputs[:, 0] = np.clip(outputs[:, 0] + 0.5 * CUBE * level.noise * off, low, high)
    nothing = np.full_like(tree.exact, np.nan)
    return Tree(tree.boards, outputs, nothing, tree.opened[:0], tree.per_checker)


def plain_equity(outputs: Floats, context: CubeContext) -> float:
    """The equity of outputs (5,), or in a match the value at its score, when the cube is not turned again."""
    if not context.is_match:
        return float(cubeless_equity(outputs))
    worth = worth_of(cubeless(context), False)
    return float(outputs @ worth[:5] + worth[5])
