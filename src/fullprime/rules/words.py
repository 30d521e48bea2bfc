"""The one way in which pages, reports and the terminal write players, throws, scores and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MINUS = "\N{MINUS SIGN}"
UNNAMED = "?"
"""A player without a name."""


def format_players(names: Sequence[str | None]) -> str:
    """The players of a match, as its title, with a dash between them."""
    return " \N{EN DASH} ".join(name or UNNAMED for name in names)


def format_dice(dice: Iterable[int]) -> str:
    """A throw as people read it, 4-2; the 42 of commands and formats is ``str`` of a roll."""
    return "-".join(map(str, dice))


def format_score(points: Iterable[int]) -> str:
    """Two scores, or games won and lost, with a dash between them; a score that is typed has a hyphen."""
    return "\N{EN DASH}".join(map(str, points))


def in_game(game: int, move: int) -> str:
    """The place of a decision in its match, both numbers from 1: a move is a roll with its play.

    >>> in_game(2, 14)
    'game 2, move 14'
    """
    return f"game {game}, move {move}"


def count_noun(count: int, one: str, many: str | None = None) -> str:
    """A number of things in words; ``many`` where an *s* is not enough.

    >>> count_noun(1, "match", "matches"), count_noun(2000, "card")
    ('1 match', '2,000 cards')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def format_signed(value: float, digits: int = 3) -> str:
    """A number with its sign, a minus rather than a hyphen; what rounds to nothing has a plus."""
    text = f"{abs(value):.{digits}f}"
    return f"{MINUS if value < 0 and float(text) else '+'}{text}"
