"""The progress of accounts in the lessons, as it is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, delete, insert, select

from fullprime.db.schema.tables import school_progress
from fullprime.db.times import utc_now


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedProgress:
    """How far an account has followed a lesson."""

    step: int
    done: bool
    right: int
    asked: int


class SchoolStore:
    """The progress of the accounts of one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def read(self, account: int) -> dict[str, SavedProgress]:
        """The progress of an account by the name of the lesson."""
        with self._engine.begin() as connection:
            return _read(connection, account)

    def change(
        self, account: int, change: Callable[[Mapping[str, SavedProgress]], Mapping[str, SavedProgress]]
    ) -> dict[str, SavedProgress]:
        """Store what ``change`` makes of the progress, in one transaction, and give it; stored when this returns."""
        with self._engine.begin() as connection:
            before = _read(connection, account, lock=True)
            after = dict(change(before))
            rows = [
                {"account_id": account, "lesson": lesson, "step": each.step, "done": each.done, "right": each.right,
                 "asked": each.asked, "updated": utc_now()}
                for lesson, each in after.items()
                if before.get(lesson) != each
            ]  # fmt: skip
            if rows:
                mine = school_progress.c.account_id == account
                changed = school_progress.c.lesson.in_([row["lesson"] for row in rows])
                connection.execute(delete(school_progress).where(mine & changed))
                connection.execute(insert(school_progress), rows)
            return after


def _read(connection: Connection, account: int, *, lock: bool = False) -> dict[str, SavedProgress]:
    wanted = select(school_progress).where(school_progress.c.account_id == account)
    rows = connection.execute(wanted.with_for_update() if lock else wanted)
    return {
        row.lesson: SavedProgress(step=row.step, done=bool(row.done), right=row.right, asked=row.asked) for row in rows
    }
