"""The health of the server: storing is tried, not only answered."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import tempfile
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import Server
from tests.web.fork_server import start
from tests.web.test_guard import application, at

from fullprime.db.errors import StoreError
from fullprime.web import monitoring
from fullprime.web.monitoring import Health


def writable(app: Any, *, yes: bool) -> None:
    """Let the one connection to the database write, or not."""
    pooled = app.state.game_server.engine.raw_connection()
    pooled.driver_connection.execute(f"PRAGMA query_only = {'OFF' if yes else 'ON'}")
    pooled.close()


@pytest.mark.logs_errors
def test_health_fails_while_nothing_can_be_stored(tmp_path: Path) -> None:
    app = application(tmp_path)
    app.state.health = Health(app.state.game_server.check_writable, clock=iter(range(0, 10_000, 10)).__next__)
    with at(app) as client:
        assert client.get("/api/health").json()["status"] == "ok"
        writable(app, yes=False)
        failing = client.get("/api/health")
        assert (failing.status_code, failing.json()["status"]) == (503, "failing")
        assert "nothing can be stored" in failing.json()["error"]
        writable(app, yes=True)
        assert client.get("/api/health").status_code == 200


@pytest.mark.logs_errors
def test_one_try_serves_many_who_ask_and_is_told_of_once(caplog: pytest.LogCaptureFixture) -> None:
    tries: list[int] = []

    def fails() -> None:
        tries.append(1)
        raise StoreError("the disk is full")

    async def ask() -> list[str | None]:
        checked = Health(fails, clock=lambda: 0.0)
        faults = await asyncio.gather(*(checked.fault() for _ in range(20)))
        return [*faults, await checked.fault()]

    with caplog.at_level(logging.WARNING, "fullprime.web.monitoring"):
        assert asyncio.run(ask()) == ["the disk is full"] * 21
    assert len(tries) == 1
    assert len(caplog.records) == 1


@pytest.mark.logs_errors
def test_a_database_that_does_not_answer_is_no_good_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitoring, "WITHIN", 0.01)
    answers = threading.Event()

    async def ask() -> tuple[str | None, str | None]:
        checked = Health(lambda: answers.wait(60) and None)
        hangs = await checked.fault()
        answers.set()
        monkeypatch.setattr(monitoring, "WITHIN", 60)
        return hangs, await checked.fault()

    assert asyncio.run(ask()) == ("the database does not answer", None)


def refused_start(database: Path) -> str:
    """What a server says that does not start on a database."""
    with tempfile.TemporaryFile() as log:
        process = start(["serve", "--port", "0", "--db", str(database)], log)
        assert process.stdout is not None
        with process.stdout as output:
            assert output.read() == ""
        assert process.wait(timeout=120) == 2
        log.seek(0)
        why = log.read().decode()
    assert "Traceback" not in why
    return " ".join(why.split())


@pytest.mark.broad
def test_a_server_refuses_a_file_that_is_damaged_or_served_already(server: Server, tmp_path: Path) -> None:
    assert f"is served already by process {server.process.pid}: one process" in refused_start(server.database)
    damaged = tmp_path / "damaged.db"
    with closing(sqlite3.connect(server.database)) as source, closing(sqlite3.connect(damaged)) as target:
        source.backup(target)
    damaged.write_bytes(damaged.read_bytes()[:9000])
    refusal = refused_start(damaged)
    assert "damaged.db is damaged" in refusal
    assert "fullprime restore COPY" in refusal
