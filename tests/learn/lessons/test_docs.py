"""The page on writing lessons shows a lesson that works, and names every key and every figure there is."""

from __future__ import annotations

import re
from pathlib import Path

from fullprime.learn.lessons import read_lesson
from fullprime.learn.lessons.reading import _BOARD, _LESSON, _STEP
from fullprime.learn.lessons.texts import FACTS
from fullprime.learn.teaching.computing import compute
from fullprime.learn.teaching.teaching import judge_answer

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "how-to" / "write-a-lesson.md").read_text(encoding="utf-8")


def test_the_lesson_on_the_page_can_be_taken() -> None:
    block = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    lesson = read_lesson(block[1], "03-safe-play.toml")
    figures = compute(lesson, level="1-ply")
    assert judge_answer(lesson.steps[1], figures.steps[1], figures.steps[1].plays[0].play).verdict.right


def test_every_key_and_every_figure_is_described() -> None:
    words = set(re.findall(r"\w+", PAGE))
    assert (_LESSON | _BOARD | _STEP) - {"step", "choose_double"} <= words
    assert FACTS - {"trials", "both_enter", "plays", "safe", "two_hits", "rolled_win", "rolled_gammons"} - words <= {
        "rolled_more_gammons"
    }
