"""The table of a court: what the choices of each contestant give up by family, judged by all engines but itself."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fullprime.engine.search.levels import level_named
from fullprime.rules.errors import FullprimeError
from fullprime_lab.court.families import FAMILIES
from fullprime_lab.court.judges import BGSAGE, GNUBG, OURS
from fullprime_lab.court.judging import Case
from fullprime_lab.court.stock import CourtDecision
from fullprime_lab.court.verdicts import (
    DOUBLE_TAKE,
    NO_DOUBLE,
    Lead,
    Verdicts,
    lead_of,
    loss_of_cube,
    loss_of_play,
    worst_loss,
)
from fullprime_lab.peers.players import Player
from fullprime_lab.peers.questions import write_board

ALL = "all"


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """A judge whose verdicts the table uses."""

    name: str
    """Its name."""
    version: str
    """Its version."""
    plies: int
    """The plies behind our own plays."""
    decisions: int
    """The decisions that it has judged."""
    trials: tuple[int, int]
    """The least and the most trials that a play of these has."""
    error: float
    """The standard error of a play by them, the root mean square."""


@dataclass(frozen=True, slots=True)
class FamilySpread:
    """How far the judges differ on the lead of the best play over the next one, in one family."""

    family: str
    """The family, or ``all``."""
    decisions: int
    """The decisions that two judges or more have judged."""
    agreed: int
    """Those of them on which the judges agree."""
    lead: float | None
    """The mean lead in points, by the mean of the judges; None where there is no decision."""
    spread: float | None
    """The standard deviation of the lead between the judges, the root mean square over the decisions."""
    chance: float | None
    """As much of it as the trials alone make, were the judges of one opinion."""


@dataclass(frozen=True, slots=True)
class FamilyLoss:
    """What a contestant's choices give up in one family."""

    family: str
    """The family, or ``all``."""
    decisions: int
    """The decisions it was asked about that another judge has judged as well."""
    loss: float | None
    """Mean loss in points; None where there is no such decision."""
    error: float | None
    """Its standard error over the decisions; None for fewer than two."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A contestant's line of the table."""

    name: str
    """What was typed for it."""
    judges: tuple[str, ...]
    """The judges by which it is judged: all but itself."""
    every: tuple[FamilyLoss, ...]
    """By family, over all decisions."""
    agreed: tuple[FamilyLoss, ...]
    """By family, over the decisions on which the judges agree."""
    completed: int
    """Decisions in which it chose a play that the stock leaves out and the judges judged then."""
    completed_loss: float
    """The share of its whole loss that is of those."""
    charged: int
    """Decisions in which its play is not judged and is charged what the worst one gives up."""


@dataclass(frozen=True, slots=True)
class CourtTable:
    """The table of a court."""

    stock: str
    """The file of decisions."""
    decisions: int
    """The decisions that it holds."""
    judged: int
    """Those of them that some judge has judged."""
    agreed: int
    """The decisions on which the judges agree: the same best play, and its lead is beyond the spread between them."""
    judges: tuple[JudgeLine, ...]
    """The judges."""
    spreads: tuple[FamilySpread, ...]
    """By family, how far the judges differ."""
    contestants: tuple[Contestant, ...]
    """The contestants, in the order in which they were named."""


Choice = str | tuple[bool, bool]
"""The board after a play as it is written; or whether to double, and whether to take."""


@dataclass(frozen=True)
class Entry:
    """A contestant and what it chose, by decision."""

    name: str
    program: str
    choices: dict[str, Choice]


def program_of(name: str) -> str:
    """The program behind a contestant, whose verdicts are not asked about it: a judge, or the name itself.

    A command is recognised by the names of its files and its words, not by the folders in which they lie.

    >>> [program_of(name) for name in ("1ply", "gnubg-nn:2", "bgsage:1ply", "engine: fullprime engine", "net.pt")]
    ['fullprime', 'gnubg', 'bgsage', 'fullprime', 'net.pt']
    >>> program_of("engine: /home/ann/fullprime/bin/gnubg --tty"), program_of("/home/ann/fullprime/net.pt")
    ('gnubg', '/home/ann/fullprime/net.pt')
    """
    words = [re.split(r"[/\\]", word)[-1] for word in name.lower().split()]
    program = next((program for program in (OURS, GNUBG, BGSAGE) if any(program in word for word in words)), None)
    if program is not None:
        return program
    try:
        level_named(name)
    except FullprimeError:
        return name
    return OURS


def make_entry(
    name: str,
    player: Player,
    decisions: Sequence[CourtDecision],
    progress: Callable[[str, int, int], None] = lambda _name, _done, _of: None,
) -> Entry:
    """Ask a contestant about every decision."""
    choices: dict[str, Choice] = {}
    for done, decision in enumerate(decisions):
        progress(name, done, len(decisions))
        after = player.play(decision) if decision.is_play else None
        answer = None if decision.is_play else player.cube(decision)
        if after is not None:
            choices[decision.name] = write_board(after)
        elif answer is not None:
            choices[decision.name] = answer
    progress(name, len(decisions), len(decisions))
    return Entry(name, program_of(name), choices)


def cases_to_complete(
    entries: Sequence[Entry], decisions: Sequence[CourtDecision], verdicts: Verdicts, judges: Collection[str]
) -> list[Case]:
    """The plays that a contestant chose and that judges of the decision have not judged."""
    cases = []
    for decision in (decision for decision in decisions if decision.is_play):
        chosen = [str(entry.choices[decision.name]) for entry in entries if decision.name in entry.choices]
        for judge, equities in verdicts.get_equities(decision.name).items():
            plays = tuple(play for play in dict.fromkeys(chosen) if play not in equities)
            if plays and judge in judges:
                trials = max(worth.trials for worth in equities.values())
                cases.append(Case(judge, decision, plays, trials, completed=True))
    return cases


def make_table(
    path: Path, decisions: Sequence[CourtDecision], verdicts: Verdicts, entries: Sequence[Entry]
) -> CourtTable:
    """The table, by the verdicts as they are."""
    leads = {decision.name: lead for decision in decisions if (lead := _lead(decision, verdicts)) is not None}
    agreed = {name for name, lead in leads.items() if lead.is_agreed}
    judges = tuple(_judge_line(name, decisions, verdicts) for name in verdicts.judges)
    contestants = tuple(_contestant(entry, decisions, verdicts, agreed) for entry in entries)
    judged = len(select_judged(decisions, verdicts))
    return CourtTable(path.name, len(decisions), judged, len(agreed), judges, _spreads(decisions, leads), contestants)


def select_judged(decisions: Sequence[CourtDecision], verdicts: Verdicts) -> list[CourtDecision]:
    """The decisions that some judge has judged: all about which contestants need to be asked."""
    return [decision for decision in decisions if verdicts.get_equities(decision.name)]


def _lead(decision: CourtDecision, verdicts: Verdicts) -> Lead | None:
    plays = decision.candidates if decision.is_play else (NO_DOUBLE, DOUBLE_TAKE)
    return lead_of(verdicts.get_equities(decision.name), plays)


def _judge_line(name: str, decisions: Sequence[CourtDecision], verdicts: Verdicts) -> JudgeLine:
    judged = [verdicts.get_equities(decision.name).get(name, {}) for decision in decisions]
    worths = [worth for plays in judged for worth in plays.values()]
    trials = [worth.trials for worth in worths]
    note = verdicts.judges[name]
    return JudgeLine(
        name,
        note.version,
        note.plies,
        sum(1 for plays in judged if plays),
        (min(trials, default=0), max(trials, default=0)),
        round(_root_mean_square([worth.error for worth in worths]), 6) if worths else 0.0,
    )


def _spreads(decisions: Sequence[CourtDecision], leads: Mapping[str, Lead]) -> tuple[FamilySpread, ...]:
    """A line for each family, and one for all of them together."""
    lines = []
    for family in (*FAMILIES, ALL):
        here = [
            leads[decision.name]
            for decision in decisions
            if decision.name in leads and family in (ALL, decision.family)
        ]
        lines.append(
            FamilySpread(
                family,
                len(here),
                sum(lead.is_agreed for lead in here),
                round(statistics.fmean(lead.mean for lead in here), 6) if here else None,
                round(_root_mean_square([lead.spread for lead in here]), 6) if here else None,
                round(_root_mean_square([lead.chance for lead in here]), 6) if here else None,
            )
        )
    return tuple(lines)


def _root_mean_square(numbers: Sequence[float]) -> float:
    return math.sqrt(statistics.fmean(number * number for number in numbers))


def _contestant(entry: Entry, decisions: Sequence[CourtDecision], verdicts: Verdicts, agreed: set[str]) -> Contestant:
    judges = tuple(judge for judge in verdicts.judges if judge != entry.program)
    losses: dict[str, float] = {}
    completed: list[float] = []
    charged = 0
    for decision in decisions:
        choice, judged = entry.choices.get(decision.name), verdicts.get_equities(decision.name)
        if isinstance(choice, tuple):
            loss = loss_of_cube(judged, judges, doubled=choice[0], taken=choice[1])
        else:
            loss = None if choice is None else loss_of_play(judged, judges, choice)
            if loss is None and choice is not None:
                loss = worst_loss(judged, judges)
                charged += loss is not None
            elif choice is not None and loss is not None and verdicts.is_completed(decision.name, choice):
                completed.append(loss)
        if loss is not None:
            losses[decision.name] = loss
    total = sum(losses.values())
    return Contestant(
        entry.name,
        judges,
        _by_family(decisions, losses),
        _by_family([decision for decision in decisions if decision.name in agreed], losses),
        len(completed),
        round(sum(completed) / total, 6) if total else 0.0,
        charged,
    )


def _by_family(decisions: Sequence[CourtDecision], losses: dict[str, float]) -> tuple[FamilyLoss, ...]:
    """A line for each family, and one for all of them together."""
    lines = []
    for family in (*FAMILIES, ALL):
        here = [
            losses[decision.name]
            for decision in decisions
            if decision.name in losses and family in (ALL, decision.family)
        ]
        loss = round(statistics.fmean(here), 6) if here else None
        error = round(statistics.stdev(here) / len(here) ** 0.5, 6) if len(here) > 1 else None
        lines.append(FamilyLoss(family, len(here), loss, error))
    return tuple(lines)
