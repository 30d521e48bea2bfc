"""A session in the memory of a process, and the news of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fullprime.app.sessions.keys import hashed, is_hash
from fullprime.common.refusals import Refusal
from fullprime.play.events import LogEntry, Seat
from fullprime.play.evolve import evolve
from fullprime.play.head import SeatKeys
from fullprime.play.presence import Absences
from fullprime.play.session import GameSession
from fullprime.play.store import StoredSession


@dataclass(frozen=True, slots=True)
class SessionStep:
    """One event of a session, and the sessions before and after it."""

    before: GameSession
    entry: LogEntry
    after: GameSession


@dataclass(frozen=True, slots=True)
class SessionNews:
    """The events that have been stored together, for those who follow the session; none where a player came or went."""

    steps: tuple[SessionStep, ...]
    session: GameSession
    """The session after them."""
    absent_before: Absences
    absent: Absences
    """The sides without an open page, before and after."""
    version: int
    """The number of the news in this process; a reader leaves out news that its first picture holds already."""
    at: float
    """The time by ``time.monotonic``."""


SessionListener = Callable[[SessionNews], None]
"""Called on the event loop, in the midst of an action: it must be quick, and must not raise."""


class LiveSession:
    """A session as this process knows it. The holder of ``lock`` alone changes it; everything happens on one loop."""

    def __init__(self, stored: StoredSession) -> None:
        self.session: GameSession = stored.session
        self.secret, self.keys = stored.secret, stored.keys
        self.lock = asyncio.Lock()
        self.listeners: set[SessionListener] = set()
        self.absent: Absences = stored.absent
        self.is_behind = False
        """True if another process is known to have gone on, or an append ended in a way that is not known."""
        self.version = 0
        self.served_at = float("-inf")
        """The time of the last command here (``time.monotonic``); its player may follow the session elsewhere."""

    @property
    def session_id(self) -> str:
        """The id of the session."""
        return self.session.session_id

    # -- seats --------------------------------------------------------------------------------------------
    def opens_seat(self, key: str | None) -> bool:
        """True if a key opens a seat, as far as this process knows."""
        return bool(self._sides(key))

    def seat_of(self, key: str | None) -> Seat | None:
        """The seat that a key opens; None for a spectator. Raises Refusal where spectators are not allowed."""
        sides = self._sides(key)
        if not sides and not self.session.terms.spectators:
            raise Refusal("this game is private", "forbidden")
        return None if not sides else "both" if len(sides) == 2 else sides[0]

    def _sides(self, key: str | None) -> list[Seat]:
        if not key:
            return []
        own = hashed(key)
        sides: list[Seat] = []
        if is_hash(own, self.keys.x):
            sides.append("X")
        if is_hash(own, self.keys.o):
            sides.append("O")
        return sides

    # -- news ---------------------------------------------------------------------------------------------
    def take(self, steps: tuple[SessionStep, ...], keys: SeatKeys, absent: Absences) -> SessionNews:
        """Take over what is stored, and give it to those who follow the session."""
        absent_before, self.absent = self.absent, absent
        if steps:
            self.session = steps[-1].after
        self.keys = keys
        self.version += 1
        news = SessionNews(steps, self.session, absent_before, absent, self.version, time.monotonic())
        for listener in tuple(self.listeners):
            listener(news)
        return news

    def steps_of(self, entries: Iterable[LogEntry]) -> Iterator[SessionStep]:
        """The steps of events that another process has stored; those that are known already are left out.

        Raises RulesError for events that cannot follow.
        """
        session = self.session
        for entry in entries:
            if entry.sequence > session.sequence:
                after = evolve(session, entry)
                yield SessionStep(session, entry, after)
                session = after
