"""Names of players: what is stored, and what each player sees. ``You`` is a way of seeing a seat, never a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast

from fullprime.common.skeletons import skeleton, without_invisible
from fullprime.messages import ENGLISH, Message, render_all
from fullprime.play.table.events import SIDES, Event, Side
from fullprime.rules.errors import SettingsError

YOU = Message("You")
"""What a player without a name sees at the own seat; nobody else sees it, and it is never stored."""
UNNAMED = "Guest"
"""The stored name of a player who has given none."""
UNNAMED_TOO = f"{UNNAMED} 2"
"""The same of the second one at a table."""

_GUESTS: Mapping[str, Message] = {UNNAMED: Message("Guest"), UNNAMED_TOO: Message("Guest 2")}

Named = TypeVar("Named", bound=Mapping[str, Any])


def checked_name(name: str) -> str:
    """A name without superfluous blanks and invisible letters; raises SettingsError for a text that is no name."""
    name = " ".join(without_invisible(name).split())
    if not name or len(name) > 40 or not name.isprintable():
        raise SettingsError(Message("{name} is not a name: write 1 to 40 letters", name=repr(name[:50])))
    return name


def seat_name(name: str, other: str | None = None) -> str:
    """The name of a player as it is stored, beside the ``other`` one's.

    Raises SettingsError for a text that is no name, for ``You``, and for the name of the other one.
    """
    name = checked_name(name)
    if skeleton(name) == skeleton(YOU):
        raise SettingsError(Message("{name} is not a name: it is what players see at their own seats", name=repr(name)))
    if name == other == UNNAMED:
        return UNNAMED_TOO
    if name == other:
        raise SettingsError(
            Message("both players would be called {name}: nobody could tell them apart", name=repr(name))
        )
    return name


def is_unnamed(name: str) -> bool:
    """True for a player who has given no name."""
    return name in (UNNAMED, UNNAMED_TOO)


def seen_names(names: tuple[str, str], seat: str | None) -> tuple[str, str]:
    """The names as the player in that seat sees them; others, and two people at one screen, see those stored."""
    x, o = (
        YOU if seat == side and is_unnamed(name) else _GUESTS.get(name, name)
        for side, name in zip(SIDES, names, strict=True)
    )
    return x, o


def as_messages(names: tuple[str, str]) -> tuple[str, str]:
    """The names with those of players who have given none as messages, which other languages translate."""
    x, o = names
    return _GUESTS.get(x, x), _GUESTS.get(o, o)


def seen_events(events: Iterable[Event], seat: str | None, language: str = ENGLISH) -> list[Event]:
    """Events as somebody in that seat reads them (None for a spectator), in a language."""
    seen = [_seen_event(event, seat) if "own" in event else event for event in events]
    return render_all(seen, language)


def _seen_event(event: Event, seat: str | None) -> Event:
    plain: dict[str, Any] = {field: value for field, value in event.items() if field != "own"}
    return cast("Event", {**plain, "text": event["own"].get(cast("Side", seat), event["text"])})


def seen_state(state: Named, seat: str | None, language: str = ENGLISH) -> Named:
    """The state of a game as somebody in that seat sees it, in a language."""
    x, o = state["names"]
    names = seen_names((x, o), seat)
    seen = state if names == (x, o) and language == ENGLISH else cast("Named", {**state, "names": list(names)})
    return render_all(seen, language)
