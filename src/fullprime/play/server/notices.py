"""News between the processes that serve one PostgreSQL database: the rooms that have changed.

A notice is sent after its change has been committed, so that no commit waits for another. A process that is
killed in between leaves others without its last notice: they look for themselves now and then.
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

from fullprime.db.database import by_driver
from fullprime.db.errors import StoreError

ROOMS, PEOPLE = "fullprime_rooms", "fullprime_people"
"""Channels: rooms that have changed; messages to people who are not in a room."""
_LONGEST = 7000
"""PostgreSQL carries notices of less than 8000 bytes."""

_TOGETHER = 0.02
"""Seconds for which a notice waits for others that go with it."""

log = logging.getLogger(__name__)


class Notices:
    """Sends and receives notices in two threads of its own.

    ``heard`` is called with the names that another process has sent, or None when notices may have been missed;
    ``now_and_then`` about every ``seconds``. Both must be quick.
    """

    def __init__(
        self,
        engine: Engine,
        heard: Callable[[frozenset[str] | None], None],
        now_and_then: Callable[[], None],
        *,
        seconds: float = 5.0,
        channel: str = ROOMS,
    ) -> None:
        self._channel = channel
        self._engine, self._heard, self._now_and_then, self._seconds = engine, heard, now_and_then, seconds
        self._me = secrets.token_hex(8)
        self._ended = threading.Event()
        self._waiting: dict[str, None] = {}
        self._news = threading.Condition()
        self._threads = [
            threading.Thread(target=self._send, name="notices out", daemon=True),
            threading.Thread(target=self._listen, name="notices in", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def send(self, name: str) -> None:
        """Tell the other processes, soon."""
        with self._news:
            first = not self._waiting
            self._waiting[name] = None
            if first:
                self._news.notify()

    def close(self) -> None:
        """Send the notices that wait, and end."""
        self._ended.set()
        with self._news:
            self._news.notify()
        for thread in self._threads:
            thread.join(self._seconds + 5)

    # -- out ----------------------------------------------------------------------------------------------
    def _send(self) -> None:
        while True:
            with self._news:
                while not self._waiting and not self._ended.is_set():
                    self._news.wait()
            # Changes of the next moments go with the same notice: each costs all processes something.
            self._ended.wait(_TOGETHER)
            with self._news:
                names, self._waiting = self._waiting, {}
            ended = self._ended.is_set() and not names
            for notice in _packed(self._me, names):
                try:
                    by_driver(self._engine, _SEND, {"channel": self._channel, "notice": notice})
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
                    self._heard(None)
                first = False
                self._hear(connection)
            except Exception as error:  # any break of the connection: a new one is made
                if not self._ended.is_set():
                    log.warning("no notices for the moment: %s", error, exc_info=log.isEnabledFor(logging.DEBUG))
                    first = False
                    self._ended.wait(1.0)
            finally:
                if connection is not None:
                    with contextlib.suppress(Exception):
                        connection.close()

    def _hear(self, connection: Any) -> None:
        while not self._ended.is_set():
            for notice in connection.notifies(timeout=self._seconds):
                sender, *names = notice.payload.split()
                if sender != self._me:
                    self._heard(frozenset(names))
                elif self._ended.is_set():
                    return
            self._now_and_then()


# A notice is no more than a hint: its commit need not wait for the disk.
_SEND = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(%(channel)s, %(notice)s)"


def _packed(sender: str, names: dict[str, None]) -> Iterator[str]:
    """Notices of the sender and as many names as fit; one without names when there are none."""
    notice = sender
    for name in names:
        if len(notice) + len(name) > _LONGEST:
            yield notice
            notice = sender
        notice += f" {name}"
    yield notice


def open_notices(
    engine: Engine,
    heard: Callable[[frozenset[str] | None], None],
    now_and_then: Callable[[], None],
    seconds: float = 5.0,
    channel: str = ROOMS,
) -> Notices | None:
    """Notices where the database carries them; None for SQLite, which one process serves."""
    if engine.dialect.name != "postgresql":
        return None
    return Notices(engine, heard, now_and_then, seconds=seconds, channel=channel)
