"""What an operator relies on: the first command, measures, logs without secrets, a stop that loses nothing, copies."""

from __future__ import annotations

import io
import json
import logging
import os
import random
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.play.seen import frame_of
from tests.web.conftest import Server
from tests.web.inside import TestClient
from tests.web.seat import Seat, create, some_line

from fullprime.db.backup import back_up, restore
from fullprime.db.errors import StoreError
from fullprime.play.server.game_server import GameServer
from fullprime.web.logs import log_to, without_secrets
from fullprime.web.rate_limits import NO_LIMITS
from fullprime.web.server import create_app

ROOT = Path(__file__).resolve().parents[2]
START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"


@pytest.fixture
def app(tmp_path: Path) -> Any:
    return create_app(str(tmp_path / "games.db"), hosts=None, show_metrics=True)


@pytest.fixture
def inside(app: Any) -> Iterator[TestClient]:
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is logged, from the least important on."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    stream = io.StringIO()
    log_to(stream, "debug")
    yield stream
    root.handlers[:] = before[0]
    root.setLevel(before[1])


@pytest.mark.broad
# -- the first command ------------------------------------------------------------------------------------------
def test_the_first_command_of_the_readme_opens_the_page(tmp_path: Path) -> None:
    """The command as it stands there; only the port and the database are chosen, and the browser is a script."""
    block = re.search(r"^(make play) +#", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert block is not None
    opened, script = tmp_path / "opened", tmp_path / "browser"
    os.mkfifo(opened)
    script.write_text(f'#!/bin/sh\necho "$1" >"{opened}"\n', encoding="utf-8")
    script.chmod(0o755)
    venv = Path(sys.executable).parent.parent
    installed = venv / ".installed-web"
    started = subprocess.Popen(
        # The environment that runs the tests is the one that is installed already.
        [*block[1].split(), "-o", str(installed), f"VENV={venv}", f"ARGS=--port 0 --db {tmp_path / 'games.db'}"],
        cwd=ROOT,
        env={**os.environ, "BROWSER": f"{script} %s"},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        with opened.open(encoding="utf-8") as pipe:
            address = pipe.readline().strip()
        page = httpx.get(address, timeout=60)
        assert page.status_code == 200
        assert "Play backgammon" in page.text
    finally:
        os.killpg(started.pid, signal.SIGTERM)
        started.communicate(timeout=60)


def test_what_the_first_command_installs_is_what_the_server_imports() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^play: \$\(WEB\)", makefile, re.MULTILINE)
    assert re.search(r"^\$\(WEB\):.*\n\t@scripts/install \$\(VENV\) '\.\[web\]'", makefile, re.MULTILINE)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    declared = {re.split(r"[^\w-]", requirement)[0] for requirement in extras["web"]}
    assert {"fastapi", "uvicorn", "websockets", "prometheus-client"} <= declared


# -- measures ---------------------------------------------------------------------------------------------------
def measured(client: Any) -> dict[str, float]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    pairs = (line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def test_measures_count_what_happens(inside: TestClient) -> None:
    seat, _ = create(inside, position=START, rules={"length": 3})  # type: ignore[arg-type]
    seat.does("roll")
    assert seat.act("24/1").status_code == 400
    assert inside.get("/nowhere").status_code == 404
    assert inside.get("/static/game/game.js").status_code == 200
    with inside.websocket_connect(f"/api/games/{seat.game}/live") as socket:
        socket.send_text(json.dumps({"key": seat.key}))
        socket.receive_text()
        now = measured(inside)
        assert (now["fullprime_sockets"], now["fullprime_watchers"]) == (1, 1)
    now = measured(inside)
    assert now["fullprime_sockets"] == 0
    assert (now["fullprime_open"], now["fullprime_live"]) == (1, 1)
    assert now['fullprime_actions_total{outcome="stored"}'] == 1
    assert now['fullprime_actions_total{outcome="refused"}'] == 1
    assert now['fullprime_requests_total{method="POST",route="/api/games",status="201"}'] == 1
    assert now['fullprime_requests_total{method="GET",route="none",status="404"}'] == 1
    assert now['fullprime_requests_total{method="GET",route="/static",status="200"}'] == 1
    assert now['fullprime_request_seconds_count{route="/api/games/{game}/act"}'] == 2
    assert seat.game not in inside.get("/metrics").text, "a measure for each game would never end"


def test_every_measure_is_described(inside: TestClient) -> None:
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    names = re.findall(r"^# TYPE (fullprime_\w+)", inside.get("/metrics").text, re.MULTILINE)
    assert len(names) > 5
    assert [name for name in names if not name.endswith("_created") and f"`{name}`" not in page] == []


def test_dropped_push_messages_are_measured(inside: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    workers = inside.app.state.notifications._workers  # type: ignore[attr-defined]
    monkeypatch.setattr(workers, "_most", 0)
    assert not workers.run_later(list)
    assert 'fullprime_push_dropped_total{why="tasks"} 1.0' in inside.get("/metrics").text
    assert 'fullprime_push_dropped_total{why="full"} 0.0' in inside.get("/metrics").text


def test_measures_are_shown_only_when_asked_for(tmp_path: Path) -> None:
    with TestClient(create_app(str(tmp_path / "games.db"), hosts=None)) as client:
        assert client.get("/metrics").status_code == 404


# -- logs -------------------------------------------------------------------------------------------------------
def test_no_secret_is_in_the_logs(inside: TestClient, lines: io.StringIO) -> None:
    seat, created = create(inside, opponent="friend", name="Ann")  # type: ignore[arg-type]
    guest = Seat(inside, seat.game, None)  # type: ignore[arg-type]
    guest.key = guest.post("join", {"invitation": created["invitation"], "name": "Bob"}).json()["key"]
    inside.get(f"/api/games/{seat.game}?key={seat.key}&invite={created['invitation']}", headers=guest.headers)
    inside.post(f"/api/games/{seat.game}/act", content=f'{{"key": "{seat.key}"')
    with inside.websocket_connect(f"/api/games/{seat.game}/live") as socket:
        socket.send_text(json.dumps({"key": seat.key}))
        socket.receive_text()
    logging.getLogger("websockets").debug('> TEXT \'{"key": "%s"}\' [70 bytes]', seat.key)
    logging.getLogger("somewhere").error("cannot reach postgresql://me:hunter2@host/db", extra={"token": "abc"})
    output = lines.getvalue()
    written = [json.loads(line) for line in output.splitlines()]
    assert len(written) > 6
    with closing(sqlite3.connect(inside.app.state.game_server.url.removeprefix("sqlite:///"))) as database:  # type: ignore[attr-defined]
        (secret,) = database.execute("SELECT secret FROM game_sessions").fetchone()
    for hidden in (seat.key, guest.key, created["invitation"], secret, "hunter2", "0123abcd"):
        assert hidden is not None
        assert hidden not in output
    requests = [line for line in written if line["message"] == "request"]
    assert {line["route"] for line in requests} >= {"/api/games", "/api/games/{game}/join"}
    assert all(set(line) >= {"time", "level", "logger", "method", "status", "milliseconds"} for line in requests)


@pytest.mark.parametrize(
    "text",
    [
        "Bearer SECRET",
        "?key=SECRET&x=1",
        "{'token': 'SECRET'}",
        '"password": "SECRET"',
        "psql://me:SECRET@host",
        "invite=SECRET",
    ],
)
def test_what_looks_like_a_secret_is_cut_out(text: str) -> None:
    assert "SECRET" not in without_secrets(f"before {text} after")
    assert without_secrets("a plain sentence: 8/5 6/5*") == "a plain sentence: 8/5 6/5*"


@pytest.mark.logs_errors
def test_a_fault_of_the_server_tells_nothing_and_is_logged(app: Any, inside: TestClient, lines: io.StringIO) -> None:
    def broken() -> None:
        raise RuntimeError("the key=SECRET was in the message")

    app.get("/api/broken")(broken)
    answer = inside.get("/api/broken")
    assert answer.status_code == 500
    assert "SECRET" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    number = answer.json()["error"].split()[-1]
    (line,) = [line for line in map(json.loads, lines.getvalue().splitlines()) if line.get("number") == number]
    assert line["level"] == "error"
    assert "RuntimeError" in line["error"]
    assert "SECRET" not in json.dumps(line)


@pytest.mark.broad
# -- stopping ---------------------------------------------------------------------------------------------------
def test_a_server_that_is_asked_to_stop_loses_nothing(server: Server) -> None:
    """Four players act as fast as they can while it stops: what was answered is there, and nothing twice."""
    seats, confirmed, wrong = [], {}, []
    with httpx.Client(base_url=server.url, timeout=60) as client:
        for number in range(4):
            seat, _ = create(client, opponent="screen", other_name=f"Other {number}", rules={"length": 0})
            seats.append(seat)
    busy = threading.Barrier(5)

    def play(seat: Seat, chance: random.Random) -> None:
        with httpx.Client(base_url=server.url, timeout=60) as client:
            seat.client = client
            try:
                for number in range(3000):
                    if number == 3:
                        busy.wait(60)
                    state = seat.state
                    answer = seat.act(
                        "next" if state["game_over"] else some_line(state, chance), sequence=state["sequence"]
                    )
                    if answer.status_code != 200:
                        wrong.append(answer.text)
                    confirmed[seat.game] = state["sequence"] + 1
            except httpx.TransportError:
                return

    players = [threading.Thread(target=play, args=(seat, random.Random(n))) for n, seat in enumerate(seats)]
    for player in players:
        player.start()
    busy.wait(60)
    assert server.stop() in (0, -signal.SIGTERM)
    for player in players:
        player.join(60)
    assert wrong == []
    server.start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        for seat in seats:
            seat.client = client
            assert seat.state["sequence"] >= confirmed[seat.game] >= 3
    game_server = GameServer(str(server.database))
    assert [game_server.verify(seat.game).faults for seat in seats] == [()] * 4
    game_server.close()


def test_who_follows_a_game_does_not_hold_up_the_stop(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        seat, _ = create(client, position=START)
        with client.stream("GET", f"/api/games/{seat.game}/stream", headers=seat.headers) as stream:
            assert json.loads(next(stream.iter_lines()))["type"] == "state"
            assert server.stop() in (0, -signal.SIGTERM)


# -- copies -----------------------------------------------------------------------------------------------------
def test_a_copy_made_while_people_play_is_whole(server: Server, client: httpx.Client, tmp_path: Path) -> None:
    seat, _ = create(client, position=START, rules={"length": 5})
    seat.does("roll")
    copy = tmp_path / "copy.db"
    size = back_up(copy, str(server.database))
    assert size == copy.stat().st_size > 10_000
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    then = seat.state
    seat.does(then["plays"][0])
    server.kill()
    with pytest.raises(StoreError, match="--force"):
        restore(copy, str(server.database))
    assert restore(copy, str(server.database), replace=True) == server.database
    server.start()
    assert seat.state == then, "the game goes on from the copy"


def test_the_database_of_a_killed_server_can_be_copied(server: Server, client: httpx.Client, tmp_path: Path) -> None:
    seat, _ = create(client, position=START, rules={"length": 5})
    seat.does("roll")
    then = seat.state
    server.kill()
    back_up(tmp_path / "copy.db", str(server.database))
    (tmp_path / "elsewhere").mkdir()
    new = restore(tmp_path / "copy.db", str(tmp_path / "elsewhere" / "new.db"))
    game_server = GameServer(str(new))
    assert frame_of(game_server.get_handle(seat.game), None)["state"]["points"] == then["points"]
    game_server.close()
    assert sorted(path.name for path in tmp_path.iterdir() if "part" in path.name) == []


def test_what_is_no_copy_is_refused(tmp_path: Path) -> None:
    good, target = tmp_path / "games.db", tmp_path / "target.db"
    GameServer(str(good)).close()
    noise, other, torn = tmp_path / "noise", tmp_path / "other.db", tmp_path / "torn.db"
    noise.write_bytes(b"no database at all" * 100)
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE things (id INTEGER)")
        database.commit()
    back_up(tmp_path / "copy.db", str(good))
    data = (tmp_path / "copy.db").read_bytes()
    torn.write_bytes(data[: len(data) // 2])
    for wrong, reason in (
        (noise, "no database"),
        (other, "not one of games"),
        (torn, "torn.db"),
        (tmp_path / "x", "no file"),
    ):
        with pytest.raises(StoreError, match=reason):
            restore(wrong, str(target))
        assert not target.exists()
    before = good.read_bytes()
    for again, reason in ((tmp_path / "copy.db", "already"), (good, "already")):
        with pytest.raises(StoreError, match=reason):
            back_up(again, str(good))
    with pytest.raises(StoreError, match="the database itself"):
        back_up(good, str(good), replace=True)
    with pytest.raises(StoreError, match="there is no database"):
        back_up(tmp_path / "new.db", str(tmp_path / "missing.db"))
    with pytest.raises(StoreError, match="pg_dump"):
        back_up(tmp_path / "new.db", "postgresql://club@host/games")
    assert good.read_bytes() == before


# -- files for operators ----------------------------------------------------------------------------------------
def test_the_image_is_made_of_files_that_are_there() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = [
        word for line in re.findall(r"^COPY (?!--from)(.+)$", dockerfile, re.MULTILINE) for word in line.split()[:-1]
    ]
    assert copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert re.search(r"^USER (?!root)", dockerfile, re.MULTILINE), "the server is not root"
    bases = re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)
    assert all(re.search(r":\d", base) for base in bases), "the base has a version"
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert {".git", ".venv"} <= set(ignored)
    for name in copied:
        assert name not in ignored


def test_what_the_operators_files_start_is_a_command_that_there_is(tmp_path: Path) -> None:
    """The options in the image, the compose file and the service are those of ``fullprime serve``."""
    import typer

    from fullprime.cli.main import app as commands

    command = typer.main.get_command(commands).commands["serve"]  # type: ignore[attr-defined]
    options = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    for name in ("Dockerfile", "compose.yaml", "deploy/fullprime.service"):
        text = (ROOT / name).read_text(encoding="utf-8")
        (started,) = re.findall(r"^(?:CMD|ExecStart=| *command:).*$", text, re.MULTILINE)
        used = set(re.findall(r"--[a-z][a-z-]+", started))
        assert "serve" in started
        assert used
        assert used <= options, name


def test_the_compose_file_hands_on_no_password_of_its_own() -> None:
    import yaml

    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    assert set(services) == {"fullprime", "postgres"}
    assert "ports" not in services["postgres"], "the database is reached by the server alone"
    assert all(str(port).startswith("127.0.0.1:") for port in services["fullprime"]["ports"])
    assert "POSTGRES_PASSWORD:?" in (ROOT / "compose.yaml").read_text(encoding="utf-8")


def test_every_container_is_closed_in_the_same_way() -> None:
    """The database holds all that there is to lose: what guards the server guards it as well."""
    import yaml

    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "/tmp" in service["tmpfs"], name
        assert int(service["user"].split(":")[0]) > 0, name
        assert re.search(r"\d+[mg]\b", service["mem_limit"]), name
        assert service["pids_limit"] > 0, name
        assert not service.keys() & {"cap_add", "privileged", "network_mode", "pid", "ipc"}, name
    user = re.search(r"useradd .*--uid (\d+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    assert user
    assert services["fullprime"]["user"] == user[1]
    internal = {name for name, network in compose["networks"].items() if (network or {}).get("internal")}
    assert set(services["postgres"]["networks"]) <= internal, "the database calls nobody outside"
    assert set(services["fullprime"]["networks"]) & internal, "the server reaches the database"
    assert set(services["fullprime"]["networks"]) - internal, "the proxy reaches the server"


_FOLDERS = """
import json, sys
from pathlib import Path
import platformdirs
from fullprime.learn.match_lessons import _shelf
from fullprime.accounts.notifications import _key_file
from fullprime.engine.core.jit import _list_cache_places
from fullprime.db.database import default_url, sqlite_file
from sqlalchemy import create_engine

places = [getattr(platformdirs, name)("fullprime", appauthor=False) for name in sys.argv[1:]]
places += [Path.home(), _shelf(), sqlite_file(default_url()), next(_list_cache_places())[-1]]
places += [_key_file(create_engine("postgresql+psycopg://localhost/none"))]
print(json.dumps([str(place) for place in places]))
"""


def folders_written_to(environment: dict[str, str]) -> list[Path]:
    """The folders that the program writes to, in an environment: of every kind that its source names."""
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = sorted({name for text in sources for name in re.findall(r"\b(?:user|site)_\w+_path\b", text)})
    assert {"user_cache_path", "user_data_path"} <= set(named)
    path = os.pathsep.join(path_text for path_text in sys.path if path_text)
    run = [sys.executable, "-c", _FOLDERS, *named]
    done = subprocess.run(run, env={"PYTHONPATH": path, **environment}, capture_output=True, text=True, check=True)
    return [Path(path_text) for path_text in json.loads(done.stdout)]


def settings_of_the_unit() -> list[tuple[str, str]]:
    text = (ROOT / "deploy" / "fullprime.service").read_text(encoding="utf-8")
    return [(name, value) for name, value in re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE)]


@pytest.mark.broad
def test_every_folder_that_the_service_writes_to_can_be_written() -> None:
    settings = settings_of_the_unit()
    unit = dict(settings)
    assert unit["ProtectSystem"] == "strict"
    assert unit["PrivateTmp"] == "yes"
    writable = [Path("/var/lib", unit["StateDirectory"]), Path("/var/cache", unit["CacheDirectory"])]
    environment = dict(value.split("=", 1) for name, value in settings if name == "Environment")
    outside = [
        str(folder)
        for folder in folders_written_to(environment)
        if not any(folder.is_relative_to(place) for place in writable)
    ]
    assert outside == []


@pytest.mark.broad
def test_every_folder_that_the_image_writes_to_is_its_volume() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    (home,) = re.findall(r"--home-dir (\S+)", dockerfile)
    (volume,) = re.findall(r"^VOLUME (\S+)", dockerfile, re.MULTILINE)
    named = dict(re.findall(r"\b(FULLPRIME_\w+)=(\S+)", dockerfile))
    folders = folders_written_to({"HOME": home, **named})
    assert [str(folder) for folder in folders if not folder.is_relative_to(volume)] == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd on this machine")
def test_the_service_is_one_that_systemd_understands(tmp_path: Path) -> None:
    text = (ROOT / "deploy" / "fullprime.service").read_text(encoding="utf-8")
    service = tmp_path / "fullprime.service"
    # The program of the example is not installed here.
    service.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(service)], capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if "fullprime.service" in line] == []


def test_the_options_of_an_operator_reach_the_server(tmp_path: Path) -> None:
    with TestClient(create_app(str(tmp_path / "games.db"), hosts=None, limits=NO_LIMITS)) as client:
        answers = [client.post("/api/games", json={"variant": "chess"}).status_code for _ in range(80)]
    assert set(answers) == {400}, "without limits there is no 429"
