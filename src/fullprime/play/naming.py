"""Names of players: what is stored, and what each player sees. ``You`` is a way of seeing a seat, never a name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from fullprime.common.skeletons import skeleton, without_invisible
from fullprime.messages import Message, catalogues, render
from fullprime.rules.errors import SettingsError

YOU = Message("You")
"""The name that players without a name see at their own seats; no other person sees it, and it is never stored."""
UNNAMED = "Guest"
"""The stored name of a player who has given none."""
UNNAMED_TOO = f"{UNNAMED} 2"
"""The stored name of the second nameless player at a table."""
EXPECTED = "Friend"
"""The stored name of a second player who has not come yet, or who gave no name at one screen."""

_UNNAMED: Mapping[str, Message] = {
    UNNAMED: Message("Guest"),
    UNNAMED_TOO: Message("Guest 2"),
    EXPECTED: Message("Friend"),
}


def check_name(name: str) -> str:
    """A name without superfluous blanks and invisible letters; raises SettingsError for a text that is no name."""
    name = " ".join(without_invisible(name).split())
    if not name or len(name) > 40 or not name.isprintable():
        raise SettingsError(Message("{name} is not a name: write 1 to 40 letters", name=repr(name[:50])))
    return name


def are_alike(name: str, other: str) -> bool:
    """True for names that look the same, but for those of two nameless players. Signs alone have no skeleton.

    >>> are_alike("Max", "max"), are_alike("Guest", "Guest"), are_alike("😀", "🎲")
    (True, False, False)
    """
    return not name == other == UNNAMED and (skeleton(name) or name) == (skeleton(other) or other)


def check_apart(name: str, other: str) -> None:
    """Raise SettingsError for two names at one table that nobody could tell apart."""
    if name == other:
        raise SettingsError(
            Message("both players would be called {name}: nobody could tell them apart", name=repr(name))
        )
    if are_alike(name, other):
        raise SettingsError(
            Message(
                "{name} looks like {name2}, the name of the other player: take another name",
                name=repr(name),
                name2=repr(other),
            )
        )


def seat_name(name: str, other: str | None = None) -> str:
    """The name of a player as it is stored, beside the ``other`` one's.

    Raises SettingsError for a text that is no name, for ``You`` in any language of ours, and for a name that looks like
    the other one.
    """
    name = check_name(name)
    if skeleton(name) in skeletons_of_you():
        raise SettingsError(Message("{name} is not a name: it is what players see at their own seats", name=repr(name)))
    if name == other == UNNAMED:
        return UNNAMED_TOO
    if other is not None:
        check_apart(name, other)
    return name


@cache
def skeletons_of_you() -> frozenset[str]:
    """The skeletons of ``You`` in every language."""
    return frozenset(skeleton(word) for word in (YOU, *(render(YOU, language) for language in catalogues())))


def is_unnamed(name: str) -> bool:
    """True for a player who has given no name."""
    return name in (UNNAMED, UNNAMED_TOO)


def names_for_seat(names: tuple[str, str], seat: str | None) -> tuple[str, str]:
    """The names as the player in that seat sees them; others, and two people at one screen, see those stored."""
    x, o = names
    is_own_x, is_own_o = seat == "X" and is_unnamed(x), seat == "O" and is_unnamed(o)
    return YOU if is_own_x else _UNNAMED.get(x, x), YOU if is_own_o else _UNNAMED.get(o, o)


def to_messages(names: tuple[str, str]) -> tuple[str, str]:
    """The names; those that stand for nameless players become messages, so that they can be translated."""
    x, o = names
    return _UNNAMED.get(x, x), _UNNAMED.get(o, o)
