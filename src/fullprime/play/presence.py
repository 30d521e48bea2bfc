"""The presence of players: the processes in which a side has a page open, and the time since it has none.

Presence is no event of a session. Each process notes its own pages, and stores a heartbeat while there are any; the
pages of a process that was killed count as left at its last heartbeat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, TypeAlias

from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from fullprime.db.database import reason
from fullprime.db.errors import StoreError
from fullprime.db.schema.sessions import server_processes, session_presences
from fullprime.rules.score import Player

Absences: TypeAlias = Mapping[Player, datetime]
"""The sides that have closed their last page, each with the time when they did (UTC, without a zone)."""
NOT_ABSENT: Absences = MappingProxyType({})

ENDED_AFTER = timedelta(seconds=20)
"""The time without a heartbeat after which a process has ended."""

_PRESENCES, _PROCESSES = session_presences.c, server_processes.c


def read_absences(connection: Connection, session_ids: Sequence[str], now: datetime) -> dict[str, Absences]:
    """The absences in each of these sessions that has some."""
    query = (
        select(_PRESENCES.session_id, _PRESENCES.side, _PRESENCES.left_at, _PROCESSES.heartbeat_at)
        .outerjoin_from(session_presences, server_processes, _PRESENCES.process_id == _PROCESSES.process_id)
        .where(_PRESENCES.session_id.in_(session_ids))
    )
    left: dict[tuple[str, Player], datetime | None] = {}
    for session_id, side, left_at, heartbeat_at in connection.execute(query):
        place = (str(session_id), Player[side])
        if left_at is None and heartbeat_at is not None and heartbeat_at >= now - ENDED_AFTER:
            left[place] = None
        elif place not in left or left[place] is not None:
            times = [at for at in (left.get(place), left_at or heartbeat_at) if at is not None]
            if times:
                left[place] = max(times)
    absences: dict[str, dict[Player, datetime]] = {}
    for (session_id, player), at in left.items():
        if at is not None:
            absences.setdefault(session_id, {})[player] = at
    return {session_id: MappingProxyType(sides) for session_id, sides in absences.items()}


class PresenceStore:
    """The presences that one process notes. Every method waits for the database; raises StoreError."""

    def __init__(self, engine: Engine, process_id: str) -> None:
        self._engine, self._process_id = engine, process_id

    def note_arrived(self, session_id: str, side: Player, now: datetime) -> None:
        """Note that a side has a page open in this process."""

        def note(connection: Connection) -> None:
            self._write_heartbeat(connection, now)
            condition = (_PRESENCES.session_id == session_id) & (_PRESENCES.side == side.name)
            # What it has left elsewhere says nothing any more.
            connection.execute(delete(session_presences).where(condition, _PRESENCES.left_at.is_not(None)))
            row = {"session_id": session_id, "side": side.name, "process_id": self._process_id, "left_at": None}
            if not connection.execute(
                update(session_presences).where(condition, self._is_own).values(left_at=None)
            ).rowcount:
                connection.execute(insert(session_presences).values(row))

        self._do(note)

    def note_left(self, session_id: str, side: Player, now: datetime) -> None:
        """Note that a side has no page open in this process any more."""
        condition = (_PRESENCES.session_id == session_id) & (_PRESENCES.side == side.name) & self._is_own
        self._do(lambda connection: connection.execute(update(session_presences).where(condition).values(left_at=now)))

    def store_heartbeat(self, now: datetime) -> None:
        """Store the time of a heartbeat."""
        self._do(lambda connection: self._write_heartbeat(connection, now))

    def note_ended(self, now: datetime) -> None:
        """Note that this process ends: its pages are left."""

        def note(connection: Connection) -> None:
            own = update(session_presences).where(self._is_own, _PRESENCES.left_at.is_(None))
            connection.execute(own.values(left_at=now))
            connection.execute(delete(server_processes).where(_PROCESSES.process_id == self._process_id))

        self._do(note)

    def settle_ended(self, now: datetime) -> list[str]:
        """Note the pages of processes that have ended as left at their last heartbeat; gives their sessions."""
        settled: list[str] = []

        def settle(connection: Connection) -> None:
            ended = select(server_processes).where(_PROCESSES.heartbeat_at < now - ENDED_AFTER)
            for process_id, heartbeat_at in connection.execute(ended).all():
                left = (_PRESENCES.process_id == process_id) & _PRESENCES.left_at.is_(None)
                settled.extend(connection.execute(select(_PRESENCES.session_id).where(left)).scalars())
                connection.execute(update(session_presences).where(left).values(left_at=heartbeat_at))
                connection.execute(delete(server_processes).where(_PROCESSES.process_id == process_id))

        self._do(settle)
        return sorted(set(settled))

    def _write_heartbeat(self, connection: Connection, now: datetime) -> None:
        own = _PROCESSES.process_id == self._process_id
        if not connection.execute(update(server_processes).where(own).values(heartbeat_at=now)).rowcount:
            connection.execute(insert(server_processes).values(process_id=self._process_id, heartbeat_at=now))

    @property
    def _is_own(self) -> Any:
        return _PRESENCES.process_id == self._process_id

    def _do(self, work: Any) -> None:
        try:
            with self._engine.begin() as connection:
                work(connection)
        except IntegrityError:
            return  # the session is gone, or another thread of this process has noted the same
        except SQLAlchemyError as error:
            raise StoreError(f"a presence cannot be stored: {reason(error)}") from error
