"""Chat at a table: canned phrases, or short lines, and not too many of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fullprime.rules.errors import FullprimeError

PHRASES: Mapping[str, str] = MappingProxyType({
    "hello": "Hello!",
    "luck": "Good luck!",
    "thanks": "Thank you",
    "well": "Well played!",
    "nice": "Nice roll!",
    "lucky": "That was lucky",
    "oops": "Oops",
    "moment": "One moment, please",
    "back": "I am back",
    "again": "Another one?",
    "bye": "Thanks for the game, goodbye!",
})  # fmt: skip
"""Canned phrases by the name under which they are sent."""

LONGEST, LONGEST_REASON = 200, 500
REPORTS = 3
"""Reports that one player may make about a game."""


class ChatError(FullprimeError):
    """Something that cannot be said."""


def checked_line(text: str) -> str:
    """The words of a person in one line, without superfluous blanks; raises ChatError.

    >>> checked_line("  good   luck ")
    'good luck'
    """
    return _checked(text, LONGEST, "a line")


def checked_reason(text: str) -> str:
    """The reason why somebody is reported; raises ChatError."""
    return _checked(text, LONGEST_REASON, "a reason")


def phrase(name: str) -> str:
    """The canned phrase of that name; raises ChatError."""
    if name not in PHRASES:
        raise ChatError(f"there is no phrase {name[:40]!r}; there are {', '.join(PHRASES)}")
    return PHRASES[name]


def _checked(text: str, longest: int, what: str) -> str:
    line = " ".join(text.split())
    if not line:
        raise ChatError("nothing was said")
    if len(line) > longest:
        raise ChatError(f"{what} has at most {longest} letters, not {len(line)}")
    if not line.isprintable():
        raise ChatError("what is said is made of letters that can be shown")
    return line
