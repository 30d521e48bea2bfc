"""Rolling a decision out until it is clear: variance-reduced trials of 1-ply plays, with the same dice for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.engine import Engine
from fullprime.engine.rollouts.result import RolloutState, TrialStatistics, result_of
from fullprime.engine.rollouts.rollout import Candidate, StoppingRule, resume, rollout
from fullprime.engine.rollouts.task import Task, TrialPolicy
from fullprime.engine.rollouts.workers import Recipe
from fullprime.rules.position import Position

NEAR = 0.3
"""The equity by 1-ply up to which plays may be behind the best one to be rolled out."""
ERROR, APART = 0.005, 3.0
"""A play is done when the joint error of its loss is at most ERROR, or its loss at least APART joint errors."""
FIRST, ENOUGH, MOST = 36, 108, 1296
"""Trials of the first round, those from which APART errors are enough (5 before), and the most."""
EARLY = 5.0
POLICY = TrialPolicy(ply=1, cube_ply=1, truncate=7, joint=True)
"""Plays and cubes one ply ahead; after seven plies all judges value the board."""
CLEAR, PRECISE, OPEN = "clear", "precise", "open"


@dataclass(frozen=True)
class Figures:
    """A candidate: its equity, its loss to the best with the joint error, its trials, and how it was settled."""

    equity: float
    loss: float
    error: float
    trials: int
    settled: str


@dataclass
class _Standing:
    """How a candidate stood to the one in front when it had its last trials."""

    leader: int
    gap: float
    error: float
    trials: int
    settled: str


def policy_for(context: CubeContext, seed: int, policy: TrialPolicy = POLICY) -> TrialPolicy:
    """The way trials are played with this cube and these dice."""
    return replace(policy, seed=seed, cubeful=context is not CUBELESS)


def roll_out_boards(
    engine: Engine, boards: Sequence[Position], context: CubeContext, seed: int, policy: TrialPolicy = POLICY
) -> list[Figures]:
    """The boards after some plays, seen by the other player, rolled out until each is clear or precise.

    A candidate that is done gets no more trials; it stays as far behind as it was. Everything follows from the
    arguments and the nets.
    """
    starts = [Candidate(board, str(index), theirs=True) for index, board in enumerate(boards)]
    task = Task(tuple(start.start(context) for start in starts), context, policy_for(context, seed, policy))
    state = RolloutState(task, Recipe.of(engine.searcher).names)
    here, stands, goal = list(range(len(boards))), dict[int, _Standing](), FIRST
    while True:
        state = resume(engine.searcher, state, trials=goal, threads=1).state
        result = result_of(state, goal, complete=True, reason="")
        leader = here[result.best.index]
        going = []
        for candidate in result.rolled:
            at = here[candidate.index]
            settled = OPEN
            if candidate.loss_error <= ERROR and state.trials >= ENOUGH:
                settled = PRECISE
            if (
                candidate.loss > 0
                and candidate.loss >= (APART if state.trials >= ENOUGH else EARLY) * candidate.loss_error
            ):
                settled = CLEAR
            stands[at] = _Standing(leader, candidate.loss, candidate.loss_error, state.trials, settled)
            if at != leader and settled == OPEN:
                going.append(candidate.index)
        stands[leader].settled = PRECISE if not going else OPEN
        if not going or state.trials >= MOST:
            return _join_stands(stands, leader, result.best.equity)
        staying = sorted([result.best.index, *going])
        state, here = state.only(staying), [here[index] for index in staying]
        goal = min(MOST, goal + FIRST * max(1, goal // (2 * FIRST)))  # half as many again


def _join_stands(stands: dict[int, _Standing], leader: int, equity: float) -> list[Figures]:
    """Everybody's equity from the distances to those who were in front, and the losses to the best one."""

    def distance(at: int) -> tuple[float, float]:
        gap = variance = 0.0
        while at != leader:
            gap, variance, at = gap + stands[at].gap, variance + stands[at].error ** 2, stands[at].leader
        return gap, variance**0.5

    away = {at: distance(at) for at in stands}
    least = min(gap for gap, _ in away.values())
    return [
        Figures(equity - gap, gap - least, error, stands[at].trials, stands[at].settled)
        for at, (gap, error) in sorted(away.items())
    ]


def roll_out_cube_action(
    engine: Engine, board: Position, context: CubeContext, seed: int, policy: TrialPolicy = POLICY
) -> dict[str, Any]:
    """No double and double, take with their errors, and the joint error of their difference."""
    result = rollout(
        engine.searcher,
        Candidate.cube_actions(board, context)[:2],
        context,
        policy=policy_for(context, seed, policy),
        trials=MOST,
        rule=StoppingRule(least=ENOUGH, apart=APART, error=ERROR),
        threads=1,
    )
    stay, taken = result.of(0), result.of(1)
    statistics = TrialStatistics(result.state.task, result.state.groups)
    unit = taken.error / statistics.errors[1, statistics.column] if taken.error else 1.0
    return {
        "no_double": round(stay.equity, 5),
        "no_double_error": round(stay.error, 5),
        "double_take": round(taken.equity, 5),
        "double_take_error": round(taken.error, 5),
        "joint_error": round(unit * statistics.joint_error(0, 1), 5),
        "double_drop": 1.0,
        "trials": result.trials,
        "settled": "most" if result.trials >= MOST else result.reason,
    }
