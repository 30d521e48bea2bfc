"""The glossary: every term of the game and of this project, for the terminal, the pages and the documents.

>>> print(look_up("Bear-offs").name)
bear off

The terms are data (``terms.toml``); `docs/glossary.md` is written from them by ``scripts/list_terms.py``.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position

_NEAR = 5
"""The greatest number of terms in the answer to an unknown word."""


class UnknownTerm(FullprimeError, LookupError):
    """A word that the glossary does not have: the ``word``, and the names of the terms ``near`` it, nearest first."""

    def __init__(self, word: str, near: tuple[str, ...]) -> None:
        self.word, self.near = word, near
        hint = f"; near it: {', '.join(near)}" if near else ""
        super().__init__(f"{word[:60]!r} is not in the glossary{hint}")


@dataclass(frozen=True, slots=True)
class Term:
    """One entry: its name, its meaning in one or two sentences, other words for it, and the terms to read next.

    ``see`` holds names of other terms; ``position`` is a board that shows the term, seen by the player on roll, or
    None.
    """

    name: str
    text: str
    also: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    position: Position | None = None

    def __str__(self) -> str:
        also = f" (also {', '.join(self.also)})" if self.also else ""
        see = f"\nSee also: {', '.join(self.see)}." if self.see else ""
        return f"{self.name}{also}: {self.text}{see}"


@cache
def terms() -> tuple[Term, ...]:
    """All terms in the order of the alphabet."""
    data = resources.files("fullprime.glossary").joinpath("terms.toml").read_text(encoding="utf-8")
    return tuple(
        Term(
            entry["name"],
            " ".join(entry["text"].split()),
            tuple(entry.get("also", ())),
            tuple(entry.get("see", ())),
            Position.from_text(entry["position"]) if "position" in entry else None,
        )
        for entry in tomllib.loads(data)["term"]
    )


def look_up(word: str) -> Term:
    """The term of that name, or with that other word for it.

    Case, blanks, hyphens and a plural make no difference. Raises UnknownTerm, which names the nearest terms.

    >>> look_up("the pip counts").name
    'pip count'
    """
    known = _known()
    for key in _keys(word):
        if key in known:
            return known[key]
    near = difflib.get_close_matches(_plain(word), known, n=2 * _NEAR, cutoff=0.6)
    # A term may be near by its name and by another word for it: it is named once.
    names = dict.fromkeys(known[key].name for key in near)
    raise UnknownTerm(word, tuple(names)[:_NEAR])


@cache
def _known() -> dict[str, Term]:
    """Every term by its name and by every other word for it: as they are written, and in their plain spelling.

    As written comes first: *acey-deucey* is the roll and *Acey Deucey* the game.
    """
    words = [(word, term) for term in terms() for word in (term.name, *term.also)]
    return {_plain(word): term for word, term in reversed(words)} | {word.casefold(): term for word, term in words}


def _plain(word: str) -> str:
    """A word without case, blanks, hyphens and the like: ``Bear-off`` and ``bear off`` are the same."""
    return "".join(letter for letter in word.casefold() if letter.isalnum())


def _keys(word: str) -> Iterator[str]:
    """The plain spellings under which a word may stand, as it is first, then without its article and its plural."""
    words = word.split()
    if len(words) > 1 and words[0].casefold() in ("a", "an", "the"):
        words = words[1:]
    plain = _plain("".join(words))
    yield from (" ".join(word.split()).casefold(), _plain(word), " ".join(words).casefold(), plain)
    for ending, singular in (("ies", "y"), ("es", ""), ("s", "")):
        if plain.endswith(ending):
            yield plain.removesuffix(ending) + singular
