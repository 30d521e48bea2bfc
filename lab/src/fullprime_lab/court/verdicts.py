"""Verdicts of a court: what each judge found each play to be worth, kept in a file that grows line by line.

A line holds the verdict of one judge on some plays of one decision: ``{"id", "judge", "version", "trials", "plies",
"plays": {PLAY: [equity, standard error]}}``, PLAY the board after a play as it is written, or an action with the cube.
Plays that a contestant chose and the stock leaves out come in later lines with ``"completed": true``.
"""

from __future__ import annotations

import statistics
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from fullprime_lab.court.stock import CourtDecision
from fullprime_lab.measure.json_lines import LinesError, append_line, read_lines

NO_DOUBLE, DOUBLE_TAKE = "no double", "double, take"


class Worth(NamedTuple):
    """The worth of a play to the player who makes it, with the standard error of the trials."""

    equity: float
    error: float


Judged = Mapping[str, Mapping[str, Worth]]
"""What judges found of the plays of one decision: by judge, by play."""


class JudgeNote(NamedTuple):
    """A judge as a file of verdicts names it: its version, the trials of a play, and the plies behind our own plays."""

    version: str
    trials: int
    plies: int

    def __str__(self) -> str:
        return f"{self.version} ({self.trials} trials, {self.plies} plies)"


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
                note = JudgeNote(str(line["version"]), int(line["trials"]), int(line["plies"]))
                worths = {str(play): Worth(float(pair[0]), float(pair[1])) for play, pair in line["plays"].items()}
                self._take(str(line["id"]), str(line["judge"]), note, worths, completed=bool(line.get("completed")))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise LinesError(f"{path}: no file of verdicts ({error!r})") from None

    def get_equities(self, name: str) -> Judged:
        """The equities of a decision by judge and play."""
        return self._worths.get(name, {})

    def is_completed(self, name: str, play: str) -> bool:
        """True for a play that the stock leaves out."""
        return (name, play) in self._completed

    def missing(self, decision: CourtDecision, judge: str) -> list[str]:
        """The plays of the stock that a judge has not judged."""
        plays = decision.candidates if decision.is_play else (NO_DOUBLE, DOUBLE_TAKE)
        equities = self.get_equities(decision.name).get(judge, {})
        return [play for play in plays if play not in equities]

    def add(
        self, name: str, judge: str, note: JudgeNote, worths: Mapping[str, Worth], *, completed: bool = False
    ) -> None:
        """Keep a verdict; it is on the disk when this returns."""
        plays = {play: [round(worth.equity, 5), round(worth.error, 5)] for play, worth in worths.items()}
        line = {"id": name, "judge": judge, **note._asdict(), "plays": plays}
        append_line(self.path, line | {"completed": True} if completed else line)
        self._take(name, judge, note, {play: Worth(*pair) for play, pair in plays.items()}, completed=completed)

    def _take(self, name: str, judge: str, note: JudgeNote, worths: Mapping[str, Worth], *, completed: bool) -> None:
        self.judges.setdefault(judge, note)
        self._worths.setdefault(name, {}).setdefault(judge, {}).update(worths)
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


def do_agree(judged: Judged, plays: Sequence[str]) -> bool | None:
    """True where all judges put the same play first and its lead, on the mean, is beyond its spread between them.

    The spread is the standard deviation of the leads over the next play of the mean. None for fewer than two judges.
    """
    knowing = [worths for worths in judged.values() if all(play in worths for play in plays)]
    if len(knowing) < 2:
        return None
    options = [_options(worths, plays) for worths in knowing]
    if len({max(equities, key=lambda option: equities[option]) for equities in options}) > 1:
        return False
    means = {option: statistics.fmean(equities[option] for equities in options) for option in options[0]}
    best, second = sorted(means, key=lambda option: -means[option])[:2]
    leads = [equities[best] - equities[second] for equities in options]
    return statistics.fmean(leads) > statistics.stdev(leads)


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
