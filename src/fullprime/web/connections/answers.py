"""The application as connections see it.

Each connection is told when its answer is complete. Large answers go out in pieces: an event loop copies what the other
side has not taken yet, and a hundred clients who asked for half a megabyte and read nothing of it held fifty MiB.
Strangers, who neither play nor have an account, may be refused while the server is behind; their questions (GET) are
worked at a few at a time. A question takes its turn when it has come to its end, and counts until its answer begins.
"""

from __future__ import annotations

import asyncio

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fullprime.web.addresses import whom
from fullprime.web.connections.bodies import LARGEST_BODY, whole
from fullprime.web.connections.fair_queue import FairQueue, Place, QueueFull
from fullprime.web.connections.visits import Entrance, Why, visit_of

PIECE = 65_536
"""Bytes that are handed on at once; the next ones wait until the other side has taken most of them."""
TURN = 0.5
"""Seconds for which a stranger's question keeps others from their turn; after that it waits for something itself."""


class AnswersTold:
    """An ASGI application around another one; `HttpConnection` needs it to be the outermost."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse a stranger, and tell the connection of the answer's end."""
        visit = visit_of(scope)
        if visit is not None:
            visit.entrance.warn_of_proxy(visit, scope["headers"])
        if scope["type"] != "http":
            if visit is not None and scope["type"] == "websocket":
                visit.entrance.recognise(visit, scope["headers"])
            await self.app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            body = message.get("body", b"")
            is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
            if len(body) <= PIECE:
                await send(message)
            else:
                for start in range(0, len(body), PIECE):
                    more = not is_last or start + PIECE < len(body)
                    await send({"type": message["type"], "body": body[start : start + PIECE], "more_body": more})
            if is_last and visit is not None:
                visit.answered()

        if visit is None:
            await self.app(scope, receive, sending)
        elif not visit.entrance.hears(visit, scope["headers"]):
            await _too_busy(scope, receive, sending)
        elif visit.is_known or visit.entrance.strangers is None or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, sending)
        else:
            await self._answer_in_turn(visit.entrance, visit.entrance.strangers, scope, receive, sending)

    async def _answer_in_turn(
        self, entrance: Entrance, queue: FairQueue, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer, when it is the question's turn; 503 when too many wait."""
        read = await whole(receive, LARGEST_BODY)  # first: a stranger who sends slowly takes no turn of others
        try:
            place = await queue.enter(whom(scope))
        except QueueFull as error:
            await _refuse(entrance, error, scope, receive, send)
            return
        await self._answer(place, scope, read, send)

    async def _answer(self, place: Place, scope: Scope, receive: Receive, send: Send) -> None:
        passing_on = asyncio.get_running_loop().call_later(TURN, place.pass_on)

        def end() -> None:
            passing_on.cancel()
            place.leave()

        async def sending(message: Message) -> None:
            end()
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            end()


async def _refuse(entrance: Entrance, error: QueueFull, scope: Scope, receive: Receive, send: Send) -> None:
    entrance.refuse(Why.BUSY)
    headers = {"Retry-After": str(error.retry_after), "Connection": "close"}
    await JSONResponse({"error": str(error)}, 503, headers)(scope, receive, send)


async def _too_busy(_scope: Scope, _receive: Receive, send: Send) -> None:
    """The answer to strangers while the server is behind: it costs next to nothing."""
    body = b'{"error":"the server is busy: try again in a little while"}'
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"retry-after", b"5"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
