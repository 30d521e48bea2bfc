"""Ratings of accounts and how a match changes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, Connection, and_, case, exists, func, insert, or_, select, update

from fullprime.accounts.glicko import GlickoRating
from fullprime.common.json_values import MERGED, JsonFields, json_names
from fullprime.db.schema.tables import accounts, played, rating_changes, ratings


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
class Meetings:
    """The opponents of an account in matches of one kind that moved both ratings, and the days of these matches."""

    days: int
    opponents: int
    days_with_known: int
    """The days of matches against opponents who were known before: established, with a rating that is certain."""
    known_opponents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingLimits:
    """The limits of rated matches that count, and the conditions of an established account."""

    of_pair: int
    """The matches of two accounts, begun in the time ``within``, that change ratings."""
    over_new: int
    """The wins over accounts that are not established, in the time ``within``, that change the winner's rating."""
    within: timedelta
    certain: float
    """The largest deviation of a certain rating."""
    is_established: Callable[[Meetings], bool]


Rate = Callable[[GlickoRating, GlickoRating, int, datetime, bool], tuple[GlickoRating, GlickoRating]]
"""From both ratings, X's first, the winner, the time, and whether the winner gains: the ratings after the match."""


@dataclass(frozen=True, slots=True)
class DecidedMatch:
    """A match that one side has won."""

    winner: int
    """0 for X, 1 for O."""
    at: datetime
    """The time of its end."""
    contested: bool
    """True if the winner gains by it."""
    rate: Rate
    """Gives the ratings after it."""


def lock_pair(connection: Connection, pair: tuple[int, int]) -> None:
    """Lock both accounts, always in the same order, so that no two changes of ratings overlap."""
    locked = select(accounts.c.id).where(accounts.c.id.in_(pair)).order_by(accounts.c.id)
    connection.execute(locked.with_for_update()).all()


def exceeds_limits(connection: Connection, begun: datetime, pair: tuple[int, int], limits: RatingLimits) -> bool:
    """True if the pair had already begun as many rated matches as ``limits`` allow when this one began."""
    before = (played.c.begun > begun - limits.within) & (played.c.begun < begun)
    return count_pair_matches(connection, pair, before) >= limits.of_pair


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
    limits: RatingLimits | None = None,
) -> None:
    """Change both ratings of that kind by a match; ``start`` is the rating of a person without one."""
    rows = connection.execute(select(ratings).where(ratings.c.account_id.in_(pair), ratings.c.kind == kind))
    before = {int(row.account_id): to_rating(row) for row in rows}
    x, o = before.get(pair[0], start), before.get(pair[1], start)
    gains = decided.contested
    if gains and limits is not None and (x, o)[1 - decided.winner].established is None:
        since = decided.at - limits.within
        gains = _count_wins_over_new(connection, pair[decided.winner], kind, since) < limits.over_new
    after = decided.rate(x, o, decided.winner, decided.at, gains)
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
    if limits is not None:
        for account, new in zip(pair, after, strict=True):
            if new.established is None and limits.is_established(count_meetings(connection, account, kind, limits)):
                which = (ratings.c.account_id == account) & (ratings.c.kind == kind)
                connection.execute(update(ratings).where(which).values(established=decided.at))


def _count_wins_over_new(connection: Connection, account: int, kind: str, since: datetime) -> int:
    """The wins since then that moved an account's rating, without those over opponents who are established.

    An opponent whose account has been removed counts as new: else accounts could be made, beaten and removed all day.
    """
    mine, theirs = rating_changes.c, rating_changes.alias()
    over_established = exists().where(
        theirs.c.session_id == mine.session_id,
        ratings.c.account_id == theirs.c.account_id,
        ratings.c.account_id != account,
        ratings.c.kind == kind,
        ratings.c.established.is_not(None),
    )
    query = select(func.count()).select_from(rating_changes)
    query = query.where(mine.account_id == account, mine.kind == kind, mine.made > since, mine.after > mine.before)
    return int(connection.execute(query.where(~over_established)).scalar_one())


def count_meetings(connection: Connection, account: int, kind: str, limits: RatingLimits) -> Meetings:
    """The opponents and days of an account's matches of that kind. A match that moved one rating alone is none."""
    mine, theirs = rating_changes.alias(), rating_changes.alias()
    day, opponent = func.date(mine.c.made), theirs.c.account_id
    is_known = (theirs.c.deviation <= limits.certain) & (ratings.c.established < mine.c.made)
    columns = (day, opponent, case((is_known, day)), case((is_known, opponent)))
    together = (theirs.c.session_id == mine.c.session_id) & (opponent != account)
    theirs_now = (ratings.c.account_id == opponent) & (ratings.c.kind == kind)
    query = select(*(func.count(column.distinct()) for column in columns))
    query = query.select_from(mine.join(theirs, together).join(ratings, theirs_now))
    row = connection.execute(query.where(mine.c.account_id == account, mine.c.kind == kind)).one()
    days, opponents, days_with_known, known_opponents = (int(count) for count in row)
    return Meetings(days, opponents, days_with_known, known_opponents)


def to_rating(row: Any) -> GlickoRating:
    """The rating in a row of the table ``ratings``."""
    numbers = float(row.rating), float(row.deviation), float(row.volatility)
    return GlickoRating(*numbers, int(row.matches), row.updated, row.established)
