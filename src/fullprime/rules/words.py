"""The one way in which all pages, reports and the terminal write two players and a number with its sign."""

from __future__ import annotations

from collections.abc import Sequence

MINUS = "\N{MINUS SIGN}"
UNNAMED = "?"
"""A player without a name."""


def versus(names: Sequence[str | None]) -> str:
    """The players of a match, as its title, with a dash between them."""
    return " \N{EN DASH} ".join(name or UNNAMED for name in names)


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign, a minus rather than a hyphen; what rounds to nothing has a plus."""
    text = f"{abs(value):.{digits}f}"
    return f"{MINUS if value < 0 and float(text) else '+'}{text}"
