"""Every step of the course is a situation that can be: somebody has moved before a cube is turned, and so on."""

from __future__ import annotations

import pytest

from fullprime.learn.lessons import Do, course
from fullprime.learn.lessons.lesson import Board, LessonStep
from fullprime.learn.teaching.computing import game_at
from fullprime.rules.actions import ActionKind
from fullprime.rules.game import Game
from fullprime.rules.position import BAR
from fullprime.rules.variants.variant import OpeningDice

STEPS = [
    pytest.param(step, id=f"{lesson.name} {number}")
    for lesson in course()
    for number, step in enumerate(lesson.steps, 1)
    if step.board is not None
]


def faults_of(step: LessonStep, board: Board) -> list[str]:
    """What cannot be in the situation of a step, in words."""
    game = game_at(board)
    return [*_of_turn(step, board, game), *_of_board(board), *_of_score(board, game)]


def _of_turn(step: LessonStep, board: Board, game: Game) -> list[str]:
    start, faults = board.variant.starting_position, []
    nobody_moved = board.position == start
    turns_cube = step.do is Do.CUBE or step.line == "double" or board.offered or board.beavered
    if nobody_moved and turns_cube:
        faults.append("a cube is turned although nobody has moved")
    if step.do is Do.CUBE and not board.offered and ActionKind.DOUBLE not in game.actions():
        faults.append("the rules refuse the double")
    if nobody_moved and board.dice is not None and board.dice.is_double and not _may_open_with_a_double(board):
        faults.append("a game begins with a double")
    if step.do in (Do.PLAY, Do.TRY) and not any(play.moves for play in game.legal_plays):
        faults.append("no checker can move")
    return faults


def _may_open_with_a_double(board: Board) -> bool:
    return board.variant.opening_dice is OpeningDice.REROLL


def _of_board(board: Board) -> list[str]:
    position, faults = board.position, []
    if position.is_over:
        faults.append("the game is over")
    for own, other, whose in (
        (position.player, position.opponent, "the learner"),
        (position.opponent, position.player, "the opponent"),
    ):
        closed = all(other[point] >= 2 for point in range(1, 7))
        if own[BAR] and closed and other[BAR]:
            faults.append(f"{whose} is on the bar against a closed board, and the other side on the bar, too")
    return faults


def _of_score(board: Board, game: Game) -> list[str]:
    faults, length = [], game.settings.length
    if board.cube > 1 and board.owner is None and board.stake == 1:
        faults.append("a turned cube belongs to nobody")
    if length:
        if max(board.score) >= length:
            faults.append("the match is over")
        one_away = min(length - points for points in board.score) == 1 and board.score[0] != board.score[1]
        if one_away and board.crawford is False and min(board.score) == 0:
            faults.append("the Crawford game has been played, and nobody has won it")
        if one_away and board.crawford is not False and board.cube > 1:
            faults.append("the cube has been turned in the Crawford game")
    return faults


@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_a_situation_that_can_be(step: LessonStep) -> None:
    """Once a lesson doubled before the first roll of a game, when nobody is on turn yet."""
    assert step.board is not None
    assert faults_of(step, step.board) == []
