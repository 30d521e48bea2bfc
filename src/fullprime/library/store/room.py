"""The room that a library takes, and the whole database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from fullprime.db.database import count_bytes
from fullprime.db.schema.library import library_matches, library_sources
from fullprime.db.schema.tables import accounts


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfUse:
    """The room that a library takes, and the whole database."""

    matches: int
    size: int
    """The bytes of its files."""
    since: datetime | None
    """The time at which its account was made; None for the library of this machine."""
    stored: int
    """The bytes of the whole database."""


def use_of(connection: Connection, shelf: int) -> ShelfUse:
    """The room that a library takes now."""
    count = select(func.count()).select_from(library_matches).where(library_matches.c.shelf == shelf)
    size = select(func.coalesce(func.sum(library_sources.c.size), 0)).where(library_sources.c.shelf == shelf)
    return ShelfUse(
        matches=int(connection.execute(count).scalar_one()),
        size=int(connection.execute(size).scalar_one()),
        since=connection.execute(select(accounts.c.created).where(accounts.c.id == shelf)).scalar(),
        stored=count_bytes(connection),
    )
