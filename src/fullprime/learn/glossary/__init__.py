"""The glossary: every term of the game and of this project, for the terminal, the pages and the documents.

>>> print(look_up("Bear-offs").name)
bear off

The terms are data (``terms.toml``); the page of the documentation site is made from them by ``docs/_site/terms.py``.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.notation import read_play
from fullprime.rules.plays import CheckerMove, Play
from fullprime.rules.position import Position
from fullprime.rules.score import Player
from fullprime.rules.variants import BACKGAMMON, VARIANTS
from fullprime.rules.variants.variant import Variant

_NEAR = 5
"""The greatest number of terms in the answer to an unknown word."""


class UnknownTerm(FullprimeError, LookupError):
    """A word that the glossary does not have: the ``word``, and the names of the terms ``near`` it, nearest first."""

    code = "missing"

    def __init__(self, word: str, near: tuple[str, ...]) -> None:
        self.word, self.near = word, near
        hint = f"; near it: {', '.join(near)}" if near else ""
        super().__init__(f"{word[:60]!r} is not in the glossary{hint}")


@dataclass(frozen=True, slots=True)
class Term:
    """One entry: its name, its meaning in one or two sentences, other words for it, and the terms to read next.

    ``see`` holds names of other terms; ``position`` is a board of ``game`` that shows the term, seen by the player on
    roll, and ``caption`` says how it does ("" where that is plain). Beside the board may stand a ``roll``, with the
    text of its ``play`` there ("" for none), a ``cube``, of which X is the player on roll, and the score: the points
    that the player on roll and the opponent still need (``away``), and whether it ``is_crawford``'s game.

    ``shows`` holds the facts that the board shows, such as ``prime = 6``, for tests. ``marked`` holds the words by
    which the pages find the term in their sentences: none for a term that is an everyday word too.
    """

    name: str
    text: str
    position: Position
    also: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    game: Variant = BACKGAMMON
    roll: Roll | None = None
    play: str = ""
    cube: Cube | None = None
    away: tuple[int, int] | None = None
    is_crawford: bool = False
    caption: str = ""
    shows: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()

    def read_play(self) -> Play | None:
        """The play that its board shows; None for a board without one."""
        if self.roll is None or not self.play:
            return None
        return read_play(self.play, self.position, self.roll, self.game)

    def moves(self) -> tuple[CheckerMove, ...]:
        """The checker moves of the play, in order; none without a play."""
        played = self.read_play()
        return played.moves if played else ()

    def beside(self) -> str:
        """The roll, play, cube, score and rolls that end the game, in words, to stand beside the board; "" for none.

        >>> look_up("slot").beside(), look_up("bold play").beside()
        ('', 'Roll 2-1: 13/11 6/5.')
        """
        parts = []
        if self.roll is not None:
            parts.append(f"Roll {self.roll.words}{': ' + self.play if self.play else ''}.")
        if self.cube is not None:
            parts.append(_CUBES[_cube_place(self.cube)].format(self.cube.offered or self.cube.value))
        if self.away is not None:
            parts.append(_SCORE.format(*self.away))
            if min(self.away) == 1 < max(self.away):
                parts.append(_CRAWFORD if self.is_crawford else _AFTER_CRAWFORD)
        parts += [_ENDS.format(fact.removeprefix("ends = ")) for fact in self.shows if fact.startswith("ends = ")]
        return " ".join(parts)

    def __str__(self) -> str:
        also = f" (also {', '.join(self.also)})" if self.also else ""
        see = f"\nSee also: {', '.join(self.see)}." if self.see else ""
        return f"{self.name}{also}: {self.text}{see}"


@cache
def terms() -> tuple[Term, ...]:
    """All terms in the order of the alphabet."""
    data = resources.files("fullprime.learn.glossary").joinpath("terms.toml").read_text(encoding="utf-8")
    return tuple(map(_term, tomllib.loads(data)["term"]))


def look_up(word: str) -> Term:
    """The term of that name, or with that other word for it.

    Case, blanks, hyphens and a plural make no difference. Raises UnknownTerm, which names the nearest terms.

    >>> look_up("the pip counts").name
    'pip count'
    """
    terms = _terms_by_word()
    for key in _keys(word):
        if key in terms:
            return terms[key]
    near = difflib.get_close_matches(_plain(word), terms, n=2 * _NEAR, cutoff=0.6)
    # A term may be near by its name and by another word for it: it is named once.
    names = dict.fromkeys(terms[key].name for key in near)
    raise UnknownTerm(word, tuple(names)[:_NEAR])


_CUBES = {
    "centred": "Cube in the middle at {}.",
    "mine": "Cube at {}, held by the player on roll.",
    "theirs": "Cube at {}, held by the opponent.",
    "offered": "Cube offered at {}.",
}
"""Places of the cube as the data names them, and in words."""
_SCORE = "The player on roll is {}-away, the opponent {}-away."
_CRAWFORD = "This is the Crawford game."
_AFTER_CRAWFORD = "The Crawford game is over."
_ENDS = "{} of the 36 rolls end the game at once."
_OWNERS = {"centred": None, "mine": Player.X, "theirs": Player.O}


def _term(entry: dict[str, Any]) -> Term:
    """A term from its table in the file."""
    also = tuple(entry.get("also", ()))
    game = VARIANTS[entry.get("game", BACKGAMMON.name)]
    checkers = game.starting_position.checkers
    everyday = set(entry.get("everyday", ()))
    mine, theirs, *crawford = str(entry.get("score", "0 0")).split()
    return Term(
        entry["name"],
        " ".join(entry["text"].split()),
        Position.from_text(entry["position"], checkers),
        also,
        tuple(entry.get("see", ())),
        game,
        Roll.from_text(entry["roll"]) if "roll" in entry else None,
        entry.get("play", ""),
        _cube(entry["cube"]) if "cube" in entry else None,
        (int(mine), int(theirs)) if "score" in entry else None,
        crawford == ["Crawford"],
        " ".join(entry.get("caption", "").split()),
        tuple(entry.get("shows", ())),
        tuple(word for word in (entry["name"], *also, *entry.get("forms", ())) if word not in everyday),
    )


def _cube(text: str) -> Cube:
    """The cube of ``centred 1``, ``mine 2``, ``theirs 2`` or ``offered 2``."""
    place, number = text.split()
    value = int(number)
    return Cube(value // 2, None, value) if place == "offered" else Cube(value, _OWNERS[place])


def _cube_place(cube: Cube) -> str:
    if cube.offered:
        return "offered"
    return next(place for place, owner in _OWNERS.items() if owner == cube.owner)


@cache
def _terms_by_word() -> dict[str, Term]:
    """Every term by its name and by every other word for it: as they are written, and in their plain spelling.

    As written comes first: *acey-deucey* is the roll and *Acey Deucey* the game.
    """
    words = [(word, term) for term in terms() for word in (term.name, *term.also)]
    return {_plain(word): term for word, term in reversed(words)} | {word.casefold(): term for word, term in words}


def _plain(word: str) -> str:
    """A word without case, blanks and hyphens, so that ``Bear-off`` and ``bear off`` are the same."""
    return "".join(letter for letter in word.casefold() if letter.isalnum())


def _keys(word: str) -> Iterator[str]:
    """The plain spellings of a word to look up: as it is, then without its article and its plural."""
    words = word.split()
    if len(words) > 1 and words[0].casefold() in ("a", "an", "the"):
        words = words[1:]
    plain = _plain("".join(words))
    yield from (" ".join(word.split()).casefold(), _plain(word), " ".join(words).casefold(), plain)
    for ending, singular in (("ies", "y"), ("es", ""), ("s", "")):
        if plain.endswith(ending):
            yield plain.removesuffix(ending) + singular
