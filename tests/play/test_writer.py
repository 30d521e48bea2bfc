"""The writer of sessions: a session that hinders the others is left out, and a connection that breaks is replaced."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import Engine, text
from tests.play.test_store import Table
from tests.postgres import make_database

from fullprime.db.database import open_database
from fullprime.db.errors import StoreConflict, StoreError
from fullprime.play import writer as writer_module
from fullprime.play.store import SessionStore
from fullprime.play.writer import SessionWriter


@pytest.fixture
def engine(any_database: str) -> Iterator[Engine]:
    opened = open_database(any_database, pooled=True)
    yield opened
    opened.dispose()


@pytest.fixture
def postgres(postgresql: str, postgresql_with_tables: str) -> Iterator[Engine]:
    opened = open_database(make_database(postgresql, template=postgresql_with_tables), pooled=True)
    yield opened
    opened.dispose()


def test_a_session_that_is_gone_does_not_hinder_the_others(engine: Engine) -> None:
    store = SessionStore(engine)
    stays, gone = Table.open(store, "stays", 1), Table.open(store, "gone", 2)
    assert store.delete("gone")
    with closing(SessionWriter(engine)) as writer:
        errors = writer.store([gone.next_append(), stays.next_append()])
    assert isinstance(errors[0], StoreError)
    assert errors[1] is None
    assert list(store.load("stays").log) == stays.played.log


def test_a_database_that_cannot_be_reached_is_told_to_all(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SessionStore(engine)
    tables = [Table.open(store, f"away{number}", number) for number in range(2)]
    before = [table.stored for table in tables]

    def fail(*_given: Any, **_more: Any) -> Any:
        raise OSError("the disk is full")

    with closing(SessionWriter(engine)) as writer:
        for way in ("_write_in_one_statement", "_write_in_one_transaction"):
            monkeypatch.setattr(writer, way, fail)
        errors = writer.store([table.next_append() for table in tables])
    assert [type(error) for error in errors] == [StoreError, StoreError]
    assert "the disk is full" in str(errors[0])
    assert [store.load(f"away{number}").session.sequence for number in range(2)] == before


def test_a_connection_that_breaks_is_replaced(postgres: Engine) -> None:
    store = SessionStore(postgres)
    first, second = Table.open(store, "first", 1), Table.open(store, "second", 2)
    with closing(SessionWriter(postgres)) as writer:
        assert writer.store([first.next_append()]) == [None]
        with postgres.begin() as connection:
            others = (
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type"
            )
            connection.execute(text(f"{others} = 'client backend' AND datname = current_database()"))
        append = second.next_append()
        (error,) = writer.store([append])
        assert isinstance(error, StoreError)
        assert not isinstance(error, StoreConflict), "it is not known whether it was stored"
        assert writer.store([append, first.next_append()]) == [None, None]


def test_a_row_that_is_locked_holds_up_the_others_for_a_moment_only(
    postgres: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "_SETTINGS", "SET lock_timeout = '50ms'")
    store = SessionStore(postgres)
    locked, free = Table.open(store, "locked", 1), Table.open(store, "free", 2)
    append = locked.next_append()
    with closing(SessionWriter(postgres)) as writer:
        with postgres.begin() as connection:
            connection.execute(text("SELECT 1 FROM game_sessions WHERE session_id = 'locked' FOR UPDATE"))
            errors = writer.store([append, free.next_append()])
        assert [type(error) for error in errors] == [StoreError, type(None)]
        assert writer.store([append]) == [None], "nothing of it was stored"
