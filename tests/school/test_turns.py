"""Turns of the cube in lessons: the rules allow every word on that board, and the cube shows what it did."""

from __future__ import annotations

import pytest

from fullprime.app.school.computing import game_at
from fullprime.app.school.teaching import answer, read_one, solution
from fullprime.rules.actions import Action, ActionKind
from fullprime.rules.score import Player
from fullprime.school import Do, course
from fullprime.school.lesson import LessonError
from fullprime.school.reading import read_lesson

TURNS = [
    (lesson.name, number, step)
    for lesson in course()
    for number, step in enumerate(lesson.steps, 1)
    if step.do is Do.TURN
]


def test_the_tour_of_money_play_tries_a_double_a_beaver_and_a_raccoon() -> None:
    assert {step.line for name, _, step in TURNS if name == "money"} == {"double", "beaver", "raccoon"}


def test_each_word_is_allowed_and_the_cube_shows_what_it_did() -> None:
    for name, number, step in TURNS:
        assert step.board is not None
        game = game_at(step.board)
        assert game.turn is Player.X
        for word in step.turns:
            if word != "roll":
                game.act(Action(ActionKind(word)))
        before = game.cube.offered or game.cube.value
        found = solution(name, number)
        assert found["right"]
        assert found["cube"]["offered"] == 2 * before
        others = [word for word in step.turns if word != step.line]
        wrong = answer(name, number, others[0])
        assert (wrong["right"], wrong["refused"], "cube" in wrong) == (False, False, False)
        assert answer(name, number, "redouble twice")["refused"]
        assert answer(name, number, str(step.turns.index(step.line) + 1))["right"]
        assert read_one(name)["tasks"][number - 1]["choices"] == list(step.turns)


@pytest.mark.parametrize("line", ["raccoon", "roll", "take"])
def test_a_turn_that_the_rules_do_not_allow_is_a_fault_of_the_lesson(line: str) -> None:
    text = (
        'title = "T"\nabout = "A."\nminutes = 1\n[[step]]\nsay = "S."\nposition = "start"\n'
        f'[[step]]\ndo = "turn"\nsay = "S."\nposition = "start"\nline = "{line}"\n'
    )
    with pytest.raises(LessonError, match="here the cube allows double"):
        read_lesson(text)
