"""Several processes serve one PostgreSQL database: each side of a game at another one, and nobody notices."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.cli.commandline import CommandLine
from tests.play.seen import frame_of
from tests.play.server.test_service import until
from tests.postgres import make_database
from tests.web.conftest import Server
from tests.web.seat import Seat, create, some_line
from websockets.sync.client import connect

from fullprime.common.json_values import to_json
from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreError
from fullprime.play.server import upkeep
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.play.server.live_session import SessionNews
from fullprime.play.store import SessionStore
from fullprime.play.table.table_events import Event
from fullprime.play.writer import Append, SessionWriter
from fullprime.rules.game import ActionKind
from fullprime.web.readiness import warm_up

ACTIONS = frozenset(map(str, ActionKind))
FINDS_WORKERS = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="workers are looked for in /proc")
PATIENCE = 60.0
"""Seconds after which news that did not come is not waited for any more."""


@pytest.fixture
def database(postgresql: str, postgresql_with_tables: str) -> str:
    return make_database(postgresql, template=postgresql_with_tables)


@pytest.fixture
def both(database: str) -> Iterator[tuple[GameServer, GameServer]]:
    """What two processes hold, without the processes."""
    with closing(GameServer(database)) as here, closing(GameServer(database)) as there:
        follow_others(here)
        follow_others(there)
        yield here, there


def follow_others(game_server: GameServer) -> None:
    """Listen to other processes, as a server does; no deadline is looked at."""

    async def begin() -> None:
        game_server.upkeep.begin(interval=24 * 3600.0)

    game_server.call(begin())


def wait_for_bots(game_server: GameServer, handle: SessionHandle) -> None:
    """Wait until a person must act in a session, as its process knows it, and no bot thinks there."""

    game_server.call(until(lambda: not (handle.session.is_bot_due or game_server.bots_think)))


class Watcher:
    """A listener to the news of a session."""

    def __init__(self, handle: SessionHandle) -> None:
        self.told: list[Event] = []
        self.version = 0
        self._news: queue.Queue[SessionNews] = queue.Queue()
        self._listener = self._news.put
        handle.listeners.add(self._listener)

    def until(self, sequence: int, turn: str | None = None) -> dict[str, Any]:
        """The state with so many events (and in which it is not that side's turn), as soon as it is told."""
        while True:
            news = self._news.get(timeout=PATIENCE)
            assert news.version > self.version
            self.version = news.version
            self.told += news.events
            state = to_json(news.view.shared)
            if state["sequence"] >= sequence and (turn is None or state["turn"] != turn):
                return dict(state)


def two_people(here: GameServer, there: GameServer, **agreed: Any) -> tuple[SessionHandle, str, SessionHandle, str]:
    """Ann's handle here with her key, Bob's there with his."""
    handle, ann, invitation = here.create(opponent="friend", name="Ann", **agreed)
    assert invitation is not None
    other = there.get_handle(handle.id)
    bob = other.join(invitation, "Bob")
    handle = here.get_handle(handle.id, ann)
    handle.add_seed(handle.seat_of(ann), "aa")
    other.add_seed(other.seat_of(bob), "bb")
    handle.refresh()
    return handle, ann, other, bob


def mover(handles: tuple[SessionHandle, str, SessionHandle, str]) -> tuple[SessionHandle, str, SessionHandle]:
    """The handle of the player who must act, the side, and the handle of the other one."""
    here, _, there, _ = handles
    here.refresh()
    there.refresh()
    side = frame_of(here, "X")["state"]["turn"]
    return (here, "X", there) if side == "X" else (there, "O", here)


def line_of(handle: SessionHandle, side: str, chance: random.Random) -> tuple[str, int]:
    state = frame_of(handle, side)["state"]
    return some_line(state, chance), state["sequence"]


@pytest.mark.broad
def test_what_one_process_stores_another_one_tells(both: tuple[GameServer, GameServer]) -> None:
    handles = two_people(*both, rules={"length": 3})
    here, _, there, _ = handles
    watching = {"X": Watcher(here), "O": Watcher(there)}
    chance = random.Random(1)
    begun = frame_of(here, "X")["state"]["sequence"]
    for _ in range(12):
        handle, side, _ = mover(handles)
        line, sequence = line_of(handle, side, chance)
        handle.act(side, line, sequence=sequence)
    last = frame_of(here, None)["state"]["sequence"]
    states = [watcher.until(last) for watcher in watching.values()]
    assert states[0] == states[1]
    events_told = [[event for event in watcher.told if event.kind in ACTIONS] for watcher in watching.values()]
    assert events_told[0] == events_told[1]
    assert len(events_told[0]) == last - begun
    here.refresh()
    there.refresh()
    assert frame_of(here, None)["events"][-12:] == frame_of(there, None)["events"][-12:]


def test_only_one_of_two_who_do_the_same_is_first(both: tuple[GameServer, GameServer]) -> None:
    handles = two_people(*both, rules={"length": 0})
    chance = random.Random(2)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(10):
            handle, side, other = mover(handles)
            line, sequence = line_of(handle, side, chance)

            def act(at: SessionHandle, side: str = side, line: str = line, sequence: int = sequence) -> str:
                try:
                    at.act(side, line, sequence=sequence)
                except Refusal as error:
                    return error.code
                return "done"

            assert sorted(pool.map(act, (handle, other))) == ["done", "stale"]
    handle, _, other = mover(handles)
    assert handle.match == other.match


def test_without_a_sequence_a_copy_that_is_behind_is_brought_up_to_date(
    both: tuple[GameServer, GameServer],
) -> None:
    handles = two_people(*both, rules={"length": 3}, automatic=False)
    handle, side, other = handles[0], "X", handles[2]
    while frame_of(handle, None)["state"]["turn"] is None:  # a tie is thrown again
        handle.act(side, "roll")
    # The other process may not have heard of the opening yet, and all the same knows whose turn it is.
    begins = frame_of(handle, None)["state"]["turn"]
    waits = "O" if begins == "X" else "X"
    with pytest.raises(Refusal, match="who must act now"):
        other.act(waits, "24/23")
    assert frame_of(other, None)["state"]["turn"] == begins


def test_a_seat_that_was_taken_elsewhere_opens_here(both: tuple[GameServer, GameServer]) -> None:
    here, there = both
    handle, _, invitation = here.create(opponent="friend", name="Ann")
    assert invitation is not None
    key = there.get_handle(handle.id).join(invitation, "Bob")
    assert here.get_handle(handle.id, key).seat_of(key) == "O"
    with pytest.raises(Refusal, match="the seat is taken"):
        handle.join(invitation, "Eve")


def test_both_may_add_their_seeds_at_once(both: tuple[GameServer, GameServer]) -> None:
    here, there = both
    for _ in range(5):
        handle, _, invitation = here.create(opponent="friend", name="Ann")
        assert invitation is not None
        other = there.get_handle(handle.id)
        other.join(invitation, "Bob")
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda seat: seat[0].add_seed(seat[1], "ab"), ((handle, "X"), (other, "O"))))
        handle.refresh()
        other.refresh()
        assert handle.session == other.session
        assert handle.session.game is not None
        assert handle.match.games[0].events == other.match.games[0].events


def test_the_bot_plays_on_where_its_process_is_gone(
    both: tuple[GameServer, GameServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = both
    here.service.on_change = lambda _change: None  # as good as killed: no bot thinks here, and no other process is told
    monkeypatch.setattr(upkeep, "COMPARE_SECONDS", 0.1)
    handle, key, _ = here.create(opponent="bot", bot="heuristic", rules={"length": 0})
    other = there.get_handle(handle.id, key)
    handle.add_seed("X", "ab")
    while not handle.session.is_bot_due:
        state = frame_of(handle, "X")["state"]
        handle.act("X", some_line(state, random.Random(3)), sequence=state["sequence"])
    stored = handle.session.board_version
    assert other.session.board_version < stored
    watcher = Watcher(other)
    assert watcher.until(stored + 1, turn="O")["sequence"] > stored
    handle.refresh()
    assert not handle.session.is_bot_due


def test_a_bot_that_thinks_in_two_processes_plays_once(both: tuple[GameServer, GameServer]) -> None:
    here, there = both
    handle, _, _ = here.create(opponent="bot", bot="random", rules={"length": 0})
    handle.add_seed("X", "ab")
    other = there.get_handle(handle.id)
    chance = random.Random(4)
    watcher = Watcher(handle)
    for _ in range(10):
        state = frame_of(handle, "X")["state"]
        if state["legal_actions"]:
            handle.act("X", some_line(state, chance), sequence=state["sequence"])
        other.refresh()
        wait_for_bots(here, handle)
        wait_for_bots(there, other)
    played = handle.match
    other.refresh()
    assert other.match == played
    sequences = [event["kind"] for event in watcher.told]
    assert all(not (a == b == "roll") for a, b in pairwise(sequences))
    with closing(GameServer(here.engine.url.render_as_string(hide_password=False))) as third:
        assert third.verify(handle.id).faults == ()


def test_a_database_that_is_away_loses_nothing(
    both: tuple[GameServer, GameServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    handles = two_people(*both, rules={"length": 0})
    chance = random.Random(5)
    for process in both:  # a late notice would have the session read before anything is stored
        process.call(process.upkeep.pause())
    handle, side, _ = mover(handles)
    line, sequence = line_of(handle, side, chance)
    store = SessionWriter.store

    def lost(self: SessionWriter, items: Sequence[Append]) -> list[StoreError]:
        store(self, items)
        return [StoreError("the connection broke before the answer came")] * len(items)

    def away(_self: SessionStore, _after: object) -> None:
        raise StoreError("the connection broke")

    with monkeypatch.context() as broken:
        broken.setattr(SessionWriter, "store", lost)
        broken.setattr(SessionStore, "load_later", away)
        with pytest.raises(StoreError, match="connection broke"):
            handle.act(side, line, sequence=sequence)
    with pytest.raises(Refusal, match="has gone on") as stale:
        handle.act(side, line, sequence=sequence)
    assert stale.value.code == "stale"
    watcher = frame_of(handle, None)
    assert [event["kind"] for event in watcher["events"]].count("play") == 1
    handle, side, _ = mover(handles)
    handle.act(side, *line_of(handle, side, chance)[:1])


@pytest.mark.broad
# -- real processes ---------------------------------------------------------------------------------------------
def test_two_processes_serve_the_two_sides_of_one_game(database: str) -> None:
    servers = [Server(database, "--no-limits") for _ in range(2)]
    try:
        first, second = (httpx.Client(base_url=server.url, timeout=PATIENCE) for server in servers)
        with first, second:
            ann, created = create(first, opponent="friend", name="Ann", rules={"length": 1})
            bob = Seat(second, ann.game, None)
            bob.key = bob.post("join", {"invitation": created["invitation"], "name": "Bob"}).json()["key"]
            assert bob.post("seed", {"seed": "beef"}).status_code == 204
            chance = random.Random(6)
            with bob.client.stream("GET", f"/api/games/{bob.game}/stream", headers=bob.headers) as stream:
                lines = (json.loads(line) for line in stream.iter_lines() if line.strip())
                state = next(lines)["state"]
                frames: list[dict[str, Any]] = []
                with httpx.Client(base_url=second.base_url, timeout=PATIENCE) as acting:
                    sides = {"X": ann, "O": Seat(acting, bob.game, bob.key)}
                    for _ in range(10):
                        if state["game_over"]:
                            break
                        seat = sides[state["turn"]]
                        seat.does(some_line(seat.state, chance), sequence=state["sequence"])
                        # What Ann does at her server reaches Bob at his, each event once and in order.
                        while (message := next(lines))["state"]["sequence"] < seat.state["sequence"]:
                            frames += message["events"]
                        frames += message["events"]
                        state = message["state"]
            servers[1].kill()
            before = ann.state
            servers[1].start()
            again = Seat(httpx.Client(base_url=servers[1].url, timeout=PATIENCE), bob.game, bob.key)
            with again.client:
                frame = again.get()
                assert frame["state"]["sequence"] == before["sequence"]
                assert [event for event in frame["events"] if event["kind"] in ("roll", "play")] == [
                    event for event in ann.get()["events"] if event["kind"] in ("roll", "play")
                ]
        played = [event for event in frame["events"] if event["kind"] == "play"]
        assert [event for event in frames if event["kind"] == "play"] == played[len(played) - len(frames) :] or played
    finally:
        for server in servers:
            server.close()


@FINDS_WORKERS
def test_workers_are_started_stopped_and_replaced(database: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from fullprime.cli.main import main; main()", "serve", "--log", "debug"]
    log = tmp_path / "log"
    with log.open("wb") as errors:
        serving = subprocess.Popen(
            [*command, "--workers", "2", "--port", "0", "--database", database],
            stdout=subprocess.PIPE, stderr=errors, text=True,
        )  # fmt: skip
    assert serving.stdout is not None
    with serving.stdout:
        line = serving.stdout.readline()
        url = line.split()[3].rstrip("/")
        play_at(url)
        secrets_told = names_nobody_may_read(url)
        kill_each_and_see_another(url, serving.pid, 2)
        play_at(url)
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(120) == 0
    assert_is_not_logged(log, secrets_told)


def play_at(url: str) -> None:
    for _ in range(4):
        with httpx.Client(base_url=url, timeout=PATIENCE) as client:
            seat, _ = create(client, opponent="screen")
            assert seat.state["status"] == "playing"


def kill_each_and_see_another(url: str, parent: int, count: int) -> None:
    """Kill every worker that answers; as many others take their places, and answer."""
    killed = workers_that_answer(url, parent, lambda workers: len(workers) == count)
    for worker in killed:
        os.kill(worker, signal.SIGKILL)
    assert len(workers_that_answer(url, parent, lambda workers: len(workers - killed) == count)) == count


def workers_that_answer(url: str, parent: int, is_enough: Callable[[set[int]], bool]) -> set[int]:
    """The processes that serve, once there are enough of them and a request has been answered."""
    for _ in range(int(PATIENCE / 0.05) * 4):
        workers = serving_children(parent)
        if is_enough(workers):
            # A new connection may reach a worker that starts: it is answered once the worker serves.
            assert httpx.get(f"{url}/api/clocks", timeout=4 * PATIENCE).status_code == 200
            return workers
        time.sleep(0.05)
    raise AssertionError(f"there are {serving_children(parent)}")


def serving_children(parent: int) -> set[int]:
    """The children of a process that were spawned to serve, and have not ended."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(state[1]) == parent and state[0] != "Z" and b"spawn_main" in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
    return found


def names_nobody_may_read(url: str) -> tuple[str, ...]:
    """What stands in requests of all kinds and in no log: a job, a game and the key of a seat in it, the visitor."""
    with httpx.Client(base_url=url, timeout=PATIENCE) as client:
        seat, _ = create(client, opponent="screen")
        job = client.post("/api/reviews", content=b"no match").json()["id"]
        client.get(f"/api/reviews/{job}")
        client.get(f"/api/analysis/jobs/{job}")
        address = f"{url.replace('http', 'ws')}/api/games/{seat.game}/live"
        with connect(address) as line:
            line.send(json.dumps({"key": seat.key}))
            assert json.loads(line.recv(timeout=PATIENCE))["type"] == "state"
    assert seat.key is not None
    return job, seat.game, seat.key, "127.0.0.1"


def assert_is_not_logged(log: Path, names: tuple[str, ...]) -> None:
    lines = log.read_text(encoding="utf-8").splitlines()
    requests = [line for line in lines if '"message": "request"' in line]
    assert any("/api/reviews" in line for line in requests)
    assert [line for line in lines for name in names if name in line] == []


@pytest.mark.broad
def test_the_log_of_one_process_names_nobody_either(tmp_path: Path) -> None:
    log = tmp_path / "log"
    running = Server(tmp_path / "games.db", "--log", "debug", log=log)
    try:
        secrets_told = names_nobody_may_read(running.url)
    finally:
        running.close()
    assert_is_not_logged(log, secrets_told)


_RUN_WORKERS = """
import signal, socket
from functools import partial
from fullprime.db.database import open_database
from fullprime.web.server import create_app
from fullprime.web.workers import run_workers

with socket.socket() as bound:
    bound.bind(("127.0.0.1", 0))

    def announce():
        print(bound.getsockname()[1], flush=True)

    raise SystemExit(run_workers({workers}, partial({how}), bound, announce, "warning", {{"log_config": None}}))
"""


@FINDS_WORKERS
def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    """One alone needs no PostgreSQL, and nobody else answers until another has taken its place."""
    code = _RUN_WORKERS.format(workers=1, how=f"create_app, {str(tmp_path / 'games.db')!r}")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        kill_each_and_see_another(f"http://127.0.0.1:{int(serving.stdout.readline())}", serving.pid, 1)
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(120) == 0


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (
            'open_database, "sqlite:////dev/null/games.db"',
            ": /dev/null/games.db: there is no folder /dev/null",
        ),
        pytest.param("signal.raise_signal, 9", "; the log says more", marks=pytest.mark.broad),
    ],
)
def test_workers_that_cannot_start_are_given_up_in_one_line(how: str, reason: str) -> None:
    command = [sys.executable, "-c", _RUN_WORKERS.format(workers=2, how=how)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    lines = ended.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: the server gives up: ")
    assert f"workers in a row have ended before they answered{reason}" in lines[0]


def test_an_application_is_warmed_up_on_a_loop_that_runs(make_app: Callable[..., Any], tmp_path: Path) -> None:
    async def make() -> None:
        warm_up(make_app(tmp_path / "games.db"))

    asyncio.run(make())


def test_one_process_serves_sqlite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = CommandLine(monkeypatch, capsys).run("serve", "--workers", "2", "--db", str(tmp_path / "games.db"))
    assert done.code == 2
    assert done.err.strip().count("\n") == 0
    assert "2 workers need a PostgreSQL database" in done.err
