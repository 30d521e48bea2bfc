"""The store of sessions: the log of each, and the head row that the same transaction writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Select, delete, func, insert, or_, select
from sqlalchemy.exc import SQLAlchemyError

from fullprime.db.database import begin_single, begin_snapshot, reason
from fullprime.db.errors import StoreError, StoreMissing
from fullprime.db.schema.sessions import game_sessions, session_events
from fullprime.db.times import utc_now
from fullprime.messages import Message
from fullprime.play.codec import event_row, head_row, read_event
from fullprime.play.events import LogEntry
from fullprime.play.evolve import fold
from fullprime.play.keys import SeatKeys
from fullprime.play.presence import NOT_ABSENT, Absences, read_absences
from fullprime.play.session import GameSession
from fullprime.rules.errors import FullprimeError

DUE = 100
"""The most sessions that one look at the deadlines gives; the others wait for the next look."""
_AT_ONCE = 100
"""Sessions whose later events are read by one statement."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as it is stored: its log, the state after it, and the secrets that only the server knows."""

    session: GameSession
    log: tuple[LogEntry, ...]
    secret: str
    keys: SeatKeys
    absent: Absences


@dataclass(frozen=True, slots=True)
class LaterEvents:
    """The events of a session after a number; the hashes of its keys and the absences of its sides at that moment."""

    entries: tuple[LogEntry, ...]
    keys: SeatKeys
    absent: Absences


class SessionStore:
    """The sessions of one database. Every method waits for it, and raises StoreError where it cannot be used."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime] = utc_now) -> None:
        self.engine, self._clock = engine, clock

    def create(
        self, log: Sequence[LogEntry], secret: str, keys: SeatKeys, *, is_numbered: bool = False
    ) -> StoredSession:
        """Store a new session with its first events; ``is_numbered`` gives it the next number of the terminal's games.

        Raises StoreError where there is one of that id.
        """
        session = fold(log)
        last_number = select(func.coalesce(func.max(_HEAD.number), 0)).scalar_subquery()
        row = {
            **head_row(session, keys, log[-1].at),
            "session_id": session.session_id,
            "secret": secret,
            "created_at": log[0].at,
            "number": last_number + 1 if is_numbered else None,
        }
        try:
            with self.engine.begin() as connection:
                connection.execute(insert(game_sessions).values(row))
                connection.execute(insert(session_events), [event_row(session.session_id, entry) for entry in log])
        except SQLAlchemyError as error:
            raise StoreError(f"the game cannot be stored: {reason(error)}") from error
        return StoredSession(session, tuple(log), secret, keys, NOT_ABSENT)

    def load(self, session_id: str) -> StoredSession:
        """Load a session; raises StoreMissing where there is none, StoreError where its log cannot be followed."""
        row = self._read({session_id: 0}).get(session_id)
        if row is None:
            raise StoreMissing(Message("there is no game {game}", game=repr(session_id)))
        secret, later = row
        try:
            return StoredSession(fold(later.entries), later.entries, secret, later.keys, later.absent)
        except FullprimeError as error:
            raise StoreError(f"game {session_id} cannot be read: {error}") from error

    def load_later(self, after: Mapping[str, int]) -> dict[str, LaterEvents]:
        """The events of each session after the number given for it, without the sessions that are gone."""
        return {session_id: later for session_id, (_, later) in self._read(after).items()}

    def find_sequences(self, session_ids: Iterable[str]) -> dict[str, int]:
        """The number of the last event of each of these sessions, without those that are gone."""
        query = select(_HEAD.session_id, _HEAD.sequence).where(_HEAD.session_id.in_(list(session_ids)))
        return {str(session_id): int(sequence) for session_id, sequence in self._rows(query, "sessions")}

    def list_finished(self) -> list[str]:
        """The sessions of the server that have begun and in which nothing more is played, the oldest first."""
        query = (
            select(_HEAD.session_id).where(_HEAD.status == "over", _SERVED).order_by(_HEAD.created_at, _HEAD.session_id)
        )
        return [str(session_id) for (session_id,) in self._rows(query, "sessions")]

    def list_overdue(self, now: datetime) -> list[str]:
        """The sessions of the server whose deadline is over, the longest overdue first."""
        query = select(_HEAD.session_id).where(_HEAD.deadline_at <= now, _SERVED).order_by(_HEAD.deadline_at).limit(DUE)
        return [str(session_id) for (session_id,) in self._rows(query, "deadlines")]

    def delete(self, session_id: str) -> bool:
        """Forget a session with its log; False where there is none."""
        return bool(self._remove(_HEAD.session_id == session_id))

    def delete_waiting(self, session_id: str) -> bool:
        """Forget a session whose second seat is free still; False where it is not."""
        is_waiting = (_HEAD.session_id == session_id) & _HEAD.invitation.is_not(None)
        return bool(self._remove(is_waiting))

    def delete_unbegun(self, before: datetime) -> list[str]:
        """Forget the sessions that have not begun and were opened before a time; gives their ids."""
        return self._remove((_HEAD.status == "waiting") & (_HEAD.created_at < before))

    # -- inside -------------------------------------------------------------------------------------------
    def _read(self, after: Mapping[str, int]) -> dict[str, tuple[str, LaterEvents]]:
        """The secret of each session, and its events after a number."""
        read: dict[str, tuple[str, LaterEvents]] = {}
        try:
            for some in _batch(after.items(), _AT_ONCE):
                with begin_snapshot(self.engine) as connection:
                    read.update(self._read_some(connection, dict(some)))
        except SQLAlchemyError as error:
            raise StoreError(f"{len(after)} games cannot be read: {reason(error)}") from error
        return read

    def _read_some(self, connection: Connection, after: Mapping[str, int]) -> dict[str, tuple[str, LaterEvents]]:
        events, entries = session_events.c, dict[str, list[LogEntry]]()
        is_later = or_(*((events.session_id == name) & (events.sequence > number) for name, number in after.items()))
        of_events = select(events.session_id, *_ENTRY).where(is_later).order_by(events.sequence)
        for name, *row in connection.execute(of_events):
            entries.setdefault(name, []).append(_entry(name, row))
        absences = read_absences(connection, list(after), self._clock())
        of_heads = select(_HEAD.session_id, _HEAD.secret, _HEAD.x_key, _HEAD.o_key, _HEAD.invitation)
        return {
            name: (secret, LaterEvents(tuple(entries.get(name, ())), SeatKeys(*keys), absences.get(name, NOT_ABSENT)))
            for name, secret, *keys in connection.execute(of_heads.where(_HEAD.session_id.in_(list(after))))
        }

    def _rows(self, wanted: Select[Any], kind: str) -> list[tuple[Any, ...]]:
        try:
            with begin_single(self.engine) as connection:
                return [tuple(row) for row in connection.execute(wanted)]
        except SQLAlchemyError as error:
            raise StoreError(f"{kind} cannot be read: {reason(error)}") from error

    def _remove(self, which: Any) -> list[str]:
        try:
            with self.engine.begin() as connection:
                removed = connection.execute(delete(game_sessions).where(which).returning(_HEAD.session_id))
                return [str(session_id) for (session_id,) in removed]
        except SQLAlchemyError as error:
            raise StoreError(f"games cannot be removed: {reason(error)}") from error


_HEAD = game_sessions.c
_SERVED = _HEAD.number.is_(None)
"""Holds for the sessions of a server; those of the terminal have a number."""
_ENTRY = (session_events.c.sequence, session_events.c.at, session_events.c.kind, session_events.c.data)


def _entry(session_id: str, row: Sequence[Any]) -> LogEntry:
    sequence, at, kind, data = row
    try:
        return LogEntry(int(sequence), at, read_event(str(kind), data))
    except (FullprimeError, ValueError) as error:
        raise StoreError(f"event {sequence} of game {session_id} cannot be read: {error}") from error


def _batch(items: Iterable[T], most: int) -> Iterator[tuple[T, ...]]:
    """Items in tuples of at most that many."""
    waiting = iter(items)
    while some := tuple(islice(waiting, most)):
        yield some
