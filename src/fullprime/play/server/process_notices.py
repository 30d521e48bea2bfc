"""Notices between the processes that serve one PostgreSQL database, by LISTEN and NOTIFY.

A notice is sent after its change has been committed, so that no commit waits for another. A process that is
killed in between never sends its last notice, so the others also read the database at intervals.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from fullprime.db.database import execute_by_driver
from fullprime.db.errors import StoreError

SESSIONS, TOPICS = "fullprime_sessions", "fullprime_people"
"""The channels: one for sessions that have changed, one for the messages of topics, revocations too."""
_LONGEST = 7000
"""PostgreSQL carries notices of less than 8000 bytes."""

_GATHER_SECONDS = 0.02
"""Seconds for which a notice waits for others, to be sent together."""

log = logging.getLogger(__name__)


class ProcessNotices:
    """Send and receive notices in two threads of its own.

    ``on_notices`` is called with the names that another process has sent, or None when notices may have been missed;
    ``on_interval`` is called about every ``seconds``. Both must be quick.
    """

    def __init__(
        self,
        engine: Engine,
        on_notices: Callable[[frozenset[str] | None], None],
        on_interval: Callable[[], None],
        *,
        seconds: float = 5.0,
        channel: str = SESSIONS,
    ) -> None:
        self._channel = channel
        self._engine, self._on_notices, self._on_interval, self._seconds = engine, on_notices, on_interval, seconds
        self._own_id = secrets.token_hex(8)
        self._ended = threading.Event()
        self._waiting: dict[str, None] = {}
        self._has_waiting = threading.Condition()
        self._threads = [
            threading.Thread(target=self._send, name="notices out", daemon=True),
            threading.Thread(target=self._listen, name="notices in", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def send(self, name: str) -> None:
        """Send a name to the other processes, together with those of the next moments."""
        with self._has_waiting:
            first = not self._waiting
            self._waiting[name] = None
            if first:
                self._has_waiting.notify()

    def close(self) -> None:
        """Send the notices that wait, and end both threads."""
        self._ended.set()
        with self._has_waiting:
            self._has_waiting.notify()
        for thread in self._threads:
            thread.join(self._seconds + 5)

    # -- out ----------------------------------------------------------------------------------------------
    def _send(self) -> None:
        while True:
            with self._has_waiting:
                while not self._waiting and not self._ended.is_set():
                    self._has_waiting.wait()
            # Changes of the next moments go with the same notice: each costs all processes something.
            self._ended.wait(_GATHER_SECONDS)
            with self._has_waiting:
                names, self._waiting = self._waiting, {}
            ended = self._ended.is_set() and not names
            for notice in _pack(self._own_id, names):
                try:
                    execute_by_driver(self._engine, _SEND, {"channel": self._channel, "notice": notice})
                except (SQLAlchemyError, StoreError) as error:
                    log.warning("a notice could not be sent: %s", error)
            if ended:
                return

    # -- in -----------------------------------------------------------------------------------------------
    def _listen(self) -> None:
        first = True
        while not self._ended.is_set():
            connection: Any = None
            try:
                pooled = self._engine.raw_connection()
                connection = pooled.driver_connection
                pooled.detach()
                connection.rollback()
                connection.autocommit = True
                connection.execute(f"LISTEN {self._channel}")
                if not first:
                    self._on_notices(None)
                first = False
                self._receive(connection)
            except Exception as error:  # any break of the connection: a new one is made
                if not self._ended.is_set():
                    log.warning("no notices for the moment: %s", error, exc_info=log.isEnabledFor(logging.DEBUG))
                    first = False
                    self._ended.wait(1.0)
            finally:
                if connection is not None:
                    with contextlib.suppress(Exception):
                        connection.close()

    def _receive(self, connection: Any) -> None:
        while not self._ended.is_set():
            for notice in connection.notifies(timeout=self._seconds):
                sender, *names = notice.payload.split()
                if sender != self._own_id:
                    self._on_notices(frozenset(names))
                elif self._ended.is_set():
                    return
            self._on_interval()


# A notice is no more than a hint: its commit need not wait for the disk.
_SEND = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(%(channel)s, %(notice)s)"


def _pack(sender: str, names: dict[str, None]) -> Iterator[str]:
    """Make notices of the sender and as many names as fit; one without names when there are none."""
    notice = sender
    for name in names:
        if len(notice) + len(name) > _LONGEST:
            yield notice
            notice = sender
        notice += f" {name}"
    yield notice


def open_notices(
    engine: Engine,
    on_notices: Callable[[frozenset[str] | None], None],
    on_interval: Callable[[], None],
    seconds: float = 5.0,
    channel: str = SESSIONS,
) -> ProcessNotices | None:
    """Open notices on PostgreSQL; None for SQLite, which one process serves."""
    if engine.dialect.name != "postgresql":
        return None
    return ProcessNotices(engine, on_notices, on_interval, seconds=seconds, channel=channel)
