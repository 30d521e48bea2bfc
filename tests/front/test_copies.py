"""Values go to other processes and come back equal, are copied and, where they hold facts alone, hashed."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

import fullprime as fp
from fullprime import formats

START = fp.Position.start()
MATCH = fp.play_match("random", "random", length=3, seed=2)
FACTS = (
    START,
    fp.Game.new(),
    MATCH,
    MATCH.games[0],
    fp.variants["dutch"],
    fp.Settings(length=3),
    START.plays("31")[0],
)
TEXT = b'; [Event "Final"]\n 3 point match\n\n Game 1\n A : 0    B : 0\n  1) 31: 8/5 6/5\n; good\n'
ANSWERS: dict[str, Callable[[], object]] = {
    "evaluation": lambda: fp.evaluate(START, level="0-ply"),
    "plays": lambda: fp.hint(START, "31", level="0-ply"),
    "cube": lambda: fp.hint(START, level="0-ply", length=5, score=(1, 2)),
    "rollout": lambda: fp.rollout(START, "31", trials=36, truncate=1),
    "review": lambda: fp.review(fp.read(TEXT)[0], "fast"),
    "document": lambda: formats.read(TEXT),
}


@pytest.mark.parametrize("value", FACTS, ids=lambda value: type(value).__name__)
def test_facts_are_copied_and_hashed(value: object) -> None:
    for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert again == value
        assert hash(again) == hash(value)


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_copied(name: str) -> None:
    answer = ANSWERS[name]()
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert copy.deepcopy(answer) == answer


def test_a_match_keeps_what_it_was_given() -> None:
    facts = {"Event": "Final"}
    match = fp.Match(MATCH.settings, info=facts)
    facts["Event"] = "changed"
    assert match.info == {"Event": "Final"}
    with pytest.raises(TypeError):
        match.info["Event"] = "changed"  # type: ignore[index]
