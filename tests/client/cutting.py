"""A wire that can be cut: it stands between a client and its server."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Wire:
    """Hands bytes on both ways; ``cut`` breaks every connection, ``lose`` the next one that carries such a request,
    after the server has answered it.
    """

    def __init__(self, port: int) -> None:
        self._server = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        self._lock = threading.Lock()
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._lost: bytes | None = None
        self.cuts = 0
        self._threads = [threading.Thread(target=self._open, daemon=True)]
        self._threads[0].start()

    def cut(self) -> None:
        """Break every connection there is."""
        with self._lock:
            pairs, self._pairs = self._pairs, set()
        for pair in pairs:
            self._break(pair)

    def lose(self, request: bytes) -> None:
        """Lose the answer to the next request that has these bytes in its first line."""
        self._lost = request

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self.cut()
        for thread in self._threads:
            thread.join(60)

    def _open(self) -> None:
        while True:
            try:
                client, _ = self._door.accept()
                server = socket.create_connection(("127.0.0.1", self._server))
            except OSError:
                return
            pair = (client, server)
            with self._lock:
                self._pairs.add(pair)
            losing = threading.Event()
            for source, target, asks in ((client, server, True), (server, client, False)):
                thread = threading.Thread(target=self._carry, args=(pair, source, target, losing, asks), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _carry(
        self,
        pair: tuple[socket.socket, socket.socket],
        source: socket.socket,
        target: socket.socket,
        losing: threading.Event,
        asks: bool,
    ) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if asks and self._lost is not None and self._lost in data.split(b"\r\n", 1)[0]:
                    self._lost = None
                    losing.set()
                if losing.is_set() and not asks:
                    break
                target.sendall(data)
        self._break(pair)

    def _break(self, pair: tuple[socket.socket, socket.socket]) -> None:
        with self._lock:
            self._pairs.discard(pair)
        self.cuts += 1
        for end in pair:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def wire_to(port: int) -> Iterator[Wire]:
    wire = Wire(port)
    try:
        yield wire
    finally:
        wire.close()
