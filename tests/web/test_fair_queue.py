"""Fair shares of a queue by address."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullprime.web.connections.fair_queue import FairQueue, QueueFull, QueuePlace

OWNERS = "abcde"


class Queue:
    """A queue, with those who have had their turns in their order."""

    def __init__(self, at_once: int = 1, most: int = 10, each: int | None = None) -> None:
        self.queue = FairQueue(at_once, most, each)
        self.turns: list[str] = []
        self.places: list[QueuePlace] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, *names: str) -> None:
        self.tasks += [asyncio.create_task(self._ask(name)) for name in names]
        await settled()

    async def end(self, *, passing_on: bool = False) -> None:
        place = self.places.pop(0)
        place.release_turn() if passing_on else place.leave()
        await settled()

    async def _ask(self, name: str) -> None:
        self.places.append(await self.queue.enter(name[0]))
        self.turns.append(name)


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def queueing(**limits: int) -> Callable[[Callable[[Queue], Coroutine[Any, Any, None]]], Callable[[], None]]:
    def made(test: Callable[[Queue], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        def run() -> None:
            async def whole() -> None:
                await test(Queue(**limits))

            asyncio.run(whole())

        run.__name__ = test.__name__
        return run

    return made


@queueing()
async def test_addresses_take_turns(queue: Queue) -> None:
    await queue.ask("a1", "a2", "a3", "a4", "b1", "b2", "c1")
    while queue.places:
        await queue.end()
    assert queue.turns == ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]
    assert len(queue.queue) == 0


@queueing(at_once=2)
async def test_next_is_the_address_with_fewest_under_way(queue: Queue) -> None:
    await queue.ask("a1", "a2", "a3", "b1", "b2")
    await queue.end()
    await queue.end()
    assert queue.turns == ["a1", "a2", "b1", "a3"]


@queueing(most=4)
async def test_a_full_queue_makes_room_for_the_address_with_less(queue: Queue) -> None:
    await queue.ask("a1", "a2", "a3", "a4", "b1", "b2", "b3", "a5")
    refused = [isinstance(task.exception(), QueueFull) for task in queue.tasks if task.done() and task.exception()]
    assert len(refused) == 4
    while queue.places:
        await queue.end()
    assert queue.turns == ["a1", "a2", "b1", "b2"]


@queueing(each=1)
async def test_an_address_has_few_under_way_though_they_have_passed_their_turns_on(queue: Queue) -> None:
    await queue.ask("a1", "a2", "b1")
    first = queue.places[0]
    await queue.end(passing_on=True)
    await queue.end(passing_on=True)
    assert queue.turns == ["a1", "b1"]
    first.leave()
    await settled()
    assert queue.turns == ["a1", "b1", "a2"]


@queueing()
async def test_a_request_that_is_given_up_leaves_its_place(queue: Queue) -> None:
    await queue.ask("a1", "b1", "c1")
    queue.tasks[1].cancel()
    await settled()
    await queue.end()
    assert queue.turns == ["a1", "c1"]
    await queue.ask("d1")
    queue.places[0].leave()  # the turn has come, and its request is given up before it knows
    queue.tasks[3].cancel()
    await settled()
    assert len(queue.queue) == 0
    await queue.ask("e1")
    assert queue.turns[-1] == "e1"


@settings(deadline=None)
@given(owners=st.lists(st.sampled_from(OWNERS), max_size=60), at_once=st.integers(1, 4), most=st.integers(4, 12))
def test_no_address_is_refused_while_another_has_two_more(owners: list[str], at_once: int, most: int) -> None:
    async def test() -> None:
        queue = Queue(at_once, most)
        await queue.ask(*owners)
        refused = Counter(
            owner for owner, task in zip(owners, queue.tasks, strict=True) if task.done() and task.exception()
        )
        inside = Counter(owners) - refused
        assert inside.total() == min(len(owners), most) == len(queue.queue)
        waiting = {owner for owner, task in zip(owners, queue.tasks, strict=True) if not task.done()}
        for owner in refused:
            assert all(inside[other] <= inside[owner] + 1 for other in waiting)
        while queue.places:
            await queue.end()
        assert Counter(queue.turns) == inside
        assert len(queue.queue) == 0

    asyncio.run(test())


def test_the_refusal_says_when_to_come_again() -> None:
    async def test() -> None:
        queue = FairQueue(1, 1)
        await queue.enter("a")
        with pytest.raises(QueueFull, match="at once") as caught:
            await queue.enter("b")
        assert caught.value.retry_after > 0

    asyncio.run(test())
