"""The rollouts behind a level: plays, cube decisions and positions, from look-ahead to joined estimates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fullprime.engine.boards.conversion import position_of
from fullprime.engine.cube.action import CubeDecision, Reply
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.probabilities import probabilities_of, swap_sides
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.rollouts.adaptive_rollout import (
    Comparison,
    ComparisonsOf,
    EstimateErrors,
    JoinedEstimates,
    LookAheadEstimates,
    TrialProgress,
    best_of,
    settle,
)
from fullprime.engine.rollouts.rollout import Candidate
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.cube_search import CubeValues, plain_equity
from fullprime.engine.search.deepening import Candidates, sieve_plays
from fullprime.engine.search.levels import Roller, Sieve
from fullprime.engine.search.play_search import BoardValue, Judging, Progress
from fullprime.engine.search.results import Evaluation
from fullprime.engine.search.searcher import Searcher
from fullprime.rules.position import Position

Floats = npt.NDArray[np.float64]

ChoiceAmong = Callable[[Sequence[int]], ComparisonsOf]

IN_COMMON = 0.02
"""Standard deviation of the error that look-ahead makes with all plays of a roll, in points; of a rollout half of it.
It moves their equities together and changes no choice.
"""
SINGLE = {0: 0.024, 1: 0.016, 2: 0.011, 3: 0.010}
"""Standard deviation of look-ahead's error in the difference of two good plays, by its plies, in points."""
SINGLE_ROLLED = 0.0055
"""The same of a rollout with endless trials."""
AHEAD_CUBE, ROLLED_CUBE = np.array([0.018, 0.030, 0.060]), np.array([0.014, 0.019, 0.038])
"""Standard deviations of the errors of no double, of a double that is taken and of a beaver, in points: of look-ahead,
and of an endless rollout."""
CUBE_COMMON = 0.93
"""The correlation between any two of them: most of what is wrong with a position is wrong with any cube."""


def roll_plays(
    judging: Judging,
    candidates: Candidates,
    roller: Roller,
    budget: Budget,
    progress: Progress | None = None,
    *,
    near: Sieve | None = None,
    choice: ChoiceAmong | None = None,
) -> bool:
    """Roll out the deepest plays, with as many trials as the choice needs; False if a limit ended it.

    With ``near`` only those that pass it, and the one that is kept. ``choice``: from the plays that are rolled out to
    what is to be settled; by default the best. Positions known exactly, and a choice of one, are left alone.
    """
    judged, context = candidates.judged, candidates.context
    deepest = max(value.depth for value in judged)
    front = [index for index, value in enumerate(judged) if value.depth == deepest]
    front = sieve_plays(judged, front, near or Sieve(len(front), np.inf), judging.point(context))
    if candidates.required is not None and candidates.required not in front:
        front.append(candidates.required)
    rows = candidates.rows[front]
    if len(front) < 2 or judging.searcher.tables.in_bearoff(rows).all():
        return True
    estimates = settle_plays(
        judging.searcher,
        rows,
        context,
        LookAheadEstimates(
            np.array([judging.equity(context, judged[index].value) for index in front]),
            swap_sides(np.array([judged[index].outputs for index in front])),
        ),
        deepest,
        roller,
        again=None if candidates.again is None else candidates.again[front],
        budget=budget,
        progress=progress,
        choice=best_of if choice is None else choice(front),
    )
    order = np.argsort(-estimates.equities, kind="stable")
    for place, index in enumerate(front):
        equity = estimates.equities[place]
        value = float(equity) if judging.per_checker else float(context.value(equity))
        judged[index] = BoardValue(
            context.flip(value),
            probabilities_of(swap_sides(estimates.outputs[place])),
            deepest,
            estimates.trials[place],
            joint_error(estimates, order, place),
        )
    return estimates.complete


def settle_plays(
    searcher: Searcher,
    rows: Boards,
    context: CubeContext,
    ahead: LookAheadEstimates,
    depth: int,
    roller: Roller,
    *,
    again: npt.NDArray[np.bool_] | None = None,
    budget: Budget | None = None,
    progress: TrialProgress | None = None,
    choice: ComparisonsOf = best_of,
) -> JoinedEstimates:
    """Join the look-ahead of boards (n, 32) after plays of one roll, ``depth`` plies deep, with rollouts of them.

    Boards are seen by the next to roll, who is the same player where ``again`` (n,) says so; all else by the player who
    has the choice.
    """
    same = [False] * len(rows) if again is None else again.tolist()
    candidates = [
        Candidate(position_of(row), str(place), theirs=not mine)
        for place, (row, mine) in enumerate(zip(rows, same, strict=True))
    ]
    errors = errors_of_plays(len(rows), depth)
    return settle(searcher, candidates, context, ahead, errors, roller, choice, budget=budget, progress=progress)


def compare_cube_actions(equities: Floats) -> list[Comparison]:
    """The comparisons of a cube decision: take or drop, double or not; the gap is the cost of taking, of doubling."""
    zeros = np.zeros(len(equities))
    indexes = tuple(range(len(equities)))
    answer = 1 + int(np.argmin(equities[1:]))
    taken = zeros.copy()
    taken[answer] = 1.0
    rolling = zeros.copy()
    rolling[0] = 1.0
    turned = float(equities[answer])
    comparisons = [Comparison(taken, turned - 1.0, indexes)]
    if turned < 1.0:
        return [*comparisons, Comparison(rolling - taken, float(equities[0]) - turned, indexes)]
    return [*comparisons, Comparison(rolling, float(equities[0]) - 1.0, indexes)]


def settle_cube(
    searcher: Searcher,
    board: Position,
    ahead: CubeValues,
    roller: Roller,
    budget: Budget | None = None,
    progress: TrialProgress | None = None,
    *,
    choice: ComparisonsOf = compare_cube_actions,
) -> JoinedEstimates:
    """Join the look-ahead of the cube actions (not the raccoon) with rollouts of them.

    ``choice`` tells what is to be settled.
    """
    equities = ahead.allowed_equities
    candidates = Candidate.cube_actions(board, ahead.context)[: len(equities)]
    looked = LookAheadEstimates(equities, np.tile(ahead.outputs, (len(equities), 1)))
    errors = errors_of_cubes(len(candidates))
    return settle(searcher, candidates, ahead.context, looked, errors, roller, choice, budget=budget, progress=progress)


def joint_error(estimates: JoinedEstimates, order: npt.NDArray[np.intp], place: int) -> float:
    """The standard error of a candidate's distance from the best one; of that itself from the runner-up."""
    if not estimates.most:
        return 0.0
    other = order[1] if place == order[0] else order[0]
    return float(estimates.joint[place, other])


def errors_of_plays(count: int, depth: int) -> EstimateErrors:
    """The errors of ``count`` plays of one roll, looked ``depth`` plies ahead and rolled out."""
    common, identity = np.ones((count, count)), np.eye(count)
    single = SINGLE[min(depth, max(SINGLE))]
    return EstimateErrors(
        IN_COMMON**2 * common + 0.5 * single**2 * identity,
        0.25 * IN_COMMON**2 * common + 0.5 * SINGLE_ROLLED**2 * identity,
    )


def roll_cube(
    judging: Judging,
    board: Position,
    ahead: CubeValues,
    roller: Roller,
    budget: Budget | None,
    progress: TrialProgress | None = None,
) -> CubeDecision:
    """A cube decision by look-ahead, joined with a rollout of its actions."""
    context = ahead.context
    if ahead.exact or not context.may_double or context.is_dead:
        return ahead.decision
    estimates = settle_cube(judging.searcher, board, ahead, roller, budget, progress)
    joined = joined_values(ahead, estimates).decision
    taken = 2 if joined.reply is Reply.BEAVER else 1
    apart = estimates.errors[0] if joined.reply is Reply.DROP else estimates.joint[0, taken]
    if not estimates.most:
        return joined
    return replace(joined, trials=estimates.most, error=float(apart), take_error=float(estimates.errors[taken]))


def joined_values(ahead: CubeValues, estimates: JoinedEstimates) -> CubeValues:
    """The equities of the actions with the cube after they were settled.

    A raccoon's equity is corrected by twice the correction of the beaver's, an approximation where the cube has a cap.
    """
    rolling, take, beaver = (*estimates.equities.tolist(), float("nan"))[:3]
    outputs, context = estimates.outputs[0], ahead.context
    return replace(
        ahead,
        no_double=rolling,
        take=take,
        beaver=beaver,
        raccoon=ahead.raccoon + 2.0 * (beaver - ahead.beaver),
        cubeless=ahead.cubeless + plain_equity(outputs, context) - plain_equity(ahead.outputs, context),
        outputs=outputs,
    )


def errors_of_cubes(count: int) -> EstimateErrors:
    """The errors of the first ``count`` of no double, double and take, double and beaver."""
    alike = CUBE_COMMON + (1 - CUBE_COMMON) * np.eye(3)
    covariances = [(np.outer(sizes, sizes) * alike)[:count, :count] for sizes in (AHEAD_CUBE, ROLLED_CUBE)]
    return EstimateErrors(*covariances)


def roll_position(
    judging: Judging, board: Position, ahead: Evaluation, roller: Roller, budget: Budget | None
) -> Evaluation:
    """An evaluation by look-ahead, joined with a rollout of the position: all its trials."""
    context = ahead.context
    if ahead.exact:
        return ahead
    estimates = settle(
        judging.searcher,
        [Candidate.position(board)],
        context,
        LookAheadEstimates(np.array([ahead.equity]), np.array([ahead.probabilities])),
        errors_of_plays(1, ahead.depth),
        roller,
        budget=budget,
    )
    if not estimates.most:
        return ahead
    equity = float(estimates.equities[0])
    outputs = estimates.outputs[0]
    return replace(
        ahead,
        probabilities=probabilities_of(outputs),
        cubeless=ahead.cubeless + plain_equity(outputs, context) - plain_equity(np.array(ahead.probabilities), context),
        equity=equity,
        value=equity if judging.per_checker else float(context.value(equity)),
        trials=estimates.most,
        error=float(estimates.errors[0]),
    )
