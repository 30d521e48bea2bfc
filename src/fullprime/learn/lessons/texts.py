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
from fullprime.rules.words import format_signed

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_TERM = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]|]+))?\]\]")
_CLAIM = re.compile(r"^(?P<left>.+?) (?P<sign><=|>=|<|>) (?P<right>.+)$")

_CHANCES = ("rolled_more_win", "rolled_more_gammons", "rolled_more_lost", "rolled_wins")
_EQUITIES = ("rolled", "rolled_loss", "rolled_roll", "rolled_drop_costs")
PERCENT = frozenset({
    "win", "gammons", "lost", "more_win", "more_gammons", "more_lost", "wins", "wins_gammons", "loses_gammons", "met",
    "take_point", "live_take_point", "rolled_win", "rolled_gammons", *_CHANCES, *(f"{name}_half" for name in _CHANCES),
})  # fmt: skip
"""Facts that are written in per cent."""
WHOLE = frozenset({
    "pips", "their_pips", "lead", "behind", "hits", "misses", "enters", "both_enter", "dances", "shots", "covers",
    "passes", "stays", "ends", "plays", "loose", "safe", "trials", "two_hits", "market_losers",
})  # fmt: skip
"""Facts that are whole numbers."""
SIGNED = frozenset({"equity", "roll", "value", "no_double", "double_take"})
"""Facts that are written with their sign, to two decimals."""
DECIMAL = frozenset({
    "loss", "double_costs", "roll_costs", "take_costs", "drop_costs", "gammon_value",
})  # fmt: skip
"""Facts that are written to two decimals."""
FINE = frozenset({*_EQUITIES, *(f"{name}_half" for name in _EQUITIES)})
"""Facts by rollout, written to three decimals. One that ends in ``_half`` is half of the 95 % interval of the other,
which texts call "give or take".
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
class TextPiece:
    """A run of text."""

    text: str
    """The words."""
    term: str | None = None
    """The glossary's name for them; null for plain text."""


Paragraphs = tuple[tuple[TextPiece, ...], ...]
"""A text as people read it, its terms marked."""


def placeholders(text: str) -> Iterator[str]:
    """The contents of the braces in a text, as they are written."""
    for match in _PLACEHOLDER.finditer(text):
        yield " ".join(match[1].split())


def terms_in(text: str) -> Iterator[str]:
    """The terms that a text marks."""
    for match in _TERM.finditer(text):
        yield match[1]


def split_claim(line: str) -> tuple[str, Callable[[float, float], bool], str]:
    """A claim as its two sides and the comparison between them; raises ValueError for any other line."""
    match = _CLAIM.match(" ".join(line.split()))
    if match is None:
        raise ValueError(f"{line!r} is no claim; write for example: loss 13/9 6/5 < 0.03")
    return match["left"], {"<": lt, ">": gt, "<=": le, ">=": ge}[match["sign"]], match["right"]


def list_needed_facts(line: str) -> Iterator[str]:
    """The facts that a claim needs."""
    left, _, right = split_claim(line)
    for side in (left, right):
        if not _is_number(side):
            yield side


def claim_holds(line: str, values: Values) -> bool:
    """True if a claim holds with these figures; raises MissingFigure."""
    left, compare, right = split_claim(line)
    return compare(_number(left, values), _number(right, values))


def format_figure(fact: str, value: Value) -> str:
    """A figure in the words of a text.

    Halves of intervals are never written as zero.

    >>> format_figure("loss 13/9 6/5", 0.0812), format_figure("win", 0.5231), format_figure("equity", 0.1)
    ('0.08', '52.3 %', '+0.10')
    >>> format_figure("rolled_half 13/9", 0.0002)
    '0.001'
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
        return format_signed(value) if name in _FINE_SIGNED else f"{value:.3f}"
    return format_signed(value, 2) if name in SIGNED else f"{value:.2f}"


def fill_in_figures(text: str, values: Values) -> str:
    """A text with its figures; raises MissingFigure."""

    def figure(match: re.Match[str]) -> str:
        fact = " ".join(match[1].split())
        if fact not in values:
            raise MissingFigure(f"there is no figure for {{{fact}}}")
        return format_figure(fact, values[fact])

    return _PLACEHOLDER.sub(figure, text)


def paragraphs(text: str, values: Values) -> Paragraphs:
    """A text as people read it, its terms marked; raises MissingFigure."""
    text = fill_in_figures(text, values)
    return tuple(
        tuple(_pieces(" ".join(paragraph.split()))) for paragraph in re.split(r"\n\s*\n", text) if paragraph.strip()
    )


def to_plain_text(text: str, values: Values) -> str:
    """A text as people read it, without marks; paragraphs are parted by an empty line."""
    return "\n\n".join("".join(piece.text for piece in paragraph) for paragraph in paragraphs(text, values))


def _pieces(text: str) -> Iterator[TextPiece]:
    at = 0
    for match in _TERM.finditer(text):
        if match.start() > at:
            yield TextPiece(text[at : match.start()])
        yield TextPiece(match[2] or match[1], match[1])
        at = match.end()
    if at < len(text):
        yield TextPiece(text[at:])


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
