"""Cards and the answers to them, as they are stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Connection, RowMapping, case, delete, func, insert, select, update

from fullprime.db.database import DatabaseStore, keep_others_out
from fullprime.db.schema.drills import drill_cards, drill_reviews


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedCard:
    """A card: its name among those of a learner, its contents and its schedule (JSON), and the time when it is due."""

    id: int = 0
    name: str
    body: str
    schedule: str
    due: datetime
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedReview:
    """An answer to a card. ``was_learnt``: the card had been learnt before."""

    at: datetime
    grade: int
    loss: float
    seconds: float
    was_learnt: bool


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of a learner in numbers. ``retained`` of the ``of_learnt`` answers to learnt cards were right."""

    cards: int
    due: int
    retained: int
    of_learnt: int
    days: tuple[date, ...]
    """Days on which something was answered, the last first."""


class CardStore(DatabaseStore):
    """The cards of the learners of one database."""

    def add(self, learner: int, cards: Iterable[SavedCard], most: int) -> int:
        """Store the cards whose names are new, up to ``most`` in all; gives their number. Stored when this returns."""
        with self._engine.begin() as connection:
            keep_others_out(connection, f"cards of {learner}")
            names = select(drill_cards.c.name).where(drill_cards.c.learner_id == learner)
            taken_names = set(connection.execute(names).scalars())
            rows = []
            for card in cards:
                if card.name not in taken_names and len(taken_names) < most:
                    taken_names.add(card.name)
                    rows.append(
                        {"learner_id": learner, "name": card.name, "body": card.body, "schedule": card.schedule,
                         "due": card.due, "created": card.created}
                    )  # fmt: skip
            if rows:
                connection.execute(insert(drill_cards), rows)
            return len(rows)

    def find_numbers(self, learner: int, names: Collection[str]) -> list[int]:
        """The numbers of the cards with these names."""
        mine = (drill_cards.c.learner_id == learner) & drill_cards.c.name.in_(names)
        with self._engine.begin() as connection:
            return list(connection.execute(select(drill_cards.c.id).where(mine).order_by(drill_cards.c.id)).scalars())

    def list_all(self, learner: int) -> list[SavedCard]:
        """Every card, the oldest first."""
        query = select(drill_cards).where(drill_cards.c.learner_id == learner).order_by(drill_cards.c.id)
        with self._engine.begin() as connection:
            return [_card(row) for row in connection.execute(query).mappings()]

    def find_due(self, learner: int, now: datetime, first: Collection[int] = ()) -> SavedCard | None:
        """The card that has been due longest, one of ``first`` before all others; None when nothing is due."""
        query = select(drill_cards).where(drill_cards.c.learner_id == learner, drill_cards.c.due <= now)
        ordered = query.order_by(~drill_cards.c.id.in_(first), drill_cards.c.due, drill_cards.c.id)
        with self._engine.begin() as connection:
            row = connection.execute(ordered.limit(1)).mappings().first()
        return None if row is None else _card(row)

    def find(self, learner: int, card: int) -> SavedCard | None:
        """A card of a learner by its number."""
        query = select(drill_cards).where(drill_cards.c.learner_id == learner, drill_cards.c.id == card)
        with self._engine.begin() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else _card(row)

    def delete(self, learner: int, card: int) -> bool:
        """Take a card away; False where there is none."""
        with self._engine.begin() as connection:
            which = (drill_cards.c.learner_id == learner) & (drill_cards.c.id == card)
            return connection.execute(delete(drill_cards).where(which)).rowcount > 0

    def count_answers(self, card: int) -> int:
        """The answers to a card so far."""
        with self._engine.begin() as connection:
            return _answers(connection, card)

    def store_review(
        self,
        learner: int,
        card: int,
        change: Callable[[SavedCard], tuple[str, datetime, SavedReview]],
        answered: int | None = None,
    ) -> bool | None:
        """Store an answer and the schedule after it, in one transaction; None where there is no such card.

        ``answered`` is the number of answers that its sender knew of. If there are more by now, the answer was sent
        twice; then nothing is stored, and this gives False.
        """
        which = (drill_cards.c.learner_id == learner) & (drill_cards.c.id == card)
        with self._engine.begin() as connection:
            row = connection.execute(select(drill_cards).where(which).with_for_update()).mappings().first()
            if row is None:
                return None
            if answered is not None and _answers(connection, card) > answered:
                return False
            schedule, due, review = change(_card(row))
            connection.execute(update(drill_cards).where(which).values(schedule=schedule, due=due))
            connection.execute(
                insert(drill_reviews).values(
                    learner_id=learner, card_id=card, at=review.at, grade=review.grade, loss=review.loss,
                    seconds=review.seconds, known=review.was_learnt,
                )
            )  # fmt: skip
            return True

    def get_deck(self, learner: int, now: datetime, since: datetime) -> Deck:
        """The cards in numbers, with retention and days from ``since`` on."""
        mine = drill_cards.c.learner_id == learner
        answers = (drill_reviews.c.learner_id == learner) & (drill_reviews.c.at >= since)
        right = func.sum(case((drill_reviews.c.grade > 1, 1), else_=0))
        with self._engine.begin() as connection:
            cards = connection.execute(select(func.count()).select_from(drill_cards).where(mine)).scalar_one()
            due = select(func.count()).select_from(drill_cards).where(mine, drill_cards.c.due <= now)
            waiting = connection.execute(due).scalar_one()
            judged, retained = connection.execute(
                select(func.count(), right).where(answers, drill_reviews.c.known)
            ).one()
            days = connection.execute(select(drill_reviews.c.at).where(answers)).scalars()
            dates = tuple(sorted({at.date() for at in days}, reverse=True))
        return Deck(int(cards), int(waiting), int(retained or 0), int(judged), dates)


def _answers(connection: Connection, card: int) -> int:
    query = select(func.count()).select_from(drill_reviews).where(drill_reviews.c.card_id == card)
    return int(connection.execute(query).scalar_one())


def _card(row: RowMapping) -> SavedCard:
    return SavedCard(
        id=row["id"],
        name=row["name"],
        body=row["body"],
        schedule=row["schedule"],
        due=row["due"],
        created=row["created"],
    )
