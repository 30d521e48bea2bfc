"""The texts of lessons: placeholders for numbers, terms of the glossary, and claims that can be checked.

A placeholder is ``{NAME}`` or ``{NAME ARGUMENT}``; a term is ``[[prime]]``, or ``[[prime|primes]]`` to be shown as
another word. Paragraphs are parted by an empty line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import ge, gt, le, lt

from fullprime.rules.errors import FullprimeError
from fullprime.rules.words import signed

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_TERM = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]|]+))?\]\]")
_CLAIM = re.compile(r"^(?P<left>.+?) (?P<sign><=|>=|<|>) (?P<right>.+)$")

_CHANCES = ("rolled_more_win", "rolled_more_gammons", "rolled_more_lost", "rolled_wins")
_EQUITIES = ("rolled", "rolled_loss", "rolled_roll", "rolled_drop_costs")
PERCENT = frozenset({
    "win", "gammons", "lost", "more_win", "more_gammons", "more_lost", "wins", "wins_gammons", "loses_gammons", "met",
    "take_point", "live_take_point", "rolled_win", "rolled_gammons", *_CHANCES, *(f"{name}_half" for name in _CHANCES),
})  # fmt: skip
"""Facts that are told in per cent."""
WHOLE = frozenset({
    "pips", "their_pips", "lead", "behind", "hits", "misses", "enters", "both_enter", "dances", "shots", "covers",
    "passes", "stays", "ends", "plays", "loose", "safe", "trials", "two_hits", "market_losers",
})  # fmt: skip
"""Facts that are whole numbers."""
SIGNED = frozenset({"equity", "roll", "value", "no_double", "double_take"})
"""Facts that are told with their sign, to two decimals."""
DECIMAL = frozenset({
    "loss", "double_costs", "roll_costs", "take_costs", "drop_costs", "gammon_value",
})  # fmt: skip
"""Facts that are told to two decimals."""
FINE = frozenset({*_EQUITIES, *(f"{name}_half" for name in _EQUITIES)})
"""Facts by rollout, told to three decimals. One that ends in ``_half`` is half of the 95 % interval of the other, which
texts call "give or take".
"""
_FINE_SIGNED = frozenset({"rolled", "rolled_roll"})
WORDS = frozenset({"best", "second", "verdict"})
"""Facts that are words."""
FACTS = PERCENT | WHOLE | SIGNED | DECIMAL | FINE | WORDS

Value = float | str
Values = Mapping[str, Value]


class MissingFigure(FullprimeError):
    """A placeholder without a stored figure: the figures are stale."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text. ``term`` is the glossary's name for it, or None."""

    text: str
    term: str | None = None


def placeholders(text: str) -> Iterator[str]:
    """What stands in braces, as it is written."""
    for found in _PLACEHOLDER.finditer(text):
        yield " ".join(found[1].split())


def terms_in(text: str) -> Iterator[str]:
    """The terms that a text marks."""
    for found in _TERM.finditer(text):
        yield found[1]


def claims(line: str) -> tuple[str, Callable[[float, float], bool], str]:
    """A claim as its two sides and the comparison between them; raises ValueError for a line that is none."""
    found = _CLAIM.match(" ".join(line.split()))
    if found is None:
        raise ValueError(f"{line!r} is no claim; write for example: loss 13/9 6/5 < 0.03")
    return found["left"], {"<": lt, ">": gt, "<=": le, ">=": ge}[found["sign"]], found["right"]


def needed(line: str) -> Iterator[str]:
    """The facts that a claim speaks of."""
    left, _, right = claims(line)
    for side in (left, right):
        if not _is_number(side):
            yield side


def holds(line: str, values: Values) -> bool:
    """True if a claim is true with these figures; raises MissingFigure."""
    left, compare, right = claims(line)
    return compare(_number(left, values), _number(right, values))


def told(fact: str, value: Value) -> str:
    """A figure in the words of a text.

    Halves of intervals are never told as nothing.

    >>> told("loss 13/9 6/5", 0.0812), told("win", 0.5231), told("equity", 0.1), told("rolled_half 13/9", 0.0002)
    ('0.08', '52.3 %', '+0.10', '0.001')
    """
    name = fact.split(maxsplit=1)[0]
    if isinstance(value, str):
        return value
    if name in PERCENT:
        return f"{100 * (max(value, 0.001) if name.endswith('_half') else value):.1f} %"
    if name in WHOLE:
        return str(round(value))
    if name in FINE:
        value = max(value, 0.001) if name.endswith("_half") else value
        return signed(value) if name in _FINE_SIGNED else f"{value:.3f}"
    return signed(value, 2) if name in SIGNED else f"{value:.2f}"


def filled(text: str, values: Values) -> str:
    """A text with its figures; raises MissingFigure."""

    def figure(found: re.Match[str]) -> str:
        fact = " ".join(found[1].split())
        if fact not in values:
            raise MissingFigure(f"there is no figure for {{{fact}}}")
        return told(fact, values[fact])

    return _PLACEHOLDER.sub(figure, text)


def paragraphs(text: str, values: Values) -> tuple[tuple[Piece, ...], ...]:
    """A text as people read it, its terms marked; raises MissingFigure."""
    whole = filled(text, values)
    return tuple(tuple(_pieces(" ".join(each.split()))) for each in re.split(r"\n\s*\n", whole) if each.strip())


def plain(text: str, values: Values) -> str:
    """A text as people read it, without marks; paragraphs are parted by an empty line."""
    return "\n\n".join("".join(piece.text for piece in each) for each in paragraphs(text, values))


def _pieces(text: str) -> Iterator[Piece]:
    at = 0
    for found in _TERM.finditer(text):
        if found.start() > at:
            yield Piece(text[at : found.start()])
        yield Piece(found[2] or found[1], found[1])
        at = found.end()
    if at < len(text):
        yield Piece(text[at:])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _number(side: str, values: Values) -> float:
    if _is_number(side):
        return float(side)
    if side not in values:
        raise MissingFigure(f"there is no figure for {{{side}}}")
    return float(values[side])
