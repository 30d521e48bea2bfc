"""Streams of lines of JSON: news of one thing, as it comes, to every reader."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Generic, TypeVar

import orjson
from fastapi.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from fullprime.web.connections.visits import streaming_to

Told = TypeVar("Told")
Shaped = TypeVar("Shaped")
"""A message in the form that one reader gets."""

WAITING = 200
"""Messages that wait for a slow reader before it is let go; it then asks again for the state."""
ALIVE = 7.0
"""Seconds after which a stream without news gets a blank line."""

MEDIA = "application/x-ndjson"


class Box(Generic[Told, Shaped]):
    """The messages that one reader has not read yet; made and read by the thread of an event loop.

    Any thread may put a message in. It goes through ``shape`` when it is read: whoever tells it has an answer to give
    first, to a player who waits for it.
    """

    def __init__(self, shape: Callable[[Told], Shaped], alive: float) -> None:
        self.waiting: deque[Told] = deque()
        self.is_full = False
        """True if too much came that has not been read; the latest of it is missing."""
        self._shape = shape
        self._loop, self._owner = asyncio.get_running_loop(), threading.get_ident()
        self._order = threading.Lock()
        self._sent = self._come = 0
        self._reader: asyncio.Future[None] | None = None
        self._alive, self._was_told = alive / 2, False
        self._timer = self._loop.call_later(self._alive, self._tick)

    def close(self) -> None:
        """Wake nobody any more."""
        self._timer.cancel()

    def tell(self, told: Told) -> None:
        """Put a message in. Those of other threads and those of the loop itself keep their order."""
        with self._order:
            if threading.get_ident() == self._owner and self._sent == self._come:
                self._put(told)
            elif not self._loop.is_closed():
                self._sent += 1
                self._loop.call_soon_threadsafe(self._arrive, told)

    def wake(self) -> None:
        """Have the reader go on, though there may be nothing."""
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def look(self) -> bool:
        """Wait until something is there, for ``alive`` seconds at most or until :meth:`wake`; True if it is."""
        if not self.waiting and not self.is_full:
            self._reader = self._loop.create_future()
            await self._reader
        return bool(self.waiting)

    async def read(self) -> AsyncIterator[Shaped | None]:
        """The messages, as they come; None when there was none for a while. It ends when too much was not read."""
        while self.waiting or not self.is_full:
            yield self.take() if await self.look() else None

    def take(self) -> Shaped:
        """The next message that waits, which is then read."""
        return self._shape(self.waiting.popleft())

    def _tick(self) -> None:
        # One timer for a reader instead of one for each wait: it is to go on when nothing came between two ticks.
        if not self._was_told:
            self.wake()
        self._was_told = False
        self._timer = self._loop.call_later(self._alive, self._tick)

    def _arrive(self, told: Told) -> None:
        self._come += 1
        self._put(told)

    def _put(self, told: Told) -> None:
        if self.is_full or len(self.waiting) >= WAITING:
            self.is_full = True
        else:
            self.waiting.append(told)
        self._was_told = True
        self.wake()


@asynccontextmanager
async def listening(
    join: Callable[[Callable[[Told], None]], object],
    leave: Callable[[Callable[[Told], None]], object],
    shape: Callable[[Told], Shaped],
    alive: float = ALIVE,
) -> AsyncIterator[Box[Told, Shaped]]:
    """A box for one who listens."""
    box = Box(shape, alive)
    join(box.tell)
    try:
        yield box
    finally:
        leave(box.tell)
        box.close()


def same(message: Shaped) -> Shaped:
    """The message as it was told."""
    return message


def text(message: Any) -> bytes:
    """A message as JSON."""
    try:
        return orjson.dumps(message)
    except TypeError:
        # A cube without a cap is soon worth more than 64 bits hold.
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def line(message: Any) -> bytes:
    """A message as a line of JSON."""
    return text(message) + b"\n"


def answer(message: Any) -> Response:
    """An answer with a message as it was made: its type says what it is, and nothing checks it once more."""
    return Response(text(message), media_type="application/json")


class Lines(StreamingResponse):
    """An answer of lines of JSON that goes on."""

    media_type = MEDIA

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, if there may be one more stream; raises TooManyStreams before anything is sent."""
        with streaming_to(scope):
            await super().__call__(scope, receive, send)


def streaming(source: AsyncIterator[bytes]) -> Lines:
    """An answer that goes on; proxies are asked not to hold it back."""
    return Lines(source, headers={"X-Accel-Buffering": "no"})
