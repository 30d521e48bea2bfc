"""Numbers of lessons that need no engine, counted again by slow code that moves checkers one by one."""

from __future__ import annotations

import pytest
from tests.reference.slow_shots import count_hits, count_loose, count_rolls, count_shots_left

from fullprime.learn.lessons import Lesson, course
from fullprime.learn.lessons.figures import StepFigures
from fullprime.learn.lessons.lesson import Board, LessonStep
from fullprime.rules.notation import read_play
from fullprime.rules.position import Position
from fullprime.rules.position_facts import count_throws, rolls_that, shot_rolls, shots
from fullprime.rules.variants import BACKGAMMON, VARIANTS

LESSONS = {lesson.name: lesson for lesson in course()}
FIRST = 2
"""Plays of a step whose shots the default run counts; the slow run counts those of all."""


def steps_of(lesson: Lesson) -> list[tuple[int, LessonStep, StepFigures]]:
    return [
        (number, step, figures)
        for number, (step, figures) in enumerate(zip(lesson.steps, course().get_figures(lesson).steps, strict=True), 1)
    ]


def play_after(board: Board, text: str) -> Position:
    assert board.dice is not None
    return read_play(text, board.position, board.dice, board.variant).after


def check_value(board: Board, figures: StepFigures, fact: str, value: float) -> bool:
    """True for a fact that slow code can count; it must be what it counts."""
    name, _, argument = fact.partition(" ")
    if name == "shots":
        play = {"best": 0, "second": 1}.get(argument)
        text = argument if play is None else figures.plays[play].play
        counted: float | None = count_shots_left(play_after(board, text), board.variant)
    elif name in ("pips", "their_pips", "lead", "behind"):
        mine, theirs = (
            sum(place * row[place] for place in range(26)) + 25 * row[26]
            for row in (board.position.player, board.position.opponent)
        )
        counted = {"pips": mine, "their_pips": theirs, "lead": theirs - mine, "behind": mine - theirs}[name]
    else:
        counted = count_rolls(fact, board.position, board.variant)
    assert counted is None or counted == value, f"{fact}: {value}, and slow code counts {counted}"
    return counted is not None


@pytest.mark.broad
@pytest.mark.parametrize("name", LESSONS)
def test_every_number_of_a_lesson_that_needs_no_engine_is_counted_again(name: str) -> None:
    """Once ten rolls "left a shot" where four did: blots were counted that nothing could hit."""
    for number, step, figures in steps_of(LESSONS[name]):
        board = step.board
        if board is None:
            continue
        for fact, value in figures.values.items():
            if not isinstance(value, str):
                try:
                    check_value(board, figures, fact, value)
                except AssertionError as error:
                    error.add_note(f"{name}, step {number}: {board.position.text}")
                    raise
        for play in figures.plays[:FIRST]:
            after = play_after(board, play.play)
            assert play.shots == count_shots_left(after, board.variant), f"{name}, step {number}: {play.play}"


@pytest.mark.slow
@pytest.mark.parametrize("name", LESSONS)
def test_the_shots_of_every_play_of_a_lesson_are_counted_again(name: str) -> None:
    for number, step, figures in steps_of(LESSONS[name]):
        for play in figures.plays:
            assert step.board is not None
            after = play_after(step.board, play.play)
            assert play.shots == count_shots_left(after, step.board.variant), f"{name}, step {number}: {play.play}"


@pytest.mark.broad
def test_a_map_of_rolls_shows_as_many_as_slow_code_counts() -> None:
    checked = 0
    for lesson in LESSONS.values():
        for number, step, figures in steps_of(lesson):
            if step.rolls and step.board is not None:
                shown = sum(1 if roll[0] == roll[1] else 2 for roll in figures.rolls)
                counted = count_rolls(step.rolls, step.board.position, step.board.variant)
                assert shown == counted, f"{lesson.name}, step {number}"
                checked += 1
    assert checked > 10


@pytest.mark.broad
@pytest.mark.parametrize(
    ("board", "hits", "loose"),
    [
        ("8:2 7:2 6:3 5:3 4:3 3:2 / 24:2 6:3 5:3 4:3 3:2 2:2", 0, 4),
        ("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:4 5", 15, None),
        ("24:2 13:5 8:3 6:5 / 22 24 13:5 8:3 6:5", None, None),
    ],
)
def test_shots_are_rolls_that_hit_outside_the_hitters_home(board: str, hits: int | None, loose: int | None) -> None:
    """A checker that would lose three pips is hit by 28 rolls, and none of them is a shot."""
    position = Position.from_text(board)
    count = count_throws(shot_rolls(position, BACKGAMMON))
    assert count == count_hits(position, BACKGAMMON, outside_home=True)
    assert count == shots(position, BACKGAMMON)
    assert hits is None or count == hits
    if loose is not None:
        assert count_throws(rolls_that("loose", position, BACKGAMMON)) == count_loose(position, BACKGAMMON) == loose


@pytest.mark.parametrize("name", ["acey_deucey", "acey_deucey_european"])
def test_shots_of_acey_deucey_are_of_whole_turns(name: str) -> None:
    variant = next(VARIANTS[key] for key in VARIANTS if key.replace("-", "_") == name)
    position = Position.from_text("21 8 6:2 4:2 3 off:8 / 13 5:2 3:2 2:2 off:8")
    assert count_throws(shot_rolls(position, variant)) == count_hits(position, variant, outside_home=True)
    assert count_throws(shot_rolls(position, variant)) > count_throws(shot_rolls(position, BACKGAMMON))
