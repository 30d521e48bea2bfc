"""The two ways to number points at the terminal: each player's own numbers, or X's for both (source 001, line 13)."""

from __future__ import annotations

import re

from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Player

OWN, FIXED = "own", "fixed"

_MOVES = re.compile(r"\b(?:bar|hand|\d{1,2})(?:\*?/(?:\d{1,2}|off)\*?)+")


def check_numbering(name: str) -> str:
    """The way of that name; raises SettingsError."""
    if name not in (OWN, FIXED):
        raise SettingsError(f"--numbering is own (each player's numbers) or fixed (X's for both), not {name[:40]!r}")
    return name


def number_for_x(text: str, player: Player | None, typed: str = "") -> str:
    """A text with the plays of a player, by X's numbers; what was ``typed`` is repeated as it was.

    >>> number_for_x("O plays bar/22* 13/7(2)", Player.O)
    'O plays bar/3* 12/18(2)'
    >>> number_for_x("bar/22 is not legal: play 24/21", Player.O, "bar/22")
    'bar/22 is not legal: play 1/4'
    """
    if player is not Player.O:
        return text
    parts = text.split(typed) if typed else [text]
    return typed.join(_MOVES.sub(_mirror, part) for part in parts)


def _mirror(moves: re.Match[str]) -> str:
    return re.sub(r"\d+", lambda number: str(25 - int(number[0])), moves[0])
