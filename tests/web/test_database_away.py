"""A database that goes away under load and comes back: 503 meanwhile, nothing confirmed is lost, games go on."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool
from tests import postgres
from tests.play.seen import frame_of
from tests.play.server.test_service import until
from tests.web.conftest import Server
from tests.web.playing_clients import PlayingClients
from tests.web.seat import some_line
from tests.web.test_guard import at
from tests.web.test_kill_server import GAMES

from fullprime.db import database
from fullprime.db.backup import back_up, restore
from fullprime.db.errors import StoreError
from fullprime.play.commands import Act, ThrowDice
from fullprime.play.server import bot_moves
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.play.session import GameSession
from fullprime.web.rate_limits import RequestLimits
from fullprime.web.server import create_app


@pytest.fixture
def machine() -> Iterator[postgres.Machine]:
    why_not = postgres.why_not()
    if why_not is not None:
        pytest.skip(why_not)
    with postgres.machine() as running:
        postgres.make_database(running.url, "away")
        yield running


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("times", [1, 30])
def test_a_postgresql_that_stops_and_starts_again(machine: postgres.Machine, tmp_path: Path, times: int) -> None:
    """It is stopped as if it had crashed, under load; all games go on by themselves when it is back."""
    url, log, chance = machine.url.format("away"), tmp_path / "log", random.Random(times)
    server = Server(url, "--no-limits", log=log)
    clients = PlayingClients(lambda: [server.url], may_be_refused=True)
    try:
        clients.sit(GAMES)
        clients.wait_for_each(1)
        for _ in range(times):
            clients.wait_for(chance.randint(3, 12))
            machine.stop()
            refused = clients.refused
            while clients.refused < refused + 5:
                time.sleep(0.01)
            machine.start()
            clients.wait_for_each(1)
    finally:
        clients.leave()
        server.close()
    assert "Traceback" not in log.read_text(), "no fault of the server, but one of the database"
    with closing(GameServer(url)) as game_server:
        confirmed = clients.check(game_server)
        verdicts = [game_server.verify(player.game) for player in clients.players]
    assert [verdict.faults for verdict in verdicts] == [()] * len(GAMES)
    sys.stdout.write(
        f"{times} stops of PostgreSQL: {confirmed} confirmed actions are stored, {clients.refused} refusals\n"
    )


# -- without load ----------------------------------------------------------------------------------------------------
@contextmanager
def away(game_server: GameServer, url: str) -> Iterator[None]:
    """The database cannot be used: PostgreSQL has thrown everybody out, or another program writes to the file."""
    if not url.startswith("postgresql"):
        with locked(game_server):
            yield
        return
    name, address = str(game_server.engine.url.database), game_server.engine.url.set(database="postgres")
    engine = create_engine(address, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with engine.connect() as connection:
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
        ending = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = :name"
        connection.execute(text(ending), {"name": name})
        yield
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"))


@contextmanager
def locked(game_server: GameServer) -> Iterator[None]:
    """The file of the database is written to by another program."""
    with closing(sqlite3.connect(str(game_server.engine.url.database), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for another program."""
    monkeypatch.setattr(database, "PATIENCE", 0)


@pytest.mark.logs_errors
@pytest.mark.usefixtures("impatient")
def test_what_cannot_be_stored_is_503_and_can_be_asked_again(any_database: str) -> None:
    """Actions of a game, new games, and what stands in no game."""
    app = create_app(any_database, limits=RequestLimits(reading=None, acting=None, creating=None, guessing=None))
    with at(app) as client:
        created = client.post("/api/games", json={"opponent": "screen", "rules": {"length": 0}}).json()
        game, headers = f"/api/games/{created['id']}", {"Authorization": f"Bearer {created['key']}"}
        assert client.post(f"{game}/seed", json={"seed": "ab"}, headers=headers).status_code == 204
        state = client.get(game, headers=headers).json()["state"]
        body = {"line": next(iter(state["plays"] or ["roll"])), "sequence": state["sequence"]}
        with away(app.state.game_server, any_database):
            for path, asked in (
                (f"{game}/act", body),
                (f"{game}/close", {"how": "end"}),
                ("/api/games", {"opponent": "screen"}),
                ("/api/account/sign-up", {"name": "Ann", "password": "correct horse"}),
                ("/api/account/sign-in", {"name": "Ann", "password": "correct horse"}),
            ):
                refused = client.post(path, json=asked, headers=headers)
                assert (refused.status_code, refused.headers["Retry-After"]) == (503, "10"), (path, refused.text)
            assert client.get("/api/users/Ann").status_code == 503
            assert client.get("/api/lobby").status_code == 503
            assert client.get("/api/health").status_code == 503
        done = client.post(f"{game}/act", json=body, headers=headers)
        for _ in range(20):  # each connection of the pool that PostgreSQL has ended is found out once
            if done.status_code != 503:
                break
            done = client.post(f"{game}/act", json=body, headers=headers)
        assert done.status_code == 200, done.text
        assert client.get(game, headers=headers).json()["state"]["sequence"] > state["sequence"]
        assert client.get("/api/lobby").status_code == 200


def begun(game_server: GameServer) -> SessionHandle:
    handle, _, _ = game_server.create(bot="random", rules={"length": 0})
    handle.add_seed("X", "ab")
    return handle


def wait_for_bots(game_server: GameServer) -> None:
    """Until no bot thinks, or waits for its choice to be stored."""

    game_server.call(until(lambda: not game_server.bots_think))


@pytest.mark.logs_errors
@pytest.mark.usefixtures("impatient")
def test_a_bot_goes_on_when_something_can_be_stored_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its choice could not be stored. Nobody asks for the game, and it goes on all the same."""
    choose, may_choose = bot_moves.choose_for_bot, threading.Event()

    def choose_later(session: GameSession) -> Act | ThrowDice:
        may_choose.wait(60)
        return choose(session)

    with closing(GameServer(f"sqlite:///{tmp_path / 'games.db'}")) as game_server:
        monkeypatch.setattr(bot_moves, "choose_for_bot", choose_later)
        handle = begun(game_server)
        chance = random.Random(3)
        while not handle.session.is_bot_due:
            state = frame_of(handle, "X")["state"]
            handle.act("X", some_line(state, chance), sequence=state["sequence"])
        board_version = handle.session.board_version
        with locked(game_server):
            may_choose.set()
            wait_for_bots(game_server)
            for _ in range(2):
                with suppress(StoreError):  # the deadlines cannot be looked at either
                    game_server.enforce_deadlines()
                wait_for_bots(game_server)
            assert handle.session.is_bot_due
            assert handle.session.board_version == board_version
        game_server.enforce_deadlines()
        wait_for_bots(game_server)
        assert handle.session.board_version > board_version
        assert not handle.session.is_bot_due
        assert game_server.verify(handle.id).faults == ()


def test_who_waits_too_long_for_a_connection_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(GameServer(f"sqlite:///{tmp_path / 'games.db'}")) as game_server:
        monkeypatch.setattr(game_server.engine.pool, "_timeout", 0.01)
        held = game_server.engine.raw_connection()
        with pytest.raises(StoreError, match="the database is busy"):
            game_server.get_handle("nowhere")
        held.close()


# -- copies under load -----------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("times", [1, 20])
def test_a_copy_under_load_holds_all_that_was_confirmed_before(tmp_path: Path, times: int) -> None:
    """While people play on; the file that is restored from it holds every action confirmed before it was begun."""
    server = Server(tmp_path / "games.db", "--no-limits")
    clients = PlayingClients(lambda: [server.url])
    copies = []
    try:
        clients.sit(GAMES[2:4])
        clients.wait_for_each(1)
        for number in range(times):
            clients.wait_for(5)
            before = clients.so_far()
            back_up(tmp_path / f"{number}.db", str(server.database))
            copies.append((number, before))
    finally:
        clients.leave()
        server.close()
    assert all(sum(before.values()) for _, before in copies)
    for number, before in copies:
        new = restore(tmp_path / f"{number}.db", str(tmp_path / "new" / f"{number}.db"))
        with closing(GameServer(str(new))) as game_server:
            assert clients.check(game_server, before) == sum(before.values())
            assert [game_server.verify(player.game).faults for player in clients.players] == [()] * 2


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_dump_of_postgresql_under_load_holds_all_that_was_confirmed_before(
    machine: postgres.Machine, tmp_path: Path
) -> None:
    url, folder = machine.url.format("away"), postgres.programs()
    assert folder is not None
    server = Server(url, "--no-limits")
    clients = PlayingClients(lambda: [server.url])
    try:
        clients.sit(GAMES)
        clients.wait_for_each(2)
        before = clients.so_far()
        dump = [str(folder / "pg_dump"), "--format=custom", f"--file={tmp_path / 'games.dump'}", f"--dbname={url}"]
        subprocess.run(dump, check=True)
        clients.wait_for_each(1)
    finally:
        clients.leave()
        server.close()
    back = [str(folder / "pg_restore"), "--clean", "--if-exists", f"--dbname={url}", str(tmp_path / "games.dump")]
    subprocess.run(back, check=True)
    with closing(GameServer(url)) as game_server:
        assert clients.check(game_server, before) == sum(before.values()) > 0
