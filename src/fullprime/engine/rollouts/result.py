"""Results of rollouts: means, honest standard errors, and the state from which a rollout can go on.

Group by group the sums are kept, in their order, so that a rollout that was stopped and taken up again, or was played
by many workers, has the same numbers to the last bit as one that went straight through.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from fullprime.common.atomic_write import atomic_write
from fullprime.common.json_values import JsonFields, NanAsNull, json_names
from fullprime.engine.cube.action import CubeDecision, decision_from
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.cube.met import MatchEquityTable
from fullprime.engine.cube.probabilities import chances_text
from fullprime.engine.rollouts.dice import GROUP
from fullprime.engine.rollouts.task import COLUMNS, Start, Sums, Task, TrialPolicy
from fullprime.rules import late_binding
from fullprime.rules.errors import FullprimeError
from fullprime.rules.printing import Record, html_table
from fullprime.rules.taking import real_number, short_value, to_integer
from fullprime.rules.words import format_signed

Floats = npt.NDArray[np.float64]
Shares = tuple[NanAsNull, NanAsNull, NanAsNull, NanAsNull, NanAsNull]
"""Of the ends of the games: win, win a gammon or more, a backgammon or more, lose a gammon or more, a backgammon."""

FORMAT = 1
"""Version of the JSON form of a state."""
FEW = 9
"""With fewer groups than this the spread of single trials gives the standard errors, else that of the groups."""

NO_DOUBLE, DOUBLE_TAKE = "no double", "double, take"
DOUBLE_BEAVER, DOUBLE_RACCOON = "double, beaver", "double, beaver, raccoon"


class RolloutError(FullprimeError):
    """A rollout that cannot be made or continued."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RolloutState:
    """The trials that a rollout has played so far, with which it can go on. ``nets`` judged the positions."""

    task: Task
    nets: tuple[str, ...]
    groups: tuple[Sums, ...] = ()

    def __repr__(self) -> str:
        return f"RolloutState.from_json({self.to_json()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RolloutState) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.task, self.nets, len(self.groups)))

    @property
    def trials(self) -> int:
        """Trials played so far, of each candidate."""
        return GROUP * len(self.groups)

    def only(self, places: Sequence[int]) -> RolloutState:
        """The state reduced to some candidates, by their places: the others get no more trials."""
        indexes = list(places)
        groups = tuple(
            Sums(sums.first[indexes], sums.second[indexes], sums.cross[np.ix_(indexes, indexes)])
            for sums in self.groups
        )
        starts = tuple(self.task.starts[index] for index in indexes)
        return replace(self, task=replace(self.task, starts=starts), groups=groups)

    def to_json(self) -> str:
        """The state as text; numbers keep all their digits. Raises RolloutError for an unknown match equity table."""
        for context in (self.task.context, *(start.context for start in self.task.starts)):
            if context.table != _find_shipped(context.table.name):
                raise RolloutError(f"match equity table {context.table.name!r}: only the package's own can be stored")
        stored = {
            "format": FORMAT,
            "nets": list(self.nets),
            "context": _context_out(self.task.context),
            "conduct": {field.name: getattr(self.task.policy, field.name) for field in fields(TrialPolicy)},
            "starts": [
                {
                    "name": start.name,
                    "action": start.action,
                    "row": np.frombuffer(start.row, np.int8).tolist(),
                    "theirs": start.theirs,
                    "context": _context_out(start.context),
                    "settled": start.settled,
                }
                for start in self.task.starts
            ],
            "groups": [[_numbers(part) for part in sums] for sums in self.groups],
        }
        return json.dumps(stored, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> RolloutState:
        """Read the output of :meth:`to_json`. Raises RolloutError for anything else."""
        try:
            stored = json.loads(text)
            if stored["format"] != FORMAT:
                raise RolloutError(f"a rollout of format {stored['format']}, this is {FORMAT}")
            starts = tuple(
                Start(
                    name=start["name"],
                    action=start["action"],
                    row=np.array(start["row"], np.int8).tobytes(),
                    theirs=start["theirs"],
                    context=_read_context(start["context"]),
                    settled=start["settled"],
                )
                for start in stored["starts"]
            )
            task = Task(starts, _read_context(stored["context"]), _read_policy(stored["conduct"]))
            groups = tuple(Sums(*(np.array(part, np.float64) for part in sums)) for sums in stored["groups"])
            count = len(starts)
            if any(sums.first.shape != (count, COLUMNS) or sums.cross.shape != (count, count) for sums in groups):
                raise RolloutError("the sums of a stored rollout do not fit its candidates")
            return cls(task, tuple(stored["nets"]), groups)
        except (KeyError, TypeError, ValueError) as error:
            raise RolloutError(f"not a stored rollout: {error!r}") from None

    def save(self, path: Path) -> None:
        """Write the state into a file, which appears whole or not at all. Raises RolloutError where it cannot be."""
        try:
            atomic_write(path, self.to_json())
        except OSError as error:
            raise RolloutError(f"{path} cannot be written: {error.strerror}") from None

    @classmethod
    def load(cls, path: Path) -> RolloutState:
        """Read a file that :meth:`save` wrote. Raises RolloutError."""
        try:
            return cls.from_json(path.read_text("utf-8"))
        except OSError as error:
            raise RolloutError(f"{path}: {error.strerror}") from None


def _numbers(part: Floats) -> list[list[float | None]]:
    """Rows of numbers, None for those that are not known."""
    return [[None if math.isnan(number) else number for number in row] for row in part.tolist()]


def _context_out(context: CubeContext) -> Mapping[str, object]:
    stored = {field.name: getattr(context, field.name) for field in fields(context)}
    return stored | {"owner": context.owner and context.owner.value, "table": context.table.name}


def _read_context(stored: Mapping[str, Any]) -> CubeContext:
    owner, away = stored["owner"], stored["away"]
    changed = {
        "owner": None if owner is None else CubeOwner(owner),
        "away": None if away is None else (int(away[0]), int(away[1])),
        "table": _find_shipped(stored["table"]),
    }
    return CubeContext(**{**stored, **changed})


def _read_policy(stored: Mapping[str, Any]) -> TrialPolicy:
    return TrialPolicy(**{**stored, "opening": tuple(int(ply) for ply in stored.get("opening", ()))})


def _find_shipped(name: str) -> MatchEquityTable | None:
    try:
        return MatchEquityTable.named(name)
    except FullprimeError:
        return None


class TrialStatistics:
    """Means and standard errors of the groups of trials played so far.

    Columns are those of the trials: five outputs, cubeless equity, value with the cube.
    """

    def __init__(self, task: Task, groups: tuple[Sums, ...]) -> None:
        self.column = 6 if task.policy.cubeful else 5
        self.count = len(groups)
        self.freedom = self.count - 1 if self.count >= FEW else self.count * (GROUP - 1)
        """Degrees of freedom of the standard errors."""
        self._first = np.stack([sums.first for sums in groups])
        self._second = np.stack([sums.second for sums in groups])
        self._cross = np.stack([sums.cross for sums in groups])
        self.means: Floats = self._first.mean(axis=0)

    @cached_property
    def errors(self) -> Floats:
        """Standard errors (candidates, columns) of the means."""
        if self.count >= FEW:
            return np.asarray(self._first.std(axis=0, ddof=1) / math.sqrt(self.count))
        return np.asarray(np.sqrt(self._second.sum(axis=0) / self.freedom / (GROUP * self.count)))

    @cached_property
    def covariance(self) -> Floats:
        """Covariances (candidates, candidates) of the decisive means by the spread of single trials: of many degrees
        of freedom from the first group on, and a little too large, since stratified dice make the means better.
        """
        cross = np.asarray(self._cross.sum(axis=0))
        return cross / (self.count * (GROUP - 1)) / (GROUP * self.count)

    def joint_error(self, first: int, second: int) -> float:
        """Standard error of the difference between two candidates, who met the same dice."""
        if self.count >= FEW:
            apart = self._first[:, first, self.column] - self._first[:, second, self.column]
            return float(apart.std(ddof=1)) / math.sqrt(self.count)
        cross = self._cross.sum(axis=0)
        spread = cross[first, first] + cross[second, second] - 2 * cross[first, second]
        return math.sqrt(max(0.0, float(spread)) / self.freedom / (GROUP * self.count))


@dataclass(frozen=True, slots=True)
class RolledPlay:
    """The figures of one candidate, to the player who has the choice; each with its standard error over the trials.

    A figure of which nothing is known yet is NaN, and None in JSON.
    """

    __json__: ClassVar[JsonFields] = json_names(
        "rank", "name", "equity", "error", "interval", "loss", "loss_error", "cubeless", "cubeless_error", "value",
        "value_error", "probabilities", "probability_errors", interval="interval_95",
    )  # fmt: skip

    rank: int
    """1 for the greatest equity."""
    index: int
    """Its place among the candidates as they were given."""
    name: str
    """The play, or the action with the cube."""
    action: str | None
    probabilities: Shares
    """The shares of the ends of the games."""
    probability_errors: Shares
    """Their standard errors."""
    cubeless: NanAsNull
    """Equity without the cube."""
    cubeless_error: NanAsNull
    """The standard error of that equity."""
    cubeful: float | None
    """Equity with the cube, in units of the cube before the choice; None in a rollout without cube."""
    cubeful_error: float | None
    value: NanAsNull
    """Points of the stake, or the chance to win the match."""
    value_error: NanAsNull
    """The standard error of that value."""
    loss: NanAsNull
    """Equity short of the candidate ranked first."""
    loss_error: NanAsNull
    """Joint standard error of that difference: the candidates met the same dice."""
    freedom: int
    """Degrees of freedom of the errors."""

    @property
    def equity(self) -> NanAsNull:
        """The cubeful equity where the cube was in play, else the cubeless one."""
        return self.cubeless if self.cubeful is None else self.cubeful

    @property
    def error(self) -> NanAsNull:
        """Standard error of the equity."""
        return self.cubeless_error if self.cubeful_error is None else self.cubeful_error

    @property
    def interval_95(self) -> tuple[NanAsNull, NanAsNull]:
        """The 95 % interval of the equity."""
        return self.interval()

    def record(self) -> Record:
        """One row of a table, with the ends of the 95 % interval."""
        low, high = self.interval()
        return {
            "rank": self.rank, "name": self.name, "equity": self.equity, "error": self.error, "low": low, "high": high,
            "loss": self.loss, "loss_error": self.loss_error, "cubeless": self.cubeless,
            "cubeless_error": self.cubeless_error, "value": self.value, "value_error": self.value_error,
        }  # fmt: skip

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The interval of the equity with this confidence, by Student's distribution.

        Raises RolloutError for a confidence that is not between 0 and 1.
        """
        chance = real_number(confidence)
        if chance is None or not 0 < chance < 1:
            raise RolloutError(f"confidence: {short_value(confidence)} is no number between 0 and 1")
        reach = student_quantile(0.5 + 0.5 * chance, self.freedom) * self.error
        return self.equity - reach, self.equity + reach


@dataclass(frozen=True, slots=True)
class Rollout:
    """The candidates, the best first, and the progress of the rollout. ``asked``: the most trials it was to play."""

    __json__: ClassVar[JsonFields] = json_names(
        "trials", "asked", "complete", "reason", "per_checker", merged=["context", "policy"],
        candidates="rolled",
    )  # fmt: skip

    rolled: tuple[RolledPlay, ...]
    """The candidates, the best first."""
    state: RolloutState
    asked: int
    """The most trials that it was to play."""
    complete: bool
    """True if it played all its trials or ended by its own rule; False for one that was stopped."""
    reason: str
    """The reason why it ended (or that it goes on), in words."""
    per_checker: bool = False
    """True if equities are checkers, in a game that settles by them."""

    @property
    def trials(self) -> int:
        """Trials played, of each candidate."""
        return self.state.trials

    @property
    def context(self) -> CubeContext:
        """The cube and the score that the equities were made for."""
        return self.state.task.context

    @property
    def policy(self) -> TrialPolicy:
        """The policy by which the trials are played."""
        return self.state.task.policy

    @property
    def best(self) -> RolledPlay:
        """The candidate with the greatest equity."""
        return self.rolled[0]

    def records(self) -> list[Record]:
        """One row for each candidate, in the form that pandas and polars take as it is."""
        return [candidate.record() for candidate in self.rolled]

    def _repr_html_(self) -> str:
        """The table and its picture in a notebook."""
        return f"{late_binding.notebook_picture(self)}{html_table(self.records(), f'{self.trials:,} trials')}"

    def of(self, index: int) -> RolledPlay:
        """A candidate by its place among those given, from 0. Raises RolloutError where there is none."""
        number = to_integer("index", index, 0, len(self.rolled) - 1, RolloutError)
        return next(candidate for candidate in self.rolled if candidate.index == number)

    @property
    def decision(self) -> CubeDecision:
        """The cube decision, of a rollout of cube actions. Raises RolloutError for another one."""
        by_action = {candidate.action: candidate for candidate in self.rolled}
        if NO_DOUBLE not in by_action:
            raise RolloutError("this is no rollout of cube actions")
        nothing = float("nan")
        return decision_from(
            np.array(by_action[NO_DOUBLE].probabilities),
            self.state.task.context,
            by_action[NO_DOUBLE].equity,
            by_action[DOUBLE_TAKE].equity if DOUBLE_TAKE in by_action else nothing,
            by_action[DOUBLE_BEAVER].equity if DOUBLE_BEAVER in by_action else nothing,
            by_action[DOUBLE_RACCOON].equity if DOUBLE_RACCOON in by_action else nothing,
            cubeless=by_action[NO_DOUBLE].cubeless,
        )

    def __str__(self) -> str:
        policy = self.state.task.policy
        width = max(len(candidate.name) for candidate in self.rolled)
        cuts = "to the end" if policy.truncate is None else f"cut after {policy.truncate} plies"
        cube = "cubeful" if policy.cubeful else "cubeless"
        luck = "luck taken out" if policy.variance_reduction else "luck left in"
        first = "".join(f"{ply}, " for ply in policy.opening) + ("then " if policy.opening else "")
        played = f"{self.trials:,} of {self.asked:,} trials, {cuts}, {first}{policy.ply}-ply plays"
        lines = [f"{played}, {cube}, {luck}, seed {policy.seed}; {self.reason}"]
        for candidate in self.rolled:
            match = ""
            if self.state.task.context.is_match and policy.cubeful:
                match = f"  {100 * candidate.value:.2f} % ± {100 * candidate.value_error:.2f}"
            loss = f"  ({format_signed(-candidate.loss, 4)} ± {candidate.loss_error:.4f})" if candidate.rank > 1 else ""
            equity = format_signed(candidate.equity, 4)
            lines.append(
                f"{candidate.rank:>3}. {candidate.name:<{width}}  {equity} ± {candidate.error:.4f}{match}{loss}"
            )
            lines.append(f"     {chances_text(candidate.probabilities, self.per_checker)}")
            if candidate.cubeful is not None:
                lines.append(f"     cubeless {format_signed(candidate.cubeless, 4)} ± {candidate.cubeless_error:.4f}")
        return "\n".join(lines)


def result_of(state: RolloutState, goal: int, *, complete: bool, reason: str, per_checker: bool = False) -> Rollout:
    """The statistics of a state. Raises RolloutError where nothing has been played yet."""
    if not state.groups:
        raise RolloutError("the rollout was stopped before its first trials were played")
    task, statistics = state.task, TrialStatistics(state.task, state.groups)
    cubeful = task.policy.cubeful
    unit = _unit(task.context) if cubeful else 1.0
    decisive = statistics.means[:, statistics.column]
    order = np.argsort(-decisive, kind="stable").tolist()
    rolled: list[RolledPlay] = []
    for rank, index in enumerate(order, start=1):
        start, means, errors = task.starts[index], statistics.means[index].tolist(), statistics.errors[index].tolist()
        rolled.append(
            RolledPlay(
                rank=rank,
                index=index,
                name=start.name,
                action=start.action,
                probabilities=(means[0], means[1], means[2], means[3], means[4]),
                probability_errors=(errors[0], errors[1], errors[2], errors[3], errors[4]),
                cubeless=means[5],
                cubeless_error=errors[5],
                cubeful=float(task.context.equity(means[6])) if cubeful else None,
                cubeful_error=errors[6] / unit if cubeful else None,
                value=means[6] if cubeful else means[5],
                value_error=errors[6] if cubeful else errors[5],
                loss=float(decisive[order[0]] - decisive[index]) / unit,
                loss_error=statistics.joint_error(order[0], index) / unit if rank > 1 else 0.0,
                freedom=statistics.freedom,
            )
        )
    return Rollout(tuple(rolled), state, goal, complete, reason, per_checker)


def _unit(context: CubeContext) -> float:
    """Values in one point of equity."""
    return float(context.value(1.0)) - float(context.value(0.0))


def student_quantile(part: float, freedom: int) -> float:
    """The quantile of Student's distribution, by its expansion in 1 / freedom (Fisher and Cornish, 1960).

    >>> round(student_quantile(0.975, 8), 3), round(student_quantile(0.975, 1000), 3)
    (2.306, 1.962)
    """
    z = NormalDist().inv_cdf(part)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom**power for power, term in enumerate(terms, start=1)))
