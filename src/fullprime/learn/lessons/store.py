"""The progress of accounts in the lessons, as it is stored."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, delete, insert, select

from fullprime.db.database import DatabaseStore
from fullprime.db.schema.tables import lesson_progress
from fullprime.db.times import utc_now
from fullprime.learn.lessons.progress import LessonProgress, Progress


class LessonStore(DatabaseStore):
    """The progress of the accounts of one database."""

    def get_progress(self, account: int) -> dict[str, LessonProgress]:
        """The progress of an account by the name of the lesson."""
        with self._engine.begin() as connection:
            return _read(connection, account)

    def change(self, account: int, change: Callable[[Progress], Progress]) -> dict[str, LessonProgress]:
        """Change the progress by ``change`` in one transaction; gives the new progress, stored when this returns."""
        with self._engine.begin() as connection:
            before = _read(connection, account, lock=True)
            after = dict(change(before))
            rows = [
                {"account_id": account, "lesson": lesson, "step": progress.step, "done": progress.done,
                 "right": progress.right, "asked": progress.asked, "updated": utc_now()}
                for lesson, progress in after.items()
                if before.get(lesson) != progress
            ]  # fmt: skip
            if rows:
                mine = lesson_progress.c.account_id == account
                changed = lesson_progress.c.lesson.in_([row["lesson"] for row in rows])
                connection.execute(delete(lesson_progress).where(mine & changed))
                connection.execute(insert(lesson_progress), rows)
            return after


def _read(connection: Connection, account: int, *, lock: bool = False) -> dict[str, LessonProgress]:
    query = select(lesson_progress).where(lesson_progress.c.account_id == account)
    rows = connection.execute(query.with_for_update() if lock else query)
    return {
        row.lesson: LessonProgress(step=row.step, done=bool(row.done), right=row.right, asked=row.asked) for row in rows
    }
