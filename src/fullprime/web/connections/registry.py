"""The registry of open connections: their addresses, their deadlines, and which one to end when there is no room."""

from __future__ import annotations

import gc
import logging
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import TypeVar

from starlette.types import Scope

from fullprime.web.addresses import Proxies, address_key, client_key
from fullprime.web.connections.fair_queue import FairQueue
from fullprime.web.connections.limits import ConnectionLimits
from fullprime.web.connections.open_streams import OpenStream, OpenStreams, SeatOfGame, TooManyStreams

CONNECTION = "fullprime.connection"
"""The key of the connection in the state of its requests."""
REGISTRY = "fullprime.registry"
"""The key of the registry in the state that the application gives its server."""
_CREDENTIAL = (b"authorization", b"cookie")
_LOG_INTERVAL = 60.0
"""Seconds between two lines of log about refusals."""
TICK = 0.25
"""Seconds between two checks of whether the server is overloaded."""
_BEHIND = 0.1
"""Seconds by which such a check comes late when the server is overloaded."""
_LIGHT_SHARE = 1 / 8
"""An address below this part of the strangers' rate counts as light, and is answered longer."""
_CREDENTIALS = 20_000
"""The most cookies and tokens that are remembered of people who play or have an account."""
_MOST_CANDIDATES = 64
"""The number of connections, the longest idle, among which one is chosen to be ended."""

Key = TypeVar("Key")

log = logging.getLogger(__name__)


class RejectReason(StrEnum):
    """Reasons for which a connection was refused or ended."""

    FULL = "full"
    """No room for one more."""
    ADDRESS = "address"
    """Too many of one address."""
    DISPLACED = "displaced"
    """It was idle, and others needed its place."""
    HEAD = "head"
    """The head of the request was too large."""
    SLOW = "slow"
    """The request did not come to its end in time."""
    READER = "reader"
    """Its client did not read what was sent."""
    MALFORMED = "malformed"
    """The data was not HTTP."""
    PIPELINED = "pipelined"
    """Too many requests before an answer."""
    BUSY = "busy"
    """A stranger's request, while the server was behind."""
    FRAMES = "frames"
    """Too much was said over a WebSocket."""
    STREAMS = "streams"
    """Too many streams, or one that others needed the place of."""
    WATCHED = "watched"
    """It had watched long enough; it may come again."""


class OpenConnection:
    """One connection. ``close`` ends it, ``expire`` ends it because its ``deadline`` is over.

    ``on_answered`` is called when the answer to a request is complete.
    """

    __slots__ = ("address", "close", "deadline", "expire", "is_known", "on_answered", "registry", "stream_deadline")

    def __init__(
        self, registry: ConnectionRegistry, address: str | None, close: Callable[[], None], expire: Callable[[], None]
    ) -> None:
        self.registry, self.address, self.close, self.expire = registry, address, close, expire
        self.on_answered: Callable[[], None] = do_nothing
        self.deadline: float | None = None
        """The time by which it must have sent a request; None while the server works on one."""
        self.is_known = False
        """True if a person who plays, or has an account, has sent a request through it."""
        self.stream_deadline: float | None = None
        """The time at which a stream of a stranger ends."""


class ConnectionRegistry:
    """The connections of one process, each of which enters and leaves here. Only for the event loop's thread."""

    def __init__(
        self,
        limits: ConnectionLimits,
        proxies: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
        count: Callable[[str], None] = lambda _why: None,
    ) -> None:
        self.limits, self.clock = limits, clock
        self.connections: set[OpenConnection] = set()
        self._proxies, self._count = Proxies(proxies), count
        self._count_by_address: Counter[str | None] = Counter()
        self._idle: dict[OpenConnection, None] = {}
        self._idle_by_address: dict[str | None, dict[OpenConnection, None]] = {}
        self._streams = OpenStreams(limits, partial(self.count_refusal, RejectReason.STREAMS))
        self._refused: Counter[str] = Counter()
        self._logged_at = float("-inf")
        self._warned_of_proxy = False
        self._credential_hashes: OrderedDict[bytes, None] = OrderedDict()
        self._secret = secrets.token_bytes(16)
        self._admitted_count: Counter[str | None] = Counter()
        """Requests of strangers since the last check, by address."""
        self._is_overloaded, self._checked_at = False, clock()
        self._ended_count = 0
        """Connections that have ended since the last garbage collection."""
        waiting = limits.strangers_waiting
        self.stranger_queue = (
            None if waiting is None else FairQueue(limits.strangers_at_once, waiting, max(1, waiting // 4))
        )
        """The queue of strangers' requests that have not been answered yet."""

    def register(self, address: str, close: Callable[[], None], expire: Callable[[], None]) -> OpenConnection | None:
        """Register a connection, if need be in the place of an idle one; None if there is no room."""
        key, limits = None if address in self._proxies else address_key(address), self.limits
        if key is not None:
            if _has_reached(self._count_by_address[key], limits.of_address) and not self._displace(key):
                self.count_refusal(RejectReason.ADDRESS)
                return None
            if _has_reached(len(self._idle_by_address.get(key, ())), limits.unfinished_each):
                self._displace(key)
        if _has_reached(len(self.connections), limits.most) and not self._displace():
            self.count_refusal(RejectReason.FULL)
            return None
        connection = OpenConnection(self, key, close, expire)
        self.connections.add(connection)
        self._count_by_address[key] += 1
        return connection

    def unregister(self, connection: OpenConnection) -> None:
        """Remove a connection, because it has ended."""
        if connection not in self.connections:
            return
        self.connections.remove(connection)
        self._ended_count += 1
        self.set_deadline(connection, None)
        _decrement(self._count_by_address, connection.address)
        # Its callbacks are methods of a protocol, which refers to the connection.
        connection.close = connection.expire = connection.on_answered = do_nothing

    def set_deadline(self, connection: OpenConnection, deadline: float | None) -> None:
        """Set the time by which a connection must have sent a request; None while the server works on one.

        A connection with a deadline counts as idle: it may be ended when others need its place.
        """
        was_idle = connection in self._idle
        if deadline is None or connection not in self.connections:
            if was_idle:
                same = self._idle_by_address[connection.address]
                del self._idle[connection], same[connection]
                if not same:
                    del self._idle_by_address[connection.address]
        elif not was_idle:
            self._idle[connection] = None
            self._idle_by_address.setdefault(connection.address, {})[connection] = None
        connection.deadline = deadline

    def warn_of_proxy(self, connection: OpenConnection) -> None:
        """Warn once that a request names its visitor (X-Forwarded-For), if its address is not trusted to do so.

        If that is the operator's own proxy, all visitors share its limits. The log keeps no addresses of visitors, and
        any visitor can send such a header.
        """
        if self._warned_of_proxy or connection.address is None:
            return
        self._warned_of_proxy = True
        log.warning(
            "a request with X-Forwarded-For has come from an address that is not trusted as a proxy: if it is your"
            " proxy, name it with --proxy, because all its visitors share the limits of one address until then"
        )

    # -- admission ----------------------------------------------------------------------------------------
    def check_load(self) -> None:
        """Check whether the server is overloaded; called every ``TICK`` seconds."""
        now = self.clock()
        self._is_overloaded, self._checked_at = now - self._checked_at > TICK + _BEHIND, now
        self._admitted_count.clear()

    def admits_request(self, connection: OpenConnection, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """True if a request is answered: always, except for strangers while they are many and the server is overloaded.

        Counts the request, or its refusal. Once strangers have sent ``strangers_rate`` requests, as many again are
        answered for addresses that have sent few (``_LIGHT_SHARE``).
        """
        if b"x-forwarded-for" in dict(headers):
            self.warn_of_proxy(connection)
        if self.limits.strangers_rate is None or self.recognise_client(connection, headers):
            return True
        rate, admitted = self.limits.strangers_rate * TICK, self._admitted_count.total()
        is_light = connection.address is not None and self._admitted_count[connection.address] < max(
            1, rate * _LIGHT_SHARE
        )
        if not self._is_overloaded or admitted < rate or (is_light and admitted < 2 * rate):
            self._admitted_count[connection.address] += 1
            return True
        self.count_refusal(RejectReason.BUSY)
        return False

    def recognise_client(self, connection: OpenConnection, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """True for a request of a person who plays or has an account: the connection is marked so, or its cookie or
        token is remembered (:meth:`remember_client`).
        """
        if not connection.is_known:
            keys = [value for name, value in headers if name in _CREDENTIAL]
            hashes = [blake2b(key, digest_size=16, key=self._secret).digest() for key in keys]
            connection.is_known = not self._credential_hashes.keys().isdisjoint(hashes)
        return connection.is_known

    def remember_client(self, connection: OpenConnection, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Mark the connection as that of a person who plays or has an account; remember the cookie or token."""
        connection.is_known = True
        for name, value in headers:
            if name in _CREDENTIAL:
                hashed = blake2b(value, digest_size=16, key=self._secret).digest()
                self._credential_hashes[hashed] = None
                self._credential_hashes.move_to_end(hashed)
        while len(self._credential_hashes) > _CREDENTIALS:
            self._credential_hashes.popitem(last=False)

    def close_expired(self) -> None:
        """End connections whose deadline is over, collect the garbage of ended ones, and log refusals."""
        now = self.clock()
        for connection in tuple(self.connections):
            if connection.deadline is not None and connection.deadline <= now:
                connection.expire()
        for connection in tuple(self.connections):
            if connection.stream_deadline is not None and connection.stream_deadline <= now:
                self._count(RejectReason.WATCHED)
                connection.close()
        if self._ended_count >= self.limits.uncollected:
            # Transports of asyncio refer to themselves after their end; the collector hardly ever looks at old objects.
            self._ended_count = 0
            gc.collect()
        self._log_refusals(now)

    def count_refusal(self, why: RejectReason) -> None:
        """Count a connection that was refused or ended; the log has a line once a minute."""
        self._count(why)
        self._refused[why] += 1
        self._log_refusals(self.clock())

    @contextmanager
    def track_stream(self, scope: Scope, connection: OpenConnection, seat: SeatOfGame | None = None) -> Iterator[None]:
        """Count a stream of a connection while this lasts, maybe one in a seat of a game; raises TooManyStreams."""
        stream = OpenStream(client_key(scope), seat, is_known=connection.is_known, close=connection.close)
        try:
            self._streams.add(stream)
        except TooManyStreams:
            self.count_refusal(RejectReason.STREAMS)
            raise
        self.set_deadline(connection, None)
        connection.stream_deadline = None if stream.is_known else self.clock() + self.limits.watching_seconds
        try:
            yield
        finally:
            self._streams.remove(stream)
            connection.stream_deadline = None

    def count_connections(self) -> dict[str, int]:
        """Count the connections that are ``open`` and ``resting`` (idle), and the ``streams``."""
        return {"open": len(self.connections), "resting": len(self._idle), "streams": len(self._streams)}

    def _displace(self, key: str | None = None) -> bool:
        """End the connection that can best be spared, of this address or of any; False if there is none.

        It is an idle one: among those that have been idle longest, one of the address with most of them, and one of a
        player only where there is no other.
        """
        idle_connections = self._idle if key is None else self._idle_by_address.get(key, {})
        candidates = list(islice(idle_connections, _MOST_CANDIDATES))
        if not candidates:
            return False
        spared = max(candidates, key=lambda idle: (not idle.is_known, len(self._idle_by_address[idle.address])))
        self.count_refusal(RejectReason.DISPLACED)
        close = spared.close
        self.unregister(spared)
        close()
        return True

    def _log_refusals(self, now: float) -> None:
        if self._refused and now - self._logged_at >= _LOG_INTERVAL:
            self._logged_at = now
            log.warning(
                "connections refused or ended",
                extra={"open": len(self.connections), **{f"why_{why}": times for why, times in self._refused.items()}},
            )
            self._refused.clear()


@contextmanager
def track_stream(scope: Scope, seat: SeatOfGame | None = None) -> Iterator[None]:
    """As :meth:`ConnectionRegistry.track_stream`, for the connection of a request; nothing where it has none."""
    connection = connection_of(scope)
    if connection is None:
        yield
        return
    with connection.registry.track_stream(scope, connection, seat):
        yield


def connection_of(scope: Scope) -> OpenConnection | None:
    """The connection through which a request has come; None where a test asks the application without one."""
    connection = scope.get("state", {}).get(CONNECTION)
    return connection if isinstance(connection, OpenConnection) else None


def mark_as_known(scope: Scope) -> None:
    """Mark the connection of a request as that of a person who plays or has an account."""
    connection = connection_of(scope)
    if connection is not None:
        connection.registry.remember_client(connection, scope["headers"])


def do_nothing() -> None:
    """Do nothing, as a callback."""


def _has_reached(number: int, most: int | None) -> bool:
    return most is not None and number >= most


def _decrement(counter: Counter[Key], key: Key) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
