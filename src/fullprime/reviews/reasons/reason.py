"""A reason as a value: the kind of a fact and its numbers, without words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from fullprime.reviews.reasons.facts import Fact, FactKind
from fullprime.rules.dice import Roll


class CubeFactKind(StrEnum):
    """Kinds of facts about the board before a cube action."""

    LEAD = "lead"
    """Pips by which the side is ahead."""
    BAR = "bar"
    """The other side's checkers on the bar."""
    HITS = "rolls that hit"
    """The doubler's rolls that hit outside the home board."""
    PRIME = "points in a row"
    """Points in a row with a checker of the other side behind."""
    BOARD = "home points"
    """Points of the home board."""
    ANCHOR = "anchor"
    """The opponent's most advanced anchor, by his own number of the point."""
    SAFE = "safe"
    """No roll of the doubler hits."""


class FigureKind(StrEnum):
    """Kinds of figures of the engine."""

    WINS = "wins"
    """Chances to win: the difference, above 0 in favour of the better choice; so for the following four."""
    GAMMONS_WON = "gammons won"
    BACKGAMMONS_WON = "backgammons won"
    GAMMONS_LOST = "gammons lost"
    BACKGAMMONS_LOST = "backgammons lost"
    REPLIES = "replies"
    """The share of the difference that the ``rolls`` of the opponent make up."""
    DOUBLING_POINT = "doubling point"
    """The doubler's chance to win, and that from which a double is right."""
    TAKE_POINT = "take point"
    """The chance to win of the player who is doubled, and that from which a take is right."""
    MARKET_LOSERS = "market losers"
    """The share of the next exchanges after which a double would be a drop."""
    LAST_POINT = "last point"
    """The points that the doubler needs, while the opponent needs the one beside it."""
    DOUBLING = "doubling"
    """The equity of doubling, and that of waiting."""
    PLAYING_ON = "playing on"
    """The equity of playing on without a double, and that of a drop."""
    GAMMON_SHARE = "gammon share"
    """The share of gammons among the games that the doubler wins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A fact or a figure on which a sentence about a decision rests."""

    kind: FactKind | CubeFactKind | FigureKind
    """The kind of the fact, which says what the numbers are."""
    favours: Literal["best", "other"] = "best"
    """The choice for which it speaks; one that speaks for the other is conceded."""
    value: float
    """The number: of a fact about a play that after the better one."""
    beside: float | None = None
    """The number beside it: of a fact about a play that after the other one; null where there is none."""
    point: int | None = None
    """The point that it is about, seen by the player who decides; null for none."""
    rolls: tuple[Roll, ...] = ()
    """The rolls of the opponent that it is about."""


def to_reason(fact: Fact) -> Reason:
    """The value of a fact about two plays."""
    return Reason(
        kind=fact.kind,
        favours="best" if fact.size > 0 else "other",
        value=fact.best,
        beside=fact.played,
        point=fact.point or None,
    )


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and the reasons that stand in it; empty where nothing is sure."""

    text: str = ""
    reasons: tuple[Reason, ...] = ()
