"""Live events of a room, to a stream of lines or a WebSocket, for one person."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from anyio import create_task_group
from fastapi import WebSocket, WebSocketDisconnect
from starlette.concurrency import run_in_threadpool

from fullprime.messages import ENGLISH, Message, render
from fullprime.play.events import Seat
from fullprime.play.server.fields import StateMessage
from fullprime.play.server.live_session import SessionNews
from fullprime.play.server.rooms import Room
from fullprime.rules.errors import FullprimeError
from fullprime.web.streams import Box, listening, text

HELLO_WITHIN = 15.0
"""Seconds that a WebSocket has to send its key; also the time after which a stream without news gets a blank line."""
BEATS_APART = 1.0
"""Seconds between two beats of a page that are answered."""
_BEAT = '{"beat": 1}'

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reader:
    """Those who see the same: in one seat, of one language, with the ``tree`` of the ways to play or without."""

    seat: Seat | None
    language: str = ENGLISH
    tree: bool = True


async def current(room: Room, reader: Reader) -> StateMessage:
    """The state as a reader sees it and all that has happened, also in other processes."""
    return (await latest(room, reader))[1]


async def latest(room: Room, reader: Reader) -> tuple[int, StateMessage]:
    """The same with its version, which later news exceeds. The ways to play a roll are found in a thread."""
    await room.refreshed()
    picture = room.live.picture(reader.seat)
    frame = partial(picture.frame, reader.seat, tree=reader.tree, language=reader.language)
    return picture.version, await run_in_threadpool(frame)


@dataclass(frozen=True, slots=True)
class SeatNews:
    """News as one person sees it."""

    version: int
    at: float
    text: bytes


async def frames(room: Room, reader: Reader, *, alive: float = HELLO_WITHIN) -> AsyncIterator[bytes | None]:
    """First the state with all events so far, then each change as it comes, nothing twice and nothing left out.

    None comes when there was no change for ``alive`` seconds. It ends when too much has not been read. Without ``tree``
    the player who must play gets the plays as text alone.
    """
    late = room.late if reader.seat is None else 0
    async with following(room, reader, alive=alive) as box:
        told, first = await latest(room, reader)
        yield text(first)
        news = box.read()
        async for message in _delayed(news, late, alive) if late else news:
            if message is None:
                yield None
            elif message.version > told:
                yield message.text


@asynccontextmanager
async def following(
    room: Room, reader: Reader, *, alive: float = HELLO_WITHIN
) -> AsyncIterator[Box[SessionNews, SeatNews]]:
    """The events in a room, for a reader who is there meanwhile."""

    def shape(news: SessionNews) -> SeatNews:
        key = (reader.seat, reader.tree, reader.language)
        message = news.made.get(key)
        if message is None:  # it is written once for all who see the same
            message = news.made[key] = text(news.frame(reader.seat, tree=reader.tree, language=reader.language))
        return SeatNews(news.version, news.at, message)

    async with room.present(reader.seat), listening(room.follow, room.unfollow, shape, alive) as box:
        yield box


async def _delayed(news: AsyncIterator[SeatNews | None], late: float, alive: float) -> AsyncIterator[SeatNews | None]:
    """News so many seconds after it came, and None in between."""
    async for message in news:
        while message is not None and (wait := message.at + late - time.monotonic()) > 0:
            await asyncio.sleep(min(wait, alive))
            if wait > alive:
                yield None
        yield message


async def lines(room: Room, reader: Reader) -> AsyncIterator[bytes]:
    """The same as lines of JSON; a blank one when there was nothing for a while."""
    async with aclosing(frames(room, reader)) as told:  # type: ignore[type-var]
        async for frame in told:
            yield b"\n" if frame is None else frame + b"\n"


async def hello(socket: WebSocket) -> str | None:
    """The key in the first message, ``{"key": KEY}`` (or null, to watch).

    Raises ValueError, KeyError, TypeError or TimeoutError for anything else.
    """
    async with asyncio.timeout(HELLO_WITHIN):
        said_first = await socket.receive_text()
    try:
        said = json.loads(said_first)
    except RecursionError as error:
        raise ValueError("brackets in brackets without end") from error
    key = said["key"]
    if not (key is None or isinstance(key, str)):
        raise TypeError("a key is text")
    return key


async def converse(socket: WebSocket, room: Room, reader: Reader) -> None:
    """Tell the events until the other side goes, or is too slow. Of its messages only a beat is answered.

    A beat, ``{"beat": ...}``, is how a page finds out that its network was cut; pings of our own find out for us.
    """
    # One task group and not bare tasks: a server that ends cancels this from outside, and gets its own cancellation
    # back whether the two were busy or not.
    async with create_task_group() as group:

        async def until_over(part: Coroutine[Any, Any, None]) -> None:
            # The group keeps the error of a part that it has cancelled, in a circle with all that the part knew.
            with suppress(asyncio.CancelledError):
                await part
            group.cancel_scope.cancel()

        group.start_soon(until_over, _tell(socket, room, reader))
        group.start_soon(until_over, _answer_beats(socket))


async def _tell(socket: WebSocket, room: Room, reader: Reader) -> None:
    try:
        async with aclosing(frames(room, reader)) as told:  # type: ignore[type-var]
            async for frame in told:
                if frame is not None:
                    await socket.send_text(frame.decode())
        await socket.close(1013, render(Message("too slow: connect again"), reader.language))
    except (WebSocketDisconnect, RuntimeError):
        return
    except FullprimeError as error:
        log.warning("a live line ended: %s", error)
        await socket.close(1011, render(Message("the game cannot be read: connect again"), reader.language))


async def _answer_beats(socket: WebSocket) -> None:
    """Answer beats until the other side goes, at most one a second: whatever else it says is not heard."""
    answered = 0.0
    with suppress(WebSocketDisconnect, RuntimeError):
        while (said := await socket.receive())["type"] != "websocket.disconnect":
            now = time.monotonic()
            if now - answered >= BEATS_APART and (said.get("text") or "").startswith('{"beat"'):
                answered = now
                await socket.send_text(_BEAT)
