"""The schedule of cards by FSRS, and the grades that losses of equity earn."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime

from fsrs import Card, Rating, Scheduler, State

from fullprime.rules.errors import FullprimeError

RIGHT, NEARLY = 0.02, 0.05
"""An answer that costs less is right; one that costs less than the second is nearly right."""
QUICK = 6.0
"""Seconds within which a right answer counts as easy."""
RETENTION = 0.9
"""The share of cards that should be known when they come up."""

_SCHEDULER = Scheduler(desired_retention=RETENTION, enable_fuzzing=False)


class CardError(FullprimeError):
    """A card that is not there or cannot be, or an answer that is none."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The state of a card: the text in which it is stored, the time at which it is due, and if it has been learnt."""

    text: str
    due: datetime
    learnt: bool


def new_schedule(now: datetime) -> Schedule:
    """The schedule of a new card, due at once. Times are universal, without a zone."""
    return _schedule(Card(card_id=1, due=now.replace(tzinfo=UTC)))


def read_schedule(text: str) -> Schedule:
    """The inverse of :attr:`Schedule.text`; raises CardError."""
    return _schedule(_card(text))


def checked_schedule(text: str, now: datetime) -> Schedule:
    """A schedule from elsewhere, which must be one that an answer can go on from; raises CardError."""
    try:
        found = read_schedule(text)
        for grade in Rating:
            after_review(found.text, int(grade), now)
    except (ArithmeticError, AssertionError, TypeError, ValueError) as error:
        raise CardError(f"this is no schedule of a card ({error!r:.60})") from None
    return found


def grade_of(loss: float, seconds: float) -> int:
    """The grade of an answer by the equity it costs: 1 again, 2 hard, 3 good, 4 easy."""
    if loss >= NEARLY:
        return int(Rating.Again)
    if loss >= RIGHT:
        return int(Rating.Hard)
    return int(Rating.Easy if seconds < QUICK else Rating.Good)


def after_review(text: str, grade: int, now: datetime) -> Schedule:
    """The schedule after an answer; raises CardError for a schedule that is none."""
    card, _ = _SCHEDULER.review_card(_card(text), Rating(grade), now.replace(tzinfo=UTC))
    return _schedule(card)


def recall(text: str, now: datetime) -> float:
    """The chance that a card is known now."""
    return float(_SCHEDULER.get_card_retrievability(_card(text), now.replace(tzinfo=UTC)))


def _card(text: str) -> Card:
    try:
        return Card.from_json(text)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CardError(f"this is no schedule of a card ({error!r:.60})") from None


def _schedule(card: Card) -> Schedule:
    text = json.dumps(json.loads(card.to_json()), sort_keys=True)
    return Schedule(text, card.due.astimezone(UTC).replace(tzinfo=None), card.state is not State.Learning)
