"""HTTP on one connection within the limits of connections: a protocol in front of uvicorn's.

uvicorn limits neither the size and time of a request's head or body, nor idle connections, nor readers that do not
read; its ``limit_concurrency`` refuses all clients alike.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from fullprime.rules.errors import ErrorCode
from fullprime.web.connections.registry import CONNECTION, REGISTRY, ConnectionRegistry, OpenConnection, RejectReason
from fullprime.web.connections.slow_readers import SlowReader
from fullprime.web.error_answers import encode_error, to_error

_SLICE = 4096
"""Bytes that are parsed at once, few, so that too large a head is noticed soon."""
_REST = 7.0
"""Seconds that a connection may rest between two requests, longer than the five of uvicorn, which closes it first."""
_LENGTH = re.compile(rb"\ncontent-length:[ \t]*([0-9]+)", re.IGNORECASE)
_UPGRADED = ConnectionError()


class HttpConnection(asyncio.Protocol):
    """One connection that speaks HTTP, until it ends or becomes a WebSocket.

    Data is parsed here first, by the parser that uvicorn uses, and handed on in pieces that end where a request ends. A
    request waits here until the one before it is answered, so that uvicorn has one request of a connection at a time.
    The application must be in `Middleware`.
    """

    _transport: asyncio.Transport
    _connection: OpenConnection
    _inner: HttpToolsProtocol | None = None
    """uvicorn's protocol; None for a connection that was turned away, or has ended."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._config, self._server_state, self._app_state = config, server_state, app_state
        self._registry: ConnectionRegistry = app_state[REGISTRY]
        self._parser: httptools.HttpRequestParser | None = None
        self._waiting: deque[bytearray] = deque()
        """Requests that are not handed on yet; the last one may be incomplete."""
        self._unanswered = 0
        """The number of requests with a complete head and no answer yet."""
        self._is_busy = False
        """True while a request has been handed on completely and is not answered."""
        self._asking = False
        """True while a request has begun and is not complete."""
        self._unfinished = 0
        """Bytes received since a part of a request was last complete."""
        self._moved = self._ended = False
        """True if the piece being parsed completes a part of a request; true if it ends a request."""
        self._url = b""
        self._head: bytes | None = b""
        """The incomplete head of a request; None once the length of the body has been found in it."""
        self._has_head = False
        self._length = 0
        """Bytes of the body that are still to come, where the head gives its length."""

    # -- what the transport tells ---------------------------------------------------------------------------------
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept the connection, or turn it away."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        peer = transport.get_extra_info("peername")
        connection = self._registry.register(peer[0] if isinstance(peer, tuple) else "", transport.abort, self._expire)
        if connection is None:
            self._end(503, "full", "too many connections: try again in a little while", retry=True)
            return
        connection.on_answered = self._end_answer
        self._connection, self._reader = connection, SlowReader(connection, transport)
        self._parser = httptools.HttpRequestParser(self)
        self._parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn has it
        self._inner = HttpToolsProtocol(self._config, self._server_state, {**self._app_state, CONNECTION: connection})
        self._inner.connection_made(transport)
        self._wait(self._registry.limits.head_seconds)

    def connection_lost(self, _exc: Exception | None) -> None:
        """Let the connection go."""
        # asyncio leaves a transport open that the client has reset; until it is closed it refers to its own methods.
        self._transport.close()
        if self._inner is not None:
            self._reader.stop_timeout()
            self._registry.unregister(self._connection)
            self._let_go(None)  # also after a reset, because for an error uvicorn keeps a timer, and a cycle

    def eof_received(self) -> None:
        """Let the transport close: a client that has ended its side takes no answer."""

    def pause_writing(self) -> None:
        """Note that the client does not read."""
        if self._inner is not None:
            self._inner.pause_writing()
            self._reader.start_timeout()

    def resume_writing(self) -> None:
        """Note that the client reads again."""
        if self._inner is not None:
            self._inner.resume_writing()
            self._reader.stop_timeout()

    def data_received(self, data: bytes) -> None:
        """Read the data in pieces, so that too large a request is noticed before it is stored."""
        start = 0
        while start < len(data) and not self._transport.is_closing() and self._parser is not None:
            piece = data[start : start + min(_SLICE, self._length or _SLICE)]
            piece = piece if self._length else _to_empty_line(piece, self._asking)
            start += len(piece)
            self._read(self._parser, piece)
        line = self._transport.get_protocol()
        if self._inner is None and isinstance(line, asyncio.Protocol) and line is not self and start < len(data):
            line.data_received(data[start:])  # frames that did not wait for the answer to the handshake
        if self._waiting:
            self._transport.pause_reading()

    def _read(self, parser: httptools.HttpRequestParser, piece: bytes) -> None:
        """Read one piece, and hand it on if it is within the limits and nothing before it waits."""
        begins, self._moved, self._ended = not self._asking, False, False
        try:
            parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            pass  # uvicorn finds out, too
        except httptools.HttpParserError:
            self._refuse(RejectReason.MALFORMED, 400, "invalid", "this is no HTTP")
            return
        if self._asking and self._head is not None:
            self._head += piece
            if self._has_head:
                length = _LENGTH.search(self._head)
                self._length, self._head = int(length[1]) if length else 0, None
        self._unfinished = 0 if self._moved else self._unfinished + len(piece)
        if self._unfinished > self._registry.limits.head_bytes:
            self._refuse(RejectReason.HEAD, 431, "too_large", "the head of a request is too large")
        elif self._unanswered > self._registry.limits.pipelined + 1:
            self._registry.count_refusal(RejectReason.PIPELINED)
            self._transport.abort()
        elif begins and not self._moved:
            pass  # empty lines before a request
        elif not self._is_busy:
            self._hand_on(piece, ends=self._ended)
        else:
            if begins or not self._waiting:
                self._waiting.append(bytearray())
            self._waiting[-1] += piece

    def _hand_on(self, data: bytes, *, ends: bool) -> None:
        """Hand a part of a request on to uvicorn, which may turn the connection into a WebSocket."""
        if self._inner is None:
            return
        self._is_busy = ends and self._unanswered > 0
        self._inner.data_received(data)
        if self._transport.get_protocol() is not self:
            self._reader.stop_timeout()
            self._let_go(_UPGRADED)  # with an error, uvicorn leaves the transport open

    def _let_go(self, why: Exception | None) -> None:
        """End uvicorn's protocol, and break reference cycles, which would wait for a garbage collection."""
        inner, self._inner, self._parser = self._inner, None, None
        self._waiting.clear()
        if inner is not None:
            inner.connection_lost(why)

    # -- what the parser tells ------------------------------------------------------------------------------------
    def on_message_begin(self) -> None:
        """Begin the time for the head of a request."""
        if self._ended:
            raise ValueError  # two requests in one piece
        self._moved = self._asking = True
        self._url, self._head, self._has_head = b"", b"", False
        self._wait(self._registry.limits.head_seconds)

    def on_url(self, url: bytes) -> None:
        """Keep the address; a long one comes in parts."""
        self._url += url

    def on_headers_complete(self) -> None:
        """Begin the time for the body of a request."""
        if not (self._url.startswith(b"/") and self._url.isascii()):
            httptools.parse_url(self._url).path.decode("ascii")  # raises for what uvicorn refuses by words of its own
        self._moved = self._has_head = True
        self._unanswered += 1
        self._wait(self._registry.limits.body_seconds)

    def on_body(self, body: bytes) -> None:
        """Allow more time for the next piece of a body."""
        self._moved = True
        self._length = max(0, self._length - len(body))
        limits, connection = self._registry.limits, self._connection
        if connection.deadline is not None:
            latest = self._registry.clock() + limits.body_seconds
            self._registry.set_deadline(connection, min(latest, connection.deadline + len(body) / limits.body_rate))

    def on_message_complete(self) -> None:
        """Note that a request is complete, so that the server must answer it, unless it has done so before its end."""
        self._moved, self._ended, self._asking, self._length = True, True, False, 0
        if self._unanswered:
            self._connection.registry.set_deadline(self._connection, None)
        else:
            self._wait(_REST)

    # -- what the application tells -------------------------------------------------------------------------------
    def _end_answer(self) -> None:
        """Note that an answer is written; the client then has some time for another request, or to end this one."""
        self._unanswered -= 1
        self._is_busy = False
        if not self._unanswered and not self._asking:
            self._wait(_REST)
        if not self._waiting or self._transport.is_closing():
            return
        request = bytes(self._waiting.popleft())
        if not self._waiting:
            self._transport.resume_reading()  # before uvicorn has the request, which may be a reason to pause again
        self._hand_on(request, ends=bool(self._waiting) or not self._asking)

    # -- ends -----------------------------------------------------------------------------------------------------
    def _wait(self, seconds: float) -> None:
        self._registry.set_deadline(self._connection, self._registry.clock() + seconds)

    def _expire(self) -> None:
        """Close the connection, because its time is over; answers 408 to a request that was begun."""
        if self._transport.is_closing() or not (self._asking or not self._transport.is_reading()):
            self._transport.abort()
        elif not self._transport.is_reading():
            # The rest of the body waits until the application takes what has come.
            self._wait(self._registry.limits.body_seconds)
        else:
            self._refuse(RejectReason.SLOW, 408, "timed_out", "the request did not come to its end in time")

    def _refuse(self, reason: RejectReason, status: int, code: ErrorCode, why: str) -> None:
        self._registry.count_refusal(reason)
        self._end(status, code, why)

    def _end(self, status: int, code: ErrorCode, why: str, *, retry: bool = False) -> None:
        """Answer with the reason, unless another answer is under way, and close."""
        if self._unanswered:
            self._transport.abort()
            return
        body = encode_error(to_error(code, why))
        lines = [
            b"HTTP/1.1 %d %b" % (status, HTTPStatus(status).phrase.encode()),
            b"content-type: application/json",
            b"content-length: %d" % len(body),
            *([b"retry-after: 10"] if retry else []),
            b"connection: close",
        ]
        self._transport.write(b"\r\n".join([*lines, b"", body]))
        self._transport.close()


def _to_empty_line(piece: bytes, goes_on: bool) -> bytes:
    """The piece up to an empty line, which ends heads and chunked bodies.

    Where a request goes on, the line before may have come earlier; between requests empty lines mean nothing.
    """
    if goes_on and piece.startswith((b"\n", b"\r\n")):
        return piece[: piece.index(b"\n") + 1]
    end = piece.find(b"\n\r\n", 0 if goes_on else len(piece) - len(piece.lstrip(b"\r\n")))
    return piece if end < 0 else piece[: end + 3]
