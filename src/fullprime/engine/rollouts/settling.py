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
from fullprime.engine.cube.probabilities import a_point
from fullprime.engine.rollouts.dice import GROUP
from fullprime.engine.rollouts.result import RolloutError, RolloutState, TrialStatistics
from fullprime.engine.rollouts.rollout import Candidate, resume
from fullprime.engine.rollouts.task import Conduct, Task
from fullprime.engine.rollouts.workers import Recipe
from fullprime.engine.search.budget import Budget, Stopped
from fullprime.engine.search.levels import Roller
from fullprime.engine.search.searcher import Searcher

Floats = npt.NDArray[np.float64]
Told = Callable[[int, int], None]
"""Called with the trials that the open candidates have and the most that they may get."""

SPREAD = 0.05
"""The standard deviation of a trial, in points, that is expected before any has been played."""
ROLLS = 21


class Ahead(NamedTuple):
    """What look-ahead says of n candidates, seen by the player who has the choice: equities (n,), outputs (n, 5)."""

    equities: Floats
    outputs: Floats


class Errors(NamedTuple):
    """Covariances (n, n) of the errors of n equities: those of look-ahead, and of a rollout with endless trials."""

    ahead: Floats
    rolled: Floats


class Question(NamedTuple):
    """A comparison on which the choice hangs: the factors of the equities, their sum, and whom trials would help."""

    factors: Floats
    gap: float
    among: tuple[int, ...]

    def turned(self) -> Question:
        """The same comparison the other way round."""
        return self._replace(factors=-self.factors, gap=-self.gap)


Choice = Callable[[Floats], list[Question]]
"""From joined equities of all candidates to the questions that are to be settled."""


@dataclass(frozen=True, slots=True)
class Settled:
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


def gain(gap: float, spread: float) -> float:
    """The equity that is expected from knowing a difference, now ``gap``, better by this standard deviation.

    >>> round(gain(0.0, 0.01), 5), gain(0.05, 0.005) < 1e-9
    (0.00399, True)
    """
    if spread <= 0.0:
        return 0.0
    far = abs(gap) / spread
    return spread * (math.exp(-0.5 * far * far) / math.sqrt(2 * math.pi) - 0.5 * far * math.erfc(far / math.sqrt(2)))


def best_of(equities: Floats) -> list[Question]:
    """The choice of the greatest equity: one question for everyone who is not in front."""
    leader = int(np.argmax(equities))
    found = []
    for index in range(len(equities)):
        if index != leader:
            factors = np.zeros(len(equities))
            factors[leader], factors[index] = 1.0, -1.0
            found.append(Question(factors, float(equities[leader] - equities[index]), (leader, index)))
    return found


def at_marks(loss: Question, marks: Sequence[float]) -> list[Question]:
    """On which side of each mark, in points, a loss lies."""
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
    ahead: Ahead,
    errors: Errors,
    roller: Roller,
    choice: Choice = best_of,
    *,
    budget: Budget | None = None,
    progress: Told | None = None,
) -> Settled:
    """Join what look-ahead says of the candidates with as many trials as the choice needs, at most ``roller.trials``.

    ``errors``: in points. With the same seed the result is the same to the last bit; a budget may end it sooner.
    """
    count = len(candidates)
    scale = a_point(searcher.evaluator.per_checker)
    errors = Errors(errors.ahead * scale**2, errors.rolled * scale**2)
    conduct = conduct_of(roller, cubeful=not searcher.evaluator.per_checker and context is not CUBELESS)
    task = Task(tuple(each.start(context) for each in candidates), context, conduct)
    state = RolloutState(task, Recipe.of(searcher).names)
    equities, outputs, trials = ahead.equities.copy(), ahead.outputs.copy(), [0] * count
    spreads, joint = np.zeros(count), np.zeros((count, count))
    here, complete = list(range(count)), True
    goal = GROUP * roller.first
    while True:
        found = _joined(state, context, Ahead(ahead.equities[here], ahead.outputs[here]), _part(errors, here), roller)
        _take_over(equities, found.equities, here)
        outputs[here], own = found.outputs, np.diag(found.covariance)
        spreads[here] = np.sqrt(own)
        apart = own[:, np.newaxis] + own - 2 * found.covariance
        joint[np.ix_(here, here)] = np.sqrt(np.maximum(0.0, apart))
        for index in here:
            trials[index] = state.trials
        if state.trials >= roller.trials:
            break
        kept = _open(found, choice(equities), here, roller.worth * scale) if count > 1 else [0]
        if not kept:
            break
        state, here = state.only(kept), [here[each] for each in kept]
        played = min(goal, roller.trials) - state.trials
        try:
            if budget is not None:
                budget.spend(ROLLS * (roller.cut or 50) * played * len(here))
            state = _played(searcher, state, min(goal, roller.trials), budget)
        except Stopped:
            complete = False
            break
        goal *= 2
        if progress is not None:
            progress(state.trials, roller.trials)
    return Settled(equities, outputs, spreads, joint, tuple(trials), complete)


def conduct_of(roller: Roller, *, cubeful: bool = True) -> Conduct:
    """The way in which a level plays its trials."""
    return Conduct(
        seed=roller.seed,
        cubeful=cubeful,
        truncate=roller.cut,
        opening=roller.opening,
        joint=True,
    )


def _played(searcher: Searcher, state: RolloutState, goal: int, budget: Budget | None) -> RolloutState:
    """The rollout after so many trials in all; raises Stopped where the budget ends it before."""

    def over() -> bool:
        try:
            if budget is not None:
                budget.spend(0)
        except Stopped:
            return True
        return False

    try:
        found = resume(searcher, state, trials=goal, threads=searcher.threads, stop=over if budget else None)
    except RolloutError:
        raise Stopped("the rollout was stopped") from None
    if not found.complete:
        raise Stopped(found.reason)
    return found.state


def _part(errors: Errors, here: list[int]) -> Errors:
    among = np.ix_(here, here)
    return Errors(errors.ahead[among], errors.rolled[among])


def _joined(state: RolloutState, context: CubeContext, ahead: Ahead, errors: Errors, roller: Roller) -> _Joined:
    """The mean of look-ahead and trials by their precision."""
    if not state.groups:
        noise = np.eye(len(ahead.equities)) * (SPREAD**2 / roller.trials)
        return _Joined(*ahead, errors.ahead, _left(errors.ahead, errors.rolled + noise))
    found = TrialStatistics(state.task, state.groups)
    unit = float(context.value(1.0)) - float(context.value(0.0))
    noise = found.covariance / unit**2
    means = np.asarray(context.equity(found.means[:, found.column]))
    weights = errors.ahead @ np.linalg.inv(errors.ahead + errors.rolled + noise)
    equities = ahead.equities + weights @ (means - ahead.equities)
    shares = np.clip(np.diag(weights), 0.0, 1.0)[:, np.newaxis]
    # With the luck taken out a mean may lie beyond what a chance can be, by very little.
    outputs = np.clip(ahead.outputs + shares * (found.means[:, :5] - ahead.outputs), 0.0, 1.0)
    later = _left(errors.ahead, errors.rolled + noise * min(1.0, state.trials / roller.trials))
    return _Joined(equities, outputs, _left(errors.ahead, errors.rolled + noise), later)


def _left(one: Floats, other: Floats) -> Floats:
    """The covariance of the mean by precision of two estimates whose errors have these covariances."""
    return np.asarray(one - one @ np.linalg.inv(one + other) @ one)


def _open(found: _Joined, asked: Sequence[Question], here: Sequence[int], worth: float) -> list[int]:
    """Those of the candidates ``here`` whose trials may still change the choice, by their places in it."""
    less = found.covariance - found.later
    kept: set[int] = set()
    for each in asked:
        if not set(each.among).issubset(here):
            continue  # it was settled when one of them dropped out
        factors = each.factors[here]
        spread = math.sqrt(max(0.0, float(factors @ less @ factors)))
        if gain(each.gap, spread) > worth:
            kept.update(each.among)
    return [place for place, index in enumerate(here) if index in kept]


def _take_over(equities: Floats, found: Floats, here: list[int]) -> None:
    """Write the equities of the candidates ``here``; the others stay as far behind the leader as when they left."""
    others = [index for index in range(len(equities)) if index not in here]
    leader = int(np.argmax(equities[here]))
    equities[others] += found[leader] - equities[here[leader]]
    equities[here] = found
