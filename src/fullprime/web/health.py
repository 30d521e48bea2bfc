"""The health of the server: whether what players do can be stored."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool

from fullprime.play.server.rooms import StoreConflict, StoreError
from fullprime.rules.errors import FullprimeError

WITHIN = 5.0
"""Seconds within which the database must have stored something."""
AGAIN = 5.0
"""Seconds for which an answer holds: whoever asks all the time does not write all the time."""

log = logging.getLogger(__name__)


class Health:
    """Whether what players do can be stored: by what became of their actions, and by a try when somebody asks.

    ``store`` raises a FullprimeError if nothing can be stored. :meth:`failed` and :meth:`stored` are told of actions.
    """

    def __init__(self, store: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._fault: str | None = None
        self._at = float("-inf")
        self._trying: asyncio.Task[None] | None = None

    async def fault(self) -> str | None:
        """The reason why nothing can be stored; None while all is well."""
        trying = self._trying
        if trying is None and self._clock() - self._at >= AGAIN:
            trying = self._trying = asyncio.create_task(self._try())
        if trying is not None:
            await asyncio.wait({trying}, timeout=WITHIN)
            if not trying.done():
                self._note("the database does not answer")
        return self._fault

    def failed(self, why: str) -> None:
        """Something that was asked for could not be stored: the server is not healthy until something is."""
        self._note(why)
        self._at = self._clock()

    def stored(self) -> None:
        """Something that was asked for has been stored."""
        if self._fault is not None:
            self._note(None)

    def note_append(self, error: StoreError | None) -> None:
        """Note what became of events: a conflict says nothing, because another process has stored events meanwhile."""
        if error is None:
            self.stored()
        elif not isinstance(error, StoreConflict):
            self.failed(str(error))

    async def _try(self) -> None:
        try:
            await run_in_threadpool(self._store)
            self._note(None)
        except FullprimeError as error:
            self._note(str(error))
        finally:
            self._trying, self._at = None, self._clock()

    def _note(self, fault: str | None) -> None:
        if fault is not None and self._fault is None:
            log.error("nothing can be stored", extra={"why": fault})
        if fault is None and self._fault is not None:
            log.warning("the database can be written again")
        self._fault = fault
