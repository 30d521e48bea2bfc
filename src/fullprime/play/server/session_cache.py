"""A cache of sessions that stay in memory without a listener: the least recently used ones leave it first (LRU)."""

from __future__ import annotations

from collections import OrderedDict

from fullprime.play.server.live_session import LiveSession


class SessionCache:
    """Sessions by id, the one that was used last at the end."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, tuple[LiveSession, int]] = OrderedDict()
        """Each with the number of its events when it was used."""
        self._events = 0

    def add(self, live: LiveSession, most: int, most_events: int) -> None:
        """Add a session, or mark it as used now, and evict those that were not used for the longest time.

        At most ``most`` sessions stay, and as many as have ``most_events`` events together: the memory that a session
        takes grows with its events. The session that is added stays in any case.
        """
        self.remove(live.session_id)
        self._sessions[live.session_id] = live, live.session.sequence
        self._events += live.session.sequence
        while len(self._sessions) > 1 and (len(self._sessions) > most or self._events > most_events):
            self.remove(next(iter(self._sessions)))

    def remove(self, session_id: str) -> None:
        """Remove a session, if it is in the cache."""
        _, events = self._sessions.pop(session_id, (None, 0))
        self._events -= events

    def clear(self) -> None:
        """Remove all sessions."""
        self._sessions.clear()
        self._events = 0
