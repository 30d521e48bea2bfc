"""What stands before every request: hosts, origins, sizes, rates, and the headers that a browser must heed."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 16_384
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
}


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests at once, and so many a second after that."""

    burst: int
    per_second: float


class Buckets:
    """Token buckets by address; the addresses heard of longest ago are forgotten."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic, most: int = 10_000) -> None:
        self._rate, self._clock, self._most = rate, clock, most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether one more request of that address is within the rate."""
        now = self._clock()
        left, since = self._left.pop(address, (float(self._rate.burst), now))
        left = min(float(self._rate.burst), left + (now - since) * self._rate.per_second)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return allowed


class Guard:
    """An ASGI middleware. ``hosts`` are the names by which this server may be called; None for every name."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str] | None = LOCAL_HOSTS,
        acting: Rate = Rate(300, 50),
        creating: Rate = Rate(60, 1),
    ) -> None:
        self._app = app
        self._hosts = None if hosts is None else {host.lower() for host in hosts}
        self._acting, self._creating = Buckets(acting), Buckets(creating)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or let through with a limit on the body."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if scope["type"] == "websocket":
            if refusal is not None:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": refusal[1][:100]})
                return
            await self._app(scope, receive, send)
            return
        if refusal is not None:
            status, why = refusal
            await JSONResponse({"error": why}, status, dict(HEADERS))(scope, receive, send)
            return
        await self._app(scope, _Limited(receive), _headed(send))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._hosts is not None and _name(host) not in self._hosts:
            return 421, "this server is not known by that name"
        origin = headers.get("origin")
        unsafe = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        # Programs send no Origin; a browser always does, and must have the page from here.
        if unsafe and origin is not None and urlsplit(origin).netloc != host:
            return 403, "requests of other sites are refused"
        if scope["type"] == "http":
            length = headers.get("content-length", "0")
            if not length.isdigit() or int(length) > LARGEST_BODY:
                return 413, f"a request has at most {LARGEST_BODY} bytes"
        if unsafe:
            address = scope["client"][0] if scope.get("client") else ""
            buckets = self._creating if scope["path"] == "/api/games" else self._acting
            if not buckets.take(address):
                return 429, "too many requests: wait a little"
        return None


class _Limited:
    """A body that says no length is cut off all the same."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._read = receive, 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        if self._read > LARGEST_BODY:
            return {"type": "http.disconnect"}
        return message


def _headed(send: Send) -> Send:
    async def headed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return headed


def _name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
