"""News for whoever listens: messages under a topic, to every listener of it in this process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

Message = Mapping[str, Any]
Listener = Callable[[Message], None]

LOBBY = "lobby"
"""The topic of the list of challenges."""


def of_account(number: int) -> str:
    """The topic of what concerns one account."""
    return f"account:{number}"


class News:
    """Who listens to what. ``forward`` is called with everything told here, to tell it to other processes as well."""

    def __init__(self) -> None:
        self.forward: Callable[[str, Message], None] | None = None
        self._listeners: dict[str, set[Listener]] = {}
        self._lock = threading.Lock()

    def listen(self, topic: str, listener: Listener) -> None:
        """Be told from now on."""
        with self._lock:
            self._listeners.setdefault(topic, set()).add(listener)

    def leave(self, topic: str, listener: Listener) -> None:
        """Be told no more."""
        with self._lock:
            left = self._listeners.get(topic, set())
            left.discard(listener)
            if not left:
                self._listeners.pop(topic, None)

    def tell(self, topic: str, message: Message) -> None:
        """Tell everybody who listens, here and elsewhere."""
        self.heard(topic, message)
        if self.forward is not None:
            self.forward(topic, message)

    def heard(self, topic: str, message: Message) -> None:
        """Tell those who listen in this process."""
        with self._lock:
            listeners = tuple(self._listeners.get(topic, ()))
        for listener in listeners:
            listener(message)
