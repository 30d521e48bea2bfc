"""The only writer of sessions: one transaction, with one wait for the disk, stores all events that wait for it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from sqlalchemy import DateTime, Engine, Integer, Text
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from fullprime.db.database import reason
from fullprime.db.errors import StoreConflict, StoreError, StoreFailed
from fullprime.db.schema.sessions import game_sessions
from fullprime.play.codec import event_row, head_row
from fullprime.play.events import LogEntry
from fullprime.play.keys import SeatKeys
from fullprime.play.session import GameSession

MOST = 200
"""The most sessions to which one transaction adds events."""
Rows: TypeAlias = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Append:
    """Events that continue a session, with the session and its keys after them."""

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

        Raises StoreConflict, with nothing stored, where another process has continued the session; any other StoreError
        where the events were not stored, or may not have been.
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
            appends = [self._waiting.get()]
            with suppress(Empty):
                while len(appends) < MOST:
                    appends.append(self._waiting.get_nowait())
            waiting = [entry for entry in appends if entry is not None]
            is_last = len(waiting) < len(appends)
            if waiting:
                errors = self.store([item for item, _ in waiting])
                _settle([future for _, future in waiting], errors)

    # -- storing ------------------------------------------------------------------------------------------
    def store(self, items: Sequence[Append]) -> list[StoreError | None]:
        """Store items together; gives the error of each one that could not be stored, None for those on the disk."""
        try:
            if len({item.session.session_id for item in items}) == len(items):
                heads = [
                    {
                        **head_row(item.session, item.keys, item.entries[-1].at),
                        "of_session": item.session.session_id,
                        "expected": item.session.sequence - len(item.entries),
                    }
                    for item in items
                ]
                events = [[event_row(item.session.session_id, entry) for entry in item.entries] for item in items]
                is_shared = self._engine.dialect.name == "postgresql"
                stored = (self._write_in_one_statement if is_shared else self._write_in_one_transaction)(heads, events)
                return [None if item.session.session_id in stored else _conflict(item) for item in items]
        except SQLAlchemyError as error:
            is_undone = getattr(getattr(error, "orig", None), "sqlstate", None) in _NOTHING_STORED
            if not (isinstance(error, OperationalError) and is_undone and len(items) > 1):
                return [_to_store_error(error)] * len(items)
        except StoreError as error:
            return [error] * len(items)
        except Exception as error:  # noqa: BLE001 - a client waits for an answer, whatever has happened
            return [_to_store_error(error)] * len(items)
        # One of them hinders the others, which are stored without it.
        return [error for item in items for error in self.store([item])]

    def _write_in_one_transaction(self, heads: Rows, events: Sequence[Rows]) -> set[str]:
        """Write by the driver of SQLite alone: SQLAlchemy's own way was a tenth of what an action costs."""
        stored = set()
        with self._engine.begin() as connection:
            driver: Any = connection.connection.driver_connection
            try:
                for head, rows in zip(heads, events, strict=True):
                    if driver.execute(_GO_ON, _with_times_as_text(head)).rowcount:
                        driver.executemany(_ADD, map(_with_times_as_text, rows))
                        stored.add(head["of_session"])
            except sqlite3.OperationalError as error:
                raise StoreFailed(f"the database cannot be used: {reason(error)}") from error
        return stored

    def _write_in_one_statement(self, heads: Rows, events: Sequence[Rows]) -> set[str]:
        driver_error = self._engine.dialect.loaded_dbapi.Error
        in_order = sorted(heads, key=lambda head: str(head["of_session"]))
        values = {"heads": _encode(in_order), "events": _encode(list(chain.from_iterable(events)))}
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
        """Open a connection outside the pool, so that it keeps its settings and is not one that broke while idle."""
        dialect = self._engine.dialect
        words, settings = dialect.create_connect_args(self._engine.url)
        connection: Any = dialect.connect(*words, **settings)
        connection.autocommit = True
        connection.execute(_SETTINGS)
        return connection


def _with_times_as_text(row: dict[str, Any]) -> dict[str, Any]:
    """A row as SQLite stores it: SQLAlchemy, which reads the rows, expects times in this form."""
    return {
        name: value.isoformat(" ", "microseconds") if isinstance(value, datetime) else value
        for name, value in row.items()
    }


def _settle(futures: Sequence[asyncio.Future[None]], errors: Sequence[StoreError | None]) -> None:
    """Resolve the futures, each in its own event loop."""
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


def _to_store_error(error: Exception) -> StoreError:
    failed = StoreError(f"the game cannot be stored: {reason(error)}")
    failed.__cause__ = error
    return failed


_HEAD = game_sessions.c
_SETTLED = ("session_id", "secret", "created_at", "pool", "number")
"""The columns of a head row that no event changes; ``codec.head_row`` gives the others."""
_TYPES: dict[type[Any], str] = {Integer: "integer", DateTime: "timestamp", Text: "text"}
_CHANGING = {column.name: _TYPES[type(column.type)] for column in _HEAD if column.name not in _SETTLED}
"""The columns that change with each event, each with its type in PostgreSQL."""
_GO_ON = ("UPDATE game_sessions SET {changes} WHERE session_id = :of_session AND sequence = :expected").replace(
    "{changes}", ", ".join(f"{name} = :{name}" for name in _CHANGING)
)
_ADD = (
    "INSERT INTO session_events (session_id, sequence, at, kind, data)"
    " VALUES (:session_id, :sequence, :at, :kind, :data)"
)
"""The statements for SQLite."""
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
_ALL = _STATEMENT.replace("{typed}", ", ".join(f"{name} {kind}" for name, kind in _CHANGING.items())).replace(
    "{changes}", ", ".join(f"{name} = heads.{name}" for name in _CHANGING)
)
"""Gives the sessions whose events were stored; for the others another process was first."""
_SETTINGS = (
    # PostgreSQL does not know how few rows are given, and would rather read the whole table of sessions.
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;"
    # A row that another process holds must not hold up the others for long.
    "SET lock_timeout = '3s'"
)
_NOTHING_STORED = frozenset(("40001", "40P01", "55P03", "57014"))
"""Conditions of PostgreSQL (a deadlock, for instance) after which the statement is undone for certain."""

_encode = json.JSONEncoder(default=datetime.isoformat, ensure_ascii=False).encode
