"""Reports of players about each other, for the person who runs the server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Connection, Engine, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from fullprime.db.database import keep_others_out, open_database, reason
from fullprime.db.errors import StoreError
from fullprime.db.schema.tables import session_reports
from fullprime.db.times import utc_now

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Report:
    """A report by the player of ``side`` about the other one, with the talk before it."""

    number: int
    session_id: str
    side: str
    reason: str
    said: tuple[tuple[str, str], ...]
    at: datetime


class ReportStore:
    """The reports of one database; ``url`` may be an engine that is open already."""

    def __init__(self, url: str | Engine | None = None) -> None:
        self._engine = url if isinstance(url, Engine) else open_database(url)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def add(self, session_id: str, side: str, reason: str, said: Iterable[tuple[str, str]], most: int) -> bool:
        """Store a report with the talk so far; False when that side has made ``most`` reports already."""
        row = {
            "session_id": session_id,
            "side": side,
            "reason": reason,
            "said": json.dumps([list(line) for line in said], ensure_ascii=False),
            "at": utc_now(),
        }
        own = (session_reports.c.session_id == session_id) & (session_reports.c.side == side)
        count = select(func.count()).select_from(session_reports).where(own)

        def add(connection: Connection) -> bool:
            keep_others_out(connection, f"reports by {side} of {session_id}")
            if connection.execute(count).scalar_one() >= most:
                return False
            connection.execute(insert(session_reports).values(row))
            return True

        return self._do(add)

    def list_latest(self, most: int = 100) -> list[Report]:
        """The latest reports, the newest first."""
        query = select(session_reports).order_by(session_reports.c.id.desc()).limit(most)

        def read(connection: Connection) -> list[Report]:
            return [
                Report(
                    number=int(row["id"]),
                    session_id=str(row["session_id"]),
                    side=str(row["side"]),
                    reason=str(row["reason"]),
                    said=tuple((side, text) for side, text in json.loads(row["said"])),
                    at=row["at"],
                )
                for row in connection.execute(query).mappings()
            ]

        return self._do(read)

    def _do(self, work: Callable[[Connection], T]) -> T:
        try:
            with self._engine.begin() as connection:
                return work(connection)
        except SQLAlchemyError as error:
            raise StoreError(f"the reports cannot be stored or read: {reason(error)}") from error
