"""The connections that are open, who has them, and which of them goes when there is no room."""

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

from fullprime.web.addresses import Proxies, address_key, whom
from fullprime.web.connections.fair_queue import FairQueue
from fullprime.web.connections.limits import ConnectionLimits
from fullprime.web.connections.open_streams import OpenStream, OpenStreams, SeatOfGame, TooManyStreams

VISIT = "fullprime.visit"
"""The key of a connection's visit in the state of its requests."""
ENTRANCE = "fullprime.entrance"
"""The key of the entrance in the state that the application gives its server."""
_CREDENTIAL = (b"authorization", b"cookie")
_QUIET = 60.0
"""Seconds between two lines of log about what was refused."""
TICK = 0.25
"""Seconds between two looks at how far the server is behind."""
_BEHIND = 0.1
"""Seconds by which such a look comes late when the server is behind."""
_LITTLE = 1 / 8
"""The part of what all strangers may ask that one address asks at most to be heard when they have asked it all."""
_CREDENTIALS = 20_000
"""People who play, or have an account, that are known again when they come anew."""
_LOOKED_AT = 64
"""Connections among which the one that goes is chosen: the longest at rest."""

Key = TypeVar("Key")

log = logging.getLogger(__name__)


class Why(StrEnum):
    """Reasons for which a connection was refused or ended."""

    FULL = "full"
    """No room for one more."""
    ADDRESS = "address"
    """Too many of one address."""
    DISPLACED = "displaced"
    """It asked nothing, and others needed its place."""
    HEAD = "head"
    """The head of the request was too large."""
    SLOW = "slow"
    """The request did not come to its end in time."""
    READER = "reader"
    """What waited for it was not read."""
    MALFORMED = "malformed"
    """No HTTP."""
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


class Visit:
    """One connection. ``close`` ends it, ``expire`` ends it because its ``deadline`` is over.

    ``answered`` tells it that the answer to a request is complete.
    """

    __slots__ = ("address", "answered", "close", "deadline", "entrance", "expire", "is_known", "until")

    def __init__(
        self, entrance: Entrance, address: str | None, close: Callable[[], None], expire: Callable[[], None]
    ) -> None:
        self.entrance, self.address, self.close, self.expire = entrance, address, close, expire
        self.answered: Callable[[], None] = nothing
        self.deadline: float | None = None
        """The moment at which it must have asked something; None while the server has something to do for it."""
        self.is_known = False
        """True if somebody who plays, or who has an account, has asked something through it."""
        self.until: float | None = None
        """The end of a stream of somebody unknown."""

    def waits_until(self, deadline: float | None) -> None:
        """Set the deadline; with one, the connection may be ended when others need its place."""
        self.entrance.deadline(self, deadline)


class Entrance:
    """The entrance of one process: every connection enters and leaves here. For the event loop's thread alone."""

    def __init__(
        self,
        limits: ConnectionLimits,
        proxies: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
        count: Callable[[str], None] = lambda _why: None,
    ) -> None:
        self.limits, self.clock = limits, clock
        self.inside: set[Visit] = set()
        self._proxies, self._count = Proxies(proxies), count
        self._of_address: Counter[str | None] = Counter()
        self._resting: dict[Visit, None] = {}
        self._resting_of: dict[str | None, dict[Visit, None]] = {}
        self._streams = OpenStreams(limits, partial(self.refuse, Why.STREAMS))
        self._refused: Counter[str] = Counter()
        self._told = float("-inf")
        self._warned_of_proxy = False
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._secret = secrets.token_bytes(16)
        self._heard: Counter[str | None] = Counter()
        """Requests of strangers since the last look, by address."""
        self._is_behind, self._looked = False, clock()
        self._ended = 0
        """Connections that have ended since the last garbage collection."""
        waiting = limits.strangers_waiting
        self.strangers = None if waiting is None else FairQueue(limits.strangers_at_once, waiting, max(1, waiting // 4))
        """The turns of strangers' questions that have not been answered yet."""

    def enter(self, address: str, close: Callable[[], None], expire: Callable[[], None]) -> Visit | None:
        """Take a connection in, if need be in the place of one that asks nothing; None if there is no room."""
        key, limits = None if address in self._proxies else address_key(address), self.limits
        if key is not None:
            if _reached(self._of_address[key], limits.of_address) and not self._displace(key):
                self.refuse(Why.ADDRESS)
                return None
            if _reached(len(self._resting_of.get(key, ())), limits.unfinished_each):
                self._displace(key)
        if _reached(len(self.inside), limits.most) and not self._displace():
            self.refuse(Why.FULL)
            return None
        visit = Visit(self, key, close, expire)
        self.inside.add(visit)
        self._of_address[key] += 1
        return visit

    def leave(self, visit: Visit) -> None:
        """A connection has ended."""
        if visit not in self.inside:
            return
        self.inside.remove(visit)
        self._ended += 1
        self.deadline(visit, None)
        _less(self._of_address, visit.address)
        visit.close = visit.expire = visit.answered = nothing  # they know the connection, which knows the visit

    def deadline(self, visit: Visit, deadline: float | None) -> None:
        """Set the moment until which a connection may ask nothing; None: it has asked."""
        rests = visit in self._resting
        if deadline is None or visit not in self.inside:
            if rests:
                same = self._resting_of[visit.address]
                del self._resting[visit], same[visit]
                if not same:
                    del self._resting_of[visit.address]
        elif not rests:
            self._resting[visit] = None
            self._resting_of.setdefault(visit.address, {})[visit] = None
        visit.deadline = deadline

    def warn_of_proxy(self, visit: Visit, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Warn once when a request names its visitor and comes from an address that is not trusted to do so.

        If that is the operator's own proxy, all visitors share its limits. The log keeps no addresses of visitors, and
        any visitor can send such a header.
        """
        if self._warned_of_proxy or visit.address is None or all(name != b"x-forwarded-for" for name, _ in headers):
            return
        self._warned_of_proxy = True
        log.warning(
            "a request with X-Forwarded-For has come from an address that is not trusted as a proxy: if it is your"
            " proxy, name it with --proxy, because all its visitors share the limits of one address until then"
        )

    # -- who is heard -------------------------------------------------------------------------------------------
    def look(self) -> None:
        """See how far the server is behind; to be called every ``TICK`` seconds."""
        now = self.clock()
        self._is_behind, self._looked = now - self._looked > TICK + _BEHIND, now
        self._heard.clear()

    def hears(self, visit: Visit, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """True if a request is answered: always, but for strangers while they are many and the server is behind.

        As many as all of them may ask are kept for addresses that ask little.
        """
        if self.limits.strangers_rate is None or self.recognise(visit, headers):
            return True
        rate, heard = self.limits.strangers_rate * TICK, self._heard.total()
        asks_little = visit.address is not None and self._heard[visit.address] < max(1, rate * _LITTLE)
        if not self._is_behind or heard < rate or (asks_little and heard < 2 * rate):
            self._heard[visit.address] += 1
            return True
        self.refuse(Why.BUSY)
        return False

    def recognise(self, visit: Visit, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """True if somebody asks who plays, or has an account: it is known of the connection, or of the key."""
        if not visit.is_known:
            visit.is_known = any(name in _CREDENTIAL and self._hashed(value) in self._known for name, value in headers)
        return visit.is_known

    def know(self, visit: Visit, scope: Scope) -> None:
        """Somebody who plays, or has an account, has asked; whoever comes with the same key is known from then on."""
        visit.is_known = True
        for name, value in scope["headers"]:
            if name in _CREDENTIAL:
                hashed = self._hashed(value)
                self._known[hashed] = None
                self._known.move_to_end(hashed)
        while len(self._known) > _CREDENTIALS:
            self._known.popitem(last=False)

    def _hashed(self, credential: bytes) -> bytes:
        return blake2b(credential, digest_size=16, key=self._secret).digest()

    def sweep(self) -> None:
        """End what has kept the server waiting for too long, free what has ended, and tell what was refused."""
        now = self.clock()
        for visit in [each for each in self.inside if each.deadline is not None and each.deadline <= now]:
            visit.expire()
        for visit in [each for each in self.inside if each.until is not None and each.until <= now]:
            self._count(Why.WATCHED)
            visit.close()
        if self._ended >= self.limits.uncollected:
            # Transports of asyncio refer to themselves after their end; the collector hardly ever looks at old objects.
            self._ended = 0
            gc.collect()
        self._tell(now)

    def refuse(self, why: Why) -> None:
        """Count a connection that was refused or ended; the log has a line once a minute."""
        self._count(why)
        self._refused[why] += 1
        self._tell(self.clock())

    @contextmanager
    def stream(self, scope: Scope, visit: Visit, seat: SeatOfGame | None = None) -> Iterator[None]:
        """Somebody follows something for as long as this lasts, maybe in a seat of a game; raises TooManyStreams."""
        stream = OpenStream(whom(scope), seat, is_known=visit.is_known, close=visit.close)
        try:
            self._streams.begin(stream)
        except TooManyStreams:
            self.refuse(Why.STREAMS)
            raise
        visit.waits_until(None)
        visit.until = None if stream.is_known else self.clock() + self.limits.watching_seconds
        try:
            yield
        finally:
            self._streams.end(stream)
            visit.until = None

    def counts(self) -> dict[str, int]:
        """Connections ``open``, those ``resting``, and ``streams``."""
        return {"open": len(self.inside), "resting": len(self._resting), "streams": len(self._streams)}

    def _displace(self, key: str | None = None) -> bool:
        """End the connection that can best be spared, of this address or of any; False if there is none.

        It is one that rests: among those that have rested longest one of the address that has most of them, and one of
        somebody who plays only where there is no other.
        """
        resting = self._resting if key is None else self._resting_of.get(key, {})
        looked_at = list(islice(resting, _LOOKED_AT))
        if not looked_at:
            return False
        spared = max(looked_at, key=lambda each: (not each.is_known, len(self._resting_of[each.address])))
        self.refuse(Why.DISPLACED)
        close = spared.close
        self.leave(spared)
        close()
        return True

    def _tell(self, now: float) -> None:
        if self._refused and now - self._told >= _QUIET:
            self._told = now
            log.warning(
                "connections refused or ended",
                extra={"open": len(self.inside), **{f"why_{why}": times for why, times in self._refused.items()}},
            )
            self._refused.clear()


@contextmanager
def streaming_to(scope: Scope, seat: SeatOfGame | None = None) -> Iterator[None]:
    """Somebody follows something as long as this lasts, maybe in a seat of a game; raises TooManyStreams."""
    visit = visit_of(scope)
    if visit is None:
        yield
        return
    with visit.entrance.stream(scope, visit, seat):
        yield


def visit_of(scope: Scope) -> Visit | None:
    """The connection through which a request has come; None where a test asks the application without one."""
    found = scope.get("state", {}).get(VISIT)
    return found if isinstance(found, Visit) else None


def know(scope: Scope) -> None:
    """Somebody who plays, or has an account, has asked: the connection is not a stranger's any more."""
    visit = visit_of(scope)
    if visit is not None:
        visit.entrance.know(visit, scope)


def nothing() -> None:
    """Done where nothing is to be done."""


def _reached(number: int, most: int | None) -> bool:
    return most is not None and number >= most


def _less(counter: Counter[Key], key: Key) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
