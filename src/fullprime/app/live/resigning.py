"""Offers to resign between two people on a server. An offer stands beside the game and touches no clock.

Either player may offer, the other one accepts or refuses, and the game goes on meanwhile: the offer lapses with the
next event of the match. In one turn each player offers each level once. The offer stands in the options of the room;
only an accepted one becomes an event of the match. Against a bot and at one screen a resignation is an action of the
game itself, which waits for the answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from fullprime.app.live.attached import Attached
from fullprime.app.live.room_view import FRIEND
from fullprime.app.sessions.fields import ResignationFacts
from fullprime.app.sessions.telling import tell_resignation_offered, tell_resignation_refused
from fullprime.app.sessions.view import BOTH
from fullprime.app.table.commands import find_word, resignation_level
from fullprime.app.table.events import SIDES, Event, Side
from fullprime.app.table.table import Table
from fullprime.common.refusals import Refusal
from fullprime.play import rulings
from fullprime.play.events import Seat
from fullprime.rules.errors import IllegalAction, NotationError
from fullprime.rules.game import Phase
from fullprime.rules.score import LEVEL_NAMES, Player
from fullprime.store.games.rooms import SavedRoom

if TYPE_CHECKING:
    from fullprime.app.live.room import Room

WORDS = ("resign", "accept", "refuse")
"""The words of players about a resignation."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The last offer to resign that was made in a room."""

    at: int
    """The number of events of the match before it."""
    by: Side
    level: int
    stands: bool
    """False once it has been refused."""
    tried: tuple[tuple[Side, int], ...]
    """The offers of its turn: side and level of each, this one included."""

    @classmethod
    def of(cls, saved: SavedRoom) -> Offer | None:
        """The last offer of a room; None where there has been none."""
        stored: dict[str, Any] | None = saved.options.get("resigning")
        if stored is None:
            return None
        tried = tuple((side, level) for side, level in stored["tried"])
        return cls(stored["at"], stored["by"], stored["level"], stored["stands"], tried)

    @property
    def json(self) -> dict[str, object]:
        """As it is stored."""
        return {"at": self.at, "by": self.by, "level": self.level, "stands": self.stands, "tried": self.tried}


class Resignations(Attached):
    """The offer to resign that waits for an answer."""

    def view(self) -> ResignationFacts:
        """The side that offers; an offer in the game itself comes from the player on roll."""
        room = self._room
        table, offer = room.table, standing_offer(room)
        if table is not None and table.game.resignation is not None:
            return {"resigning": {"by": SIDES[table.game.on_roll], "level": table.game.resignation}}
        return {"resigning": None if offer is None else {"by": offer.by, "level": offer.level}}


def standing_offer(room: Room) -> Offer | None:
    """The offer beside the game that waits for an answer: nothing has happened in the game since."""
    offer, table = Offer.of(room.saved), room.table
    if offer is None or table is None or room.is_closed:
        return None
    return offer if offer.stands and offer.at == table.actions_kept else None


def is_beside(room: Room, table: Table, seat: Seat, word: str | None) -> bool:
    """True if a word of a player is about an offer that stands beside the game."""
    return (
        word in WORDS
        and seat != BOTH
        and room.saved.options["opponent"] == FRIEND
        and table.game.phase is not Phase.RESIGNATION_OFFERED
    )


def act(room: Room, table: Table, side: Side, line: str) -> list[Event]:
    """Offer to resign, or answer the other player's offer; gives the events.

    What has been done already is done by the same words again, so that a request may be repeated. Raises Refusal,
    IllegalAction and NotationError.
    """
    typed, _, rest = " ".join(line.split()).partition(" ")
    word = find_word(typed, table)
    if word == "resign":
        return _offer(room, table.actions_kept, Player[side], resignation_level(rest))
    if rest:
        raise NotationError(f"{word} stands alone: {rest!r} has no meaning after it")
    if word == "refuse":
        return _refuse(room, Player[side])
    offer = _answered_by(Player[side], room)
    if not offer.stands:
        raise IllegalAction("no resignation waits for an answer: it has been refused")
    ruling = rulings.resignation(table.game, Player[offer.by], offer.level)
    return [happening.json for happening in room.stored(table, lambda: table.rule(ruling))]


def _offer(room: Room, known: int, loser: Player, level: int) -> list[Event]:
    side = SIDES[loser]

    def offer() -> list[Event]:
        saved, table = room.saved, room.table
        if table is None or table.actions_kept != known:
            raise Refusal("the game has gone on meanwhile", "stale")
        rulings.resignation(table.game, loser, level)  # raises where it cannot be offered
        before = Offer.of(saved)
        event = tell_resignation_offered(loser, level, saved.names, saved.settings)
        if before is not None and before.stands and before.at == known:
            if before.by != side:
                raise IllegalAction(f"{table.names[loser.other]} offers to resign: accept or refuse that first")
            if before.level != level:
                raise IllegalAction("your offer to resign waits for its answer")
            return [event]
        tried = before.tried if before is not None and _is_same_turn(table, before.at) else ()
        if (side, level) in tried:
            raise IllegalAction(f"a {LEVEL_NAMES[level]} is offered once in a turn: play on, or offer another level")
        made = Offer(known, side, level, stands=True, tried=(*tried, (side, level)))
        room.save(replace(saved, options={**saved.options, "resigning": made.json}), [event])
        return [event]

    events = room.changing(offer)
    room.home.turned(room)
    return events


def _refuse(room: Room, player: Player) -> list[Event]:
    event = tell_resignation_refused(player, room.saved.names)

    def refuse() -> list[Event]:
        offer = _answered_by(player, room)
        if offer.stands:
            options = {**room.saved.options, "resigning": replace(offer, stands=False).json}
            room.save(replace(room.saved, options=options), [event])
        return [event]

    return room.changing(refuse)


def _answered_by(player: Player, room: Room) -> Offer:
    """The offer that a player answers, or has refused since the last event of the match."""
    offer, table = Offer.of(room.saved), room.table
    if offer is None or table is None or offer.at != table.actions_kept:
        raise IllegalAction("no resignation waits for an answer")
    if offer.by == SIDES[player]:
        raise Refusal(f"it is {table.names[player.other]} who answers your offer to resign", "forbidden")
    return offer


def _is_same_turn(table: Table, at: int) -> bool:
    """True if the player on roll is the same as when so many events were stored, and has been ever since."""
    since = table.actions_kept - at
    record = table.match.games[-1]
    if since > len(record.events):
        return False
    return all(
        entry.before.on_roll is entry.after.on_roll
        for entry in islice(record.entries(), len(record.events) - since, None)
    )
