"""Talk between the players of a room, their reports, and the time since when a side has been away."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Connection, Engine, delete, func, insert, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from fullprime.store.database import keep_others_out, open_database, reason
from fullprime.store.errors import StoreError
from fullprime.store.games.rooms import touch
from fullprime.store.schema.tables import room_absences, room_reports, room_talk
from fullprime.store.times import utc_now

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that a player said; ``at`` is UTC, without a zone."""

    number: int
    side: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Report:
    """A report by the player of ``side`` about the other one, with the talk before it."""

    number: int
    room: str
    side: str
    reason: str
    said: tuple[tuple[str, str], ...]
    at: datetime


class TalkStore:
    """Talk, reports and absences of one database; ``url`` may be an engine that is open already."""

    def __init__(self, url: str | Engine | None = None) -> None:
        self._engine = url if isinstance(url, Engine) else open_database(url)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def say(self, room: str, side: str, text: str) -> Said:
        """Store a line of talk; raises StoreError when it cannot be stored."""
        now = utc_now()

        def store(connection: Connection) -> Said:
            row = {"room_id": room, "side": side, "text": text, "at": now}
            key = connection.execute(insert(room_talk).values(row)).inserted_primary_key
            touch(connection, room)
            assert key is not None
            return Said(int(key[0]), side, text, now)

        return self._do(store)

    def said(self, room: str, most: int = 100, *, after: int = 0) -> list[Said]:
        """The last things said in a room, the oldest first; only those after a number."""
        here = (room_talk.c.room_id == room) & (room_talk.c.id > after)
        wanted = select(room_talk).where(here).order_by(room_talk.c.id.desc()).limit(most)

        def read(connection: Connection) -> list[Said]:
            rows = connection.execute(wanted).mappings().all()
            return [Said(int(row["id"]), str(row["side"]), str(row["text"]), row["at"]) for row in reversed(rows)]

        return self._do(read)

    def report(self, room: str, side: str, reason: str, most: int) -> bool:
        """Store a report with the talk so far; False when that side has made ``most`` of them already."""
        said = [[each.side, each.text] for each in self.said(room)]
        row = {
            "room_id": room,
            "side": side,
            "reason": reason,
            "said": json.dumps(said, ensure_ascii=False),
            "at": utc_now(),
        }
        mine = (room_reports.c.room_id == room) & (room_reports.c.side == side)
        count = select(func.count()).select_from(room_reports).where(mine)

        def add(connection: Connection) -> bool:
            keep_others_out(connection, f"reports by {side} of {room}")
            if connection.execute(count).scalar_one() >= most:
                return False
            connection.execute(insert(room_reports).values(row))
            return True

        return self._do(add)

    def reports(self, most: int = 100) -> list[Report]:
        """The latest reports, the newest first, for the person who runs the server."""
        wanted = select(room_reports).order_by(room_reports.c.id.desc()).limit(most)

        def read(connection: Connection) -> list[Report]:
            return [
                Report(
                    number=int(row["id"]),
                    room=str(row["room_id"]),
                    side=str(row["side"]),
                    reason=str(row["reason"]),
                    said=tuple((side, text) for side, text in json.loads(row["said"])),
                    at=row["at"],
                )
                for row in connection.execute(wanted).mappings()
            ]

        return self._do(read)

    def gone(self, room: str, side: str) -> bool:
        """Note that nobody of a side is there from now on; False when that has been noted already."""
        row = {"room_id": room, "side": side, "since": utc_now()}
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(room_absences).values(row))
                touch(connection, room)
        except IntegrityError:
            return False
        except SQLAlchemyError as error:
            raise StoreError(f"an absence cannot be stored: {reason(error)}") from error
        return True

    def back(self, room: str, side: str) -> bool:
        """Note that a person of a side is there; False when no absence had been noted."""
        mine = (room_absences.c.room_id == room) & (room_absences.c.side == side)

        def remove(connection: Connection) -> bool:
            if not connection.execute(delete(room_absences).where(mine)).rowcount:
                return False
            touch(connection, room)
            return True

        return self._do(remove)

    def absent(self, room: str) -> dict[str, datetime]:
        """The sides of a room that nobody is there for, and since when."""
        wanted = select(room_absences.c.side, room_absences.c.since).where(room_absences.c.room_id == room)
        return self._do(lambda connection: {str(side): since for side, since in connection.execute(wanted)})

    def _do(self, what: Callable[[Connection], T]) -> T:
        try:
            with self._engine.begin() as connection:
                return what(connection)
        except SQLAlchemyError as error:
            raise StoreError(f"the talk cannot be stored or read: {reason(error)}") from error
