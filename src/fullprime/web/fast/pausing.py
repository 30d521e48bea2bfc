"""Plain code on the event loop that pauses while an event is stored, without a thread of its own.

A table stores an event in the midst of an action. In a thread of its own that would cost more processor time for
handing over than the game itself does; here it is a greenlet, which the event loop leaves until the event is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from greenlet import getcurrent, greenlet
from sqlalchemy import Engine

from fullprime.store.games.writing import EventRow, SingleWriter
from fullprime.web.fast.batches import EventBatches, Outcome

T = TypeVar("T")


class _Pausable(greenlet):
    """An action that may pause."""


class _Storing:
    """An event that is being stored, and the outcome."""

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


async def run_pausing(action: Callable[[], T]) -> T:
    """Run plain code on this event loop, which does other things while :meth:`PausingWriter.write` stores an event.

    A caller that is cancelled meanwhile hears of it when all is done: the event under way may be stored already.
    """
    doing = _Pausable(action)
    cancelled: asyncio.CancelledError | None = None
    found = doing.switch()
    while not doing.dead:
        stored: _Storing = found
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


class PausingWriter:
    """An ``EventWriter``: events of code that runs by :func:`run_pausing` go into batches; all others one by one."""

    def __init__(self, engine: Engine) -> None:
        self._batches = EventBatches(engine, _tell)
        self._one_by_one = SingleWriter(engine)

    def write(self, row: EventRow) -> None:
        """Store an event; a pausable caller pauses until it is on the disk."""
        current = getcurrent()
        if not isinstance(current, _Pausable):
            self._one_by_one.write(row)
            return
        assert current.parent is not None
        stored = _Storing()
        self._batches.submit(row, stored)
        current.parent.switch(stored)
        if stored.outcome is not None:
            raise stored.outcome

    def close(self) -> None:
        """Store what waits, and end."""
        self._batches.close()


def _tell(outcomes: Sequence[tuple[_Storing, Outcome]]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Storing, Outcome]]] = {}
    for each in outcomes:
        by_loop.setdefault(each[0].loop, []).append(each)
    for loop, found in by_loop.items():
        with suppress(RuntimeError):  # a loop that has ended: nobody waits there any more
            loop.call_soon_threadsafe(_settle, found)


def _settle(outcomes: Sequence[tuple[_Storing, Outcome]]) -> None:
    for stored, outcome in outcomes:
        stored.settle(outcome)
