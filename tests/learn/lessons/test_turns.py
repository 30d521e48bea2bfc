"""Turns of the cube in lessons: the rules allow every word on that board, and the cube shows what it did."""

from __future__ import annotations

import pytest

from fullprime.learn.lessons import Do, course
from fullprime.learn.lessons.lesson import LessonError
from fullprime.learn.lessons.reading import read_lesson
from fullprime.learn.teaching.computing import game_at
from fullprime.learn.teaching.teaching import answer, read_one, solution
from fullprime.rules.actions import Action, ActionKind, opening
from fullprime.rules.game import Phase
from fullprime.rules.score import Player

TURNS = [
    (lesson.name, number, step)
    for lesson in course()
    for number, step in enumerate(lesson.steps, 1)
    if step.do is Do.TURN
]


def test_the_tour_of_money_play_tries_a_double_a_beaver_a_raccoon_and_automatic_doubles() -> None:
    assert {step.line for name, _, step in TURNS if name == "money"} == {"double", "beaver", "raccoon", "throw"}


def test_throws_that_tie_double_the_stake_and_show_their_dice() -> None:
    stake = 1
    for name, number, step in TURNS:
        if step.board is None or step.board.throw is None:
            continue
        game, dice = game_at(step.board), step.board.throw
        assert (game.phase, game.multiplier) == (Phase.OPENING_ROLL, stake)
        after = game.act(opening(dice.high, dice.low))
        stake = after.multiplier
        assert (after.phase, stake, after.cube.value) == (Phase.OPENING_ROLL, 2 * game.multiplier, 1)
        assert solution(name, number)["dice"] == [dice.high, dice.low]
        assert answer(name, number, "roll")["refused"]
        assert read_one(name)["tasks"][number - 1]["choices"] == ["throw"]
    assert stake == 4


def test_a_double_of_acey_deucey_is_named_and_shown() -> None:
    (name, number, step), *others = [each for each in TURNS if each[2].board is not None and each[2].board.choose]
    assert (name, others) == ("acey-deucey", [])
    assert step.board is not None
    assert game_at(step.board).phase is Phase.CHOOSE_DOUBLE
    assert solution(name, number)["dice"] == [5, 5]
    for said in ("5-5", "55", "5"):
        assert answer(name, number, said)["right"]
    assert not answer(name, number, "6-6")["right"]
    assert not answer(name, number, "6-6")["refused"]
    assert answer(name, number, "7-7")["refused"]


def test_the_double_of_the_crawford_game_is_tried_and_refused_with_its_reason() -> None:
    (number,) = [number for name, number, step in TURNS if name == "matches" and step.line == "double"]
    found = solution("matches", number)
    assert found["right"]
    assert "cube" not in found
    assert found["words"][0][0]["text"] == "This is the Crawford game: neither player may double."


def test_each_word_is_allowed_and_the_cube_shows_what_it_did() -> None:
    for name, number, step in TURNS:
        assert step.board is not None
        if step.board.throw is not None or step.board.choose or step.board.crawford:
            continue
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
