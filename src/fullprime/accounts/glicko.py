"""Glicko-2: ratings with their uncertainty, of players and of puzzles.

A match is a rating period of its own; a week without one makes a rating as much less certain as a period without games.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import ModuleType

from fullprime.rules.errors import MissingExtra

TAU = 0.5
"""The limit on the change of volatility, as Glickman proposes."""
MOST_DEVIATION = 350.0
WEEK = timedelta(days=7)
_LONGEST_REST = 2000
"""Weeks after which nothing more is forgotten: the deviation is the largest by then."""


@dataclass(frozen=True, slots=True)
class GlickoRating:
    """A player's strength by Glicko-2, after ``matches`` matches, at the time ``updated``."""

    rating: float
    deviation: float
    volatility: float
    matches: int
    updated: datetime
    established: datetime | None = None
    """The time since when the player has met enough others on enough days; None before."""


def initial_rating(at: datetime) -> GlickoRating:
    """The rating of a player before the first match, by Glickman."""
    return GlickoRating(1500.0, MOST_DEVIATION, 0.06, 0, at)


def age_rating(rating: GlickoRating, at: datetime) -> GlickoRating:
    """Age a rating to that time: every week without a match makes it less certain."""
    weeks = min((at - rating.updated) // WEEK, _LONGEST_REST)
    if weeks < 1:
        return rating
    glicko = load_glicko()
    phi = glicko.rd_to_phi(rating.deviation)
    for _ in range(weeks):
        phi = glicko.update_rating(glicko.rating_to_mu(rating.rating), phi, rating.volatility, []).phi
        if glicko.phi_to_rd(phi) >= MOST_DEVIATION:
            break
    return replace(rating, deviation=min(MOST_DEVIATION, glicko.phi_to_rd(phi)))


def rate_by_glicko(x: GlickoRating, o: GlickoRating, winner: int, at: datetime) -> tuple[GlickoRating, GlickoRating]:
    """Compute both ratings after a match that X (0) or O (1) has won."""
    x, o = age_rating(x, at), age_rating(o, at)
    return _update(x, o, float(winner == 0), at), _update(o, x, float(winner == 1), at)


def _update(mine: GlickoRating, theirs: GlickoRating, score: float, at: datetime) -> GlickoRating:
    glicko = load_glicko()
    game = (glicko.rating_to_mu(theirs.rating), glicko.rd_to_phi(theirs.deviation), score)
    mu, phi = glicko.rating_to_mu(mine.rating), glicko.rd_to_phi(mine.deviation)
    new = glicko.update_rating(mu, phi, mine.volatility, [game], TAU)
    deviation = min(MOST_DEVIATION, glicko.phi_to_rd(new.phi))
    return GlickoRating(glicko.mu_to_rating(new.mu), deviation, new.sigma, mine.matches + 1, at, mine.established)


def load_glicko() -> ModuleType:
    """The formulas of Glicko-2; raises MissingExtra where they are not installed."""
    try:
        from glicko2 import math
    except ModuleNotFoundError:
        raise MissingExtra("a rating", "library", "glicko2") from None
    return math
