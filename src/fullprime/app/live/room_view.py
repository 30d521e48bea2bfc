"""A room as its people see it: JSON values, each only with the part that the person may see."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from fullprime.app.choices.houses import under_its_name
from fullprime.app.choices.opponents import face_of
from fullprime.app.choices.rulebook import in_short
from fullprime.app.sessions.fields import GameState, OpponentKind, PartFacts, RoomState, StateMessage
from fullprime.app.sessions.view import OVER, WAITING, View, begun_state, for_seat
from fullprime.app.table import proof
from fullprime.app.table.events import SIDES, Event, Side
from fullprime.app.table.table import HUMAN, Table
from fullprime.play.events import Seat
from fullprime.store.errors import StoreError
from fullprime.store.games.rooms import SavedRoom
from fullprime.store.times import epoch_now

BOT: Final = "bot"
FRIEND: Final = "friend"
SCREEN: Final = "screen"
OPPONENTS: Mapping[OpponentKind, str] = {
    BOT: "a bot",
    FRIEND: "a friend who gets a link",
    SCREEN: "two people at one screen",
}
HELPED: Final = "helped"
"""The option of a room in which somebody has been helped."""

ACCOUNTS: Final = "accounts"
"""The option of a room that has the sides at which accounts sat down."""

LOG = 300
"""The number of events that a newcomer is told."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The game as spectators see it: a state, the events until then (as JSON texts), and its version."""

    view: View
    log: tuple[str, ...]
    version: int


class Past:
    """A room as it was some seconds ago, for spectators who must not help."""

    def __init__(self, late: float, view: View, log: Iterable[str], version: int) -> None:
        self._late = late
        self._shown = Shown(view, tuple(log), version)
        self._coming: deque[tuple[float, View, tuple[str, ...], int]] = deque()

    def add(self, view: View, events: Iterable[str], version: int, age: float = 0.0) -> None:
        """Something has happened, so many seconds ago."""
        self._coming.append((time.monotonic() - age, view, tuple(events), version))
        self.now()

    def now(self) -> Shown:
        """The state and the events that are old enough to be seen."""
        while self._coming and time.monotonic() - self._coming[0][0] >= self._late:
            _, view, events, version = self._coming.popleft()
            self._shown = Shown(view, (*self._shown.log, *events)[-LOG:], version)
        return self._shown


def opponent_kind(saved: SavedRoom) -> OpponentKind:
    """The kind of opponent in a room; raises StoreError where the stored value is unknown."""
    found = saved.options["opponent"]
    for kind in OPPONENTS:
        if kind == found:
            return kind
    raise StoreError(f"the room {saved.id} is stored with the opponent {found!r}; there are {', '.join(OPPONENTS)}")


def missing_seeds(saved: SavedRoom) -> list[Side]:
    """The sides whose seed is awaited."""
    people = [side for side, seat in zip(SIDES, saved.seats, strict=True) if seat == HUMAN]
    if saved.options["opponent"] == SCREEN:
        people = ["X"]
    return [side for side in people if side not in saved.seeds]


def guests_of(saved: SavedRoom) -> list[bool]:
    """For X and O, true for a person who sat down without an account; rooms of older versions do not tell."""
    accounts = saved.options.get(ACCOUNTS)
    if accounts is None:
        return [False, False]
    free = ["O"] if "invite" in saved.keys else []
    return [
        seat == HUMAN and side not in accounts and side not in free
        for side, seat in zip(SIDES, saved.seats, strict=True)
    ]


def room_facts(saved: SavedRoom) -> RoomState:
    """The facts of a stored room, which change only when the room itself does; the parts of a room add theirs."""
    settings = saved.settings
    return {
        "id": saved.id,
        "opponent": opponent_kind(saved),
        "title": settings.variant.title,
        "played_for": under_its_name(saved.options.get("house"), in_short(settings)),
        "names": list(saved.names),
        "seats": list(saved.seats),
        "guests": guests_of(saved),
        "faces": [face_of(seat) for seat in saved.seats],
        "free_seat": "invite" in saved.keys,
        "missing_seeds": missing_seeds(saved),
        "commitment": proof.commitment(saved),
        "number": saved.number,
        "rated": bool(saved.options.get("rated")),
        "you": None,
        "clock": None,
        "away": {},
        "grace": None,
        "overdue": None,
        "rematch": {"offered": [], "game": None},
        "help": False,
        "takebacks": False,
        "late": int(saved.options.get("late", 0)),
        "ending": {"offered": [], "alone": None, "costs": None, "how": None, "by": None},
        "links": None,
        "look": None,
        "chooser": None,
        "resigning": None,
    }


def room_view(
    saved: SavedRoom,
    table: Table | None,
    *,
    closed: bool,
    parts: Iterable[PartFacts | None] = (),
    facts: RoomState | None = None,
) -> GameState:
    """The state of a room without the ways to play a roll, which are for the player who must play it.

    ``parts`` are the facts that the parts of the room add, ``facts`` those of :func:`room_facts` where they are at
    hand. ``fields`` describes each value.
    """
    if facts is None:
        facts = room_facts(saved)
    for each in parts:
        if each is not None:
            facts = {**facts, **each}
    if table is None:
        return {**facts, "status": WAITING, "variant": saved.settings.variant.name, "sequence": 0}
    return begun_state(facts, table.session, is_over=closed, is_closed=saved.closed)


@dataclass(frozen=True, slots=True)
class RoomNews:
    """The events in a room, for those who listen there, and the view after them.

    The thread that acted tells the listeners one after the other, under the lock of the room. A listener may keep the
    form that it makes for a person in ``made``, so that it is made once for all who see the same.
    """

    view: View
    events: list[Event]
    version: int
    at: float
    made: dict[tuple[Seat | None, bool], bytes] = field(default_factory=dict)

    @property
    def is_last(self) -> bool:
        """True if nothing more is played, or nothing ever will be."""
        return self.view.shared["status"] == OVER or self.view.shared["ending"]["how"] is not None

    def frame(self, seat: Seat | None, *, tree: bool = True) -> StateMessage:
        """The message for somebody in that seat."""
        return for_seat(self.view.state(seat, tree=tree), seat, self.events, epoch_now())
