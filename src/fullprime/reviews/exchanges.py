"""The next exchange: what each reply of the opponent makes of two plays, and how often waiting loses the market."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.cube_search import judge_cubes
from fullprime.reviews.decision import Decision, Kind, board_after
from fullprime.reviews.judge import WEIGHTS, Judge
from fullprime.rules.game import Game

TOLD = 0.01
"""From this loss on the replies to a play and the market of a double are looked at, for the words about it."""

Replies = tuple[float, ...]
"""The player's equity after each of the opponent's 21 rolls, played statically best, in the order of ``ALL_ROLLS``."""


def replies_of(judge: Judge, rows: Boards, contexts: Sequence[CubeContext]) -> list[Replies]:
    """The replies to boards (n, 32) after a play, seen by the opponent; ``contexts`` are those of the player."""
    values = judge.rolls(rows, [context.swapped for context in contexts], filtered=False)
    replies = []
    for context, row in zip(contexts, values, strict=True):
        own = context.flip(row)
        replies.append(tuple(round(judge.equity(context, float(value)), 5) for value in own))
    return replies


def add_exchanges(engine: Engine, decision: Decision, game: Game) -> Decision:
    """A single decision with the replies to its plays, or with the market of its double, where it lost enough."""
    if decision.loss < TOLD:
        return decision
    judge, context = Judge(engine), context_of(game)
    best, played = decision.best.moves, decision.played.moves
    if decision.kind is Kind.PLAY and best and played:
        if game.follow_ups:
            return decision
        boards = [board_after(game.position, moves, game.settings.variant) for moves in (best, played)]
        rows = np.concatenate([row_of(board.swapped) for board in boards])
        replies = replies_of(judge, rows, [context, context])
        return replace(decision, replies=(replies[0], replies[1]))
    if decision.kind is Kind.DOUBLE and decision.cube is not None and context.may_double and not context.is_dead:
        losers = market_losers(judge, row_of(game.position), context)
        return replace(decision, cube=replace(decision.cube, losers=losers))
    return decision


def market_losers(judge: Judge, row: Boards, context: CubeContext) -> float | None:
    """The share of the next exchanges, a roll of each side, after which a double would be dropped or the game is won.

    ``row``: the board (1, 32) of a player on roll who may double. Both sides play statically best. None in a game
    where a roll gives more than two dice.
    """
    lost = losing_exchanges(judge, row, context)
    return None if lost is None else float(WEIGHTS @ lost @ WEIGHTS)


def losing_exchanges(judge: Judge, row: Boards, context: CubeContext) -> npt.NDArray[np.bool_] | None:
    """The exchanges that lose the market: a row for each roll of the player, in it each answer, as ``ALL_ROLLS``.

    None in a game where a roll gives more than two dice.
    """
    searcher = judge.searcher
    budget = Budget(stop=judge.stop)
    mine = searcher.expand(row, judge.worth(context.swapped), budget, filtered=False)
    if mine.again is not None:
        return None
    after = np.ascontiguousarray(mine.boards.reshape(-1, 32))
    theirs = searcher.expand(after, judge.worth(context), budget, filtered=False)
    boards = np.ascontiguousarray(theirs.boards.reshape(-1, 32))
    won = np.repeat(_is_side_off(after, own=False), len(WEIGHTS))
    going = ~won & ~_is_side_off(boards, own=True) & ~_is_side_off(boards, own=False)
    lost = won.copy()
    values = (
        judge_cubes(judge.judging, boards[going], [context] * int(going.sum()), 0, stop=judge.stop)
        if going.any()
        else []
    )
    lost[going] = [value.take > 1.0 for value in values]
    return lost.reshape(len(WEIGHTS), len(WEIGHTS))


def _is_side_off(boards: Boards, *, own: bool) -> npt.NDArray[np.bool_]:
    """True where a side has nothing left on the board, on the bar or in hand."""
    points, hand = (boards[:, 1:26] > 0, boards[:, 28]) if own else (boards[:, :25] < 0, boards[:, 29])
    is_empty: npt.NDArray[np.bool_] = ~(points.any(axis=1) | (hand > 0))
    return is_empty
