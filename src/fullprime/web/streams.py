"""Streams of lines of JSON: news of one thing, as it comes, to whoever reads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from fastapi.responses import StreamingResponse

Message = Mapping[str, Any]
Listener = Callable[[Message], None]

WAITING = 200
"""Messages that wait for a slow reader before it is let go; it then asks again for how things stand."""
ALIVE = 7.0
"""Seconds after which a stream without news gets a blank line."""

MEDIA = "application/x-ndjson"


@asynccontextmanager
async def mailbox(
    join: Callable[[Listener], object], leave: Callable[[Listener], object]
) -> AsyncIterator[asyncio.Queue[Message | None]]:
    """A queue of what a listener is told, from whatever thread; None in it means that too much has not been read."""
    loop = asyncio.get_running_loop()
    news: asyncio.Queue[Message | None] = asyncio.Queue(WAITING)

    def put(message: Message) -> None:
        if news.qsize() >= WAITING - 1:
            leave(listener)
            news.put_nowait(None)
        else:
            news.put_nowait(message)

    def listener(message: Message) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(put, message)

    join(listener)
    try:
        yield news
    finally:
        leave(listener)


async def messages(news: asyncio.Queue[Message | None], alive: float = ALIVE) -> AsyncIterator[Message | None]:
    """What is told, as it comes; None when there was nothing for a while. It ends when too much has not been read."""
    while True:
        try:
            message = await asyncio.wait_for(news.get(), alive)
        except TimeoutError:
            yield None
            continue
        if message is None:
            return
        yield message


def line(message: Message) -> str:
    """A message as a line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n"


def streaming(source: AsyncIterator[str]) -> StreamingResponse:
    """An answer that goes on; proxies are asked not to hold it back."""
    return StreamingResponse(source, media_type=MEDIA, headers={"X-Accel-Buffering": "no"})
