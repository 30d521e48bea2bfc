"""Trainers of plays that the engine marks: openings, second rolls, bearing in against an ace-point anchor."""

from __future__ import annotations

import random

from fullprime.engine import shared
from fullprime.engine.cube.equity import CubeContext
from fullprime.learn.trainers.model import Trainer
from fullprime.learn.trainers.question import Ask, DrillError, MarkedAnswer, TrainerQuestion, dice_of, moves_of, play_in
from fullprime.reviews.depths import Listed, list_lines
from fullprime.rules.dice import Roll
from fullprime.rules.notation import format_play
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import OFF, SLOTS, Position
from fullprime.rules.variants.standard import BACKGAMMON

LEVEL = "2-ply"
RIGHT = 0.02
"""A play that costs less is right."""
_FEWEST = 4
"""Plays that a roll must leave to choose from."""


def _roll(dice: random.Random, *, doubles: bool = True) -> Roll:
    while True:
        roll = Roll(dice.randint(1, 6), dice.randint(1, 6))
        if doubles or not roll.is_double:
            return roll


def _play_question(seed: int, words: str, board: Position, roll: Roll) -> TrainerQuestion:
    return TrainerQuestion(seed=seed, ask=Ask.PLAY, words=words, position=board, dice=roll)


def _mark(question: TrainerQuestion, answer: str) -> MarkedAnswer:
    play = play_in(answer, question)
    if question.position is None:
        raise DrillError("there is no board")
    ranking = shared.engine_for(BACKGAMMON).rank_plays(
        question.position, question.dice, CubeContext(), level=LEVEL, played=play.after
    )
    ranked = ranking.find(play.after)
    if ranked is None:
        raise DrillError(f"{format_play(play)} is not among the plays")
    lines = list_lines(Listed(row.text, row.equity, row.loss, row.depth) for row in ranking.plays[:5])
    return MarkedAnswer(
        right=ranked.loss < RIGHT, answer=format_play(play), error=round(ranked.loss, 4), best=ranking.best.text,
        lines=lines, moves=moves_of(play), best_moves=moves_of(ranking.best.play),
    )  # fmt: skip


# -- openings --------------------------------------------------------------------------------------------------------
def _ask_opening(seed: int) -> TrainerQuestion:
    roll = _roll(dice_of("openings", seed), doubles=False)
    return _play_question(seed, f"You begin the game with {roll.words}, for money.", BACKGAMMON.starting_position, roll)


def _ask_second(seed: int) -> TrainerQuestion:
    dice = dice_of("second-rolls", seed)
    first, reply = _roll(dice, doubles=False), _roll(dice)
    opened = shared.engine_for(BACKGAMMON).best_play(BACKGAMMON.starting_position, first, CubeContext(), level="1-ply")
    words = f"The opponent began with {first.words} and played {format_play(opened)}. Play {reply.words}, for money."
    return _play_question(seed, words, opened.position, reply)


# -- bearing in ------------------------------------------------------------------------------------------------------
def _ask_ace_point(seed: int) -> TrainerQuestion:
    dice = dice_of("ace-point", seed)
    while True:
        mine, theirs = [0] * SLOTS, [0] * SLOTS
        for point in (4, 5, 6):
            mine[point] = 2
        for _ in range(dice.randint(7, 9)):
            mine[dice.choice((2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 10))] += 1
        mine[OFF] = BACKGAMMON.checkers - sum(mine)
        theirs[24] = 2
        for _ in range(13):
            theirs[dice.choice((1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6))] += 1
        board, roll = Position(tuple(mine), tuple(theirs)), _roll(dice)
        if len(legal_plays(board, roll, BACKGAMMON)) >= _FEWEST:
            return _play_question(
                seed, f"Bring your checkers in past the anchor: play {roll.words}, for money.", board, roll
            )


OPENINGS = Trainer(
    name="openings",
    title="Opening moves",
    about="Play the first roll of a game.",
    unit="points",
    digits=3,
    teaches=(
        "Make a point where you can (3-1, 4-2, 5-3, 6-1, 6-4); else bring builders, split the back checkers, or run.",
    ),
    ask=_ask_opening,
    mark=_mark,
)
SECOND = Trainer(
    name="second-rolls",
    title="Second rolls",
    about="Answer the opponent's first play.",
    unit="points",
    digits=3,
    teaches=(
        (
            "Hit when you can, the more so in your own half. Make the points that the opponent wants. Against"
            " builders do not"
            " leave blots within their reach; against a split do not leave loose blots in front of it."
        ),
    ),
    ask=_ask_second,
    mark=_mark,
)
ACE_POINT = Trainer(
    name="ace-point",
    title="Against an ace-point anchor",
    about="Bring checkers in past two that wait on your ace point.",
    unit="points",
    digits=3,
    teaches=(
        (
            "Clear the points from the rear, the farthest first. Keep an even number of checkers on the two"
            " highest points, and"
            " spares on the lower ones to play awkward sixes and fives. Look at the throws that would leave a"
            " shot next."
        ),
    ),
    ask=_ask_ace_point,
    mark=_mark,
)
