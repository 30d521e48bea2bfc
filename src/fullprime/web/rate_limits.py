"""The checks of every request: hosts, origins, sizes and rates. Hints also wait in ``routes.engine_queue``."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.types import Scope

from fullprime.common.networks import site_of
from fullprime.messages import Message
from fullprime.rules.errors import ErrorCode
from fullprime.web.addresses import client_key

LARGEST_BODY = 16_384
"""Bytes of the body of a usual request."""
LARGER_BODIES: dict[str, int] = {}
"""Paths that take larger bodies, such as those of files. The paths below them do not, because their bodies may be JSON,
which the event loop reads."""
CREATING = ("/api/games", "/api/lobby", "/api/lobby/seek", "/api/reviews", "/api/analysis/jobs")
"""Paths with a stricter rate, because their requests store something or make the engine think."""
GUESSING = ("/api/account/sign-in", "/api/account/sign-up", "/api/account/password", "/api/account/remove")
"""Paths with the strictest rate, because passwords are tried at them, and hashed at some cost."""
CREATING_OF_SITE, GUESSING_OF_SITE = 4, 16
"""How many times the rate of one address all addresses of a site of IPv6 have together at such paths. A site may be of
one customer or of many, who all have to be able to sign in."""
MAKING = ("/api/games", "/api/lobby", "/api/lobby/seek")
"""Paths of requests that store much at once."""
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class RequestRate:
    """The requests that may come at once, and those that may come in each second after that."""

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


class TokenBuckets:
    """Token buckets by address, without the addresses that sent nothing for the longest time."""

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

    def give_back(self, address: str) -> None:
        """Give back the token of an address's last request, which came to nothing."""
        if address in self._left:
            left, since = self._left[address]
            self._left[address] = (min(float(self._rate.burst), left + 1), since)


class RequestGate:
    """The checks of every request. ``hosts`` are the names by which this server may be called; None for all."""

    def __init__(self, hosts: Iterable[str] | None = LOCAL_HOSTS, limits: RequestLimits = LIMITS) -> None:
        self._hosts = None if hosts is None else {host.lower() for host in hosts}
        rates = (limits.reading, limits.acting, limits.creating, limits.guessing)
        self._reading, self._acting, creating, guessing = (
            None if rate is None else TokenBuckets(rate) for rate in rates
        )
        self._dear = {**dict.fromkeys(CREATING, creating), **dict.fromkeys(GUESSING, guessing)}
        creating, guessing = (
            None if rate is None else TokenBuckets(RequestRate(times * rate.burst, times * rate.per_second))
            for rate, times in ((limits.creating, CREATING_OF_SITE), (limits.guessing, GUESSING_OF_SITE))
        )
        self._dear_of_site = {**dict.fromkeys(CREATING, creating), **dict.fromkeys(GUESSING, guessing)}

    def refusal(self, scope: Scope) -> tuple[ErrorCode, Message] | None:
        """The code and the message with which a request is refused; None when it is allowed, and then counted."""
        headers = dict(reversed(scope["headers"]))  # the first of each name counts
        host = headers.get(b"host", b"").decode("latin-1")
        if self._hosts is not None and host not in self._hosts and _name(host) not in self._hosts:
            return "misdirected", Message("this server is not known by that name")
        origin = headers.get(b"origin")
        unsafe = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        # Programs send neither; a browser always sends Origin, and must have the page from here.
        foreign = origin is not None and _site(origin.decode("latin-1")) != host
        if unsafe and (foreign or headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site")):
            return "forbidden", Message("requests of other sites are refused")
        if scope["type"] == "http":
            length, largest = headers.get(b"content-length", b"0"), largest_body(scope["path"])
            if not length.isdigit() or len(length) > 9 or int(length) > largest:
                return "too_large", too_large(largest)
        buckets = self._dear.get(scope["path"], self._acting) if unsafe else self._reading
        address = client_key(scope)
        if buckets is not None and not buckets.take(address):
            return "busy", Message("too many requests: wait a little")
        of_site = self._dear_of_site.get(scope["path"]) if unsafe else None
        if of_site is not None and (site := site_of(address)) != address and not of_site.take(site):
            return "busy", Message("too many requests: wait a little")
        return None


def largest_body(path: str) -> int:
    """The most bytes of the body of a request to a path; a slash at its end, which redirects, changes nothing."""
    return LARGER_BODIES.get(path.rstrip("/") or "/", LARGEST_BODY)


def too_large(largest: int) -> Message:
    """The refusal of a request whose body is larger than it may be."""
    return Message("a request has at most {largest} bytes", largest=largest)


def _site(origin: str) -> str | None:
    """The host and the port of an origin; None for a text that is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


@lru_cache(1024)
def _name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
