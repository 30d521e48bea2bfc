"""Labels with a long view: games played by all judges of the package, each position judged by what it came to.

A position is worth the mean over the 21 rolls of what its best plays are worth to the judges. Along a game that mean
changes by the luck of the dice, which is known and left out, and by what the judges did not see one ply before. A label
adds those later corrections, weighed down by the trace at every ply: G = v + trace * (G' - v'), where v' is what the
play was expected to be worth. Errors that all judges share at one ply show some plies later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.core.lookahead.search import WEIGHTS
from fullprime.engine.core.pack import pack
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.probabilities import equity, points_unit, swap_sides
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards, NetEvaluator
from fullprime.engine.nets.net import Floats
from fullprime.rules.variants.variant import Variant
from fullprime_lab.training.learning import Exploration, draw_boards_after_rolls

_TOGETHER = 128
"""Games that are played side by side at most."""
_PLIES = 300
"""Plies of each of those, one game after the other: enough to come to the end of the longest."""
_SHORTEST, _LONGEST = 8, 24
"""Plies after which a game that began beside others is broken off, unless it ends. The others are played to their end,
so that every part of a game is seen, however long games are.
"""
_SEEN = 4
"""Plies that must follow a position of a game that was broken off: labels near its end see little more than one."""
_BEST = 4
_NEAR = 0.2
"""Points behind the best of the plays, at most ``_BEST``, from which a game beside the others begins."""
_REMEMBERED = 40_000
"""Positions from which such games begin."""

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Trajectories:
    """Games one after the other, their plies in order.

    ``boards`` (n, 32); ``ahead`` (n, 5), the mean over the rolls; ``played`` (n, 5), what the judges expected of the
    board after the play that was made, seen by its player; ``again`` (n,): he is on roll once more; ``game`` (n,);
    ``ended`` (n,): of games that came to an end, or to what tables know, and were not broken off.
    """

    boards: Boards
    ahead: Floats
    played: Floats
    again: Bools
    game: NDArray[np.int64]
    ended: Bools

    def continues_for(self, plies: int) -> Bools:
        """Where ``plies`` more of the same game follow: (n,)."""
        follows = np.zeros(len(self.game), np.bool_)
        follows[: -plies or None] = self.game[plies:] == self.game[: len(self.game) - plies]
        return follows

    def labels(self, trace: float) -> Floats:
        """The labels (n, 5) with this trace. They may lie a little outside of 0 to 1: their mean is right."""
        follows = np.append(self.game[1:] == self.game[:-1], False)
        starts = np.flatnonzero(np.append(True, ~follows[:-1]))
        age = np.arange(len(self.game)) - np.repeat(starts, np.diff(np.append(starts, len(self.game))))
        labels = self.ahead.copy()
        for ply in range(int(np.max(age, initial=0)) - 1, -1, -1):
            rows = np.flatnonzero((age == ply) & follows)
            later = np.where(self.again[rows, np.newaxis], labels[rows + 1], swap_sides(labels[rows + 1]))
            labels[rows] += np.float32(trace) * (later - self.played[rows])
        return labels


class SelfPlaySampler:
    """Plays games by the judges' choice, and keeps what it needs to label their positions."""

    def __init__(self, variant: Variant, rare: Boards | None = None) -> None:
        self._variant = variant
        self._engine = Engine.open(variant, "1-ply", threads=1)
        self._evaluator = NetEvaluator(variant)
        self._usual = pack([variant.starting_position])
        self._rare = self._usual if rare is None else rare
        self._near = _NEAR * points_unit(self._evaluator.per_checker)
        self._odds = np.cumsum(WEIGHTS) / np.sum(WEIGHTS)

    def play(self, positions: int, seed: int, trace: float, exploration: Exploration) -> tuple[Boards, Floats, int]:
        """At most ``positions`` boards (n, 32), their labels (n, 5), and the number of games begun.

        ``exploration.beside`` and ``aside`` are the shares of the games that begin beside those before: after a play of
        a random roll, one of the best or any legal one; ``usual`` of the others begin from the start of the variant.
        """
        games = self.trajectories(positions, seed, exploration)
        chosen = games.continues_for(_SEEN) | games.ended
        return games.boards[chosen], games.labels(trace)[chosen], int(games.game[-1]) + 1

    def trajectories(self, positions: int, seed: int, exploration: Exploration) -> Trajectories:
        """Games with ``positions`` boards in all."""
        rng = np.random.default_rng(seed)
        together = max(1, min(_TOGETHER, positions // _PLIES))
        remembered = self._usual
        boards, left = self._draw_starts(together, rng, exploration, remembered)
        game = np.arange(together)
        begun, parts = together, list[Trajectories]()
        for _ in range(-(-positions // together)):
            ahead, played, again, after, goes_on = self._play_ply(boards, rng)
            parts.append(Trajectories(boards, ahead, played, again, game.copy(), ~goes_on))
            left -= 1
            remembered = self._remember(remembered, after[goes_on], rng)
            ended = np.flatnonzero(~goes_on | (left <= 0))
            boards = after
            boards[ended], left[ended] = self._draw_starts(len(ended), rng, exploration, remembered)
            game[ended] = np.arange(begun, begun + len(ended))
            begun += len(ended)
        order = np.argsort(np.concatenate([part.game for part in parts]), kind="stable")[:positions]

        def ordered(name: str) -> NDArray[Any]:
            return np.ascontiguousarray(np.concatenate([getattr(part, name) for part in parts])[order])

        games = np.unique(ordered("game"), return_inverse=True)[1]
        over = np.zeros(int(games[-1]) + 1, np.bool_)
        np.logical_or.at(over, games, ordered("ended"))
        return Trajectories(
            ordered("boards"), ordered("ahead"), ordered("played"), ordered("again"), games, over[games]
        )

    def _play_ply(self, boards: Boards, rng: np.random.Generator) -> tuple[Floats, Floats, Bools, Boards, Bools]:
        """The values before the roll, those after a random one's best play, who is on roll then, that board, and where
        the game goes on; tables and ends are exact, and their games go no further.
        """
        tree = self._engine.searcher.tree(np.ascontiguousarray(boards), 1, self._engine.weights(CUBELESS))
        ahead = tree.leaf.astype(np.float32)
        played, after = np.zeros_like(ahead), boards.copy()
        again, goes_on = np.zeros(len(boards), np.bool_), np.zeros(len(boards), np.bool_)
        roll = np.searchsorted(self._odds, rng.random(len(boards))).clip(max=len(WEIGHTS) - 1)
        if tree.below is not None:
            rows, rolls = tree.opened, len(WEIGHTS)
            chosen = np.arange(len(rows)), roll[rows]
            same = np.zeros((len(rows), rolls), np.bool_) if tree.again is None else tree.again
            below = tree.below.outputs
            values = np.where(same.reshape(-1, 1), below, swap_sides(below)).reshape(len(rows), rolls, 5)
            ahead[rows] = np.einsum("r,nrk->nk", WEIGHTS, values)
            played[rows] = values[chosen]
            after[rows] = tree.below.boards.reshape(len(rows), rolls, -1)[chosen]
            again[rows] = same[chosen]
            goes_on[rows] = True
        return ahead, played, again, after, goes_on

    @staticmethod
    def _remember(remembered: Boards, new: Boards, rng: np.random.Generator) -> Boards:
        """Positions to begin beside: all at first, later new ones in the place of others."""
        if len(remembered) < _REMEMBERED:
            return np.concatenate([remembered, new])
        remembered[rng.integers(0, len(remembered), len(new))] = new
        return remembered

    def _draw_starts(
        self, count: int, rng: np.random.Generator, exploration: Exploration, remembered: Boards
    ) -> tuple[Boards, NDArray[np.int64]]:
        """Boards (count, 32) from which games begin, and the most plies (count,) of each."""
        chance = rng.random(count)
        boards = np.repeat(self._usual, count, axis=0)
        beside = exploration.beside + exploration.aside
        rare = (chance >= beside) & (rng.random(count) >= exploration.usual)
        boards[rare] = self._rare[rng.integers(0, len(self._rare), int(rare.sum()))]
        rows = np.flatnonzero(chance < beside)
        plies = np.full(count, np.iinfo(np.int64).max)
        if len(rows):
            plies[rows] = rng.integers(_SHORTEST, _LONGEST + 1, len(rows))
            before = np.ascontiguousarray(remembered[rng.integers(0, len(remembered), len(rows))])
            best = np.where(chance[rows] < exploration.aside, 0, _BEST)
            boards[rows] = draw_boards_after_rolls(self._variant, self._opponents_equity, before, best, rng, self._near)
        return boards, plies

    def _opponents_equity(self, after: Boards) -> NDArray[np.float64]:
        return equity(self._evaluator.evaluate(after), self._variant)
