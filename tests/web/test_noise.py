"""Whatever is typed or sent, a room answers with a reason and nothing else happens."""

from __future__ import annotations

import json
import random
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.play.seen import frame_of
from tests.web.conftest import Server
from tests.web.seat import Seat, create
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from fullprime.play.options.options import make_settings
from fullprime.play.options.positions import game_from_id
from fullprime.play.server.agreement import _text
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.play.table.words import WORDS
from fullprime.rules.errors import FullprimeError
from fullprime.web.models import common as models

PIECES = st.sampled_from(
    [*WORDS, "1", "6", "13", "/", "*", "bar", "off", "hand", "(2)", " ", "-", ":", "²", "\uff11", "\x00", "%"]
)
LINES = st.one_of(st.text(min_size=1, max_size=200), st.lists(PIECES, min_size=1, max_size=8).map("".join))
MOVES = st.lists(
    st.one_of(st.text(max_size=8), st.tuples(st.integers(-1, 30), st.integers(-1, 30)).map("{0[0]}/{0[1]}".format)),
    max_size=4,
)


@pytest.fixture(scope="module")
def handle() -> Iterator[SessionHandle]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        game_server = GameServer(str(Path(folder) / "games.db"))
        handle, key, _ = game_server.create(
            opponent="screen", position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", rules={"length": 0}
        )
        handle.add_seed(handle.seat_of(key), "ab")
        yield handle
        game_server.close()


def reason(do: Callable[[], object]) -> str | None:
    """Why something is refused, or None when it is done; any other error is a fault."""
    try:
        do()
    except FullprimeError as error:
        return str(error)
    return None


@pytest.mark.broad
@given(line=LINES, moves=MOVES)
@settings(max_examples=600)
def test_every_line_is_done_or_refused_with_a_reason(handle: SessionHandle, line: str, moves: list[str]) -> None:
    before = frame_of(handle, "both")["state"]["sequence"]
    try:
        models.Line(line=line, moves=moves)
    except ValidationError:
        return
    refused = reason(lambda: handle.act("both", line, moves=moves, sequence=before))
    assert refused is None or frame_of(handle, "both")["state"]["sequence"] == before


@pytest.mark.broad
@given(
    rules=st.dictionaries(
        st.sampled_from(
            ["length", "jacoby", "cube", "cube_cap", "stake", "beavers", "automatic_doubles", "hit_licence", "odd"]
        ),
        st.one_of(st.text(max_size=6), st.booleans(), st.integers(-5, 2**40), st.floats(), st.none()),
        max_size=4,
    ),
    variant=st.one_of(st.sampled_from(["backgammon", "dutch", "acey_deucey"]), st.text(max_size=5)),
    position=st.one_of(st.none(), st.text(max_size=40)),
)
@settings(max_examples=300)
def test_every_mixture_of_options_is_a_game_or_is_refused(
    handle: SessionHandle, rules: dict[str, object], variant: str, position: str | None
) -> None:
    def choose() -> None:
        chosen = make_settings(variant, rules=[f"{name}={_text(value)}" for name, value in rules.items()])
        if position is not None:
            game_from_id(position, chosen, override=True)

    assert reason(choose) != ""


# -- the live line ----------------------------------------------------------------------------------------------
def some_noise(chance: random.Random, key: str) -> str | bytes:
    """Something that is no greeting: torn, deep, huge, binary, of the wrong kind; sometimes with a good key in it."""
    hello = json.dumps({"key": key})
    kinds: list[Callable[[], str | bytes]] = [
        lambda: hello[: chance.randrange(len(hello))],
        lambda: chance.choice("[{") * chance.randint(1, 4000),
        lambda: chance.choice(["null", "[]", "{}", "0", "1e999", '""', "\x00", " ", "true", "NaN", "-"]),
        lambda: json.dumps({"key": chance.choice([5, 1.5, True, [key], {"key": key}, 10**300])}),
        lambda: json.dumps({chance.choice(["Key", "keys", "line", ""]): key}),
        lambda: json.dumps({"line": chance.choice(["roll", "resign b", "double", "24/18"]), "k": key}),
        lambda: chance.randbytes(chance.randint(0, 300)),
        lambda: "".join(chr(chance.randint(1, 0xD7FF)) for _ in range(chance.randint(1, 300))),
        lambda: "9" * chance.randint(1, 3000),
        lambda: '{"key": "\\ud800"}',
    ]
    return chance.choice(kinds)()


def lines_of_rubbish(server: Server, game: str, chance: random.Random) -> None:
    """After the handshake bytes that are no frames."""
    host, port = "127.0.0.1", server.port
    with socket.create_connection((host, port), timeout=30) as line:
        line.sendall(
            f"GET /api/games/{game}/live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n".encode()
        )
        assert b"101" in line.recv(4096)
        line.sendall(chance.randbytes(chance.randint(2, 400)))
        line.shutdown(socket.SHUT_WR)
        while line.recv(4096):
            pass


@pytest.mark.broad
@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=[pytest.mark.slow, pytest.mark.timeout(7200)])])
def test_malformed_messages_on_the_live_line_do_nothing(tmp_path: Path, count: int) -> None:
    """As greetings, after a greeting, and as bytes that are no messages: no crash, no effect, no error in the log."""
    log = tmp_path / "log"
    server = Server(tmp_path / "games.db", "--no-limits", "--log", "warning", log=log)
    chance = random.Random(count)
    with httpx.Client(base_url=server.url, timeout=60) as client:
        seat, _ = create(client, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", rules={"length": 5})
        assert seat.key is not None
        before = seat.state
        sent = 0
        address = f"{server.url.replace('http', 'ws')}/api/games/{seat.game}/live"
        while sent < count:
            with connect(address) as live:
                live.send(some_noise(chance, seat.key))
                sent += 1
                with pytest.raises(ConnectionClosed) as ended:
                    live.recv(timeout=60)
            assert ended.value.rcvd is not None
            assert ended.value.rcvd.code == 1008, "refused, and not by an error"
            lines_of_rubbish(server, seat.game, chance)
            sent += 1
            with connect(address) as live:
                live.send(json.dumps({"key": chance.choice([seat.key, None])}))
                live.recv(timeout=60)
                for _ in range(min(98, max(0, count - sent))):
                    live.send(some_noise(chance, seat.key))
                    sent += 1
                # The line is still good: nothing has been told, and it answers.
                assert live.ping().wait(60)
        assert sent >= count
        assert seat.state == before
        assert Seat(client, seat.game, None).state["sequence"] == before["sequence"]
        assert client.get("/api/health").json()["status"] == "ok"
    server.stop()
    faults = [
        line for line in map(json.loads, log.read_text(encoding="utf-8").splitlines()) if line["level"] == "error"
    ]
    assert faults == []


def test_a_message_that_is_too_large_ends_the_line(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        seat, _ = create(client)
        with connect(f"{server.url.replace('http', 'ws')}/api/games/{seat.game}/live") as live:
            live.send("x" * 5000)
            with pytest.raises(ConnectionClosed) as ended:
                live.recv(timeout=60)
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 1009
        assert client.get("/api/health").status_code == 200


@pytest.mark.parametrize(
    "body", [b"[" * 16_000, b'{"line":' * 2_000, b"9" * 16_000, b'{"line": "\\ud800"}', b"\xff" * 100]
)
def test_a_body_that_breaks_parsers_is_refused(shared_server: Server, body: bytes) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        seat, _ = create(client)
        answer = client.post(f"/api/games/{seat.game}/act", content=body, headers=seat.headers)
        assert answer.status_code in (400, 422)
        assert answer.json()["error"]
