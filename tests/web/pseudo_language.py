"""A pseudo-language for tests, made of the English texts: longer words with accents, in brackets.

Text that a page shows without brackets does not go through the catalogue, and text that is cut off has no room for
longer words. The tag is that of the pseudo-language with accents as other programs have it.
"""

from __future__ import annotations

import re
from pathlib import Path

import polib

from fullprime.messages import LOCALE

TAG = "en-XA"
OPEN, CLOSE = "⟦", "⟧"
_ACCENTS = str.maketrans("aeiouyAEIOUYcnsz", "åéîöûýÅÉÎÖÛÝçñšž")
_KEPT = re.compile(r"(<[^<>]*>)|(\{(?:\w+)\})")
_NAMED = re.compile(r"(\{[a-z_]\w+\})")
"""A place of a message of the program: its value stands outside the brackets, so that it is recognised."""
_WORD = re.compile(r"[^\W\d_]{2,}")


def lengthen(word: str) -> str:
    """A word with accents, a third longer; its letters stay in order, so that it can still be read."""
    more = max(1, round(len(word) / 3))
    at = next((place for place, letter in enumerate(word) if letter in "aeiouyAEIOUY"), 0)
    if word == "Fullprime":
        return word
    return (word[: at + 1] + word[at].lower() * more + word[at + 1 :]).translate(_ACCENTS)


def to_pseudo(text: str) -> str:
    """A text in the pseudo-language: each piece between marks in brackets, places for values as they are."""
    return "".join(part if _NAMED.fullmatch(part) else _translate_piece(part) for part in _NAMED.split(text))


def _translate_piece(text: str) -> str:
    # A place for a value stands within the brackets, a mark of the page outside.
    text_so_far, held = "", ""
    for part in _KEPT.split(text):
        if part is None:
            continue
        if part.startswith("<") and part.endswith(">"):
            text_so_far, held = text_so_far + _put_in_brackets(held), ""
            text_so_far += part
        elif _KEPT.fullmatch(part):
            held += part
        else:
            held += _WORD.sub(lambda match: lengthen(match[0]), part)
    return text_so_far + _put_in_brackets(held)


def _put_in_brackets(text: str) -> str:
    inside = text.strip()
    if not inside:
        return text
    begin = text.index(inside)
    return f"{text[:begin]}{OPEN}{inside}{CLOSE}{text[begin + len(inside) :]}"


def template() -> polib.POFile:
    """The template of all catalogues."""
    return polib.pofile(str(LOCALE / "fullprime.pot"), encoding="utf-8")


def write_catalogue(folder: Path) -> None:
    """Write the catalogue of the pseudo-language into a folder."""
    file = template()
    file.metadata |= {"X-Language-Name": "Pseudo", "Plural-Forms": "nplurals=2; plural=(n != 1);"}
    for entry in file:
        if entry.msgid_plural:
            entry.msgstr_plural = {0: to_pseudo(entry.msgid), 1: to_pseudo(entry.msgid_plural)}
        else:
            entry.msgstr = to_pseudo(entry.msgid)
    file.save(str(folder / f"{TAG}.po"))
