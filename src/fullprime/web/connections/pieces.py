"""Large answers in pieces, so that one who does not read keeps a piece of memory and not the whole of an answer.

An event loop copies what the other side has not taken yet. A hundred who asked for half a megabyte and read nothing of
it held fifty MiB until they were let go, and memory in pieces of that size is hardly used again.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

PIECE = 65_536
"""Bytes that are handed on at once; the next ones wait until the other side has taken most of them."""


class InPieces:
    """An ASGI application around another one, whose answers go out in pieces."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def in_pieces(message: Message) -> None:
            body = message.get("body", b"")
            if len(body) <= PIECE:
                await send(message)
                return
            whole, goes_on = memoryview(body), message.get("more_body", False)
            for start in range(0, len(body), PIECE):
                more = goes_on or start + PIECE < len(body)
                await send({"type": message["type"], "body": bytes(whole[start : start + PIECE]), "more_body": more})

        await self.app(scope, receive, in_pieces)
