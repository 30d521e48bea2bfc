"""A club in memory: accounts that play rated matches, and what the rules of ratings make of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations
from random import Random

from fullprime.accounts.glicko import GlickoRating, age_rating, initial_rating
from fullprime.accounts.ratings import DAY, LIMITS, is_provisional, rate_rated_match
from fullprime.accounts.store.ratings import Meetings

BEGUN = datetime(2026, 11, 2, 12)  # noqa: DTZ001 - stored without a zone, all in UTC


@dataclass(eq=False, repr=False, slots=True)
class Member:
    """A player of one kind of match."""

    rating: GlickoRating = field(default_factory=lambda: initial_rating(BEGUN))
    met: list[tuple[datetime, Member, bool]] = field(default_factory=list)
    """The matches that moved both ratings, with True where the opponent was known."""
    won: list[tuple[datetime, Member]] = field(default_factory=list)

    @property
    def is_known(self) -> bool:
        return not is_provisional(self.rating)

    def is_listed(self, at: datetime) -> bool:
        return not is_provisional(age_rating(self.rating, at))

    @property
    def meetings(self) -> Meetings:
        matches_with_known = [(at, other) for at, other, was_known in self.met if was_known]
        return Meetings(
            days=len({at.date() for at, _, _ in self.met}),
            opponents=len({other for _, other, _ in self.met}),
            days_with_known=len({at.date() for at, _ in matches_with_known}),
            known_opponents=len({other for _, other in matches_with_known}),
        )


def known_member(rating: float, deviation: float = 60.0) -> Member:
    return Member(GlickoRating(rating, deviation, 0.06, 40, BEGUN, BEGUN))


def play_match(winner: Member, loser: Member, at: datetime, *, contested: bool = True) -> None:
    """Change both by a match, as the store does."""
    lately = [other for won_at, other in winner.won if won_at > at - LIMITS.within]
    over_new = sum(other.rating.established is None for other in lately)
    gains = contested and (loser.rating.established is not None or over_new < LIMITS.over_new)
    winner.rating, loser.rating = rate_rated_match(winner.rating, loser.rating, 0, at, gains)
    if gains:
        winner.won.append((at, loser))
        were_known = [
            member.rating.deviation <= LIMITS.certain and (member.rating.established or at) < at
            for member in (winner, loser)
        ]
        winner.met.append((at, loser, were_known[1]))
        loser.met.append((at, winner, were_known[0]))
    for member in (winner, loser):
        if member.rating.established is None and LIMITS.is_established(member.meetings):
            member.rating = replace(member.rating, established=at)


def play_ring(members: Iterable[Member], chance: Random, at: datetime, *, spare: bool = False) -> None:
    """Have each pair play its ten matches of a day, with random results; ``spare`` only those that count for both."""
    pairs = list(combinations(members, 2)) * LIMITS.of_pair
    chance.shuffle(pairs)
    for pair in pairs:
        winner, loser = chance.sample(pair, 2)
        if not spare or sum(won_at > at - DAY for won_at, _ in winner.won) < LIMITS.over_new:
            play_match(winner, loser, at)


def expected_score(strength: float, other: float) -> float:
    return 1 / (1 + 10 ** ((other - strength) / 400))
