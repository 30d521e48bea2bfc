"""Answers to the questions of trainers."""

from __future__ import annotations

from sqlalchemy import case, func, insert, select
from sqlalchemy.exc import IntegrityError

from fullprime.db.database import DatabaseStore
from fullprime.db.schema.drills import drill_tries
from fullprime.learn.trainers.model import TrainerTotals, TrainerTry


class TrainerStore(DatabaseStore):
    """The answers of the learners of one database."""

    def add(self, learner: int, attempt: TrainerTry) -> bool:
        """Store an answer; False where that question has one already. Stored when this returns."""
        try:
            return self._add(learner, attempt)
        except IntegrityError:  # The same answer came twice at once.
            return False

    def _add(self, learner: int, attempt: TrainerTry) -> bool:
        mine = (drill_tries.c.learner_id == learner) & (drill_tries.c.trainer == attempt.trainer)
        with self._engine.begin() as connection:
            if connection.execute(select(drill_tries.c.id).where(mine, drill_tries.c.seed == attempt.seed)).first():
                return False
            connection.execute(
                insert(drill_tries).values(
                    learner_id=learner, trainer=attempt.trainer, seed=attempt.seed, at=attempt.at,
                    seconds=attempt.seconds, right=attempt.right, error=attempt.error,
                )
            )  # fmt: skip
            return True

    def count_answers(self, learner: int) -> dict[str, TrainerTotals]:
        """The answers to each trainer that was used, by its name."""
        query = (
            select(
                drill_tries.c.trainer,
                func.count().label("tries"),
                func.sum(case((drill_tries.c.right, 1), else_=0)).label("correct"),
                func.avg(drill_tries.c.seconds).label("seconds"),
                func.avg(drill_tries.c.error).label("error"),
            )
            .where(drill_tries.c.learner_id == learner)
            .group_by(drill_tries.c.trainer)
        )
        with self._engine.begin() as connection:
            rows = connection.execute(query).all()
        return {
            row.trainer: TrainerTotals(
                tries=row.tries, right=int(row.correct), seconds=round(float(row.seconds), 2),
                error=round(float(row.error), 5),
            )
            for row in rows
        }  # fmt: skip

    def list_latest(self, learner: int, trainer: str, most: int) -> tuple[TrainerTry, ...]:
        """The last answers to a trainer's questions, the oldest of them first."""
        query = (
            select(drill_tries)
            .where(drill_tries.c.learner_id == learner, drill_tries.c.trainer == trainer)
            .order_by(drill_tries.c.id.desc())
            .limit(most)
        )
        with self._engine.begin() as connection:
            rows = connection.execute(query).all()
        return tuple(
            TrainerTry(
                trainer=row.trainer, seed=row.seed, at=row.at, seconds=row.seconds, right=bool(row.right),
                error=row.error,
            )
            for row in reversed(rows)
        )  # fmt: skip
