"""A disk that is full, and a file of the database that is gone: nothing is confirmed, and health says so."""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from tests.web.inside import TestClient
from tests.web.seat import create, some_line
from tests.web.test_guard import application, at

from fullprime.common.json_values import to_json
from fullprime.db import probe
from fullprime.db.database import open_database
from fullprime.web.monitoring import AGAIN, Health


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Running:
    """An application with a game under way on it, and a clock of its health that stands still."""

    def __init__(self, client: TestClient, app: Any, file: Path) -> None:
        self.client, self.app, self.file, self.clock = client, app, file, Clock()
        app.state.health = Health(app.state.game_server.check_writable, clock=self.clock)
        app.state.game_server.service.on_append = app.state.health.note_append
        self.chance = random.Random(1)
        self.seat, _ = create(client, opponent="screen", automatic=False, rules={"length": 0})  # type: ignore[arg-type]

    def pragma(self, words: str, engine: Engine | None = None) -> Any:
        """Have the one connection do something that stores what happens in games, or that of another engine."""
        pooled: Any = (engine or self.app.state.game_server.engine).raw_connection()
        row = pooled.driver_connection.execute(f"PRAGMA {words}").fetchone()
        pooled.close()
        return None if row is None else row[0]

    def health(self, later: float = 0.0) -> int:
        """The status of the health, so many seconds later."""
        self.clock.now += later
        return int(self.client.get("/api/health").status_code)

    def acts(self) -> int:
        """The status of an action that is stored."""
        live = self.app.state.game_server.service.find_in_memory(self.seat.game)
        line = some_line(to_json(live.take_snapshot("both").build_message("both").state), self.chance)
        return int(self.seat.act(line).status_code)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    app = application(tmp_path)
    with at(app) as client:
        yield Running(client, app, tmp_path / "games.db")


@pytest.mark.logs_errors
def test_a_database_without_room_is_not_healthy(running: Running) -> None:
    assert running.health() == 200
    running.pragma("max_page_count = 1")  # it becomes the pages that there are
    assert running.health(AGAIN) == 503
    assert "full" in running.client.get("/api/health").json()["error"]
    running.pragma("max_page_count = 1000000")
    assert running.health(AGAIN) == 200


@pytest.mark.logs_errors
def test_a_disk_without_room_is_not_healthy(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr(probe.tempfile, "TemporaryFile", refuse)
        assert running.health() == 503
        assert running.client.get("/api/health").json()["error"] == (
            f"nothing can be stored: {os.strerror(errno.ENOSPC)}"
        )
    assert running.health(AGAIN) == 200


def test_a_try_leaves_nothing_behind(running: Running) -> None:
    before = sorted(path.name for path in running.file.parent.iterdir())
    assert running.health() == 200
    assert sorted(path.name for path in running.file.parent.iterdir()) == before
    with running.app.state.game_server.engine.begin() as connection:
        assert len(connection.exec_driver_sql("SELECT version FROM schema_version").all()) == 1


@pytest.mark.logs_errors
def test_an_action_that_is_not_stored_turns_health_at_once_and_one_that_is_turns_it_back(running: Running) -> None:
    assert running.health() == 200
    running.pragma("query_only = ON")
    assert running.acts() == 503
    assert running.health() == 503
    running.pragma("query_only = OFF")
    assert running.acts() == 200
    assert running.health() == 200


@pytest.mark.logs_errors
def test_an_account_that_is_not_stored_is_503_and_turns_health(running: Running) -> None:
    credentials = {"name": "Ann", "password": "a long enough password"}
    assert running.health() == 200
    running.pragma("query_only = ON", running.app.state.accounts.engine)
    answer = running.client.post("/api/account/sign-up", json=credentials)
    assert (answer.status_code, running.health()) == (503, 503)
    running.pragma("query_only = OFF", running.app.state.accounts.engine)
    assert running.client.post("/api/account/sign-up", json=credentials).status_code == 201
    assert running.client.post("/api/account/sign-up", json=credentials).status_code == 409
    assert running.health(AGAIN) == 200


@pytest.mark.logs_errors
@pytest.mark.parametrize("which", ["games.db", "games.db-wal"])
@pytest.mark.parametrize("replaced", [False, True])
def test_nothing_is_confirmed_while_the_file_is_another_one(running: Running, which: str, *, replaced: bool) -> None:
    assert running.acts() == 200
    file, aside = running.file.with_name(which), running.file.with_name("aside")
    file.rename(aside)
    if replaced:
        shutil.copy(aside, file)
    assert running.acts() == 503
    assert running.health() == 503
    new_game = running.client.post("/api/games", json={"opponent": "screen"})
    assert new_game.status_code == 503
    assert "is gone, or another file has taken its place" in new_game.json()["error"]
    aside.replace(file)
    assert running.acts() == 200
    assert running.health() == 200


@pytest.mark.logs_errors
def test_nothing_is_confirmed_once_the_file_is_deleted(running: Running) -> None:
    running.file.unlink()
    for _ in range(2):
        assert running.acts() == 503
    assert running.health(AGAIN) == 503


def test_each_kind_of_database_is_tried(any_database: str) -> None:
    engine = open_database(any_database, pooled=True)
    probe.check_writable(engine)
    engine.dispose()
