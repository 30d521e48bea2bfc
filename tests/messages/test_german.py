"""The German catalogue: complete for all that a player meets around a game and learning it, and in one voice."""

from __future__ import annotations

import re

import polib
import pytest

from fullprime.messages import LOCALE
from fullprime.messages.catalogue import find_fault, key_of

OF_PLAYERS = (
    "board/board", "board/figures", "board/names", "board/plays", "card/", "game/", "home/", "house/", "labels/answers",
    "labels/clocks", "labels/cube", "labels/games", "labels/levels", "labels/opponents", "labels/rights",
    "labels/puzzles", "labels/rules", "labels/trainers", "learn/", "parts/", "people/", "rules/", "train/drills",
    "train/puzzles", "verify/",
)  # fmt: skip
"""The beginnings of the files whose texts a player meets: pages, scripts and labels. Messages of Python all are."""
FORMAL = re.compile(r"\b(Sie|Ihnen|Ihre?[nmrs]?)\b")
MEANT = {"Spielt wie die besten Menschen: Ihre Fehler sind wenige und kleine."}
"""Translations in which such a word begins a sentence about somebody else."""


@pytest.fixture(scope="module")
def german() -> polib.POFile:
    return polib.pofile(str(LOCALE / "de.po"), encoding="utf-8")


def is_of_players(entry: polib.POEntry) -> bool:
    return any(file.startswith(OF_PLAYERS) or file.endswith(".py") for file, _ in entry.occurrences)


def test_german_is_complete_for_all_that_a_player_meets(german: polib.POFile) -> None:
    wanted = [entry for entry in german if is_of_players(entry)]
    assert len(wanted) > 1300
    assert [key_of(entry) for entry in wanted if not entry.translated()] == []


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
