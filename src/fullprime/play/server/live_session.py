"""A session in the memory of a process: its state as people see it, its listeners, and the delay of spectators."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from fullprime.common.json_values import to_json
from fullprime.common.refusals import Refusal
from fullprime.messages import Message, messages_from_json, messages_to_json
from fullprime.play.events import LogEntry, Seat, is_in
from fullprime.play.evolve import evolve, fold
from fullprime.play.keys import SeatKeys
from fullprime.play.presence import Absences
from fullprime.play.server.fields import StateMessage
from fullprime.play.server.rendering import render_log, render_presence, render_step
from fullprime.play.server.view import SessionView
from fullprime.play.session import GameSession, SessionStep
from fullprime.play.store import StoredSession
from fullprime.play.table.table_events import Event, read_event
from fullprime.play.viewers import Viewer, know_log, know_step

LOG: Final = 300
"""The most events in the first message to a new listener."""
MOST_PARTS: Final = 120
"""The parts of a delay of up to an hour. At most two snapshots of each part are kept; one takes about ten KiB."""


@dataclass(frozen=True, slots=True)
class SessionNews:
    """News for those who follow a session: events that were stored together, or a player who came or went."""

    steps: tuple[SessionStep, ...]
    view: SessionView
    """The session after it."""
    events: list[Event]
    """The events in words, which are messages."""
    version: int
    """The number of the news in this process; a reader leaves out news that its first snapshot holds already."""
    at: float
    """The time by ``time.monotonic``."""
    frames: dict[tuple[Seat | None, bool, str], bytes] = field(default_factory=dict)
    """The messages made of it, each for all who see the same."""

    @property
    def is_last(self) -> bool:
        """True if nothing more is played, or ever will be."""
        return self.view.session.is_over

    def is_for(self, viewer: Viewer) -> bool:
        """True if there is anything in it that a viewer may know."""
        return not self.steps or any(is_in(viewer, step.entry.event.audience) for step in self.steps)


SessionListener = Callable[[SessionNews], None]
"""Called on the event loop in the middle of an action, so it must be quick and must not raise."""


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """A session at one moment: a view, the events until then (as JSON texts), and the version of its last news."""

    view: SessionView
    log: tuple[str, ...]
    version: int

    def build_message(
        self,
        seat: Seat | None,
        events: Sequence[Event] | None = None,
        *,
        tree: bool = True,
    ) -> StateMessage:
        """The state as the person in that seat sees it; without ``events``, with all that has happened.

        Finding the ways to play a roll takes long, so any thread may do it.
        """
        if events is None:
            events = [read_event(messages_from_json(json.loads(event))) for event in self.log]
        return self.view.message(events, seat, tree=tree)


class LiveSession:
    """A session as this process knows it. The holder of ``lock`` alone changes it; any thread may read it."""

    def __init__(self, stored: StoredSession, now: datetime) -> None:
        self.session_id = stored.session.session_id
        self.lock = asyncio.Lock()
        self.listeners: set[SessionListener] = set()
        self.version = 0
        self.served_at = float("-inf")
        """The time of the last command here (``time.monotonic``), perhaps of a player who follows another process."""
        self._set_stored(stored, now)

    def _set_stored(self, stored: StoredSession, now: datetime) -> None:
        self.session: GameSession = stored.session
        self.secret, self.keys = stored.secret, stored.keys
        self.absent: Absences = stored.absent
        self.is_behind = False
        """True if another process has added events, or if it is unknown whether an append was stored."""
        self._known = know_log(stored.session, stored.log)
        self._log: deque[str] = deque(_to_texts(render_log(stored.log)), maxlen=LOG)
        self._view: SessionView | None = None
        self._delay: SpectatorDelay | None = None
        if self.spectator_delay:
            self._delay = SpectatorDelay(self.spectator_delay, stored.log, self.take_snapshot(), now)

    @property
    def spectator_delay(self) -> int:
        """The seconds by which spectators see an event later than the players."""
        return self.session.terms.late

    # -- seats --------------------------------------------------------------------------------------------
    def seat_of(self, key: str | None) -> Seat | None:
        """The seat to which a key belongs; None for a spectator. Raises Refusal where spectators are not allowed."""
        if key and (seat := self.keys.seat_of(key)) is not None:
            return seat
        if not self.session.terms.spectators:
            raise Refusal(Message("this game is private"), "forbidden")
        return None

    # -- what people see ----------------------------------------------------------------------------------
    @property
    def view(self) -> SessionView:
        """The session as it is now."""
        session, view = self.session, self._view
        if view is None or view.session is not session:
            view = self._view = SessionView(session, self.absent, earlier=view, known=self._known)
        return view

    def take_snapshot(self, seat: Seat | None = "both") -> SessionSnapshot:
        """The session as it is now, or for spectators (None) as it was a delay ago; on the event loop."""
        if seat is None and self._delay is not None:
            return self._delay.get_snapshot()
        return SessionSnapshot(self.view, tuple(self._log), self.version)

    # -- news ---------------------------------------------------------------------------------------------
    def apply_steps(self, steps: Sequence[SessionStep], keys: SeatKeys, absent: Absences) -> list[Event]:
        """Apply steps that are stored, and call the listeners; gives the events in words."""
        absent_before, self.absent, self.keys = self.absent, absent, keys
        known, session = self._known, self.session
        for step in steps:
            known, session = know_step(known, session, step), step.after
        self._known, self.session = known, session
        events: list[Event] = []
        for step in steps:
            events += render_step(step.before, step.entry.event, step.after, step.entry.at)
        if absent_before != absent:
            events += render_presence(self.session, absent_before, absent)
            self._view = None
        self.version += 1
        self._log.extend(_to_texts(events))
        if self._delay is not None:
            self._delay.add(self.take_snapshot())
        if self.listeners:
            news = SessionNews(tuple(steps), self.view, events, self.version, time.monotonic())
            for listener in tuple(self.listeners):
                listener(news)
        return events

    def reload(self, stored: StoredSession, now: datetime) -> None:
        """Replace the session by one read as a whole, because its later events do not follow those known here."""
        self._set_stored(stored, now)
        self.apply_steps((), stored.keys, stored.absent)

    def list_new_steps(self, entries: Iterable[LogEntry]) -> Iterator[SessionStep]:
        """List the steps of events that another process has stored; those that are known already are left out.

        Raises RulesError for events that cannot follow.
        """
        session = self.session
        for entry in entries:
            if entry.sequence > session.sequence:
                after = evolve(session, entry)
                yield SessionStep(session, entry, after)
                session = after


class SpectatorDelay:
    """Snapshots of a session that spectators see some seconds late, so that they cannot help a player."""

    def __init__(self, seconds: float, log: Sequence[LogEntry], latest: SessionSnapshot, now: datetime) -> None:
        self._seconds = seconds
        self._waiting: deque[tuple[float, SessionSnapshot]] = deque()
        old_enough = [entry for entry in log if entry is log[0] or (now - entry.at).total_seconds() >= seconds]
        if len(old_enough) == len(log):
            self._visible = latest
        else:
            texts = tuple(_to_texts(render_log(old_enough)))
            session = fold(old_enough)
            view = SessionView(session, known=know_log(session, old_enough))
            self._visible = SessionSnapshot(view, texts[-LOG:], latest.version - 1)
            self.add(latest, (now - log[-1].at).total_seconds())

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, snapshot: SessionSnapshot, age: float = 0.0) -> None:
        """Add a snapshot that is ``age`` seconds old; the next one may replace it if it follows at once."""
        at = time.monotonic() - age
        if len(self._waiting) > 1 and at - self._waiting[-2][0] < self._seconds / MOST_PARTS:
            self._waiting.pop()
        self._waiting.append((at, snapshot))
        self.get_snapshot()

    def get_snapshot(self) -> SessionSnapshot:
        """The newest snapshot that is old enough for spectators."""
        while self._waiting and time.monotonic() - self._waiting[0][0] >= self._seconds:
            self._visible = self._waiting.popleft()[1]
        return self._visible


_encode: Callable[[object], str] = json.JSONEncoder(separators=(",", ":")).encode
"""Writes JSON; ``json.dumps`` would make an encoder for each value."""


def _to_texts(events: Iterable[Event]) -> list[str]:
    """Events as JSON. Messages keep their facts, because readers may ask for several languages."""
    return [_encode(messages_to_json(to_json(event))) for event in events]
