"""Learners: an account, a guest's browser that is known by a secret, or the user of this machine."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import Engine

from fullprime.learn.learner_store import LearnerStore

HERE = "here"
"""The key of the user of this machine."""

GUEST = "fpl_"
"""The beginning of every secret of a guest's browser."""
SLOWEST = 3600.0
"""The most seconds of an answer that count: a learner who takes longer was away."""


@dataclass(frozen=True, slots=True)
class LearnerId:
    """A learner: known by the account, or by the hash of a secret."""

    account: int | None = None
    key: str | None = None


def key_of(secret: str) -> str:
    """The key under which a browser's secret is known; the secret itself is not stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    """A secret for a browser."""
    return GUEST + secrets.token_urlsafe(24)


def streak(days: tuple[date, ...], today: date) -> int:
    """Days in a row up to today, or up to yesterday while today nothing has been done yet.

    >>> streak((date(2026, 3, 2), date(2026, 3, 1), date(2026, 2, 26)), date(2026, 3, 3))
    2
    """
    answered, day = set(days), today
    if day not in answered:
        day -= timedelta(days=1)
    count = 0
    while day in answered:
        count += 1
        day -= timedelta(days=1)
    return count


class Learners:
    """The learners of one database."""

    def __init__(self, engine: Engine) -> None:
        self._store = LearnerStore(engine)

    def find(self, learner_id: LearnerId) -> int | None:
        """The number of a learner; None for one who has not practised yet."""
        if learner_id.account is not None:
            return self._store.find_by_account(learner_id.account)
        return None if learner_id.key is None else self._store.find_by_key(learner_id.key)

    def get_or_create(self, learner_id: LearnerId) -> int:
        """The number of a learner, who is stored now if need be."""
        return self._store.get_or_create(learner_id.account, learner_id.key)

    def adopt(self, secret: str, learner_id: LearnerId) -> bool:
        """Hand the work of a browser's guest to an account, or to the user of this machine; False if there was none."""
        return self._store.adopt(key_of(secret), learner_id.account, learner_id.key)
