"""Streams of lines of JSON: news of one thing, as it comes, to whoever reads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import orjson
from fastapi.responses import StreamingResponse

Told = TypeVar("Told")
Message = TypeVar("Message")

WAITING = 200
"""Messages that wait for a slow reader before it is let go; it then asks again for how things stand."""
ALIVE = 7.0
"""Seconds after which a stream without news gets a blank line."""

MEDIA = "application/x-ndjson"


@asynccontextmanager
async def mailbox(
    join: Callable[[Callable[[Told], None]], object],
    leave: Callable[[Callable[[Told], None]], object],
    shape: Callable[[Told], Message],
) -> AsyncIterator[asyncio.Queue[Message | None]]:
    """A queue of what a listener is told, from whatever thread; None in it means that too much has not been read.

    What is told goes through ``shape`` at once, in the thread that tells it.
    """
    loop = asyncio.get_running_loop()
    news: asyncio.Queue[Message | None] = asyncio.Queue(WAITING)

    def put(message: Message) -> None:
        if news.qsize() >= WAITING - 1:
            leave(listener)
            news.put_nowait(None)
        else:
            news.put_nowait(message)

    def listener(told: Told) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(put, shape(told))

    join(listener)
    try:
        yield news
    finally:
        leave(listener)


async def messages(news: asyncio.Queue[Message | None], alive: float = ALIVE) -> AsyncIterator[Message | None]:
    """What is told, as it comes; None when there was nothing for a while. It ends when too much has not been read."""
    while True:
        try:
            async with asyncio.timeout(alive):
                message = await news.get()
        except TimeoutError:
            yield None
            continue
        if message is None:
            return
        yield message


def same(message: Message) -> Message:
    """What is told, as it was told."""
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


def streaming(source: AsyncIterator[bytes]) -> StreamingResponse:
    """An answer that goes on; proxies are asked not to hold it back."""
    return StreamingResponse(source, media_type=MEDIA, headers={"X-Accel-Buffering": "no"})
