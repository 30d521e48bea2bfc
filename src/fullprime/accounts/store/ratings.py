"""Ratings of accounts and how a match changes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, Connection, and_, func, insert, or_, select, update

from fullprime.common.json_values import MERGED, JsonFields, json_names
from fullprime.db.schema.tables import accounts, played, rating_changes, ratings


@dataclass(frozen=True, slots=True)
class GlickoRating:
    """A player's strength by Glicko-2, after ``matches`` matches, at the time ``updated``."""

    rating: float
    deviation: float
    volatility: float
    matches: int
    updated: datetime


@dataclass(frozen=True, slots=True)
class RatingMoved:
    """A rating before and after a match."""

    __json__: ClassVar[JsonFields] = json_names(before="whole_before", after="whole_after")

    before: float
    after: float

    @property
    def whole_before(self) -> int:
        """The rating before, in whole points."""
        return round(self.before)

    @property
    def whole_after(self) -> int:
        """The rating after, in whole points."""
        return round(self.after)


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of a rating by a rated match."""

    game: str
    """The id of the game."""
    kind: str
    """A variant and a class of match lengths: ``backgammon:short``."""
    moved: RatingMoved = field(metadata=MERGED)
    deviation: float
    """The deviation after the match."""
    made: datetime
    """The time when it was made."""


@dataclass(frozen=True, slots=True)
class PairLimits:
    """The rated matches of two accounts that count: at most ``most`` of those begun in the time ``within``."""

    most: int
    within: timedelta


Rate = Callable[[GlickoRating, GlickoRating, int, datetime], tuple[GlickoRating, GlickoRating]]
"""From both ratings, X's first, the winner and the time: the ratings after the match."""


@dataclass(frozen=True, slots=True)
class DecidedMatch:
    """A match that one side has won."""

    winner: int
    """0 for X, 1 for O."""
    at: datetime
    """The time of its end."""
    rate: Rate
    """Gives the ratings after it."""


def lock_pair(connection: Connection, pair: tuple[int, int]) -> None:
    """Lock both accounts, always in the same order, so that no two changes of ratings overlap."""
    locked = select(accounts.c.id).where(accounts.c.id.in_(pair)).order_by(accounts.c.id)
    connection.execute(locked.with_for_update()).all()


def exceeds_limits(connection: Connection, begun: datetime, pair: tuple[int, int], limits: PairLimits) -> bool:
    """True if the pair began its share of matches in the time before that, in whatever order they end."""
    before = (played.c.begun > begun - limits.within) & (played.c.begun < begun)
    return count_pair_matches(connection, pair, before) >= limits.most


def count_pair_matches(connection: Connection, pair: tuple[int, int], begun: ColumnElement[bool]) -> int:
    """The rated matches of two accounts that fulfil ``begun``, without those that ended without a winner."""
    one, other = pair
    table = played.c
    theirs = or_(
        and_(table.x_account == one, table.o_account == other), and_(table.x_account == other, table.o_account == one)
    )
    decided = or_(table.ended.is_(None), table.winner.is_not(None))
    query = select(func.count()).select_from(played).where(theirs, table.rated, decided, begun)
    return int(connection.execute(query).scalar_one())


def change_ratings(
    connection: Connection,
    session_id: str,
    pair: tuple[int, int],
    kind: str,
    decided: DecidedMatch,
    start: GlickoRating,
) -> None:
    """Change both ratings of that kind by a match; ``start`` is the rating of a person without one."""
    rows = connection.execute(select(ratings).where(ratings.c.account_id.in_(pair), ratings.c.kind == kind))
    before = {int(row.account_id): to_rating(row) for row in rows}
    after = decided.rate(before.get(pair[0], start), before.get(pair[1], start), decided.winner, decided.at)
    for account, new in zip(pair, after, strict=True):
        values = {
            "rating": new.rating, "deviation": new.deviation, "volatility": new.volatility, "matches": new.matches,
            "updated": new.updated,
        }  # fmt: skip
        old = before.get(account)
        if new == (old or start):
            continue
        if old is None:
            connection.execute(insert(ratings).values(account_id=account, kind=kind, **values))
        else:
            which = (ratings.c.account_id == account) & (ratings.c.kind == kind)
            connection.execute(update(ratings).where(which).values(values))
        change = {
            "session_id": session_id, "account_id": account, "kind": kind, "after": new.rating, "made": decided.at,
            "before": (old or start).rating, "deviation": new.deviation,
        }  # fmt: skip
        connection.execute(insert(rating_changes).values(change))


def to_rating(row: Any) -> GlickoRating:
    """The rating in a row of the table ``ratings``."""
    return GlickoRating(float(row.rating), float(row.deviation), float(row.volatility), int(row.matches), row.updated)
