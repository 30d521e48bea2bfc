"""Pairing: the pools in which people wait for an opponent at one length and clock, and the bands of their ratings.

A seek is a challenge that waits in a pool. An account or a guest whose rating is within its band may take it, and the
band widens with the age of the seek.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from fullprime.accounts.store.challenges import Challenge
from fullprime.play.naming import are_alike

VARIANT = "backgammon"
"""The game of every pool."""
LENGTHS = (1, 3, 5, 7)
CLOCKS = ("fast", "medium", "1d")
"""The clocks of the pools, quickest first; ``NewSeek`` of the web models and home/pairing.js name the same."""

NARROW, WIDE = 150.0, 600.0
"""The rating difference at which a new seek may be taken, and the widest one before every rating may take it."""
UNRATED = 1500
"""The rating that counts for people who have none."""

KEPT_LIVE = timedelta(seconds=75)
"""The time for which a seek stands after its last renewal; it is long, because browsers slow hidden pages down."""
KEPT_SLOW = timedelta(days=1)
KEPT_SLOW_OF_GUEST = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Pool:
    """The people who wait for, or play, matches of one length and clock, rated or casual."""

    length: int
    """Points of the match."""
    clock: str
    """The clock, by its name, or the days for each turn."""
    rated: bool
    """True if its matches change ratings."""

    @property
    def name(self) -> str:
        """The name under which the pool is stored: ``5:fast:rated``."""
        return f"{self.length}:{self.clock}:{'rated' if self.rated else 'casual'}"

    @property
    def is_slow(self) -> bool:
        """True where people have days for each turn and need not wait at the page."""
        return self.clock.endswith("d")

    @property
    def patience(self) -> timedelta:
        """The age from which a seek may be taken at any rating."""
        return timedelta(minutes=30) if self.is_slow else timedelta(minutes=1)

    def lifetime(self, *, is_guest: bool) -> timedelta:
        """The time for which a seek stands unless it is renewed."""
        if not self.is_slow:
            return KEPT_LIVE
        return KEPT_SLOW_OF_GUEST if is_guest else KEPT_SLOW


POOLS = {pool.name: pool for length in LENGTHS for clock in CLOCKS for pool in (
    Pool(length, clock, rated=True), Pool(length, clock, rated=False)
)}  # fmt: skip
LIVE_POOLS = tuple(name for name, pool in POOLS.items() if not pool.is_slow)
"""The pools in which only a page that is open keeps a seek up."""


@dataclass(frozen=True, slots=True)
class Seeker:
    """A person who looks for an opponent: the account (None for a guest), the name and the rating."""

    account: int | None
    name: str
    rating: int = UNRATED


def to_seeker(seek: Challenge) -> Seeker:
    """Give the person who has made a seek."""
    rating = seek.terms.rating
    return Seeker(seek.creator, seek.name, UNRATED if rating is None else rating[0])


def rating_band(age: timedelta, patience: timedelta) -> float:
    """The largest difference of ratings at which a seek of that age may be taken.

    >>> minute = timedelta(minutes=1)
    >>> [rating_band(age * minute, minute) for age in (0, 0.5, 1)]
    [150.0, 375.0, inf]
    """
    share = max(0.0, age / patience)
    return math.inf if share >= 1 else NARROW + share * (WIDE - NARROW)


def find_opponents(
    seeker: Seeker, seeks: Iterable[Challenge], pool: Pool, now: datetime, own_seek: Challenge | None
) -> list[Challenge]:
    """Find the seeks of a pool that a person may take, the nearest rating first; ``own_seek`` is their own.

    Of two seeks the older one decides how far apart the ratings may be.
    """
    since = now if own_seek is None else own_seek.created
    candidates: list[tuple[int, datetime, Challenge]] = []
    for seek in seeks:
        gap = abs(seeker.rating - to_seeker(seek).rating)
        if _may_meet(seeker, seek, own_seek) and gap <= rating_band(now - min(seek.created, since), pool.patience):
            candidates.append((gap, seek.created, seek))
    return [seek for _, _, seek in sorted(candidates, key=lambda item: item[:2])]


def _may_meet(seeker: Seeker, seek: Challenge, own_seek: Challenge | None) -> bool:
    """True for the seek of another person, beside whose name the seeker's may stand."""
    if own_seek is not None and own_seek.id == seek.id:
        return False
    if seeker.account is not None and seeker.account == seek.creator:
        return False
    if seeker.account is None:
        return not are_alike(seeker.name, seek.name)
    return seeker.name != seek.name
