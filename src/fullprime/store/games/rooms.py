"""Rooms of the server: the seats, and the seeds of the dice. The games themselves are in ``games``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from fullprime.formats.ours.form import from_json, to_json
from fullprime.rules.score import Settings
from fullprime.store.database import alone, open_database, reason
from fullprime.store.errors import StoreConflict, StoreError, StoreMissing
from fullprime.store.schema.tables import events, matches, rooms
from fullprime.store.times import utc_now


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRoom:
    """A room as it is stored. Mappings by side have the keys ``X`` and ``O``."""

    id: str
    settings: Settings
    names: tuple[str, str]
    seats: tuple[str, str]
    """``human`` or the name of a bot, X's first."""
    secret: str
    """The secret of the server's chain of links."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Hashes of the keys that open the seats: ``X``, ``O``, and ``invite`` while a seat is free."""
    options: Mapping[str, Any] = field(default_factory=dict)
    seeds: Mapping[str, str] = field(default_factory=dict)
    """The anchors of the people's chains, or the seeds of those without links."""
    number: int | None = None
    """The number of the match once it has begun."""
    closed: bool = False
    revision: int = 0
    """The number of its changes."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """The progress of a room: changes of the room, and events of its match."""

    revision: int
    events: int


def touch(connection: Connection, room_id: str) -> None:
    """Count a change, in the transaction that stores it: other processes look at the room again."""
    connection.execute(update(rooms).where(rooms.c.id == room_id).values(revision=rooms.c.revision + 1))


class RoomStore:
    """The rooms of one database; ``url`` may be an engine that is open already."""

    def __init__(self, url: str | Engine | None = None) -> None:
        self._engine = url if isinstance(url, Engine) else open_database(url)

    @property
    def engine(self) -> Engine:
        """The database, for other data stored with rooms."""
        return self._engine

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def create(self, room: SavedRoom) -> None:
        """Store a new room; raises StoreError when there is one of that id."""
        row = {
            **_changing(room),
            "id": room.id,
            "settings": _dump(to_json(room.settings)),
            "secret": room.secret,
            "created": utc_now(),
        }
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(rooms).values(row))
        except IntegrityError as error:
            raise StoreError(f"there is a room {room.id} already") from error
        except SQLAlchemyError as error:
            raise StoreError(f"the room cannot be stored: {reason(error)}") from error

    def save(self, room: SavedRoom, before: SavedRoom) -> SavedRoom:
        """Store the changes since ``before``; gives the room with its new revision.

        Raises StoreConflict when it has been changed elsewhere too.
        """
        unchanged = (rooms.c.id == room.id) & (rooms.c.revision == before.revision)
        after = replace(room, revision=before.revision + 1)
        try:
            with self._engine.begin() as connection:
                if not connection.execute(update(rooms).where(unchanged).values(_changing(after))).rowcount:
                    raise StoreConflict(f"room {room.id} has changed meanwhile")
        except SQLAlchemyError as error:
            raise StoreError(f"room {room.id} cannot be stored: {reason(error)}") from error
        return after

    def pulses(self, room_ids: Iterable[str]) -> dict[str, Pulse]:
        """The progress of these rooms, those that exist."""
        last = (
            select(func.max(events.c.seq))
            .where(events.c.match_id == rooms.c.match_id)
            .correlate(rooms)
            .scalar_subquery()
        )
        wanted = select(rooms.c.id, rooms.c.revision, last).where(rooms.c.id.in_(list(room_ids)))
        try:
            with alone(self._engine) as connection:
                found = connection.execute(wanted).all()
        except SQLAlchemyError as error:
            raise StoreError(f"the rooms cannot be read: {reason(error)}") from error
        return {str(room_id): Pulse(int(revision), int(seq or 0)) for room_id, revision, seq in found}

    def load(self, room_id: str) -> SavedRoom:
        """The room of that id; raises StoreError when there is none."""
        try:
            with self._engine.begin() as connection:
                found = self._find(connection, room_id)
        except SQLAlchemyError as error:
            raise StoreError(f"the room cannot be read: {reason(error)}") from error
        if found is None:
            raise StoreMissing(f"there is no game {room_id[:40]!r}")
        return found

    def fallen(self, at: datetime, limit: int) -> list[str]:
        """The ids of rooms in which a flag has fallen by that time though nothing happened, the earliest first."""
        wanted = (
            select(rooms.c.id)
            .join(matches, matches.c.id == rooms.c.match_id)
            .where(matches.c.falls <= at, ~rooms.c.closed)
            .order_by(matches.c.falls)
            .limit(limit)
        )
        try:
            with alone(self._engine) as connection:
                return [str(room_id) for room_id in connection.execute(wanted).scalars()]
        except SQLAlchemyError as error:
            raise StoreError(f"the clocks cannot be read: {reason(error)}") from error

    def remove_waiting(self, room_id: str) -> bool:
        """Forget a room in which nobody has sat down beside its creator; True if there was one."""
        waits = (rooms.c.id == room_id) & rooms.c.match_id.is_(None) & rooms.c["keys"].contains('"invite"')
        try:
            with self._engine.begin() as connection:
                return bool(connection.execute(delete(rooms).where(waits)).rowcount)
        except SQLAlchemyError as error:
            raise StoreError(f"room {room_id} cannot be removed: {reason(error)}") from error

    def remove_unbegun(self, before: datetime) -> list[str]:
        """Forget the rooms made before that time in which no match has begun; gives their ids."""
        old = rooms.c.match_id.is_(None) & (rooms.c.created < before)
        try:
            with self._engine.begin() as connection:
                return [
                    str(each) for each in connection.execute(delete(rooms).where(old).returning(rooms.c.id)).scalars()
                ]
        except SQLAlchemyError as error:
            raise StoreError(f"the old rooms cannot be removed: {reason(error)}") from error

    def of_match(self, number: int) -> SavedRoom:
        """The room in which the match of that number is played; raises StoreError when there is none."""
        with self._engine.begin() as connection:
            found = connection.execute(select(rooms.c.id).where(rooms.c.match_id == number)).scalar()
            if found is None and connection.execute(select(matches.c.id).where(matches.c.id == number)).first() is None:
                raise StoreMissing(f"there is no game {number}")
        if found is None:
            raise StoreError(f"game {number} was not played through the server: its dice carry no proof")
        return self.load(str(found))

    def finished(self) -> list[str]:
        """The ids of all rooms that are closed or whose match is over, the oldest first."""
        wanted = (
            select(rooms.c.id)
            .join(matches, matches.c.id == rooms.c.match_id)
            .where(or_(rooms.c.closed, matches.c.status == "over"))
            .order_by(matches.c.id)
        )
        with self._engine.begin() as connection:
            return [str(room_id) for room_id in connection.execute(wanted).scalars()]

    def _find(self, connection: Connection, room_id: str) -> SavedRoom | None:
        row = connection.execute(select(rooms).where(rooms.c.id == room_id)).mappings().first()
        if row is None:
            return None
        names, seats = json.loads(row["names"]), json.loads(row["seats"])
        return SavedRoom(
            id=str(row["id"]),
            settings=from_json(Settings, json.loads(row["settings"])),
            names=(names[0], names[1]),
            seats=(seats[0], seats[1]),
            secret=str(row["secret"]),
            keys=json.loads(row["keys"]),
            options=json.loads(row["options"]),
            seeds=json.loads(row["seeds"]),
            number=row["match_id"],
            closed=bool(row["closed"]),
            revision=int(row["revision"]),
        )


def _changing(room: SavedRoom) -> Mapping[str, object]:
    return {
        "match_id": room.number,
        "names": _dump(list(room.names)),
        "seats": _dump(list(room.seats)),
        "keys": _dump(dict(room.keys)),
        "options": _dump(dict(room.options)),
        "seeds": _dump(dict(room.seeds)),
        "closed": room.closed,
        "revision": room.revision,
    }


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
