"""A live line ends cleanly however it is ended."""

import asyncio
import json
from typing import Any

import anyio
import pytest

pytest.importorskip("fastapi")

from fullprime.web import live, streams


class Gone:
    """A socket whose other side has left."""

    async def receive(self) -> dict[str, str]:
        return {"type": "websocket.disconnect"}


def test_who_cancels_a_line_that_is_just_ending_gets_back_that_cancellation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> None:
        ending, ended = asyncio.Event(), asyncio.Event()

        async def told(_socket: Any, _room: Any, _seat: str | None) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ending.set()
                with anyio.CancelScope(shield=True):
                    await ended.wait()

        monkeypatch.setattr(live, "_tell", told)
        scope = anyio.CancelScope()

        async def serve() -> None:
            with scope:
                await live.converse(Gone(), None, None)  # type: ignore[arg-type]

        task = asyncio.create_task(serve())
        await ending.wait()
        scope.cancel()
        for _ in range(5):  # turns of the loop in which the cancellation is delivered
            await asyncio.sleep(0)
        ended.set()
        await task  # bare tasks that are gathered raise a CancelledError here that belongs to nobody
        assert not task.cancelled()

    asyncio.run(main())


def test_a_cube_without_a_cap_may_be_worth_more_than_64_bits_hold() -> None:
    message = {"cube": 2**70, "text": "„Ünï“"}
    assert json.loads(streams.text(message)) == message
    assert json.loads(streams.line({"cube": 2})) == {"cube": 2}
    assert streams.line(message) == streams.text(message) + b"\n"
