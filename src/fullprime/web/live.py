"""Live events of a session for one reader, over a stream of JSON lines or a WebSocket."""

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
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from fullprime.messages import ENGLISH, Message, render
from fullprime.play.events import Seat
from fullprime.play.server.fields import StateMessage
from fullprime.play.server.handle import SessionHandle
from fullprime.play.server.live_session import SessionNews
from fullprime.rules.errors import FullprimeError
from fullprime.web.connections.registry import track_stream
from fullprime.web.streams import Access, JsonLinesResponse, Mailbox, close_on_revocation, encode_value

HANDSHAKE_SECONDS = 15.0
"""Seconds that a WebSocket, once it is accepted, has to send its key."""
KEEPALIVE_SECONDS = 15.0
"""Seconds after which a stream without news gets a blank line."""
HEARTBEAT_INTERVAL = 1.0
"""The least seconds between two heartbeats of a page that are answered."""
_HEARTBEAT = '{"beat": 1}'

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader: the seat, the language, whether it gets the ``tree``, and the right that it needs."""

    seat: Seat | None
    language: str = ENGLISH
    tree: bool = True
    access: Access | None = None
    """The right by which an account has the seat; None where a key opens it, and for spectators."""


async def read_state_message(handle: SessionHandle, reader: Reader) -> StateMessage:
    """Read the state and all events as a reader sees them, those of other processes included."""
    return (await read_versioned_state(handle, reader))[1]


async def read_versioned_state(handle: SessionHandle, reader: Reader) -> tuple[int, StateMessage]:
    """Read the state with its version, which later news exceeds. A thread finds the ways to play a roll."""
    await handle.refresh_async()
    snapshot = handle.live.take_snapshot(reader.seat)
    return snapshot.version, await run_in_threadpool(partial(snapshot.build_message, reader.seat, tree=reader.tree))


@dataclass(frozen=True, slots=True)
class SeatNews:
    """News as one reader gets it, encoded."""

    version: int
    at: float
    text: bytes


async def stream_frames(
    handle: SessionHandle, reader: Reader, *, keepalive: float = KEEPALIVE_SECONDS
) -> AsyncIterator[bytes | None]:
    """Yield the state with all events so far, then each change as it comes, without gaps or repeats.

    Yields None when there was no change for ``keepalive`` seconds, and ends when the reader has left too much unread.
    Without ``tree`` the player who must play gets the plays as text alone.
    """
    late = handle.spectator_delay if reader.seat is None else 0
    async with open_session_mailbox(handle, reader, keepalive=keepalive) as mailbox:
        version, first = await read_versioned_state(handle, reader)
        yield encode_value(first, reader.language)
        news = mailbox.read()
        async for message in _delay(news, late, keepalive) if late else news:
            if message is None:
                yield None
            elif message.version > version:
                yield message.text


@asynccontextmanager
async def open_session_mailbox(
    handle: SessionHandle, reader: Reader, *, keepalive: float = KEEPALIVE_SECONDS
) -> AsyncIterator[Mailbox[SessionNews, SeatNews]]:
    """Open a mailbox of the news of a session, for a reader who counts as present meanwhile."""

    def convert(news: SessionNews) -> SeatNews:
        key = (reader.seat, reader.tree, reader.language)
        message = news.frames.get(key)
        if message is None:  # it is written once for all who see the same
            state_message = news.view.message(news.events, reader.seat, tree=reader.tree)
            message = news.frames[key] = encode_value(state_message, reader.language)
        return SeatNews(news.version, news.at, message)

    def deliver(news: SessionNews) -> None:
        if news.is_for(reader.seat):
            mailbox.put(news)

    async with handle.track_presence(reader.seat):
        mailbox = Mailbox(convert, keepalive)
        handle.follow(deliver)
        try:
            async with close_on_revocation(reader.access, mailbox):
                yield mailbox
        finally:
            handle.unfollow(deliver)
            mailbox.close()


async def _delay(news: AsyncIterator[SeatNews | None], late: float, keepalive: float) -> AsyncIterator[SeatNews | None]:
    """Yield news ``late`` seconds after it came, and None in between."""
    async for message in news:
        while message is not None and (wait := message.at + late - time.monotonic()) > 0:
            await asyncio.sleep(min(wait, keepalive))
            if wait > keepalive:
                yield None
        yield message


async def stream_frame_lines(handle: SessionHandle, reader: Reader) -> AsyncIterator[bytes]:
    """Yield the frames as lines of JSON, and a blank line when there was none for a while."""
    async with aclosing(stream_frames(handle, reader)) as sent:  # type: ignore[type-var]
        async for frame in sent:
            yield b"\n" if frame is None else frame + b"\n"


class EventStream(JsonLinesResponse):
    """An answer that streams :func:`stream_frame_lines`, with less work for each line."""

    def __init__(self, handle: SessionHandle, reader: Reader) -> None:
        super().__init__(stream_frame_lines(handle, reader))
        self._handle, self._reader = handle, reader

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer until the reader disconnects, or has left too much unread."""
        seat = self._reader.seat
        if seat is None and self._handle.spectator_delay:
            await super().__call__(scope, receive, send)
            return
        with track_stream(scope, None if seat is None else (self._handle.id, seat)):
            await self._stream(receive, send)

    async def _stream(self, receive: Receive, send: Send) -> None:
        handle, reader = self._handle, self._reader
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        leaving = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            async with open_session_mailbox(handle, reader) as mailbox:
                leaving.add_done_callback(lambda _: mailbox.wake())
                version, first = await read_versioned_state(handle, reader)
                await send(_chunk(encode_value(first, reader.language) + b"\n"))
                while not (leaving.done() or mailbox.is_full):
                    has_news = await mailbox.wait()
                    written = b"" if has_news else b"\n"
                    while mailbox.waiting:
                        message = mailbox.pop()
                        if message.version > version:
                            written += message.text + b"\n"
                    await send(_chunk(written))
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()


def _chunk(written: bytes) -> AsgiMessage:
    return {"type": "http.response.body", "body": written, "more_body": True}


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


# -- WebSockets ---------------------------------------------------------------------------------------------------
async def receive_key(socket: WebSocket) -> str | None:
    """Receive the first message, ``{"key": KEY}`` (or null, to watch); gives the key.

    Raises ValueError, KeyError, TypeError or TimeoutError for anything else.
    """
    async with asyncio.timeout(HANDSHAKE_SECONDS):
        first_text = await socket.receive_text()
    try:
        greeting = json.loads(first_text)
    except RecursionError as error:
        raise ValueError("brackets in brackets without end") from error
    key = greeting["key"]
    if not (key is None or isinstance(key, str)):
        raise TypeError("a key is text")
    return key


async def serve_socket(socket: WebSocket, handle: SessionHandle, reader: Reader) -> None:
    """Send the events until the client disconnects or is too slow. Of its messages only heartbeats are answered.

    By a heartbeat, ``{"beat": ...}``, a page finds out that its network was cut; the server sends pings of its own.
    """
    # One task group and not bare tasks: a server that ends cancels this from outside, and gets its own cancellation
    # back whether the two were busy or not.
    async with create_task_group() as group:

        async def until_over(part: Coroutine[Any, Any, None]) -> None:
            # The group keeps the error of a part that it has cancelled, in a circle with all that the part knew.
            with suppress(asyncio.CancelledError):
                await part
            group.cancel_scope.cancel()

        group.start_soon(until_over, _send_frames(socket, handle, reader))
        group.start_soon(until_over, _answer_heartbeats(socket))


async def _send_frames(socket: WebSocket, handle: SessionHandle, reader: Reader) -> None:
    try:
        async with aclosing(stream_frames(handle, reader)) as sent:  # type: ignore[type-var]
            async for frame in sent:
                if frame is not None:
                    await socket.send_text(frame.decode())
        if reader.access is not None and not await reader.access.is_valid():
            await socket.close(1008, render(Message("signed out: sign in again"), reader.language))
        else:
            await socket.close(1013, render(Message("too slow: connect again"), reader.language))
    except (WebSocketDisconnect, RuntimeError):
        return
    except FullprimeError as error:
        log.warning("a live line ended: %s", error)
        await socket.close(1011, render(Message("the game cannot be read: connect again"), reader.language))


async def _answer_heartbeats(socket: WebSocket) -> None:
    """Answer heartbeats until the client disconnects, at most one a second, and ignore all other messages."""
    answered = 0.0
    with suppress(WebSocketDisconnect, RuntimeError):
        while (received := await socket.receive())["type"] != "websocket.disconnect":
            now = time.monotonic()
            if now - answered >= HEARTBEAT_INTERVAL and (received.get("text") or "").startswith('{"beat"'):
                answered = now
                await socket.send_text(_HEARTBEAT)
