"""Learners as they are stored: accounts, guests by their browsers, and the user of this machine."""

from __future__ import annotations

from sqlalchemy import Connection, Table, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from fullprime.db.database import DatabaseStore
from fullprime.db.schema.drills import (
    daily_answers,
    drill_cards,
    drill_reviews,
    drill_tries,
    learners,
    puzzle_strengths,
    puzzle_tries,
)
from fullprime.db.times import utc_now

_OWNED: tuple[tuple[Table, tuple[str, ...]], ...] = (
    (drill_tries, ("trainer", "seed")),
    (drill_cards, ("name",)),
    (drill_reviews, ()),
    (daily_answers, ("day",)),
    (puzzle_strengths, ("variant",)),
    (puzzle_tries, ("puzzle", "run")),
)
"""Tables whose rows belong to a learner, and the columns that are unique for each learner."""


class LearnerStore(DatabaseStore):
    """The learners of one database."""

    def find_by_account(self, account: int) -> int | None:
        """The learner of an account; None before the first drill."""
        return self._find(learners.c.account_id == account)

    def find_by_key(self, key: str) -> int | None:
        """The learner with a key (the hash of a secret); None where there is none."""
        return self._find(learners.c.key == key)

    def get_or_create(self, account: int | None = None, key: str | None = None) -> int:
        """The learner of an account or a key, made if need be; stored when this returns."""
        try:
            return self._make(account, key)
        except IntegrityError:  # Another request has made it in the meantime.
            return self._make(account, key)

    def _make(self, account: int | None, key: str | None) -> int:
        condition = learners.c.account_id == account if account is not None else learners.c.key == key
        with self._engine.begin() as connection:
            number = connection.execute(select(learners.c.id).where(condition)).scalar()
            if number is None:
                values = {"account_id": account, "key": None if account is not None else key, "created": utc_now()}
                inserted = connection.execute(insert(learners).values(values)).inserted_primary_key
                number = inserted[0] if inserted is not None else None
            return int(number or 0)

    def adopt(self, key: str, account: int | None = None, other: str | None = None) -> bool:
        """Give the work of the learner with a key to an account, or to another key; False if there is no such learner.

        Where both have an entry, that of the new owner stays; of two ratings the one with more tries, of two schedules
        of a card the one with more answers. All answers to cards are kept.
        """
        with self._engine.begin() as connection:
            guest = connection.execute(select(learners.c.id).where(learners.c.key == key).with_for_update()).scalar()
            if guest is None:
                return False
            condition = learners.c.account_id == account if account is not None else learners.c.key == other
            mine = connection.execute(select(learners.c.id).where(condition)).scalar()
            if mine is None:
                row = update(learners).where(learners.c.id == guest)
                connection.execute(row.values(account_id=account, key=None if account is not None else other))
                return True
            if mine == guest:
                return True
            _keep_the_surer_rating(connection, guest, mine)
            _join_cards(connection, guest, mine)
            for table, unique in _OWNED:
                _hand_over(connection, table, unique, guest, mine)
            connection.execute(delete(learners).where(learners.c.id == guest))
            return True

    def _find(self, which: object) -> int | None:
        with self._engine.begin() as connection:
            number = connection.execute(select(learners.c.id).where(which)).scalar()  # type: ignore[arg-type]
        return None if number is None else int(number)


def _hand_over(connection: Connection, table: Table, unique: tuple[str, ...], guest: int, mine: int) -> None:
    """Move rows from one learner to another, without those that the other has already."""
    if unique:
        other = table.alias()
        same = [other.c[name] == table.c[name] for name in unique]
        doubled = select(other.c.learner_id).where(other.c.learner_id == mine, *same).exists()
        connection.execute(delete(table).where(table.c.learner_id == guest, doubled))
    connection.execute(update(table).where(table.c.learner_id == guest).values(learner_id=mine))


def _keep_the_surer_rating(connection: Connection, guest: int, mine: int) -> None:
    rows = connection.execute(select(puzzle_strengths).where(puzzle_strengths.c.learner_id.in_((guest, mine)))).all()
    tries = {(row.learner_id, row.variant): row.tries for row in rows}
    for (learner, variant), count in tries.items():
        if learner == guest and count > tries.get((mine, variant), count):
            which = (puzzle_strengths.c.learner_id == mine) & (puzzle_strengths.c.variant == variant)
            connection.execute(delete(puzzle_strengths).where(which))


def _join_cards(connection: Connection, guest: int, mine: int) -> None:
    """Give the answers to a card that both have to the card that stays, with the schedule from more answers."""
    theirs, ours = drill_cards.alias(), drill_cards.alias()
    both = select(theirs.c.id, ours.c.id, theirs.c.schedule, theirs.c.due).where(
        theirs.c.learner_id == guest, ours.c.learner_id == mine, theirs.c.name == ours.c.name
    )
    for old, new, schedule, due in connection.execute(both).all():
        if _answers(connection, old) > _answers(connection, new):
            connection.execute(update(drill_cards).where(drill_cards.c.id == new).values(schedule=schedule, due=due))
        connection.execute(update(drill_reviews).where(drill_reviews.c.card_id == old).values(card_id=new))


def _answers(connection: Connection, card: int) -> int:
    counted = select(func.count()).select_from(drill_reviews).where(drill_reviews.c.card_id == card)
    return int(connection.execute(counted).scalar() or 0)
