"""Answers to the questions of trainers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, case, func, insert, select
from sqlalchemy.exc import IntegrityError

from fullprime.db.schema.tables import drill_tries


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """One answer: its time, the seconds it took, and the error in the trainer's unit."""

    trainer: str
    seed: int
    at: datetime
    seconds: float
    right: bool
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """All answers to one trainer's questions."""

    trainer: str
    tries: int
    right: int
    seconds: float
    """The mean."""
    error: float
    """The mean."""


class TryStore:
    """The answers of the learners of one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, learner: int, found: Try) -> bool:
        """Store an answer; False where that question has one already. Stored when this returns."""
        try:
            return self._add(learner, found)
        except IntegrityError:  # The same answer came twice at once.
            return False

    def _add(self, learner: int, found: Try) -> bool:
        mine = (drill_tries.c.learner_id == learner) & (drill_tries.c.trainer == found.trainer)
        with self._engine.begin() as connection:
            if connection.execute(select(drill_tries.c.id).where(mine, drill_tries.c.seed == found.seed)).first():
                return False
            connection.execute(
                insert(drill_tries).values(
                    learner_id=learner, trainer=found.trainer, seed=found.seed, at=found.at, seconds=found.seconds,
                    right=found.right, error=found.error,
                )
            )  # fmt: skip
            return True

    def sums(self, learner: int) -> dict[str, Sum]:
        """The sums of each trainer that was used, by its name."""
        wanted = (
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
            rows = connection.execute(wanted).all()
        return {
            row.trainer: Sum(
                trainer=row.trainer, tries=row.tries, right=int(row.correct), seconds=float(row.seconds),
                error=float(row.error),
            )
            for row in rows
        }  # fmt: skip

    def latest(self, learner: int, trainer: str, most: int) -> list[Try]:
        """The last answers to a trainer's questions, the oldest of them first."""
        wanted = (
            select(drill_tries)
            .where(drill_tries.c.learner_id == learner, drill_tries.c.trainer == trainer)
            .order_by(drill_tries.c.id.desc())
            .limit(most)
        )
        with self._engine.begin() as connection:
            rows = connection.execute(wanted).all()
        return [
            Try(
                trainer=row.trainer,
                seed=row.seed,
                at=row.at,
                seconds=row.seconds,
                right=bool(row.right),
                error=row.error,
            )
            for row in reversed(rows)
        ]
