"""A session in the memory of a process, as its people see it, and the news of it."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from fullprime.common.refusals import Refusal
from fullprime.db.times import epoch_now
from fullprime.messages import ENGLISH, Message, messages_from_json, messages_to_json
from fullprime.play.events import LogEntry, Seat
from fullprime.play.evolve import evolve, fold
from fullprime.play.head import SeatKeys
from fullprime.play.presence import Absences
from fullprime.play.server.fields import StateMessage
from fullprime.play.server.keys import hashed, is_hash
from fullprime.play.server.telling import render_log, render_presence, render_step
from fullprime.play.server.view import SessionView, for_seat
from fullprime.play.session import GameSession, SessionStep
from fullprime.play.store import StoredSession
from fullprime.play.table.events import Event

LOG: Final = 300
"""The number of events that a newcomer is told."""


@dataclass(frozen=True, slots=True)
class SessionNews:
    """What has been stored together, for those who follow the session: events, or a player who came or went."""

    steps: tuple[SessionStep, ...]
    view: SessionView
    """The session after it."""
    events: list[Event]
    """What it tells; the words are messages."""
    version: int
    """The number of the news in this process; a reader leaves out news that its first picture holds already."""
    at: float
    """The time by ``time.monotonic``."""
    made: dict[tuple[Seat | None, bool, str], bytes] = field(default_factory=dict)
    """The messages made of it, each for all who see the same."""

    @property
    def is_last(self) -> bool:
        """True if nothing more is played, or ever will be."""
        return self.view.shared["status"] == "over" or self.view.shared["ending"]["how"] is not None

    def frame(self, seat: Seat | None, *, tree: bool = True, language: str = ENGLISH) -> StateMessage:
        """The message for somebody in that seat, in a language."""
        return for_seat(self.view.state(seat, tree=tree, language=language), seat, self.events, epoch_now(), language)


SessionListener = Callable[[SessionNews], None]
"""Called on the event loop, in the midst of an action: it must be quick, and must not raise."""


@dataclass(frozen=True, slots=True)
class SessionPicture:
    """A session at one moment: a view, the events until then (as JSON texts), and the version of its last news."""

    view: SessionView
    log: tuple[str, ...]
    version: int

    def frame(
        self,
        seat: Seat | None,
        events: Sequence[Event] | None = None,
        *,
        tree: bool = True,
        language: str = ENGLISH,
    ) -> StateMessage:
        """The state as somebody in that seat sees it, in a language; without ``events``, with all that has happened.

        To find the ways to play a roll takes long: any thread may do that.
        """
        if events is None:
            events = [messages_from_json(json.loads(event)) for event in self.log]
        return for_seat(self.view.state(seat, tree=tree, language=language), seat, events, epoch_now(), language)


class LiveSession:
    """A session as this process knows it. The holder of ``lock`` alone changes it; any thread may read it."""

    def __init__(self, stored: StoredSession, now: datetime) -> None:
        self.session_id = stored.session.session_id
        self.lock = asyncio.Lock()
        self.listeners: set[SessionListener] = set()
        self.version = 0
        self.served_at = float("-inf")
        """The time of the last command here (``time.monotonic``); its player may follow the session elsewhere."""
        self._begin(stored, now)

    def _begin(self, stored: StoredSession, now: datetime) -> None:
        self.session: GameSession = stored.session
        self.secret, self.keys = stored.secret, stored.keys
        self.absent: Absences = stored.absent
        self.is_behind = False
        """True if another process is known to have gone on, or an append ended in a way that is not known."""
        self._log: deque[str] = deque(map(_dump, render_log(stored.log)), maxlen=LOG)
        self._view: SessionView | None = None
        self._past: _Past | None = None
        if self.late:
            self._past = _Past(self.late, stored.log, self.picture(), now)

    @property
    def late(self) -> int:
        """The seconds after which spectators see an event."""
        return self.session.terms.late

    # -- seats --------------------------------------------------------------------------------------------
    def opens_seat(self, key: str) -> bool:
        """True if a key opens a seat, as far as this process knows."""
        return bool(key) and self._seat_opened_by(key) is not None

    def seat_of(self, key: str | None) -> Seat | None:
        """The seat that a key opens; None for a spectator. Raises Refusal where spectators are not allowed."""
        if key and (seat := self._seat_opened_by(key)) is not None:
            return seat
        if not self.session.terms.spectators:
            raise Refusal(Message("this game is private"), "forbidden")
        return None

    def _seat_opened_by(self, key: str) -> Seat | None:
        own = hashed(key)
        opens_x, opens_o = is_hash(own, self.keys.x), is_hash(own, self.keys.o)
        return "both" if opens_x and opens_o else "X" if opens_x else "O" if opens_o else None

    # -- what people see ----------------------------------------------------------------------------------
    @property
    def view(self) -> SessionView:
        """The session as it is now."""
        session, view = self.session, self._view
        if view is None or view.session is not session:
            view = self._view = SessionView(session, self.absent, earlier=view)
        return view

    def picture(self, seat: Seat | None = "both") -> SessionPicture:
        """The session as it is now, or for spectators (None) as it was a delay ago; on the event loop."""
        if seat is None and self._past is not None:
            return self._past.now()
        return SessionPicture(self.view, tuple(self._log), self.version)

    # -- news ---------------------------------------------------------------------------------------------
    def take(self, steps: Sequence[SessionStep], keys: SeatKeys, absent: Absences) -> list[Event]:
        """Take over what is stored, and tell it to those who follow the session; gives what it tells, in words."""
        absent_before, self.absent, self.keys = self.absent, absent, keys
        if steps:
            self.session = steps[-1].after
        events: list[Event] = []
        for step in steps:
            events += render_step(step.before, step.entry.event, step.after, step.entry.at)
        if absent_before != absent:
            events += render_presence(self.session, absent_before, absent)
            self._view = None
        self.version += 1
        texts = [_dump(event) for event in events]
        self._log.extend(texts)
        if self._past is not None:
            self._past.add(self.picture())
        self._tell(events, tuple(steps))
        return events

    def begin_anew(self, stored: StoredSession, now: datetime) -> None:
        """Take over a session that was read as a whole, because its later events could not follow those known here."""
        self.version += 1
        self._begin(stored, now)
        self._tell([], ())

    def _tell(self, events: list[Event], steps: tuple[SessionStep, ...]) -> None:
        if self.listeners:
            news = SessionNews(steps, self.view, events, self.version, time.monotonic())
            for listener in tuple(self.listeners):
                listener(news)

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


class _Past:
    """A session as it was some seconds ago, for spectators who must not help."""

    def __init__(self, late: float, log: Sequence[LogEntry], latest: SessionPicture, now: datetime) -> None:
        self._late = late
        self._coming: deque[tuple[float, SessionPicture]] = deque()
        old_enough = [entry for entry in log if entry is log[0] or (now - entry.at).total_seconds() >= late]
        if len(old_enough) == len(log):
            self._shown = latest
        else:
            texts = tuple(map(_dump, render_log(old_enough)))
            self._shown = SessionPicture(SessionView(fold(old_enough)), texts[-LOG:], latest.version - 1)
            self.add(latest, (now - log[-1].at).total_seconds())

    def add(self, picture: SessionPicture, age: float = 0.0) -> None:
        """Take a picture that is ``age`` seconds old."""
        self._coming.append((time.monotonic() - age, picture))
        self.now()

    def now(self) -> SessionPicture:
        """The picture that is old enough to be seen."""
        while self._coming and time.monotonic() - self._coming[0][0] >= self._late:
            self._shown = self._coming.popleft()[1]
        return self._shown


_encode: Callable[[object], str] = json.JSONEncoder(separators=(",", ":")).encode
"""Writes JSON; ``json.dumps`` would make an encoder for each value."""


def _dump(event: Event) -> str:
    """An event as JSON, its messages with their facts: readers of several languages will ask for it."""
    return _encode(messages_to_json(event))
