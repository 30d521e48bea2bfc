"""The database: SQLite in the user's data folder, or any database that SQLAlchemy reaches by its URL."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from platformdirs import user_data_path
from sqlalchemy import URL, Connection, Dialect, Engine, create_engine, event, insert, inspect, select, text
from sqlalchemy.engine import ExceptionContext, make_url
from sqlalchemy.engine.mock import MockConnection
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as WaitedTooLong
from sqlalchemy.pool import ConnectionPoolEntry, NullPool, QueuePool

from fullprime.db.errors import StoreError, StoreFailed
from fullprime.db.schema.base import metadata
from fullprime.db.schema.version import SCHEMA_VERSION, schema_version
from fullprime.rules.taking import short_path

ENVIRONMENT = "FULLPRIME_DB"
"""The environment variable that names another database."""
PATIENCE = 5000
"""Milliseconds for which a SQLite file that another program writes to is waited for."""
_OLDER = "alembic_version"
"""The table by which databases of the time before the first release are known."""


_STATEMENTS: dict[str, Sequence[str]] = {}
"""What makes the tables, by the kind of database."""


def default_url() -> str:
    """The database in use when none is named: that of ``FULLPRIME_DB``, else a file in the user's data folder."""
    url = os.environ.get(ENVIRONMENT)
    if url:
        return url
    return f"sqlite:///{_own_file()}"


def _own_file() -> Path:
    return user_data_path("fullprime", appauthor=False) / "games.db"


def prepare_folder(file: Path) -> None:
    """Make the folder of the user's own database; raises StoreError where that of another file is not there."""
    if file == _own_file():
        file.parent.mkdir(parents=True, exist_ok=True)
    elif not file.parent.is_dir():
        raise StoreError(f"{short_path(file)}: there is no folder {short_path(file.parent)}")


def sqlite_file(url: str | None = None) -> Path | None:
    """The file of a database (the default one when None is named), None for any other kind; nothing is opened."""
    url = url or default_url()
    if "://" not in url:
        return Path(url)
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        raise StoreError(f"{_without_password(url)} is no address of a database") from None
    in_file = address.get_backend_name() == "sqlite" and address.database not in (None, "", ":memory:")
    return Path(str(address.database)) if in_file else None


def open_database(url: str | None = None, *, pooled: bool = False) -> Engine:
    """Open a database, by URL or path, and make its tables if it has none; gives the SQLAlchemy engine.

    With ``pooled`` its connections stay open until it is disposed of, for a program that stores all the time. Raises
    StoreError when the database cannot be reached, or another version has made its tables.
    """
    url = url or default_url()
    if "://" not in url:
        url = f"sqlite:///{url}"
    try:
        address = make_url(url)
        if address.drivername in ("postgres", "postgresql"):
            address = address.set(drivername="postgresql+psycopg")
        if address.get_backend_name() == "sqlite" and address.database and address.database != ":memory:":
            prepare_folder(Path(address.database))
        engine = create_engine(address, **_pool(address, pooled))
        in_file = engine.dialect.name == "sqlite" and address.database not in (None, "", ":memory:")
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _safe_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            if in_file:
                guard_file(engine, Path(str(address.database)))
        _prepare_tables(engine)
        if in_file:
            # Only now, because it changes the file, and a refused one stays as it is. The next connections have it.
            engine.dispose()
            event.listen(engine, "connect", _write_ahead)
        event.listen(engine, "handle_error", _raise_store_failed)
    except ModuleNotFoundError as error:
        raise StoreError(
            f"{url.split('://')[0]} needs the package {error.name}: pip install 'fullprime[postgres]'"
        ) from error
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        # The text of an address that cannot be parsed is not shown: some versions repeat it with its password.
        why = f": {error}" if isinstance(error, NoSuchModuleError) else ""
        raise StoreError(f"{_without_password(url)} is not a database we can reach{why}") from None
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(f"the games cannot be kept in {_without_password(url)}: {reason(error)}") from error
    return engine


def _pool(address: URL, pooled: bool) -> Mapping[str, Any]:
    if address.get_backend_name() != "sqlite":
        return {"poolclass": _Queue, "pool_size": 8, "max_overflow": 4} if pooled else {"poolclass": NullPool}
    # SQLite has one writer at a time: threads queue for the one connection instead of trying again and again.
    queue = {"poolclass": _Queue, "pool_size": 1, "max_overflow": 0}
    if address.database in (None, "", ":memory:"):
        # Each connection has a database of its own in memory: all threads of a program must use the same one.
        return {**queue, "connect_args": {"check_same_thread": False}} if pooled else {}
    return queue if pooled else {"poolclass": NullPool}


class _Queue(QueuePool):
    """Connections for which threads wait their turn; a thread that waits in vain gets StoreFailed."""

    def _do_get(self) -> ConnectionPoolEntry:
        try:
            return super()._do_get()
        except WaitedTooLong as error:
            raise StoreFailed("the database is busy: it has not answered for too long") from error


def _raise_store_failed(context: ExceptionContext) -> None:
    """A database that cannot be reached or used for the moment is a StoreFailed, whatever statement found it out."""
    error = context.sqlalchemy_exception
    if isinstance(error, OperationalError | InterfaceError) or context.is_disconnect:
        raise StoreFailed(
            f"the database cannot be used: {reason(error or Exception())}"
        ) from context.original_exception


def may_be_shared(url: str | None) -> bool:
    """True if several processes may serve a database (PostgreSQL), which is opened. Raises StoreError."""
    engine = open_database(url)
    engine.dispose()
    return engine.dialect.name == "postgresql"


@contextmanager
def begin_single(engine: Engine) -> Iterator[Connection]:
    """A connection for one statement, or on SQLite a transaction: PostgreSQL needs none around a single statement."""
    if engine.dialect.name != "postgresql":
        with engine.begin() as connection:
            yield connection
        return
    with engine.connect() as connection:
        yield connection.execution_options(isolation_level="AUTOCOMMIT")


def execute_by_driver(engine: Engine, statement: str, values: Mapping[str, Any]) -> list[Any]:
    """Carry out one statement of PostgreSQL, a transaction by itself, by the driver alone; gives its rows.

    For statements of every action: SQLAlchemy's own way takes five times as much processor time as the driver. The
    connection is one of the pool, and errors are those of SQLAlchemy.
    """
    driver_error = engine.dialect.loaded_dbapi.Error
    try:
        pooled = engine.raw_connection()
        try:
            driver: Any = pooled.driver_connection
            driver.autocommit = True
            try:
                cursor = driver.execute(statement, values, prepare=True)
                return list(cursor.fetchall()) if cursor.description else []
            finally:
                if driver.closed:
                    pooled.invalidate()
                else:
                    driver.autocommit = False
        finally:
            pooled.close()
    except driver_error as error:
        raise DBAPIError.instance(statement, None, error, driver_error) from error


def count_bytes(connection: Connection) -> int:
    """The bytes that the whole database takes."""
    if connection.dialect.name == "postgresql":
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
    pages, free, size = (
        int(connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one())
        for pragma in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def keep_others_out(connection: Connection, owner: str) -> None:
    """Lock an owner's rows until the transaction ends, so that no other request adds any between counting and adding.

    To count the rows of a limit and to add one are two steps; without the lock two requests at once would both count
    before either adds. A transaction of SQLite is alone in any case (``_begin_sqlite``).
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:owner, 6174))"), {"owner": owner})


@contextmanager
def begin_snapshot(engine: Engine) -> Iterator[Connection]:
    """A transaction whose statements all see the database as it was at one moment."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            yield connection


def _without_password(url: str) -> str:
    """An address as an error may show it, also one that cannot be read: anything that may be a password is left out."""
    try:
        return short_path(make_url(url).render_as_string(hide_password=True))
    except (ArgumentError, ValueError):
        kind, mark, rest = url.partition("://")
        return repr(f"{kind[:20]}://…{rest.rpartition('@')[2][:60]}" if mark and "@" in rest else url[:80])


def _safe_sqlite(connection: Any, _record: object) -> None:
    """Set up SQLite: commits reach the disk, references between tables are kept, another process is waited for."""
    # The driver would commit before and after every change of a table; transactions are begun below instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    try:
        for pragma in (f"busy_timeout = {PATIENCE}", "synchronous = FULL", "foreign_keys = ON"):
            cursor.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:  # the file is no database; SQLAlchemy leaves the connection to us
        connection.close()
        raise
    cursor.close()


def _write_ahead(connection: Any, _record: object) -> None:
    """Have SQLite write its log ahead: a commit is one write then, and readers do not wait for it.

    Where that cannot be had (a folder that may not be written), the usual journal is as safe.
    """
    with closing(connection.cursor()) as cursor, suppress(sqlite3.OperationalError):
        cursor.execute("PRAGMA journal_mode = WAL")


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction that no other process can overtake: its rows are stored in whole or not at all."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def holds_games(tables: Iterable[str]) -> bool:
    """True if these are the tables of a Fullprime database, of this version or another."""
    return not {_OLDER, *metadata.tables}.isdisjoint(tables)


def _prepare_tables(engine: Engine) -> None:
    """Make the tables in a database without games; raises StoreError where those of another version are.

    One query suffices in the usual case. Nothing is changed in a database that is refused.
    """
    with engine.begin() as connection:
        if _stored_version(connection) == SCHEMA_VERSION:
            return
        _alone(connection)
        if _stored_version(connection) == SCHEMA_VERSION:
            return
        if not holds_games(inspect(connection).get_table_names()):
            for statement in _statements(connection.dialect):
                connection.exec_driver_sql(statement)
            connection.execute(insert(schema_version).values(version=SCHEMA_VERSION))
            return
    engine.dispose()
    raise StoreError(_refusal(engine))


def _statements(dialect: Dialect) -> Sequence[str]:
    """What makes the tables where there is none, worked out once for each kind of database that a program opens."""
    if dialect.name not in _STATEMENTS:
        statements: list[str] = []

        def note(statement: Any, *_: Any) -> None:
            statements.append(str(statement.compile(dialect=dialect)))

        metadata.create_all(MockConnection(dialect, note), checkfirst=False)
        _STATEMENTS[dialect.name] = statements
    return _STATEMENTS[dialect.name]


def _alone(connection: Connection) -> None:
    """Several servers may start at once: the first makes the tables, the others find them made."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(6174001)"))


def _stored_version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(schema_version.name):
        return None
    return connection.execute(select(schema_version.c.version)).scalar()


def _refusal(engine: Engine) -> str:
    """The line that refuses a database of another version, with the command that keeps a copy of it."""
    url = engine.url.render_as_string(hide_password=True)
    file = sqlite_file(url)
    copying = "pg_dump" if file is None else f"`fullprime backup COPY --db {file}`"
    return (
        f"the games in {file or url} were stored by another version of Fullprime, which this one does not read, and are"
        f" left as they are: keep a copy with {copying}, and name another database with --db"
    )


def reason(error: Exception) -> str:
    """The reason of a database error, in one line."""
    lines = str(getattr(error, "orig", None) or error).splitlines()
    return lines[0] if lines else type(error).__name__


class DatabaseStore:
    """The base of all stores. Several may share one database."""

    def __init__(self, url: str | Engine | None = None) -> None:
        self._engine = url if isinstance(url, Engine) else open_database(url)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()


_FILES = "fullprime.files"
"""The key under which a connection to the database keeps which files it has open."""

Identity = tuple[int, int]
"""The device and the number of a file: another file at the same path has others."""


def guard_file(engine: Engine, path: Path) -> None:
    """Make every transaction fail once the open file at ``path`` has been removed or replaced.

    SQLite goes on writing to a file that was deleted or put aside, and what is confirmed then is lost with it. Its log
    beside it is as much a part of the database.
    """
    log = path.with_name(f"{path.name}-wal")

    def look(connection: Connection) -> None:
        identities: list[Identity | None] = []
        for file in (path, log):
            try:
                facts = file.stat()
                identities.append((facts.st_dev, facts.st_ino))
            except OSError:
                identities.append(None)
        # The log is there from the first transaction of a connection to its end.
        first = connection.info.setdefault(_FILES, identities)
        if identities != first or identities[0] is None:
            which = path if identities[0] != first[0] or identities[0] is None else log
            raise StoreFailed(
                f"{which} is gone, or another file has taken its place: nothing is stored until the server is started"
                " again, or the file is back"
            )

    event.listen(engine, "begin", look)
    event.listen(engine, "commit", look)
