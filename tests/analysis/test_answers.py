"""The engine's answers in JSON, held equal to a file: what pages, bots and scripts read.

``python -m tests.analysis.test_answers`` writes the file anew, for a change of a name that docs/web-api.md tells.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from fullprime.analysis import engine_lines, service, tutor
from fullprime.analysis.legal import list_legal_plays
from fullprime.analysis.rollouts import RolloutOptions, roll_out
from fullprime.analysis.setups import AnalysisSetup, game_of
from fullprime.common.jobs import Job
from fullprime.common.json_values import to_json
from fullprime.engine import api
from fullprime.rules.dice import Roll

GOLDEN = Path(__file__).parents[1] / "data" / "answers.json"
MOST = 2
"""Items of a list that are held."""
LEVEL = "0-ply"
TRIALS = RolloutOptions(trials=36, truncate=3, threads=1)

OPENING = game_of(AnalysisSetup(dice=(3, 1)))
MATCH = game_of(AnalysisSetup(rules={"length": "7"}, score=(2, 4), dice=(6, 4)))
CUBE = game_of(AnalysisSetup(rules={"length": "5"}, score=(1, 2)))
MONEY = game_of(AnalysisSetup(rules={"jacoby": "yes", "beavers": "yes"}))
OFFERED = game_of(AnalysisSetup(offered=True))
BEAVER = game_of(AnalysisSetup(rules={"beavers": "yes", "raccoons": "yes"}, offered=True)).beaver()
CRAWFORD = game_of(AnalysisSetup(rules={"length": "3"}, score=(2, 1), crawford=True))
CHECKERS = game_of(AnalysisSetup(variant="acey_deucey", dice=(5, 2)))
NAMING = game_of(AnalysisSetup(variant="acey_deucey", choose=True))


def job() -> Job:
    """A job that does nothing."""
    return Job("visitor", "analyse", lambda _job: None, 60.0, None)


def line(**request: object) -> Any:
    """The answer to a line of a program."""
    return json.loads(engine_lines.answer(json.dumps(request)))


ANSWERS: Mapping[str, Callable[[], object]] = {
    "hint": lambda: api.hint(MATCH, LEVEL),
    "hint, cube": lambda: api.hint(CUBE, LEVEL),
    "hint, answer": lambda: api.hint(OFFERED, LEVEL),
    "hint, answer to a beaver": lambda: api.hint(BEAVER, LEVEL),
    "analysis, answer to a beaver": lambda: service.analyse(BEAVER, LEVEL, job()),
    "hint, double to name": lambda: api.hint(NAMING, LEVEL),
    "hint, checkers": lambda: api.hint(CHECKERS, LEVEL),
    "evaluation": lambda: api.evaluate(MONEY, LEVEL),
    "analysis, plays": lambda: service.analyse(OPENING, LEVEL, job()),
    "analysis, position": lambda: service.analyse(CRAWFORD, LEVEL, job()),
    "analysis, double to name": lambda: service.analyse(NAMING, LEVEL, job()),
    "advice, plays": lambda: tutor.advise(OPENING, LEVEL),
    "advice, cube": lambda: tutor.advise(CUBE, LEVEL),
    "advice, answer": lambda: tutor.advise(OFFERED, LEVEL),
    "advice, double to name": lambda: tutor.advise(NAMING, LEVEL),
    "judgement": lambda: tutor.judge(OPENING, "24/21 24/23", LEVEL),
    "judgement, cube": lambda: tutor.judge(CUBE, "double", LEVEL),
    "legal plays": lambda: list_legal_plays(OPENING, Roll(3, 1)),
    "rollout": lambda: service.roll_out_plays(OPENING, (), TRIALS, job()),
    "rollout, cube": lambda: roll_out(CUBE, TRIALS),
    "rolls": lambda: service.map_rolls(MONEY),
    "scores": lambda: service.map_scores(MONEY, 2),
    "scores, plays": lambda: service.map_scores(OPENING, 1),
    "comparison": lambda: service.compare(OPENING, "8/5 6/5", "24/21 8/7"),
    "levels": api.levels,
    "line, dice": lambda: line(position=OPENING.position.text, dice=[3, 1], level=LEVEL),
    "line, position": lambda: line(position=OPENING.position.text, level=LEVEL),
    "line, error": lambda: line(position=OPENING.position.text, depth=3),
}


def held(value: Any) -> Any:
    """A JSON value with the first items of each list, and with numbers that every processor finds."""
    if isinstance(value, dict):
        return {name: held(part) for name, part in value.items() if name != "text"}
    if isinstance(value, list):
        return [held(part) for part in (value if all(isinstance(part, float) for part in value) else value[:MOST])]
    return round(value, 4) if isinstance(value, float) else value


def differences(value: Any, expected: Any, place: str = "") -> list[str]:
    """The places at which two values are not the same; numbers may differ a little."""
    if isinstance(value, dict) and isinstance(expected, dict):
        names = [f"{place}.{name}: in one alone" for name in value.keys() ^ expected.keys()]
        shared = [name for name in value if name in expected]
        return [
            *names,
            *(fault for name in shared for fault in differences(value[name], expected[name], f"{place}.{name}")),
        ]
    if isinstance(value, list) and isinstance(expected, list) and len(value) == len(expected):
        pairs = enumerate(zip(value, expected, strict=True))
        return [fault for index, (one, other) in pairs for fault in differences(one, other, f"{place}[{index}]")]
    same = value == pytest.approx(expected, abs=2e-3) if isinstance(expected, float) else value == expected
    return [] if same and isinstance(value, bool) == isinstance(expected, bool) else [f"{place}: {value}, {expected}"]


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_has_the_fields_that_programs_read(name: str) -> None:
    expected = json.loads(GOLDEN.read_text("utf-8"))[name]
    assert differences(held(json.loads(json.dumps(to_json(ANSWERS[name]())))), expected) == []


def test_a_difference_is_found() -> None:
    assert differences({"a": [1.0, {"b": 2}]}, {"a": [1.0001, {"b": 2}]}) == []
    assert differences({"a": [1.0, {"b": 2}]}, {"a": [1.1, {"c": 2}]}) == [
        ".a[0]: 1.0, 1.1", *differences({"b": 2}, {"c": 2}, ".a[1]"),
    ]  # fmt: skip
    assert differences([True], [1]) == ["[0]: True, 1"]
    assert differences([1], [1, 2]) == [": [1], [1, 2]"]


if __name__ == "__main__":
    found = {name: held(json.loads(json.dumps(to_json(answer())))) for name, answer in ANSWERS.items()}
    GOLDEN.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
