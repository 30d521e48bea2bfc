"""Turns of strangers: the questions (GET) of those who neither play nor have an account are worked at a few at a time.

A question takes its turn when it has come to its end, and counts until its answer begins.
"""

from __future__ import annotations

import asyncio

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fullprime.web.addresses import whom
from fullprime.web.connections.bodies import LARGEST_BODY, whole
from fullprime.web.connections.fair_queue import Place, QueueFull
from fullprime.web.connections.visits import Entrance, Why, visit_of

TURN = 0.5
"""Seconds for which a stranger's question keeps others from their turn; after that it waits for something itself."""


class StrangersInTurn:
    """An ASGI application around another one, in which strangers take turns."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, when it is the question's turn; 503 when too many wait."""
        visit = visit_of(scope) if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else None
        if visit is None or visit.is_known or visit.entrance.strangers is None:
            await self.app(scope, receive, send)
            return
        read = await whole(receive, LARGEST_BODY)  # first: a stranger who sends slowly takes no turn of others
        try:
            place = await visit.entrance.strangers.enter(whom(scope))
        except QueueFull as error:
            await _refuse(visit.entrance, error, scope, receive, send)
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
