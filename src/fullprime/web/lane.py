"""The short way for what is asked most of the server: to act in a game that is at hand, with the key of a seat.

It does what the route ``/api/games/{game}/act`` does, which stands in the API's document and takes everything that is
unusual: games that must be read first, accounts, requests that are not as they should be. The frame of routes,
dependencies and models costs more processor time for a request than the game itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fullprime.app.rooms import Room, RoomError, Rooms
from fullprime.rules.errors import FullprimeError
from fullprime.web.models import Line
from fullprime.web.refusals import refused
from fullprime.web.streams import text

_ACT = re.compile(r"/api/games/([^/]+)/act")
_JSON = b"application/json"


@dataclass(frozen=True, slots=True)
class _Route:
    path: str


_ROUTE = _Route("/api/games/{game}/act")
"""What the measures call it: the same as the other way."""


class Lane:
    """An ASGI middleware. What it does not take is let through as it came."""

    def __init__(self, app: ASGIApp, *, rooms: Rooms) -> None:
        self._app, self._rooms = app, rooms

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Act, or let the request through."""
        seated = self._seated(scope) if scope["type"] == "http" and scope["method"] == "POST" else None
        if seated is None:
            await self._app(scope, receive, send)
            return
        room, seat = seated
        read: list[Message] = []
        asked = await _asked(receive, read)
        if asked is None:
            await self._app(scope, _again(read, receive), send)
            return
        scope["route"] = _ROUTE
        try:
            events, moves = await run_in_threadpool(
                room.act, seat, asked.line, moves=asked.moves, sequence=asked.sequence
            )
            answer = Response(text({"events": events, "moves": moves}), media_type="application/json")
        except FullprimeError as error:
            answer = await refused(Request(scope), error)
        await answer(scope, receive, send)

    def _seated(self, scope: Scope) -> tuple[Room, str] | None:
        """The room that is meant, if it is at hand, and the seat that the key opens there."""
        found = _ACT.fullmatch(scope["path"])
        if found is None:
            return None
        headers = dict(scope["headers"])
        kind, _, key = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        key = key.strip()
        if kind.lower() != "bearer" or not key or headers.get(b"content-type") != _JSON:
            return None
        room = self._rooms.at_hand(found[1], key)
        if room is None:
            return None
        try:
            seat = room.seat_of(key)
        except RoomError:
            return None
        return None if seat is None else (room, seat)


async def _asked(receive: Receive, read: list[Message]) -> Line | None:
    """What is asked for, or None for what is not as it should be; the messages that were read are kept."""
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
