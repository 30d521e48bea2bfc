"""Sentences that the program has made in English, put in another language: read by the templates they were made of.

``Nora rolls 31`` is read by ``{1} rolls {2}``. What stands in a place is read in turn, since it may be words too, and
a text of several sentences or clauses is read one by one. Of all readings the one counts that leaves the fewest letters
unread; what nothing reads (a name, a play) stays as it is. Finding a template takes no regular expression that could
be made to run for long, and the number of tries is bounded, since some of what is read came from strangers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import NamedTuple

_PLACE = re.compile(r"\{(\d+)\}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_CLAUSES = re.compile(r"((?<=[.!?;:,)])\s+|\s+[\u2013\u2014=]\s+|\s{2,}|\s+(?=\())")
_PLAY = r"(?:(?:\d+|bar|hand)\*?(?:/(?:\d+|off)\*?)+(?:\(\d\))?\s+)*"
_SENTENCES = re.compile(r"((?<=[.!?])\s+)")
_EDGES = re.compile(rf"([\s(“\"'`]*{_PLAY})(.*?)([\s.;:,!?)”\"'`]*)", re.DOTALL)
"""What may stand before and after a sentence: signs, and a play that the sentence is about."""
_NUMBER, _DECIMAL = re.compile(r"\b\d+(?:\.\d+)?\b"), re.compile(r"\b\d+\.\d+\b")
_UNREAD_PROSE, _QUOTED = re.compile(r"(?<![^\s(])[a-z]{2,}\s+[a-z]{2,}\b"), re.compile(r"(?<!\w)'[^']*'(?!\w)")
_FIRST_HELD, _HELD = 0xE000, re.compile("[\ue000-\uf8ff]")
"""Letters that stand for figures while a text is read; nobody writes them."""
_FIRST_NAME = 0xF000
"""The first letter that stands for a name of a person; those before it are for figures."""
_MOST_NAMES = 16
"""Names that are kept in one text."""
_LONGEST_NAMED = 400
"""Letters of a text that is read in more than one way where there are names in it: each way has its own tries."""
_YOU = "You"
"""Stands for the reader in sentences, and is a name of nobody."""
_MANY = 12
"""Figures from which on a text may be the description of a board, of which there are as many as positions."""
_LONGEST = 2000
"""Letters of a line that is read; a longer one stays as it is."""
_TRIES, _TRIES_A_LETTER, _MOST_TRIES = 15_000, 5, 60_000
"""Templates that are looked at for one text at most, with all its parts; those of this program need half of it."""
_NEAREST = 12
"""Templates that are held against one part of a text at most, those with the most letters first."""
_DEEPEST = 8
"""Places within places that are read at most."""
_MOST_CLAUSES = 12
"""Clauses that are read together; of more, each sentence is read by itself."""


@dataclass(frozen=True, slots=True)
class _Template:
    pieces: tuple[str, ...]
    """The literal text before, between and after the places."""
    says: str
    """The same in the other language, with its places."""
    letters: int
    order: tuple[int, ...]
    """The number of each place."""

    def values(self, text: str) -> list[tuple[str, ...]]:
        """What may stand in the places where ``text`` is made of this template; nothing where it is not.

        Each piece is looked for as early as it can stand, which finds a way whenever there is one, and then as late.
        """
        first, *between, last = self.pieces if len(self.pieces) > 1 else (self.pieces[0], "")
        if len(self.pieces) == 1:
            return [()] if text == first else []
        if len(text) < len(first) + len(last) or not (text.startswith(first) and text.endswith(last)):
            return []
        inside = text[len(first) : len(text) - len(last)]
        early, rest = list[str](), inside
        for piece in between:
            value, found, rest = rest.partition(piece)
            if not found:
                return []
            early.append(value)
        late, before = list[str](), inside
        for piece in reversed(between):
            before, _, value = before.rpartition(piece)
            late.insert(0, value)
        ways = [(*early, rest), (before, *late)]
        return ways if ways[0] != ways[1] else ways[:1]


class _Reading(NamedTuple):
    unread: int
    """Letters of words that no template has read."""
    text: str


_NOT_READ = _Reading(1 << 30, "")


def _is_prose(value: str, read: _Reading) -> bool:
    """True for words in a place that nothing has read, and that are no name: the template is not that of the text."""
    return read.text == value and bool(_UNREAD_PROSE.search(_QUOTED.sub("", value)))


class _Match(NamedTuple):
    template: _Template
    ways: list[tuple[str, ...]]
    """What may stand in its places."""
    raised: bool
    """True if the text begins with a large letter and the template with a small one."""


def _match(template: _Template, text: str) -> _Match | None:
    """A text by a template, whose first letter may be large in one and small in the other; None where it is not."""
    ways = template.values(text)
    if ways or not text or not template.pieces[0]:
        return _Match(template, ways, raised=False) if ways else None
    other = text[0].lower() if text[0].isupper() else text[0].upper()
    ways = template.values(other + text[1:])
    return _Match(template, ways, raised=text[0].isupper()) if ways else None


class _Budget:
    """The tries that are left for a text, and what has been read of it already."""

    __slots__ = ("clauses", "left", "near", "one")

    def __init__(self, text: str) -> None:
        self.left = min(_TRIES + _TRIES_A_LETTER * len(text), _MOST_TRIES)
        self.clauses: dict[str, _Reading] = {}
        self.one: dict[str, _Reading] = {}
        self.near: dict[str, list[_Match]] = {}


def _letters(text: str) -> int:
    return sum(map(len, _WORD.findall(text)))


def _words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _hold(found: re.Match[str], held: list[str], first: int) -> str:
    """Set something aside; gives the letter that stands for it."""
    held.append(found[0])
    return chr(first + len(held) - 1)


def _restored(text: str, held: list[str], first: int) -> str:
    """A text with what was set aside in its place again."""
    there = range(first, first + len(held))
    return _HELD.sub(lambda found: held[ord(found[0]) - first] if ord(found[0]) in there else found[0], text)


def _joined(between: str, read: list[_Reading]) -> _Reading:
    return _Reading(sum(each.unread for each in read), between.join(each.text for each in read))


class Sentences:
    """The templates of a language, by the English ones."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Those without a translation, and those with two places side by side, are left out."""
        self._texts = {key: text for key, text in texts.items() if text and "}{" not in key}
        self.reading = lru_cache(8192)(self._read_whole)
        """A text in the language, and how much of it nothing has read."""

    def said(self, text: str) -> str:
        """A text in the language; as it is where nothing reads it."""
        return self.reading(text).text

    def figures(self, text: str) -> str:
        """The same for one of many texts that differ by their figures: those are set aside, so that it is read once."""
        return self.said(text) if _HELD.search(text) else self._figures(text).text

    def keeping(self, names: Iterable[str], *, figures: bool = False) -> Callable[[str], str]:
        """`said`, or `figures`, for texts about these people, whose names stay as they are."""
        kept = dict.fromkeys(name for name in names if name != _YOU and self._words.intersection(_words_of(name)))
        if not kept:
            return self.figures if figures else self.said
        # Where one name begins like another, the longer one is looked for first.
        ordered = sorted(kept, key=len, reverse=True)[:_MOST_NAMES]
        pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in ordered))
        return partial(self._with_names, names=pattern, read=self._figures if figures else self.reading)

    def _with_names(self, text: str, names: re.Pattern[str], read: Callable[[str], _Reading]) -> str:
        """A text whose names are set aside, unless it is read better with them."""
        if names.fullmatch(text):
            return text
        if _HELD.search(text) or not names.search(text) or text in self._texts:
            return self.said(text)
        best = _NOT_READ
        # All of them; else the first alone, since the same word may stand in the sentence, too; else none.
        for most in (0, 1, None) if len(text) <= _LONGEST_NAMED else (0,):
            held: list[str] = []
            told = text if most is None else names.sub(partial(_hold, held=held, first=_FIRST_NAME), text, count=most)
            found = read(told)
            if found.unread < best.unread:
                best = _Reading(found.unread, _restored(found.text, held, _FIRST_NAME))
            if not best.unread:
                break
        return best.text

    def _figures(self, text: str) -> _Reading:
        if len(_NUMBER.findall(text)) < _MANY:
            return self._with_held(text, _DECIMAL)
        pieces = _SENTENCES.split(text)
        return _joined(
            "", [self._one_of_many(piece) if at % 2 == 0 else _Reading(0, piece) for at, piece in enumerate(pieces)]
        )

    def _one_of_many(self, text: str) -> _Reading:
        """A sentence with all figures set aside; with decimals alone where a play or a template needs the others."""
        read = self._with_held(text, _NUMBER)
        return min(read, self._with_held(text, _DECIMAL), key=lambda way: way.unread) if read.unread else read

    def _with_held(self, text: str, figure: re.Pattern[str]) -> _Reading:
        if len(text) > _LONGEST:
            return _Reading(_letters(text), text)
        held: list[str] = []
        read = self.reading(figure.sub(partial(_hold, held=held, first=_FIRST_HELD), text))
        return _Reading(read.unread, _restored(read.text, held, _FIRST_HELD))

    def prepare(self) -> None:
        """Put the templates in order: the first text would else wait for it."""
        self._by_word, self._words  # noqa: B018

    @cached_property
    def _by_word(self) -> Mapping[str, tuple[_Template, ...]]:
        """The templates by one of their words, the one that the fewest of them have; those of many letters first."""
        made: list[tuple[_Template, list[str]]] = []
        count: defaultdict[str, int] = defaultdict(int)
        for key, says in self._texts.items():
            parts = _PLACE.split(key)
            words = [word.lower() for piece in parts[::2] for word in _WORD.findall(piece)]
            for word in set(words):
                count[word] += 1
            made.append((_Template(tuple(parts[::2]), says, sum(map(len, words)), tuple(map(int, parts[1::2]))), words))
        found: defaultdict[str, list[_Template]] = defaultdict(list)
        for template, words in made:
            if words:
                found[min(words, key=lambda word: count[word])].append(template)
        return {word: tuple(sorted(each, key=lambda one: -one.letters)) for word, each in found.items()}

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words of the templates."""
        return frozenset(word for key in self._texts for word in _words_of(key))

    def _read_whole(self, text: str) -> _Reading:
        budget = _Budget(text)
        return _joined("\n", [self._line(line, budget) for line in text.split("\n")])

    def _line(self, text: str, budget: _Budget) -> _Reading:
        """A line in the language; one of many clauses sentence by sentence, unless it is known as a whole."""
        if len(text) > _LONGEST or not _WORD.search(text):
            return _Reading(_letters(text), text)
        pieces = _SENTENCES.split(text)
        if len(pieces) == 1 or len(_CLAUSES.split(text)) <= 2 * _MOST_CLAUSES:
            return self._read(text, budget, 0)
        whole = self._one(text, budget, 0)
        return _joined("", [self._line(piece, budget) for piece in pieces]) if whole.unread else whole

    def _read(self, text: str, budget: _Budget, depth: int) -> _Reading:
        """The best reading of a text: as one sentence, or clause by clause."""
        if depth > _DEEPEST or budget.left <= 0:
            return _Reading(_letters(text), text)
        if text in budget.clauses:
            return budget.clauses[text]
        found = budget.clauses[text] = self._by_clauses(text, budget, depth)
        return found

    def _by_clauses(self, text: str, budget: _Budget, depth: int) -> _Reading:
        unread = _letters(text)
        whole = self._one(text, budget, depth)
        if not unread or not whole.unread:
            return whole
        pieces = _CLAUSES.split(text)
        if not 1 < len(pieces) <= 4 * _MOST_CLAUSES:
            return whole
        # From the end: the best way to read what begins at each clause, as one sentence of so many clauses and a rest.
        best: dict[int, _Reading] = {len(pieces) + 1: _Reading(0, "")}
        for begin in range(len(pieces) - 1, -1, -2):
            ways = []
            for end in range(begin, len(pieces), 2):
                rest = best[end + 2]
                between = pieces[end + 1] if end + 1 < len(pieces) else ""
                one = self._one("".join(pieces[begin : end + 1]), budget, depth + 1)
                ways.append(_Reading(one.unread + rest.unread, f"{one.text}{between}{rest.text}"))
            best[begin] = min(ways, key=lambda way: way.unread)
        return min(whole, best[0], key=lambda way: way.unread)

    def _one(self, text: str, budget: _Budget, depth: int) -> _Reading:
        """The best reading of a text by one template, with or without the signs at its edges."""
        if depth > _DEEPEST or budget.left <= 0:
            return _Reading(_letters(text), text)
        if text in budget.one:
            return budget.one[text]
        found = budget.one[text] = self._by_templates(text, budget, depth)
        return found

    def _by_templates(self, text: str, budget: _Budget, depth: int) -> _Reading:
        best = _Reading(_letters(text), text)
        if not best.unread:
            return best
        edges = _EDGES.fullmatch(text)
        assert edges is not None
        before, core, after = edges.groups()
        cores = [(before, core, after)] if core != text else []
        if after and core:
            cores += [(before, core + after[:at], after[at:]) for at in range(1, len(after) + 1)]
        for opening, inner, closing in [("", text, ""), *cores]:
            for match in self._near(inner, budget):
                if not best.unread:
                    return best
                found = self._by(match, budget, depth)
                if found.unread < best.unread:
                    best = _Reading(found.unread, f"{opening}{found.text}{closing}")
        return best

    def _near(self, text: str, budget: _Budget) -> list[_Match]:
        """The templates that may have made a text; none when the tries are used up."""
        if text in budget.near:
            return budget.near[text]
        if budget.left <= 0:
            return []
        found = [each for word in set(_WORD.findall(text.lower())) for each in self._by_word.get(word, ())]
        budget.left -= 1 + len(found) + len(text) // 20
        fitting = [each for each in found if all(piece[1:] in text for piece in each.pieces)]
        matches = filter(None, (_match(each, text) for each in sorted(fitting, key=lambda each: -each.letters)))
        near = budget.near[text] = list(islice(matches, _NEAREST))
        return near

    def _by(self, match: _Match, budget: _Budget, depth: int) -> _Reading:
        """A text as a template reads it."""
        template = match.template
        tried = [[self._read(value, budget, depth + 1) for value in values] for values in match.ways]
        number, read = min(enumerate(tried), key=lambda each: sum(value.unread for value in each[1]))
        if any(_is_prose(value, each) for value, each in zip(match.ways[number], read, strict=True)):
            return _NOT_READ
        said = {str(number): each.text for number, each in zip(template.order, read, strict=True)}
        says = _PLACE.sub(lambda found: said.get(found[1], found[0]), template.says)
        return _Reading(sum(each.unread for each in read), says[:1].upper() + says[1:] if match.raised else says)
