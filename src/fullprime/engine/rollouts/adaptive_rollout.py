"""Decisions settled by rollouts: look-ahead and trials joined by their errors, with no more trials than needed.

Look-ahead errs by what it sees at its last ply; trials err by chance, and by their own plays and their cut. All errors
are taken as normal, of measured size, so that the best estimate is the mean by precision. Trials go on for as long as
they are expected to gain more than a trifle by changing the choice. All candidates meet the same dice, and those that
are behind beyond doubt drop out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.probabilities import points_unit
from fullprime.engine.rollouts.dice import GROUP
from fullprime.engine.rollouts.result import RolloutError, RolloutState, TrialStatistics
from fullprime.engine.rollouts.rollout import Candidate, resume
from fullprime.engine.rollouts.task import Task, TrialPolicy
from fullprime.engine.rollouts.workers import Recipe
from fullprime.engine.search.budget import Budget, Stopped
from fullprime.engine.search.levels import Roller
from fullprime.engine.search.searcher import Searcher

Floats = npt.NDArray[np.float64]
TrialProgress = Callable[[int, int], None]
"""Called with the trials that the open candidates have and the most that they may get."""

SPREAD = 0.05
"""The standard deviation of a trial, in points, that is expected before any has been played."""
ROLLS = 21


class LookAheadEstimates(NamedTuple):
    """The look-ahead estimates of n candidates, seen by the player who chooses: equities (n,), outputs (n, 5)."""

    equities: Floats
    outputs: Floats


class EstimateErrors(NamedTuple):
    """Covariances (n, n) of the errors of n equities: those of look-ahead, and of a rollout with endless trials."""

    ahead: Floats
    rolled: Floats


class Comparison(NamedTuple):
    """A comparison on which the choice hangs: the factors of the equities, their sum, and the candidates compared."""

    factors: Floats
    gap: float
    among: tuple[int, ...]

    def turned(self) -> Comparison:
        """The comparison with its two candidates exchanged."""
        return self._replace(factors=-self.factors, gap=-self.gap)


ComparisonsOf = Callable[[Floats], list[Comparison]]
"""From joined equities of all candidates to the questions that are to be settled."""


@dataclass(frozen=True, slots=True)
class JoinedEstimates:
    """Joined estimates of n candidates, in points of equity (or checkers), seen by the player who has the choice."""

    equities: Floats
    outputs: Floats
    errors: Floats
    """(n,): standard error of each equity."""
    joint: Floats
    """(n, n): standard errors of their differences."""
    trials: tuple[int, ...]
    complete: bool
    """False where a limit or a stop ended it."""

    @property
    def most(self) -> int:
        """Trials of the candidate that had most."""
        return max(self.trials, default=0)


def expected_gain(gap: float, spread: float) -> float:
    """The equity that better knowledge of a difference ``gap`` is expected to gain, if it moves it by this deviation.

    >>> round(expected_gain(0.0, 0.01), 5), expected_gain(0.05, 0.005) < 1e-9
    (0.00399, True)
    """
    if spread <= 0.0:
        return 0.0
    far = abs(gap) / spread
    return spread * (math.exp(-0.5 * far * far) / math.sqrt(2 * math.pi) - 0.5 * far * math.erfc(far / math.sqrt(2)))


def best_of(equities: Floats) -> list[Comparison]:
    """The comparisons that decide which equity is greatest: one for each candidate behind the leader."""
    leader = int(np.argmax(equities))
    comparisons = []
    for index in range(len(equities)):
        if index != leader:
            factors = np.zeros(len(equities))
            factors[leader], factors[index] = 1.0, -1.0
            comparisons.append(Comparison(factors, float(equities[leader] - equities[index]), (leader, index)))
    return comparisons


def compare_with_marks(loss: Comparison, marks: Sequence[float]) -> list[Comparison]:
    """The comparisons that decide on which side of each mark, in points, a loss lies."""
    return [loss._replace(gap=loss.gap - mark) for mark in marks]


class _Joined(NamedTuple):
    """Equities and outputs by now, their covariance, and what it would be after all trials."""

    equities: Floats
    outputs: Floats
    covariance: Floats
    later: Floats


def settle(
    searcher: Searcher,
    candidates: Sequence[Candidate],
    context: CubeContext,
    ahead: LookAheadEstimates,
    errors: EstimateErrors,
    roller: Roller,
    choice: ComparisonsOf = best_of,
    *,
    budget: Budget | None = None,
    progress: TrialProgress | None = None,
) -> JoinedEstimates:
    """Join the estimates of look-ahead with as many trials as the choice needs, at most ``roller.trials``.

    ``errors``: in points. With the same seed the result is the same to the last bit; a budget may end it sooner.
    """
    count = len(candidates)
    scale = points_unit(searcher.evaluator.per_checker)
    errors = EstimateErrors(errors.ahead * scale**2, errors.rolled * scale**2)
    policy = trial_policy_of(roller, cubeful=not searcher.evaluator.per_checker and context is not CUBELESS)
    task = Task(tuple(candidate.start(context) for candidate in candidates), context, policy)
    state = RolloutState(task, Recipe.of(searcher).names)
    equities, outputs, trials = ahead.equities.copy(), ahead.outputs.copy(), [0] * count
    spreads, joint = np.zeros(count), np.zeros((count, count))
    here, complete = list(range(count)), True
    goal = GROUP * roller.first
    while True:
        joined = _join_estimates(
            state, context, LookAheadEstimates(ahead.equities[here], ahead.outputs[here]), _part(errors, here), roller
        )
        _take_over(equities, joined.equities, here)
        outputs[here], variances = joined.outputs, np.diag(joined.covariance)
        spreads[here] = np.sqrt(variances)
        apart = variances[:, np.newaxis] + variances - 2 * joined.covariance
        joint[np.ix_(here, here)] = np.sqrt(np.maximum(0.0, apart))
        for index in here:
            trials[index] = state.trials
        if state.trials >= roller.trials:
            break
        open_places = _open(joined, choice(equities), here, roller.least_gain * scale) if count > 1 else [0]
        if not open_places:
            break
        state, here = state.only(open_places), [here[place] for place in open_places]
        played = min(goal, roller.trials) - state.trials
        try:
            if budget is not None:
                budget.spend(ROLLS * (roller.cut or 50) * played * len(here))
            state = _play_trials(searcher, state, min(goal, roller.trials), budget)
        except Stopped:
            complete = False
            break
        goal *= 2
        if progress is not None:
            progress(state.trials, roller.trials)
    return JoinedEstimates(equities, outputs, spreads, joint, tuple(trials), complete)


def trial_policy_of(roller: Roller, *, cubeful: bool = True) -> TrialPolicy:
    """The trial policy of a level."""
    return TrialPolicy(
        seed=roller.seed,
        cubeful=cubeful,
        truncate=roller.cut,
        opening=roller.opening,
        joint=True,
    )


def _play_trials(searcher: Searcher, state: RolloutState, goal: int, budget: Budget | None) -> RolloutState:
    """The rollout after ``goal`` trials in all; raises Stopped where the budget ends it before."""

    def is_over() -> bool:
        try:
            if budget is not None:
                budget.spend(0)
        except Stopped:
            return True
        return False

    try:
        rollout = resume(searcher, state, trials=goal, threads=searcher.threads, stop=is_over if budget else None)
    except RolloutError:
        raise Stopped("the rollout was stopped") from None
    if not rollout.complete:
        raise Stopped(rollout.reason)
    return rollout.state


def _part(errors: EstimateErrors, here: list[int]) -> EstimateErrors:
    among = np.ix_(here, here)
    return EstimateErrors(errors.ahead[among], errors.rolled[among])


def _join_estimates(
    state: RolloutState, context: CubeContext, ahead: LookAheadEstimates, errors: EstimateErrors, roller: Roller
) -> _Joined:
    """The mean of look-ahead and trials by their precision."""
    if not state.groups:
        noise = np.eye(len(ahead.equities)) * (SPREAD**2 / roller.trials)
        return _Joined(*ahead, errors.ahead, _remaining_covariance(errors.ahead, errors.rolled + noise))
    statistics = TrialStatistics(state.task, state.groups)
    unit = float(context.value(1.0)) - float(context.value(0.0))
    noise = statistics.covariance / unit**2
    means = np.asarray(context.equity(statistics.means[:, statistics.column]))
    weights = errors.ahead @ np.linalg.inv(errors.ahead + errors.rolled + noise)
    equities = ahead.equities + weights @ (means - ahead.equities)
    shares = np.clip(np.diag(weights), 0.0, 1.0)[:, np.newaxis]
    # With the luck taken out a mean may lie beyond what a chance can be, by very little.
    outputs = np.clip(ahead.outputs + shares * (statistics.means[:, :5] - ahead.outputs), 0.0, 1.0)
    later = _remaining_covariance(errors.ahead, errors.rolled + noise * min(1.0, state.trials / roller.trials))
    return _Joined(equities, outputs, _remaining_covariance(errors.ahead, errors.rolled + noise), later)


def _remaining_covariance(first: Floats, second: Floats) -> Floats:
    """The covariance of the mean by precision of two estimates whose errors have these covariances."""
    return np.asarray(first - first @ np.linalg.inv(first + second) @ first)


def _open(joined: _Joined, comparisons: Sequence[Comparison], here: Sequence[int], least_gain: float) -> list[int]:
    """Those of the candidates ``here`` whose trials may still change the choice, by their places in it."""
    less = joined.covariance - joined.later
    open_indexes: set[int] = set()
    for comparison in comparisons:
        if not set(comparison.among).issubset(here):
            continue  # it was settled when one of them dropped out
        factors = comparison.factors[here]
        spread = math.sqrt(max(0.0, float(factors @ less @ factors)))
        if expected_gain(comparison.gap, spread) > least_gain:
            open_indexes.update(comparison.among)
    return [place for place, index in enumerate(here) if index in open_indexes]


def _take_over(equities: Floats, fresh: Floats, here: list[int]) -> None:
    """Write the equities of the candidates ``here``; the others stay as far behind the leader as when they left."""
    others = [index for index in range(len(equities)) if index not in here]
    leader = int(np.argmax(equities[here]))
    equities[others] += fresh[leader] - equities[here[leader]]
    equities[here] = fresh
