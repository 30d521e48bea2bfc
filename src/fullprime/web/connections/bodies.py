"""Bodies of requests: cut off at their limit, read whole before work begins, within a share of memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from starlette.types import Message, Receive

LARGEST_BODY = 16_384
"""Bytes of the body of a usual request."""
HELD = 64 << 20
"""Bytes of bodies that have come in part, of all requests together."""


class Bodies:
    """The memory of bodies that have not come to their end, shared out fairly among the addresses that send them."""

    def __init__(self, most: int = HELD) -> None:
        self._most = most
        self._held: dict[Body, int] = {}
        self._total = 0

    def hold(self, body: Body, size: int) -> None:
        """Note that a body has grown; when all hold too much, the largest of the address with most is ended."""
        self._held[body] = self._held.get(body, 0) + size
        self._total += size
        while self._total > self._most:
            of_owner: Counter[str] = Counter()
            for other, held in self._held.items():
                of_owner[other.owner] += held
            largest = max(self._held, key=lambda other: (of_owner[other.owner], self._held[other]))
            self.release(largest)
            largest.end()

    def release(self, body: Body) -> None:
        """A body has come to its end, or its request has."""
        self._total -= self._held.pop(body, 0)


class Body:
    """The messages of one request's body, of at most ``largest`` bytes, also where it says no length.

    ``close`` ends the connection of a request whose body must make room for others.
    """

    def __init__(self, receive: Receive, largest: int, bodies: Bodies, owner: str, close: Callable[[], None]) -> None:
        self.largest, self.owner = largest, owner
        self.is_over = False
        """True if more came than is allowed."""
        self.is_ended = False
        """True if its memory was needed for other bodies."""
        self._receive, self._bodies, self._close = receive, bodies, close
        self._size = 0

    async def __call__(self) -> Message:
        """The next message; ``http.disconnect`` when no more of the body is taken."""
        message = await self._receive()
        size = len(message.get("body", b""))
        self._size += size
        self.is_over = self._size > self.largest
        if size and message.get("more_body") and not self.is_over and not self.is_ended:
            self._bodies.hold(self, size)
        else:
            self._bodies.release(self)
        return {"type": "http.disconnect"} if self.is_over or self.is_ended else message

    def end(self) -> None:
        """Take no more of it, and end its connection."""
        self.is_ended = True
        self._close()


async def whole(receive: Receive, most: int | None = None) -> Receive:
    """The messages of a body, all of them read, to be received once more; not all where it has more than ``most``."""
    messages = [await receive()]
    size = len(messages[0].get("body", b""))
    while messages[-1].get("more_body") and (most is None or size <= most):
        messages.append(await receive())
        size += len(messages[-1].get("body", b""))
    waiting = iter(messages)

    async def next_message() -> Message:
        return next(waiting, None) or await receive()

    return next_message
