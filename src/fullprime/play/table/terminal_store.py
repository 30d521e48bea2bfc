"""The games of the terminal: sessions with a number, in the tables of all sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Engine, Select, func, select
from sqlalchemy.exc import SQLAlchemyError

from fullprime.db.database import begin_single, open_database, reason
from fullprime.db.errors import StoreConflict, StoreError
from fullprime.db.schema.sessions import game_sessions
from fullprime.play.events import LogEntry
from fullprime.play.keys import SeatKeys
from fullprime.play.session import GameSession
from fullprime.play.store import SessionStore, StoredSession
from fullprime.play.writer import Append, SessionWriter

_HEAD = game_sessions.c
_NO_KEYS = SeatKeys()
"""The people at the terminal need no keys to their seats."""


class TerminalStore:
    """The games of the terminal in one database; ``url`` may be an engine that is open already.

    Every method waits for the database, and raises StoreError where it cannot be used.
    """

    def __init__(self, url: str | Engine | None = None) -> None:
        self._engine = url if isinstance(url, Engine) else open_database(url)
        self._sessions, self._writer = SessionStore(self._engine), SessionWriter(self._engine)

    @property
    def url(self) -> str:
        """The address of the database, without a password."""
        return self._engine.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Let go of the database."""
        self._writer.close()
        self._engine.dispose()

    def create(self, log: Sequence[LogEntry], secret: str) -> int:
        """Store a new session with its first events and the seed of its dice; gives its number."""
        stored = self._sessions.create(log, secret, _NO_KEYS, is_numbered=True)
        number = self._scalar(select(_HEAD.number).where(_HEAD.session_id == stored.session.session_id))
        assert number is not None  # it was stored with one
        return number

    def append(self, number: int, session: GameSession, entries: Sequence[LogEntry]) -> None:
        """Store events that lead to ``session``; when this returns, they are on the disk.

        Raises StoreConflict where another process has continued the game, StoreError where the events cannot be stored
        (or where a broken connection leaves that unknown).
        """
        (error,) = self._writer.store([Append(session, tuple(entries), _NO_KEYS)])
        if isinstance(error, StoreConflict):
            raise StoreConflict(f"game {number} is being played somewhere else: it has gone on meanwhile")
        if error is not None:
            raise error

    def load(self, number: int) -> StoredSession:
        """Load a game; raises StoreError where there is none of that number."""
        try:
            with begin_single(self._engine) as connection:
                session_id = connection.execute(select(_HEAD.session_id).where(_HEAD.number == number)).scalar()
        except SQLAlchemyError as error:
            raise StoreError(f"game {number} cannot be read: {reason(error)}") from error
        if session_id is None:
            raise StoreError(f"there is no stored game {number}")
        return self._sessions.load(session_id)

    def find_last_unfinished(self) -> int | None:
        """The number of the game that was played last and is not over."""
        unfinished = select(_HEAD.number).where(_HEAD.number.is_not(None), _HEAD.status == "playing")
        return self._scalar(unfinished.order_by(_HEAD.changed_at.desc(), _HEAD.number.desc()).limit(1))

    def count(self) -> int:
        """The number of games stored."""
        return self._scalar(select(func.count(_HEAD.number))) or 0

    def _scalar(self, query: Select[Any]) -> int | None:
        try:
            with begin_single(self._engine) as connection:
                value = connection.execute(query).scalar()
        except SQLAlchemyError as error:
            raise StoreError(f"games cannot be read: {reason(error)}") from error
        return None if value is None else int(value)
