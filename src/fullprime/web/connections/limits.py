"""The limits of connections, and the descriptors that the system allows this process."""

from __future__ import annotations

import sys
from dataclasses import dataclass

if sys.platform != "win32":
    import resource

RESERVED = 96
"""Descriptors kept for all that is no connection: the database, libraries, files of reviews, other programs."""
PER_GAME = 4
"""Connections of a game between two people at browsers: each a live line, and one for what it asks."""
_ENOUGH = 65_536
"""Descriptors that are asked of the system at most: more than one process has visitors."""
_USUAL = 1024
"""Where the system names no limit (Windows), or too little to reserve anything of."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits of connections to one process; None for no limit. Times are seconds."""

    most: int | None = _USUAL - RESERVED
    """Connections in all."""
    each: int | None = 256
    """Connections of one address, but a quarter of ``most`` where that is less; proxies that are believed are free."""
    strangers: float | None = 0.5
    """The part of ``most`` that streams of those have who neither play nor have an account: the rest is for players."""
    streams_each: int | None = 200
    """Live lines and streams of one visitor, also behind a proxy; a quarter of ``most`` where that is less."""
    streams_part: float | None = 0.75
    """The part of ``most`` that streams may take: in the rest, requests of all find a place."""
    lines_of_seat: int | None = 4
    """Live lines of one seat of a game; one more ends the oldest."""
    unfinished_each: int | None = 64
    """Connections of one address that have nothing asked of the server: begun requests, and resting ones."""
    head_bytes: int = 32_768
    """Bytes of a request's head, and of what follows a body in chunks. A little more may be read before it is seen."""
    head_seconds: float = 10.0
    hello_seconds: float = 20.0
    """For a WebSocket to become a live line, which it does when it has said whose it is."""
    body_seconds: float = 20.0
    """For a body to begin; each piece of ``body_rate`` bytes that comes allows one second more."""
    body_rate: int = 8192
    write_seconds: float = 30.0
    """For a reader to take anything of what waits for it."""
    watching_seconds: float = 4 * 3600.0
    """For a stream of somebody who neither plays nor has an account; it may then be asked for again."""
    frames: int = 200
    """Frames that a WebSocket may send at once, pings among them; after that ``frames_rate`` a second."""
    frames_rate: float = 5.0
    strangers_rate: int | None = 200
    """Requests a second of all who neither play nor have an account; a server that is behind refuses what is more."""
    strangers_waiting: int | None = 64
    """Questions (GET) of all of them that have come whole and are not answered; of those of one address a quarter are
    worked at."""
    strangers_at_once: int = 8
    """Those of these questions that are worked at; the others wait, so that players find the server at leisure."""
    pipelined: int = 16
    """Requests that wait on one connection for the answer to an earlier one."""
    uncollected: int = 10_000
    """Connections that end between two garbage collections: asyncio keeps up to 4 KB of each (Python 3.11, and TLS)."""

    @property
    def of_address(self) -> int | None:
        """Connections of one address."""
        return self._part(self.each)

    @property
    def streams(self) -> int | None:
        """Streams of one visitor."""
        return self._part(self.streams_each)

    @property
    def watching(self) -> int | None:
        """Streams of all who neither play nor have an account."""
        return None if self.most is None or self.strangers is None else max(1, int(self.most * self.strangers))

    @property
    def streaming(self) -> int | None:
        """Streams in all."""
        return None if self.most is None or self.streams_part is None else max(1, int(self.most * self.streams_part))

    def _part(self, number: int | None) -> int | None:
        return number if number is None or self.most is None else max(1, min(number, self.most // 4))


UNLIMITED = ConnectionLimits(
    most=None,
    each=None,
    strangers=None,
    streams_each=None,
    streams_part=None,
    lines_of_seat=None,
    unfinished_each=None,
    strangers_rate=None,
    strangers_waiting=None,
)
"""Without limits of number; those of time and size hold."""


def raise_descriptors() -> int:
    """Raise the soft limit of open descriptors as far as the system allows; gives the limit that holds now."""
    if sys.platform == "win32":
        return _USUAL
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return _ENOUGH if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return soft
    return wanted


def connections_for(descriptors: int) -> int:
    """The number of connections that so many descriptors allow."""
    return max(16, descriptors - min(RESERVED, descriptors // 4))
