"""Themes of errors: the sort of thing that went wrong, from the facts of the explanation, and their cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from fullprime.reviews.decision import NOTHING, XG, Decision, Kind, Thresholds, Verdict
from fullprime.reviews.reasons.facts import Fact, FactKind
from fullprime.reviews.reasons.features import Theme
from fullprime.reviews.reasons.plays import Chosen, choose, pair_of
from fullprime.rules.game import Game


class ErrorTheme(StrEnum):
    """The sort of an error, in words that follow a player's name."""

    ANCHOR_BROKEN = "breaks an anchor too early"
    ANCHOR_MISSED = "misses an anchor"
    POINT_BROKEN = "breaks a point"
    POINT_MISSED = "misses a point"
    PRIME = "gives up a prime"
    HIT_MISSED = "misses a hit"
    HIT_LOOSE = "hits when it costs too much"
    SHOTS = "leaves too many shots"
    SAFE = "plays too safely"
    BURIED = "buries checkers"
    STACKED = "stacks checkers"
    BACK = "leaves checkers back"
    BUILDERS = "brings too few builders"
    RETURNS = "leaves too few return shots"
    CLEARING = "clears badly"
    TIMING = "runs out of time"
    RACE = "races badly"
    OTHER_PLAY = "other plays"
    DOUBLES_LATE = "doubles too late"
    CASH_MISSED = "misses a cash"
    DOUBLES_EARLY = "doubles too early"
    TOO_GOOD = "doubles when too good"
    TAKES = "takes what is a drop"
    DROPS = "drops what is a take"
    OTHER_CUBE = "other cube actions"
    RESIGNATION = "resignations"


_PLAYS: dict[FactKind, ErrorTheme] = {
    FactKind.KEEPS: ErrorTheme.POINT_BROKEN,
    FactKind.MAKES: ErrorTheme.POINT_MISSED,
    FactKind.HITS: ErrorTheme.HIT_MISSED,
    FactKind.DANCES: ErrorTheme.HIT_MISSED,
    FactKind.PRIME: ErrorTheme.PRIME,
    FactKind.SHOTS: ErrorTheme.SHOTS,
    FactKind.RISK: ErrorTheme.SHOTS,
    FactKind.DEEP: ErrorTheme.BURIED,
    FactKind.STACK: ErrorTheme.STACKED,
    FactKind.BACK: ErrorTheme.BACK,
    FactKind.BUILDERS: ErrorTheme.BUILDERS,
    FactKind.RETURNS: ErrorTheme.RETURNS,
    FactKind.OPENS: ErrorTheme.CLEARING,
    FactKind.TIMING: ErrorTheme.TIMING,
    FactKind.ESCAPES: ErrorTheme.BACK,
    FactKind.TWICE: ErrorTheme.SHOTS,
}
_ANCHORS = {ErrorTheme.POINT_BROKEN: ErrorTheme.ANCHOR_BROKEN, ErrorTheme.POINT_MISSED: ErrorTheme.ANCHOR_MISSED}
_CUBES = (
    ("missed double, cash", ErrorTheme.CASH_MISSED),
    ("missed redouble, cash", ErrorTheme.CASH_MISSED),
    ("missed double", ErrorTheme.DOUBLES_LATE),
    ("missed redouble", ErrorTheme.DOUBLES_LATE),
    ("wrong double, too good", ErrorTheme.TOO_GOOD),
    ("wrong redouble, too good", ErrorTheme.TOO_GOOD),
    ("wrong double", ErrorTheme.DOUBLES_EARLY),
    ("wrong redouble", ErrorTheme.DOUBLES_EARLY),
    ("wrong take", ErrorTheme.TAKES),
    ("wrong drop", ErrorTheme.DROPS),
)
"""The beginnings of the names of cube errors, the longer before the shorter."""


def theme_of(decision: Decision, game: Game) -> ErrorTheme | None:
    """The theme of an error; None for a decision that lost nothing. The game is that before the decision."""
    if decision.loss <= NOTHING:
        return None
    if decision.kind is Kind.RESIGNATION:
        return ErrorTheme.RESIGNATION
    if decision.kind in (Kind.DOUBLE, Kind.TAKE):
        return next((theme for name, theme in _CUBES if decision.mistake.startswith(name)), ErrorTheme.OTHER_CUBE)
    pair = pair_of(decision, game)
    if pair is None:
        return ErrorTheme.OTHER_PLAY
    if pair.is_race:
        return ErrorTheme.RACE
    return _of_facts(choose(pair, decision.loss))


def _of_facts(chosen: Chosen) -> ErrorTheme:
    if not chosen.reasons:
        return ErrorTheme.OTHER_PLAY
    reason, against = chosen.reasons[0], chosen.against
    found = _PLAYS.get(reason.kind, ErrorTheme.OTHER_PLAY)
    if against is not None and against.kind is FactKind.HITS and found is ErrorTheme.SHOTS:
        return ErrorTheme.HIT_LOOSE
    if against is not None and against.kind is FactKind.SHOTS and _weighty(against, reason):
        return ErrorTheme.SAFE
    return _ANCHORS.get(found, found) if reason.theme is Theme.ANCHOR else found


def _weighty(against: Fact, reason: Fact) -> bool:
    return -against.size >= reason.size / 2


@dataclass(frozen=True, slots=True)
class ThemeTotal:
    """The errors of one theme: how many, and the equity that they cost."""

    theme: ErrorTheme
    times: int
    cost: float

    def __str__(self) -> str:
        times = "once" if self.times == 1 else f"{self.times} times"
        return f"{self.theme}: {times}, {self.cost:.3f}"


def theme_totals(errors: Iterable[tuple[Decision, Game]], thresholds: Thresholds = XG) -> list[ThemeTotal]:
    """The errors and blunders among decisions by theme, the costliest first; plays too close to call count nowhere."""
    found: dict[ErrorTheme, list[float]] = {}
    for decision, game in errors:
        if decision.counts and decision.verdict(thresholds) in (Verdict.DOUBTFUL, Verdict.ERROR, Verdict.BLUNDER):
            theme = theme_of(decision, game)
            if theme is not None:
                found.setdefault(theme, []).append(decision.loss)
    totals = [ThemeTotal(theme, len(losses), sum(losses)) for theme, losses in found.items()]
    return sorted(totals, key=lambda each: (-each.cost, each.theme))
