"""Before a server starts on a SQLite file: no other server has it, and the file is whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from fullprime.common.file_lock import FileLocked, exclusive_lock
from fullprime.db.database import prepare_folder, sqlite_file
from fullprime.db.errors import StoreError


@contextmanager
def exclusive_server(url: str | None = None) -> Iterator[None]:
    """Hold the lock of a SQLite file for its one server; raises StoreError where another process holds it.

    The system gives the place back when a process ends, however it ends. Databases of other kinds may be shared, and
    where the system knows no locks, nothing is held.
    """
    path = sqlite_file(url)
    if path is None:
        yield
        return
    with suppress(OSError, StoreError):  # the database says why when it is opened
        prepare_folder(path)
    with ExitStack() as stack:
        try:
            stack.enter_context(exclusive_lock(path.with_name(f"{path.name}-server")))
        except FileLocked as error:
            process = "" if error.process is None else f" by process {error.process}"
            raise StoreError(
                f"{path} is served already{process}: one process serves a SQLite file; stop that one, name another file"
                " with --db, or use PostgreSQL (docs/hosting.md)"
            ) from None
        except OSError:
            pass  # Where nothing can be written there is no database to be served either, and its own error says why.
        yield


def check_integrity(url: str | None = None) -> str | None:
    """Look through a SQLite file; raises StoreError with what is wrong and the way back when it is damaged.

    Gives a remark on a file that is empty, None for a good one, for one that is not there yet, and for other databases.
    """
    path = sqlite_file(url)
    try:
        if path is None or not path.is_file():
            return None
        size, has_log = path.stat().st_size, _has_log(path)
        if size == 0 and not has_log:
            return f"{path} is empty: a new database begins in it"
        # For writing: what a server that was killed has left in the log beside the file is part of it.
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=5)) as database:
            damage = find_damage(database, 0 if has_log else size)
    except (OSError, sqlite3.DatabaseError) as error:
        if isinstance(error, sqlite3.OperationalError) and "disk I/O" not in str(error):
            return None  # locked, or may not be written: to open it says so in its own words
        damage = str(error)
    if damage is None:
        return None
    raise StoreError(
        f"{path} is damaged: {' '.join(damage.split())}. Nothing has been changed. Put it aside together with its -wal"
        f" and -shm files, then `fullprime restore COPY --db {path}` brings back a copy that `fullprime backup` made;"
        f" without one, `sqlite3 DAMAGED .recover` may save a part (docs/hosting.md)"
    )


def find_damage(database: sqlite3.Connection, size: int, *, thorough: bool = False) -> str | None:
    """The first thing that is wrong with an SQLite file of ``size`` bytes; None for a whole one.

    Raises sqlite3.Error where SQLite cannot look at all.
    """
    try:
        verdict = str(database.execute(f"PRAGMA {'integrity' if thorough else 'quick'}_check(1)").fetchone()[0])
        page = int(database.execute("PRAGMA page_size").fetchone()[0])
    except UnicodeDecodeError as error:
        return bytes(error.object).decode(errors="replace")  # SQLite's words, with bytes of the damage among them
    if verdict != "ok":
        return verdict
    # SQLite writes whole pages, and takes what is missing of the last one for zeros.
    return f"it is cut off: {size:,} bytes are no whole number of pages of {page:,}" if size % page else None


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.is_file() and log.stat().st_size > 0
