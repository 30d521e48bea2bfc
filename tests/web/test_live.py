"""A live line ends cleanly however it is ended."""

import asyncio
import gc
import json
import weakref
from typing import Any

import anyio
import pytest

pytest.importorskip("fastapi")

from starlette.websockets import WebSocketDisconnect

from fullprime.play.server import presence
from fullprime.web import live, run, streams


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

        monkeypatch.setattr(live, "_send_frames", told)
        scope = anyio.CancelScope()

        async def serve() -> None:
            with scope:
                await live.serve_socket(Gone(), None, None)  # type: ignore[arg-type]

        task = asyncio.create_task(serve())
        await ending.wait()
        scope.cancel()
        for _ in range(5):  # turns of the loop in which the cancellation is delivered
            await asyncio.sleep(0)
        ended.set()
        await task  # bare tasks that are gathered raise a CancelledError here that belongs to nobody
        assert not task.cancelled()

    asyncio.run(main())


def test_a_line_that_has_ended_waits_for_no_garbage_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows the connection, the room, and what was told last: too much for a crowd that comes and goes."""

    class Leaves(Gone):
        async def receive_text(self) -> str:
            raise WebSocketDisconnect(1001)

    async def told(socket: Gone, _room: Any, _seat: str | None) -> None:
        await asyncio.Event().wait()
        assert socket

    async def greeted(socket: Gone) -> None:
        with pytest.raises(WebSocketDisconnect):
            await live.receive_key(socket)  # type: ignore[arg-type]

    async def conversed(socket: Gone) -> None:
        await live.serve_socket(socket, None, None)  # type: ignore[arg-type]

    async def main() -> None:
        for use in (greeted, conversed):
            socket = Leaves()
            left = weakref.ref(socket)
            await asyncio.create_task(use(socket))
            del socket
            for _ in range(3):  # turns of the loop in which the tasks end
                await asyncio.sleep(0)
            assert left() is None, use.__name__

    monkeypatch.setattr(live, "_send_frames", told)
    gc.disable()
    try:
        asyncio.run(main())
    finally:
        gc.enable()


def test_a_cube_without_a_cap_may_be_worth_more_than_64_bits_hold() -> None:
    message = {"cube": 2**70, "text": "„Ünï“"}
    assert json.loads(streams.encode_json(message)) == message
    assert json.loads(streams.encode_json_line({"cube": 2})) == {"cube": 2}
    assert streams.encode_json_line(message) == streams.encode_json(message) + b"\n"


def test_the_other_side_is_told_of_a_cut_network_within_ten_seconds() -> None:
    """A ping goes unanswered, and then the side has no page for a while; the rest is for a busy machine."""
    seconds = run.SILENCE + presence.AWAY_SECONDS
    assert seconds <= 9.5
