"""What has happened in a room, told again from what is stored: word for word as it was told, and in the same order.

The events of the match are told from its record. Talk has its own place in the database. All else that was told (who
has joined, offers, the end) stands with the room as *notices*, each with the number of events of the match before it.
Lines about lost connections are of the moment: they are not kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from typing_extensions import TypedDict

from fullprime.app.sessions.telling import (
    tell_begun,
    tell_closed,
    tell_end_offered,
    tell_joined,
    tell_rematch_offered,
)
from fullprime.app.table.events import SIDES, Event
from fullprime.app.table.history import history_by_event
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.store.games.rooms import SavedRoom


class Notice(TypedDict):
    """Something that was told in a room and is neither an event of its match nor talk."""

    after: int
    """The number of events of the match before it."""
    at: float
    """The time, in seconds since 1970 (UTC)."""
    event: Event
    """The notice as it was told."""


def notices_of(saved: SavedRoom) -> list[Notice]:
    """The notices that are stored with a room; none were by an older version."""
    return list(saved.options.get("notices", ()))


def notices_between(before: SavedRoom, after: SavedRoom) -> list[Event]:
    """The news in a change of a room, in words."""
    news: list[Event] = []
    if "invite" in before.keys and "invite" not in after.keys:
        news.append(tell_joined(after.names[Player.O]))
    if before.number is None and after.number is not None:
        news.append(tell_begun(after.settings))
    if after.closed and not before.closed:
        ended = after.options.get("ended") or {"how": "ended", "by": None}
        name = None if ended["by"] is None else after.names[Player[ended["by"]]]
        news.append(tell_closed(ended["how"], name, after.settings))
    for option in ("ends", "again"):
        known: Any = before.options.get(option, ())
        offers: Any = after.options.get(option, ())
        for player in Player:
            side = SIDES[player]
            is_new = side in offers and (side not in known or (option == "ends" and offers[side] != known[side]))
            if is_new and option == "again":
                news.append(tell_rematch_offered(player, after.names))
            elif is_new and not after.closed:
                news.append(tell_end_offered(player, after.names, after.settings))
    return news


def retold(
    match: Match | None,
    times: Sequence[datetime | None],
    notices: Iterable[Notice],
    others: Iterable[Event],
    *,
    automatic: bool,
) -> list[Event]:
    """Everything in the order in which it was told.

    ``times`` are those of the events of the match. ``others`` is what the parts of the room tell: talk goes to its
    place, everything else to the end.
    """
    stored = list(notices)
    begun = {notice["event"].get("game") for notice in stored if notice["event"]["kind"] == "new_game"}
    items: list[tuple[float, int, float, Event]] = []
    if match is not None:
        for index, happening in history_by_event(match, automatic=automatic):
            if not (happening.kind == "new_game" and happening.json.get("game") in begun):
                items.append((index, 1, 0.0, happening.json))
    items += [(notice["after"], 0, notice["at"], notice["event"]) for notice in stored]
    clock, known = 0.0, []
    for at in times:
        clock = clock if at is None else max(clock, at.replace(tzinfo=UTC).timestamp())
        known.append(clock)
    for event in others:
        if event["kind"] == "chat":
            items.append((bisect_right(known, event["at"]), 0, event["at"], event))
        else:
            items.append((float("inf"), 0, 0.0, event))
    return [event for *_, event in sorted(items, key=lambda item: item[:3])]
