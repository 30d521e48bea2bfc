"""What a room shows, as JSON values, and what of it one person may see."""

from __future__ import annotations

from collections.abc import Mapping
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
    mine = seat == BOTH or (seat is not None and latest.get("turn") in (None, seat))
    state = {name: value for name, value in latest.items() if mine or name not in ("tree", "plays")}
    if not mine and "legal_actions" in state:
        state["legal_actions"] = []
    return {"type": "state", "events": events, "state": {**state, "you": seat}}
