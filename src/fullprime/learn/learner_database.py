"""The database of drills, opened for a command and closed after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine

from fullprime.db.database import open_database


@contextmanager
def open_drills(database: str | None = None) -> Iterator[Engine]:
    """The database of this machine, or another one; raises StoreError."""
    engine = open_database(database)
    try:
        yield engine
    finally:
        engine.dispose()
