"""Answers to positions of the day, as they are stored: one a learner and day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from fullprime.db.database import DatabaseStore
from fullprime.db.schema.drills import daily_answers


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedDaily:
    """The first answer of a learner to the position of a day. ``answer`` is empty where the best play was shown."""

    day: date
    answer: str
    right: bool
    at: datetime

    @property
    def in_time(self) -> bool:
        """True for a play that the learner made while it was that day anywhere in the world."""
        return bool(self.answer) and abs((self.at.date() - self.day).days) <= 1


class DailyStore(DatabaseStore):
    """The answers of the learners of one database."""

    def add(self, learner: int, answer: SavedDaily) -> bool:
        """Store an answer; False where the learner has one for that day already. Stored when this returns."""
        row = {
            "learner_id": learner,
            "day": answer.day,
            "answer": answer.answer,
            "right": answer.right,
            "at": answer.at,
        }
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(daily_answers).values(row))
        except IntegrityError:
            return False
        return True

    def list_answers(self, learner: int) -> list[SavedDaily]:
        """The answers of a learner, those to the latest days first."""
        query = select(daily_answers).where(daily_answers.c.learner_id == learner)
        with self._engine.begin() as connection:
            rows = connection.execute(query.order_by(daily_answers.c.day.desc())).all()
        return [SavedDaily(day=row.day, answer=row.answer, right=bool(row.right), at=row.at) for row in rows]

    def count_plays_of_others(self, learner: int, day: date) -> list[tuple[str, int]]:
        """The plays of the other learners on a day with their numbers, the most frequent first."""
        which = (daily_answers.c.day == day) & (daily_answers.c.answer != "") & (daily_answers.c.learner_id != learner)
        count = func.count()
        query = select(daily_answers.c.answer, count).where(which).group_by(daily_answers.c.answer)
        with self._engine.begin() as connection:
            rows = connection.execute(query.order_by(count.desc(), daily_answers.c.answer)).all()
        return [(str(answer), int(number)) for answer, number in rows]
