"""News: messages under a topic, to every listener of it, in every process of the server.

Nothing is kept: a client that was not listening asks for the present state.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

from fullprime.play.server.notices import PEOPLE, open_notices

if TYPE_CHECKING:
    from sqlalchemy import Engine

NewsMessage = Mapping[str, Any]
NewsListener = Callable[[NewsMessage], None]

LOBBY = "lobby"
"""The topic of the list of challenges."""


def of_account(number: int) -> str:
    """The topic of the news for one account."""
    return f"account:{number}"


class Newsroom:
    """The listeners to each topic. With an ``engine`` whose database carries notices, other processes hear them too."""

    def __init__(self, engine: Engine | None = None) -> None:
        self._listeners: dict[str, set[NewsListener]] = {}
        self._lock = threading.Lock()
        self._numbers = count()
        self._notices = None if engine is None else open_notices(engine, self._noticed, _nothing, channel=PEOPLE)

    @property
    def is_shared(self) -> bool:
        """True if other processes are told as well."""
        return self._notices is not None

    def close(self) -> None:
        """Tell other processes the news not told yet, and nothing more."""
        if self._notices is not None:
            self._notices.close()

    def listen(self, topic: str, listener: NewsListener) -> None:
        """Be told from now on."""
        with self._lock:
            self._listeners.setdefault(topic, set()).add(listener)

    def leave(self, topic: str, listener: NewsListener) -> None:
        """Be told no more."""
        with self._lock:
            left = self._listeners.get(topic, set())
            left.discard(listener)
            if not left:
                self._listeners.pop(topic, None)

    def tell(self, topic: str, message: NewsMessage) -> None:
        """Tell everybody who listens, here and elsewhere."""
        self.heard(topic, message)
        if self._notices is not None:
            said = base64.urlsafe_b64encode(json.dumps([topic, message]).encode()).decode()
            self._notices.send(f"{next(self._numbers):012d}.{said}")

    def heard(self, topic: str, message: NewsMessage) -> None:
        """Tell those who listen in this process."""
        with self._lock:
            listeners = tuple(self._listeners.get(topic, ()))
        for listener in listeners:
            listener(message)

    def _noticed(self, said: frozenset[str] | None) -> None:
        """Pass on the news of another process; None for news that may be lost: the list of challenges survives that."""
        if said is None:
            self.heard(LOBBY, {"type": "changed"})
            return
        for each in sorted(said):
            topic, message = json.loads(base64.urlsafe_b64decode(each.partition(".")[2]))
            self.heard(topic, message)


def _nothing() -> None:
    """There is nothing to look for now and then."""
