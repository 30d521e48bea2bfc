"""Tries of puzzles, and the ratings of learners and puzzles, as they are stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Table, case, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from fullprime.accounts.glicko import GlickoRating
from fullprime.db.database import DatabaseStore
from fullprime.db.schema.drills import puzzle_ratings, puzzle_strengths, puzzle_tries

Rated = Callable[[GlickoRating | None, GlickoRating | None], tuple[GlickoRating, GlickoRating]]
"""The ratings of learner and puzzle after a try, from those before it; None for one that has none yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleTry:
    """An answer to a puzzle. ``run`` is empty where it is rated."""

    variant: str
    puzzle: str
    mode: str
    run: str
    at: datetime
    seconds: float
    right: bool
    loss: float


@dataclass(frozen=True, slots=True)
class Rating:
    """The ratings after a try, and the learner's before it."""

    before: GlickoRating | None
    learner: GlickoRating
    puzzle: GlickoRating


class PuzzleStore(DatabaseStore):
    """The puzzles of the learners of one database."""

    def find_rating(self, learner: int, variant: str) -> GlickoRating | None:
        """The rating of a learner in a game; None before the first try."""
        with self._engine.begin() as connection:
            return _strength(connection, learner, variant)

    def get_puzzle_ratings(self, variant: str) -> dict[str, float]:
        """The ratings of the puzzles of a game that a learner has tried."""
        which = puzzle_ratings.c.puzzle.startswith(f"{variant}-", autoescape=True)
        with self._engine.begin() as connection:
            rows = connection.execute(select(puzzle_ratings.c.puzzle, puzzle_ratings.c.rating).where(which)).all()
        return {row.puzzle: row.rating for row in rows}

    def list_tried(self, learner: int, variant: str, run: str = "") -> set[str]:
        """The names of the puzzles that were tried, in a run or rated."""
        mine = (puzzle_tries.c.learner_id == learner) & (puzzle_tries.c.variant == variant)
        with self._engine.begin() as connection:
            names = connection.execute(select(puzzle_tries.c.puzzle).where(mine, puzzle_tries.c.run == run)).scalars()
            return set(names)

    def count_tries(self, learner: int, variant: str) -> tuple[int, int]:
        """The numbers of rated tries and of right ones among them."""
        mine = (puzzle_tries.c.learner_id == learner) & (puzzle_tries.c.variant == variant) & (puzzle_tries.c.run == "")
        right = func.sum(case((puzzle_tries.c.right, 1), else_=0))
        with self._engine.begin() as connection:
            count, correct = connection.execute(select(func.count(), right).where(mine)).one()
        return int(count), int(correct or 0)

    def list_runs(self, learner: int, variant: str, mode: str) -> dict[str, list[tuple[datetime, bool]]]:
        """The tries of every run of a mode, in order: the time of each, and whether it was right."""
        mine = (puzzle_tries.c.learner_id == learner) & (puzzle_tries.c.variant == variant)
        query = select(puzzle_tries.c.run, puzzle_tries.c.at, puzzle_tries.c.right)
        with self._engine.begin() as connection:
            rows = connection.execute(query.where(mine, puzzle_tries.c.mode == mode).order_by(puzzle_tries.c.id)).all()
        runs: dict[str, list[tuple[datetime, bool]]] = {}
        for run, at, right in rows:
            runs.setdefault(run, []).append((at, bool(right)))
        return runs

    def add(self, learner: int, attempt: PuzzleTry, rated: Rated | None) -> tuple[bool, Rating | None]:
        """Store a try, and with ``rated`` both ratings, in one transaction; stored when this returns.

        A puzzle counts once in a run, and once rated: then (False, None).
        """
        try:
            return self._add(learner, attempt, rated)
        except IntegrityError:  # Another request has stored the first rating of the same puzzle or person.
            return self._add(learner, attempt, rated)

    def _add(self, learner: int, attempt: PuzzleTry, rated: Rated | None) -> tuple[bool, Rating | None]:
        with self._engine.begin() as connection:
            same = (puzzle_tries.c.learner_id == learner) & (puzzle_tries.c.puzzle == attempt.puzzle)
            counted = select(puzzle_tries.c.id).where(same, puzzle_tries.c.run == attempt.run)
            if connection.execute(counted).first() is not None:
                return False, None
            rating = None
            if rated is not None:
                before = _strength(connection, learner, attempt.variant)
                mine, theirs = rated(before, _puzzle(connection, attempt.puzzle))
                rating = Rating(before, mine, theirs)
                _write_rating(connection, puzzle_strengths, {"learner_id": learner, "variant": attempt.variant}, mine)
                _write_rating(connection, puzzle_ratings, {"puzzle": attempt.puzzle}, theirs)
            connection.execute(
                insert(puzzle_tries).values(
                    learner_id=learner, variant=attempt.variant, puzzle=attempt.puzzle, mode=attempt.mode,
                    run=attempt.run, at=attempt.at, seconds=attempt.seconds, right=attempt.right, loss=attempt.loss,
                    rating=None if rating is None else rating.learner.rating,
                )
            )  # fmt: skip
            return True, rating


def _strength(connection: Connection, learner: int, variant: str) -> GlickoRating | None:
    which = (puzzle_strengths.c.learner_id == learner) & (puzzle_strengths.c.variant == variant)
    return _rating(connection.execute(select(puzzle_strengths).where(which).with_for_update()).mappings().first())


def _puzzle(connection: Connection, name: str) -> GlickoRating | None:
    query = select(puzzle_ratings).where(puzzle_ratings.c.puzzle == name)
    return _rating(connection.execute(query.with_for_update()).mappings().first())


def _rating(row: RowMapping | None) -> GlickoRating | None:
    if row is None:
        return None
    return GlickoRating(row["rating"], row["deviation"], row["volatility"], row["tries"], row["updated"])


def _write_rating(connection: Connection, table: Table, key: dict[str, Any], value: GlickoRating) -> None:
    """Write a rating in the place of the one before."""
    which = [table.c[name] == field for name, field in key.items()]
    connection.execute(delete(table).where(*which))
    connection.execute(
        insert(table).values(
            **key, rating=value.rating, deviation=value.deviation, volatility=value.volatility, tries=value.matches,
            updated=value.updated,
        )
    )  # fmt: skip
