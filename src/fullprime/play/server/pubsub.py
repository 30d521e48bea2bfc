"""Publish and subscribe: each message of a topic goes to every subscriber of it, in every process of the server.

No message is kept. A client that was not subscribed asks for the present state.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

from fullprime.play.server.process_notices import TOPICS, open_notices

if TYPE_CHECKING:
    from sqlalchemy import Engine

TopicMessage = Mapping[str, Any]
Subscriber = Callable[[TopicMessage], None]

LOBBY = "lobby"
"""The topic of the list of challenges."""
_ACCESS = "access:"


def account_topic(number: int) -> str:
    """The topic of the messages for one account."""
    return f"account:{number}"


def access_topic(number: int) -> str:
    """The topic that says when sessions or tokens of an account have been revoked."""
    return f"{_ACCESS}{number}"


class PubSub:
    """The subscribers of each topic; with an ``engine`` on PostgreSQL, those of other processes too."""

    def __init__(self, engine: Engine | None = None) -> None:
        self._subscribers: dict[str, set[Subscriber]] = {}
        self._lock = threading.Lock()
        self._numbers = count()
        self._notices = (
            None if engine is None else open_notices(engine, self._handle_notices, _do_nothing, channel=TOPICS)
        )

    @property
    def is_shared(self) -> bool:
        """True if messages reach other processes as well."""
        return self._notices is not None

    def close(self) -> None:
        """Send the messages that still wait to other processes, and close."""
        if self._notices is not None:
            self._notices.close()

    def subscribe(self, topic: str, subscriber: Subscriber) -> None:
        """Call a subscriber with each message of a topic from now on."""
        with self._lock:
            self._subscribers.setdefault(topic, set()).add(subscriber)

    def unsubscribe(self, topic: str, subscriber: Subscriber) -> None:
        """Stop calling a subscriber of a topic."""
        with self._lock:
            remaining = self._subscribers.get(topic, set())
            remaining.discard(subscriber)
            if not remaining:
                self._subscribers.pop(topic, None)

    def publish(self, topic: str, message: TopicMessage) -> None:
        """Send a message to every subscriber of a topic, in all processes."""
        self._deliver(topic, message)
        if self._notices is not None:
            payload = base64.urlsafe_b64encode(json.dumps([topic, message]).encode()).decode()
            self._notices.send(f"{next(self._numbers):012d}.{payload}")

    def _deliver(self, topic: str, message: TopicMessage) -> None:
        """Call the subscribers in this process."""
        with self._lock:
            subscribers = tuple(self._subscribers.get(topic, ()))
        for subscriber in subscribers:
            subscriber(message)

    def _handle_notices(self, notices: frozenset[str] | None) -> None:
        """Deliver messages of another process.

        None: some may be lost, so the list of challenges and the right to each stream are read again.
        """
        if notices is None:
            self._deliver(LOBBY, {"type": "changed"})
            with self._lock:
                topics = [topic for topic in self._subscribers if topic.startswith(_ACCESS)]
            for topic in topics:
                self._deliver(topic, {})
            return
        for notice in sorted(notices):
            topic, message = json.loads(base64.urlsafe_b64decode(notice.partition(".")[2]))
            self._deliver(topic, message)


def _do_nothing() -> None:
    """Do nothing: topics need no regular query of the database."""
