"""One server has a SQLite file, and only a whole one."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from fullprime.db import database as database_module
from fullprime.db.backup import back_up, restore
from fullprime.db.database import open_database, sqlite_file
from fullprime.db.errors import StoreError
from fullprime.db.exclusive_server import check_integrity, exclusive_server
from fullprime.db.probe import check_writable

_HOLD = """
import sys
from fullprime.db.exclusive_server import exclusive_server
with exclusive_server(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    open_database(str(path)).dispose()
    return path


def holder(database: Path) -> subprocess.Popen[str]:
    """Another process that serves the file."""
    command = [sys.executable, "-c", _HOLD, str(database)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_only_the_folder_of_the_own_database_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FULLPRIME_DB", raising=False)
    monkeypatch.setattr(database_module, "user_data_path", lambda name, **_: tmp_path / "data" / name)
    with exclusive_server():
        open_database().dispose()
    assert sqlite_file() == tmp_path / "data" / "fullprime" / "games.db"
    assert (tmp_path / "data" / "fullprime" / "games.db").exists()
    with (
        exclusive_server(str(tmp_path / "missing" / "games.db")),
        pytest.raises(StoreError, match="there is no folder"),
    ):
        open_database(str(tmp_path / "missing" / "games.db"))
    assert not (tmp_path / "missing").exists()


def test_a_second_server_is_told_who_has_the_file(database: Path) -> None:
    with holder(database) as process:
        with (
            pytest.raises(StoreError, match=f"is served already by process {process.pid}"),
            exclusive_server(str(database)),
        ):
            pass
        with pytest.raises(StoreError, match="served already"), exclusive_server(f"sqlite:///{database}"):
            pass
        copy = database.with_name("copy.db")
        back_up(copy, str(database))
        with pytest.raises(StoreError, match="served already"):
            restore(copy, str(database), replace=True)
        process.kill()
        process.wait(60)
        with exclusive_server(str(database)):
            assert database.with_name("games.db-server").read_text(encoding="utf-8") == f"{os.getpid()}\n"
    assert restore(copy, str(database), replace=True) == database


def test_databases_that_may_be_shared_are_not_held(tmp_path: Path) -> None:
    for url in ("sqlite://", "postgresql://nobody@localhost/games"):
        with exclusive_server(url):
            assert check_integrity(url) is None
    assert list(tmp_path.iterdir()) == []


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5000])


def cut_a_little(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def overwrite_names(path: Path) -> None:
    data = path.read_bytes()
    assert b"CREATE TABLE game_sessions" in data
    path.write_bytes(data.replace(b"CREATE TABLE game_", b"CREATE TABLE \xff\xa7\xe7\n\xd6"))


def overwrite(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:20_000] = b"\xa5" * (20_000 - 4096)
    path.write_bytes(bytes(data))


def replace(path: Path) -> None:
    path.write_bytes(b"this is no database, but it is long enough to be one" * 100)


@pytest.mark.parametrize("damage", [cut, cut_a_little, overwrite, overwrite_names, replace])
def test_a_damaged_file_is_named_with_the_way_back(database: Path, damage: Callable[[Path], None]) -> None:
    copy = database.with_name("copy.db")
    back_up(copy, str(database))
    assert check_integrity(str(database)) is None
    damage(database)
    before = database.read_bytes()
    with pytest.raises(StoreError, match=r"games\.db is damaged: .*fullprime restore COPY") as raised:
        check_integrity(str(database))
    assert "\n" not in str(raised.value)
    assert database.read_bytes() == before
    with pytest.raises(StoreError, match=r"games\.db is (damaged|no database): "):
        restore(database, str(database.with_name("other.db")))
    database.rename(database.with_name("damaged.db"))
    restore(copy, str(database))
    assert check_integrity(str(database)) is None


OTHER_VERSIONS = {
    "a newer version": "UPDATE schema_version SET version = '2-0123456789ab'",
    "no row": "DELETE FROM schema_version",
    "no version": "DROP TABLE schema_version",
    "a version that is no text": "UPDATE schema_version SET version = x'00ff'",
    "before the first release": "ALTER TABLE schema_version RENAME TO alembic_version",
}


@pytest.mark.parametrize("other", OTHER_VERSIONS)
def test_a_database_of_any_version_is_copied_and_restored_only_if_it_is_of_this_one(
    database: Path, tmp_path: Path, other: str
) -> None:
    copy, older, target = (tmp_path / name for name in ("copy.db", "older.db", "target.db"))
    open_database(str(older)).dispose()
    with closing(sqlite3.connect(older)) as connection, connection:
        connection.execute(OTHER_VERSIONS[other])
    assert back_up(copy, str(older)) == copy.stat().st_size
    with closing(sqlite3.connect(older)) as connection, closing(sqlite3.connect(copy)) as copied:
        assert list(copied.iterdump()) == list(connection.iterdump())
    before = database.read_bytes()
    for place in (database, target):
        with pytest.raises(StoreError, match=r"by another version of Fullprime, .*; nothing has been replaced"):
            restore(copy, str(place), replace=True)
    assert database.read_bytes() == before
    assert not target.exists()


def test_an_empty_file_is_remarked_on_and_a_new_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    assert check_integrity(str(path)) is None
    path.touch()
    assert check_integrity(str(path)) == f"{path} is empty: a new database begins in it"


def test_storing_is_tried_and_not_only_asked_for(database: Path) -> None:
    engine = open_database(str(database))
    check_writable(engine)
    database.rename(database.with_name("elsewhere.db"))
    for left in database.parent.glob("games.db-*"):
        left.unlink()
    with pytest.raises(StoreError):
        check_writable(engine)
