"""The tables: their version, what is made of them in an empty database, and the databases that are refused."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import (
    Column,
    Engine,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    inspect,
    text,
)
from sqlalchemy.pool import NullPool

from fullprime.db.database import open_database
from fullprime.db.errors import StoreError
from fullprime.db.schema.base import metadata as all_tables
from fullprime.db.schema.version import SCHEMA_VERSION

SERVERS = 4
"""Servers that start at once on an empty database."""


# -- the version ------------------------------------------------------------------------------------------------
def fingerprint(metadata: MetaData) -> str:
    """A short hash of all that a database is made with; no version of Python or SQLAlchemy changes it."""
    described = json.dumps([table_facts(metadata.tables[name]) for name in sorted(metadata.tables)])
    return hashlib.sha256(described.encode()).hexdigest()[:12]


def table_facts(table: Table) -> list[Any]:
    """The name, columns, primary key, foreign keys, unique constraints, indexes and options of a table."""
    keys = sorted(
        [str(key.name), key.column_keys, [element.target_fullname for element in key.elements], key.ondelete]
        for key in table.foreign_key_constraints
    )
    uniques = sorted(
        [str(unique.name), unique.columns.keys()]
        for unique in table.constraints
        if isinstance(unique, UniqueConstraint)
    )
    indexes = sorted(
        [str(index.name), index.columns.keys(), bool(index.unique), options(index)] for index in table.indexes
    )
    columns = [column_facts(column) for column in table.columns]
    return [table.name, columns, table.primary_key.columns.keys(), keys, uniques, indexes, options(table)]


def column_facts(column: Column[Any]) -> list[Any]:
    """The name, types, nullability and server's default of a column."""
    default = getattr(column.server_default, "arg", None)
    types = {"": column.type, **column.type._variant_mapping}
    return [
        column.name,
        sorted([database, type(kind).__name__, getattr(kind, "length", None)] for database, kind in types.items()),
        column.nullable,
        None if default is None else str(default),
    ]


def options(item: Table | Index) -> list[list[str]]:
    """What is set for one kind of database alone, such as the condition of an index."""
    return sorted([name, str(value)] for name, value in item.dialect_kwargs.items())


def test_the_version_belongs_to_the_tables() -> None:
    number = SCHEMA_VERSION.partition("-")[0]
    wanted = f'SCHEMA_VERSION = "{number}-{fingerprint(all_tables)}"'
    assert f'SCHEMA_VERSION = "{SCHEMA_VERSION}"' == wanted, (
        f"the tables have changed: write {wanted} into src/fullprime/db/schema/version.py"
        ' (docs/architecture.md, "To change a table")'
    )


def small_schema(*parts: Any, length: int | None = None, nullable: bool = False, default: str | None = None) -> str:
    """The fingerprint of two tables, of which the second has a column of its own kind and some other parts."""
    metadata = MetaData()
    Table("others", metadata, Column("id", Integer, primary_key=True))
    column = Column("word", Text(length), nullable=nullable, server_default=default)
    Table("words", metadata, Column("id", Integer, primary_key=True), column, *parts)
    return fingerprint(metadata)


def test_each_change_of_a_table_gives_another_fingerprint() -> None:
    schemas = [
        small_schema(),
        small_schema(nullable=True),
        small_schema(length=9),
        small_schema(default="a"),
        small_schema(Column("other", Integer)),
        small_schema(Column("other", Text)),
        small_schema(Column("other", Text().with_variant(Integer, "sqlite"))),
        small_schema(Column("other", Integer, primary_key=True)),
        small_schema(Column("other", Integer, ForeignKey("others.id"))),
        small_schema(Column("other", Integer, ForeignKey("others.id", ondelete="CASCADE"))),
        small_schema(UniqueConstraint("word", name="uq_words")),
        small_schema(Index("ix_words", "word")),
        small_schema(Index("ix_words_word", "word")),
        small_schema(Index("ix_words", "word", unique=True)),
        small_schema(Index("ix_words", "word", sqlite_where=text("word IS NOT NULL"))),
    ]
    assert len(set(schemas)) == len(schemas)
    assert small_schema() == schemas[0], "and the same tables the same one"


# -- an empty database ------------------------------------------------------------------------------------------
def wanted_facts(table: Table) -> dict[str, Any]:
    """What a database must say of a table."""
    uniques = [unique for unique in table.constraints if isinstance(unique, UniqueConstraint)]
    return {
        "columns": [(column.name, column.nullable) for column in table.columns],
        "primary key": table.primary_key.columns.keys(),
        "foreign keys": sorted(
            (str(key.name), key.column_keys, key.referred_table.name, key.ondelete)
            for key in table.foreign_key_constraints
        ),
        "unique": sorted((str(unique.name), unique.columns.keys()) for unique in uniques),
        "indexes": sorted((str(index.name), index.columns.keys(), bool(index.unique)) for index in table.indexes),
    }


def stored_facts(engine: Engine, table: str) -> dict[str, Any]:
    """What a database says of a table."""
    inspector = inspect(engine)
    return {
        "columns": [(column["name"], column["nullable"]) for column in inspector.get_columns(table)],
        "primary key": inspector.get_pk_constraint(table)["constrained_columns"],
        "foreign keys": sorted(
            (str(key["name"]), key["constrained_columns"], key["referred_table"], key["options"].get("ondelete"))
            for key in inspector.get_foreign_keys(table)
        ),
        "unique": sorted(
            (str(unique["name"]), unique["column_names"]) for unique in inspector.get_unique_constraints(table)
        ),
        "indexes": sorted(
            (str(index["name"]), index["column_names"], bool(index["unique"]))
            for index in inspector.get_indexes(table)
            if "duplicates_constraint" not in index
        ),
    }


def stored_versions(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return [version for (version,) in connection.execute(text("SELECT version FROM schema_version"))]


def test_an_empty_database_gets_the_tables_and_their_version(empty_database: str) -> None:
    engine = open_database(empty_database)
    assert sorted(inspect(engine).get_table_names()) == sorted(all_tables.tables)
    for name, table in all_tables.tables.items():
        assert stored_facts(engine, name) == wanted_facts(table), name
        for stored, column in zip(inspect(engine).get_columns(name), table.columns, strict=True):
            wanted = column.type._variant_mapping.get(engine.dialect.name, column.type)
            assert isinstance(stored["type"], type(wanted)), f"{name}.{column.name}"
    assert stored_versions(engine) == [SCHEMA_VERSION]
    engine.dispose()


def test_several_servers_may_start_at_once_on_an_empty_database(empty_database: str) -> None:
    together = Barrier(SERVERS)

    def start() -> list[str]:
        together.wait()
        engine = open_database(empty_database)
        versions = stored_versions(engine)
        engine.dispose()
        return versions

    with ThreadPoolExecutor(SERVERS) as servers:
        started = [server.result() for server in [servers.submit(start) for _ in range(SERVERS)]]
    assert started == [[SCHEMA_VERSION]] * SERVERS


def test_tables_of_another_program_are_let_be(empty_database: str) -> None:
    with plain(empty_database).begin() as connection:
        connection.execute(text("CREATE TABLE things (id INTEGER)"))
        connection.execute(text("INSERT INTO things VALUES (7)"))
    engine = open_database(empty_database)
    assert set(inspect(engine).get_table_names()) == {"things", *all_tables.tables}
    with engine.connect() as connection:
        assert connection.execute(text("SELECT id FROM things")).scalar() == 7
    engine.dispose()


def test_the_log_is_written_ahead_on_every_connection_to_a_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    for pooled in (True, False):
        engine = open_database(url, pooled=pooled)
        with engine.connect() as connection:
            assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        engine.dispose()


# -- databases of other versions --------------------------------------------------------------------------------
def plain(url: str) -> Engine:
    """An engine that knows nothing of our tables."""
    return create_engine(url.replace("postgresql:", "postgresql+psycopg:"), poolclass=NullPool)


OTHER_VERSIONS = {
    "a newer one": ["UPDATE schema_version SET version = '2-0123456789ab'"],
    "other tables of the same number": ["UPDATE schema_version SET version = '1-0123456789ab'"],
    "no version": ["DELETE FROM schema_version"],
    "no table of the version": ["DROP TABLE schema_version"],
    "of the time before the first release": [
        "DROP TABLE schema_version",
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
        "INSERT INTO alembic_version VALUES ('0019')",
    ],
}


def content(engine: Engine) -> dict[str, list[Any]]:
    """All rows of all tables."""
    with engine.connect() as connection:
        names = sorted(inspect(connection).get_table_names())
        return {name: [tuple(row) for row in connection.execute(text(f"SELECT * FROM {name}"))] for name in names}


@pytest.mark.parametrize("other", OTHER_VERSIONS)
def test_a_database_of_another_version_is_refused_in_one_line_and_not_touched(empty_database: str, other: str) -> None:
    open_database(empty_database).dispose()
    engine = plain(empty_database)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO puzzle_ratings VALUES ('p', 1500, 350, 0.06, 0, '2026-11-01')"))
        for statement in OTHER_VERSIONS[other]:
            connection.execute(text(statement))
    before = content(engine)
    assert before["puzzle_ratings"]
    with pytest.raises(StoreError) as refused:
        open_database(empty_database)
    in_file = engine.dialect.name == "sqlite"
    where = engine.url.database if in_file else engine.url.render_as_string(hide_password=True)
    copying = f"`fullprime backup COPY --db {where}`" if in_file else "pg_dump"
    assert str(refused.value) == (
        f"the games in {where} were stored by another version of Fullprime, which this one does not read, and are left"
        f" as they are: keep a copy with {copying}, and name another database with --db"
    )
    assert content(engine) == before


def test_one_table_of_ours_without_a_version_is_refused(empty_database: str) -> None:
    with plain(empty_database).begin() as connection:
        connection.execute(text("CREATE TABLE game_sessions (id INTEGER)"))
    with pytest.raises(StoreError, match="stored by another version"):
        open_database(empty_database)
    assert inspect(plain(empty_database)).get_table_names() == ["game_sessions"]


def test_a_file_of_another_version_stays_as_it_is_byte_for_byte(tmp_path: Path) -> None:
    """Also when its journal is the usual one, as in a copy that `fullprime backup` has made."""
    file = tmp_path / "games.db"
    open_database(str(file)).dispose()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("UPDATE schema_version SET version = '2-0123456789ab'")
        connection.commit()
    before = file.read_bytes()
    for pooled in (False, True):
        with pytest.raises(StoreError, match=re.escape(str(file))):
            open_database(str(file), pooled=pooled)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["games.db"]


def test_all_threads_use_the_same_database_in_memory() -> None:
    """Each connection of SQLite has a database of its own in memory; a server's threads found no tables in theirs."""
    engine = open_database(":memory:", pooled=True)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE here (number INTEGER)"))

    def add(number: int) -> None:
        with engine.begin() as connection:
            connection.execute(text("INSERT INTO here VALUES (:number)"), {"number": number})

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(add, range(40)))
    with engine.begin() as connection:
        assert connection.execute(text("SELECT number FROM here ORDER BY number")).scalars().all() == list(range(40))
    engine.dispose()
