"""HTTP and WebSockets on one connection, as uvicorn speaks them, within the limits of the entrance.

uvicorn has no limit on the size and the time of a request's head or body, on connections that ask nothing, or on
readers that do not read; its ``limit_concurrency`` refuses everybody alike. So its two protocols are extended here.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

import httptools
from uvicorn._types import ASGI3Application, ASGISendCallable, ASGISendEvent
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import CloseCode

from fullprime.web.connections.visits import ENTRANCE, VISIT, Entrance, Visit, Why, nothing

_SLICE = 4096
"""Bytes that are parsed at once: a head is found too large soon after it is."""
_REST = 7.0
"""Seconds between two requests: more than uvicorn's own five, after which it closes such a connection."""


class _SlowReader:
    """Ends a connection whose other side takes nothing of what waits for it."""

    def __init__(self, entrance: Entrance, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._entrance, self._transport, self._loop = entrance, transport, loop
        self._timer: asyncio.TimerHandle | None = None

    def does_not_read(self) -> None:
        """So much waits for the other side that no more is written."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._entrance.limits.write_seconds, self._end)

    def reads(self) -> None:
        """The other side has taken something, or has gone."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        self._timer = None
        self._entrance.refuse(Why.READER)
        self._transport.abort()


class _Watched(asyncio.Protocol):
    """A connection that is ended when its other side does not read; `_watch` begins it."""

    transport: asyncio.Transport
    _visit: Visit | None = None
    _reader: _SlowReader | None = None
    _unread_until: float | None = None
    """The visit's deadline while what is to be sent is not read; None while it is, or the visit rests anyhow."""

    def _watch(self, entrance: Entrance, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._reader = _SlowReader(entrance, transport, loop)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is waited for any more."""
        super().connection_lost(exc)
        # One that its other side has reset is closed by nobody, and knows its own methods until it is: a circle.
        self.transport.close()
        if self._reader is not None:
            self._reader.reads()

    def pause_writing(self) -> None:
        """What is to be sent is not read."""
        super().pause_writing()
        if self._reader is not None:
            self._reader.does_not_read()
        if self._visit is not None and self._visit.deadline is None:
            # Others may have its place; the reader's own time is over before this deadline.
            limits = self._visit.entrance.limits
            self._unread_until = self._visit.entrance.clock() + 2 * limits.write_seconds
            self._visit.waits_until(self._unread_until)

    def resume_writing(self) -> None:
        """It is read again."""
        super().resume_writing()
        if self._reader is not None:
            self._reader.reads()
        if self._visit is not None and self._unread_until is not None and self._visit.deadline == self._unread_until:
            self._visit.waits_until(None)
        self._unread_until = None


class HttpConnection(_Watched, HttpToolsProtocol):
    """One connection that speaks HTTP, until it ends or becomes a WebSocket."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._entrance: Entrance = app_state[ENTRANCE]
        self._visit: Visit | None = None
        self._unfinished = 0
        """Bytes that came since anything of a request was complete."""
        self._asking = False
        """True while a request has begun and not come to its end."""
        self._moved = False
        self._under_way: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection in, or turn it away."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        self._visit = self._entrance.enter(address, transport.abort, self._expire)
        if self._visit is None:
            self._end(503, "too many connections: try again in a little while", retry=True)
            return
        self.app_state = {**self.app_state, VISIT: self._visit}
        self._watch(self._entrance, transport, self.loop)
        self._wait(self._entrance.limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let the connection go."""
        super().connection_lost(exc)
        if self._under_way is not None and not self._under_way.response_complete:
            # uvicorn tells only the latest of several requests.
            self._under_way.disconnected = True
            self._under_way.message_event.set()
        self._unset_keepalive_if_required()  # uvicorn leaves it where the other side has reset: again a circle
        # Requests that never had their turn know this connection, which knows them: a circle, and what they hold stays.
        for cycle, _ in self.pipeline:
            cycle.on_response = nothing
        self.pipeline.clear()
        if self._visit is not None:
            self._entrance.leave(self._visit)

    def data_received(self, data: bytes) -> None:
        """Read on, in pieces, so that what is too large is seen before it is stored."""
        self._unset_keepalive_if_required()
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing() or not self._read(data[start : start + _SLICE]):
                return

    def _read(self, data: bytes) -> bool:
        """Read one piece; False when this was the last one."""
        self._moved = upgrades = False
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            upgrades = self._should_upgrade()
        except httptools.HttpParserError:
            self._entrance.refuse(Why.MALFORMED)
            self._end(400, "this is no HTTP")
            return False
        if upgrades:  # not while the exception is there: an error of the handshake would keep it, and this connection
            self.handle_websocket_upgrade()
            return False
        self._unfinished = 0 if self._moved else self._unfinished + len(data)
        if self._unfinished > self._entrance.limits.head_bytes:
            self._entrance.refuse(Why.HEAD)
            self._end(431, "the head of a request is too large")
            return False
        if len(self.pipeline) > self._entrance.limits.pipelined:
            self._entrance.refuse(Why.PIPELINED)
            self.transport.abort()
            return False
        return True

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over; its visit goes on, and rests until a live line begins."""
        self._wait(self._entrance.limits.hello_seconds)
        visit, self._visit = self._visit, None
        if visit is not None:
            visit.expire = visit.close
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it knows this connection: a circle

    # -- what the parser tells ------------------------------------------------------------------------------------
    def on_message_begin(self) -> None:
        """A request begins: its head has a time of its own."""
        super().on_message_begin()
        self._moved = self._asking = True
        self._wait(self._entrance.limits.head_seconds)

    def on_headers_complete(self) -> None:
        """The head is there; the body has a time of its own."""
        self._moved = True
        self._wait(self._entrance.limits.body_seconds)
        app, visit = self.app, self._visit
        if visit is not None:
            self._entrance.warn_of_proxy(visit, self.headers)
            if not self._entrance.hears(visit, self.headers):
                self.app = _too_busy
        try:
            super().on_headers_complete()
        finally:
            self.app = app

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._under_way = cycle
        super()._start_asgi_task(cycle, app)

    def on_body(self, body: bytes) -> None:
        """A piece of a body gains time for the next one."""
        self._moved = True
        limits, visit = self._entrance.limits, self._visit
        if visit is not None and visit.deadline is not None:
            latest = self._entrance.clock() + limits.body_seconds
            visit.waits_until(min(latest, visit.deadline + len(body) / limits.body_rate))
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is there; it is the server's turn."""
        self._moved, self._asking = True, False
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and cycle.response_complete:
            self._wait(_REST)  # it was answered before it was all there
        elif self._visit is not None:
            self._visit.waits_until(None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer is written. The client has some time to ask again, or to end what it was sending."""
        idle = not self.pipeline
        super().on_response_complete()
        if idle and not self._asking:
            self._wait(_REST)

    # -- ends -----------------------------------------------------------------------------------------------------
    def _wait(self, seconds: float) -> None:
        if self._visit is not None:
            self._visit.waits_until(self._entrance.clock() + seconds)

    def _expire(self) -> None:
        """The time is over: without a word for a connection that rests, with 408 for a request that was begun."""
        if self.flow.read_paused:
            # The rest of the body waits until the application takes what has come.
            self._wait(self._entrance.limits.body_seconds)
        elif not self._asking:
            self.transport.abort()
        else:
            self._entrance.refuse(Why.SLOW)
            self._end(408, "the request did not come to its end in time")

    def _end(self, status: int, why: str, *, retry: bool = False) -> None:
        """Say why, unless an answer is under way, and close."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            self.transport.abort()
            return
        body = b'{"error":"%s"}' % why.encode()
        lines = [STATUS_LINE[status], b"content-type: application/json\r\n", b"content-length: %d\r\n" % len(body)]
        lines += [b"retry-after: 10\r\n"] if retry else []
        self.transport.write(b"".join([*lines, b"connection: close\r\n\r\n", body]))
        self.transport.close()


class LiveConnection(_Watched, WebSocketsSansIOProtocol):
    """One connection that has become a WebSocket."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._entrance: Entrance = app_state[ENTRANCE]
        self._visit: Visit | None = app_state.get(VISIT)
        self._frames = 0
        self._since = 0.0
        self._early = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is a WebSocket from now on."""
        super().connection_made(transport)
        self._watch(self._entrance, cast("asyncio.Transport", transport), self.loop)
        self._since = self._entrance.clock()

    def data_received(self, data: bytes) -> None:
        """Read on, in pieces: a piece of tiny frames takes as long as it is large."""
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            if self.handshake_initiated and not self.handshake_complete:
                self._keep(data[start : start + _SLICE])
                continue
            super().data_received(data[start : start + _SLICE])
            limits = self._entrance.limits
            if self._frames > limits.frames + limits.frames_rate * (self._entrance.clock() - self._since):
                self._entrance.refuse(Why.FRAMES)
                self.transport.abort()

    def _keep(self, data: bytes) -> None:
        """Keep what comes before the handshake is answered: there is no line yet that a bad frame could end."""
        self._early += data
        if len(self._early) > _SLICE:
            self._entrance.refuse(Why.FRAMES)
            self.transport.abort()

    def handle_events(self) -> None:
        """Count what was said: nothing is heard here but the first message."""
        before = len(self.conn.events)
        super().handle_events()
        self._frames += before

    def send_receive_event_to_app(self) -> None:
        """Hand a message on. Bad UTF-8 ends the line: uvicorn does that too, but logs it as a fault of the server."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_utf_8(b"".join(self.frames)):
            self.frames = []
            self.conn.fail(CloseCode.INVALID_DATA, "text that is not UTF-8")
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    async def send(self, message: ASGISendEvent) -> None:
        """Send what the application says. A line that has ended meanwhile needs no end.

        With the answer to the handshake the line begins, and what came before it is read.
        """
        await self.writable.wait()
        if self.disconnected or (self.close_sent and self.transport.is_closing()):
            if message["type"] == "websocket.close":
                return
            raise ClientDisconnected
        await super().send(message)
        if self._early and self.handshake_complete:
            early, self._early = self._early, b""
            self.data_received(early)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let the connection go, and what of it stands in circles: that would wait for the garbage collection."""
        super().connection_lost(exc)
        self.conn.parser.close()
        self.conn.parser_exc = None
        error: BaseException | None = self.conn.handshake_exc
        while error is not None:  # its traceback leads to the request, which knows the error
            error.__traceback__, error = None, error.__context__
        self.conn.extensions = []
        if self._visit is not None:
            self._entrance.leave(self._visit)


def _is_utf_8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


async def _too_busy(_scope: object, _receive: object, send: ASGISendCallable) -> None:
    """The answer to strangers while the server is behind: it costs next to nothing."""
    body = b'{"error":"the server is busy: try again in a little while"}'
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"retry-after", b"5"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
