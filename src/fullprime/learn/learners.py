"""Learners: on a server an account, or a browser that is known by a secret; on their own machine its user."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import Engine

from fullprime.learn.learner_store import LearnerStore

HERE = "here"
"""The key of the user of this machine."""

GUEST = "fpl_"
"""Every secret of a guest's browser begins so."""
SLOWEST = 3600.0
"""The most seconds of an answer that count: a learner who takes longer was away."""


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody who drills: by the account, or by the hash of a secret."""

    account: int | None = None
    key: str | None = None


def key_of(secret: str) -> str:
    """The key under which a browser's secret is known; the secret itself is not stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    """A secret for a browser."""
    return GUEST + secrets.token_urlsafe(24)


class Learners:
    """The learners of one database."""

    def __init__(self, engine: Engine) -> None:
        self._store = LearnerStore(engine)

    def known(self, who: Who) -> int | None:
        """The number of a learner; None for somebody who has not drilled yet."""
        if who.account is not None:
            return self._store.of_account(who.account)
        return None if who.key is None else self._store.of_key(who.key)

    def sure(self, who: Who) -> int:
        """The number of a learner, who is noted now if need be."""
        return self._store.make(who.account, who.key)

    def adopt(self, secret: str, who: Who) -> bool:
        """Give an account, or the user of this machine, what a browser's guest has done; False if there was nothing."""
        return self._store.adopt(key_of(secret), who.account, who.key)
