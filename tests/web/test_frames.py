"""Frames of WebSockets that are none: each ends its line with the code of the standard, and the log has no error."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from tests.web.conftest import Server
from tests.web.seat import create
from uvicorn.server import ServerState

from fullprime.web.connections import websocket
from fullprime.web.connections.limits import ConnectionLimits
from fullprime.web.connections.protocol import HttpConnection
from fullprime.web.connections.registry import REGISTRY, ConnectionRegistry
from fullprime.web.connections.websocket import WebSocketConnection

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
MASK = b"mask"


def frame(
    opcode: int,
    payload: bytes = b"",
    *,
    fin: bool = True,
    reserved: int = 0,
    mask: bool = True,
    length: int | None = None,
) -> bytes:
    """A frame as a client sends it; ``length`` is what its head says of the payload."""
    size = len(payload) if length is None else length
    first, high = fin << 7 | reserved << 4 | opcode, mask << 7
    if size < 126:
        head = struct.pack("!BB", first, high | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", first, high | 126, size)
    else:
        head = struct.pack("!BBQ", first, high | 127, size)
    if not mask:
        return head + payload
    return head + MASK + bytes(byte ^ MASK[at % 4] for at, byte in enumerate(payload))


def deflated(text: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-12)
    return (packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


BAD = b'{"key": "\xff"}'
FRAMES = {
    "bad UTF-8": (frame(TEXT, BAD), 1007),
    "bad UTF-8 in a fragment": (frame(TEXT, b'{"', fin=False) + frame(CONT, b'\xff"}'), 1007),
    "a letter that is cut off": (frame(TEXT, b'{"key": "\xe2\x82'), 1007),
    "half of a pair": (frame(TEXT, b'{"key": "\xed\xa0\x80"}'), 1007),
    "bad UTF-8 many times": (frame(TEXT, BAD) * 5, 1007),
    "bad UTF-8 and a ping": (frame(TEXT, BAD) + frame(PING, b"x"), 1007),
    "bad UTF-8 and no frame": (frame(TEXT, BAD) + frame(3), 1002),
    "bad UTF-8 and an end": (frame(TEXT, BAD) + frame(CLOSE, b"\x03\xe8"), 1000),
    "an opcode of data that there is not": (frame(3, b"x"), 1002),
    "an opcode of control that there is not": (frame(11), 1002),
    "reserved bits": (frame(TEXT, b"x", reserved=2), 1002),
    "compression that was not agreed on": (frame(TEXT, b"x", reserved=4), 1002),
    "no mask": (frame(TEXT, b"x", mask=False), 1002),
    "a ping in fragments": (frame(PING, b"x", fin=False) + frame(CONT, b"y"), 1002),
    "an end in fragments": (frame(CLOSE, b"\x03\xe8", fin=False), 1002),
    "a ping that is too long": (frame(PING, b"x" * 126), 1002),
    "a fragment of nothing": (frame(CONT, b"x"), 1002),
    "a message in a message": (frame(TEXT, b"x", fin=False) + frame(BINARY, b"y"), 1002),
    "too large": (frame(TEXT, b"x" * 5000), 1009),
    "too large in fragments": (frame(TEXT, b"x" * 3000, fin=False) + frame(CONT, b"x" * 3000), 1009),
    "said to be too large": (frame(TEXT, length=1 << 40), 1009),
    "said to be larger than there is": (frame(TEXT, length=(1 << 64) - 1), 1009),
    "an end of one byte": (frame(CLOSE, b"\x03"), 1002),
    "an end by a code that there is not": (frame(CLOSE, b"\x03\xe7"), 1002),
    "an end by a code that is not sent": (frame(CLOSE, b"\x03\xee"), 1002),
    "an end with bad UTF-8": (frame(CLOSE, b"\x03\xe8\xff"), 1007),
    "an end in a message": (frame(TEXT, b"x", fin=False) + frame(CLOSE, b"\x03\xe8"), 1002),
}
DEFLATED = {
    "bad UTF-8, compressed": (frame(TEXT, deflated(BAD), reserved=4), 1007),
    "compressed badly": (frame(TEXT, b"\xff" * 20, reserved=4), 1002),
    "a fragment compressed by itself": (
        frame(TEXT, deflated(b"x"), fin=False, reserved=4) + frame(CONT, reserved=4),
        1002,
    ),
    "a ping, compressed": (frame(PING, deflated(b"x"), reserved=4), 1002),
    "little that becomes much": (frame(TEXT, deflated(b"x" * 100_000), reserved=4), 1009),
}


def upgrade(port: int, game: str, *, deflate: bool) -> bytes:
    extension = "Sec-WebSocket-Extensions: permessage-deflate\r\n" if deflate else ""
    return (
        f"GET /api/games/{game}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n{extension}"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    ).encode()


def read_all(line: socket.socket) -> bytes:
    """What the server says until it ends the line."""
    data = b""
    with suppress(ConnectionError):
        while piece := line.recv(4096):
            data += piece
    return data


def close_code(data: bytes) -> int | None:
    """The code in the first frame of an end among the frames of a server."""
    while data:
        size, at = data[1], 2
        if size > 125:
            at = 4 if size == 126 else 10
            size = int.from_bytes(data[2:at], "big")
        if data[0] & 15 == CLOSE:
            return int.from_bytes(data[at : at + 2], "big")
        data = data[at + size :]
    return None


@contextmanager
def logging_server(folder: Path) -> Iterator[Server]:
    """A server of whose log nothing may be an error."""
    log = folder / "log"
    server = Server(folder / "games.db", "--no-limits", "--log", "warning", log=log)
    try:
        yield server
    finally:
        server.close()
    lines = log.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if '"level": "error"' in line or "Traceback" in line] == []


@pytest.mark.parametrize("greeting", [b"", frame(TEXT, b'{"key": null}')], ids=["as a greeting", "after a greeting"])
def test_a_malformed_frame_ends_its_line_by_the_code_of_the_standard(tmp_path: Path, greeting: bytes) -> None:
    with logging_server(tmp_path) as server, httpx.Client(base_url=server.url, timeout=60) as client:
        seat, _ = create(client, rules={"length": 1})
        codes, expected = {}, {}
        for deflate, frames in ((False, FRAMES), (True, DEFLATED)):
            for name, (bad, code) in frames.items():
                with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
                    line.sendall(upgrade(server.port, seat.game, deflate=deflate))
                    head = b""
                    while not head.endswith(b"\r\n\r\n"):
                        head += line.recv(1)
                    assert head.startswith(b"HTTP/1.1 101"), head
                    if greeting:
                        line.sendall(greeting)
                        line.recv(1, socket.MSG_PEEK)
                    line.sendall(bad)
                    codes[name], expected[name] = close_code(read_all(line)), code
        assert codes == expected
        assert client.get("/api/health").json()["status"] == "ok"


# -- lines of which the application knows nothing yet, or no longer ----------------------------------------------
class Held:
    """A server whose application goes on when it is told: before it accepts a line, or once it has heard a word."""

    def __init__(self, *messages: dict[str, Any], **settings: Any) -> None:
        self._said, self._settings = messages, settings
        self.lines: list[WebSocketConnection] = []
        self.begun, self.go_on = asyncio.Event(), asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        for message in self._said:
            if message is self._said[-1]:
                self.begun.set()
                await self.go_on.wait()
            await send(message)
        while (await receive())["type"] != "websocket.disconnect":
            pass

    async def says(self, *frames: bytes, at_once: bytes = b"") -> bytes:
        """What the server says to frames that come while the application is held, or ``at_once`` with the handshake."""
        held = self

        class Line(WebSocketConnection):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                held.lines.append(self)

        settings = {"http": HttpConnection, "ws": Line, "log_config": None, "lifespan": "off", **self._settings}
        config = uvicorn.Config(self, **settings)  # type: ignore[arg-type]
        config.load()
        state = {REGISTRY: ConnectionRegistry(ConnectionLimits())}
        server_state = ServerState()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: HttpConnection(config, server_state, state), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(upgrade(port, "x", deflate=False) + at_once)
            await self.begun.wait()
            for piece in frames:
                self.lines[0].data_received(piece)
            self.go_on.set()
            async with asyncio.timeout(60):
                content = await reader.read()
                await asyncio.gather(*server_state.tasks)
            return content
        finally:
            writer.close()
            server.close()


ACCEPT = {"type": "websocket.accept"}


@pytest.mark.parametrize("name", FRAMES)
def test_frames_before_the_line_is_accepted_end_it_by_their_code(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Clients should wait for the answer to their handshake; one that does not is no fault of the server."""
    bad, code = FRAMES[name]
    answer = asyncio.run(Held(ACCEPT).says(bad[:3], bad[3:]))
    if name.startswith("too large"):
        assert answer == b"", "as much is not kept"
    else:
        head, _, frames = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101")
        assert close_code(frames) == code
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_a_greeting_before_the_line_is_accepted_is_heard() -> None:
    answer = asyncio.run(Held(ACCEPT).says(frame(PING, b"early"), frame(CLOSE, b"\x03\xe8")))
    assert answer.partition(b"\r\n\r\n")[2] == b"\x8a\x05early\x88\x02\x03\xe8"


@pytest.mark.parametrize(
    "message", [{"type": "websocket.close", "code": 1008}, {"type": "websocket.send", "text": "x"}], ids=["end", "word"]
)
@pytest.mark.parametrize("name", ["bad UTF-8", "reserved bits", "an end of one byte"])
def test_what_the_application_says_to_a_line_that_a_frame_has_ended_is_no_error(
    name: str, message: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    bad, code = FRAMES[name]
    answer = asyncio.run(Held(ACCEPT, message).says(bad))
    assert close_code(answer.partition(b"\r\n\r\n")[2]) == code
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_frames_that_come_with_the_handshake_are_heard() -> None:
    answer = asyncio.run(Held(ACCEPT).says(at_once=frame(PING, b"early") + frame(CLOSE, b"\x03\xe8")))
    assert answer.partition(b"\r\n\r\n")[2] == b"\x8a\x05early\x88\x02\x03\xe8"


def test_a_line_that_answers_no_ping_is_ended() -> None:
    answer = asyncio.run(Held(ACCEPT, ws_ping_interval=0.001, ws_ping_timeout=0.001).says())
    frames = answer.partition(b"\r\n\r\n")[2]
    assert frames.startswith(b"\x89\x00")
    assert close_code(frames) == 1011


def test_a_line_that_answers_is_asked_again() -> None:
    """Pongs to more pings than there are are ignored; an end is answered as ever."""
    answers = frame(PONG) * 3 + frame(CLOSE, b"\x03\xe8")
    answer = asyncio.run(Held(ACCEPT, ws_ping_interval=60, ws_ping_timeout=60).says(answers))
    assert answer.partition(b"\r\n\r\n")[2] == b"\x88\x02\x03\xe8"


def test_a_line_whose_end_is_not_answered_is_ended_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "_CLOSE_WITHIN", 0.001)
    answer = asyncio.run(Held(ACCEPT, {"type": "websocket.close", "code": 4000}).says())
    assert close_code(answer.partition(b"\r\n\r\n")[2]) == 4000
