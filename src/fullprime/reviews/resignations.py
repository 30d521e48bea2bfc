"""Resignations and the answers to them: the losses against playing on. No rating counts them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.search.cube_search import judge_cubes
from fullprime.reviews.decision import Decision, Kind, Option, stage_of
from fullprime.reviews.judge import Judge
from fullprime.reviews.levels import CUBE_UNCERTAINTY, ReviewLevel
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.game import ActionKind, Game
from fullprime.rules.score import LEVEL_NAMES

SAME = 0.0015
"""A smaller gain by playing on counts as none: a net never calls a game quite lost."""


@dataclass(frozen=True, slots=True)
class ResignQuestion:
    """A resignation of ``level`` games, offered in ``offered_in``, or the answer to it."""

    game: int
    event: int
    action: ActionKind
    offered_in: Game
    level: int
    rolls: int


def judge_resignations(judge: Judge, level: ReviewLevel, questions: Sequence[ResignQuestion]) -> list[Decision]:
    """The decisions. Raises EquityError for a cube and score that cannot be."""
    return [_judge(judge, level, question) for question in questions]


def _judge(judge: Judge, level: ReviewLevel, question: ResignQuestion) -> Decision:
    game = question.offered_in
    context = context_of(game)
    rows = row_of(game.position)
    on, depth = _judge_playing_on(judge, level, game, context)
    worth = judge.worth(context)
    lost = float(worth[5] + (worth[3] if question.level > 1 else 0.0) + (worth[4] if question.level > 2 else 0.0))
    if context.counts_bar:
        lost = context.equity_lost(question.level)
    if abs(on - lost) < SAME:
        on = lost
    name = LEVEL_NAMES[question.level]
    if question.action is ActionKind.RESIGN:
        # The other side takes the resignation or plays on, whichever is worse for the player who offers it.
        pairs = [("play on", on), (f"resign a {name}", min(lost, on))]
        chosen, mistake, sign = pairs[1][0], "wrong resignation", 1.0
    else:
        pairs = [("accept", -lost), ("refuse", -on)]
        accepted = question.action is ActionKind.ACCEPT
        chosen, sign = ("accept" if accepted else "refuse"), -1.0
        mistake = f"wrong {'acceptance' if accepted else 'refusal'} of a resignation"
    best = max(equity for _, equity in pairs)
    options = []
    for text, equity in sorted(pairs, key=lambda pair: (-pair[1], pair[0] != chosen)):
        own = float(context.value(sign * equity))
        value = own if sign > 0 else context.flip(own)
        options.append(Option(text, equity, best - equity, value, depth))
    index = next(number for number, option in enumerate(options) if option.text == chosen)
    position = game.position if sign > 0 else game.position.swapped
    return Decision(
        game=question.game,
        event=question.event,
        player=game.on_roll if sign > 0 else game.on_roll.other,
        kind=Kind.RESIGNATION,
        stage=stage_of(position, question.rolls),
        options=tuple(options),
        chosen=index,
        uncertainty=0.0 if judge.exact(rows, context, depth) else CUBE_UNCERTAINTY[min(depth, 2)],
        counts=False,
        counts_gnu=False,
        mistake=mistake if options[index].loss > 0 else "",
        legal=len(options),
    )


def _judge_playing_on(judge: Judge, level: ReviewLevel, game: Game, context: CubeContext) -> tuple[float, int]:
    """The equity of the player on roll who plays on, and the plies it was judged with."""
    rows = row_of(game.position)
    if game.dice is not None:
        number = ALL_ROLLS.index(game.dice)
        return judge.equity(context, float(judge.rolls(rows, [context])[0][number])), 0
    (values,) = judge_cubes(judge.judging, rows, [context], level.ply, joint=level.joint, stop=judge.stop)
    if math.isnan(values.take):
        return values.no_double, level.ply
    answered = values.take if math.isnan(values.beaver) else min(values.take, values.beavered)
    return max(values.no_double, min(answered, 1.0)), level.ply
