"""The schedule of cards by FSRS, and the grades that losses of equity earn."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from fullprime.rules.errors import FullprimeError, MissingExtra

if TYPE_CHECKING:
    from fsrs import Card, Scheduler

RIGHT, NEARLY = 0.02, 0.05
"""An answer that costs less than the first is right; one that costs less than the second is nearly right."""
QUICK = 6.0
"""Seconds within which a right answer counts as easy."""
RETENTION = 0.9
"""The share of cards that should be known when they come up."""
AGAIN, HARD, GOOD, EASY = GRADES = (1, 2, 3, 4)
"""The grades of an answer, as FSRS numbers them."""


class CardError(FullprimeError):
    """A missing or impossible card, or an answer that cannot be read."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The schedule of a card: the text in which it is stored, the time when it is due, and whether it is learnt."""

    text: str
    due: datetime
    learnt: bool


def new_schedule(now: datetime) -> Schedule:
    """The schedule of a new card, due at once. Times are universal, without a zone."""
    load_scheduler()
    from fsrs import Card

    return _schedule(Card(card_id=1, due=now.replace(tzinfo=UTC)))


def read_schedule(text: str) -> Schedule:
    """The inverse of :attr:`Schedule.text`; raises CardError."""
    return _schedule(_card(text))


def check_schedule(text: str, now: datetime) -> Schedule:
    """Check a schedule from elsewhere, which the next answer must be able to continue; raises CardError."""
    try:
        schedule = read_schedule(text)
        for grade in GRADES:
            after_review(schedule.text, grade, now)
    except (ArithmeticError, AssertionError, TypeError, ValueError) as error:
        raise CardError(f"this is no schedule of a card ({error!r:.60})") from None
    return schedule


def grade_of(loss: float, seconds: float) -> int:
    """The grade of an answer by the equity it costs: 1 again, 2 hard, 3 good, 4 easy."""
    if loss >= NEARLY:
        return AGAIN
    if loss >= RIGHT:
        return HARD
    return EASY if seconds < QUICK else GOOD


def after_review(text: str, grade: int, now: datetime) -> Schedule:
    """The schedule after an answer; raises CardError for a text that is no schedule."""
    scheduler = load_scheduler()
    from fsrs import Rating

    card, _ = scheduler.review_card(_card(text), Rating(grade), now.replace(tzinfo=UTC))
    return _schedule(card)


@cache
def load_scheduler() -> Scheduler:
    """The scheduler, with the library it is from; raises MissingExtra where it is not installed."""
    try:
        from fsrs import Scheduler
    except ModuleNotFoundError:
        raise MissingExtra("the schedule of cards", "library", "fsrs") from None
    return Scheduler(desired_retention=RETENTION, enable_fuzzing=False)


def _card(text: str) -> Card:
    load_scheduler()
    from fsrs import Card

    try:
        return Card.from_json(text)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CardError(f"this is no schedule of a card ({error!r:.60})") from None


def _schedule(card: Card) -> Schedule:
    from fsrs import State

    text = json.dumps(json.loads(card.to_json()), sort_keys=True)
    return Schedule(text, card.due.astimezone(UTC).replace(tzinfo=None), card.state is not State.Learning)
