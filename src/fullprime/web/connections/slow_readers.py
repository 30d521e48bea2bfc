"""The end of connections whose other side takes nothing of what waits for it."""

from __future__ import annotations

import asyncio

from fullprime.web.connections.visits import Visit, Why


class SlowReader:
    """The time that the other side of a connection has to read; others may have its place meanwhile."""

    def __init__(self, visit: Visit, transport: asyncio.Transport) -> None:
        self._visit, self._transport = visit, transport
        self._timer: asyncio.TimerHandle | None = None
        self._unread_until: float | None = None
        """The visit's deadline while what is to be sent is not read; None while it is, or the visit rests anyhow."""

    def does_not_read(self) -> None:
        """Begin the time: so much waits for the other side that no more is written."""
        entrance = self._visit.entrance
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(entrance.limits.write_seconds, self._end)
        if self._visit.deadline is None:
            # The reader's own time is over before this deadline.
            self._unread_until = entrance.clock() + 2 * entrance.limits.write_seconds
            self._visit.waits_until(self._unread_until)

    def reads(self) -> None:
        """End the time: the other side has taken something, or has gone."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._unread_until is not None and self._visit.deadline == self._unread_until:
            self._visit.waits_until(None)
        self._unread_until = None

    def _end(self) -> None:
        self._timer = None
        self._visit.entrance.refuse(Why.READER)
        self._transport.abort()
