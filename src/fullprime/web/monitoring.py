"""Monitoring for operators: metrics for Prometheus, one line of log a request, and the health of the server."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, MutableMapping
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from starlette.concurrency import run_in_threadpool
from starlette.types import Scope

from fullprime.messages import Message
from fullprime.play.server.game_server import StoreConflict, StoreError
from fullprime.rules.errors import FullprimeError

log = logging.getLogger(__name__)

WITHIN = 5.0
"""Seconds within which the health check must have stored something."""
AGAIN = 5.0
"""Seconds for which an answer is reused, so that frequent requests cause few writes."""
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
        self._sockets = Gauge("fullprime_sockets", "Open WebSockets", registry=registry)
        self._refused = Counter(
            "fullprime_connections_refused", "Connections refused or ended", ["why"], registry=registry
        )
        self._dropped = Counter("fullprime_push_dropped", "Push messages dropped", ["why"], registry=registry)
        for why in ("full", "silent", "tasks"):
            self._dropped.labels(why)
        for outcome in ("stored", "refused"):
            self._actions.labels(outcome)

    def gauge(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """Add a gauge ``fullprime_NAME``, whose value ``read`` gives at each request for metrics."""
        Gauge(f"fullprime_{name}", meaning, registry=self._registry).set_function(read)

    @property
    def text(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self._registry)

    def note_answer(self, scope: Scope, status: int, seconds: float) -> None:
        """Count and log a request that has been answered; a route is the pattern, not the address."""
        route, method = route_of(scope), str(scope["method"])
        method = method if method in _METHODS else "other"
        if log.isEnabledFor(logging.INFO):
            milliseconds = round(seconds * 1000, 1)
            facts = {"method": method, "route": route, "status": status, "milliseconds": milliseconds}
            log.info("request", extra=facts)
        measures = self._known.get((method, route, status))
        if measures is None:
            # To look a measure up by its labels takes longer than to count.
            outcome = self._actions.labels("stored" if status == 200 else "refused") if route == _ACT else None
            measures = self._requests.labels(method, route, str(status)), self._seconds.labels(route), outcome
            self._known[method, route, status] = measures
        requests, lasting, actions = measures
        requests.inc()
        lasting.observe(seconds)
        if actions is not None:
            actions.inc()

    def count_refused(self, why: str) -> None:
        """Count a connection that was refused or ended."""
        self._refused.labels(why).inc()

    def count_dropped(self, why: str) -> None:
        """Count a push message that was dropped."""
        self._dropped.labels(why).inc()

    def count_socket(self, more: int) -> None:
        """Count a WebSocket that was opened (1) or closed (-1)."""
        self._sockets.inc(more)


def log_fault(scope: Scope, error: Exception) -> Message:
    """Log an unexpected exception; gives the message about it."""
    number = secrets.token_hex(4)
    log.error("request failed", exc_info=error, extra={"route": route_of(scope), "number": number})
    return Message("a fault of the server; its log knows it as {number}", number=number)


def route_of(scope: MutableMapping[str, Any]) -> str:
    """The pattern of a request's route, of which there are few, because it holds no ids, keys or queries."""
    path = getattr(scope.get("route"), "path", None)
    return str(path) if path else str(scope.get("root_path") or "none")


# -- health -------------------------------------------------------------------------------------------------------
class Health:
    """The health of the server, which is good while actions of players can be stored.

    Requests for it try to store something by ``store``, which raises a FullprimeError if nothing can be stored;
    :meth:`note_failed` and :meth:`note_append` report how actions went.
    """

    def __init__(self, store: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._fault: str | None = None
        self._at = float("-inf")
        self._trying: asyncio.Task[None] | None = None

    async def fault(self) -> str | None:
        """The reason why nothing can be stored; None while all is well."""
        trying = self._trying
        if trying is None and self._clock() - self._at >= AGAIN:
            trying = self._trying = asyncio.create_task(self._try())
        if trying is not None:
            await asyncio.wait({trying}, timeout=WITHIN)
            if not trying.done():
                self._note("the database does not answer")
        return self._fault

    def note_failed(self, why: str) -> None:
        """Note that an action could not be stored, so that the server is not healthy until one is."""
        self._note(why)
        self._at = self._clock()

    def note_append(self, error: StoreError | None) -> None:
        """Note the result of an append. A conflict is no fault, because another process could store events."""
        if error is None:
            if self._fault is not None:
                self._note(None)
        elif not isinstance(error, StoreConflict):
            self.note_failed(str(error))

    async def _try(self) -> None:
        try:
            await run_in_threadpool(self._store)
            self._note(None)
        except FullprimeError as error:
            self._note(str(error))
        finally:
            self._trying, self._at = None, self._clock()

    def _note(self, fault: str | None) -> None:
        if fault is not None and self._fault is None:
            log.error("nothing can be stored", extra={"why": fault})
        if fault is None and self._fault is not None:
            log.warning("the database can be written again")
        self._fault = fault
