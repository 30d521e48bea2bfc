"""Streams of JSON lines (NDJSON): every reader gets the messages of a source as they come."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import orjson
from fastapi import Request
from fastapi.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from fullprime.common.json_values import to_json
from fullprime.messages import render_all
from fullprime.play.server.game_server import StoreFailed
from fullprime.web.connections.registry import track_stream
from fullprime.web.languages import language_of

News = TypeVar("News")
Value = TypeVar("Value")
Converted = TypeVar("Converted")
"""A message as one reader gets it."""

WAITING = 200
"""The most messages that wait for a slow reader, which is then disconnected and asks for the state again."""
CHECK_AGAIN_SECONDS = 1.0
"""Seconds until the right to a stream is asked for again, where the database was away."""
BLANK_LINE_SECONDS = 7.0
"""Seconds after which a stream of the lobby, of an account or of a bot's game without messages gets a blank line."""

NDJSON = "application/x-ndjson"
"""The media type of JSON lines."""

log = logging.getLogger(__name__)


class Mailbox(Generic[News, Converted]):
    """The queue of messages that one reader has not read yet; it is made and read on an event loop.

    Any thread may put a message in. ``convert`` is applied when a message is read, so that the sender can first answer
    the player who waits for it.
    """

    def __init__(self, convert: Callable[[News], Converted], keepalive: float) -> None:
        self.waiting: deque[News] = deque()
        self.is_full = False
        """True if too many messages were left unread; the latest of them are missing."""
        self._convert = convert
        self._loop, self._owner = asyncio.get_running_loop(), threading.get_ident()
        self._order = threading.Lock()
        self._sent_count = self._arrived_count = 0
        self._reader: asyncio.Future[None] | None = None
        self._tick_seconds, self._has_news = keepalive / 2, False
        self._timer = self._loop.call_later(self._tick_seconds, self._tick)

    def close(self) -> None:
        """Stop waking the reader."""
        self._timer.cancel()

    def put(self, message: News) -> None:
        """Put a message in, on the event loop."""
        if self.is_full or len(self.waiting) >= WAITING:
            self.is_full = True
        else:
            self.waiting.append(message)
        self._has_news = True
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def put_threadsafe(self, message: News) -> None:
        """Put a message in, from any thread. Messages of other threads and those of the loop keep their order."""
        with self._order:
            if threading.get_ident() == self._owner and self._sent_count == self._arrived_count:
                self.put(message)
            elif not self._loop.is_closed():
                self._sent_count += 1
                self._loop.call_soon_threadsafe(self._arrive, message)

    def wake(self) -> None:
        """Let the reader continue, even without a message."""
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def end(self) -> None:
        """Drop what waits and end the reading, on the event loop."""
        self.waiting.clear()
        self.is_full = True
        self.wake()

    async def wait(self) -> bool:
        """Wait for a message, for ``keepalive`` seconds at most or until :meth:`wake`; True if there is one."""
        if not self.waiting and not self.is_full:
            self._reader = self._loop.create_future()
            await self._reader
        return bool(self.waiting)

    async def read(self) -> AsyncIterator[Converted | None]:
        """Yield the messages as they come, and None when there was none for a while; end when too many are unread."""
        while self.waiting or not self.is_full:
            yield self.pop() if await self.wait() else None

    def pop(self) -> Converted:
        """Take the next message that waits, converted for the reader."""
        return self._convert(self.waiting.popleft())

    def _tick(self) -> None:
        # One timer for a reader instead of one for each wait: it is to go on when nothing came between two ticks.
        if not self._has_news:
            self.wake()
        self._has_news = False
        self._timer = self._loop.call_later(self._tick_seconds, self._tick)

    def _arrive(self, message: News) -> None:
        self._arrived_count += 1
        self.put(message)


@dataclass(frozen=True, slots=True)
class Access:
    """The right of an account to a stream, by the session of a browser or by a token."""

    is_valid: Callable[[], Awaitable[bool]]
    """True until the session is signed out, the token is revoked or the account is removed."""
    subscribe: Callable[[Callable[[Any], None]], object]
    """Have a function called, by any thread, whenever the right may have been revoked."""
    unsubscribe: Callable[[Callable[[Any], None]], object]


@asynccontextmanager
async def close_on_revocation(access: Access | None, mailbox: Mailbox[Any, Any]) -> AsyncIterator[None]:
    """End the reading of a mailbox as soon as the right to it is revoked; None for a stream that needs no account."""
    if access is None:
        yield
        return
    loop, checks = asyncio.get_running_loop(), set[asyncio.Task[None]]()

    async def check() -> None:
        try:
            while True:
                try:
                    is_valid = await access.is_valid()
                    break
                except StoreFailed:  # the database is away: what was allowed goes on until it can be asked
                    await asyncio.sleep(CHECK_AGAIN_SECONDS)
        except Exception:
            log.exception("the right to a stream cannot be checked")
            is_valid = False
        if not is_valid:
            mailbox.end()

    def start_check() -> None:
        task = loop.create_task(check())
        checks.add(task)
        task.add_done_callback(checks.discard)

    def schedule_check(_message: Any) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(start_check)

    access.subscribe(schedule_check)
    try:
        start_check()  # the right may have been revoked after the request was allowed, before this subscribed
        yield
    finally:
        access.unsubscribe(schedule_check)
        for task in checks:
            task.cancel()


@asynccontextmanager
async def open_mailbox(
    join: Callable[[Callable[[News], None]], object],
    leave: Callable[[Callable[[News], None]], object],
    convert: Callable[[News], Converted],
    keepalive: float = BLANK_LINE_SECONDS,
    access: Access | None = None,
) -> AsyncIterator[Mailbox[News, Converted]]:
    """Open a mailbox for one reader: ``join`` and ``leave`` subscribe and unsubscribe its method of putting.

    It is closed when ``access`` is revoked.
    """
    mailbox = Mailbox(convert, keepalive)
    join(mailbox.put_threadsafe)
    try:
        async with close_on_revocation(access, mailbox):
            yield mailbox
    finally:
        leave(mailbox.put_threadsafe)
        mailbox.close()


def unchanged(message: Converted) -> Converted:
    """Give the message as it was sent."""
    return message


def encode_json(message: Any) -> bytes:
    """Encode a message as JSON."""
    try:
        return orjson.dumps(message)
    except TypeError:
        # A cube without a cap is soon worth more than 64 bits hold.
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def encode_json_line(message: Any) -> bytes:
    """Encode a message as a line of JSON."""
    return encode_json(message) + b"\n"


def encode_value(value: object, language: str) -> bytes:
    """Encode a value as JSON, with its messages in a language."""
    return encode_json(render_all(to_json(value), language))


class ValueResponse(Response, Generic[Value]):
    """An answer with a value, in the language of a request; the value is not validated again."""

    media_type = "application/json"

    def __init__(self, value: Value, request: Request) -> None:
        super().__init__(encode_value(value, language_of(request)))


class JsonLinesResponse(StreamingResponse):
    """A streaming answer of JSON lines."""

    media_type = NDJSON

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, if one more stream is allowed; raises TooManyStreams before anything is sent."""
        with track_stream(scope):
            await super().__call__(scope, receive, send)


def stream_lines(source: AsyncIterator[bytes]) -> JsonLinesResponse:
    """Answer with a stream of lines; its headers ask proxies not to buffer it."""
    return JsonLinesResponse(source, headers={"X-Accel-Buffering": "no"})
