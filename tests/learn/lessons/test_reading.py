"""Lessons are read from TOML; whatever is wrong with one is said in one line with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullprime.learn.lessons import Do, LessonError, read_course, read_lesson
from fullprime.learn.lessons.course import UnknownLesson
from fullprime.learn.lessons.texts import (
    FACTS,
    MissingFigure,
    claim_holds,
    fill_in_figures,
    format_figure,
    paragraphs,
    split_claim,
)

GOOD = """
title = "A lesson"
about = "It teaches something."
minutes = 2

[[step]]
say = "Read this. A [[prime]] is a wall."
position = "start"

[[step]]
do = "play"
quiz = true
say = "Play it: {loss 13/9} is what 13/9 costs."
position = "start"
dice = "31"
"""


def test_a_lesson_has_its_steps_with_their_boards() -> None:
    lesson = read_lesson(GOOD, "some/place/07-a-lesson.toml")
    assert (lesson.name, lesson.title, lesson.quizzes) == ("a-lesson", "A lesson", 1)
    assert [step.do for step in lesson.steps] == [Do.READ, Do.PLAY]
    board = lesson.steps[1].board
    assert board is not None
    assert str(board.dice) == "31"
    assert lesson.steps[1].graded


FAULTS = {
    "title": (GOOD.replace('title = "A lesson"\n', ""), "title is missing"),
    "unknown word": (GOOD.replace("minutes", "minuts"), "'minuts' is not known here"),
    "unknown step word": (GOOD.replace("quiz", "quizz"), "step 2: 'quizz' is not known here"),
    "unknown task": (GOOD.replace('"play"', '"plai"'), "step 2: do is one of read, try, play"),
    "unknown term": (GOOD.replace("[[prime]]", "[[pryme]]"), "step 1: [[pryme]]: 'pryme' is not in the glossary"),
    "unknown figure": (GOOD.replace("{loss 13/9}", "{costs 13/9}"), "step 2: {costs 13/9}: there is no such figure"),
    "illegal play in a figure": (GOOD.replace("{loss 13/9}", "{loss 13/8}"), "step 2: '13/8': "),
    "illegal accepted play": (GOOD + 'accept = ["24/19"]', "step 2: '24/19': "),
    "no dice": (GOOD.replace('dice = "31"', ""), "step 2: a step that does play needs a board with dice"),
    "impossible dice": (GOOD.replace('"31"', '"71"'), "step 2: '71' is not a roll"),
    "impossible board": (GOOD.replace('"start"', '"24:16 / 6:15"'), "step 1: player on roll has more than 15"),
    "a game that is over": (GOOD.replace('"start"', '"off:15 / 6:15"'), "step 1: one side has borne off"),
    "a legal play to be refused": (GOOD.replace('do = "play"', 'do = "try"\nline = "13/9"'), "step 2: 13/9 is legal"),
    "no answer": (
        GOOD.replace('do = "play"', 'do = "choose"\nchoices = ["a", "b"]'),
        "step 2: a question has two to six",
    ),
    "a choice that is the number of another": (
        GOOD.replace('do = "play"', 'do = "choose"\nchoices = ["2", "4"]\nanswer = 1'),
        "step 2: choice 1 is '2', which is the number of another choice",
    ),
    "type": (GOOD.replace("minutes = 2", 'minutes = "two"'), "minutes is a whole number, not 'two'"),
    "no step": ('title = "A"\nabout = "B"', "a lesson needs at least one [[step]]"),
    "syntax": ("title = ", "Invalid value"),
    "accept": (GOOD + "accept = 5", 'step 2: accept is "any", "hit", or a list of plays'),
    "marks": (GOOD + "marks = [99]", "step 2: marks are points"),
    "a map without its point": (GOOD + 'rolls = "covers"', "step 2: 'covers': write covers and a point"),
    "a score of three": (GOOD + "score = [1, 2, 3]", "step 2: score is the points"),
    "a cube without an owner": (GOOD + "cube = 2", "step 2: a cube is 1, 2, 4, 8"),
    "a rule nobody knows": (GOOD + 'game = "chess"', "step 2: there is no variant 'chess'"),
    "claim": (GOOD + 'holds = ["loss 13/9 is small"]', "step 2: 'loss 13/9 is small' is no claim"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_told_in_one_line_with_file_and_step(case: str) -> None:
    text, message = FAULTS[case]
    with pytest.raises(LessonError) as refused:
        read_lesson(text, "lesson.toml")
    assert str(refused.value).startswith("lesson.toml: ")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_folder_of_lessons_is_a_course(tmp_path: Path) -> None:
    (tmp_path / "basics").mkdir()
    (tmp_path / "basics" / "01-a-lesson.toml").write_text(GOOD)
    (tmp_path / "basics" / "02-another.toml").write_text(GOOD.replace("A lesson", "Another"))
    course = read_course(tmp_path)
    assert [lesson.name for lesson in course] == ["a-lesson", "another"]
    assert course.get_lesson("2").title == "Another"
    assert course.get_lesson("A lesson").name == "a-lesson"
    with pytest.raises(UnknownLesson, match="there is no lesson 'third'"):
        course.get_lesson("third")
    (tmp_path / "basics" / "03-a-lesson.toml").write_text(GOOD)
    with pytest.raises(LessonError, match="there is a lesson named a-lesson already"):
        read_course(tmp_path)


def test_an_empty_folder_is_no_course(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match="there are no lessons"):
        read_course(tmp_path)


def test_texts_are_filled_with_figures_in_the_words_of_their_kind() -> None:
    values = {"loss 13/9": 0.0812, "win best": 0.5231, "hits": 17.0, "best": "8/5 6/5"}
    assert fill_in_figures("{loss 13/9} {win  best} {hits} {best}", values) == "0.08 52.3 % 17 8/5 6/5"
    with pytest.raises(MissingFigure, match=r"there is no figure for \{pips\}"):
        fill_in_figures("{pips}", values)
    assert all(isinstance(format_figure(fact, 0.5), str) for fact in FACTS)


def test_paragraphs_have_their_terms_marked() -> None:
    (first, second) = paragraphs("A [[prime|wall]] here.\n\nMore.", {})
    assert [(piece.text, piece.term) for piece in first] == [("A ", None), ("wall", "prime"), (" here.", None)]
    assert [piece.text for piece in second] == ["More."]


def test_claims_compare_figures_with_numbers_and_with_each_other() -> None:
    values = {"loss 13/9": 0.1, "loss 24/20": 0.2}
    assert claim_holds("loss 13/9 < loss 24/20", values)
    assert not claim_holds("loss 13/9 >= 0.15", values)
    assert split_claim("roll 31 > 0.2")[0] == "roll 31"
