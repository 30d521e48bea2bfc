"""Work of a process before its first answer, so that no client waits for it: routes and garbage collection."""

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
    """Prepare all routes, which the framework would do for the first unknown address, in a second."""

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_message: Message) -> None:
        return

    scope = {"type": "http", "method": "GET", "path": "/api/nothing", "root_path": "", "headers": [], "app": app}

    async def request_missing() -> None:
        with suppress(HTTPException):
            await app.router({**scope, "query_string": b"", "state": {}}, receive, send)

    # In a thread of its own, because a worker is made on an event loop that runs already.
    with ThreadPoolExecutor(1, "warm up") as aside:
        aside.submit(asyncio.run, request_missing()).result()


def tune_garbage_collection() -> None:
    """Tune garbage collection: among young objects often, and hardly ever among old ones.

    Thousands of games are many objects that stay and form hardly any cycles, and a full collection stops every game.
    Threads switch sooner than by default, so that a computing one does not delay all actions.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 1_000)
    sys.setswitchinterval(0.001)
