"""The rollouts behind a level: plays, cube decisions and positions, from look-ahead to joined estimates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fullprime.engine.boards.edge import position_of
from fullprime.engine.cube.action import CubeDecision, Reply
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.probabilities import five_of, swapped
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.rollouts.rollout import Candidate
from fullprime.engine.rollouts.settling import Ahead, Choice, Errors, Question, Settled, Told, best_of, settle
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.cube_search import CubeValues, plain_equity
from fullprime.engine.search.deepening import Candidates, sieve_plays
from fullprime.engine.search.levels import Roller, Sieve
from fullprime.engine.search.play_search import BoardValue, Judging, Progress
from fullprime.engine.search.results import Evaluation
from fullprime.engine.search.searcher import Searcher
from fullprime.rules.position import Position

Floats = npt.NDArray[np.float64]

ChoiceAmong = Callable[[Sequence[int]], Choice]

IN_COMMON = 0.02
"""Standard deviation of the error that look-ahead makes with all plays of a roll, in points; of a rollout half of it.
It moves their equities together and changes no choice.
"""
OWN = {0: 0.024, 1: 0.016, 2: 0.011, 3: 0.010}
"""Standard deviation of look-ahead's error in the difference of two good plays, by its plies, in points."""
OWN_ROLLED = 0.0055
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
    """Roll out the plays that were looked at furthest, as far as a choice needs; False if a limit ended it.

    With ``near`` only those that pass it, and the one that is kept. ``choice``: from the plays that are rolled out to
    what is to be settled; by default the best. Positions known exactly, and a choice of one, are left alone.
    """
    judged, context = candidates.judged, candidates.context
    deepest = max(value.depth for value in judged)
    front = [index for index, value in enumerate(judged) if value.depth == deepest]
    front = sieve_plays(judged, front, near or Sieve(len(front), np.inf), judging.point(context))
    if candidates.kept is not None and candidates.kept not in front:
        front.append(candidates.kept)
    rows = candidates.rows[front]
    if len(front) < 2 or judging.searcher.tables.in_bearoff(rows).all():
        return True
    found = settle_plays(
        judging.searcher,
        rows,
        context,
        Ahead(
            np.array([judging.equity(context, judged[index].value) for index in front]),
            swapped(np.array([judged[index].outputs for index in front])),
        ),
        deepest,
        roller,
        again=None if candidates.again is None else candidates.again[front],
        budget=budget,
        progress=progress,
        choice=best_of if choice is None else choice(front),
    )
    order = np.argsort(-found.equities, kind="stable")
    for place, index in enumerate(front):
        own = float(found.equities[place]) if judging.per_checker else float(context.value(found.equities[place]))
        judged[index] = BoardValue(
            context.flip(own),
            five_of(swapped(found.outputs[place])),
            deepest,
            found.trials[place],
            joint_error(found, order, place),
        )
    return found.complete


def settle_plays(
    searcher: Searcher,
    rows: Boards,
    context: CubeContext,
    ahead: Ahead,
    depth: int,
    roller: Roller,
    *,
    again: npt.NDArray[np.bool_] | None = None,
    budget: Budget | None = None,
    progress: Told | None = None,
    choice: Choice = best_of,
) -> Settled:
    """Boards (n, 32) after plays of one roll, looked ``depth`` plies ahead, joined with rollouts of them.

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


def turning(equities: Floats) -> list[Question]:
    """To take or not, and to double or not, in this order; the gap is what taking and what doubling cost."""
    nobody = np.zeros(len(equities))
    everyone = tuple(range(len(equities)))
    answer = 1 + int(np.argmin(equities[1:]))
    taken = nobody.copy()
    taken[answer] = 1.0
    rolling = nobody.copy()
    rolling[0] = 1.0
    turned = float(equities[answer])
    asked = [Question(taken, turned - 1.0, everyone)]
    if turned < 1.0:
        return [*asked, Question(rolling - taken, float(equities[0]) - turned, everyone)]
    return [*asked, Question(rolling, float(equities[0]) - 1.0, everyone)]


def settle_cube(
    searcher: Searcher,
    board: Position,
    ahead: CubeValues,
    roller: Roller,
    budget: Budget | None = None,
    progress: Told | None = None,
    *,
    choice: Choice = turning,
) -> Settled:
    """The actions with the cube that ``Candidate.cube_actions`` names, by look-ahead, joined with rollouts of them.

    ``choice`` tells what is to be settled.
    """
    candidates = Candidate.cube_actions(board, ahead.context)
    said = ahead.said
    looked = Ahead(said, np.tile(ahead.outputs, (len(said), 1)))
    errors = errors_of_cubes(len(candidates))
    return settle(searcher, candidates, ahead.context, looked, errors, roller, choice, budget=budget, progress=progress)


def joint_error(found: Settled, order: npt.NDArray[np.intp], place: int) -> float:
    """The standard error of a candidate's distance from the best one; of that itself from the runner-up."""
    if not found.most:
        return 0.0
    other = order[1] if place == order[0] else order[0]
    return float(found.joint[place, other])


def errors_of_plays(count: int, depth: int) -> Errors:
    """The errors of ``count`` plays of one roll, looked so many plies ahead and rolled out."""
    everyone, each = np.ones((count, count)), np.eye(count)
    own = OWN[min(depth, max(OWN))]
    return Errors(
        IN_COMMON**2 * everyone + 0.5 * own**2 * each, 0.25 * IN_COMMON**2 * everyone + 0.5 * OWN_ROLLED**2 * each
    )


def roll_cube(
    judging: Judging,
    board: Position,
    ahead: CubeValues,
    roller: Roller,
    budget: Budget | None,
    progress: Told | None = None,
) -> CubeDecision:
    """A cube decision by look-ahead, joined with a rollout of its actions."""
    context = ahead.context
    if ahead.exact or not context.may_double or context.is_dead:
        return ahead.decision
    found = settle_cube(judging.searcher, board, ahead, roller, budget, progress)
    joined = joined_values(ahead, found).decision
    taken = 2 if joined.reply is Reply.BEAVER else 1
    apart = found.errors[0] if joined.reply is Reply.DROP else found.joint[0, taken]
    if not found.most:
        return joined
    return replace(joined, trials=found.most, error=float(apart), take_error=float(found.errors[taken]))


def joined_values(ahead: CubeValues, found: Settled) -> CubeValues:
    """The equities of the actions with the cube after they were settled."""
    rolling, take, beaver = (*found.equities.tolist(), float("nan"))[:3]
    return replace(ahead, no_double=rolling, take=take, beaver=beaver, outputs=found.outputs[0])


def errors_of_cubes(count: int) -> Errors:
    """The errors of the first ``count`` of no double, double and take, double and beaver."""
    alike = CUBE_COMMON + (1 - CUBE_COMMON) * np.eye(3)
    found = [(np.outer(sizes, sizes) * alike)[:count, :count] for sizes in (AHEAD_CUBE, ROLLED_CUBE)]
    return Errors(*found)


def roll_position(
    judging: Judging, board: Position, ahead: Evaluation, roller: Roller, budget: Budget | None
) -> Evaluation:
    """An evaluation by look-ahead, joined with a rollout of the position: all its trials."""
    context = ahead.context
    if ahead.exact:
        return ahead
    found = settle(
        judging.searcher,
        [Candidate.position(board)],
        context,
        Ahead(np.array([ahead.equity]), np.array([ahead.probabilities])),
        errors_of_plays(1, ahead.depth),
        roller,
        budget=budget,
    )
    if not found.most:
        return ahead
    equity = float(found.equities[0])
    outputs = found.outputs[0]
    return replace(
        ahead,
        probabilities=five_of(outputs),
        cubeless=ahead.cubeless + plain_equity(outputs, context) - plain_equity(np.array(ahead.probabilities), context),
        equity=equity,
        value=equity if judging.per_checker else float(context.value(equity)),
        trials=found.most,
        error=float(found.errors[0]),
    )
