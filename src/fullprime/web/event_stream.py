"""Live events as lines of JSON, with little to do for each of them."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive, Scope, Send

from fullprime.play.server.rooms import Room
from fullprime.web.connections.visits import streaming_to
from fullprime.web.live import Reader, following, latest, lines
from fullprime.web.streams import Lines, text


class EventStream(Lines):
    """The answer that is a stream of ``live.lines``, with less to do for each of them."""

    def __init__(self, room: Room, reader: Reader) -> None:
        super().__init__(lines(room, reader))
        self._room, self._reader = room, reader

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer until the reader goes, or has left too much unread."""
        seat = self._reader.seat
        if seat is None and self._room.late:
            await super().__call__(scope, receive, send)
            return
        with streaming_to(scope, None if seat is None else (self._room.id, seat)):
            await self._stream(receive, send)

    async def _stream(self, receive: Receive, send: Send) -> None:
        room, reader = self._room, self._reader
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        gone = asyncio.ensure_future(_gone_away(receive))
        try:
            async with following(room, reader) as box:
                gone.add_done_callback(lambda _: box.wake())
                told, first = await latest(room, reader)
                await send(_chunk(text(first) + b"\n"))
                while not (gone.done() or box.is_full):
                    there = await box.look()
                    written = b"" if there else b"\n"
                    while box.waiting:
                        message = box.take()
                        if message.version > told:
                            written += message.text + b"\n"
                    await send(_chunk(written))
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()


def _chunk(written: bytes) -> Message:
    return {"type": "http.response.body", "body": written, "more_body": True}


async def _gone_away(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
