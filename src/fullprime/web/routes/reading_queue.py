"""The queue for requests that read a whole game: its record, its proof, its chat.

Following a long game event by event takes seconds of a thread. One address reads one game at a time, so that threads
are left for others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from fullprime.web.addresses import client_key
from fullprime.web.connections.fair_queue import FairQueue

AT_ONCE, WAITING = 2, 60

T = TypeVar("T")


def create_reading_queue() -> FairQueue:
    """Create the queue of an application."""
    return FairQueue(AT_ONCE, AT_ONCE + WAITING, each=1)


async def read_whole_game(request: Request, read: Callable[[], T]) -> T:
    """Call a function that reads a whole game in a thread, once it is the caller's turn.

    Raises QueueFull where too many wait.
    """
    queue: FairQueue = request.app.state.reading_queue
    place = await queue.enter(client_key(request.scope))
    try:
        return await run_in_threadpool(read)
    finally:
        place.leave()
