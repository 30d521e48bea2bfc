"""Plain code on the event loop that stands still while something is stored, without a thread of its own.

A table stores an event in the midst of what it does. In a thread of its own that would cost more processor time for
handing over than the game itself does; here it is a greenlet, which the event loop leaves until the event is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from greenlet import getcurrent, greenlet
from sqlalchemy import Engine

from fullprime.store.games.games import EventRow
from fullprime.store.games.together import Outcome, Together

T = TypeVar("T")


class _Doing(greenlet):
    """Something that may stand still."""


class _Stored:
    """An event that is being stored, and what came of it."""

    __slots__ = ("is_known", "loop", "outcome", "waiter")

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.waiter: asyncio.Future[None] = self.loop.create_future()
        self.is_known = False
        self.outcome: Outcome = None

    def settle(self, outcome: Outcome) -> None:
        """It is known now."""
        self.is_known, self.outcome = True, outcome
        if not self.waiter.done():
            self.waiter.set_result(None)


async def do(what: Callable[[], T]) -> T:
    """Do something at once, standing still where :meth:`Waiting.store` is called.

    Who is cancelled meanwhile hears of it when all is done: what is under way may be stored already.
    """
    doing = _Doing(what)
    cancelled: asyncio.CancelledError | None = None
    found = doing.switch()
    while not doing.dead:
        stored: _Stored = found
        while not stored.is_known:
            try:
                await stored.waiter
            except asyncio.CancelledError as error:
                cancelled = error
                stored.waiter = stored.loop.create_future()
        found = doing.switch()
    if cancelled is not None:
        raise cancelled
    return found  # type: ignore[no-any-return]


class Waiting:
    """Stores the events of games for those that :func:`do` something, many together."""

    def __init__(self, engine: Engine) -> None:
        self._together = Together(engine, _tell)

    def store(self, row: EventRow) -> bool:
        """Store an event while the caller stands still; False where it cannot. It is a ``GameStore.instead``."""
        current = getcurrent()
        if not isinstance(current, _Doing):
            return False
        assert current.parent is not None
        stored = _Stored()
        self._together.submit(row, stored)
        current.parent.switch(stored)
        if stored.outcome is not None:
            raise stored.outcome
        return True

    def close(self) -> None:
        """Store what waits, and end."""
        self._together.close()


def _tell(outcomes: Sequence[tuple[_Stored, Outcome]]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Stored, Outcome]]] = {}
    for each in outcomes:
        by_loop.setdefault(each[0].loop, []).append(each)
    for loop, found in by_loop.items():
        with suppress(RuntimeError):  # a loop that has ended: nobody waits there any more
            loop.call_soon_threadsafe(_settle, found)


def _settle(outcomes: Sequence[tuple[_Stored, Outcome]]) -> None:
    for stored, outcome in outcomes:
        stored.settle(outcome)
