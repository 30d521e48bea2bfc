"""The people who have a page open at a board or wait for an opponent, and the paired games: read for the lobby."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, and_, func, literal, or_, select, union

from fullprime.accounts.store.accounts import Account, account_of
from fullprime.db.database import DatabaseStore
from fullprime.db.schema.sessions import game_sessions, server_processes, session_presences
from fullprime.db.schema.tables import accounts, challenges, played
from fullprime.db.times import utc_now
from fullprime.play.presence import ENDED_AFTER


class PresentStore(DatabaseStore):
    """The people who are present, in all processes of one database.

    In the pools of those names a seek lapses soon after its page is left, so that who waits there is there as well.
    """

    def __init__(self, url: str | Engine | None, pools: Sequence[str]) -> None:
        super().__init__(url)
        self._pools = tuple(pools)

    def count(self) -> int:
        """The sides of games between people that have a page open, and of those who wait to be paired."""
        sides = select(session_presences.c.session_id, session_presences.c.side)
        sides = sides.join(server_processes, _OF_PROCESS).where(_is_there())
        waiting = select(challenges.c.session_id, literal("X")).where(self._waits())
        with self._engine.begin() as connection:
            both = union(sides, waiting).subquery()
            return int(connection.execute(select(func.count()).select_from(both)).scalar_one())

    def list_accounts(self, limit: int) -> list[Account]:
        """The present accounts with a public profile, by name."""
        query = select(accounts).where(accounts.c.public, self._is_present())
        with self._engine.begin() as connection:
            return [account_of(row) for row in connection.execute(query.order_by(accounts.c.name).limit(limit))]

    def find_present(self, numbers: Iterable[int]) -> frozenset[int]:
        """The numbers, out of these, of the accounts that are present."""
        query = select(accounts.c.id).where(accounts.c.id.in_(set(numbers)), self._is_present())
        with self._engine.begin() as connection:
            return frozenset(int(number) for number in connection.execute(query).scalars())

    def list_paired_games(self, limit: int) -> list[str]:
        """The games of pools that are played now, the latest first."""
        is_played = game_sessions.c.pool.is_not(None) & (game_sessions.c.status == "playing")
        query = select(game_sessions.c.session_id).where(is_played).order_by(game_sessions.c.created_at.desc())
        with self._engine.begin() as connection:
            return [str(game) for game in connection.execute(query.limit(limit)).scalars()]

    def _is_present(self) -> ColumnElement[bool]:
        """True for an account that has a page open at a board, or waits to be paired."""
        waiting = select(challenges.c.creator).where(challenges.c.creator.is_not(None), self._waits())
        return or_(accounts.c.id.in_(_seated_accounts()), accounts.c.id.in_(waiting))

    def _waits(self) -> ColumnElement[bool]:
        """True for a seek that lapses soon after its page is left."""
        return challenges.c.pool.in_(self._pools) & (challenges.c.expires > utc_now())


def _seated_accounts() -> Select[Any]:
    """The numbers of the accounts that have a page open at a board."""
    people = accounts.alias()
    is_x = and_(session_presences.c.side == "X", played.c.x_account == people.c.id)
    is_o = and_(session_presences.c.side == "O", played.c.o_account == people.c.id)
    seated = select(people.c.id).select_from(session_presences)
    seated = seated.join(server_processes, _OF_PROCESS)
    seated = seated.join(played, played.c.session_id == session_presences.c.session_id)
    return seated.join(people, or_(is_x, is_o)).where(_is_there())


_OF_PROCESS = session_presences.c.process_id == server_processes.c.process_id


def _is_there() -> ColumnElement[bool]:
    """True for a page that is open in a process that still stores heartbeats."""
    return session_presences.c.left_at.is_(None) & (server_processes.c.heartbeat_at >= utc_now() - ENDED_AFTER)
