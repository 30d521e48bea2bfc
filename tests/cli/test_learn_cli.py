"""``fullprime learn``: the list, lessons by words, progress, and lessons of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine

from fullprime.learn.lessons import LessonProgress, course
from fullprime.learn.lessons.grading import solution
from fullprime.learn.teaching.progress import load

FIRST = "first-game"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "learning.json"


def test_the_list_has_every_lesson_and_what_was_done(fullprime: CommandLine, file: Path) -> None:
    file.write_text(json.dumps({"primes": {"step": 5, "done": True, "right": 2, "asked": 3}}))
    output = fullprime.run("learn", "--progress", str(file)).out
    for lesson in course():
        assert lesson.title in output
    assert "2 of 3        Primes" in output
    assert max(map(len, output.splitlines())) <= 80


@pytest.mark.parametrize("name", [lesson.name for lesson in course()])
def test_every_lesson_is_followed_to_its_end_at_80_columns(fullprime: CommandLine, file: Path, name: str) -> None:
    lesson = course().get_lesson(name)
    figures = course().get_figures(lesson).steps
    typed = [solution(step, figures) if step.asks else "" for step, figures in zip(lesson.steps, figures, strict=True)]
    done = fullprime.run("learn", name, "--progress", str(file), typed="\n".join(typed) + "\n")
    assert done.code == 0
    assert f"That was {lesson.title}." in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    mark = LessonProgress(len(lesson.steps), True, lesson.quizzes, lesson.quizzes)
    assert load(file) == {name: mark}


def test_a_lesson_takes_words_and_explains_refusals(fullprime: CommandLine, file: Path) -> None:
    typed = ["", "24/18 13/12", "hint", "help blot", "nonsense", "8/5 6/5", "6/7", "back", "quit"]
    output = fullprime.run("learn", "1", "--progress", str(file), typed="\n".join(typed)).out
    assert "6 is not on the dice" in output
    assert "First 8/5, then 6/5." in output
    assert "blot: " in output
    assert "goes backwards" in output
    assert load(file)[FIRST].step == 3
    assert not load(file)[FIRST].done


def test_what_is_shown_does_not_count_and_comes_back(fullprime: CommandLine, file: Path) -> None:
    first = ["", "show", "24/23 24/18", "13/7 8/7", *["show"] * 3]
    typed = [*first, "8/5 6/5", "show", "8/4 6/4", "8/5* 6/5", "1", "13/7 8/7"]
    output = fullprime.run("learn", "two-key-points", "--progress", str(file), typed="\n".join(typed) + "\n").out
    assert "The answer: 8/5 6/5." in output
    assert [output.count(f"Once more, {left} step") for left in (5, 4, 3, 2, 1)] == [1, 2, 1, 1, 1]
    assert "0 of 5 right at the first try" in output
    assert "It is done with half of them right" in output
    assert not load(file)["two-key-points"].passed
    assert "again: 0 of 5" in fullprime.run("learn", "--progress", str(file)).out


def test_what_cannot_be_is_refused_in_one_line(fullprime: CommandLine, tmp_path: Path) -> None:
    for arguments, words in (
        (("nothing",), "there is no lesson 'nothing'"),
        (("99",), "there is no lesson '99'"),
        (("--lessons", str(tmp_path)), "there are no lessons"),
    ):
        done = fullprime.run("learn", *arguments)
        assert done.code == 2
        assert done.err.startswith("error: ")
        assert words in done.err
    (tmp_path / "01-mine.toml").write_text(
        'title = "Mine"\nabout = "It is."\n[[step]]\nsay = "{pips}"\nposition = "start"\n'
    )
    assert "has no figures yet" in fullprime.run("learn", "mine", "--lessons", str(tmp_path)).err


def test_lessons_of_ones_own_are_computed_checked_and_taken(fullprime: CommandLine, tmp_path: Path, file: Path) -> None:
    lesson = tmp_path / "01-mine.toml"
    lesson.write_text('title = "Mine"\nabout = "It is."\n[[step]]\nsay = "{pips} pips"\nposition = "start"\n')
    own = ("--lessons", str(tmp_path))
    assert fullprime.run("learn", "--check", *own).code == 1
    assert "1 file written" in fullprime.run("learn", "--compute", *own).out
    assert fullprime.run("learn", "--check", *own).code == 0
    assert "167 pips" in fullprime.run("learn", "mine", *own, "--progress", str(file), typed="\n").out
    lesson.write_text(lesson.read_text() + 'holds = ["pips > 200"]\n')
    refused = fullprime.run("learn", "mine", "--compute", *own)
    assert "step 1: it does not hold that pips > 200 (pips is 167)" in refused.err
