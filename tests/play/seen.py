"""What a person sees of a session of the server, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fullprime.common.json_values import to_json
from fullprime.play.events import Seat
from fullprime.play.server.handle import SessionHandle
from fullprime.play.server.view import SessionView
from fullprime.play.table.table_events import Event


def frame_of(handle: SessionHandle, seat: Seat | None, events: Sequence[Event] | None = None) -> Any:
    """The state as the person in that seat sees it; without ``events``, with all that has happened."""
    return to_json(handle.live.take_snapshot(seat).build_message(seat, events))


def state_of(view: SessionView, seat: Seat | None) -> Any:
    """The state that a view gives to a seat."""
    return to_json(view.state(seat))


def message_of(view: SessionView, events: Sequence[Event], seat: Seat | None) -> Any:
    """The message of events to a seat."""
    return to_json(view.message(events, seat))
