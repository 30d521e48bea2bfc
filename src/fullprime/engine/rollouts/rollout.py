"""Rollouts: positions played out many times with the same dice for all candidates.

>>> from fullprime.engine.engine import Engine
>>> from fullprime.rules.position import Position
>>> engine = Engine.open(level="0-ply")
>>> race = Candidate.position(Position.from_text("2:2 off:13 / 1:4 off:11"), name="two on the deuce")
>>> result = rollout(engine.searcher, [race], policy=TrialPolicy(cubeful=False), trials=36)
>>> round(result.best.equity, 4)
0.9074
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace

from fullprime.common.processors import count_cores
from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.rollouts.dice import GROUP
from fullprime.engine.rollouts.result import (
    DOUBLE_BEAVER,
    DOUBLE_RACCOON,
    DOUBLE_TAKE,
    NO_DOUBLE,
    Rollout,
    RolloutError,
    RolloutState,
    TrialStatistics,
    result_of,
)
from fullprime.engine.rollouts.task import Start, Task, TrialPolicy
from fullprime.engine.rollouts.workers import OrderedResults, Recipe
from fullprime.engine.search.budget import Stopped
from fullprime.engine.search.searcher import Searcher
from fullprime.rules.notation import format_play
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.taking import real_number, short_value, to_kind, whole_number

__all__ = [
    "TRIALS",
    "Candidate",
    "Progress",
    "Rollout",
    "RolloutState",
    "StoppingRule",
    "TrialPolicy",
    "resume",
    "rollout",
]

Progress = Callable[[Rollout], None]
"""Called after every block with the results by then."""

TRIALS = 1296
"""Trials of a rollout unless asked otherwise: every pair of first two throws once."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate of a rollout: a position, the board after a play, or an action with the cube.

    ``board``: seen by the player on roll; ``theirs``: that is the opponent of the player who has the choice.
    """

    board: Position
    name: str
    theirs: bool = False
    action: str | None = None

    @classmethod
    def position(cls, board: Position, name: str = "position") -> Candidate:
        """The position of the player on roll, who may double first where there is a cube."""
        return cls(board, name)

    @classmethod
    def play(cls, play: Play) -> Candidate:
        """The candidate for the board after a play; the opponent is on roll then."""
        return cls(play.position, format_play(play), theirs=True)

    @classmethod
    def cube_actions(cls, board: Position, context: CubeContext) -> list[Candidate]:
        """The candidates of a cube decision: no double, double and take, beaver, raccoon, as far as the rules allow."""
        after = (context.after_beaver, context.after_raccoon)
        actions = [NO_DOUBLE, *([DOUBLE_TAKE] if context.may_double else [])]
        actions += [
            action for action, cube in zip((DOUBLE_BEAVER, DOUBLE_RACCOON), after, strict=True) if cube is not None
        ]
        return [cls(board, action, action=action) for action in actions]

    def start(self, context: CubeContext) -> Start:
        """The start of its trials; ``context`` is that of the player who has the choice."""
        row = row_of(self.board).tobytes()
        if self.theirs:
            return Start(self.name, self.action, row, True, context.swapped, settled=False)
        turned: CubeContext | None = context
        if self.action == DOUBLE_TAKE:
            turned = context.doubled
        elif self.action == DOUBLE_BEAVER:
            turned = context.after_beaver
        elif self.action == DOUBLE_RACCOON:
            turned = context.after_raccoon
        if turned is None:
            raise RolloutError(f"{self.board.text}: no beaver with this cube")
        return Start(self.name, self.action, row, False, turned, settled=self.action is not None)


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """The conditions under which a rollout may end before all its trials.

    After at least ``least`` trials it ends when the candidate in front is ``apart`` joint standard errors away from
    every other one, or when every standard error is at most ``error``. Of cube actions, both decisions must be that
    clear: to double or not, and to take or drop. None switches a condition off. Raises RolloutError for what is no
    number of 0 or more.
    """

    least: int = 9 * GROUP
    apart: float | None = None
    error: float | None = None

    def __post_init__(self) -> None:
        for name, value, to_number in (
            ("least", self.least, whole_number), ("apart", self.apart, real_number), ("error", self.error, real_number),
        ):  # fmt: skip
            number = to_number(value)
            if (value is not None or name == "least") and (number is None or number < 0):
                raise RolloutError(f"{name}: {short_value(value)} is no number of 0 or more")
            object.__setattr__(self, name, number)

    def reason(self, state: RolloutState) -> str | None:
        """The reason why the rollout may end now, in words, or None."""
        to_kind(RolloutState, "the state", state, RolloutError)
        if state.trials < self.least or (self.apart is None and self.error is None):
            return None
        result = result_of(state, state.trials, complete=True, reason="")
        if self.error is not None and all(candidate.error <= self.error for candidate in result.rolled):
            return f"all standard errors are at most {self.error:g}"
        if self.apart is not None and _least_distance(result) >= self.apart:
            return f"the decision is {self.apart:g} joint standard errors clear"
        return None


def _least_distance(result: Rollout) -> float:
    """The distance of the closest alternative in joint standard errors; 0 where there is nothing to choose."""
    actions = {candidate.action: candidate for candidate in result.rolled}
    gaps: list[tuple[float, float]] = []
    if NO_DOUBLE in actions and DOUBLE_TAKE in actions:
        rolling, goes_on = actions[NO_DOUBLE], actions[DOUBLE_TAKE]
        if DOUBLE_BEAVER in actions:
            raised = [actions[action] for action in (DOUBLE_BEAVER, DOUBLE_RACCOON) if action in actions]
            beavered = max(raised, key=lambda candidate: candidate.equity)
            goes_on = min(goes_on, beavered, key=lambda candidate: candidate.equity)
        gaps.append((abs(goes_on.equity - 1.0), goes_on.error))
        if goes_on.equity < 1.0:
            statistics = TrialStatistics(result.state.task, result.state.groups)
            scale = goes_on.error / statistics.errors[goes_on.index, statistics.column] if goes_on.error else 0.0
            error = scale * statistics.joint_error(rolling.index, goes_on.index)
            gaps.append((abs(rolling.equity - goes_on.equity), error))
        else:
            gaps.append((abs(rolling.equity - 1.0), rolling.error))
    else:
        gaps = [(candidate.loss, candidate.loss_error) for candidate in result.rolled[1:]]
    return min((gap / error if error > 0 else float("inf") if gap > 0 else 0.0 for gap, error in gaps), default=0.0)


def rollout(
    searcher: Searcher,
    candidates: Sequence[Candidate],
    context: CubeContext | None = None,
    *,
    policy: TrialPolicy | None = None,
    trials: int = TRIALS,
    rule: StoppingRule | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Rollout:
    """Play all candidates out with the same dice.

    ``context``: cube and score of the player who has the choice; without one money without a cube. ``trials``: of each
    candidate, rounded up to whole groups of 36. Work goes to ``executor`` where there is one (every worker makes its
    own searcher), else to ``threads`` (None: as many as there are cores). A rollout that is stopped returns its
    results so far. The numbers depend on the nets, the candidates, the policy and the trials, and on nothing else.
    Raises RolloutError for input that cannot be rolled out, or when stopped before the first block.
    """
    policy = TrialPolicy() if policy is None else policy
    if context is None:
        context, policy = CUBELESS, replace(policy, cubeful=False)
    if not candidates:
        raise RolloutError("a rollout needs at least one candidate")
    if searcher.evaluator.per_checker and policy.cubeful:
        raise RolloutError(f"{searcher.evaluator.variant.title} is played without a cube: roll it out cubeless")
    if (policy.truncate is not None and policy.truncate < 1) or policy.ply < 0 or policy.cube_ply < 0:
        raise RolloutError(f"{policy}: cut after at least one ply, look-ahead of at least none")
    task = Task(tuple(candidate.start(context) for candidate in candidates), context, policy)
    state = RolloutState(task, Recipe.of(searcher).names)
    return resume(
        searcher, state, trials=trials, rule=rule, threads=threads, executor=executor, progress=progress, stop=stop
    )


def resume(
    searcher: Searcher,
    state: RolloutState,
    *,
    trials: int = TRIALS,
    rule: StoppingRule | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Rollout:
    """Continue a rollout up to ``trials`` in all, with the same numbers as in one run. Arguments: :func:`rollout`.

    Raises RolloutError when the searcher's nets are not those the rollout began with.
    """
    recipe = Recipe.of(searcher)
    if recipe.names != state.nets:
        raise RolloutError(f"the rollout began with {', '.join(state.nets)}; these are {', '.join(recipe.names)}")
    rule = rule or StoppingRule()
    goal = -(-trials // GROUP)
    if goal < 1:
        raise RolloutError(f"{trials} trials: at least one is needed")
    per_checker = searcher.evaluator.per_checker

    def make_result(reason: str, *, complete: bool) -> Rollout:
        return result_of(state, goal * GROUP, complete=complete, reason=reason, per_checker=per_checker)

    with ExitStack() as cleanup:
        local = executor is None
        if executor is None and (threads or count_cores()) > 1:
            executor = cleanup.enter_context(ThreadPoolExecutor(threads or count_cores(), thread_name_prefix="rollout"))
        work = OrderedResults(
            searcher, recipe, state.task, range(len(state.groups), goal), executor, local=local, stop=stop
        )
        cleanup.callback(work.close)
        if state.groups and (why := rule.reason(state)) is not None:
            return make_result(why, complete=True)
        try:
            for sums in work:
                state = replace(state, groups=(*state.groups, *sums))
                why = rule.reason(state)
                if progress is not None:
                    progress(make_result(why or "going on", complete=why is not None))
                if why is not None:
                    return make_result(why, complete=True)
        except Stopped as stopped:
            return make_result(str(stopped), complete=False)
        except KeyboardInterrupt:
            if not state.groups:
                raise
            return make_result("the rollout was interrupted", complete=False)
    return make_result("all trials played", complete=True)
