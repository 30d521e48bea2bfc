"""The file of a SQLite database in use: whether it is still the one at its path."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, event

from fullprime.db.errors import StoreFailed

_FILES = "fullprime.files"
"""The key under which a connection to the database keeps which files it has open."""

Identity = tuple[int, int]
"""The device and the number of a file: another file at the same path has others."""


def guard_file(engine: Engine, path: Path) -> None:
    """Have every transaction fail once the file at ``path`` is another than the one that is open, or none.

    SQLite goes on writing to a file that was deleted or put aside, and what is confirmed then is lost with it. Its log
    beside it is as much a part of the database.
    """
    log = path.with_name(f"{path.name}-wal")

    def look(connection: Connection) -> None:
        found = _identity(path), _identity(log)
        # The log is there from the first transaction of a connection to its end.
        known = connection.info.setdefault(_FILES, found)
        if found != known or found[0] is None:
            which = path if found[0] != known[0] or found[0] is None else log
            raise StoreFailed(
                f"{which} is gone, or another file has taken its place: nothing is stored until the server is started"
                " again, or the file is back"
            )

    event.listen(engine, "begin", look)
    event.listen(engine, "commit", look)


def _identity(path: Path) -> Identity | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


__all__ = ["guard_file"]
