"""Connections within limits: of number, of size, of time; places for those who play."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import re
import resource
import socket
import struct
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, nullcontext
from typing import Any, Self

import pytest
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.server import ServerProtocol

from fullprime.web import middleware, run
from fullprime.web.addresses import Proxies
from fullprime.web.connections import limits as limits_module
from fullprime.web.connections.accepting import AT_ONCE, AcceptingLoop
from fullprime.web.connections.fair_queue import FairQueue
from fullprime.web.connections.limits import UNLIMITED, ConnectionLimits, connections_for, raise_descriptors
from fullprime.web.connections.open_streams import TooManyStreams
from fullprime.web.connections.protocol import HttpConnection
from fullprime.web.connections.registry import (
    CONNECTION,
    REGISTRY,
    ConnectionRegistry,
    OpenConnection,
    mark_as_known,
    track_stream,
)
from fullprime.web.connections.websocket import WebSocketConnection
from fullprime.web.middleware import PIECE, Middleware
from fullprime.web.monitoring import Metrics
from fullprime.web.rate_limits import LARGER_BODIES, NO_LIMITS, RequestGate


def behind_middleware(app: ASGIApp) -> Middleware:
    return Middleware(app, gate=RequestGate(None, NO_LIMITS), metrics=Metrics())


class House:
    """A registry with a clock of its own; ``ended`` has those who were sent away, and why."""

    def __init__(self, proxies: tuple[str, ...] = (), **changed: Any) -> None:
        self.now = 0.0
        self.refused: list[str] = []
        self.ended: list[str] = []
        self.registry = ConnectionRegistry(
            ConnectionLimits(**{"most": 100, **changed}), proxies, lambda: self.now, self.refused.append
        )

    def enter(self, name: str, address: str, *, rests: float | None = 10.0) -> OpenConnection | None:
        connection = self.registry.register(
            address, lambda: self.ended.append(name), lambda: self.ended.append(f"{name} late")
        )
        if connection is not None:
            self.registry.set_deadline(connection, None if rests is None else self.now + rests)
        return connection


def scope_of(connection: OpenConnection | None, address: str = "192.0.2.1") -> Scope:
    return {"type": "http", "client": (address, 1), "state": {} if connection is None else {CONNECTION: connection}}


def test_the_second_part_of_an_answer_waits_for_no_acknowledgement() -> None:
    """Else the other side, which acknowledges late, has every answer 40 ms later."""

    async def sends_at_once() -> bool:
        loop = asyncio.get_running_loop()
        no_delay: asyncio.Future[int] = loop.create_future()

        class Accepted(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                accepted = transport.get_extra_info("socket")
                no_delay.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                transport.close()

        with run._bind("127.0.0.1", 0) as bound:
            server = await loop.create_server(Accepted, sock=bound)
            with socket.create_connection(bound.getsockname()):
                value = await no_delay
            server.close()
        return bool(value)

    assert asyncio.run(sends_at_once())


# -- who may enter ----------------------------------------------------------------------------------------------
def test_the_one_who_rests_goes_when_an_address_has_too_many() -> None:
    house = House(each=3)
    busy = house.enter("busy", "192.0.2.1", rests=None)
    house.enter("first", "192.0.2.1")
    house.enter("second", "::ffff:192.0.2.1")
    assert house.enter("third", "192.0.2.1") is not None
    assert house.ended == ["first"]
    for connection in list(house.registry.connections):
        house.registry.set_deadline(connection, None)
    assert house.enter("fourth", "192.0.2.1") is None
    assert house.enter("other", "192.0.2.2") is not None
    assert house.refused == ["displaced", "address"]
    assert busy is not None
    house.registry.unregister(busy)
    assert house.enter("fifth", "192.0.2.1") is not None


def test_a_full_house_spares_those_who_play_and_the_addresses_with_few() -> None:
    house = House(most=5, each=100)
    mark_as_known({**scope_of(house.enter("player", "192.0.2.1")), "headers": []})
    house.enter("guest", "192.0.2.2")
    for number in range(3):
        house.enter(f"crowd {number}", "192.0.2.9")
    for name in ("a", "b", "c"):
        assert house.enter(name, f"198.51.100.{ord(name)}") is not None
    assert house.ended == ["crowd 0", "crowd 1", "guest"]
    for connection in list(house.registry.connections):
        house.registry.set_deadline(connection, None)
    assert house.enter("late", "192.0.2.3") is None
    assert house.refused[-1] == "full"
    assert house.registry.count_connections() == {"open": 5, "resting": 0, "streams": 0}


def test_unfinished_requests_of_one_address_have_a_limit_of_their_own() -> None:
    house = House(unfinished_each=2, each=50)
    for number in range(4):
        house.enter(str(number), "192.0.2.1")
    assert sorted(house.ended) == ["0", "1"]


def test_a_proxy_that_is_believed_is_not_counted_as_one_visitor() -> None:
    house = House(proxies=("127.0.0.1", "10.0.0.0/8"), each=1)
    for number, address in enumerate(("127.0.0.1", "::ffff:127.0.0.1", "10.1.1.1", "10.1.1.1")):
        assert house.enter(str(number), address) is not None
    assert house.ended == []
    assert "192.0.2.1" in Proxies(["*"])
    assert "unix" not in Proxies(["10.0.0.0/8"])


def test_who_asks_nothing_goes_when_the_time_is_up(caplog: pytest.LogCaptureFixture) -> None:
    house = House()
    first, second = house.enter("first", "192.0.2.1", rests=5), house.enter("second", "192.0.2.1", rests=None)
    assert first is not None
    assert second is not None
    house.now = 4.9
    house.registry.close_expired()
    assert house.ended == []
    house.now = 5.0
    house.registry.close_expired()
    assert house.ended == ["first late"]
    house.registry.unregister(first)
    house.registry.unregister(first)
    assert house.registry.count_connections()["open"] == 1


def test_what_is_refused_is_counted_and_logged_once_in_a_while(caplog: pytest.LogCaptureFixture) -> None:
    house = House(each=1)
    house.enter("first", "192.0.2.1", rests=None)
    with caplog.at_level(logging.WARNING, "fullprime.web.connections"):
        for _ in range(1000):
            assert house.enter("more", "192.0.2.1") is None
        assert len(caplog.records) == 1
        house.now = 61.0
        house.registry.close_expired()
        house.registry.close_expired()
    assert [vars(record)["why_address"] for record in caplog.records] == [1, 999]
    assert house.refused == ["address"] * 1000


# -- streams ----------------------------------------------------------------------------------------------------
def test_half_of_the_places_for_streams_is_left_to_those_who_play() -> None:
    house = House(most=4, each=None, streams_each=None)
    strangers = [house.enter(str(number), f"192.0.2.{number}", rests=None) for number in range(4)]
    with track_stream(scope_of(strangers[0])), track_stream(scope_of(strangers[1])):
        with pytest.raises(TooManyStreams), track_stream(scope_of(strangers[2])):
            pass
        mark_as_known({**scope_of(strangers[3]), "headers": []})
        with track_stream(scope_of(strangers[3])):
            assert house.registry.count_connections()["streams"] == 3
        house.now = house.registry.limits.watching_seconds
        house.registry.close_expired()
    assert sorted(house.ended) == ["0", "1"]
    assert house.registry.count_connections()["streams"] == 0
    house.registry.close_expired()
    assert sorted(house.ended) == ["0", "1"]
    with track_stream(scope_of(None)):
        pass


def test_a_player_or_a_visitor_finds_a_place_among_the_streams_of_few() -> None:
    """The last of the address with most ends; the rest of the connections take no stream at all."""
    house = House(most=16, each=None, streams_each=None, strangers=0.5)
    with ExitStack() as stack:

        def open_stream(name: str, address: str, *, is_known: bool) -> None:
            connection = house.enter(name, address, rests=None)
            if is_known:
                mark_as_known({**scope_of(connection), "headers": []})
            stack.enter_context(track_stream(scope_of(connection, address)))

        for number in range(6):
            open_stream(f"a{number}", "192.0.2.1", is_known=True)
            open_stream(f"b{number}", "192.0.2.2", is_known=True)
        with pytest.raises(TooManyStreams, match="too many live lines are open"):
            open_stream("b6", "192.0.2.2", is_known=True)
        open_stream("player", "192.0.2.3", is_known=True)
        open_stream("visitor", "192.0.2.4", is_known=False)
        assert house.ended == ["a5", "b5"]
        assert house.registry.count_connections()["streams"] == 12
    assert house.registry.count_connections()["streams"] == 0
    assert set(house.refused) == {"streams"}


def test_the_streams_of_strangers_are_shared_out_too() -> None:
    house = House(most=16, each=None, streams_each=None, strangers=0.25)
    with ExitStack() as stack:
        for number in range(4):
            stack.enter_context(track_stream(scope_of(house.enter(str(number), "192.0.2.1", rests=None), "192.0.2.1")))
        visitor = house.enter("visitor", "192.0.2.2", rests=None)
        stack.enter_context(track_stream(scope_of(visitor, "192.0.2.2")))
        assert house.ended == ["3"]
        with pytest.raises(TooManyStreams, match="too many people watch"):
            stack.enter_context(track_stream(scope_of(house.enter("4", "192.0.2.1", rests=None), "192.0.2.1")))


def test_a_line_too_many_of_a_seat_ends_the_oldest() -> None:
    """It may be that of a device whose network has gone."""
    house, seat = House(lines_of_seat=2), ("game", "X")
    with ExitStack() as stack:
        for number in range(4):
            connection = house.enter(str(number), f"192.0.2.{number}", rests=None)
            stack.enter_context(track_stream(scope_of(connection, f"192.0.2.{number}"), seat))
        other = house.enter("other", "192.0.2.9", rests=None)
        stack.enter_context(track_stream(scope_of(other, "192.0.2.9"), ("game", "O")))
        assert house.ended == ["0", "1"]
        assert house.registry.count_connections()["streams"] == 3


def test_the_streams_of_one_visitor_have_a_limit_also_behind_a_proxy() -> None:
    house = House(proxies=("127.0.0.1",), streams_each=1)
    first, second = house.enter("1", "127.0.0.1", rests=None), house.enter("2", "127.0.0.1", rests=None)
    with track_stream(scope_of(first, "192.0.2.1")):
        with pytest.raises(TooManyStreams, match="your address"), track_stream(scope_of(second, "192.0.2.1")):
            pass
        with track_stream(scope_of(second, "192.0.2.2")):
            pass


# -- descriptors ------------------------------------------------------------------------------------------------
def test_descriptors_are_raised_to_what_the_system_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    held = [(256, 8192)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: held[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: held.append(pair))
    assert raise_descriptors() == 8192
    assert held[-1] == (8192, 8192)
    held[:] = [(1024, resource.RLIM_INFINITY)]
    assert raise_descriptors() == limits_module._ENOUGH
    held[:] = [(resource.RLIM_INFINITY, resource.RLIM_INFINITY)]
    assert raise_descriptors() == limits_module._ENOUGH

    def refuses(_: int, pair: tuple[int, int]) -> None:
        raise OSError("no")

    monkeypatch.setattr(resource, "setrlimit", refuses)
    held[:] = [(300, 8192)]
    assert raise_descriptors() == 300


def test_the_start_says_what_few_descriptors_suffice_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "raise_descriptors", lambda: 1024)
    limits_found = run._connections(limited=True)
    assert (limits_found.most, limits_found.of_address, limits_found.streams, limits_found.watching) == (
        928,
        232,
        200,
        464,
    )
    assert "lets this process open 1024 files: 928 connections, some 232 games" in " ".join(
        capsys.readouterr().err.split()
    )
    monkeypatch.setattr(run, "raise_descriptors", lambda: 65_536)
    limits_found = run._connections(limited=False)
    assert (limits_found.most, limits_found.of_address, limits_found.streams, limits_found.watching) == (
        65_440,
        None,
        None,
        None,
    )
    assert capsys.readouterr().err == ""
    assert connections_for(100) == 75
    assert UNLIMITED.most is None


# -- HTTP -------------------------------------------------------------------------------------------------------
async def _application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the bytes of the body, or as its path says.

    At /many it gives more than anybody holds back, at /held it waits until it is told to go on, at /gone it says that
    the other side has gone. A WebSocket is a stream, but for one at /silent, which has not said whose it is.
    """
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        with nullcontext() if scope["path"] == "/silent" else track_stream(scope):
            await receive()
        return
    size, more = 0, scope["path"] != "/early"
    while more:
        message = await receive()
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    while scope["path"] == "/gone" and (await receive())["type"] != "http.disconnect":
        pass
    if scope["path"] == "/gone":
        scope["state"]["go on"].set()
    if scope["path"] == "/held":
        await scope["state"]["go on"].wait()
    body = b"x" * 50_000_000 if scope["path"] == "/many" else b"%d" % size
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


class Talk:
    """A server of that application, with a registry of its own, and those who talk with it."""

    def __init__(self, **changed: Any) -> None:
        self.now = 0.0
        self.refused: list[str] = []
        limits = ConnectionLimits(**{"head_bytes": 8192, "write_seconds": 0.01, **changed})
        self.registry = ConnectionRegistry(limits, (), lambda: self.now, self.refused.append)

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self.go_on = asyncio.Event()
        LARGER_BODIES["/"] = 1 << 30  # what holds here are the limits of connections
        app = behind_middleware(_application)
        config = uvicorn.Config(app, http=HttpConnection, ws=WebSocketConnection, log_config=None, lifespan="off")
        config.load()
        state = uvicorn.server.ServerState()
        self._server = await loop.create_server(
            lambda: HttpConnection(config, state, {REGISTRY: self.registry, "go on": self.go_on}), "127.0.0.1", 0
        )
        self.port = self._server.sockets[0].getsockname()[1]
        self._writers: list[asyncio.StreamWriter] = []
        return self

    async def __aexit__(self, *_: object) -> None:
        for writer in self._writers:
            writer.transport.abort()  # type: ignore[attr-defined]
        self._server.close()
        del LARGER_BODIES["/"]
        while self.registry.connections:  # noqa: ASYNC110 - what ends is the system's connection
            await asyncio.sleep(0.001)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self._writers.append(writer)
        return reader, writer

    async def say(self, *parts: bytes) -> bytes:
        """What the server says until it ends the connection."""
        reader, writer = await self.connect()
        try:
            for part in parts:
                writer.write(part)
                await writer.drain()
            return await reader.read()
        except ConnectionError:
            return b""

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not true():  # noqa: ASYNC110 - what comes true is the server's
                await asyncio.sleep(0.001)


def code_in(answer: bytes) -> str:
    """The code of an error answer that was sent without the framework."""
    error = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert (list(error), error["facts"]) == (["error", "code", "facts"], {})
    return str(error["code"])


def talking(**changed: Any) -> Callable[[Callable[[Talk], Coroutine[Any, Any, None]]], Callable[[], None]]:
    def made(test: Callable[[Talk], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        def run_it() -> None:
            async def whole() -> None:
                async with Talk(**changed) as talk:
                    await test(talk)

            asyncio.run(whole())

        run_it.__name__ = test.__name__
        return run_it

    return made


GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


@talking()
async def test_requests_are_answered_one_after_the_other(talk: Talk) -> None:
    body = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + b"a" * 200_000
    answer = await talk.say(GET, body, LAST)
    assert [line for line in answer.split(b"\r\n") if line.endswith(b"200 OK") or line == b""].count(b"HTTP/1.1 200 OK")
    assert b"200000HTTP/1.1 200 OK" in answer
    assert talk.refused == []


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 100_000])
def test_requests_in_pieces_of_any_size_are_answered_in_turn(size: int) -> None:
    """The end of a request is seen wherever a piece ends; the next one waits until the answer is complete."""
    sized = b"POST / HTTP/1.1\r\nHost: x\r\ncontent-LENGTH: 9\r\n\r\nab\r\n\r\ncde"
    chunked = (
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n2\r\nab\r\n0\r\nX: y\r\n\r\n"
    )
    upgrade = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    early = sized.replace(b" / ", b" /early ")
    sent = b"\r\n".join([GET, sized, early, chunked, upgrade, sized, LAST])

    @talking()
    async def ask(talk: Talk) -> None:
        answers = await talk.say(*[sent[start : start + size] for start in range(0, len(sent), size)])
        assert [part.partition(b"HTTP")[0] for part in answers.split(b"\r\n\r\n")[1:]] == list(b"0 9 0 6 0 9 0".split())
        assert talk.refused == []

    ask()


@talking()
async def test_empty_lines_between_requests_mean_nothing(talk: Talk) -> None:
    answers = await talk.say(GET + b"\r\n" * 3000 + LAST)
    assert answers.count(b"HTTP/1.1 200") == 2


@talking()
async def test_a_request_is_told_that_its_connection_has_ended_though_others_wait(talk: Talk) -> None:
    _, writer = await talk.connect()
    writer.write(GET.replace(b"/", b"/gone", 1) + GET * 2)
    await talk.until(lambda: len(strangers_of(talk)) > 0)
    next(iter(talk.registry.connections)).close()
    await talk.until(talk.go_on.is_set)


@talking()
async def test_an_endless_head_is_cut_off(talk: Talk) -> None:
    reader, writer = await talk.connect()
    writer.write(b"GET / HTTP/1.1\r\nX: ")
    for _ in range(100):
        writer.write(b"a" * 1024)
    answer = await reader.read(12)
    assert answer == b"HTTP/1.1 431"
    assert talk.refused == ["head"]


@talking()
async def test_an_endless_trailer_is_cut_off(talk: Talk) -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: "
    await talk.say(head, *[b"a" * 4096] * 8)
    assert talk.refused == ["head"]


@talking()
async def test_what_is_no_http_is_told_so_and_counted(talk: Talk) -> None:
    assert (await talk.say(b"\x16\x03\x01 hello\r\n\r\n")).startswith(b"HTTP/1.1 400")
    assert talk.refused == ["malformed"]


@pytest.mark.parametrize("address", [b"http://x", b"/\xff", b"/?\xff"])
def test_an_address_that_is_none_is_told_so_and_counted(address: bytes) -> None:
    @talking()
    async def ask(talk: Talk) -> None:
        answer = await talk.say(GET.replace(b"/", address, 1))
        assert answer.startswith(b"HTTP/1.1 400")
        assert code_in(answer) == "invalid"
        assert talk.refused == ["malformed"]

    ask()


@talking(pipelined=4)
async def test_too_many_requests_before_an_answer_end_the_connection(talk: Talk) -> None:
    await talk.say(GET * 2000)
    assert talk.refused == ["pipelined"]


@talking()
async def test_a_request_that_does_not_come_to_its_end_is_ended(talk: Talk) -> None:
    limits = talk.registry.limits
    heads, bodies, silent = [await talk.connect() for _ in range(3)]
    heads[1].write(b"GET / HTTP/1.1\r\nHost")
    bodies[1].write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\nabc")
    await talk.until(lambda: len({connection.deadline for connection in talk.registry.connections}) == 2)
    talk.now = limits.head_seconds
    talk.registry.close_expired()
    answer = await heads[0].read()
    assert answer.startswith(b"HTTP/1.1 408")
    assert code_in(answer) == "timed_out"
    assert await silent[0].read() == b""
    await talk.until(lambda: len(talk.registry.connections) == 1)
    talk.now = limits.body_seconds
    talk.registry.close_expired()
    assert await bodies[0].read() == b""
    assert talk.refused == ["slow", "slow"]


@talking()
async def test_a_body_that_comes_gains_time(talk: Talk) -> None:
    limits = talk.registry.limits
    reader, writer = await talk.connect()
    writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 32768\r\n\r\n")
    await talk.until(
        lambda: any(connection.deadline == limits.body_seconds for connection in talk.registry.connections)
    )
    talk.now = 10.0
    writer.write(b"a" * 16_384)
    await talk.until(
        lambda: any(connection.deadline == limits.body_seconds + 2 for connection in talk.registry.connections)
    )
    talk.now = limits.body_seconds + 1
    talk.registry.close_expired()
    writer.write(b"a" * 16_384)
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")


@talking()
async def test_a_body_after_its_answer_has_its_time_too(talk: Talk) -> None:
    reader, writer = await talk.connect()
    writer.write(b"POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\nabc")
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    talk.now = talk.registry.limits.body_seconds
    talk.registry.close_expired()
    await talk.until(lambda: not talk.registry.connections)
    assert talk.refused == ["slow"]


@talking()
async def test_who_does_not_read_is_let_go(talk: Talk) -> None:
    _, writer = await talk.connect()
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(b"GET /many HTTP/1.1\r\nHost: x\r\n\r\n")
    await talk.until(lambda: talk.refused == ["reader"] and not talk.registry.connections)


def test_a_large_answer_goes_out_in_pieces_that_are_the_whole() -> None:
    """What the other side has not taken is copied: at most a piece of it."""
    sent: list[Message] = []
    bodies = [b"a" * PIECE, bytes(range(256)) * 1024, b"", b"end"]

    async def application(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for body in bodies:
            await send({"type": "http.response.body", "body": body, "more_body": body != b"end"})

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(
        behind_middleware(application)({"type": "http", "method": "GET", "path": "/", "headers": []}, receive, send)
    )
    pieces = sent[1:]
    assert max(len(piece["body"]) for piece in pieces) == PIECE
    assert b"".join(piece["body"] for piece in pieces) == b"".join(bodies)
    assert [piece["more_body"] for piece in pieces] == [True] * (len(pieces) - 1) + [False]


@talking(most=1, each=None)
async def test_who_finds_no_room_is_told_to_come_again(talk: Talk) -> None:
    await talk.connect()
    await talk.until(lambda: len(talk.registry.connections) == 1)
    talk.registry.set_deadline(next(iter(talk.registry.connections)), None)
    answer = await talk.say(GET)
    assert answer.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 10" in answer
    assert code_in(answer) == "full"
    assert talk.refused == ["full"]


UPGRADE = (
    b"GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
)


@talking()
async def test_a_websocket_takes_its_visit_with_it(talk: Talk) -> None:
    reader, writer = await talk.connect()
    writer.write(
        b"GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    assert (await reader.readline()).startswith(b"HTTP/1.1 101")
    (connection,) = talk.registry.connections
    await talk.until(lambda: connection.deadline is None)
    talk.now = 1e6
    talk.registry.close_expired()
    assert talk.registry.connections == {connection}
    writer.close()
    await talk.until(lambda: not talk.registry.connections)


@talking()
async def test_a_websocket_that_does_not_say_whose_it_is_makes_room_for_others(talk: Talk) -> None:
    reader, writer = await talk.connect()
    writer.write(UPGRADE.replace(b"/live", b"/silent"))
    assert (await reader.readline()).startswith(b"HTTP/1.1 101")
    assert talk.registry.count_connections()["resting"] == 1
    talk.now = talk.registry.limits.handshake_seconds
    talk.registry.close_expired()
    await talk.until(lambda: not talk.registry.connections)


@talking(write_seconds=1000)
async def test_a_connection_that_is_not_read_makes_room_for_others(talk: Talk) -> None:
    reader, writer = await talk.connect()
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(b"GET /many HTTP/1.1\r\nHost: x\r\n\r\n")
    unread = 2 * talk.registry.limits.write_seconds
    await talk.until(lambda: [connection.deadline for connection in talk.registry.connections] == [unread])
    assert talk.registry.count_connections()["resting"] == 1
    reading = asyncio.create_task(reader.readexactly(50_000_000))
    writer.transport.resume_reading()  # type: ignore[attr-defined]
    await reading
    await talk.until(lambda: unread not in [connection.deadline for connection in talk.registry.connections])


# -- who is heard -----------------------------------------------------------------------------------------------


@talking(uncollected=1)
async def test_a_connection_that_has_ended_waits_for_no_garbage_collection(talk: Talk) -> None:
    """A crowd that comes and goes would fill the memory with what only a collection finds, which is seldom.

    What asyncio's own transports keep of themselves (on Python 3.11) is small, and collected after so many connections.
    """
    protocols = (HttpConnection, WebSocketConnection, HttpToolsProtocol, ServerProtocol)
    ours = (*protocols, OpenConnection, RequestResponseCycle, PerMessageDeflate)

    def left() -> list[str]:
        return [type(tracked).__name__ for tracked in gc.get_objects() if isinstance(tracked, ours)]

    def transports() -> int:
        of_asyncio = (transport for transport in gc.get_objects() if isinstance(transport, asyncio.Transport))
        places = (transport.get_extra_info("sockname") for transport in of_asyncio)  # None for the pipe of a browser
        return sum(place is not None and place[1] == talk.port for place in places)

    gc.collect()
    before = len(left())
    gc.disable()
    try:
        keyless = b"GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
        for part in (LAST, b"no HTTP\r\n\r\n", keyless, keyless.replace(b"GET", b"POST")):
            assert await talk.say(part)
        for frame in (b"", b"\x81\x80\0\0\0\0", b"\x8f\xff no frame"):  # nothing, an empty text, what is no frame
            reader, writer = await talk.connect()
            writer.write(UPGRADE + frame)
            assert (await reader.readline()).startswith(b"HTTP/1.1 101")
            writer.transport.abort()  # type: ignore[attr-defined]
        for request in (GET, GET[:-2]):  # reset by the other side: after an answer, and in the middle of a request
            reader, writer = await talk.connect()
            writer.write(request)
            if request == GET:
                await reader.readline()
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.close()
            await talk.until(lambda: not talk.registry.connections)
        _, writer = await talk.connect()  # several requests, of which the first is answered to one who does not read
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(b"GET /many HTTP/1.1\r\nHost: x\r\n\r\n" * 3)
        await talk.until(lambda: "reader" in talk.refused)
        await talk.until(lambda: not talk.registry.connections)
        await talk.until(lambda: len(left()) == before)
        talk.registry.close_expired()
        await talk.until(lambda: not transports())
    finally:
        gc.enable()


def test_what_ended_connections_leave_is_collected_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """A collection stops every game, so that it comes after many connections and not after each."""
    collected: list[int] = []
    house = House(uncollected=3)
    monkeypatch.setattr(gc, "collect", lambda: collected.append(number))
    for number in range(1, 9):
        connection = house.enter(str(number), "192.0.2.1")
        assert connection is not None
        house.registry.unregister(connection)
        house.registry.close_expired()
    assert collected == [3, 6]


def test_a_proxy_that_is_not_trusted_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    async def ask() -> None:
        async with Talk() as talk:
            assert b" 200 " in await talk.say(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            assert caplog.records == []
            for visitor in (b"192.0.2.7", b"192.0.2.8"):
                request = b"GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: %b\r\nConnection: close\r\n\r\n" % visitor
                assert b" 200 " in await talk.say(request)

    with caplog.at_level(logging.WARNING, "fullprime.web.connections"):
        asyncio.run(ask())
        (record,) = caplog.records
        assert "--proxy" in record.getMessage()
        assert not re.search(r"\d+\.\d+", record.getMessage()), "the log keeps no addresses"
        house = House(proxies=("127.0.0.1",))
        trusted = house.enter("trusted", "127.0.0.1")
        assert trusted is not None
        assert house.registry.admits_request(trusted, [(b"x-forwarded-for", b"192.0.2.7")])
        assert caplog.records == [record]


def test_strangers_are_refused_while_they_are_many_and_the_server_is_behind() -> None:
    house = House(strangers_rate=8)  # two in a quarter of a second
    stranger, player = house.enter("stranger", "192.0.2.1"), house.enter("player", "192.0.2.2")
    assert stranger is not None
    assert player is not None
    key = [(b"authorization", b"Bearer abc")]
    mark_as_known({**scope_of(player), "headers": key})

    def heard(late: float) -> list[bool]:
        house.now += 0.25 + late
        house.registry.check_load()
        return [house.registry.admits_request(stranger, []) for _ in range(4)]

    assert heard(0.0) == [True] * 4
    assert heard(0.2) == [True, True, False, False]
    for number, is_heard in enumerate((True, True, False)):
        visitor = house.enter("visitor", f"198.51.100.{number}")
        assert visitor is not None
        assert house.registry.admits_request(visitor, []) == is_heard
        assert not house.registry.admits_request(visitor, []), "one request of each address that asks little"
    assert house.registry.admits_request(player, [])
    anew = house.enter("the same player", "192.0.2.2")
    assert anew is not None
    assert house.registry.admits_request(anew, [(b"host", b"x"), *key])
    assert anew.is_known
    assert not house.registry.admits_request(stranger, [(b"authorization", b"Bearer abd")])
    assert heard(0.0) == [True] * 4
    assert set(house.refused) == {"busy"}


@talking(strangers_rate=0)
async def test_a_busy_server_says_so_for_next_to_nothing(talk: Talk) -> None:
    talk.now = 10.0
    talk.registry.check_load()
    answer = await talk.say(LAST)
    assert answer.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 5" in answer
    assert code_in(answer) == "full"
    talk.registry.check_load()
    assert (await talk.say(LAST)).startswith(b"HTTP/1.1 200")


@talking(frames=10)
async def test_a_websocket_that_talks_too_much_is_ended(talk: Talk) -> None:
    reader, writer = await talk.connect()
    writer.write(
        b"GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    assert (await reader.readline()).startswith(b"HTTP/1.1 101")
    writer.write(b"\x89\x80abcd" * 2000)
    await talk.until(lambda: not talk.registry.connections)
    assert talk.refused == ["frames"]


HELD = b"GET /held HTTP/1.1\r\nHost: x\r\n\r\n"
PART = b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n"


def strangers_of(talk: Talk) -> FairQueue:
    assert talk.registry.stranger_queue is not None
    return talk.registry.stranger_queue


@talking(strangers_waiting=8)
async def test_few_questions_of_strangers_wait_at_once(talk: Talk) -> None:
    held = [await talk.connect() for _ in range(8)]
    for _, writer in held:
        writer.write(HELD)
    await talk.until(lambda: len(strangers_of(talk)) == 8)
    answer = await talk.say(LAST)
    assert answer.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 5" in answer
    assert code_in(answer) == "full"
    held[0][1].close()
    talk.go_on.set()
    for reader, _ in held[1:]:
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    await talk.until(lambda: not len(strangers_of(talk)))
    assert (await talk.say(LAST)).startswith(b"HTTP/1.1 200")
    assert talk.refused == ["busy"]


@talking(strangers_waiting=1, strangers_at_once=1)
async def test_a_question_that_has_not_come_to_its_end_keeps_no_other_from_its_turn(talk: Talk) -> None:
    slow = await talk.connect()
    slow[1].write(PART)
    await talk.until(
        lambda: any(
            connection.deadline == talk.registry.limits.body_seconds for connection in talk.registry.connections
        )
    )
    assert (await talk.say(LAST)).startswith(b"HTTP/1.1 200")
    slow[1].write(b"abc")
    assert (await slow[0].readline()).startswith(b"HTTP/1.1 200")


@talking(strangers_at_once=1)
async def test_strangers_are_worked_at_in_turns(talk: Talk) -> None:
    first, second = [await talk.connect() for _ in range(2)]
    first[1].write(HELD)
    await talk.until(lambda: len(strangers_of(talk)) == 1)
    second[1].write(LAST)
    await talk.until(lambda: len(strangers_of(talk)) == 2)
    answer = asyncio.create_task(second[0].read())
    for _ in range(20):
        await asyncio.sleep(0)
    assert not answer.done()
    talk.go_on.set()
    assert (await answer).startswith(b"HTTP/1.1 200")
    assert (await first[0].readline()).startswith(b"HTTP/1.1 200")
    assert not len(strangers_of(talk))


def test_whoever_waits_for_something_keeps_nobody_from_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "TURN", 0.01)

    @talking(strangers_at_once=1)
    async def asked(talk: Talk) -> None:
        held = await talk.connect()
        held[1].write(HELD)
        await talk.until(lambda: len(strangers_of(talk)) > 0)
        assert (await talk.say(LAST)).startswith(b"HTTP/1.1 200")
        talk.go_on.set()
        assert (await held[0].readline()).startswith(b"HTTP/1.1 200")
        assert not len(strangers_of(talk))

    asked()


def test_a_crowd_is_accepted_a_few_at_a_time() -> None:
    """All at once they would take every descriptor, and nobody would be accepted for a second after that."""
    connections_made: list[int] = []
    rounds = 0

    class Counted(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            connections_made.append(rounds)
            transport.close()

    async def accept() -> None:
        nonlocal rounds
        server = await asyncio.get_running_loop().create_server(Counted, sock=bound, backlog=128)
        crowd = [socket.create_connection(bound.getsockname()) for _ in range(3 * AT_ONCE)]
        while len(connections_made) < len(crowd):
            rounds += 1
            await asyncio.sleep(0)
        for connection in crowd:
            connection.close()
        server.close()

    with socket.create_server(("127.0.0.1", 0)) as bound, asyncio.Runner(loop_factory=AcceptingLoop) as runner:
        runner.run(accept())
    assert max(Counter(connections_made).values()) <= AT_ONCE
