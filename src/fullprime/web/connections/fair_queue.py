"""Turns at work that few requests may do at once, shared out fairly among the addresses that ask for it.

The next turn is of the address with fewest requests under way, then of the one whose last turn is longest ago. A full
queue makes room for an address that has less in it: the last request of the address with most goes. So one address with
many connections waits for itself, and takes the turn of no other.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque

from fullprime.rules.errors import FullprimeError


class QueueFull(FullprimeError):
    """A request that finds no place, or has lost it to others. ``retry_after``: seconds after which to try again."""

    code = "full"
    retry_after = 5

    def __init__(self) -> None:
        super().__init__("too many people ask for the same at once: try again in a little while")


class Place:
    """One request in a queue."""

    __slots__ = ("_queue", "_turned", "has_turn", "is_inside", "owner")

    def __init__(self, queue: FairQueue, owner: str) -> None:
        self.owner = owner
        self.has_turn, self.is_inside = False, True
        self._queue = queue
        self._turned: asyncio.Event | None = None

    async def wait(self) -> None:
        """Wait for the turn; raises QueueFull when the place is lost to others meanwhile."""
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
        """The turn has come, or the place is lost."""
        if self._turned is not None:
            self._turned.set()

    def pass_on(self) -> None:
        """Let the next request begin before this one has ended."""
        self._queue.pass_on(self)

    def leave(self) -> None:
        """The request has ended."""
        self._queue.leave(self)


class FairQueue:
    """A queue: ``at_once`` requests have a turn, ``most`` are inside. For the thread of an event loop alone.

    ``each``: requests of one owner that may be under way, those that have passed their turn on among them.
    """

    def __init__(self, at_once: int, most: int, each: int | None = None) -> None:
        self._free, self._most, self._each = at_once, most, each
        self._waiting: dict[str, deque[Place]] = {}
        """By owner; the owner whose last turn is longest ago comes first."""
        self._under_way: Counter[str] = Counter()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    async def enter(self, owner: str) -> Place:
        """A place whose turn has come, to be left at the end of the work. Raises QueueFull."""
        if self._length >= self._most and not self._displace_for(owner):
            raise QueueFull
        place = Place(self, owner)
        self._length += 1
        self._waiting.setdefault(owner, deque()).append(place)
        self._give_turns()
        await place.wait()
        return place

    def pass_on(self, place: Place) -> None:
        """End a turn, though not the work."""
        if place.has_turn:
            place.has_turn = False
            self._free += 1
            self._give_turns()

    def leave(self, place: Place) -> None:
        """Let a request go, whether its turn has come or not."""
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
            rest = self._waiting.pop(owner)
            if rest:
                self._waiting[owner] = rest
            self._free -= 1
            self._under_way[owner] += 1
            place.has_turn = True
            place.wake()

    def _next_owner(self) -> str | None:
        able = (owner for owner in self._waiting if self._each is None or self._under_way[owner] < self._each)
        return min(able, key=self._under_way.__getitem__, default=None)

    def _displace_for(self, owner: str) -> bool:
        """Send away the last request of the owner with most, if that leaves it no less than the new one gets."""
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

    def _remove(self, place: Place) -> None:
        same = self._waiting[place.owner]
        same.remove(place)
        if not same:
            del self._waiting[place.owner]
