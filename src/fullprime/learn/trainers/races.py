"""Trainers of races: the cube, by the formulas beside the exact value; and bearing off against the exact table."""

from __future__ import annotations

import random

from fullprime.engine import shared
from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.action import CubeDecision, Reply
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.tables.bearoff import Bearoff
from fullprime.learn.trainers.model import Trainer
from fullprime.learn.trainers.question import (
    Ask,
    DrillError,
    MarkedAnswer,
    TrainerQuestion,
    choice_in,
    dice_of,
    moves_of,
    play_in,
)
from fullprime.reviews.race import RaceCount, isight, keith, kleinman, trice
from fullprime.rules.dice import Roll
from fullprime.rules.notation import format_play
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import OFF, SLOTS, Position, Row
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.words import format_signed

RIGHT = 0.005
"""An action that costs less is right."""
EXACT = 0.00005
"""A play with a smaller loss is perfect, because errors are shown with four decimals."""
_LEVEL = "1-ply"
_TRIES = 60
_FIRST = ("no double", "double, take", "double, drop")
_AGAIN = ("no redouble", "redouble, take", "redouble, drop")


# -- the cube --------------------------------------------------------------------------------------------------------
def _side(dice: random.Random, men: int, farthest: int, *, high: bool = False) -> Row:
    row = [0] * SLOTS
    for _ in range(men):
        # Points near the middle of what is left are the likeliest, as after a game.
        point = min(dice.randint(1, farthest), dice.randint(2, farthest + 3), farthest)
        # At the end of bearing in most checkers lie on the high points.
        row[max(point, dice.randint(1, farthest)) if high else point] += 1
    row[OFF] = BACKGAMMON.checkers - men
    return tuple(row)


def _ask_cube(seed: int) -> TrainerQuestion:
    dice = dice_of("race-cube", seed)
    small = dice.random() < 0.3
    while True:
        men = dice.randint(3, 6) if small else dice.randint(9, 15)
        # With all checkers at home the value is exact, by the tables or by solving the position.
        high = not small and dice.random() < 0.6
        board = Position(_side(dice, men, 6, high=high), _side(dice, men, 6, high=high))
        mine, theirs = board.pips
        # Races that are won or lost make no question.
        if board.is_race and -0.06 <= (theirs - mine) / mine <= 0.2:
            break
    mine_cube = dice.choice((None, None, True))
    words = "For money: what is right, for you and for the opponent?"
    return TrainerQuestion(
        seed=seed, ask=Ask.CHOICE, words=words, position=board, choices=_AGAIN if mine_cube else _FIRST,
        cube=2 if mine_cube else 1, mine=mine_cube,
    )  # fmt: skip


def race_decision(question: TrainerQuestion) -> CubeDecision:
    """The decision with the cube: exact, both sides being home."""
    if question.position is None:
        raise DrillError("there is no board")
    context = CubeContext(cube=question.cube, owner=CubeOwner.MOVER if question.mine else None)
    return shared.engine_for(BACKGAMMON).cube_decision(question.position, context, level=_LEVEL)


def _mark_cube(question: TrainerQuestion, answer: str) -> MarkedAnswer:
    choice, decision = choice_in(answer, question.choices), race_decision(question)
    position, take, drop = question.position, decision.double_take, decision.double_drop
    if position is None or take is None or drop is None:
        raise DrillError("nobody may double here")
    if not decision.exact:
        raise DrillError("the exact tables of the bear-off are missing")
    costs = {
        question.choices[0]: decision.cost_of_not_doubling,
        question.choices[1]: (decision.cost_of_doubling or 0.0)
        + (take - drop if decision.reply is Reply.DROP else 0.0),
        question.choices[2]: (decision.cost_of_doubling or 0.0)
        + (drop - take if decision.reply is not Reply.DROP else 0.0),
    }
    best, error = min(costs, key=lambda option: costs[option]), max(0.0, costs[choice])
    pips = position.pips
    lines = [
        (
            f"{pips[0]} pips against {pips[1]}, {format_signed(pips[1] - pips[0], 0)}. Exact: {decision.verdict};"
            f" no double {format_signed(decision.no_double, 4)}, double and take {format_signed(take, 4)},"
            f" double and drop {format_signed(drop, 4)}."
        )
    ]
    lines += [_formula(method(position), bool(question.mine)) for method in (kleinman, keith, trice, isight)]
    return MarkedAnswer(right=error < RIGHT, answer=choice, error=round(error, 4), best=best, lines=tuple(lines))


def _formula(count: RaceCount, owned: bool) -> str:
    """The advice of a formula for this cube; most formulas ask for more before a redouble."""
    chance = "" if count.win is None else f", {100 * count.win:.0f} % to win"
    wait, take, drop = _AGAIN if owned else _FIRST
    turns = count.redouble if owned else count.double
    advice = (take if count.take else drop) if turns else wait
    return f"{count.name}: {count.player:.1f} against {count.opponent:.1f}{chance}: {advice}."


# -- bearing off -----------------------------------------------------------------------------------------------------
def losses_of(position: Position, roll: Roll) -> list[tuple[Play, float]]:
    """Every play with its loss against perfect play, cubeless, the best first; by the exact table."""
    tables = shared.engine_for(BACKGAMMON).searcher.tables.bearoff
    if tables is None:
        raise DrillError("the exact tables of the bear-off are missing")
    values = [(play, _value(play.after, tables)) for play in legal_plays(position, roll, BACKGAMMON)]
    values.sort(key=lambda pair: (-pair[1], format_play(pair[0])))
    return [(play, values[0][1] - value) for play, value in values]


def _value(after: Position, tables: Bearoff) -> float:
    if after.player[OFF] == BACKGAMMON.checkers:
        return 1.0
    covered, values = tables.equities(row_of(after.swapped))
    if not covered[0]:
        raise DrillError(f"{after.text}: the table does not hold this board")
    return -float(values[0, 0])


def _ask_bearoff(seed: int) -> TrainerQuestion:
    dice = dice_of("bear-off", seed)
    for _ in range(_TRIES):
        men, others = dice.randint(2, 6), dice.randint(1, 6)
        board = Position(_side(dice, men, 6), _side(dice, others, 6))
        roll = Roll(dice.randint(1, 6), dice.randint(1, 6))
        losses = losses_of(board, roll)
        if len(losses) > 1 and losses[1][1] > 10 * EXACT:
            break
    return TrainerQuestion(
        seed=seed, ask=Ask.PLAY, words=f"Play {roll.words}: bear off as well as can be.", position=board, dice=roll
    )


def _mark_bearoff(question: TrainerQuestion, answer: str) -> MarkedAnswer:
    play = play_in(answer, question)
    if question.position is None or question.dice is None:
        raise DrillError("there is no roll to play")
    losses = losses_of(question.position, question.dice)
    loss = next(loss for played, loss in losses if played.after == play.after)
    best = losses[0][0]
    lines = tuple(
        f"{format_play(row)}: {format_signed(-cost, 4)}" if cost else f"{format_play(row)}: perfect"
        for row, cost in losses[:5]
    )
    return MarkedAnswer(
        right=loss < EXACT, answer=format_play(play), error=round(loss, 4), best=format_play(best), lines=lines,
        moves=moves_of(play), best_moves=moves_of(best),
    )  # fmt: skip


RACE_CUBE = Trainer(
    name="race-cube",
    title="The cube in a race",
    about="Double or not, take or drop, in a race for money.",
    unit="points",
    digits=3,
    teaches=(
        (
            "Kleinman: the lead and 4 more, squared, over the sum of both counts less 4: double at 0.5, redouble"
            " at 0.7, take"
            " up to 1.2."
        ),
        (
            "Keith: pips, 2 for each checker beyond one on the ace point, 1 beyond one on the deuce, 1 beyond"
            " three on the"
            " three point, 1 for each gap on 4, 5 and 6; a seventh more for the player on roll. Double within 4,"
            " redouble"
            " within 3, take from 2 on."
        ),
        (
            "Trice: the last take is behind by a seventh of the leader's pips less 5, rounded down; above 62 pips"
            " by a tenth, rounded up, and 1. Double three pips before it, redouble two pips before it."
        ),
        (
            "Isight: counts with additions against each other; 80 less a third of your count, and twice the difference:"
            " double at 68, redouble at 70, take up to 76."
        ),
    ),
    ask=_ask_cube,
    mark=_mark_cube,
)
BEAROFF = Trainer(
    name="bear-off",
    title="Bearing off",
    about="Bear off against the exact table.",
    unit="points",
    digits=4,
    teaches=(
        (
            "Take checkers off when you can; else fill the gaps, so that every number of the next roll takes"
            " one. With few"
            " checkers count the throws that end the game."
        ),
    ),
    ask=_ask_bearoff,
    mark=_mark_bearoff,
)
