"""The fast lane for the most frequent request of all: to act in a game that is in memory, with the key of a seat.

It does what the route ``/api/games/{game}/act`` does, which stands in the API's document and takes everything that is
unusual: games that must be read first, accounts, requests that are not as they should be. The frame of routes,
dependencies and models costs more processor time for a request than the game itself, and so do threads: the usual
action is done on the event loop, which never waits for the disk (see ``pausing``).
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fullprime.app.live.rooms import Room, Rooms
from fullprime.app.table.naming import seen_events
from fullprime.common.refusals import Refusal
from fullprime.play.events import Seat
from fullprime.rules.errors import FullprimeError
from fullprime.web.connections.visits import know
from fullprime.web.fast.event_stream import PLAIN_SEND
from fullprime.web.fast.pausing import run_pausing
from fullprime.web.guard import HEADERS, Gate
from fullprime.web.metrics import Metrics, fault, note
from fullprime.web.models.common import Line
from fullprime.web.refusals import retry_after, status_of
from fullprime.web.streams import text

_ACT = re.compile(r"/api/games/([^/]+)/act")
_JSON = b"application/json"
_LONGEST = 4096
"""Bytes of a request that goes this way at most."""
_HEADERS = [
    (b"content-type", _JSON),
    (b"cache-control", b"no-cache"),
    *((name.lower().encode(), value.encode()) for name, value in HEADERS.items()),
]


@dataclass(frozen=True, slots=True)
class _Route:
    path: str


_ROUTE = _Route("/api/games/{game}/act")
"""The name of the route in the measures: the same as that of the other way."""


class FastLane:
    """An ASGI application before all others. A request that it does not take is let through to ``app`` as it came."""

    def __init__(self, app: ASGIApp, *, rooms: Rooms, gate: Gate, metrics: Metrics) -> None:
        self._app, self._rooms, self._gate, self._metrics = app, rooms, gate, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Act, or let the request through."""
        seated = self._seated(scope) if scope["type"] == "http" and scope["method"] == "POST" else None
        if seated is None:
            scope[PLAIN_SEND] = send
            try:
                await self._app(scope, receive, send)
            finally:
                del scope[PLAIN_SEND]  # it knows the scope: a circle, which waits for the garbage collection
            return
        if seated[0].table is not None:
            know(scope)
        begun = time.perf_counter()
        read: list[Message] = []
        asked = await _asked(receive, read)
        if asked is None or self._gate.refusal(scope) is not None:
            await self._app(scope, _again(read, receive), send)
            return
        scope["route"] = _ROUTE
        status, body, wait = 200, b"", None
        try:
            body = await _done(*seated, asked)
        except FullprimeError as error:
            status, body, wait = status_of(error), text({"error": str(error)}), retry_after(error)
        except Exception as error:  # noqa: BLE001 - it is logged, and answered all the same
            status, body = 500, text({"error": fault(scope, error)})
        note(self._metrics, scope, status, time.perf_counter() - begun)
        headers = [(b"content-length", b"%d" % len(body)), *_HEADERS]
        if wait is not None:
            headers.append((b"retry-after", wait.encode()))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _seated(self, scope: Scope) -> tuple[Room, Seat] | None:
        """The room that is meant, if it is in memory, and the seat that the key opens there."""
        found = _ACT.fullmatch(scope["path"])
        if found is None:
            return None
        headers = dict(scope["headers"])
        kind, _, key = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        key = key.strip()
        length = headers.get(b"content-length", b"")
        if kind.lower() != "bearer" or not key or headers.get(b"content-type") != _JSON:
            return None
        if not length.isdigit() or len(length) > 4 or int(length) > _LONGEST:
            return None
        room = self._rooms.in_memory(found[1])
        if room is None:
            return None
        try:
            seat = room.seat_of(key)
        except Refusal:
            return None
        return None if seat is None else (room, seat)


async def _done(room: Room, seat: Seat, asked: Line) -> bytes:
    """The answer to a line; raises what :meth:`Room.act` does."""
    moves, sequence, link = tuple(asked.moves), asked.sequence, asked.link
    found = await run_pausing(lambda: room.act_if_free(seat, asked.line, moves=moves, sequence=sequence, link=link))
    if found is None:
        found = await run_in_threadpool(room.act, seat, asked.line, moves=moves, sequence=sequence, link=link)
    elif room.stale:
        await run_in_threadpool(room.refresh)
    events, left = found
    return text({"events": seen_events(events, seat), "moves": left})


async def _asked(receive: Receive, read: list[Message]) -> Line | None:
    """The line that is asked for, or None for a request that is not as it should be; the messages read are kept."""
    more = True
    while more:
        message = await receive()
        read.append(message)
        if message["type"] != "http.request":
            return None
        more = message.get("more_body", False)
    body = read[0].get("body", b"") if len(read) == 1 else b"".join(each.get("body", b"") for each in read)
    try:
        return Line.model_validate_json(body)
    except ValidationError:
        return None


def _again(read: list[Message], receive: Receive) -> Receive:
    """The messages that were read, once more, and then those that come."""
    waiting = iter(read)

    async def next_message() -> Message:
        found = next(waiting, None)
        return await receive() if found is None else found

    return next_message
