"""The limits of connections, and the descriptors that the system allows this process."""

from __future__ import annotations

import sys
from dataclasses import dataclass

if sys.platform != "win32":
    import resource

RESERVED = 96
"""Descriptors kept for other things than connections: the database, libraries, files of reviews, other programs."""
PER_GAME = 4
"""Connections of a game between two people at browsers: for each a live line, and one for requests."""
_ENOUGH = 65_536
"""The most descriptors that the system is asked for, more than one process can use."""
_USUAL = 1024
"""The assumed descriptors where the system names no limit (Windows), or one too small to reserve any."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits of connections to one process; None for no limit. Times are seconds."""

    most: int | None = _USUAL - RESERVED
    """Connections in all."""
    each: int | None = 256
    """Connections of one address, but a quarter of ``most`` where that is less; trusted proxies have no limit."""
    strangers: float | None = 0.5
    """The part of ``most`` for streams of strangers, who neither play nor have an account; the rest is for players."""
    streams_each: int | None = 200
    """Live lines and streams of one visitor, also behind a proxy; a quarter of ``most`` where that is less."""
    streams_part: float | None = 0.75
    """The part of ``most`` that streams may take, so that requests find a place in the rest."""
    lines_of_seat: int | None = 4
    """Live lines of one seat of a game; one more ends the oldest."""
    unfinished_each: int | None = 64
    """Connections of one address that keep the server waiting: those with unfinished requests, and idle ones."""
    head_bytes: int = 32_768
    """Bytes of a request's head, and of the trailer of a chunked body. A little more may be read before the end."""
    head_seconds: float = 10.0
    handshake_seconds: float = 20.0
    """The time for a WebSocket to become a live line, which it does by sending its key.

    The route ends one that sends no key after 15 seconds (``HANDSHAKE_SECONDS`` in ``live.py``), which is earlier;
    this one ends those that the route has neither accepted as a live line nor refused by then.
    """
    body_seconds: float = 20.0
    """The time for a body to begin; each piece of ``body_rate`` bytes allows one second more."""
    body_rate: int = 8192
    write_seconds: float = 30.0
    """The time for a reader to take any of the bytes that wait for it."""
    watching_seconds: float = 4 * 3600.0
    """The time for a stream of a stranger, which may then be opened again."""
    frames: int = 200
    """Frames that a WebSocket may send at once, pings among them; after that ``frames_rate`` a second."""
    frames_rate: float = 5.0
    strangers_rate: int | None = 200
    """Requests a second of all strangers; a server that is behind refuses further ones."""
    strangers_waiting: int | None = 64
    """Questions (GET) of all of them that have come whole and are not answered; of those of one address a quarter are
    worked at."""
    strangers_at_once: int = 8
    """The questions of strangers that are answered at once; the others wait, so that players do not have to."""
    pipelined: int = 16
    """Requests that wait on one connection for the answer to an earlier one."""
    uncollected: int = 10_000
    """Connections that end between two collections of garbage, of which asyncio keeps up to 4 KB each (3.11, TLS)."""

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
        """Streams of all strangers."""
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
"""No limits of number, but those of time and size."""


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
    """The number of connections that a number of descriptors allows."""
    return max(16, descriptors - min(RESERVED, descriptors // 4))
