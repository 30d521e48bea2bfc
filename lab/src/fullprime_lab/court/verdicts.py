"""Verdicts of a court: what each judge found each play to be worth, kept in a file that grows line by line.

A line holds the verdict of one judge on some plays of one decision: ``{"id", "judge", "version", "trials", "plies",
"plays": {PLAY: [equity, standard error]}}``, PLAY the board after a play as it is written, or an action with the cube.
Several lines of one play are added up: each has trials of its own, on dice of its own. Plays that a contestant chose
and the stock leaves out come in later lines with ``"completed": true``.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from fullprime_lab.court.stock import CourtDecision
from fullprime_lab.measure.json_lines import LinesError, append_line, read_lines

NO_DOUBLE, DOUBLE_TAKE = "no double", "double, take"


class Worth(NamedTuple):
    """The worth of a play to the player who makes it, with the standard error of the trials and their number."""

    equity: float
    error: float
    trials: int

    def __add__(self, other: object) -> Worth:
        """The worth by the trials of both."""
        if not isinstance(other, Worth):
            return NotImplemented
        trials = self.trials + other.trials
        equity = (self.equity * self.trials + other.equity * other.trials) / trials
        error = math.hypot(self.error * self.trials, other.error * other.trials) / trials
        return Worth(equity, error, trials)


Judged = Mapping[str, Mapping[str, Worth]]
"""What judges found of the plays of one decision: by judge, by play."""


class JudgeNote(NamedTuple):
    """A judge as a file of verdicts names it: its version, and the plies behind our own plays."""

    version: str
    plies: int

    def __str__(self) -> str:
        return f"{self.version} ({self.plies} plies)"


def verdicts_beside(path: Path) -> Path:
    """The file of verdicts of a stock: ``court.verdicts.jsonl`` of ``court.jsonl``."""
    return path.with_suffix(f".verdicts{path.suffix}")


class Verdicts:
    """The verdicts of a file, and those that are added to it."""

    def __init__(self, path: Path) -> None:
        """Read what is there already. Raises LinesError."""
        self.path = path
        self.judges: dict[str, JudgeNote] = {}
        self._worths: dict[str, dict[str, dict[str, Worth]]] = {}
        self._completed: set[tuple[str, str]] = set()
        try:
            for line in read_lines(path):
                note, trials = JudgeNote(str(line["version"]), int(line["plies"])), int(line["trials"])
                plays = line["plays"].items()
                worths = {str(play): Worth(float(pair[0]), float(pair[1]), trials) for play, pair in plays}
                self._take(str(line["id"]), str(line["judge"]), note, worths, completed=bool(line.get("completed")))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise LinesError(f"{path}: no file of verdicts ({error!r})") from None

    def get_equities(self, name: str) -> Judged:
        """The equities of a decision by judge and play."""
        return self._worths.get(name, {})

    def is_completed(self, name: str, play: str) -> bool:
        """True for a play that the stock leaves out."""
        return (name, play) in self._completed

    def count_trials(self, decision: CourtDecision, judge: str) -> dict[str, int]:
        """The trials that a judge has of each play: of those of the stock, and of those completed."""
        worths = self.get_equities(decision.name).get(judge, {})
        plays = decision.candidates if decision.is_play else (NO_DOUBLE, DOUBLE_TAKE)
        return {play: worths[play].trials if play in worths else 0 for play in dict.fromkeys((*plays, *worths))}

    def add(
        self, name: str, judge: str, note: JudgeNote, worths: Mapping[str, Worth], *, completed: bool = False
    ) -> None:
        """Keep the verdict of some trials, as many for each play; it is on the disk when this returns."""
        (trials,) = {worth.trials for worth in worths.values()}
        plays = {play: [round(worth.equity, 5), round(worth.error, 5)] for play, worth in worths.items()}
        line = {"id": name, "judge": judge, **note._asdict(), "trials": trials, "plays": plays}
        append_line(self.path, line | {"completed": True} if completed else line)
        kept = {play: Worth(equity, error, trials) for play, (equity, error) in plays.items()}
        self._take(name, judge, note, kept, completed=completed)

    def _take(self, name: str, judge: str, note: JudgeNote, worths: Mapping[str, Worth], *, completed: bool) -> None:
        self.judges.setdefault(judge, note)
        earlier = self._worths.setdefault(name, {}).setdefault(judge, {})
        for play, worth in worths.items():
            earlier[play] = earlier[play] + worth if play in earlier else worth
        if completed:
            self._completed.update((name, play) for play in worths)


def loss_of_play(judged: Judged, judges: Collection[str], play: str) -> float | None:
    """What a play gives up against the best one by the mean of those judges who know it; None where none does."""
    knowing = [judged[judge] for judge in judges if play in judged.get(judge, {})]
    if not knowing:
        return None
    means = dict(_means(knowing))
    return max(means.values()) - means[play]


def worst_loss(judged: Judged, judges: Collection[str]) -> float | None:
    """What the worst play gives up of those that all of the judges know; None where there is none."""
    means = dict(_means([judged[judge] for judge in judges if judge in judged]))
    return max(means.values()) - min(means.values()) if means else None


def loss_of_cube(judged: Judged, judges: Collection[str], *, doubled: bool, taken: bool) -> float | None:
    """What doubling or not gives up, and what the answer does, by the mean of the judges; None where none judged."""
    means = dict(_means([judged[judge] for judge in judges if judge in judged]))
    if not means.keys() >= {NO_DOUBLE, DOUBLE_TAKE}:
        return None
    stay, take = means[NO_DOUBLE], means[DOUBLE_TAKE]
    worth = min(take, 1.0)
    return max(stay, worth) - (worth if doubled else stay) + (take if taken else 1.0) - worth


class Lead(NamedTuple):
    """How far the best play of a decision is ahead of the next one, by the mean of several judges."""

    mean: float
    spread: float
    """The standard deviation of the lead between the judges."""
    chance: float
    """That which the trials alone would make, were the judges of one opinion and their dice independent."""
    unanimous: bool
    """True where all judges put the same play first."""

    @property
    def is_agreed(self) -> bool:
        """True where all judges put the same play first and its lead is beyond its spread."""
        return self.unanimous and self.mean > self.spread


def lead_of(judged: Judged, plays: Sequence[str]) -> Lead | None:
    """The lead of the play that is best by the mean of the judges who know all plays; None for fewer than two judges.

    The chance in it takes the dice of two plays for independent. Judges who play them on the same dice have less.
    """
    knowing = [worths for worths in judged.values() if all(play in worths for play in plays)]
    if len(knowing) < 2:
        return None
    options = [_options(worths, plays) for worths in knowing]
    means = {option: statistics.fmean(equities[option] for equities in options) for option in options[0]}
    best, second = sorted(means, key=lambda option: -means[option])[:2]
    leads = [equities[best] - equities[second] for equities in options]
    variances = [worths[best].error ** 2 + worths[second].error ** 2 for worths in knowing]
    unanimous = len({max(equities, key=lambda option: equities[option]) for equities in options}) == 1
    return Lead(statistics.fmean(leads), statistics.stdev(leads), statistics.fmean(variances) ** 0.5, unanimous)


def _options(worths: Mapping[str, Worth], plays: Sequence[str]) -> dict[str, float]:
    """The equities of what the player who decides can do: with the cube, to wait, or to double against the answer."""
    equities = {play: worths[play].equity for play in plays}
    if DOUBLE_TAKE in equities:
        equities[DOUBLE_TAKE] = min(equities[DOUBLE_TAKE], 1.0)
    return equities


def _means(knowing: Sequence[Mapping[str, Worth]]) -> Iterator[tuple[str, float]]:
    """The mean equity of each play that all of the judges know."""
    if knowing:
        for play in knowing[0]:
            if all(play in worths for worths in knowing):
                yield play, statistics.fmean(worths[play].equity for worths in knowing)
