"""Events of many games stored together: one transaction, and one wait for the disk, for all that came meanwhile."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from sqlalchemy import Engine
from sqlalchemy.dialects.sqlite import insert as insert_or_not
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError

from fullprime.store.database import reason
from fullprime.store.errors import StoreConflict, StoreError
from fullprime.store.games.writing import GO_ON, NEW_EVENT, EventRow, played_elsewhere
from fullprime.store.schema.tables import events

MOST = 200
"""Events in one transaction."""

T = TypeVar("T")
Outcome = StoreError | None
"""The error that prevented it; None where it was stored."""

_ALL = """
WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset(%(rows)s::json) AS each (
        number integer, place integer, game integer, what text, thrown integer, standing text,
        now timestamp, falls timestamp
    )
), appended AS (
    INSERT INTO events (match_id, seq, game_no, event, at)
    SELECT number, place, game, what, now FROM given ORDER BY number
    ON CONFLICT (match_id, seq) DO NOTHING RETURNING match_id
)
UPDATE matches SET drawn = given.thrown, status = given.standing, updated = given.now, falls = given.falls
FROM given JOIN appended ON appended.match_id = given.number WHERE matches.id = given.number RETURNING matches.id
"""
"""Gives the numbers of the matches that went on; of the others somebody else has stored that event. The order of the
rows is the same in all processes, so that none waits for another one that waits for it."""
_SETTINGS = (
    # PostgreSQL does not know how few rows are given, and would rather read the whole table of matches.
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;"
    # A row that somebody else holds must not hold up the others for long.
    "SET lock_timeout = '3s'"
)
_NOTHING_STORED = frozenset(("40001", "40P01", "55P03", "57014"))
"""Conditions of PostgreSQL (a deadlock, for instance) after which the statement is undone for certain."""


class EventBatches(Generic[T]):
    """Stores events of the matches of one database by a thread of its own, which starts with the first.

    That thread calls ``told`` with pairs: the owner of an event, and the error that prevented the storing (None when
    the event is on the disk).
    """

    def __init__(self, engine: Engine, told: Callable[[Sequence[tuple[T, Outcome]]], None]) -> None:
        self._engine, self._told = engine, told
        self._waiting: SimpleQueue[tuple[EventRow, T] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ended = False
        self._connection: Any = None
        self._insert = insert_or_not(events).values(NEW_EVENT).on_conflict_do_nothing()

    def submit(self, row: EventRow, whose: T) -> None:
        """Store an event soon; raises StoreError after :meth:`close`."""
        if self._thread is None or self._ended:
            self._start()
        self._waiting.put((row, whose))

    def close(self) -> None:
        """Store what waits, and end."""
        with self._lock:
            self._ended, thread = True, self._thread
        if thread is not None:
            self._waiting.put(None)
            thread.join(10.0)
        if self._connection is not None:
            with suppress(Exception):
                self._connection.close()
            self._connection = None

    def _start(self) -> None:
        with self._lock:
            if self._ended:
                raise StoreError("the database has been let go of")
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="store", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        ended = False
        while not ended:
            got = [self._waiting.get()]
            with suppress(Empty):
                while len(got) < MOST:
                    got.append(self._waiting.get_nowait())
            given = [each for each in got if each is not None]
            ended = len(given) < len(got)
            if not given:
                continue
            outcomes = self.store([row for row, _ in given])
            self._told([(whose, outcome) for (_, whose), outcome in zip(given, outcomes, strict=True)])

    # -- storing ------------------------------------------------------------------------------------------
    def store(self, rows: Sequence[EventRow]) -> list[Outcome]:
        """Store rows; gives for each the error that prevented it. When this returns, the others are on the disk."""
        try:
            if len({row["number"] for row in rows}) == len(rows):
                return self._store(rows)
        except StoreConflict as error:
            if len(rows) == 1:
                return [error]
        except StoreError as error:
            return [error] * len(rows)
        except Exception as error:  # noqa: BLE001 - whoever waits must be told, whatever it was
            return [StoreError(f"the game cannot be stored: {reason(error)}")] * len(rows)
        # One of them hinders the others, which are stored without it.
        return [outcome for row in rows for outcome in self.store([row])]

    def _store(self, rows: Sequence[EventRow]) -> list[Outcome]:
        try:
            if self._engine.dialect.name == "postgresql":
                stored = self._by_one_statement(rows)
            else:
                stored = self._by_one_transaction(rows)
        except IntegrityError as error:
            raise StoreConflict(f"not all of {len(rows)} games can be stored: {reason(error)}") from error
        except SQLAlchemyError as error:
            undone = getattr(getattr(error, "orig", None), "sqlstate", None) in _NOTHING_STORED
            kind = StoreConflict if isinstance(error, OperationalError) and undone and len(rows) > 1 else StoreError
            raise kind(f"the game cannot be stored: {reason(error)}") from error
        return [None if row["number"] in stored else played_elsewhere(row) for row in rows]

    def _by_one_statement(self, rows: Sequence[EventRow]) -> set[int]:
        driver_error = self._engine.dialect.loaded_dbapi.Error
        try:
            if self._connection is None:
                self._connection = self._connect()
            cursor = self._connection.execute(_ALL, {"rows": _encoded(rows)}, prepare=True)
            return {number for (number,) in cursor.fetchall()}
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

    def _by_one_transaction(self, rows: Sequence[EventRow]) -> set[int]:
        stored = set()
        with self._engine.begin() as connection:
            for row in rows:
                if connection.execute(self._insert, row).rowcount:
                    connection.execute(GO_ON, row)
                    stored.add(row["number"])
        return stored


_encoded: Callable[[Sequence[EventRow]], str] = json.JSONEncoder(default=datetime.isoformat).encode
