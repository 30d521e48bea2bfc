"""The lessons about the rules: each rule is tried once, and what they count is counted again by slow code."""

from __future__ import annotations

import re

import pytest
from tests.reference.brute_force import results
from tests.reference.slow_shots import THROWS

from fullprime.learn.lessons import course
from fullprime.learn.lessons.lesson import Board
from fullprime.learn.teaching.computing import game_at
from fullprime.learn.teaching.teaching import answer, solution
from fullprime.reviews.decision import XG
from fullprime.rules.actions import opening
from fullprime.rules.game import Phase
from fullprime.rules.notation import read_play
from fullprime.rules.score import Player
from fullprime.rules.variants import BACKGAMMON

OTHER, COSTS = (course().get_lesson(name) for name in ("other-rules", "what-a-play-costs"))
REFUSED = {
    ("first-game", 3): "goes backwards",
    ("first-game", 4): "blocked by 5 checkers",
    ("first-game", 7): "must enter from the bar first",
    ("first-game", 9): "needs all your checkers in your home board",
    ("other-rules", 4): "both numbers must be played",
    ("other-rules", 5): "it must be the larger",
    ("other-rules", 7): "only when no checker stands higher",
    ("other-rules", 10): "must enter from the bar first",
    ("other-rules", 13): "The cube belongs to your opponent",
}
"""Rules that a learner tries to break, with what is said then."""


def board_of(number: int) -> Board:
    board = OTHER.steps[number - 1].board
    assert board is not None
    return board


def text_of(number: int) -> str:
    step = OTHER.steps[number - 1]
    return " ".join(f"{step.say} {step.right} {step.wrong}".split())


@pytest.mark.parametrize(("place", "words"), REFUSED.items(), ids=lambda value: str(value))
def test_a_rule_that_is_broken_says_itself(place: tuple[str, int], words: str) -> None:
    solved = solution(*place)
    assert solved.verdict.right
    assert words in solved.words[0][0].text


@pytest.mark.parametrize(("number", "part"), [(4, "13/7"), (5, "13/8"), (7, "4/off"), (10, "4/off")])
def test_the_move_alone_that_is_to_be_tried_is_answered_like_the_whole_play(number: int, part: str) -> None:
    """On the board a learner makes the first move, and it is refused there."""
    reply = answer("other-rules", number, part)
    assert reply.verdict.right
    assert REFUSED["other-rules", number] in reply.words[0][0].text


@pytest.mark.parametrize(
    ("number", "plays"),
    [(4, ["24/18 13/8", "24/13"]), (5, ["13/7"]), (7, ["6/off 6/1"]), (8, ["4/off(2)"])],
)
def test_no_other_play_is_legal_where_a_step_says_so(number: int, plays: list[str]) -> None:
    board = board_of(number)
    assert board.dice is not None
    named = {read_play(play, board.position, board.dice, board.variant).after for play in plays}
    assert results(board.position, (board.dice.high, board.dice.low), board.variant) == named


def test_the_set_up_is_the_one_that_is_told_and_put_right() -> None:
    stacks = re.findall(r"(two|three|five) (?:stand )?on (\d+)", text_of(1))
    start = BACKGAMMON.starting_position
    words = {"two": 2, "three": 3, "five": 5}
    assert {int(point): words[count] for count, point in stacks} == {
        point: count for point, count in enumerate(start.player) if count
    }
    board = board_of(1)
    assert board.dice is not None
    (accepted,) = OTHER.steps[0].accept
    assert read_play(accepted, board.position, board.dice, board.variant).after == start


def test_the_opening_throw_begins_the_game_with_both_numbers() -> None:
    board = board_of(2)
    assert board.throw is not None
    game = game_at(board).act(opening(board.throw.high, board.throw.low))
    assert (game.phase, game.turn, game.dice) == (Phase.PLAY, Player.X, board.throw)
    assert board_of(3).dice == board.throw


def test_the_colour_of_a_point_follows_from_the_sum_of_a_roll() -> None:
    step = OTHER.steps[5]
    even = [sum(map(int, choice.split("-"))) % 2 == 0 for choice in step.choices]
    assert even == [at == step.answer for at in range(1, len(even) + 1)]


def test_a_double_that_may_be_hit_off_is_taken_for_the_reason_that_is_told() -> None:
    board = board_of(11)
    ends = sum(any(after.is_over for after in results(board.position.swapped, dice, BACKGAMMON)) for dice in THROWS)
    assert f"{ends} of his 36 rolls end the game" in text_of(11)
    assert f"lose two points {ends} times and win two {36 - ends} times: four points lost" in text_of(11)
    assert 2 * ends - 2 * (36 - ends) == 4
    assert f"You win {36 - ends} of 36" in text_of(11)
    assert all(any(after.is_over for after in results(board.position, dice, BACKGAMMON)) for dice in THROWS)


def test_the_unit_is_told_before_the_first_lesson_that_uses_it() -> None:
    names = [lesson.name for lesson in course()]
    assert names[:4] == ["first-game", "other-rules", "what-a-play-costs", "two-key-points"]
    used = [
        text for lesson in list(course())[:2] for step in lesson.steps for text in (step.say, step.right, step.wrong)
    ]
    assert not re.search(r"\{(rolled_)?(loss|equity)", " ".join(used))


def test_the_marks_for_errors_are_those_of_the_reviews() -> None:
    text = " ".join(COSTS.steps[5].say.split())
    assert f"A loss of {XG.doubtful} is hardly seen" in text
    assert f"{XG.blunder} or more is a [[blunder]]" in text
    best, chosen = 0.10, -0.15
    assert COSTS.steps[4].choices[0].startswith(f"{best - chosen:.2f}, ")
    assert COSTS.steps[6].within == XG.blunder
