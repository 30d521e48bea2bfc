"""The theme of an error, from the facts of its explanation, and what the errors of each theme cost."""

from __future__ import annotations

from fullprime.reviews.decision import NOTHING, Decision, Kind
from fullprime.reviews.error_themes import ErrorTheme
from fullprime.reviews.reasons.facts import Fact, FactKind
from fullprime.reviews.reasons.features import Topic
from fullprime.reviews.reasons.plays import Chosen, choose, pair_of
from fullprime.rules.game import Game

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
    FactKind.FREE: ErrorTheme.BUILDERS,
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
    return _theme_of_facts(choose(pair, decision.loss))


def _theme_of_facts(chosen: Chosen) -> ErrorTheme:
    if not chosen.reasons:
        return ErrorTheme.OTHER_PLAY
    reason, against = chosen.reasons[0], chosen.against
    theme = _PLAYS.get(reason.kind, ErrorTheme.OTHER_PLAY)
    if against is not None and against.kind is FactKind.HITS and theme is ErrorTheme.SHOTS:
        return ErrorTheme.HIT_LOOSE
    if against is not None and against.kind is FactKind.SHOTS and _weighty(against, reason):
        return ErrorTheme.SAFE
    return _ANCHORS.get(theme, theme) if reason.theme is Topic.ANCHOR else theme


def _weighty(against: Fact, reason: Fact) -> bool:
    return -against.size >= reason.size / 2
