"""A WebSocket within the limits of connections, the protocol to which uvicorn hands such a connection.

It uses the protocol without I/O of the package websockets. uvicorn's own protocols count no frames, log text that is
not UTF-8 as a fault of the server, and leave the memory of each ended line to the garbage collection.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from starlette.types import Message
from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from fullprime.web.connections.registry import CONNECTION, OpenConnection, RejectReason, do_nothing
from fullprime.web.connections.slow_readers import SlowReader

_SLICE = 4096
"""Bytes that are parsed at once, and the most bytes kept before the handshake is answered."""
_CLOSE_WITHIN = 10.0
"""Seconds for the client to confirm that a line is closed."""

log = logging.getLogger(__name__)


class LineEnded(OSError):
    """The application has sent a message to a line that has ended."""


class WebSocketConnection(asyncio.Protocol):
    """One connection that has become a WebSocket; it rests until a live line begins."""

    _transport: asyncio.Transport
    _reader: SlowReader

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._config, self._server_state, self._app_state = config, server_state, app_state
        self._connection: OpenConnection = app_state[CONNECTION]
        # A small window and little memory: the messages are short, and the lines many.
        deflate = ServerPerMessageDeflateFactory(
            server_max_window_bits=12, client_max_window_bits=12, compress_settings={"memLevel": 5}
        )
        self._line = ServerProtocol(
            extensions=[deflate], max_size=config.ws_max_size, logger=logging.getLogger("uvicorn.error")
        )
        self._messages: asyncio.Queue[Message] = asyncio.Queue()
        """The messages that the application has not received yet."""
        self._writable = asyncio.Event()
        self._writable.set()
        self._request: Request | None = None
        self._early = b""
        self._is_text, self._parts = False, list[bytes]()
        """The message of which fragments have come."""
        self._frames, self._since = 0, self._connection.registry.clock()
        self._timer: asyncio.TimerHandle | None = None
        """The next timed action: sending a ping, or ending a line that does not answer it or is being closed."""
        self._pinged: float | None = None

    # -- what the transport tells ---------------------------------------------------------------------------------
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is a WebSocket from now on."""
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._reader = transport, SlowReader(self._connection, transport)
        self._server_state.connections.add(self)  # type: ignore[arg-type]
        registry, self._connection.expire, self._connection.on_answered = (
            self._connection.registry,
            self._connection.close,
            do_nothing,
        )
        registry.set_deadline(self._connection, registry.clock() + registry.limits.handshake_seconds)

    def connection_lost(self, _exc: Exception | None) -> None:
        """Let the connection go, and break its reference cycles, which would wait for a garbage collection."""
        self._transport.close()  # asyncio closes none that the client has reset, and it refers to its own methods
        self._end()
        self._server_state.connections.discard(self)
        self._writable.set()
        self._reader.stop_timeout()
        self._connection.registry.unregister(self._connection)
        error: BaseException | None = self._line.handshake_exc
        while error is not None:  # its traceback leads to the answer, which knows the error
            error.__traceback__, error = None, error.__context__
        vars(self._line).clear()  # the line knows the generator that parses for it, which knows the line

    def eof_received(self) -> None:
        """Let the transport close, because a client that has ended its side receives no more."""

    def pause_writing(self) -> None:
        """Note that the client does not read."""
        self._writable.clear()
        self._reader.start_timeout()

    def resume_writing(self) -> None:
        """Note that the client reads again."""
        self._writable.set()
        self._reader.stop_timeout()

    def data_received(self, data: bytes) -> None:
        """Read the data in pieces, because tiny frames take as long as there is room for them."""
        registry = self._connection.registry
        for start in range(0, len(data), _SLICE):
            if self._transport.is_closing():
                return
            piece = data[start : start + _SLICE]
            if self._request is not None and self._line.state is State.CONNECTING:
                self._early += piece  # there is no line yet that a bad frame could end
                if len(self._early) > _SLICE:
                    self._refuse()
                continue
            self._line.receive_data(piece)
            for event in self._line.events_received():
                self._hear(event)
            self._write()
            limits = registry.limits
            if self._frames > limits.frames + limits.frames_rate * (registry.clock() - self._since):
                self._refuse()

    def shutdown(self) -> None:
        """End the line, because the server stops; uvicorn asks for this."""
        if self._line.state is State.OPEN:
            self._line.fail(CloseCode.SERVICE_RESTART)
        elif self._line.state is State.CONNECTING and not self._transport.is_closing():
            self._reject(500)
        self._write()
        self._transport.close()

    # -- what the other side says ---------------------------------------------------------------------------------
    def _hear(self, event: object) -> None:
        if isinstance(event, Request):
            self._begin(event)
            return
        assert isinstance(event, Frame)
        self._frames += 1
        if event.opcode is Opcode.PONG and self._pinged is not None and self._line.state is State.OPEN:
            self._ping_later()
        elif event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            if event.opcode is not Opcode.CONT:
                self._is_text, self._parts = event.opcode is Opcode.TEXT, []
            self._parts.append(bytes(event.data))
            if event.fin:
                self._hear_message(b"".join(self._parts))

    def _begin(self, request: Request) -> None:
        """Answer a bad handshake; let the application answer a good one."""
        self._request = request
        self._response = self._line.accept(request)
        if self._response.status_code != 101:
            self._line.send_response(self._response)
            return
        self._messages.put_nowait({"type": "websocket.connect"})
        task = asyncio.get_running_loop().create_task(self._run(self._scope(request)))
        self._server_state.tasks.add(task)
        task.add_done_callback(self._server_state.tasks.discard)

    def _scope(self, request: Request) -> dict[str, Any]:
        peer, own = self._transport.get_extra_info("peername"), self._transport.get_extra_info("sockname")
        path, _, query = request.path.partition("?")
        return {
            "type": "websocket",
            "asgi": {"version": self._config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if self._transport.get_extra_info("sslcontext") else "ws",
            "server": own[:2] if isinstance(own, tuple) else None,
            "client": peer[:2] if isinstance(peer, tuple) else None,
            "root_path": self._config.root_path,
            "path": self._config.root_path + unquote(path),
            "raw_path": self._config.root_path.encode() + _bytes(path),
            "query_string": _bytes(query),
            "headers": [(_bytes(name).lower(), _bytes(value)) for name, value in request.headers.raw_items()],
            "subprotocols": [],
            "state": self._app_state.copy(),
        }

    def _hear_message(self, data: bytes) -> None:
        if self._line.state is not State.OPEN:
            return
        try:
            content = {"text": data.decode()} if self._is_text else {"bytes": data}
        except UnicodeDecodeError:
            self._line.fail(CloseCode.INVALID_DATA, "text that is not UTF-8")
            return
        self._messages.put_nowait({"type": "websocket.receive", **content})
        self._transport.pause_reading()  # until the application has received it

    # -- what the application says --------------------------------------------------------------------------------
    async def _run(self, scope: dict[str, Any]) -> None:
        try:
            await self._config.loaded_app(scope, self._receive, self._send)
        except LineEnded:
            pass
        except Exception:
            log.exception("a live line has failed")
        if self._transport.is_closing():
            return
        if self._line.state is State.CONNECTING:
            self._reject(500)
            self._write()
        elif self._line.state is State.OPEN:
            self._transport.close()

    async def _receive(self) -> Message:
        message = await self._messages.get()
        if self._messages.empty() and not self._transport.is_closing():
            self._transport.resume_reading()
        return message

    async def _send(self, message: Message) -> None:
        await self._writable.wait()
        kind = message["type"]
        if self._transport.is_closing() or self._line.state is State.CLOSING:
            if kind == "websocket.close":
                return  # a line that has ended needs no end
            raise LineEnded
        if self._line.state is State.CONNECTING:
            self._answer(message)
        elif kind == "websocket.send":
            text = message.get("text")
            if text is None:
                self._line.send_binary(message["bytes"])
            else:
                self._line.send_text(text.encode())
        else:
            self._line.send_close(message.get("code", CloseCode.NORMAL_CLOSURE), message.get("reason") or "")
            self._messages.put_nowait({"type": "websocket.disconnect", "code": CloseCode.NORMAL_CLOSURE})
            self._do_in(_CLOSE_WITHIN, self._transport.close)
            self._transport.resume_reading()
        self._write()

    def _answer(self, message: Message) -> None:
        """Answer the handshake. The line begins with that, and data that came before is read."""
        if message["type"] != "websocket.accept":
            self._reject(403)
            return
        del self._response.headers["Date"]  # uvicorn has one of its own
        for name, value in [*self._server_state.default_headers, *message.get("headers", ())]:
            self._response.headers[name.decode("latin-1")] = value.decode("latin-1")
        self._line.send_response(self._response)
        self._write()
        self._ping_later()
        early, self._early = self._early, b""
        self.data_received(early)

    # -- ends -----------------------------------------------------------------------------------------------------
    def _write(self) -> None:
        """Write the waiting data of the line; an empty piece of data is its last."""
        pieces = self._line.data_to_send()
        if pieces == [b""] and self._request is None:  # websockets has no answer to what it cannot read at all
            pieces.insert(0, self._line.reject(400, "").serialize())
        for piece in pieces:
            if piece:
                self._transport.write(piece)
            else:
                self._transport.close()
                self._end()

    def _end(self) -> None:
        """Tell the application that the line has ended."""
        closed = self._line.close_rcvd
        self._messages.put_nowait({"type": "websocket.disconnect", "code": closed.code if closed else 1006})
        self._do_in(None, do_nothing)

    def _reject(self, status: int) -> None:
        self._line.send_response(self._line.reject(status, ""))

    def _refuse(self) -> None:
        self._connection.registry.count_refusal(RejectReason.FRAMES)
        self._transport.abort()

    def _do_in(self, seconds: float | None, action: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, action)

    def _ping_later(self) -> None:
        if self._config.ws_ping_interval:
            now = asyncio.get_running_loop().time()
            took, self._pinged = now - (self._pinged or now), None
            self._do_in(max(0.0, self._config.ws_ping_interval - took), self._ping)

    def _ping(self) -> None:
        self._pinged = asyncio.get_running_loop().time()
        self._line.send_ping(b"")
        self._write()
        self._do_in(self._config.ws_ping_timeout, self._end_silent)

    def _end_silent(self) -> None:
        self._line.fail(CloseCode.INTERNAL_ERROR)
        self._write()


def _bytes(text: str) -> bytes:
    """The bytes of a part of a head; websockets before 17 gives bytes that are not ASCII as surrogates."""
    return text.encode("latin-1", "surrogateescape")
