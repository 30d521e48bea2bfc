"""The application as connections see it: each is told when its answer is complete, and strangers may be refused."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fullprime.web.connections.visits import visit_of


class AnswersTold:
    """An ASGI application around another one; `HttpConnection` needs it to be the outermost."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse a stranger while the server is behind, and tell the connection of the answer's end."""
        visit = visit_of(scope)
        if visit is None:
            await self.app(scope, receive, send)
            return
        visit.entrance.warn_of_proxy(visit, scope["headers"])
        if scope["type"] == "websocket":
            visit.entrance.recognise(visit, scope["headers"])
            await self.app(scope, receive, send)
            return

        async def telling(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                visit.answered()

        app = self.app if visit.entrance.hears(visit, scope["headers"]) else _too_busy
        await app(scope, receive, telling)


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
