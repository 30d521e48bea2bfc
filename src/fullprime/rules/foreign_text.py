"""Text of strangers made harmless: control characters and what hides or reorders letters is left out.

A terminal obeys control characters (Unicode's category Cc); format characters (Cf) hide letters or put them in another
order; halves of surrogate pairs (Cs) cannot be written at all. Blanks of every kind stay blanks. A joiner stays where
it joins two letters, because emoji and several scripts need it.
"""

from __future__ import annotations

import re
from unicodedata import category

_LEFT_OUT = frozenset(("Cc", "Cf", "Cs"))
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_LOOSE_JOINERS = re.compile(rf"(?<!\S)[{_JOINERS}]+|[{_JOINERS}]+(?!\S)|(?<=[{_JOINERS}])[{_JOINERS}]+")
_LINE_ENDS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_BLANKS = re.compile(r"[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")


def clean_line(text: str) -> str:
    r"""Text on one line: ends of lines and tabs become a blank.

    >>> clean_line("Ann\x1b[2J\u202e\nBob")
    'Ann[2J Bob'
    """
    return text if text.isprintable() else _without_controls(_BLANKS.sub(" ", text))


def clean_text(text: str) -> str:
    r"""Text that may have several lines and tabs; every line ends in ``\n``.

    >>> clean_text("one\r\n\ttwo\x07")
    'one\n\ttwo'
    """
    if text.isprintable():
        return text
    return "\n".join(
        line if line.isprintable() else _without_controls(line, allowed="\t") for line in _LINE_ENDS.split(text)
    )


def _without_controls(text: str, allowed: str = "") -> str:
    harmless = {*_JOINERS, *allowed}
    letters = (letter for letter in text if letter in harmless or category(letter) not in _LEFT_OUT)
    return _LOOSE_JOINERS.sub("", "".join(letters))
