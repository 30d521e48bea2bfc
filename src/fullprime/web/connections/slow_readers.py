"""The write timeout of connections: one whose client reads none of the bytes that wait for it is ended."""

from __future__ import annotations

import asyncio

from fullprime.web.connections.registry import OpenConnection, RejectReason


class SlowReader:
    """The write timeout of one connection, which counts as idle meanwhile, so that others may get its place."""

    def __init__(self, connection: OpenConnection, transport: asyncio.Transport) -> None:
        self._connection, self._transport = connection, transport
        self._timer: asyncio.TimerHandle | None = None
        self._own_deadline: float | None = None
        """The deadline while the client does not read; None while it reads, or while the connection rests anyway."""

    def start_timeout(self) -> None:
        """Start the timeout, because too many bytes wait for the client."""
        registry = self._connection.registry
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(registry.limits.write_seconds, self._end)
        if self._connection.deadline is None:
            # The timeout is over before this deadline.
            self._own_deadline = registry.clock() + 2 * registry.limits.write_seconds
            registry.set_deadline(self._connection, self._own_deadline)

    def stop_timeout(self) -> None:
        """Stop the timeout, because the client has read something, or has gone."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._own_deadline is not None and self._connection.deadline == self._own_deadline:
            self._connection.registry.set_deadline(self._connection, None)
        self._own_deadline = None

    def _end(self) -> None:
        self._timer = None
        self._connection.registry.count_refusal(RejectReason.READER)
        self._transport.abort()
