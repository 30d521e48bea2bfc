"""Search before the roll: a position's equity and its cube decision, as deep as a level and a budget allow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.action import CubeAnswer, CubeDecision, RaiseReply, decision_from
from fullprime.engine.cube.context import cubeless
from fullprime.engine.cube.efficiency import select_efficiency
from fullprime.engine.cube.equity import CubeContext, answer_beaver, cubeless_equities
from fullprime.engine.cube.probabilities import equity as cubeless_equity
from fullprime.engine.cube.probabilities import probabilities_of, swap_sides
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.budget import Budget, Stopped
from fullprime.engine.search.level_noise import CUBE, noise_of
from fullprime.engine.search.levels import Level
from fullprime.engine.search.play_search import AT_ONCE, Judging
from fullprime.engine.search.results import Evaluation
from fullprime.engine.search.tree import Tree, value_weights
from fullprime.engine.tables.exact import is_finished
from fullprime.rules.position import Position

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CubeValues:
    """The cube decision of one board: equities in units of the present cube, NaN for actions that the rules forbid."""

    context: CubeContext
    no_double: float
    take: float
    beaver: float
    """After a beaver that is accepted."""
    raccoon: float
    """After a beaver and a raccoon that is accepted."""
    cubeless: float
    outputs: Floats
    efficiency: float
    exact: bool
    depth: int

    @property
    def beavered(self) -> float:
        """The equity after a beaver with the best answer; NaN where the rules forbid a beaver."""
        return float(answer_beaver(self.beaver, self.raccoon))

    def answer_raise(self, raised: int) -> CubeAnswer:
        """The doubler's answer to a beaver (``raised`` 1), or his opponent's to a raccoon (2)."""
        if raised == 1:
            accept, drop, outputs = self.beaver, -2.0, self.outputs
            raccoon = None if math.isnan(self.raccoon) else min(self.raccoon, 4.0)
        else:
            accept, drop, outputs, raccoon = -self.raccoon, -4.0, swap_sides(self.outputs), None
        answers = {RaiseReply.TAKE: accept, RaiseReply.DROP: drop, RaiseReply.RACCOON: raccoon}
        allowed = {reply: equity for reply, equity in answers.items() if equity is not None}
        reply = max(allowed, key=lambda reply: allowed[reply])
        return CubeAnswer(reply, accept, drop, probabilities_of(outputs), self.decision.depth_text, raccoon)

    @property
    def allowed_equities(self) -> Floats:
        """The equities of the actions that the rules allow: rolling, a take, a beaver."""
        return np.array([equity for equity in (self.no_double, self.take, self.beaver) if not math.isnan(equity)])

    @property
    def decision(self) -> CubeDecision:
        """The cube decision that follows from these equities."""
        return decision_from(
            self.outputs,
            self.context,
            self.no_double,
            self.take,
            self.beaver,
            self.raccoon,
            cubeless=self.cubeless,
            efficiency=self.efficiency,
            exact=self.exact,
            depth=self.depth,
        )


def build_deepest_tree(
    judging: Judging, row: Boards, context: CubeContext, level: Level, budget: Budget | None
) -> tuple[Tree, int]:
    """The tree of a packed position (1, 32) at the level's depth, or as deep as the budget allows, and that depth."""
    theirs = context.swapped
    weights, other = judging.weights(context), judging.weights(theirs)
    searcher = judging.searcher
    if budget is None:
        return searcher.tree(row, level.ply, weights, other, joint=level.joint), level.ply
    tree, reached = searcher.tree(row, 0, weights, other, joint=level.joint), 0
    for depth in range(1, level.ply + 1):
        try:
            tree, reached = searcher.tree(row, depth, weights, other, budget), depth
        except Stopped:
            break
    return tree, reached


def evaluate_tree(judging: Judging, tree: Tree, board: Position, context: CubeContext, depth: int) -> Evaluation:
    """The evaluation of a position from its tree."""
    outputs = tree.outputs[0]
    value = float(tree.evaluate_decision(context, judging.searcher.efficiency)[0])
    if judging.per_checker:
        plain = equity = value
    else:
        equity = float(context.equity(value))
        plain = plain_equity(tree.outcomes(context)[0], context)
    listed = not np.isnan(tree.exact[0, 0]) and not context.may_double
    exact = bool(listed or tree.is_solved(context)[0] or is_finished(tree.boards)[0])
    return Evaluation(
        board, context, probabilities_of(outputs), plain, equity, value, depth, exact, judging.per_checker
    )


def judge_cubes(
    judging: Judging,
    rows: Boards,
    contexts: Sequence[CubeContext],
    depth: int,
    *,
    joint: bool = False,
    stop: Callable[[], bool] | None = None,
) -> list[CubeValues]:
    """The cube decisions of the players on roll of boards (n, 32), whose contexts these are, ``depth`` plies ahead.

    What a hint says of one of them, it says of each. Raises Stopped when ``stop`` says so.
    """
    values: dict[int, CubeValues] = {}
    for context, part in groups_of(contexts, AT_ONCE.get(depth, AT_ONCE[3])):
        weights, other = judging.weights(context), judging.weights(context.swapped)
        budget = Budget(stop=stop)
        budget.spend(0)
        boards = np.ascontiguousarray(rows[part])
        tree = judging.searcher.tree(boards, depth, weights, other, budget, joint=joint)
        values.update(zip(part.tolist(), cube_values(judging, tree, context, depth), strict=True))
    return [values[index] for index in range(len(rows))]


def cube_values(judging: Judging, tree: Tree, context: CubeContext, depth: int) -> list[CubeValues]:
    """The equities of the actions with the cube, by the tree of positions with one cube and score."""
    efficiency = judging.searcher.efficiency
    rolling = np.asarray(context.equity(tree.evaluate_roll(context, efficiency)))
    following = [context.doubled if context.may_double else None, context.after_beaver, context.after_raccoon]
    take, beaver, raccoon = (
        np.full(len(rolling), np.nan)
        if after is None
        else np.asarray(context.equity(tree.evaluate_roll(after, efficiency)))
        for after in following
    )
    plain = cubeless_equities(tree.outcomes(context), context)
    power, solved = select_efficiency(tree.powers(efficiency), context), tree.is_solved(context)
    return [
        CubeValues(
            context,
            float(rolling[place]),
            float(take[place]),
            float(beaver[place]),
            float(raccoon[place]),
            float(plain[place]),
            tree.outputs[place],
            float(power[place]),
            bool(solved[place]),
            depth,
        )
        for place in range(len(rolling))
    ]


def values_of_level(judging: Judging, tree: Tree, context: CubeContext, depth: int, level: Level) -> CubeValues:
    """The cube values of one position's tree, with the noise of the level."""
    return cube_values(judging, _add_noise(tree, level) if level.noise else tree, context, depth)[0]


def groups_of(contexts: Sequence[CubeContext], most: int) -> list[tuple[CubeContext, npt.NDArray[np.int64]]]:
    """Indexes by context, never more than ``most`` together."""
    by_context: dict[CubeContext, list[int]] = {}
    for index, context in enumerate(contexts):
        by_context.setdefault(context, []).append(index)
    return [
        (context, np.array(indexes[start : start + most], np.int64))
        for context, indexes in by_context.items()
        for start in range(0, len(indexes), most)
    ]


def _add_noise(tree: Tree, level: Level) -> Tree:
    """The tree's position with a chance to win that is off by the level's misjudgement."""
    outputs = tree.outputs.copy()
    low, high = outputs[:, 1], 1.0 - outputs[:, 3]
    off = noise_of(tree.boards, tree.outputs, tree.per_checker, seed=1)
    outputs[:, 0] = np.clip(outputs[:, 0] + 0.5 * CUBE * level.noise * off, low, high)
    nothing = np.full_like(tree.exact, np.nan)
    return Tree(tree.boards, outputs, nothing, tree.opened[:0], tree.per_checker)


def plain_equity(outputs: Floats, context: CubeContext) -> float:
    """The equity of outputs (5,), or of outcomes (7,), when the cube is not turned again; in a match at its score."""
    if context.counts_bar:
        return float(cubeless_equities(outputs[np.newaxis], context)[0])
    if not context.is_match:
        return float(cubeless_equity(outputs))
    weights = value_weights(cubeless(context), False)
    return float(outputs @ weights[:5] + weights[5])
