"""The parts of a room beside its match: clocks, absences, talk, a rematch, and help where it is allowed.

Each is a ``RoomPart`` (see ``room``). Their state is stored, so that every process sees the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from fullprime.app.live import room_dice
from fullprime.app.live.attached import Attached
from fullprime.app.live.chat import Patience
from fullprime.app.live.endings import Ending
from fullprime.app.live.looks import Looks
from fullprime.app.live.resigning import Resignations
from fullprime.app.live.room_copy import RoomPart
from fullprime.app.live.room_view import FRIEND, LOG, SCREEN
from fullprime.app.sessions.facts import clock_state
from fullprime.app.sessions.fields import Away, ClockFacts, HelpFacts, LinkFacts, PresenceFacts, RematchFacts
from fullprime.app.sessions.telling import tell_line
from fullprime.app.table.events import SIDES, ChatLine, Event
from fullprime.app.table.table import HUMAN, Table
from fullprime.common.refusals import Refusal
from fullprime.play.clocks import Clock, time_control
from fullprime.play.rulings import BY_ABSENCE, ON_TIME, forfeit, standing
from fullprime.rules.game import Action, ActionKind, Game
from fullprime.rules.record import Setup
from fullprime.rules.score import Player
from fullprime.store.games.talk import Said, TalkStore
from fullprime.store.times import utc_now

if TYPE_CHECKING:
    from fullprime.app.live.room import Room

P = TypeVar("P", bound=RoomPart)

GRACE = 180
"""Seconds after which the player who waits for an absent one may claim the win, unless another time was agreed."""
OWED = timedelta(minutes=15)
"""The time after which a decision that is owed counts like an absence, in a rated match without a clock."""


class Clockwork(Attached):
    """The clock of a room that has one, read from when the events of its match were stored."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self._table: Table | None = None
        self._clock: Clock | None = None
        self._game: Game | None = None
        self._read = 0

    def view(self) -> ClockFacts:
        """The reserves, whose turn it is and when the flag falls; None without a clock."""
        clock = self.clock
        if clock is not None and self._room.is_closed:
            clock = replace(clock, running=None, since=None)
        return {"clock": None if clock is None else clock_state(clock)}

    def due(self) -> Setup | None:
        """The end of the game when a flag has fallen."""
        clock, table = self.clock, self._room.table
        loser = None if clock is None else clock.loser(utc_now())
        return None if loser is None or table is None else forfeit(table.game, loser, ON_TIME)

    def falls(self, after: Game, at: datetime) -> datetime | None:
        """The time at which the flag falls of the player who must act, in a game that comes about at that time."""
        clock, table = self.clock, self._room.table
        if clock is None or table is None:
            return None
        if table.game_is_new and not self._room.saved.settings.is_match:
            clock = clock.renewed()
        return clock.pressed(at, after.turn).falls

    @property
    def clock(self) -> Clock | None:
        """The clock as it stands after the last event; None without one."""
        asked = self._room.saved.options.get("clock")
        if asked is None:
            return None
        table, settings = self._room.table, self._room.saved.settings
        if self._clock is None or table is not self._table:
            self._table, self._game, self._read = table, None, 0
            self._clock = Clock.start(time_control(asked, settings))
        if table is not None:
            self._follow(table, self._clock, renew=not settings.is_match)
        return self._clock

    def _follow(self, table: Table, clock: Clock, *, renew: bool) -> None:
        games = table.match.games
        number, game = 0, self._game or games[0].start
        for record in games:
            if number + len(record.events) <= self._read and record.events:
                number += len(record.events)
                continue
            for index, event in enumerate(record.events):
                if number >= self._read:
                    if index == 0:
                        game = record.start
                        clock = clock.renewed() if renew else clock
                    game = event.game if isinstance(event, Setup) else game.act(event)
                    at = table.times[number]
                    clock = clock.pressed(at, game.turn) if at is not None else clock
                number += 1
        self._clock, self._game, self._read = clock, game, number


class Absences(Attached):
    """The absences: the times since which a player has had no page open, while a game is played."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self._store = TalkStore(room.home.rooms.engine)
        self._absent: dict[str, datetime] = {}
        self._here = {"X": 0, "O": 0}
        self._counting = threading.Lock()  # not the room's: pages come and go on the event loop

    def catch_up(self) -> list[Event]:
        """Read the absences; gives the sides that have gone and those that have come back."""
        if not self.matters:
            return []
        before, self._absent = self._absent, self._store.absent(self._room.id)
        for side in [side for side in self._absent if self._here[side]]:
            # Somebody who has gone over from another process to this one.
            self._store.back(self._room.id, side)
            del self._absent[side]
        told: list[Event] = []
        for side, name in zip(SIDES, self._room.saved.names, strict=True):
            if side in self._absent and side not in before:
                told.append({"kind": "away", "player": side, "text": f"{name} has lost the connection"})
            elif side in before and side not in self._absent:
                told.append({"kind": "back", "player": side, "text": f"{name} is back"})
        return told

    def view(self) -> PresenceFacts:
        """The sides that are away, since when, and for how long one waits for them or for a decision."""
        away: Away = {}
        for side in SIDES:
            if side in self._absent:
                away[side] = self._absent[side].replace(tzinfo=UTC).timestamp()
        overdue = self.overdue
        after = None if overdue is None else overdue.replace(tzinfo=UTC).timestamp()
        return {"away": away, "grace": self.grace, "overdue": after}

    @property
    def matters(self) -> bool:
        """True if anybody waits: in games between two people who are not at one screen."""
        return bool(self._room.saved.options["opponent"] == FRIEND)

    @property
    def grace(self) -> int | None:
        """Seconds after which the win may be claimed; None where one waits as long as it takes."""
        options = self._room.saved.options
        control = options.get("clock")
        if not self.matters or (control is not None and control.endswith("d")):
            return None
        return int(options.get("grace", GRACE)) or None

    @property
    def overdue(self) -> datetime | None:
        """The time from which the player who must act counts as absent, whatever page is open.

        None where a clock runs, and in matches that are not rated. New rated matches have a clock; those that an older
        version began without one could be stalled for ever.
        """
        options, table = self._room.saved.options, self._room.table
        if not (self.matters and options.get("rated")) or options.get("clock") is not None or table is None:
            return None
        last = table.times[-1] if table.times else None
        return None if last is None or table.turn is None or self._room.is_closed else last + OWED

    def arrive(self, side: str) -> bool:
        """A page is opened here; whether it is the only one of that side here."""
        with self._counting:
            self._here[side] += 1
            return self._here[side] == 1

    def leave(self, side: str) -> bool:
        """A page is closed here; whether it was the last one of that side here."""
        with self._counting:
            self._here[side] -= 1
            return self._here[side] == 0

    def is_here(self, side: str) -> bool:
        """True if a page of that side is open here."""
        return self._here[side] > 0

    def gone(self, side: str) -> None:
        """Nobody of a side is there any more."""
        if self._store.gone(self._room.id, side):
            self._room.part_changed()

    def back(self, side: str) -> None:
        """Somebody of a side is there."""
        if self._store.back(self._room.id, side):
            self._room.part_changed()

    def claimed_by(self, side: Player) -> Setup | None:
        """The end of the game when the other one must act, and has been away or owed the decision for long enough."""
        table, loser, now = self._room.table, side.other, utc_now()
        if table is None or table.turn is not loser:
            return None
        since, grace, overdue = self._absent.get(loser.name), self.grace, self.overdue
        is_away = since is not None and grace is not None and (now - since).total_seconds() >= grace
        is_late = overdue is not None and now >= overdue
        return forfeit(table.game, loser, BY_ABSENCE) if is_away or is_late else None


class Talk(Attached):
    """The talk between the two players. Spectators do not hear it."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.store = TalkStore(room.home.rooms.engine)
        self._told = 0
        self._patience: dict[str, Patience] = {}

    def catch_up(self) -> list[Event]:
        """The lines said since the last time."""
        if self._room.saved.options["opponent"] != FRIEND:
            return []
        said = [each for each in self.store.said(self._room.id, LOG, after=self._told) if each.number > self._told]
        self._told = max((each.number for each in said), default=self._told)
        names = self._room.saved.names
        return [tell_line(told(each), names) for each in said]

    def say(self, side: str, text: str) -> None:
        """Store a line of talk, and tell it; raises ChatError when it is too much."""
        self._patience.setdefault(side, Patience()).heard()
        self.store.say(self._room.id, side, text)
        self._room.part_changed()


class Rematch(Attached):
    """The sides that would play again, and the game in which they do."""

    def view(self) -> RematchFacts:
        """The sides that have offered, and the id of the new game once there is one."""
        return {"rematch": {"offered": list(self.offered), "game": self.game}}

    @property
    def offered(self) -> list[str]:
        """The sides that would play again."""
        return list(self._room.saved.options.get("again", ()))

    @property
    def game(self) -> str | None:
        """The new game."""
        found = self._room.saved.options.get("rematch")
        return None if found is None else str(found)


class Help(Attached):
    """Hints, a tutor and takebacks: against a bot and at one screen, never between people."""

    def view(self) -> HelpFacts:
        """The help that is allowed, the room for a takeback, and the delay for spectators."""
        return {
            "help": self.allowed,
            "takebacks": self.allowed and not self._room.is_closed and self._has_begun,
            "late": self._room.late,
        }

    @property
    def _has_begun(self) -> bool:
        """True if anything but the opening roll stands of the game."""
        table = self._room.table
        return table is not None and any(
            isinstance(event, Action) and event.kind is not ActionKind.OPENING
            for event in standing(table.match.games[-1].events)
        )

    @property
    def allowed(self) -> bool:
        """True if help wrongs nobody."""
        saved = self._room.saved
        return saved.seats != (HUMAN, HUMAN) or bool(saved.options["opponent"] == SCREEN)


class DiceLinks(Attached):
    """The links of the dice: they are stored with the room itself and with each throw (``room_dice``)."""

    def view(self) -> LinkFacts:
        """The chains, and the links that are awaited."""
        room = self._room
        return {"links": room_dice.facts(room.saved, room.table, closed=room.is_closed)}

    def claimed_by(self, side: Player) -> Setup | None:
        """The end of the game when the other one has withheld a link for as long as one waits for an absent player."""
        room = self._room
        if room.table is None:
            return None
        return room_dice.claimed_by(room.saved, room.table, side, part(room, Absences).grace)


def told(each: Said) -> ChatLine:
    """A thing that was said as JSON values."""
    at = each.at.replace(tzinfo=UTC).timestamp()
    return {"number": each.number, "side": SIDES[Player[each.side]], "said": each.text, "at": at}


PARTS: tuple[Callable[[Room], RoomPart], ...] = (
    Clockwork,
    Absences,
    Talk,
    Rematch,
    Help,
    Ending,
    DiceLinks,
    Looks,
    Resignations,
)


def part(room: Room, kind: type[P]) -> P:
    """The part of that kind of a room; raises Refusal where it has none."""
    for each in room.parts:
        if isinstance(each, kind):
            return each
    raise Refusal(f"the room {room.id} has no {kind.__name__}", "missing")
