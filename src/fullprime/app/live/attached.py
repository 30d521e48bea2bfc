"""A part of a room that knows its room but does not keep it."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from fullprime.app.live.room_copy import RoomPart
from fullprime.common.refusals import Refusal

if TYPE_CHECKING:
    from fullprime.app.live.room import Room


class Attached(RoomPart):
    """What all parts have. A room and parts that keep each other are freed by a garbage collection alone, which is
    seldom: a server held thousands of rooms that nobody looked at.
    """

    def __init__(self, room: Room) -> None:
        self._whose = weakref.ref(room)

    @property
    def _room(self) -> Room:
        room = self._whose()
        if room is None:
            raise Refusal("the room is not in memory any more: ask for it again", "missing")
        return room
