"""A try to store as much as a game needs, which leaves nothing behind."""

from __future__ import annotations

import os
import tempfile

from sqlalchemy import Engine, text, update
from sqlalchemy.exc import SQLAlchemyError

from fullprime.db.database import reason, sqlite_file
from fullprime.db.errors import StoreError
from fullprime.db.schema.version import schema_version

SIZE = 1 << 16
"""Bytes that are written: more than any action of a game, a new game or an account needs."""


_LOGGED = text("SELECT pg_logical_emit_message(true, 'fullprime', repeat('-', :size))")


def check_writable(engine: Engine) -> None:
    """Check that the actions of players can be stored; raises StoreError.

    A commit alone is no proof, because the row that it writes has its place already. A game needs room: in the
    database, in its log and on the disk.
    """
    try:
        if engine.dialect.name == "sqlite":
            _find_room(engine)
            _write_file(engine)
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                # It goes to the log as everything does, and has no other effect.
                connection.execute(_LOGGED, {"size": SIZE})
            connection.execute(update(schema_version).values(version=schema_version.c.version))
    except (SQLAlchemyError, OSError, StoreError) as error:
        raise StoreError(f"nothing can be stored: {_reason(error)}") from error


def _find_room(engine: Engine) -> None:
    """See that the database may take pages: it may be as large as it is allowed to be."""
    with engine.connect() as connection, connection.begin() as transaction:
        connection.execute(text("INSERT INTO schema_version VALUES (zeroblob(:size))"), {"size": SIZE})
        transaction.rollback()


def _write_file(engine: Engine) -> None:
    """See that the disk takes a file: a log that has room already hides that there is none beside it."""
    file = sqlite_file(engine.url.render_as_string(hide_password=False))
    if file is None:
        return
    with tempfile.TemporaryFile(dir=file.parent) as probe:
        probe.write(os.urandom(SIZE))
        probe.flush()
        os.fsync(probe.fileno())


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else reason(error)
