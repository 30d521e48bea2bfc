"""Work of a process before it answers, so that nobody waits for it: routes made ready, memory settled."""

from __future__ import annotations

import asyncio
import gc
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.types import Message


def warm_up(app: FastAPI) -> None:
    """Have all routes made ready, which the framework does for the first address that nobody knows, in a second."""

    async def nobody() -> Message:
        return {"type": "http.disconnect"}

    async def nothing(_message: Message) -> None:
        return

    scope = {"type": "http", "method": "GET", "path": "/api/nothing", "root_path": "", "headers": [], "app": app}

    async def ask() -> None:
        with suppress(HTTPException):
            await app.router({**scope, "query_string": b"", "state": {}}, nobody, nothing)

    # In a thread of its own, because a worker is made on an event loop that runs already.
    with ThreadPoolExecutor(1, "warm up") as aside:
        aside.submit(asyncio.run, ask()).result()


def settle_memory() -> None:
    """Look for garbage in circles among young objects, and hardly ever among those that stay.

    Thousands of games are many objects that stay: to look through all of them stops every game, and hardly any of them
    refer to themselves.
    Threads hand over sooner than Python has them do, so that one which computes does not hold up all actions.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 1_000)
    sys.setswitchinterval(0.001)
