"""Writing of events of a match to the disk: one by one, or by another writer that is put in its place."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Protocol, TypedDict

from sqlalchemy import Engine, bindparam, insert, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from fullprime.store.database import by_driver, reason
from fullprime.store.errors import StoreConflict, StoreError
from fullprime.store.schema.tables import events, matches

# Made once: to put a statement together takes longer than to have it carried out.
NEW_EVENT: dict[str, Any] = {
    "match_id": bindparam("number"),
    "seq": bindparam("place"),
    "game_no": bindparam("game"),
    "event": bindparam("what"),
    "at": bindparam("now"),
}
GO_ON = (
    update(matches)
    .where(matches.c.id == bindparam("number"))
    .values(drawn=bindparam("thrown"), status=bindparam("standing"), updated=bindparam("now"), falls=bindparam("falls"))
)
_APPEND = insert(events).values(NEW_EVENT)
_APPEND_AND_GO_ON = GO_ON.add_cte(_APPEND.cte("appended"))
"""Both as one statement, which is a transaction by itself: one journey to the database instead of four."""


class EventRow(TypedDict):
    """An event of a match and the state of the match after it, as the statements of writers take them."""

    number: int
    """Of the match."""
    place: int
    """Of the event in its match, from 1."""
    game: int
    """Of the game in its match, from 1."""
    what: str
    """The event as JSON."""
    thrown: int
    """The number of dice that the match has thrown by then."""
    standing: str
    """The state of the match: ``playing`` or ``over``."""
    now: datetime
    """The time of the event: UTC, without a zone."""
    falls: datetime | None
    """The time at which the flag of the player who must act next falls, if there is a clock."""


class EventWriter(Protocol):
    """Puts events of matches on the disk for a ``GameStore``; the seam for a faster way."""

    def write(self, row: EventRow) -> None:
        """Store an event; when this returns, it is on the disk. Called from any thread.

        Raises StoreConflict when an event of that place is there already, with nothing stored; StoreError when it
        cannot be stored, or when it is unknown if it was.
        """

    def close(self) -> None:
        """Finish the writes under way, and let go of everything but the database itself."""


class SingleWriter:
    """The plain way: each event is a transaction of its own, carried out by the thread that asks."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        postgresql = engine.dialect.name == "postgresql"
        self._one_statement = str(_APPEND_AND_GO_ON.compile(engine)) if postgresql else None

    def write(self, row: EventRow) -> None:
        """Store an event."""
        try:
            if self._one_statement is not None:
                by_driver(self._engine, self._one_statement, row)
                return
            with self._engine.begin() as connection:
                connection.execute(_APPEND, row)
                connection.execute(GO_ON, row)
        except IntegrityError as error:
            raise played_elsewhere(row) from error
        except SQLAlchemyError as error:
            raise StoreError(f"game {row['number']} cannot be stored: {reason(error)}") from error

    def close(self) -> None:
        """Nothing is ever under way here."""


def played_elsewhere(row: EventRow) -> StoreConflict:
    """The error for an event of that number that another process has stored."""
    return StoreConflict(f"game {row['number']} is being played somewhere else: it has gone on meanwhile")
