"""An event loop that accepts connections a few at a time.

asyncio accepts all waiting connections at once. A crowd then takes every descriptor before the first of them can be
refused, and asyncio accepts no connection for a second after that.
"""

from __future__ import annotations

import asyncio
from typing import Any

AT_ONCE = 16
"""The most connections accepted at once, far fewer than the descriptors kept in reserve."""


class AcceptingLoop(asyncio.SelectorEventLoop):
    """The event loop of a server. The system keeps as many connections waiting as the ``backlog`` says."""

    async def create_server(self, *args: Any, sock: Any = None, backlog: int = 100, **options: Any) -> asyncio.Server:
        """As in asyncio, except for the number of connections accepted at once."""
        server: asyncio.Server = await super().create_server(*args, sock=sock, backlog=min(AT_ONCE, backlog), **options)
        if sock is not None:
            sock.listen(backlog)  # the number that may wait is the other meaning of asyncio's `backlog`
        return server
