"""The German catalogue: complete, and in one voice."""

from __future__ import annotations

import re

import polib
import pytest

from fullprime.messages import LOCALE
from fullprime.messages.catalogue import find_fault, key_of

FORMAL = re.compile(r"\b(Sie|Ihnen|Ihre?[nmrs]?)\b")
MEANT = {"Spielt wie die besten Menschen: Ihre Fehler sind wenige und kleine."}
"""Translations in which such a word begins a sentence about somebody else."""


@pytest.fixture(scope="module")
def german() -> polib.POFile:
    return polib.pofile(str(LOCALE / "de.po"), encoding="utf-8")


def test_german_is_complete(german: polib.POFile) -> None:
    """Pages, scripts, labels and messages: `test_german_game.py` in `tests/web` looks at what a player meets."""
    entries = [entry for entry in german if not entry.obsolete]
    assert len(entries) > 2600
    assert [key_of(entry) for entry in entries if not entry.translated()] == []


def test_every_translation_has_the_places_and_marks_of_its_text(german: polib.POFile) -> None:
    assert [fault for entry in german.translated_entries() if (fault := find_fault(entry, 2))] == []


def test_players_are_addressed_as_friends(german: polib.POFile) -> None:
    texts = [text for entry in german for text in (entry.msgstr, *entry.msgstr_plural.values())]
    formal = [text for text in texts if FORMAL.search(re.sub(r"(^|[.:;!?] )Sie ", r"\1sie ", text))]
    assert [text for text in formal if text not in MEANT] == []


def test_a_sentence_ends_as_in_english(german: polib.POFile) -> None:
    """A full stop that is missing, or too many, shows a sentence that was put in the wrong place."""
    ends = [
        (entry.msgid, entry.msgstr)
        for entry in german.translated_entries()
        if entry.msgstr and entry.msgid.endswith((".", "?")) != entry.msgstr.endswith((".", "?"))
    ]
    assert ends == []
