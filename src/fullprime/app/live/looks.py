"""The opener's choice (source 003, lines 56-60 and 158-166): colour and side of the board, or the table to enter on.

Whoever wins the opening throw may choose, before the first play. It changes how the board is shown to all, and nothing
of the game; it holds until the opener of another game chooses again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from fullprime.app.live.attached import Attached
from fullprime.app.live.fields import LookFacts, TableLook
from fullprime.app.live.room_view import BOTH
from fullprime.app.table.events import SIDES, Event, Side
from fullprime.common.refusals import Refusal
from fullprime.play.events import Seat
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.record import Setup

if TYPE_CHECKING:
    from fullprime.app.live.room import Room
    from fullprime.app.table.table import Table

LOOK = "look"
_SOON = 6
"""Events of a game after which nothing can be chosen any more: ties of the opening throw, and the first roll."""


class Looks(Attached):
    """The look of the table, as its opener has chosen it."""

    def view(self) -> LookFacts:
        """The choice, and the side that may choose now."""
        room = self._room
        chooser = None if room.table is None or room.is_closed else chooser_of(room.table)
        return {"look": room.saved.options.get(LOOK), "chooser": chooser}


def chooser_of(table: Table) -> Side | None:
    """The side that has won the opening throw and has not played yet; None where there is none."""
    game: Game = table.game
    events = table.events
    if game.is_over or game.turn is None or len(events) > _SOON or game.phase is Phase.DOUBLE_OFFERED:
        return None
    kinds = [None if isinstance(each, Setup) else each.kind for each in events]
    if ActionKind.OPENING not in kinds or any(kind not in (ActionKind.OPENING, ActionKind.ROLL) for kind in kinds):
        return None
    return SIDES[game.turn] if table.is_human(game.turn) else None


def choose(room: Room, seat: Seat | None, colour: Literal["light", "dark"], home: Literal["right", "left"]) -> None:
    """The opener chooses the colour of their checkers, and where their home board lies as they sit.

    Raises Refusal for anybody else, IllegalAction after the first play.
    """

    def chosen() -> None:
        table = room.table
        if seat is None or table is None:
            raise Refusal("the winner of the opening throw chooses", "forbidden")
        side = chooser_of(table)
        if side is None:
            raise IllegalAction("the opener chooses before the first play")
        if seat not in (BOTH, side):
            raise Refusal(f"{table.names[SIDES.index(side)]} has won the opening throw, and chooses", "forbidden")
        look: TableLook = {"by": side, "colour": colour, "home": home}
        if room.saved.options.get(LOOK) == look:
            return
        what = "enters on the table" if table.settings.variant.has_hand else "has the home board"
        text = f"{table.names[SIDES.index(side)]} chooses the {colour} checkers, and {what} on the {home}"
        told: Event = {"kind": "info", "player": side, "text": text}
        room.save(replace(room.saved, options={**room.saved.options, LOOK: look}), [told])

    room.changing(chosen)
