"""The box of a reader: what several threads tell at once arrives whole, in each one's order, or ends the reading."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from fullprime.web.streams import WAITING, Box, listening

TELLERS, EACH = 4, 40


def test_many_threads_tell_and_nothing_is_lost() -> None:
    async def told() -> list[tuple[int, int]]:
        listeners: list = []
        async with listening(listeners.append, listeners.remove, lambda pair: pair, alive=60) as box:

            def tell(teller: int) -> None:
                for number in range(EACH):
                    for listener in listeners:
                        listener((teller, number))

            with ThreadPoolExecutor(TELLERS) as pool:
                done = [asyncio.wrap_future(pool.submit(tell, teller)) for teller in range(TELLERS)]
                listeners[0]((TELLERS, 0))  # the loop's own thread tells, too
                found = []
                async for message in box.read():
                    found.append(message)
                    if len(found) == TELLERS * EACH + 1:
                        break
                await asyncio.gather(*done)
        assert listeners == []
        return found

    found = asyncio.run(told())
    for teller in range(TELLERS):
        assert [number for who, number in found if who == teller] == list(range(EACH))
    assert (TELLERS, 0) in found


def test_a_reader_who_does_not_read_is_let_go() -> None:
    async def told() -> list[int | None]:
        box: Box[int, int] = Box(lambda number: number, alive=60)
        for number in range(WAITING + 5):
            box.tell(number)
        found = [number async for number in box.read()]
        box.close()
        return found

    assert asyncio.run(told()) == list(range(WAITING))
