"""What scripts and pages repeat of the server is the same there."""

from __future__ import annotations

import json
import re

import pytest

from fullprime.accounts.challenge_limits import MOST_MINUTES_OF_GUEST, USUAL_MINUTES
from fullprime.play.clocks import PRESETS
from fullprime.play.server.chat import LONGEST, LONGEST_REASON
from fullprime.rules.score import MONEY_RULES
from fullprime.web.pages import STATIC


@pytest.mark.parametrize(
    ("page", "pattern", "value"),
    [
        ("game/game.html", r'<input id="words" maxlength="(\d+)"', LONGEST),
        ("game/report.js", r'id: "reason", maxlength: (\d+)', LONGEST_REASON),
        ("home/lobby.js", r"^const GUEST_MINUTES = (\d+);$", MOST_MINUTES_OF_GUEST),
        ("home/lobby.html", r'<option value="(\d+)" selected>half an hour', USUAL_MINUTES),
        ("parts/words.js", r"^export const MONEY_RULES = (\[.*\]);$", list(MONEY_RULES)),
    ],
)
def test_a_page_and_the_server_say_the_same(page: str, pattern: str, value: object) -> None:
    found = re.search(pattern, (STATIC / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    assert json.loads(found[1]) == value


def test_the_clocks_beside_a_real_board_are_those_of_the_server() -> None:
    script = (STATIC / "real" / "begin.js").read_text(encoding="utf-8")
    clocks = re.findall(r'^  (\w+): \[(\d+), (\d+), t\("([^"]+)"\)\],$', script, re.MULTILINE)
    assert len(clocks) == 4
    for name, delay, per_point, about in clocks:
        preset = PRESETS[name]
        assert (float(delay), float(per_point), about) == (preset.delay, preset.per_point, preset.about), name


@pytest.mark.parametrize(
    ("script", "page"),
    [
        ("game/keyboard.js", "game/game.html"),
        ("analysis/keyboard.js", "analysis/analysis.html"),
        ("learn/keyboard.js", "learn/lesson.html"),
        ("board/stepping.js", "review/board.html"),
        ("review/mistakes.js", "review/mistakes.html"),
    ],
)
def test_a_page_lists_the_keys_that_it_takes(script: str, page: str) -> None:
    text, listed = ((STATIC / name).read_text(encoding="utf-8") for name in (script, page))
    keys = re.findall(r'\b([a-z]): (?:"|\[")', text) + re.findall(r'\bkey(?:\.toLowerCase\(\))? === "([a-z/])"', text)
    assert len(keys) > 5
    assert [key for key in keys if f"<kbd>{key.upper()}</kbd>" not in listed] == []
