"""Refusals in play: the words of each stand in one place."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from scripts.message_texts import texts_of_module

PLAY = Path(__file__).resolve().parents[2] / "src" / "fullprime" / "play"


def test_a_sentence_of_play_is_changed_in_one_place() -> None:
    counts = Counter(
        text.key for module in PLAY.rglob("*.py") for text in texts_of_module(module.read_text("utf-8"), module.name)
    )
    assert [text for text, count in counts.items() if count > 1] == []
