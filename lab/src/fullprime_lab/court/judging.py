"""Judging: every judge on every decision, in as many processes as one likes; a run that was stopped goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context
from typing import NamedTuple

from fullprime_lab.court.judges import OURS, Judge, JudgeError, Plays, judge_named, verdict_of
from fullprime_lab.court.stock import CourtDecision
from fullprime_lab.court.verdicts import JudgeNote, Verdicts

Progress = Callable[[str, int, int], None]
"""Called with a judge, the decisions it has judged in this run, and those it had to judge."""


FIRST, TIMES = 36, 3
"""Trials of each play in the first pass over a stock, and how many times as many it has after each further one."""


class Case(NamedTuple):
    """Plays of a decision that a judge rolls out with ``trials`` trials, after those of earlier cases."""

    judge: str
    decision: CourtDecision
    plays: tuple[str, ...]
    trials: int
    earlier: int = 0
    completed: bool = False
    """True for plays that the stock leaves out."""


def make_notes(judges: Sequence[str], plies: int) -> dict[str, JudgeNote]:
    """How the judges will work, by name. Raises JudgeError for one that is not there."""
    return {name: JudgeNote(_open_judge(name, plies).version, plies * (name == OURS)) for name in judges}


def notes_as_before(verdicts: Verdicts, judges: Sequence[str]) -> dict[str, JudgeNote]:
    """How those of the judges work, by name, that are in the version of the verdicts: our nets, say, may be newer."""
    notes = {name: note for name, note in verdicts.judges.items() if name in judges}
    return {name: note for name, note in notes.items() if make_notes([name], note.plies)[name] == note}


def find_missing_cases(
    verdicts: Verdicts, decisions: Sequence[CourtDecision], judges: Sequence[str], trials: int
) -> list[Case]:
    """The cases that are missing until each judge has ``trials`` trials of each play of a stock.

    The cases pass over the whole stock, decision by decision, before any decision gets further trials: 36, 108, 324 and
    so on. A run that is stopped anywhere has judged all families alike.
    """
    counts = {
        (decision.name, judge): verdicts.count_trials(decision, judge) for decision in decisions for judge in judges
    }
    cases = []
    for goal in _goals(trials):
        for decision in decisions:
            for judge in judges:
                here = counts[decision.name, judge]
                for earlier in sorted({count for count in here.values() if count < goal}):
                    plays = tuple(play for play, count in here.items() if count == earlier)
                    cases.append(Case(judge, decision, plays, goal - earlier, earlier))
                here.update({play: max(count, goal) for play, count in here.items()})
    return cases


def _goals(trials: int) -> list[int]:
    """The trials of a play after each pass."""
    goals = [FIRST]
    while goals[-1] < trials:
        goals.append(goals[-1] * TIMES)
    return [goal for goal in goals if goal < trials] + [trials]


def judge_cases(
    verdicts: Verdicts,
    cases: Sequence[Case],
    notes: dict[str, JudgeNote],
    jobs: int = 1,
    progress: Progress = lambda _judge, _done, _of: None,
) -> None:
    """Judge the cases, each judge as its note says; each verdict is on the disk at once.

    Raises JudgeError where the file has verdicts that the judge made in another way.
    """
    for name, note in notes.items():
        earlier = verdicts.judges.get(name, note)
        if earlier != note:
            raise JudgeError(f"{verdicts.path} has verdicts of {earlier}; now they would be of {note}")
    there_are = {name: sum(case.judge == name for case in cases) for name in notes}
    done = dict.fromkeys(notes, 0)
    for case, worths in _judge_all(cases, notes, jobs):
        if worths:
            verdicts.add(case.decision.name, case.judge, notes[case.judge], worths, completed=case.completed)
        done[case.judge] += 1
        progress(case.judge, done[case.judge], there_are[case.judge])


def _judge_all(cases: Sequence[Case], notes: dict[str, JudgeNote], jobs: int) -> Iterator[tuple[Case, Plays]]:
    if jobs == 1 or len(cases) < 2:
        for case in cases:
            yield case, _judge(case, notes[case.judge])
        return
    with ProcessPoolExecutor(min(jobs, len(cases)), get_context("spawn")) as pool:
        try:
            futures: dict[Future[Plays], Case] = {pool.submit(_judge, case, notes[case.judge]): case for case in cases}
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)


@cache
def _open_judge(name: str, plies: int) -> Judge:
    """One judge of a kind in a process."""
    return judge_named(name, plies)


def _judge(case: Case, note: JudgeNote) -> Plays:
    return verdict_of(_open_judge(case.judge, note.plies), case.decision, case.plays, case.trials, case.earlier)
