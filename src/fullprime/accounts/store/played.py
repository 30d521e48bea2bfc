"""Games of people with accounts, and their ratings: changed once for each match, together with its end."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from fullprime.accounts.glicko import GlickoRating
from fullprime.accounts.store.games import AccountDice, Endings, GameFilter, GamesTally, Played, SeatedGame, SessionEnd
from fullprime.accounts.store.ratings import (
    DecidedMatch,
    Rate,
    RatingChange,
    RatingLimits,
    RatingMoved,
    change_ratings,
    count_pair_matches,
    exceeds_limits,
    lock_pair,
    to_rating,
)
from fullprime.db.database import DatabaseStore, keep_others_out
from fullprime.db.errors import StoreRefused
from fullprime.db.schema.library import library_decisions, library_matches, library_reviews
from fullprime.db.schema.sessions import game_sessions
from fullprime.db.schema.tables import accounts, played, rating_changes, ratings
from fullprime.db.times import utc_now
from fullprime.messages import Message
from fullprime.play.dice_counts import NOTHING_THROWN, DiceCounts

_KEPT = {"X": 1, "O": 2}
"""The bits of the column ``kept``."""


class PlayedStore(DatabaseStore):
    """The games played in the sessions of one database."""

    # -- who sits where -----------------------------------------------------------------------------------
    def add_seat(
        self, game: SeatedGame, side: str, account: int, *, rated: bool = False, adopted: bool = False
    ) -> None:
        """Note the seat of an account; raises StoreRefused where another account sits there.

        ``rated`` counts when the session is seen for the first time. ``adopted``: it was begun without an account,
        which may have chosen it, so that it counts neither in the account's results nor for its PR.
        """
        try:
            self._sit(game, side, account, rated=rated, adopted=adopted)
        except IntegrityError:  # another request has stored the row at the same moment
            self._sit(game, side, account, rated=rated, adopted=adopted)

    def _sit(self, game: SeatedGame, side: str, account: int, *, rated: bool, adopted: bool) -> None:
        column = played.c.x_account if side == "X" else played.c.o_account
        names = {"x_name": game.names[0], "o_name": game.names[1]}
        condition = played.c.session_id == game.session_id
        with self._engine.begin() as connection:
            row = connection.execute(select(column).where(condition).with_for_update()).first()
            if row is None:
                facts = {"variant": game.variant, "length": game.length, "rated": rated}
                visibility = {"public": game.public, "begun": utc_now()}
                connection.execute(insert(played).values(session_id=game.session_id, **names, **facts, **visibility))
            elif row[0] not in (None, account):
                raise StoreRefused(Message("this seat belongs to somebody else's account"))
            values: dict[str, Any] = {column.name: account, **names}
            if adopted and (row is None or row[0] is None):
                values["kept"] = played.c.kept.bitwise_or(_KEPT[side])
            elif row is not None and row[0] is None:
                values["begun"] = utc_now()
            connection.execute(update(played).where(condition).values(values))

    def set_names(self, session_id: str, names: tuple[str, str]) -> None:
        """Change the names of a session, as when a guest has joined."""
        values = {"x_name": names[0], "o_name": names[1]}
        with self._engine.begin() as connection:
            connection.execute(update(played).where(played.c.session_id == session_id).values(values))

    def find(self, session_id: str) -> Played | None:
        """The game of a session; None where no account sits."""
        with self._engine.begin() as connection:
            row = connection.execute(select(played).where(played.c.session_id == session_id)).first()
        return None if row is None else _to_played(row)

    def mark_unrated(self, session_id: str) -> None:
        """Note that the match of a session does not count, because it never began."""
        with self._engine.begin() as connection:
            connection.execute(update(played).where(played.c.session_id == session_id).values(rated=False))

    # -- the end ------------------------------------------------------------------------------------------
    def list_unsettled(self, session_id: str | None = None, account: int | None = None) -> list[str]:
        """Sessions that are over but whose end has not been noted, by the time of their end."""
        query = select(played.c.session_id).join(game_sessions, game_sessions.c.session_id == played.c.session_id)
        query = query.where(played.c.ended.is_(None), game_sessions.c.status == "over")
        if session_id is not None:
            query = query.where(played.c.session_id == session_id)
        if account is not None:
            query = query.where(_mine(account))
        with self._engine.begin() as connection:
            return list(connection.execute(query.order_by(game_sessions.c.changed_at, played.c.session_id)).scalars())

    def finish(
        self,
        session_id: str,
        end: SessionEnd,
        kind: str,
        start: GlickoRating,
        rate: Rate,
        limits: RatingLimits | None = None,
    ) -> Played | None:
        """Note the end of a game and, where it is rated, change both ratings of that kind, all or nothing.

        ``start`` is the rating of a person without one. A match beyond ``limits`` changes no rating.
        Gives None where the end was noted before, so that a match counts once, from whichever processes this is called.
        """
        which = (played.c.session_id == session_id) & played.c.ended.is_(None)
        values = {
            "ended": end.at, "x_points": end.points[0], "o_points": end.points[1], "winner": end.winner,
            "facts": end.facts, "x_name": end.names[0], "o_name": end.names[1],
            "ending": end.ending, "ended_by": end.ended_by, "helped": end.helped,
            "dice": None if end.dice is None else end.dice.to_text(),
        }  # fmt: skip
        with self._engine.begin() as connection:
            if not connection.execute(update(played).where(which).values(values)).rowcount:
                return None
            game = _to_played(connection.execute(select(played).where(played.c.session_id == session_id)).one())
            x, o = game.accounts
            if game.rated and end.winner is not None and x is not None and o is not None and x != o:
                lock_pair(connection, pair := (x, o))
                if limits is None or not exceeds_limits(connection, game.begun, pair, limits):
                    decided = DecidedMatch(end.winner, end.at, end.contested, rate)
                    change_ratings(connection, session_id, pair, kind, decided, start, limits)
        return game

    def count_rated_pair_matches(self, pair: tuple[int, int], since: datetime) -> int:
        """The rated matches of two accounts begun since then, without those that ended without a winner."""
        with self._engine.begin() as connection:
            return count_pair_matches(connection, pair, played.c.begun >= since)

    # -- ratings ------------------------------------------------------------------------------------------
    def get_ratings(self, account: int) -> dict[str, GlickoRating]:
        """The ratings of an account by kind."""
        with self._engine.begin() as connection:
            rows = connection.execute(select(ratings).where(ratings.c.account_id == account).order_by(ratings.c.kind))
            return {row.kind: to_rating(row) for row in rows}

    def find_ratings(self, numbers: Iterable[int], kind: str) -> dict[int, GlickoRating]:
        """The ratings of one kind of several accounts, by their numbers, as far as they have one."""
        query = select(ratings).where(ratings.c.kind == kind, ratings.c.account_id.in_(set(numbers)))
        with self._engine.begin() as connection:
            return {int(row.account_id): to_rating(row) for row in connection.execute(query)}

    def list_best(
        self, kind: str, deviation: float, limit: int, offset: int = 0
    ) -> list[tuple[str, bool, GlickoRating]]:
        """Names (and True for a bot) with ratings of a kind, the highest first.

        They are established, and had at most that deviation when it was stored.
        """
        query = select(ratings, accounts.c.name, accounts.c.bot).join(accounts)
        query = query.where(ratings.c.kind == kind, ratings.c.established.is_not(None), accounts.c.public)
        query = query.where(ratings.c.deviation <= deviation).order_by(ratings.c.rating.desc(), accounts.c.id)
        with self._engine.begin() as connection:
            rows = connection.execute(query.limit(limit).offset(offset))
            return [(row.name, bool(row.bot), to_rating(row)) for row in rows]

    def list_rating_changes(self, account: int, limit: int, *, public: bool | None = None) -> list[RatingChange]:
        """The changes of an account's ratings by matches, the latest first."""
        query = select(rating_changes).where(rating_changes.c.account_id == account)
        if public is not None:
            query = query.join(played, played.c.session_id == rating_changes.c.session_id)
            query = query.where(played.c.public == public)
        order = (rating_changes.c.made.desc(), rating_changes.c.session_id)
        with self._engine.begin() as connection:
            return [
                RatingChange(row.session_id, row.kind, RatingMoved(row.before, row.after), row.deviation, row.made)
                for row in connection.execute(query.order_by(*order).limit(limit))
            ]

    def find_rating_changes(self, session_ids: Iterable[str], account: int) -> dict[str, RatingMoved]:
        """The rating of an account before and after each of these games, where they were rated."""
        table = rating_changes.c
        query = select(table.session_id, table.before, table.after)
        query = query.where(table.account_id == account, table.session_id.in_(list(session_ids)))
        with self._engine.begin() as connection:
            return {row.session_id: RatingMoved(row.before, row.after) for row in connection.execute(query)}

    # -- reading ------------------------------------------------------------------------------------------
    def list_games(self, game_filter: GameFilter, limit: int, offset: int = 0) -> list[Played]:
        """Games in which both seats are taken, the latest first."""
        query = select(played).join(game_sessions, game_sessions.c.session_id == played.c.session_id)
        query = query.where(*_conditions(game_filter))
        order = (func.coalesce(played.c.ended, played.c.begun).desc(), played.c.session_id)
        with self._engine.begin() as connection:
            return [_to_played(row) for row in connection.execute(query.order_by(*order).limit(limit).offset(offset))]

    def count_games(self, game_filter: GameFilter) -> int:
        """The number of games that pass a filter."""
        with self._engine.begin() as connection:
            query = select(func.count(played.c.session_id))
            query = query.join(game_sessions, game_sessions.c.session_id == played.c.session_id)
            return int(connection.execute(query.where(*_conditions(game_filter))).scalar_one())

    def list_tallies(self, account: int, *, public: bool | None = None) -> list[GamesTally]:
        """Finished games of an account by variant, without those that were begun without it."""
        total: dict[str, GamesTally] = {}
        for side, column in enumerate((played.c.x_account, played.c.o_account)):
            mine, theirs = (played.c.x_points, played.c.o_points)[:: 1 - 2 * side]
            conditions = [column == account, played.c.ended.is_not(None), _counts("XO"[side])]
            if public is not None:
                conditions.append(played.c.public == public)
            query = select(
                played.c.variant,
                func.count(),
                func.sum(case((played.c.winner == side, 1), else_=0)),
                func.sum(case((played.c.winner == 1 - side, 1), else_=0)),
                func.sum(mine - theirs),
            )
            with self._engine.begin() as connection:
                for variant, *sums in connection.execute(query.where(*conditions).group_by(played.c.variant)):
                    games, won, lost, points = (int(value or 0) for value in sums)
                    old = total.get(variant, GamesTally(variant, 0, 0, 0, 0))
                    total[variant] = GamesTally(
                        variant, old.games + games, old.won + won, old.lost + lost, old.points + points
                    )
        return sorted(total.values(), key=lambda tally: (-tally.games, tally.variant))

    def get_dice(self, account: int, *, public: bool | None = None) -> AccountDice:
        """The dice of an account's finished games, without those that were begun without it."""
        games, sides = 0, (NOTHING_THROWN, NOTHING_THROWN)
        for side, column in enumerate((played.c.x_account, played.c.o_account)):
            conditions = [column == account, played.c.dice.is_not(None), _counts("XO"[side])]
            if public is not None:
                conditions.append(played.c.public == public)
            with self._engine.begin() as connection:
                for text in connection.execute(select(played.c.dice).where(*conditions)).scalars():
                    counts = DiceCounts.from_text(text)
                    ours, theirs = (counts.x, counts.o)[:: 1 - 2 * side]
                    games, sides = games + 1, (sides[0] + ours, sides[1] + theirs)
        return AccountDice(games, *sides)

    def count_endings(self, account: int) -> Endings:
        """The ends of an account's games against other people."""
        table = played.c
        mine = or_(
            and_(table.x_account == account, table.ended_by == 0), and_(table.o_account == account, table.ended_by == 1)
        )
        query = select(table.ending, func.count(), func.sum(case((mine, 1), else_=0)))
        query = query.where(_mine(account), table.ending.is_not(None), table.ended.is_not(None)).group_by(table.ending)
        with self._engine.begin() as connection:
            endings = {str(ending): (int(games), int(caused)) for ending, games, caused in connection.execute(query)}
        left, absent, late, aborted = (
            endings.get(ending, (0, 0))[1] for ending in ("left", "absence", "time", "aborted")
        )
        return Endings(sum(games for games, _ in endings.values()), left, absent, late, aborted)

    def note_abort(self, session_id: str, side: int, account: int, since: datetime, most: int) -> bool:
        """Note that an account is about to abort a rated match; False when it has aborted ``most`` others since then.

        The note counts at once, so that of many requests at the same time no more than ``most`` succeed. It is the
        ending of the match until the true one is stored with its end.
        """
        table = played.c
        by = or_(
            and_(table.x_account == account, table.ended_by == 0), and_(table.o_account == account, table.ended_by == 1)
        )
        lately = or_(table.ended >= since, table.ended.is_(None))
        query = select(func.count()).select_from(played)
        query = query.where(by, table.rated, table.ending == "aborted", lately, table.session_id != session_id)
        under_way = (table.session_id == session_id, table.ended.is_(None), table.ending.is_(None))
        with self._engine.begin() as connection:
            keep_others_out(connection, f"aborts of {account}")
            if connection.execute(query).scalar_one() >= most:
                return False
            connection.execute(update(played).where(*under_way).values(ending="aborted", ended_by=side))
            return True

    def delete_abort(self, session_id: str) -> None:
        """Delete the note of :meth:`note_abort`: the match goes on."""
        under_way = (played.c.session_id == session_id, played.c.ended.is_(None))
        with self._engine.begin() as connection:
            connection.execute(update(played).where(*under_way).values(ending=None, ended_by=None))

    def find_library_match(self, session_id: str) -> int | None:
        """The number under which the library knows the match of a session."""
        query = select(library_matches.c.id).join(played, played.c.facts == library_matches.c.facts)
        with self._engine.begin() as connection:
            return connection.execute(query.where(played.c.session_id == session_id)).scalar()

    def list_losses(self, account: int, *, public: bool | None = None) -> tuple[int, list[float]]:
        """The number of an account's games with reviews in the library, and the loss of each decision that counts.

        Games with help are left out, and those that were begun without the account.
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
            select(played.c.session_id, table.loss)
            .join(library_matches, library_matches.c.facts == played.c.facts)
            .join(library_decisions, table.match_id == library_matches.c.id)
            .where(table.review_id.in_(latest), table.counts, ~played.c.helped, or_(as_x, as_o))
        )
        if public is not None:
            query = query.where(played.c.public == public)
        with self._engine.begin() as connection:
            losses = [(row.session_id, float(row.loss)) for row in connection.execute(query)]
        return len({session_id for session_id, _ in losses}), [loss for _, loss in losses]


def _counts(side: str) -> ColumnElement[bool]:
    """True for a game that was the account's on this side from its beginning."""
    return played.c.kept.bitwise_and(_KEPT[side]) == 0


def _conditions(game_filter: GameFilter) -> list[ColumnElement[bool]]:
    # A session whose second seat is free is no game yet: a challenge, which may never be accepted.
    # One that was called off before it began never was one.
    conditions: list[ColumnElement[bool]] = [
        game_sessions.c.invitation.is_(None),
        game_sessions.c.status != "called_off",
    ]
    table = played.c
    if game_filter.account is not None:
        conditions.append(_mine(game_filter.account))
    if game_filter.opponent is not None:
        part = game_filter.opponent.casefold()
        x = func.lower(table.x_name).contains(part, autoescape=True)
        o = func.lower(table.o_name).contains(part, autoescape=True)
        if game_filter.account is None:
            conditions.append(or_(x, o))
        else:
            conditions.append(
                or_(and_(table.o_account == game_filter.account, x), and_(table.x_account == game_filter.account, o))
            )
    if game_filter.variant is not None:
        conditions.append(table.variant == game_filter.variant)
    when = func.coalesce(table.ended, table.begun)
    if game_filter.since is not None:
        conditions.append(when >= game_filter.since)
    if game_filter.until is not None:
        conditions.append(when < game_filter.until)
    if game_filter.ended is not None:
        conditions.append(table.ended.is_not(None) if game_filter.ended else table.ended.is_(None))
    for column, value in ((table.rated, game_filter.rated), (table.public, game_filter.public)):
        if value is not None:
            conditions.append(column == value)
    return conditions


def _mine(account: int) -> ColumnElement[bool]:
    return or_(played.c.x_account == account, played.c.o_account == account)


def _to_played(row: Any) -> Played:
    return Played(
        session_id=row.session_id,
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
