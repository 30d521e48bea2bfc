"""The ASGI middleware before the routes: refusals, limits, the headers of answers, and metrics.

It is all that stands between uvicorn and the routes: it answers errors by the application's handlers, too.

Strangers, who neither play nor have an account, may be refused while the server is behind; their questions (GET) are
answered a few at a time. A question gets its turn when it has been received, and counts until its answer begins.
Large answers are sent in pieces, because the event loop copies what the client has not taken yet: a hundred clients
that asked for half a megabyte and read nothing held fifty MiB. A connection is notified when its answer is complete.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from fullprime.messages import error_message, render
from fullprime.web.addresses import client_key
from fullprime.web.connections.fair_queue import FairQueue, QueueFull
from fullprime.web.connections.registry import OpenConnection, RejectReason, connection_of, do_nothing
from fullprime.web.error_answers import answer_error, encode_error, to_error
from fullprime.web.languages import VARIES, language_of
from fullprime.web.monitoring import Metrics, log_fault, route_of
from fullprime.web.rate_limits import GUESSING, LARGEST_BODY, MAKING, RequestGate, largest_body, too_large
from fullprime.web.streams import NDJSON

PIECE = 65_536
"""Bytes that are sent at once; the next ones wait until the client has taken most of them."""
TURN = 0.5
"""Seconds after which a stranger's question gives its turn to the next one, because it is waiting for something."""
HELD = 64 << 20
"""The most bytes of bodies that have been received in part, for all requests together."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        " manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Frame-Options": "DENY",
}
"""The security headers of every answer that does not set them itself."""
OF_DOCUMENTS = frozenset({"Cross-Origin-Opener-Policy", "Permissions-Policy", "X-Frame-Options"})
"""The headers that browsers read only of documents, so that the fifty scripts and styles of a page go without."""
_OF_ALL = [(name.lower().encode(), value.encode()) for name, value in {**HEADERS, "Cache-Control": "no-cache"}.items()]
_OF_PARTS = [header for header in _OF_ALL if header[0] not in {name.lower().encode() for name in OF_DOCUMENTS}]
"""The headers of answers as they are sent, and those of scripts and styles."""
_NAMES_OF_ALL = frozenset(name for name, _ in _OF_ALL)
_IN_LANGUAGE = (b"application/json", NDJSON.encode())
"""The media of answers whose sentences are in the language of their reader."""
_BUSY = encode_error(to_error("full", "the server is busy: try again in a little while"))
"""The answer while the server is overloaded, in English, because it is made once, before any request."""
_VARY = (b"vary", VARIES.encode())
_FILES = "fastapi_middleware_astack"
"""The key under which FastAPI's routes expect the stack of the files of a form."""

ErrorHandler = Callable[[Request, Any], Any]
"""A coroutine that makes the answer to an error of its kind; the framework's type of it allows plain functions, too."""

log = logging.getLogger(__name__)


class Middleware:
    """Lets requests through that pass the gate, unless the server is too busy; `HttpConnection` needs it."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        gate: RequestGate,
        metrics: Metrics,
        handlers: Mapping[Any, ErrorHandler] = MappingProxyType({}),
    ) -> None:
        """``handlers`` answer the errors of requests, each those of a class."""
        self._app, self._gate, self._metrics, self._handlers = app, gate, metrics, handlers
        self._sockets = ExceptionMiddleware(app, handlers)
        # To hash a password takes 64 MiB, to make a game several waits for the disk; threads are left for players.
        hashing, storing = FairQueue(2, 22), FairQueue(3, 63)
        self._queues = {**dict.fromkeys(GUESSING, hashing), **dict.fromkeys(MAKING, storing)}
        self._bodies = BodyMemory()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, when a stranger's turn comes; refuse a stranger while the server is behind."""
        connection = connection_of(scope)
        if scope["type"] == "websocket":
            await self._connect(connection, scope, receive, send)
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        elif connection is None:
            await self._answer(AnswerSender(scope, send, self._metrics, None), receive)
        elif not connection.registry.admits_request(connection, scope["headers"]):
            await _send_busy(connection, send)
        elif (
            connection.is_known or connection.registry.stranger_queue is None or scope["method"] not in ("GET", "HEAD")
        ):
            await self._answer(AnswerSender(scope, send, self._metrics, connection), receive)
        else:
            await self._answer_stranger(connection, connection.registry.stranger_queue, scope, receive, send)

    async def _answer(self, answer: AnswerSender, receive: Receive) -> None:
        """Refuse, or let the request through with a limit on its body; an unexpected error is a plain 500."""
        scope, connection = answer.scope, answer.connection
        refusal = self._gate.refusal(scope)
        if refusal is not None:
            wait = {"Retry-After": "5"} if refusal[0] == "busy" else None
            await answer_error(scope, *refusal, headers=wait)(scope, receive, answer)
            return
        close = do_nothing if connection is None else connection.close
        body = answer.body = LimitedBody(receive, largest_body(scope["path"]), self._bodies, client_key(scope), close)
        queue = self._queues.get(scope["path"]) if scope["method"] == "POST" else None
        try:
            async with AsyncExitStack() as scope[_FILES]:
                if queue is None:
                    await self._app(scope, body, answer)
                else:
                    await self._answer_in_turn(queue, answer, body)
        except ClientDisconnect:
            return  # before all of the question was there: no fault, and no client is left to answer
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            await self._answer_error(answer, body, error)
        finally:
            if body.held:
                self._bodies.release(body)

    async def _answer_error(self, answer: AnswerSender, body: LimitedBody, error: Exception) -> None:
        """Answer an error by its handler; one that is not expected, or comes in the midst of an answer, is a fault."""
        scope = answer.scope
        handler = next((self._handlers[kind] for kind in type(error).__mro__ if kind in self._handlers), None)
        if handler is not None and not answer.status:
            try:
                response: Response = await handler(Request(scope, body), error)
                await response(scope, body, answer)
                return
            except Exception as another:  # noqa: BLE001 - the same
                error = another
        words = log_fault(scope, error)
        if answer.status:
            raise error
        await answer_error(scope, "fault", words)(scope, body, answer)

    async def _answer_in_turn(self, queue: FairQueue, answer: AnswerSender, body: LimitedBody) -> None:
        """Let a request through when all of it has been received and its turn has come."""
        scope, read = answer.scope, await buffer_body(body)
        try:
            place = await queue.enter(body.owner)
        except QueueFull as error:
            wait = {"Retry-After": str(error.retry_after)}
            await answer_error(scope, error.code, error_message(error), headers=wait)(scope, body, answer)
            return
        try:
            await self._app(scope, read, answer)
        finally:
            place.leave()

    async def _answer_stranger(
        self, connection: OpenConnection, queue: FairQueue, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer, when it is the question's turn; 503 when too many wait."""
        read = await buffer_body(receive, LARGEST_BODY)  # first: a stranger who sends slowly takes no turn of others
        try:
            place = await queue.enter(client_key(scope))
        except QueueFull as error:
            connection.registry.count_refusal(RejectReason.BUSY)
            headers = {"Retry-After": str(error.retry_after), "Connection": "close"}
            answer = AnswerSender(scope, send, self._metrics, connection)
            await answer_error(scope, error.code, error_message(error), headers=headers)(scope, receive, answer)
            return
        releasing = asyncio.get_running_loop().call_later(TURN, place.release_turn)

        def end() -> None:
            releasing.cancel()
            place.leave()

        try:
            await self._answer(AnswerSender(scope, send, self._metrics, connection, on_start=end), read)
        finally:
            end()

    async def _connect(self, connection: OpenConnection | None, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a WebSocket, or let it through."""
        if connection is not None:
            if b"x-forwarded-for" in dict(scope["headers"]):
                connection.registry.warn_of_proxy(connection)
            connection.registry.recognise_client(connection, scope["headers"])
        self._metrics.count_socket(1)
        try:
            refusal = self._gate.refusal(scope)
            if refusal is None:
                await self._sockets(scope, receive, send)
            else:
                await receive()
                words = render(refusal[1], language_of(HTTPConnection(scope)))
                await send({"type": "websocket.close", "code": 1008, "reason": words[:100]})
        except Exception:
            log.exception("socket failed", extra={"route": route_of(scope)})
            raise
        finally:
            self._metrics.count_socket(-1)


@dataclass(slots=True)
class AnswerSender:
    """An answer while it is sent: it is measured, gets the common headers, and is sent in pieces.

    If the body of its request was cut off, a refusal is sent instead.
    """

    scope: Scope
    send: Send
    metrics: Metrics
    connection: OpenConnection | None
    on_start: Callable[[], None] | None = None
    body: LimitedBody | None = None
    begun: float = field(default_factory=time.perf_counter)
    status: int = 0
    """The status that was sent; 0 before the answer has begun."""
    is_cut_off: bool = False

    async def __call__(self, message: AsgiMessage) -> None:
        """Send a message of the application."""
        if self.is_cut_off:
            return
        if message["type"] == "http.response.start":
            if self.on_start is not None:
                self.on_start()
            if self.body is not None and self.body.is_over:
                self.is_cut_off, self.status = True, 413
                refusal = answer_error(self.scope, "too_large", too_large(self.body.largest))
                await refusal(self.scope, self.body, replace(self, body=None, is_cut_off=False))
                return
            self.status = message["status"]
            # A stream of events may last for days: what counts is when it begins.
            self.metrics.note_answer(self.scope, self.status, time.perf_counter() - self.begun)
            headers: list[tuple[bytes, bytes]] = message["headers"]
            names = dict(headers)  # those of ASGI are in small letters
            media = names.get(b"content-type", b"")
            common = _OF_PARTS if media.startswith((b"text/javascript", b"text/css")) else _OF_ALL
            if not _NAMES_OF_ALL.isdisjoint(names):
                common = [header for header in common if header[0] not in names]
            message = {**message, "headers": [*headers, *common]}
            if media.startswith(_IN_LANGUAGE):
                if b"vary" in names:
                    MutableHeaders(scope=message).add_vary_header(VARIES)
                else:
                    message["headers"].append(_VARY)
        body = message.get("body", b"")
        is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
        if len(body) <= PIECE:
            await self.send(message)
        else:
            for start in range(0, len(body), PIECE):
                more = not is_last or start + PIECE < len(body)
                await self.send({"type": message["type"], "body": body[start : start + PIECE], "more_body": more})
        if is_last and self.connection is not None:
            self.connection.on_answered()


async def _send_busy(connection: OpenConnection, send: Send) -> None:
    """Refuse a request because the server is overloaded, at the least cost."""
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(_BUSY)),
        (b"retry-after", b"5"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": _BUSY})
    connection.on_answered()


# -- bodies -----------------------------------------------------------------------------------------------------
class BodyMemory:
    """The memory for bodies that are being received, shared fairly among the addresses that send them."""

    def __init__(self, most: int = HELD) -> None:
        self._most = most
        self._held: dict[LimitedBody, None] = {}  # in the order in which they began
        self._total = 0

    def hold(self, body: LimitedBody, size: int) -> None:
        """Note that a body has grown; when all together are too large, end the largest of the address with most."""
        self._held[body] = None
        body.held += size
        self._total += size
        while self._total > self._most:
            of_owner: Counter[str] = Counter()
            for other in self._held:
                of_owner[other.owner] += other.held
            largest = max(self._held, key=lambda other: (of_owner[other.owner], other.held))
            self.release(largest)
            largest.end()

    def release(self, body: LimitedBody) -> None:
        """Free the memory of a body that is complete, or whose request has ended."""
        self._total -= body.held
        body.held = 0
        self._held.pop(body, None)


@dataclass(slots=True, eq=False)
class LimitedBody:
    """The messages of one request's body, limited to ``largest`` bytes, even where the request names no length.

    ``close`` ends the connection of a request whose body must make room for others.
    """

    receive: Receive
    largest: int
    bodies: BodyMemory
    owner: str
    close: Callable[[], None]
    is_over: bool = False
    """True if more came than is allowed."""
    is_ended: bool = False
    """True if its memory was needed for other bodies."""
    size: int = 0
    held: int = 0
    """The bytes received so far, while more are to come."""

    async def __call__(self) -> AsgiMessage:
        """The next message; ``http.disconnect`` when no more of the body is taken."""
        message = await self.receive()
        size = len(message.get("body", b""))
        self.size += size
        self.is_over = self.size > self.largest
        if size and message.get("more_body") and not self.is_over and not self.is_ended:
            self.bodies.hold(self, size)
        elif self.held:
            self.bodies.release(self)
        return {"type": "http.disconnect"} if self.is_over or self.is_ended else message

    def end(self) -> None:
        """Receive no more of the body, and end its connection."""
        self.is_ended = True
        self.close()


async def buffer_body(receive: Receive, most: int | None = None) -> Receive:
    """Read all messages of a body, and give a function that receives them again; stops reading after ``most`` bytes."""
    messages = [await receive()]
    size = len(messages[0].get("body", b""))
    while messages[-1].get("more_body") and (most is None or size <= most):
        messages.append(await receive())
        size += len(messages[-1].get("body", b""))
    waiting = iter(messages)

    async def next_message() -> AsgiMessage:
        return next(waiting, None) or await receive()

    return next_message
