"""The metrics of the server, for Prometheus; one line of log a request; an answer when all else fails."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, MutableMapping
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fullprime.web.guard import HEADERS

log = logging.getLogger(__name__)

_ACT = "/api/games/{game}/act"
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """The measures of one application. ``docs/hosting.md`` lists them."""

    content_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)
        self._requests = Counter(
            "fullprime_requests", "Requests answered", ["method", "route", "status"], registry=registry
        )
        self._seconds = Histogram(
            "fullprime_request_seconds",
            "Time until a request was answered",
            ["route"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._actions = Counter(
            "fullprime_actions", "Actions of players, stored or refused", ["outcome"], registry=registry
        )
        self._known: dict[tuple[str, str, int], tuple[Counter, Histogram, Counter | None]] = {}
        self._listening = Gauge("fullprime_sockets", "Open WebSockets", registry=registry)
        self._refused = Counter(
            "fullprime_connections_refused", "Connections refused or ended", ["why"], registry=registry
        )
        for outcome in ("stored", "refused"):
            self._actions.labels(outcome)

    def gauge(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """Measure the value that ``read`` gives each time somebody asks; the name gets ``fullprime_`` before it."""
        Gauge(f"fullprime_{name}", meaning, registry=self._registry).set_function(read)

    @property
    def text(self) -> bytes:
        """All measures in Prometheus' text format."""
        return generate_latest(self._registry)

    def note_answer(self, scope: Scope, status: int, seconds: float) -> None:
        """Count and log a request that has been answered; a route is the pattern, not the address."""
        route, method = route_of(scope), str(scope["method"])
        method = method if method in _METHODS else "other"
        if log.isEnabledFor(logging.INFO):
            milliseconds = round(seconds * 1000, 1)
            facts = {"method": method, "route": route, "status": status, "milliseconds": milliseconds}
            log.info("request", extra=facts)
        known = self._known.get((method, route, status))
        if known is None:
            # To look a measure up by its labels takes longer than to count.
            outcome = self._actions.labels("stored" if status == 200 else "refused") if route == _ACT else None
            known = self._requests.labels(method, route, str(status)), self._seconds.labels(route), outcome
            self._known[method, route, status] = known
        requests, lasting, actions = known
        requests.inc()
        lasting.observe(seconds)
        if actions is not None:
            actions.inc()

    def refused(self, why: str) -> None:
        """Count a connection that was refused or ended."""
        self._refused.labels(why).inc()

    def listening(self, more: int) -> None:
        """A WebSocket was opened (1) or closed (-1)."""
        self._listening.inc(more)


class Observer:
    """The outermost ASGI middleware: it measures and logs, and an error that nobody foresaw becomes a plain 500."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, and measure and log its outcome."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                # A stream of events may last for days: what counts is when it begins.
                status = message["status"]
                self._metrics.note_answer(scope, status, time.perf_counter() - begun)
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except ClientDisconnect:
            # Whoever asked has gone before all of the question was there: no fault, and nobody to be answered.
            return
        except Exception as error:
            told = fault(scope, error)
            if status:
                raise
            answer = JSONResponse({"error": told}, 500, dict(HEADERS))
            await answer(scope, receive, watched)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._metrics.listening(1)
        try:
            await self._app(scope, receive, send)
        except Exception:
            log.exception("socket failed", extra={"route": route_of(scope)})
            raise
        finally:
            self._metrics.listening(-1)


def fault(scope: Scope, error: Exception) -> str:
    """Log an exception that nobody foresaw; gives the message about it."""
    number = secrets.token_hex(4)
    log.error("request failed", exc_info=error, extra={"route": route_of(scope), "number": number})
    return f"a fault of the server; its log knows it as {number}"


def route_of(scope: MutableMapping[str, Any]) -> str:
    """The pattern of the route that a request took: ids, keys and queries are not in it, and there are few of them."""
    path = getattr(scope.get("route"), "path", None)
    return str(path) if path else str(scope.get("root_path") or "none")
