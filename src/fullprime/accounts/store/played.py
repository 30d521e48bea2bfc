"""Games of people with accounts, and their ratings: changed once for each match, together with its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from fullprime.db.database import DatabaseStore, keep_others_out
from fullprime.db.errors import StoreRefused
from fullprime.db.schema.tables import (
    accounts,
    game_sessions,
    library_decisions,
    library_matches,
    library_reviews,
    played,
    rating_changes,
    ratings,
)
from fullprime.db.times import utc_now
from fullprime.messages import Message

Pair = tuple[int | None, int | None]
_KEPT = {"X": 1, "O": 2}
"""The bits of the column ``kept``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A room in which a person with an account sits. Pairs are X's first."""

    room: str
    accounts: Pair
    names: tuple[str, str]
    variant: str
    length: int
    rated: bool
    public: bool
    begun: datetime
    ended: datetime | None
    points: tuple[int, int] | None
    winner: int | None
    """0 for X, 1 for O; None while it is played, and where nobody won."""
    ending: str | None = None
    """The way in which a game between two people ended; None while it is played, for others and for older ones."""
    ended_by: int | None = None
    """The side that left, was absent, lost on time or aborted: 0 for X, 1 for O."""

    def sides(self, account: int) -> tuple[int, ...]:
        """The sides on which the account sits: 0 for X, 1 for O."""
        return tuple(side for side in (0, 1) if self.accounts[side] == account)


@dataclass(frozen=True, slots=True)
class GlickoRating:
    """A player's strength by Glicko-2, after ``matches`` matches, at the time ``updated``."""

    rating: float
    deviation: float
    volatility: float
    matches: int
    updated: datetime


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of an account's rating by a rated match."""

    game: str
    """The room."""
    kind: str
    before: float
    after: float
    deviation: float
    """After it."""
    made: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The end of a game."""

    points: tuple[int, int]
    winner: int | None
    at: datetime
    names: tuple[str, str]
    facts: str | None
    ending: str | None = None
    """The way in which it ended, between two people."""
    ended_by: int | None = None
    """The side that left, was absent, lost on time or aborted: 0 for X, 1 for O."""
    helped: bool = False
    """True if its decisions make no PR: somebody was helped, or it is practice with a position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesWanted:
    """The conditions on the games of a search; None for one that does not matter."""

    account: int | None = None
    opponent: str | None = None
    """A part of the name of either player (but the account's own)."""
    variant: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """The first moment that is too late."""
    rated: bool | None = None
    ended: bool | None = None
    public: bool | None = None


@dataclass(frozen=True, slots=True)
class Endings:
    """The ends of an account's games against other people, counted; ``late`` are those lost on time."""

    games: int
    left: int
    absent: int
    late: int
    aborted: int


@dataclass(frozen=True, slots=True)
class GamesTally:
    """Games of one variant: ``points`` are those won less those lost."""

    variant: str
    games: int
    won: int
    lost: int
    points: int


@dataclass(frozen=True, slots=True)
class OfPair:
    """The rated matches of two accounts that count: at most so many of those that were begun within that time."""

    most: int
    within: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedGame:
    """The facts of a session in which an account sits down. Names are X's first."""

    room: str
    names: tuple[str, str]
    variant: str
    length: int
    public: bool


Rate = Callable[[GlickoRating, GlickoRating, int, datetime], tuple[GlickoRating, GlickoRating]]
"""From both ratings, X's first, the winner and the time: the ratings after the match."""


class PlayedStore(DatabaseStore):
    """The games played in the rooms of one database."""

    # -- who sits where -----------------------------------------------------------------------------------
    def sit(self, room: SeatedGame, side: str, account: int, *, rated: bool = False, kept: bool = False) -> None:
        """A person with an account sits there; raises StoreRefused when another account does.

        ``rated`` counts when the room is seen for the first time. ``kept``: it was begun without an account, which may
        have chosen it, so that it counts neither in the account's results nor for its PR.
        """
        try:
            self._sit(room, side, account, rated=rated, kept=kept)
        except IntegrityError:  # somebody else has sat down at the same moment: the row is there now
            self._sit(room, side, account, rated=rated, kept=kept)

    def _sit(self, room: SeatedGame, side: str, account: int, *, rated: bool, kept: bool) -> None:
        column = played.c.x_account if side == "X" else played.c.o_account
        names = {"x_name": room.names[0], "o_name": room.names[1]}
        which = played.c.room_id == room.room
        with self._engine.begin() as connection:
            row = connection.execute(select(column).where(which).with_for_update()).first()
            if row is None:
                facts = {"variant": room.variant, "length": room.length, "rated": rated}
                shown = {"public": room.public, "begun": utc_now()}
                connection.execute(insert(played).values(room_id=room.room, **names, **facts, **shown))
            elif row[0] not in (None, account):
                raise StoreRefused(Message("this seat belongs to somebody else's account"))
            values: dict[str, Any] = {column.name: account, **names}
            if kept and (row is None or row[0] is None):
                values["kept"] = played.c.kept.bitwise_or(_KEPT[side])
            elif row is not None and row[0] is None:
                values["begun"] = utc_now()
            connection.execute(update(played).where(which).values(values))

    def rename(self, room: str, names: tuple[str, str]) -> None:
        """The names of a room have changed, as when a guest has joined."""
        values = {"x_name": names[0], "o_name": names[1]}
        with self._engine.begin() as connection:
            connection.execute(update(played).where(played.c.room_id == room).values(values))

    def one(self, room: str) -> Played | None:
        """The game of a room; None where nobody with an account sits."""
        with self._engine.begin() as connection:
            row = connection.execute(select(played).where(played.c.room_id == room)).first()
        return None if row is None else _played(row)

    def unrated(self, room: str) -> None:
        """The match of a room does not count: it never began."""
        with self._engine.begin() as connection:
            connection.execute(update(played).where(played.c.room_id == room).values(rated=False))

    # -- the end ------------------------------------------------------------------------------------------
    def waiting(self, room: str | None = None, account: int | None = None) -> list[str]:
        """Rooms in which nothing more is played but whose end has not been noted, by the time of their end."""
        query = select(played.c.room_id).join(game_sessions, game_sessions.c.session_id == played.c.room_id)
        query = query.where(played.c.ended.is_(None), game_sessions.c.status == "over")
        if room is not None:
            query = query.where(played.c.room_id == room)
        if account is not None:
            query = query.where(_mine(account))
        with self._engine.begin() as connection:
            return list(connection.execute(query.order_by(game_sessions.c.changed_at, played.c.room_id)).scalars())

    def finish(
        self, room: str, end: End, kind: str, start: GlickoRating, rate: Rate, of_pair: OfPair | None = None
    ) -> Played | None:
        """Note the end of a game and, where it is rated, change both ratings of that kind, all or nothing.

        ``start`` is the rating of a person without one. A match beyond ``of_pair`` changes no rating.
        None when it had been noted before: however often and from however many processes this is called, a match
        counts once.
        """
        which = (played.c.room_id == room) & played.c.ended.is_(None)
        values = {
            "ended": end.at, "x_points": end.points[0], "o_points": end.points[1], "winner": end.winner,
            "facts": end.facts, "x_name": end.names[0], "o_name": end.names[1],
            "ending": end.ending, "ended_by": end.ended_by, "helped": end.helped,
        }  # fmt: skip
        with self._engine.begin() as connection:
            if not connection.execute(update(played).where(which).values(values)).rowcount:
                return None
            game = _played(connection.execute(select(played).where(played.c.room_id == room)).one())
            x, o = game.accounts
            if game.rated and end.winner is not None and x is not None and o is not None and x != o:
                _lock(connection, (x, o))
                if of_pair is None or not _is_beyond(connection, game, (x, o), of_pair):
                    _rate(connection, game, (x, o), kind, end, start, rate)
        return game

    def rated_of_pair(self, pair: tuple[int, int], since: datetime) -> int:
        """The rated matches of two accounts begun since then, without those that ended without a winner."""
        with self._engine.begin() as connection:
            return _count_of_pair(connection, pair, played.c.begun >= since)

    # -- ratings ------------------------------------------------------------------------------------------
    def ratings(self, account: int) -> dict[str, GlickoRating]:
        """The ratings of an account by kind."""
        with self._engine.begin() as connection:
            rows = connection.execute(select(ratings).where(ratings.c.account_id == account).order_by(ratings.c.kind))
            return {row.kind: _rating(row) for row in rows}

    def best(
        self, kind: str, least: int, deviation: float, limit: int, offset: int = 0
    ) -> list[tuple[str, bool, GlickoRating]]:
        """Names (and True for a bot) with ratings of a kind, the highest first.

        They are those of at least so many matches, and of at most that deviation when it was stored.
        """
        query = select(ratings, accounts.c.name, accounts.c.bot).join(accounts)
        query = query.where(ratings.c.kind == kind, ratings.c.matches >= least, accounts.c.public)
        query = query.where(ratings.c.deviation <= deviation).order_by(ratings.c.rating.desc(), accounts.c.id)
        with self._engine.begin() as connection:
            rows = connection.execute(query.limit(limit).offset(offset))
            return [(row.name, bool(row.bot), _rating(row)) for row in rows]

    def changes(self, account: int, limit: int) -> list[RatingChange]:
        """The changes of an account's ratings by matches, the latest first."""
        query = select(rating_changes).where(rating_changes.c.account_id == account)
        order = (rating_changes.c.made.desc(), rating_changes.c.room_id)
        with self._engine.begin() as connection:
            return [
                RatingChange(row.room_id, row.kind, row.before, row.after, row.deviation, row.made)
                for row in connection.execute(query.order_by(*order).limit(limit))
            ]

    def changes_of(self, found: Iterable[str], account: int) -> dict[str, tuple[float, float]]:
        """The rating of an account before and after each of these games, where they were rated."""
        table = rating_changes.c
        query = select(table.room_id, table.before, table.after)
        query = query.where(table.account_id == account, table.room_id.in_(list(found)))
        with self._engine.begin() as connection:
            return {row.room_id: (row.before, row.after) for row in connection.execute(query)}

    # -- reading ------------------------------------------------------------------------------------------
    def find(self, asked: GamesWanted, limit: int, offset: int = 0) -> list[Played]:
        """Games in which both seats are taken, the latest first."""
        query = select(played).join(game_sessions, game_sessions.c.session_id == played.c.room_id)
        query = query.where(*_conditions(asked))
        order = (func.coalesce(played.c.ended, played.c.begun).desc(), played.c.room_id)
        with self._engine.begin() as connection:
            return [_played(row) for row in connection.execute(query.order_by(*order).limit(limit).offset(offset))]

    def count(self, asked: GamesWanted) -> int:
        """The number of games of that sort."""
        with self._engine.begin() as connection:
            query = select(func.count(played.c.room_id))
            query = query.join(game_sessions, game_sessions.c.session_id == played.c.room_id)
            return int(connection.execute(query.where(*_conditions(asked))).scalar_one())

    def tallies(self, account: int, *, public: bool | None = None) -> list[GamesTally]:
        """Finished games of an account by variant, without those that were begun without it."""
        total: dict[str, GamesTally] = {}
        for side, column in enumerate((played.c.x_account, played.c.o_account)):
            mine, theirs = (played.c.x_points, played.c.o_points)[:: 1 - 2 * side]
            wanted = [column == account, played.c.ended.is_not(None), _counts("XO"[side])]
            if public is not None:
                wanted.append(played.c.public == public)
            query = select(
                played.c.variant,
                func.count(),
                func.sum(case((played.c.winner == side, 1), else_=0)),
                func.sum(case((played.c.winner == 1 - side, 1), else_=0)),
                func.sum(mine - theirs),
            )
            with self._engine.begin() as connection:
                for variant, *more in connection.execute(query.where(*wanted).group_by(played.c.variant)):
                    games, won, lost, points = (int(each or 0) for each in more)
                    old = total.get(variant, GamesTally(variant, 0, 0, 0, 0))
                    sums = (old.games + games, old.won + won, old.lost + lost, old.points + points)
                    total[variant] = GamesTally(variant, *sums)
        return sorted(total.values(), key=lambda tally: (-tally.games, tally.variant))

    def endings(self, account: int) -> Endings:
        """The ends of an account's games against other people."""
        table = played.c
        mine = or_(
            and_(table.x_account == account, table.ended_by == 0), and_(table.o_account == account, table.ended_by == 1)
        )
        query = select(table.ending, func.count(), func.sum(case((mine, 1), else_=0)))
        query = query.where(_mine(account), table.ending.is_not(None), table.ended.is_not(None)).group_by(table.ending)
        with self._engine.begin() as connection:
            found = {str(how): (int(games), int(by)) for how, games, by in connection.execute(query)}
        left, absent, late, aborted = (found.get(how, (0, 0))[1] for how in ("left", "absence", "time", "aborted"))
        return Endings(sum(games for games, _ in found.values()), left, absent, late, aborted)

    def note_abort(self, room: str, side: int, account: int, since: datetime, most: int) -> bool:
        """Note that an account is about to abort a rated match; False when it has aborted ``most`` others since then.

        The note counts at once, so that of many who come together no more than ``most`` go on. It is the ending of the
        match until the true one is stored with its end.
        """
        table = played.c
        by = or_(
            and_(table.x_account == account, table.ended_by == 0), and_(table.o_account == account, table.ended_by == 1)
        )
        lately = or_(table.ended >= since, table.ended.is_(None))
        query = select(func.count()).select_from(played)
        query = query.where(by, table.rated, table.ending == "aborted", lately, table.room_id != room)
        under_way = (table.room_id == room, table.ended.is_(None), table.ending.is_(None))
        with self._engine.begin() as connection:
            keep_others_out(connection, f"aborts of {account}")
            if connection.execute(query).scalar_one() >= most:
                return False
            connection.execute(update(played).where(*under_way).values(ending="aborted", ended_by=side))
            return True

    def forget_abort(self, room: str) -> None:
        """Forget the note: the match goes on."""
        under_way = (played.c.room_id == room, played.c.ended.is_(None))
        with self._engine.begin() as connection:
            connection.execute(update(played).where(*under_way).values(ending=None, ended_by=None))

    def in_library(self, room: str) -> int | None:
        """The number under which the library knows the match of a room."""
        query = select(library_matches.c.id).join(played, played.c.facts == library_matches.c.facts)
        with self._engine.begin() as connection:
            return connection.execute(query.where(played.c.room_id == room)).scalar()

    def losses(self, account: int, *, public: bool | None = None) -> tuple[int, list[float]]:
        """The number of an account's games with reviews in the library, and the loss of each decision that counts.

        Games in which somebody was helped are left out, and those that were begun without the account.
        """
        latest = (
            select(func.max(library_reviews.c.id))
            .where(library_reviews.c.complete)
            .group_by(library_reviews.c.match_id)
        )
        table = library_decisions.c
        swapped = and_(library_matches.c.x_name == played.c.o_name, library_matches.c.o_name == played.c.x_name)
        as_x = and_(played.c.x_account == account, _counts("X"), table.player == case((swapped, 1), else_=0))
        as_o = and_(played.c.o_account == account, _counts("O"), table.player == case((swapped, 0), else_=1))
        query = (
            select(played.c.room_id, table.loss)
            .join(library_matches, library_matches.c.facts == played.c.facts)
            .join(library_decisions, table.match_id == library_matches.c.id)
            .where(table.review_id.in_(latest), table.counts, ~played.c.helped, or_(as_x, as_o))
        )
        if public is not None:
            query = query.where(played.c.public == public)
        with self._engine.begin() as connection:
            found = [(row.room_id, float(row.loss)) for row in connection.execute(query)]
        return len({room for room, _ in found}), [loss for _, loss in found]


def _lock(connection: Connection, who: tuple[int, int]) -> None:
    """Take both accounts, in one order, so that no two changes of ratings overtake each other."""
    locked = select(accounts.c.id).where(accounts.c.id.in_(who)).order_by(accounts.c.id)
    connection.execute(locked.with_for_update()).all()


def _is_beyond(connection: Connection, game: Played, pair: tuple[int, int], of_pair: OfPair) -> bool:
    """True if the pair had begun its share of matches in the time before this one, in whatever order they end."""
    before = (played.c.begun > game.begun - of_pair.within) & (played.c.begun < game.begun)
    return _count_of_pair(connection, pair, before) >= of_pair.most


def _count_of_pair(connection: Connection, pair: tuple[int, int], begun: ColumnElement[bool]) -> int:
    one, other = pair
    table = played.c
    theirs = or_(
        and_(table.x_account == one, table.o_account == other), and_(table.x_account == other, table.o_account == one)
    )
    decided = or_(table.ended.is_(None), table.winner.is_not(None))
    wanted = select(func.count()).select_from(played).where(theirs, table.rated, decided, begun)
    return int(connection.execute(wanted).scalar_one())


def _rate(
    connection: Connection, game: Played, who: tuple[int, int], kind: str, end: End, start: GlickoRating, rate: Rate
) -> None:
    assert end.winner is not None
    rows = connection.execute(select(ratings).where(ratings.c.account_id.in_(who), ratings.c.kind == kind))
    before = {int(row.account_id): _rating(row) for row in rows}
    after = rate(before.get(who[0], start), before.get(who[1], start), end.winner, end.at)
    for account, new in zip(who, after, strict=True):
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
            "room_id": game.room, "account_id": account, "kind": kind, "after": new.rating, "made": end.at,
            "before": (old or start).rating, "deviation": new.deviation,
        }  # fmt: skip
        connection.execute(insert(rating_changes).values(change))


def _counts(side: str) -> ColumnElement[bool]:
    """True for a game that was the account's on this side from its beginning."""
    return played.c.kept.bitwise_and(_KEPT[side]) == 0


def _conditions(asked: GamesWanted) -> list[ColumnElement[bool]]:
    # A room whose second seat is free is no game yet: a challenge, perhaps one that nobody will accept.
    # One that was called off before it began never was one.
    found: list[ColumnElement[bool]] = [
        game_sessions.c.invitation.is_(None),
        game_sessions.c.status != "called_off",
    ]
    table = played.c
    if asked.account is not None:
        found.append(_mine(asked.account))
    if asked.opponent is not None:
        part = asked.opponent.casefold()
        x = func.lower(table.x_name).contains(part, autoescape=True)
        o = func.lower(table.o_name).contains(part, autoescape=True)
        if asked.account is None:
            found.append(or_(x, o))
        else:
            found.append(or_(and_(table.o_account == asked.account, x), and_(table.x_account == asked.account, o)))
    if asked.variant is not None:
        found.append(table.variant == asked.variant)
    when = func.coalesce(table.ended, table.begun)
    if asked.since is not None:
        found.append(when >= asked.since)
    if asked.until is not None:
        found.append(when < asked.until)
    if asked.ended is not None:
        found.append(table.ended.is_not(None) if asked.ended else table.ended.is_(None))
    for column, value in ((table.rated, asked.rated), (table.public, asked.public)):
        if value is not None:
            found.append(column == value)
    return found


def _mine(account: int) -> ColumnElement[bool]:
    return or_(played.c.x_account == account, played.c.o_account == account)


def _played(row: Any) -> Played:
    return Played(
        room=row.room_id,
        accounts=(row.x_account, row.o_account),
        names=(row.x_name, row.o_name),
        variant=row.variant,
        length=int(row.length),
        rated=bool(row.rated),
        public=bool(row.public),
        begun=row.begun,
        ended=row.ended,
        points=None if row.x_points is None else (int(row.x_points), int(row.o_points)),
        winner=row.winner,
        ending=row.ending,
        ended_by=row.ended_by,
    )


def _rating(row: Any) -> GlickoRating:
    return GlickoRating(float(row.rating), float(row.deviation), float(row.volatility), int(row.matches), row.updated)
