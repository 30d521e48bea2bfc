"""Rollouts that lessons quote: of plays, of first rolls, of a double to be answered, each figure with its interval.

The book's trials are taken where it has all the plays that are asked for, so that a lesson and the explorer say the
same. Intervals are those of 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from fullprime.engine.rollouts.result import DOUBLE_TAKE, NO_DOUBLE, student_quantile
from fullprime.engine.rollouts.task import TrialPolicy
from fullprime.learn.opening_book.files import read
from fullprime.learn.opening_book.node import BookNode, NodeKey

if TYPE_CHECKING:
    from fullprime.engine.engine import Engine
    from fullprime.engine.rollouts.result import Rollout
    from fullprime.learn.lessons.lesson import Board
    from fullprime.learn.opening_book.files import Book
    from fullprime.rules.game import Game
    from fullprime.rules.plays import Play
    from fullprime.rules.variants.variant import Variant

TRIALS = 1296
"""Trials of the rollouts that lessons quote, of each play."""
POLICY = TrialPolicy(truncate=11, joint=True)
ROLLOUT_TEXT = f"{TRIALS} trials, {POLICY.ply}-ply plays, cut after {POLICY.truncate} plies; or the book's"
"""The settings of these rollouts in words; figures with other settings are made again."""
COLUMNS = {"win": 0, "gammons": 1, "lost": 3}
_NEAR, _MOST = 0.05, 3
"""Candidates for the best play of a roll: the greatest distance from the best by search, and their greatest number."""


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """A play that has been rolled out. ``half`` and ``loss_half`` are halves of the intervals."""

    equity: float
    half: float
    loss: float
    loss_half: float
    win: float
    gammons: float
    lost: float


class PlayedPlays:
    """The plays of a roll, played out with the same dice; each is named by the board after it."""

    def __init__(self, plays: dict[str, PlayedOut], result: Rollout | None = None, order: Sequence[str] = ()) -> None:
        self.plays = plays
        self._result, self._order = result, list(order)

    @property
    def best(self) -> str:
        """The board after the best of them."""
        return max(self.plays, key=lambda after: self.plays[after].equity)

    def more(self, word: str, first: str, second: str) -> tuple[float, float]:
        """The difference of a chance after one play and after another, and half of its interval."""
        if self._result is None:
            raise ValueError("the book has no interval for the difference of two chances")
        column = COLUMNS[word]
        one, other = self._order.index(first), self._order.index(second)
        apart = [float(group.first[one, column] - group.first[other, column]) for group in self._result.state.groups]
        return _mean_and_half(apart)


def _mean_and_half(numbers: Sequence[float]) -> tuple[float, float]:
    count = len(numbers)
    mean = sum(numbers) / count
    spread = sum((number - mean) ** 2 for number in numbers) / (count - 1)
    return mean, student_quantile(0.975, count - 1) * math.sqrt(spread / count)


def play_out(
    engine: Engine, game: Game, board: Board, plays: Sequence[Play], *, trials: int, threads: int, chances: bool
) -> PlayedPlays:
    """Roll out plays. With ``chances`` the intervals of differences of chances are needed, which the book lacks."""
    node = None if chances or board.dice is None else _node(board, str(board.dice))
    estimates = None if node is None else [node.find(play.after) for play in plays]
    if node is not None and estimates is not None and all(estimates):
        return PlayedPlays(_rollouts_of_node(node, plays))
    result = engine.rollout(game, plays=list(plays), trials=trials, threads=threads, policy=POLICY)
    played = {}
    for index, play in enumerate(plays):
        row = result.of(index)
        reach = student_quantile(0.975, row.freedom)
        win, gammons, _, lost, _ = row.probabilities
        played[play.after.text] = PlayedOut(
            row.equity, reach * row.error, row.loss, reach * row.loss_error, win, gammons, lost
        )
    return PlayedPlays(played, result, [play.after.text for play in plays])


def _rollouts_of_node(node: BookNode, plays: Sequence[Play]) -> dict[str, PlayedOut]:
    played = {}
    for play in plays:
        estimate = node.find(play.after)
        assert estimate is not None
        win, gammons, _, lost, _ = estimate.probabilities
        reach = estimate.half / estimate.error if estimate.error else 0.0
        played[play.after.text] = PlayedOut(
            estimate.equity, estimate.half, estimate.loss, reach * estimate.loss_error, win, gammons, lost
        )
    return played


def roll_out_roll(engine: Engine, game: Game, board: Board, dice: str, *, trials: int, threads: int) -> PlayedOut:
    """Roll out the best play of a roll."""
    node = _node(board, dice)
    if node is not None and node.best is not None:
        best = node.best
        win, gammons, _, lost, _ = best.probabilities
        return PlayedOut(best.equity, best.half, 0.0, 0.0, win, gammons, lost)
    ranked = engine.rank_plays(game, dice, level="2-ply").plays[:_MOST]
    plays = [row.play for row in ranked if row.loss <= _NEAR]
    result = engine.rollout(game, dice, plays=plays, trials=trials, threads=threads, policy=POLICY)
    rolled = result.best
    win, gammons, _, lost, _ = rolled.probabilities
    return PlayedOut(
        rolled.equity, student_quantile(0.975, rolled.freedom) * rolled.error, 0.0, 0.0, win, gammons, lost
    )


def roll_out_cube(engine: Engine, game: Game, *, trials: int, threads: int) -> dict[str, float]:
    """Roll out a position before a double: the equity of a double that is taken, and the chance to win."""
    result = engine.rollout(game, trials=trials, threads=threads, policy=POLICY)
    actions = {row.action: row for row in result.rolled}
    taken, rolled = actions[DOUBLE_TAKE], actions[NO_DOUBLE]
    reach = student_quantile(0.975, taken.freedom)
    return {
        "double_take": taken.equity,
        "double_take_half": reach * taken.error,
        "no_double": rolled.equity,
        "no_double_half": reach * rolled.error,
        "wins": taken.probabilities[0],
        "wins_half": reach * taken.probability_errors[0],
    }


def doubler_of(board: Board) -> Board:
    """The board of a double that is offered, before the double and as the doubler sees it."""
    owner = {None: None, "you": "opponent", "opponent": "you"}[board.owner]
    mine, theirs = board.score
    return replace(board, offered=False, position=board.position.swapped, score=(theirs, mine), owner=owner)


def _node(board: Board, dice: str) -> BookNode | None:
    """The node of the book for a roll of a board; None where it has none, and for another score or other rules."""
    if board.rules or any(board.score) or board.cube > 1 or board.offered or board.choose:
        return None
    node = _book(board.variant).find(NodeKey(board.variant.name, "money", board.position.text, dice))
    return None if node is None or node.best is None or node.trials < TRIALS else node


@cache
def _book(variant: Variant) -> Book:
    return read(variant)
