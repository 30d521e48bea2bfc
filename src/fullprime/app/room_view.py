"""What a room shows, as JSON values, and what of it one person may see."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fullprime.app import proof
from fullprime.app.rulebook import in_short
from fullprime.app.table import HUMAN, Table
from fullprime.app.view import play_tree, table_view
from fullprime.rules.game import Phase
from fullprime.store.rooms import SavedRoom

BOT, FRIEND, SCREEN = "bot", "friend", "screen"
OPPONENTS = {BOT: "a bot", FRIEND: "a friend who gets a link", SCREEN: "two people at one screen"}
BOTH = "both"
"""The seat of two people at one screen."""

LOG = 300
"""How many happenings a newcomer is told."""


_PRIVATE = ("chat",)
"""Happenings that spectators are not told."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What spectators see: a state, what has happened until then (as JSON texts), and its version."""

    view: Mapping[str, Any]
    log: tuple[str, ...]
    version: int


class Past:
    """A room as it was some seconds ago, for spectators who must not help."""

    def __init__(self, late: float, view: Mapping[str, Any], log: Iterable[str], version: int) -> None:
        self._late = late
        self._shown = Shown(view, tuple(log), version)
        self._coming: deque[tuple[float, Mapping[str, Any], tuple[str, ...], int]] = deque()

    def add(self, view: Mapping[str, Any], events: Iterable[str], version: int, age: float = 0.0) -> None:
        """Something has happened, so many seconds ago."""
        self._coming.append((time.monotonic() - age, view, tuple(events), version))
        self.now()

    def now(self) -> Shown:
        """What is old enough to be seen."""
        while self._coming and time.monotonic() - self._coming[0][0] >= self._late:
            _, view, events, version = self._coming.popleft()
            self._shown = Shown(view, (*self._shown.log, *events)[-LOG:], version)
        return self._shown


def missing_seeds(saved: SavedRoom) -> list[str]:
    """The sides whose seed is awaited."""
    people = [side for side, seat in zip("XO", saved.seats, strict=True) if seat == HUMAN]
    if saved.options["opponent"] == SCREEN:
        people = ["X"]
    return [side for side in people if side not in saved.seeds]


def room_view(saved: SavedRoom, table: Table | None, *, closed: bool) -> dict[str, Any]:
    """The state of a room, with all that anybody in it may see."""
    settings = saved.settings
    view: dict[str, Any] = {
        "id": saved.id,
        "status": "waiting" if table is None else "over" if closed else "playing",
        "opponent": saved.options["opponent"],
        "variant": settings.variant.name,
        "title": settings.variant.title,
        "played_for": in_short(settings),
        "names": list(saved.names),
        "seats": list(saved.seats),
        "free_seat": "invite" in saved.keys,
        "missing_seeds": missing_seeds(saved),
        "commitment": proof.commitment(saved.secret),
        "sequence": 0,
        "number": saved.number,
    }
    if table is None:
        return view
    view |= table_view(table)
    if saved.closed:
        view["legal_actions"] = []
    if table.game.phase is Phase.PLAY and table.is_human(table.turn):
        view["tree"] = play_tree(table.ways)
    return view


def for_seat(latest: Mapping[str, Any], seat: str | None, events: list[Any]) -> dict[str, Any]:
    """A message for one person: the ways to play go only to whoever must play."""
    if seat is None:
        events = [event for event in events if event["kind"] not in _PRIVATE]
    mine = seat == BOTH or (seat is not None and latest.get("turn") in (None, seat))
    state = {name: value for name, value in latest.items() if mine or name not in ("tree", "plays")}
    if not mine and "legal_actions" in state:
        state["legal_actions"] = []
    return {"type": "state", "events": events, "state": {**state, "you": seat}, "now": time.time()}
