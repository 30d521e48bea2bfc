"""Skeletons of names: what names have in common that look alike.

The skeleton follows Unicode Technical Standard 39, and goes further: letters without their accents, marks and frames,
in small, without blanks and signs, and with one letter for those that are taken for each other, such as l, I and 1.
Names with the same skeleton are not held apart by a person who glances at them. Standard library only.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).with_name("lookalikes.txt")
_ALIKE = {"i": "l", "1": "l", "|": "l", "0": "o"}
_PAIRS = {"rn": "m", "vv": "w"}
_INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Characters that are printed as nothing although Unicode counts them as letters, marks or signs."""


def skeleton(name: str) -> str:
    r"""The skeleton of a name: equal for names that look alike; empty for a name without letters and digits.

    >>> skeleton("\uff26ullpr\u0456me"), skeleton("FULL PRIME"), skeleton("A\u0301dmin"), skeleton("rnod")
    ('fullprlme', 'fullprlme', 'admln', 'mod')
    """
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", without_invisible(name)))
    plain = "".join(map(_plain, letters))
    for pair, single in _PAIRS.items():
        plain = plain.replace(pair, single)
    return plain


def without_invisible(text: str) -> str:
    """The text without invisible characters, which make a name that only looks like another."""
    return "".join(letter for letter in text if letter not in _INVISIBLE and not _is_variation(letter))


def _plain(letter: str) -> str:
    """What a letter looks like; nothing for marks, blanks and signs."""
    if unicodedata.category(letter).startswith("M"):
        return ""
    table = _lookalikes()
    letters = table.get(letter) or letter.casefold()
    letters = "".join(table.get(part, part) for part in letters)
    return "".join(_ALIKE.get(part, part) for part in letters if part.isalnum() or part in _ALIKE)


def _is_variation(letter: str) -> bool:
    return "\u180b" <= letter <= "\u180f" or "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"


@cache
def _lookalikes() -> dict[str, str]:
    lines = _TABLE.read_text(encoding="utf-8").splitlines()
    rows = (line.split(" ", 1) for line in lines if not line.startswith("#"))
    return {letter: plain for plain, letters in rows for letter in letters}
