"""The box of a reader: what several threads tell at once arrives whole, in each one's order, or ends the reading."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from fullprime.db.errors import StoreFailed
from fullprime.web import streams
from fullprime.web.streams import WAITING, Access, Mailbox, open_mailbox

TELLERS, EACH = 4, 40


def test_many_threads_tell_and_nothing_is_lost() -> None:
    async def told() -> list[tuple[int, int]]:
        listeners: list = []
        async with open_mailbox(listeners.append, listeners.remove, lambda pair: pair, keepalive=60) as box:

            def tell(teller: int) -> None:
                for number in range(EACH):
                    for listener in listeners:
                        listener((teller, number))

            with ThreadPoolExecutor(TELLERS) as pool:
                done = [asyncio.wrap_future(pool.submit(tell, teller)) for teller in range(TELLERS)]
                listeners[0]((TELLERS, 0))  # the loop's own thread tells, too
                numbers = []
                async for message in box.read():
                    numbers.append(message)
                    if len(numbers) == TELLERS * EACH + 1:
                        break
                await asyncio.gather(*done)
        assert listeners == []
        return numbers

    result = asyncio.run(told())
    for teller in range(TELLERS):
        assert [number for who, number in result if who == teller] == list(range(EACH))
    assert (TELLERS, 0) in result


def test_a_reader_who_does_not_read_is_let_go() -> None:
    async def told() -> list[int | None]:
        box: Mailbox[int, int] = Mailbox(lambda number: number, keepalive=60)
        for number in range(WAITING + 5):
            box.put_threadsafe(number)
        numbers = [number async for number in box.read()]
        box.close()
        return numbers

    assert asyncio.run(told()) == list(range(WAITING))


@pytest.mark.parametrize("answers", [(True, False), (StoreFailed("away"), True, False)], ids=["there", "away first"])
def test_a_stream_goes_on_while_the_database_is_away_and_ends_with_the_right_to_it(
    answers: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each check takes the next answer, once more where the database could not be asked."""
    monkeypatch.setattr(streams, "CHECK_AGAIN_SECONDS", 0.0)
    remaining, checks = list(answers), list[object]()
    is_checked = asyncio.Event()

    async def is_valid() -> bool:
        answer = remaining.pop(0)
        if isinstance(answer, Exception):
            raise answer
        is_checked.set()
        return bool(answer)

    async def read() -> list[object]:
        access = Access(is_valid, checks.append, checks.remove)
        subscribers: list = []
        async with open_mailbox(
            subscribers.append, subscribers.remove, lambda message: message, keepalive=60, access=access
        ) as mailbox:
            await is_checked.wait()
            assert not mailbox.is_full
            subscribers[0]("a message")
            messages = aiter(mailbox.read())
            first = await anext(messages)
            checks[0]({})  # the session is signed out
            return [first, *[message async for message in messages if message is not None]]

    assert asyncio.run(read()) == ["a message"]
    assert (remaining, checks) == ([], [])


@pytest.mark.logs_errors
def test_a_stream_ends_where_the_right_to_it_cannot_be_checked() -> None:
    async def is_valid() -> bool:
        raise RuntimeError("a fault of ours")

    async def read() -> list[object]:
        access = Access(is_valid, lambda _check: None, lambda _check: None)
        async with open_mailbox(
            lambda _put: None, lambda _put: None, lambda message: message, keepalive=60, access=access
        ) as mailbox:
            return [message async for message in mailbox.read() if message is not None]

    assert asyncio.run(read()) == []
