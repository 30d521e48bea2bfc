"""The queue of questions to the engine that clients wait for, limited in length and fair by address and by account.

The next question is always one of an owner with fewest under way, and among equals of the one for whom the engine has
thought least. A full queue makes room for an owner who has no question in it by dropping the last question of the owner
with most.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from fullprime.messages import Message
from fullprime.rules.errors import ErrorCode, FullprimeError

AT_ONCE = max(1, min(2, (os.cpu_count() or 1) - 1))
"""Questions that the engine thinks about at once; one processor is left for games."""
WAITING = 40
"""Questions that wait in all."""
EACH = 4
"""Questions of one address, and of one account, that wait or are thought about."""
_KEPT = 300.0
"""Seconds for which the engine's time for an owner is remembered after the last question."""


class EngineBusy(FullprimeError):
    """The queue does not take a question: there are too many of yours (``busy``), or of all (``full``)."""

    def __init__(self, message: str, code: ErrorCode, retry_after: int) -> None:
        super().__init__(message)
        self.code, self.retry_after = code, retry_after


class _WaitingQuestion:
    """A question that waits."""

    __slots__ = ("game", "number", "owners", "ready")

    def __init__(self, game: str, owners: Sequence[str], number: int) -> None:
        self.game, self.owners, self.number = game, tuple(owners), number
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class EngineQueue:
    """A queue for the engine, shared fairly among owners. Only for the event loop's thread."""

    def __init__(
        self,
        at_once: int = AT_ONCE,
        waiting: int = WAITING,
        each: int = EACH,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once, self._most_waiting, self._most_by_owner, self._clock = at_once, waiting, each, clock
        self._waiting: list[_WaitingQuestion] = []
        self._running_by_owner: Counter[str] = Counter()
        self._running_count = self._number = 0
        self._time_used: dict[str, tuple[float, float]] = {}
        """The engine's time for each owner, and the time when it was noted."""

    @asynccontextmanager
    async def take_turn(self, game: str, owners: Sequence[str]) -> AsyncIterator[None]:
        """Wait for a turn, and hold it while this context lasts. Raises EngineBusy when too many questions wait.

        ``owners`` are the address and, if there is one, the account that ask; ``game`` is the key of
        :meth:`count_ahead`.
        """
        await self._wait(game, owners)
        begun = self._clock()
        try:
            yield
        finally:
            self._add_time(owners, self._clock() - begun)
            self._release(owners)

    def count_ahead(self, game: str) -> int | None:
        """Count the questions that the engine answers before the one of that game; None if none of it waits."""
        mine = [self._rank(question) for question in self._waiting if question.game == game]
        return sum(self._rank(question) < min(mine) for question in self._waiting) if mine else None

    def count_questions(self) -> dict[str, int]:
        """Count the questions that are ``waiting`` and ``running``."""
        return {"waiting": len(self._waiting), "running": self._running_count}

    async def _wait(self, game: str, owners: Sequence[str]) -> None:
        mine = max(self._running_by_owner[owner] + self._count(owner) for owner in owners)
        if mine >= self._most_by_owner:
            raise EngineBusy(
                Message("{mine} questions of yours wait for the engine: wait for its answers", mine=mine), "busy", 5
            )
        if self._running_count < self._at_once and not self._waiting:
            self._take(owners)
            return
        if len(self._waiting) >= self._most_waiting and not self._make_room(owners):
            raise EngineBusy(Message("too many questions wait for the engine: try again in a little while"), "full", 15)
        self._number += 1
        question = _WaitingQuestion(game, owners, self._number)
        self._waiting.append(question)
        try:
            await question.ready
        except asyncio.CancelledError:
            if question in self._waiting:
                self._waiting.remove(question)
            elif not question.ready.cancelled() and question.ready.exception() is None:
                self._release(owners)  # it was its turn just now
            raise

    def _take(self, owners: Sequence[str]) -> None:
        self._running_count += 1
        self._running_by_owner.update(owners)

    def _release(self, owners: Sequence[str]) -> None:
        self._running_count -= 1
        self._running_by_owner -= Counter(owners)
        self._start_next()

    def _make_room(self, owners: Sequence[str]) -> bool:
        """Drop the last question of the owner with most in the queue, for an owner who has none."""
        if not self._waiting or any(self._count(owner) for owner in owners):
            return False
        waiting = Counter(owner for question in self._waiting for owner in question.owners)
        owner, number = waiting.most_common(1)[0]
        if number < 2:
            return False
        last = max(
            (question for question in self._waiting if owner in question.owners), key=lambda question: question.number
        )
        self._waiting.remove(last)
        last.ready.set_exception(EngineBusy("others have waited for less: ask again in a little while", "busy", 15))
        return True

    def _start_next(self) -> None:
        """Give free turns to the next questions."""
        while self._waiting and self._running_count < self._at_once:
            question = min(self._waiting, key=self._rank)
            self._waiting.remove(question)
            if not question.ready.done():
                self._take(question.owners)
                question.ready.set_result(None)

    def _rank(self, question: _WaitingQuestion) -> tuple[int, float, int]:
        """The rank, of which the smallest is next: the owner's questions before this one, the time used, the number."""
        before = max(
            self._running_by_owner[owner]
            + sum(owner in other.owners and other.number < question.number for other in self._waiting)
            for owner in question.owners
        )
        return before, max(self._time_used.get(owner, (0.0, 0.0))[0] for owner in question.owners), question.number

    def _count(self, owner: str) -> int:
        return sum(owner in question.owners for question in self._waiting)

    def _add_time(self, owners: Sequence[str], seconds: float) -> None:
        now = self._clock()
        self._time_used = {owner: noted for owner, noted in self._time_used.items() if now - noted[1] < _KEPT}
        for owner in owners:
            self._time_used[owner] = (self._time_used.get(owner, (0.0, 0.0))[0] + seconds, now)
