"""Copies of the database while it is in use, and the way back. SQLite only: PostgreSQL has ``pg_dump``."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from fullprime.common.atomic_write import atomic_path, remove_partials
from fullprime.db.database import holds_games, open_database, prepare_folder, sqlite_file
from fullprime.db.errors import StoreError
from fullprime.db.exclusive_server import exclusive_server, find_damage
from fullprime.db.schema.version import SCHEMA_VERSION

_PRIVATE = 0o600
"""A copy holds the secrets of the dice of running games."""


def back_up(target: Path, url: str | None = None, *, replace: bool = False) -> int:
    """Copy the database to a file, as it is at one moment; gives the size in bytes.

    The server may go on meanwhile. The copy is checked and takes its name only when it is whole. A database of another
    version is copied, too. Raises StoreError.
    """
    source = _file(url)
    if not source.is_file():
        raise StoreError(f"there is no database {source}")
    if target.exists() and not replace:
        raise StoreError(f"{target} is there already; --force writes over it")
    if target.exists() and target.samefile(source):
        raise StoreError(f"{target} is the database itself")
    try:
        remove_partials(target)
        with atomic_path(target, private=True) as unfinished:
            with closing(_read_only(source)) as old, closing(sqlite3.connect(unfinished)) as new:
                old.backup(new)
                # A copy is one file: nothing of it is left in a log beside it.
                new.execute("PRAGMA journal_mode = DELETE")
            _check(unfinished)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{source} cannot be copied to {target}: {_why(error)}") from error
    return target.stat().st_size


def restore(source: Path, url: str | None = None, *, replace: bool = False) -> Path:
    """Replace the database by a copy; gives the file of the database.

    A copy by another version is refused before anything is replaced. With ``replace`` the present content of the
    database is lost, in one transaction: after a power cut the database holds either the old content or the new. The
    server must not run meanwhile. Raises StoreError.
    """
    target = _file(url)
    if not source.is_file():
        raise StoreError(f"there is no file {source}")
    if target.exists() and target.samefile(source):
        raise StoreError(f"{source} is the database itself")
    if target.exists() and not replace:
        raise StoreError(f"{target} is there already; --force gives up what is in it")
    _check(source)
    _check_version(source)
    with exclusive_server(str(target)):
        _restore_file(source, target)
    open_database(str(target)).dispose()
    return target


def _restore_file(source: Path, target: Path) -> None:
    try:
        prepare_folder(target)
        if not target.exists():
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE))
        with closing(_read_only(source)) as old, closing(sqlite3.connect(target, timeout=5)) as new:
            old.backup(new)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{source} cannot be restored to {target}: {_why(error)}") from error


def _file(url: str | None) -> Path:
    path = sqlite_file(url)
    if path is None:
        raise StoreError("only a database in a file is copied here: PostgreSQL has pg_dump (docs/hosting.md)")
    return path


def _why(error: OSError | sqlite3.Error) -> str:
    return str(getattr(error, "strerror", None) or error)


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=5)


def _check(path: Path) -> None:
    """Raise StoreError unless the file is a whole database of games."""
    try:
        with closing(_read_only(path)) as database:
            damage = find_damage(database, path.stat().st_size, thorough=True)
            if damage is not None:
                raise StoreError(f"{path} is damaged: {damage}")
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as error:
        raise StoreError(f"{path} is no database: {error}") from error
    if not holds_games(tables):
        raise StoreError(f"{path} is a database, but not one of games")


def _check_version(path: Path) -> None:
    """Raise StoreError unless the file has the tables of this version."""
    try:
        with closing(_read_only(path)) as database:
            table = database.execute("SELECT name FROM sqlite_master WHERE name = 'schema_version'").fetchone()
            row = table and database.execute("SELECT version FROM schema_version").fetchone()
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    if row != (SCHEMA_VERSION,):
        raise StoreError(
            f"{path} is a copy by another version of Fullprime, which this one does not read; nothing has been replaced"
        )
