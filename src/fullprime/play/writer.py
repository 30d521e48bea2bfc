"""The one writer of sessions: all that has come meanwhile is stored by one transaction, with one wait for the disk."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from queue import Empty, SimpleQueue
from typing import Any

from sqlalchemy import Engine, bindparam, insert, update
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from fullprime.db.database import reason
from fullprime.db.errors import StoreConflict, StoreError
from fullprime.db.schema.tables import game_sessions, session_events
from fullprime.play.events import LogEntry
from fullprime.play.head import SeatKeys
from fullprime.play.session import GameSession
from fullprime.play.store import event_row, head_row

MOST = 200
"""Sessions that one transaction goes on with."""


@dataclass(frozen=True, slots=True)
class Append:
    """Events that go on with a session, and the session and its keys after them."""

    session: GameSession
    entries: tuple[LogEntry, ...]
    keys: SeatKeys


class SessionWriter:
    """Stores events of the sessions of one database, in a thread of its own that starts with the first."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: SimpleQueue[tuple[Append, asyncio.Future[None]] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._connection: Any = None

    async def append(self, item: Append) -> None:
        """Store events; when this returns, they are on the disk.

        Raises StoreConflict where the session has gone on elsewhere, with nothing stored; any other StoreError where
        the events cannot be stored, or where that is unknown.
        """
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._thread is None or self._is_closed:
            self._start()
        self._waiting.put((item, stored))
        await stored

    def close(self) -> None:
        """Store what waits, and end."""
        with self._lock:
            self._is_closed, thread = True, self._thread
        if thread is not None:
            self._waiting.put(None)
            thread.join(10.0)
        if self._connection is not None:
            with suppress(Exception):
                self._connection.close()
            self._connection = None

    def _start(self) -> None:
        with self._lock:
            if self._is_closed:
                raise StoreError("the database has been let go of")
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="session-writer", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        is_last = False
        while not is_last:
            taken = [self._waiting.get()]
            with suppress(Empty):
                while len(taken) < MOST:
                    taken.append(self._waiting.get_nowait())
            waiting = [entry for entry in taken if entry is not None]
            is_last = len(waiting) < len(taken)
            if waiting:
                errors = self.store([item for item, _ in waiting])
                _settle([future for _, future in waiting], errors)

    # -- storing ------------------------------------------------------------------------------------------
    def store(self, items: Sequence[Append]) -> list[StoreError | None]:
        """Store items together; gives for each the error that prevented it. The others are on the disk then."""
        try:
            if len({item.session.session_id for item in items}) == len(items):
                is_shared = self._engine.dialect.name == "postgresql"
                stored = self._by_one_statement(items) if is_shared else self._by_one_transaction(items)
                return [None if item.session.session_id in stored else _conflict(item) for item in items]
        except SQLAlchemyError as error:
            is_undone = getattr(getattr(error, "orig", None), "sqlstate", None) in _NOTHING_STORED
            if not (isinstance(error, OperationalError) and is_undone and len(items) > 1):
                return [_failed(error)] * len(items)
        except StoreError as error:
            return [error] * len(items)
        except Exception as error:  # noqa: BLE001 - a client waits for an answer, whatever has happened
            return [_failed(error)] * len(items)
        # One of them hinders the others, which are stored without it.
        return [error for item in items for error in self.store([item])]

    def _by_one_transaction(self, items: Sequence[Append]) -> set[str]:
        stored = set()
        with self._engine.begin() as connection:
            for item in items:
                session_id = item.session.session_id
                if connection.execute(_GO_ON, _head_values(item)).rowcount:
                    connection.execute(_ADD, [event_row(session_id, entry) for entry in item.entries])
                    stored.add(session_id)
        return stored

    def _by_one_statement(self, items: Sequence[Append]) -> set[str]:
        driver_error = self._engine.dialect.loaded_dbapi.Error
        heads = [_head_values(item) for item in sorted(items, key=lambda item: item.session.session_id)]
        events = [event_row(item.session.session_id, entry) for item in items for entry in item.entries]
        values = {"heads": _encode(heads), "events": _encode(events)}
        try:
            if self._connection is None:
                self._connection = self._connect()
            cursor = self._connection.execute(_ALL, values, prepare=True)
            return {session_id for (session_id,) in cursor.fetchall()}
        except driver_error as error:
            if self._connection is not None and self._connection.closed:
                self._connection = None
            raise DBAPIError.instance(_ALL, None, error, driver_error) from error

    def _connect(self) -> Any:
        """A connection beside the pool: it keeps its settings, and is no old one that has broken meanwhile."""
        dialect = self._engine.dialect
        words, settings = dialect.create_connect_args(self._engine.url)
        connection: Any = dialect.connect(*words, **settings)
        connection.autocommit = True
        connection.execute(_SETTINGS)
        return connection


def _settle(futures: Sequence[asyncio.Future[None]], errors: Sequence[StoreError | None]) -> None:
    """Let those who wait go on, each in its own event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], StoreError | None]]] = {}
    for future, error in zip(futures, errors, strict=True):
        by_loop.setdefault(future.get_loop(), []).append((future, error))
    for loop, settled in by_loop.items():
        with suppress(RuntimeError):  # the loop has ended, and what waited there with it
            loop.call_soon_threadsafe(_set_results, settled)


def _set_results(settled: Sequence[tuple[asyncio.Future[None], StoreError | None]]) -> None:
    for future, error in settled:
        if future.done():
            continue  # its task was cancelled
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)


def _conflict(item: Append) -> StoreConflict:
    return StoreConflict(f"game {item.session.session_id} has gone on elsewhere")


def _failed(error: Exception) -> StoreError:
    failed = StoreError(f"the game cannot be stored: {reason(error)}")
    failed.__cause__ = error
    return failed


def _head_values(item: Append) -> dict[str, Any]:
    session, entries = item.session, item.entries
    row = head_row(session, item.keys, entries[-1].at)
    return {**row, "of_session": session.session_id, "expected": session.sequence - len(entries)}


_HEAD = game_sessions.c
_CHANGING = (
    "sequence", "status", "turn", "deadline_at", "variant", "length", "x_name", "o_name", "x_points", "o_points",
    "winner", "x_key", "o_key", "invitation", "changed_at",
)  # fmt: skip
"""The columns of a head row that change with each event."""
_GO_ON = (
    update(game_sessions)
    .where(_HEAD.session_id == bindparam("of_session"), _HEAD.sequence == bindparam("expected"))
    .values({name: bindparam(name) for name in _CHANGING})
)
_ADD = insert(session_events)
_TYPES = {"sequence": "integer", "deadline_at": "timestamp", "length": "integer", "changed_at": "timestamp"}
_STATEMENT = """
WITH heads AS MATERIALIZED (
    SELECT * FROM json_to_recordset(%(heads)s::json) AS head (
        of_session text, expected integer, {typed}
    )
), went_on AS (
    UPDATE game_sessions SET {changes}
    FROM heads WHERE session_id = heads.of_session AND game_sessions.sequence = heads.expected
    RETURNING session_id
), added AS (
    INSERT INTO session_events (session_id, sequence, at, kind, data)
    SELECT session_id, event.sequence, event.at, event.kind, event.data FROM json_to_recordset(%(events)s::json)
        AS event (session_id text, sequence integer, at timestamp, kind text, data text)
    JOIN went_on USING (session_id)
)
SELECT session_id FROM went_on
"""
_ALL = _STATEMENT.replace("{typed}", ", ".join(f"{name} {_TYPES.get(name, 'text')}" for name in _CHANGING)).replace(
    "{changes}", ", ".join(f"{name} = heads.{name}" for name in _CHANGING)
)
"""Gives the sessions that went on; of the others another process has stored events first."""
_SETTINGS = (
    # PostgreSQL does not know how few rows are given, and would rather read the whole table of sessions.
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;"
    # A row that another process holds must not hold up the others for long.
    "SET lock_timeout = '3s'"
)
_NOTHING_STORED = frozenset(("40001", "40P01", "55P03", "57014"))
"""Conditions of PostgreSQL (a deadlock, for instance) after which the statement is undone for certain."""

_encode = json.JSONEncoder(default=datetime.isoformat, ensure_ascii=False).encode
