"""A queue for work that few requests may do at once, shared fairly among addresses.

The next turn goes to the address with fewest requests under way, and among equals to the one whose last turn is longest
ago. A full queue makes room for an address with fewer requests by dropping the last request of the address with most.
So an address with many connections delays only its own requests.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque

from fullprime.messages import Message
from fullprime.rules.errors import ErrorCode, FullprimeError


class QueueFull(FullprimeError):
    """There is no place for a request, or it lost its place. ``retry_after``: seconds after which to try again."""

    code: ErrorCode = "full"
    retry_after = 5

    def __init__(self) -> None:
        super().__init__(Message("too many people ask for the same at once: try again in a little while"))


class QueuePlace:
    """One request in a queue."""

    __slots__ = ("_queue", "_turned", "has_turn", "is_inside", "owner")

    def __init__(self, queue: FairQueue, owner: str) -> None:
        self.owner = owner
        self.has_turn, self.is_inside = False, True
        self._queue = queue
        self._turned: asyncio.Event | None = None

    async def wait(self) -> None:
        """Wait for the turn; raises QueueFull when the place is lost meanwhile."""
        if self.is_inside and not self.has_turn:
            self._turned = asyncio.Event()
            try:
                await self._turned.wait()
            except asyncio.CancelledError:
                self.leave()
                raise
        if not self.is_inside:
            raise QueueFull

    def wake(self) -> None:
        """Wake the request, because its turn has come or its place is lost."""
        if self._turned is not None:
            self._turned.set()

    def release_turn(self) -> None:
        """Give the turn to the next request before this one has ended."""
        self._queue.release_turn(self)

    def leave(self) -> None:
        """Leave the queue, when the request has ended."""
        self._queue.leave(self)


class FairQueue:
    """A queue: ``at_once`` requests have a turn, ``most`` are inside. For the thread of an event loop alone.

    ``each`` is the most requests of one owner under way, those that have released their turn included.
    """

    def __init__(self, at_once: int, most: int, each: int | None = None) -> None:
        self._free, self._most, self._each = at_once, most, each
        self._waiting: dict[str, deque[QueuePlace]] = {}
        """The places by owner, the owner whose last turn is longest ago first."""
        self._under_way: Counter[str] = Counter()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    async def enter(self, owner: str) -> QueuePlace:
        """Wait for a turn; gives its place, which is to be left at the end of the work. Raises QueueFull."""
        if self._length >= self._most and not self._displace_for(owner):
            raise QueueFull
        place = QueuePlace(self, owner)
        self._length += 1
        self._waiting.setdefault(owner, deque()).append(place)
        self._give_turns()
        await place.wait()
        return place

    def release_turn(self, place: QueuePlace) -> None:
        """End the turn of a request whose work goes on."""
        if place.has_turn:
            place.has_turn = False
            self._free += 1
            self._give_turns()

    def leave(self, place: QueuePlace) -> None:
        """Remove a request, whether its turn has come or not."""
        if not place.is_inside:
            return
        place.is_inside = False
        self._length -= 1
        if place in self._waiting.get(place.owner, ()):
            self._remove(place)
            return
        self._under_way -= Counter((place.owner,))
        if place.has_turn:
            place.has_turn = False
            self._free += 1
        self._give_turns()

    def _give_turns(self) -> None:
        while self._free and (owner := self._next_owner()) is not None:
            place = self._waiting[owner].popleft()
            waiting = self._waiting.pop(owner)
            if waiting:
                self._waiting[owner] = waiting
            self._free -= 1
            self._under_way[owner] += 1
            place.has_turn = True
            place.wake()

    def _next_owner(self) -> str | None:
        able = (owner for owner in self._waiting if self._each is None or self._under_way[owner] < self._each)
        return min(able, key=self._under_way.__getitem__, default=None)

    def _displace_for(self, owner: str) -> bool:
        """Drop the last request of the owner with most, if it keeps at least as many as the new one then has."""
        if not self._waiting:
            return False
        largest = max(self._waiting, key=self._count)
        if self._count(largest) <= self._count(owner) + 1:
            return False
        last = self._waiting[largest][-1]
        self.leave(last)
        last.wake()
        return True

    def _count(self, owner: str) -> int:
        return self._under_way[owner] + len(self._waiting.get(owner, ()))

    def _remove(self, place: QueuePlace) -> None:
        same = self._waiting[place.owner]
        same.remove(place)
        if not same:
            del self._waiting[place.owner]
