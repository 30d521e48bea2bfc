"""Turns at the engine for questions that are answered at once: a queue with a length, fair by address and by account.

Next is always a question of somebody who has fewest under way, then of the one for whom the engine has thought least. A
full queue makes room for somebody who waits for nothing yet: the last question goes of the one who has most in it.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from fullprime.messages import Message
from fullprime.rules.errors import FullprimeError

AT_ONCE = max(1, min(2, (os.cpu_count() or 1) - 1))
"""Questions that the engine thinks about at once; one processor is left to those who play."""
WAITING = 40
"""Questions that wait in all."""
EACH = 4
"""Questions of one address, and of one account, that wait or are thought about."""
_KEPT = 300.0
"""Seconds for which is known how long the engine has thought for somebody who asks nothing more."""


class TurnRefused(FullprimeError):
    """A question that is not taken. ``code``: ``busy`` (too many of yours), ``full`` (too many of all)."""

    def __init__(self, message: str, code: str, retry_after: int) -> None:
        super().__init__(message)
        self.code, self.retry_after = code, retry_after


class _Question:
    """A question that waits."""

    __slots__ = ("game", "number", "owners", "ready")

    def __init__(self, game: str, owners: Sequence[str], number: int) -> None:
        self.game, self.owners, self.number = game, tuple(owners), number
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Turns:
    """The queue. It is used by the thread of the event loop alone."""

    def __init__(
        self,
        at_once: int = AT_ONCE,
        waiting: int = WAITING,
        each: int = EACH,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once, self._most, self._each, self._clock = at_once, waiting, each, clock
        self._waiting: list[_Question] = []
        self._running: Counter[str] = Counter()
        self._busy = self._number = 0
        self._used: dict[str, tuple[float, float]] = {}
        """How long the engine has thought for somebody, and when that was noted."""

    @asynccontextmanager
    async def turn(self, game: str, owners: Sequence[str]) -> AsyncIterator[None]:
        """Wait for a turn, and have it as long as this lasts. Raises TurnRefused when too much waits.

        ``owners`` are the address and, if there is one, the account that ask; ``game`` is what :meth:`ahead` asks for.
        """
        await self._wait(game, owners)
        begun = self._clock()
        try:
            yield
        finally:
            self._note(owners, self._clock() - begun)
            self._release(owners)

    def ahead(self, game: str) -> int | None:
        """The number of questions that will be thought about before the one of that game; None if none waits."""
        mine = [self._rank(each) for each in self._waiting if each.game == game]
        return sum(self._rank(each) < min(mine) for each in self._waiting) if mine else None

    def lengths(self) -> dict[str, int]:
        """The number of questions ``waiting`` and ``running``."""
        return {"waiting": len(self._waiting), "running": self._busy}

    async def _wait(self, game: str, owners: Sequence[str]) -> None:
        mine = max(self._running[owner] + self._count(owner) for owner in owners)
        if mine >= self._each:
            raise TurnRefused(
                Message("{mine} questions of yours wait for the engine: wait for its answers", mine=mine), "busy", 5
            )
        if self._busy < self._at_once and not self._waiting:
            self._take(owners)
            return
        if len(self._waiting) >= self._most and not self._makes_room(owners):
            raise TurnRefused(
                Message("too many questions wait for the engine: try again in a little while"), "full", 15
            )
        self._number += 1
        question = _Question(game, owners, self._number)
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
        self._busy += 1
        self._running.update(owners)

    def _release(self, owners: Sequence[str]) -> None:
        self._busy -= 1
        self._running -= Counter(owners)
        self._next()

    def _makes_room(self, owners: Sequence[str]) -> bool:
        """Send away the last question of the one who has most in the queue, for somebody who has none."""
        if not self._waiting or any(self._count(owner) for owner in owners):
            return False
        waiting = Counter(owner for each in self._waiting for owner in each.owners)
        owner, number = waiting.most_common(1)[0]
        if number < 2:
            return False
        last = max((each for each in self._waiting if owner in each.owners), key=lambda each: each.number)
        self._waiting.remove(last)
        last.ready.set_exception(TurnRefused("others have waited for less: ask again in a little while", "busy", 15))
        return True

    def _next(self) -> None:
        """Give the turn to whom it belongs."""
        while self._waiting and self._busy < self._at_once:
            question = min(self._waiting, key=self._rank)
            self._waiting.remove(question)
            if not question.ready.done():
                self._take(question.owners)
                question.ready.set_result(None)

    def _rank(self, question: _Question) -> tuple[int, float, int]:
        """The smallest is next: under way and before it of the same owner, time used, the order in which they came."""
        before = max(
            self._running[owner] + sum(owner in each.owners and each.number < question.number for each in self._waiting)
            for owner in question.owners
        )
        return before, max(self._used.get(owner, (0.0, 0.0))[0] for owner in question.owners), question.number

    def _count(self, owner: str) -> int:
        return sum(owner in each.owners for each in self._waiting)

    def _note(self, owners: Sequence[str], seconds: float) -> None:
        now = self._clock()
        self._used = {owner: noted for owner, noted in self._used.items() if now - noted[1] < _KEPT}
        for owner in owners:
            self._used[owner] = (self._used.get(owner, (0.0, 0.0))[0] + seconds, now)
