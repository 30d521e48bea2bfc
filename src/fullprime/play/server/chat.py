"""Chat at a table: canned phrases, or short lines, and not too many of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fullprime.messages import Message
from fullprime.rules.errors import FullprimeError

PHRASES: Mapping[str, Message] = MappingProxyType({
    "hello": Message("Hello!"),
    "luck": Message("Good luck!"),
    "thanks": Message("Thank you"),
    "well": Message("Well played!"),
    "nice": Message("Nice roll!"),
    "lucky": Message("That was lucky"),
    "oops": Message("Oops"),
    "moment": Message("One moment, please"),
    "back": Message("I am back"),
    "again": Message("Another one?"),
    "bye": Message("Thanks for the game, goodbye!"),
})  # fmt: skip
"""Canned phrases by the name under which they are sent."""

_PHRASES_BY_WORDS = {str(words): words for words in PHRASES.values()}

LONGEST, LONGEST_REASON = 200, 500
"""Letters of a line, and of the reason of a report. game/game.html has the first as ``maxlength``; requests may have
twice as many, because blanks at the ends do not count.
"""
REPORTS = 3
"""Reports that one player may make about a game."""


class ChatError(FullprimeError):
    """A line or a report that cannot be accepted."""


def check_line(text: str) -> str:
    """The words of a person in one line, without superfluous blanks; raises ChatError.

    >>> check_line("  good   luck ")
    'good luck'
    """
    return _check_line(text, LONGEST)


def check_reason(text: str) -> str:
    """The reason why a player is reported; raises ChatError."""
    return _check_line(text, LONGEST_REASON)


def phrase(name: str) -> Message:
    """The canned phrase of that name; raises ChatError."""
    if name not in PHRASES:
        raise ChatError(
            Message("there is no phrase {name}; there are {names}", name=repr(name[:40]), names=", ".join(PHRASES))
        )
    return PHRASES[name]


def phrase_words(text: str) -> str:
    """What was said, as the message of a canned phrase where it is one."""
    return _PHRASES_BY_WORDS.get(text, text)


def _check_line(text: str, longest: int) -> str:
    line = " ".join(text.split())
    if not line:
        raise ChatError(Message("nothing was said"))
    if len(line) > longest:
        count = len(line)
        raise ChatError(Message("at most {longest} letters can be said, not {count}", longest=longest, count=count))
    if not line.isprintable():
        raise ChatError(Message("what is said is made of letters that can be shown"))
    return line
