"""The guard before every request: hosts, origins, sizes, rates, and the headers that a browser must heed."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from fullprime.messages import Message, render, render_error
from fullprime.web.addresses import whom
from fullprime.web.connections.bodies import LARGEST_BODY, Bodies, Body, whole
from fullprime.web.connections.fair_queue import FairQueue, QueueFull
from fullprime.web.connections.visits import nothing, visit_of
from fullprime.web.languages import VARIES, language_of
from fullprime.web.streams import MEDIA

LARGER_BODIES: dict[str, int] = {}
"""Beginnings of paths that take more: files of matches, for instance."""
CREATING = ("/api/games", "/api/lobby", "/api/reviews", "/api/analysis/jobs")
"""Paths of requests that store something, or make the server think: they have a stricter rate."""
GUESSING = ("/api/account/sign-in", "/api/account/sign-up", "/api/account/password", "/api/account/remove")
"""Paths at which passwords are tried, and hashed at some cost: the strictest."""
MAKING = ("/api/games", "/api/lobby")
"""Paths of requests that store much at once."""
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")

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
OF_DOCUMENTS = frozenset({"Cross-Origin-Opener-Policy", "Permissions-Policy", "X-Frame-Options"})
"""Those that browsers read of documents alone: the fifty scripts and styles of a page do without."""
_OF_ALL = [(name.lower().encode(), value.encode()) for name, value in {**HEADERS, "Cache-Control": "no-cache"}.items()]
_OF_PARTS = [header for header in _OF_ALL if header[0] not in {name.lower().encode() for name in OF_DOCUMENTS}]
"""The headers of answers as they are sent, and those of scripts and styles."""


@dataclass(frozen=True, slots=True)
class RequestRate:
    """So many requests at once, and so many a second after that."""

    burst: int
    per_second: float


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """The rates allowed to one address; None for no limit."""

    reading: RequestRate | None = RequestRate(1200, 200)
    acting: RequestRate | None = RequestRate(300, 50)
    creating: RequestRate | None = RequestRate(60, 1)
    guessing: RequestRate | None = RequestRate(60, 0.2)


LIMITS = RequestLimits()
NO_LIMITS = RequestLimits(None, None, None, None)


class Buckets:
    """Token buckets by address; the addresses heard of longest ago are forgotten."""

    def __init__(self, rate: RequestRate, clock: Callable[[], float] = time.monotonic, most: int = 10_000) -> None:
        self._rate, self._clock, self._most = rate, clock, most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """True if one more request of that address is within the rate."""
        rate, now = self._rate, self._clock()
        left, since = self._left.pop(address, (float(rate.burst), now))
        left = min(float(rate.burst), left + (now - since) * rate.per_second)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return allowed


class Gate:
    """The checks of every request. ``hosts`` are the names by which this server may be called; None for all."""

    def __init__(self, hosts: Iterable[str] | None = LOCAL_HOSTS, limits: RequestLimits = LIMITS) -> None:
        self._hosts = None if hosts is None else {host.lower() for host in hosts}
        rates = (limits.reading, limits.acting, limits.creating, limits.guessing)
        self._reading, self._acting, creating, guessing = (None if rate is None else Buckets(rate) for rate in rates)
        self._dear = {**dict.fromkeys(CREATING, creating), **dict.fromkeys(GUESSING, guessing)}

    def refusal(self, scope: Scope) -> tuple[int, Message] | None:
        """The status and the words with which a request is refused; None when it may go on, which is then counted."""
        headers = dict(reversed(scope["headers"]))  # the first of each name counts
        host = headers.get(b"host", b"").decode("latin-1")
        if self._hosts is not None and host not in self._hosts and _name(host) not in self._hosts:
            return 421, Message("this server is not known by that name")
        origin = headers.get(b"origin")
        unsafe = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        # Programs send neither; a browser always sends Origin, and must have the page from here.
        foreign = origin is not None and _site(origin.decode("latin-1")) != host
        if unsafe and (foreign or headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site")):
            return 403, Message("requests of other sites are refused")
        if scope["type"] == "http":
            length, largest = headers.get(b"content-length", b"0"), _largest(scope["path"])
            if not length.isdigit() or len(length) > 9 or int(length) > largest:
                return 413, Message("a request has at most {largest} bytes", largest=largest)
        buckets = self._dear.get(scope["path"], self._acting) if unsafe else self._reading
        if buckets is not None and not buckets.take(whom(scope)):
            return 429, Message("too many requests: wait a little")
        return None


class Guard:
    """An ASGI middleware that lets requests through that pass the gate, and gives each answer its headers."""

    def __init__(self, app: ASGIApp, *, gate: Gate) -> None:
        self._app, self._gate = app, gate
        # To hash a password takes 64 MiB, to make a game several waits for the disk; threads are left for players.
        hashing, storing = FairQueue(2, 22), FairQueue(3, 63)
        self._queues = {**dict.fromkeys(GUESSING, hashing), **dict.fromkeys(MAKING, storing)}
        self._bodies = Bodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or let through with a limit on the body."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._gate.refusal(scope)
        if scope["type"] == "websocket":
            if refusal is not None:
                await receive()
                await send(
                    {
                        "type": "websocket.close",
                        "code": 1008,
                        "reason": render(refusal[1], language_of(HTTPConnection(scope)))[:100],
                    }
                )
                return
            await self._app(scope, receive, send)
            return
        if refusal is not None:
            status, why = refusal
            headers = {**HEADERS, "Retry-After": "5"} if status == 429 else dict(HEADERS)
            await JSONResponse({"error": render(why, language_of(HTTPConnection(scope)))}, status, headers)(
                scope, receive, send
            )
            return
        visit = visit_of(scope)
        close = nothing if visit is None else visit.close
        body = Body(receive, _largest(scope["path"]), self._bodies, whom(scope), close)
        headed = _Headed(send, body)
        queue = self._queues.get(scope["path"]) if scope["method"] == "POST" else None
        try:
            if queue is None:
                await self._app(scope, body, headed)
            else:
                await self._in_turn(queue, scope, body, headed)
        finally:
            self._bodies.release(body)

    async def _in_turn(self, queue: FairQueue, scope: Scope, body: Body, send: Send) -> None:
        """Let a request through when its turn comes, which it takes only when all of it is there."""
        read = await whole(body)
        try:
            place = await queue.enter(body.owner)
        except QueueFull as error:
            headers = {"Retry-After": str(error.retry_after)}
            await JSONResponse({"error": render_error(error, language_of(HTTPConnection(scope)))}, 503, headers)(
                scope, body, send
            )
            return
        try:
            await self._app(scope, read, send)
        finally:
            place.leave()


class _Headed:
    """An answer with the headers that every answer has. If the body was cut off, a refusal takes its place."""

    def __init__(self, send: Send, body: Body) -> None:
        self._send, self._body = send, body
        self._refused = False

    async def __call__(self, message: AsgiMessage) -> None:
        starts = message["type"] == "http.response.start"
        if starts and self._body.is_over:
            self._refused = True
            await self.refuse()
        if self._refused:
            return
        if starts:
            headers = list(message["headers"])
            given = {name.lower(): value for name, value in headers}
            media = given.get(b"content-type", b"")
            is_part = media.startswith((b"text/javascript", b"text/css"))
            headers += [header for header in (_OF_PARTS if is_part else _OF_ALL) if header[0] not in given]
            message = {**message, "headers": headers}
            if media.startswith(_IN_LANGUAGE):
                MutableHeaders(scope=message).add_vary_header(VARIES)
        await self._send(message)

    async def refuse(self) -> None:
        """Say that the body was too large."""
        answer = JSONResponse({"error": f"a request has at most {self._body.largest} bytes"}, 413, dict(HEADERS))
        await self._send({"type": "http.response.start", "status": 413, "headers": answer.raw_headers})
        await self._send({"type": "http.response.body", "body": answer.body})


_IN_LANGUAGE = (b"application/json", MEDIA.encode())
"""The media of answers whose sentences are in the language of their reader."""


def _largest(path: str) -> int:
    for start, most in LARGER_BODIES.items():
        if path.startswith(start):
            return most
    return LARGEST_BODY


def _site(origin: str) -> str | None:
    """The host and the port of an origin; None for a text that is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
