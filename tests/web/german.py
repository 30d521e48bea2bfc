"""English on a page in German: texts of the catalogue as they are, and words that no German text has."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from tests.web.foreign import SEEN, known_texts

from fullprime.messages import catalogue
from fullprime.messages.catalogue import english_text
from fullprime.web.languages import COOKIE

LANGUAGE = "de"
PLAIN_ENGLISH = {"the", "and", "is", "of", "with", "you", "your", "not", "are", "this", "that", "which", "from"}
"""Words that no German sentence has; the catalogue's English has two thousand more."""
NAMES = {"english", "fast", "roller", "hello"}
"""A language in the settings, bots, and what a test types: names are the same in every language."""
IN_ENGLISH = "[lang=en]"
"""Reasons of reviews and texts of lessons are in English in every language, and marked as such on the page."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_MARKUP = re.compile(r"<[^<>]*>|\{\w+\}")
"""The marks and places of a text of the catalogue."""


def words_of(text: str) -> set[str]:
    """The words of a text, in small letters."""
    return {word.lower() for word in _WORD.findall(_MARKUP.sub(" ", text))}


@cache
def german_texts() -> frozenset[str]:
    """The German texts of the catalogue, each form of those by number."""
    texts = catalogue(LANGUAGE).texts.values()
    return frozenset(form for forms in texts for form in ((forms,) if isinstance(forms, str) else forms))


@cache
def english_texts() -> frozenset[str]:
    """The English texts of the catalogue that no German text repeats."""
    return frozenset(map(english_text, known_texts())) - german_texts()


@cache
def english_words() -> frozenset[str]:
    """The words of the catalogue's English texts that none of its German texts has."""
    english, german = (set().union(*map(words_of, texts)) for texts in (english_texts(), german_texts()))
    return frozenset((english | PLAIN_ENGLISH) - german - NAMES)


def is_english(text: str) -> bool:
    """True for a text of the catalogue that is not translated, and for one with an English word."""
    return " ".join(text.split()) in english_texts() or not words_of(text).isdisjoint(english_words())


def open_in_german(page: Any, url: str) -> None:
    """Have every page of that server in German."""
    page.context.add_cookies([{"name": COOKIE, "value": LANGUAGE, "url": url}])


def check_german(page: Any, place: str) -> None:
    """Fail for an English text on a page, or an English name of a control, that is not marked as English."""
    assert page.evaluate("document.documentElement.lang") == LANGUAGE, place
    texts = page.evaluate(SEEN.replace("[translate=no]", f"[translate=no], {IN_ENGLISH}"))
    english = [" ".join(text.split()) for text in texts if is_english(text)]
    assert not english, f"{place}:\n  " + "\n  ".join(dict.fromkeys(english))
