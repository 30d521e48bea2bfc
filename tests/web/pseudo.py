"""A language that nobody speaks, made of the English texts: longer words with accents, in brackets.

Whatever a page shows without brackets does not go through the catalogue, and whatever is cut off has no room for longer
words. The tag is that of the pseudo-language with accents as other programs have it.
"""

from __future__ import annotations

import re
from pathlib import Path

from scripts.write_texts import quoted

from fullprime.web.texts.catalogue import ENGLISH, FOLDER, Forms, read_catalogue

TAG = "en-XA"
OPEN, CLOSE = "⟦", "⟧"
_ACCENTS = str.maketrans("aeiouyAEIOUYcnsz", "åéîöûýÅÉÎÖÛÝçñšž")
_KEPT = re.compile(r"(<[^<>]*>)|(\{(?:n|\d+)\})")
_APART = re.compile(r"(\{\d+\}|\[\[[^\[\]]*\]\])")
_WORD = re.compile(r"[^\W\d_]{2,}")


def longer(word: str) -> str:
    """A word with accents, a third longer; its letters stay in order, so that one can still read it."""
    more = max(1, round(len(word) / 3))
    at = next((place for place, letter in enumerate(word) if letter in "aeiouyAEIOUY"), 0)
    if word == "Fullprime":
        return word
    return (word[: at + 1] + word[at].lower() * more + word[at + 1 :]).translate(_ACCENTS)


def pseudo(text: str) -> str:
    """A text in the pseudo-language: each piece between marks in brackets, places for values as they are."""
    # A place for a value stands within the brackets, a mark of the page outside.
    made, held = "", ""
    for part in _KEPT.split(text):
        if part is None:
            continue
        if part.startswith("<") and part.endswith(">"):
            made, held = made + _closed(held), ""
            made += part
        elif _KEPT.fullmatch(part):
            held += part
        else:
            held += _WORD.sub(lambda found: longer(found[0]), part)
    return made + _closed(held)


def pseudo_sentence(text: str) -> str:
    """A sentence of the program: what is put in stands outside the brackets, so that one sees what it is."""
    return "".join(_term(part) if _APART.fullmatch(part) else pseudo(part) for part in _APART.split(text))


def _term(part: str) -> str:
    """A place stays; a term of the glossary keeps its name and is shown in the other language."""
    if part.startswith("{"):
        return part
    term, _, words = part.strip("[]").partition("|")
    return f"[[{term}|{pseudo(words or term)}]]"


def _closed(text: str) -> str:
    inside = text.strip()
    if not inside:
        return text
    begin = text.index(inside)
    return f"{text[:begin]}{OPEN}{inside}{CLOSE}{text[begin + len(inside) :]}"


def write_catalogue(folder: Path) -> None:
    """The catalogue of the pseudo-language in a folder."""
    english = read_catalogue(FOLDER / f"{ENGLISH}.toml")
    lines = ["[language]", 'name = "Pseudo"', ""]
    for table, texts in (("pages", english.pages), ("scripts", english.scripts)):
        lines += [f"[{table}]", *(f"{quoted(key)} = {_value(text)}" for key, text in texts.items()), ""]
    lines += ["[sentences]", *(f"{quoted(key)} = {quoted(pseudo_sentence(key))}" for key in english.templates)]
    (folder / f"{TAG}.toml").write_text("\n".join(lines), encoding="utf-8")


def _value(text: str | Forms) -> str:
    if isinstance(text, str):
        return quoted(pseudo(text))
    return "{ " + ", ".join(f"{form} = {quoted(pseudo(each))}" for form, each in text.items()) + " }"
