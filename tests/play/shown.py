"""What a room shows and tells, held equal to what its session does: the state of each seat, and the events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from tests.play.room_sessions import absences_of

from fullprime.app.live.room import Room
from fullprime.app.sessions.telling import render_step
from fullprime.app.sessions.view import SessionView, ViewContext
from fullprime.app.table.events import Event
from fullprime.play.decide import Outcome
from fullprime.play.events import Seat
from fullprime.play.session import GameSession

SEATS: tuple[Seat | None, ...] = ("X", "O", "both", None)
OF_THE_ROOM = ("away", "back")
"""Kinds of events that are no events of a session: connections that come and go."""
LEFT_OUT = {
    "number": "the store counts the lines of all rooms, a session its own events",
    "at": "a room asks the clock when it stores a line",
}
"""The fields of a line of talk that a room has otherwise, each with the reason."""


def check_views(room: Room, session: GameSession) -> None:
    """Each seat sees of the session what it sees of the room; of a late room a spectator would see it now."""
    view = SessionView(session, ViewContext(absences_of(room), room.saved.number))
    of_room = room._view()
    for seat in SEATS:
        one, two = view.state(seat), of_room.state(seat)
        found = [name for name in {*one, *two} if one.get(name, ...) != two.get(name, ...)]
        differences = [f"{seat} {name}: {one.get(name)!r}, {two.get(name)!r} of the room" for name in found]
        assert one == two, "\n".join(differences)


def check_told(before: GameSession, decision: Outcome, told: Iterable[Event], at: datetime) -> None:
    """What the listeners of a room were told is what the steps of the decision tell."""
    expected: list[Event] = []
    for event, after in decision.steps:
        expected += render_step(before, event, after, at)
        before = after
    assert list(_compared(told)) == list(_compared(expected))


def _compared(events: Iterable[Event]) -> Iterator[Any]:
    for event in events:
        if event["kind"] == "chat":
            yield {field: value for field, value in event.items() if field not in LEFT_OUT}
        elif event["kind"] not in OF_THE_ROOM:
            yield event
