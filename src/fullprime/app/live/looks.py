"""The opener's choice (source 003, lines 56-60 and 158-166): colour and side of the board, or the table to enter on.

Whoever wins the opening throw may choose, before the first play. It changes how the board is shown to all, and nothing
of the game; it holds until the opener of another game chooses again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from fullprime.app.live.attached import Attached
from fullprime.app.sessions.fields import LookFacts, TableLook
from fullprime.app.sessions.telling import tell_look
from fullprime.app.sessions.view import BOTH
from fullprime.app.table.events import SIDES
from fullprime.common.refusals import Refusal
from fullprime.play.beside import chooser_of
from fullprime.play.events import LookChosen, Seat
from fullprime.rules.errors import IllegalAction

if TYPE_CHECKING:
    from fullprime.app.live.room import Room

LOOK = "look"


class Looks(Attached):
    """The look of the table, as its opener has chosen it."""

    def view(self) -> LookFacts:
        """The choice, and the side that may choose now."""
        room = self._room
        chooser = None if room.table is None or room.is_closed else chooser_of(room.table.session)
        return {"look": room.saved.options.get(LOOK), "chooser": None if chooser is None else SIDES[chooser]}


def choose(room: Room, seat: Seat | None, colour: Literal["light", "dark"], home: Literal["right", "left"]) -> None:
    """The opener chooses the colour of their checkers, and where their home board lies as they sit.

    Raises Refusal for anybody else, IllegalAction after the first play.
    """

    def chosen() -> None:
        table = room.table
        if seat is None or table is None:
            raise Refusal("the winner of the opening throw chooses", "forbidden")
        chooser = chooser_of(table.session)
        if chooser is None:
            raise IllegalAction("the opener chooses before the first play")
        side = SIDES[chooser]
        if seat not in (BOTH, side):
            raise Refusal(f"{table.names[chooser]} has won the opening throw, and chooses", "forbidden")
        look: TableLook = {"by": side, "colour": colour, "home": home}
        if room.saved.options.get(LOOK) == look:
            return
        told = tell_look(LookChosen(chooser, colour, home), room.saved.names, room.saved.settings)
        room.save(replace(room.saved, options={**room.saved.options, LOOK: look}), [told])

    room.changing(chosen)
