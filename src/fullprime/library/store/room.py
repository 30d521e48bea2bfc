"""The room that a library takes, and changes of a library that are counted and may be refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, insert, select, update

from fullprime.db.database import count_bytes
from fullprime.db.schema.library import library_matches, library_shelves
from fullprime.db.schema.shelves import library_marks, library_tags
from fullprime.db.schema.tables import accounts

OWN_SHELF = 0
"""The shelf of this machine, which the terminal uses. Every other number is that of an account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfUse:
    """The room that a library takes, and the whole database."""

    matches: int
    size: int
    """The bytes of its files, reviews, notes, tags, collections and searches; 0 for the library of this machine."""
    since: datetime | None
    """The time at which its account was made; None for the library of this machine."""
    stored: int
    """The bytes of the whole database."""


GrowthCheck = Callable[[ShelfUse, int, int], None]
"""Called with the use of a library, and the bytes and matches that are to be added; raises an error without room."""


@dataclass(frozen=True, slots=True)
class LibraryChange:
    """A transaction that changes a library."""

    connection: Connection
    shelf: int
    check: GrowthCheck | None

    def grow(self, more: int, matches: int = 0) -> None:
        """Count ``more`` bytes, negative where they go; raises the error of the check where there is no room."""
        if more > 0 and self.check is not None:
            self.check(use_of(self.connection, self.shelf), more, matches)
        if more and self.shelf != OWN_SHELF:
            shelves = library_shelves
            added = update(shelves).where(shelves.c.shelf == self.shelf).values(size=shelves.c.size + more)
            if not self.connection.execute(added).rowcount:
                self.connection.execute(insert(shelves).values(shelf=self.shelf, size=more))

    @contextmanager
    def count_change(self, measure: Callable[[], int]) -> Iterator[None]:
        """Count the bytes by which a change of rows makes them longer; ``measure`` gives the bytes of these rows."""
        before = measure()
        yield
        self.grow(measure() - before)


def use_of(connection: Connection, shelf: int) -> ShelfUse:
    """The room that a library takes now."""
    count = select(func.count()).select_from(library_matches).where(library_matches.c.shelf == shelf)
    size = select(library_shelves.c.size).where(library_shelves.c.shelf == shelf)
    return ShelfUse(
        matches=int(connection.execute(count).scalar_one()),
        size=int(connection.execute(size).scalar() or 0),
        since=connection.execute(select(accounts.c.created).where(accounts.c.id == shelf)).scalar(),
        stored=count_bytes(connection),
    )


def size_of_rows(connection: Connection, query: Select[Any]) -> int:
    """The bytes of the texts that a query gives."""
    return sum(len(text.encode()) for row in connection.execute(query) for text in row if text is not None)


def size_of_marks(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    """The bytes of notes, positions and tags of the marks for which all holds."""
    marks = library_marks.c
    tags = select(library_tags.c.tag).join(library_marks, marks.id == library_tags.c.mark_id)
    texts = select(marks.note, marks.position)
    return sum(size_of_rows(connection, query.where(*conditions)) for query in (texts, tags))
