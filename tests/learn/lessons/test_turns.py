"""Turns of the cube in lessons: the rules allow every word on that board, and the cube shows what it did."""

from __future__ import annotations

import pytest

from fullprime.learn.lessons import Do, course
from fullprime.learn.lessons.lesson import LessonError
from fullprime.learn.lessons.reading import read_lesson
from fullprime.learn.teaching.computing import game_at
from fullprime.learn.teaching.teaching import answer, read_one, solution
from fullprime.rules.actions import Action, ActionKind, opening
from fullprime.rules.dice import Roll
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
        if step.board is None or step.board.throw is None or not step.board.throw.is_double:
            continue
        game, dice = game_at(step.board), step.board.throw
        assert (game.phase, game.multiplier) == (Phase.OPENING_ROLL, stake)
        after = game.act(opening(dice.high, dice.low))
        stake = after.multiplier
        assert (after.phase, stake, after.cube.value) == (Phase.OPENING_ROLL, 2 * game.multiplier, 1)
        assert solution(name, number).dice == dice
        assert answer(name, number, "roll").verdict.refused
        assert read_one(name).tasks[number - 1].choices == ("throw",)
    assert stake == 4


def test_a_double_of_acey_deucey_is_named_and_shown() -> None:
    (name, number, step), *others = [turn for turn in TURNS if turn[2].board is not None and turn[2].board.choose]
    assert (name, others) == ("acey-deucey", [])
    assert step.board is not None
    assert game_at(step.board).phase is Phase.CHOOSE_DOUBLE
    assert solution(name, number).dice == Roll(5, 5)
    for spelling in ("5-5", "55", "5"):
        assert answer(name, number, spelling).verdict.right
    assert not answer(name, number, "6-6").verdict.right
    assert not answer(name, number, "6-6").verdict.refused
    assert answer(name, number, "7-7").verdict.refused


def test_the_double_of_the_crawford_game_is_tried_and_refused_with_its_reason() -> None:
    (number,) = [number for name, number, step in TURNS if name == "matches" and step.line == "double"]
    solved = solution("matches", number)
    assert solved.verdict.right
    assert solved.cube is None
    assert solved.words[0][0].text == "This is the Crawford game: neither player may double."


def test_each_word_is_allowed_and_the_cube_shows_what_it_did() -> None:
    for name, number, step in TURNS:
        assert step.board is not None
        if step.board.throw is not None or step.board.choose or step.board.crawford or step.board.owner == "opponent":
            continue
        game = game_at(step.board)
        assert game.turn is Player.X
        for word in step.turns:
            if word != "roll":
                game.act(Action(ActionKind(word)))
        before = game.cube.offered or game.cube.value
        solved = solution(name, number)
        assert solved.verdict.right
        assert solved.cube is not None
        assert solved.cube.offered == 2 * before
        others = [word for word in step.turns if word != step.line]
        wrong = answer(name, number, others[0])
        assert (wrong.verdict.right, wrong.verdict.refused, wrong.cube) == (False, False, None)
        assert answer(name, number, "redouble twice").verdict.refused
        assert answer(name, number, str(step.turns.index(step.line) + 1)).verdict.right
        assert read_one(name).tasks[number - 1].choices == step.turns


@pytest.mark.parametrize("line", ["raccoon", "roll", "take"])
def test_a_turn_that_the_rules_do_not_allow_is_a_fault_of_the_lesson(line: str) -> None:
    text = (
        'title = "T"\nabout = "A."\nminutes = 1\n[[step]]\nsay = "S."\nposition = "start"\n'
        f'[[step]]\ndo = "turn"\nsay = "S."\nposition = "start"\nline = "{line}"\n'
    )
    with pytest.raises(LessonError, match="here the cube allows double"):
        read_lesson(text)
