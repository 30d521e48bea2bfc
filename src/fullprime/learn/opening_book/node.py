"""Nodes of the book: a roll to be played at a score, its candidates, and the results of their trials so far.

Trials come in groups of 36 whose dice are a function of the node and the number of the group. A node keeps means and
the spread of the groups' means, so that later trials are added without the earlier ones: the same numbers as in one
run, up to the rounding of what is kept.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist

from fullprime.rules.dice import Roll
from fullprime.rules.position import Position

GROUP = 36
"""Trials of a group."""
LEAST = 9
"""With fewer groups the spread of their means says too little."""
COLUMNS = 6
"""Figures of a candidate: win, gammon, backgammon, gammon and backgammon lost, and the equity that decides."""
CLEAR = 2.5
"""Joint standard errors by which a best play must be ahead of the second to count as settled."""
_LONG_RUN = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class NodeKey:
    """A decision of the book: a board and a roll at a score. ``board``: as text, seen by the player who rolled."""

    game: str
    score: str
    board: str
    dice: str

    @property
    def seed(self) -> int:
        """The seed of its dice, which differs from node to node, so that nodes do not share their luck."""
        identity = f"{self.game} {self.score} {self.board} {self.dice}"
        return int(hashlib.sha256(identity.encode()).hexdigest()[:8], 16)

    @property
    def roll(self) -> Roll:
        """The roll."""
        return Roll.of(self.dice)


@dataclass(frozen=True, slots=True)
class TrialMethod:
    """How trials are played: cut after ``cut`` plies (None: to the end), with plays by look-ahead of ``ply``."""

    cut: int | None
    ply: int = 0

    @property
    def text(self) -> str:
        """The method in words."""
        ends = "to the end" if self.cut is None else f"cut after {self.cut} plies"
        return f"{self.ply}-ply plays, {ends}"


@dataclass(frozen=True, slots=True)
class BookPlay:
    """A candidate: a play in our notation; where the roll gives more, the whole turn, its parts parted by ``;``.

    ``board``: the position after the turn, seen by the next to roll; ``again``: that is the same player.
    """

    play: str
    board: Position
    again: bool = False


@dataclass(frozen=True, slots=True)
class BookEstimate:
    """The figures of a candidate. ``half``: half of the 95 % interval of its equity."""

    rank: int
    index: int
    choice: BookPlay
    equity: float
    error: float
    half: float
    loss: float
    """The equity lost against the candidate ranked first."""
    loss_error: float
    """The joint standard error of that; the candidates met the same dice."""
    probabilities: tuple[float, float, float, float, float]

    @property
    def is_tied(self) -> bool:
        """True if it may still be the best."""
        return self.rank == 1 or self.loss < CLEAR * self.loss_error


@dataclass(frozen=True)
class BookNode:
    """A node: its candidates and the sums over their trials.

    ``nets``: a hash of the nets that judged; ``means``: COLUMNS for each candidate; ``spread``: sums of products of the
    deviations of group means of the equity, row by row up to the diagonal.
    """

    key: NodeKey
    nets: str
    method: TrialMethod
    choices: tuple[BookPlay, ...]
    groups: int = 0
    means: tuple[tuple[float, ...], ...] = ()
    spread: tuple[float, ...] = ()

    @property
    def trials(self) -> int:
        """Trials of each candidate."""
        return GROUP * self.groups

    @cached_property
    def estimates(self) -> tuple[BookEstimate, ...]:
        """The candidates, the best first; empty before the first trials."""
        if not self.groups:
            return ()
        order = sorted(range(len(self.choices)), key=lambda index: -self.means[index][-1])
        best = order[0]
        estimates = []
        for rank, index in enumerate(order, 1):
            error = self._error(index, index)
            figures = self.means[index]
            estimates.append(
                BookEstimate(
                    rank=rank,
                    index=index,
                    choice=self.choices[index],
                    equity=figures[-1],
                    error=error,
                    half=_quantile(self.groups - 1) * error,
                    loss=self.means[best][-1] - figures[-1],
                    loss_error=self._error(best, index) if rank > 1 else 0.0,
                    probabilities=(figures[0], figures[1], figures[2], figures[3], figures[4]),
                )
            )
        return tuple(estimates)

    @property
    def best(self) -> BookEstimate | None:
        """The candidate in front, None before the first trials."""
        return self.estimates[0] if self.estimates else None

    @property
    def is_settled(self) -> bool:
        """True if the best play is ahead of every other by :data:`CLEAR` joint standard errors."""
        return bool(self.estimates) and sum(estimate.is_tied for estimate in self.estimates) == 1

    @property
    def half(self) -> float:
        """The widest half of an interval among the plays that may be the best; infinite before there are enough."""
        if self.groups < LEAST:
            return math.inf
        return max(estimate.half for estimate in self.estimates if estimate.is_tied)

    def find(self, after: Position) -> BookEstimate | None:
        """The candidate that leads to a board, seen by the player who made the play."""
        return next(
            (estimate for estimate in self.estimates if estimate.choice.board == _next(after, estimate.choice.again)),
            None,
        )

    def with_group(self, figures: Sequence[Sequence[float]]) -> BookNode:
        """The node with one more group: the means of its 36 trials for each candidate."""
        count, number = len(self.choices), self.groups + 1
        means = [list(column) for column in self.means] or [[0.0] * COLUMNS for _ in range(count)]
        before = [figures[index][-1] - means[index][-1] for index in range(count)]
        for index in range(count):
            for column in range(COLUMNS):
                means[index][column] += (figures[index][column] - means[index][column]) / number
        after = [figures[index][-1] - means[index][-1] for index in range(count)]
        spread = list(self.spread) or [0.0] * (count * (count + 1) // 2)
        place = 0
        for one in range(count):
            for other in range(one + 1):
                spread[place] += before[one] * after[other]
                place += 1
        return replace(self, groups=number, means=tuple(map(tuple, means)), spread=tuple(spread))

    def _error(self, one: int, other: int) -> float:
        """The standard error of a candidate, or of the difference between two."""
        if self.groups < 2:
            return math.inf
        at = self._product
        square = at(one, one) if one == other else at(one, one) + at(other, other) - 2 * at(one, other)
        return math.sqrt(max(0.0, square) / (self.groups - 1) / self.groups)

    def _product(self, one: int, other: int) -> float:
        high, low = max(one, other), min(one, other)
        return self.spread[high * (high + 1) // 2 + low]


def _next(after: Position, again: bool) -> Position:
    return after if again else after.swapped


def _quantile(freedom: int) -> float:
    """The quantile of Student's distribution for 95 %: its expansion in 1 / freedom; infinite for none."""
    if freedom < 1:
        return math.inf
    z = _LONG_RUN
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom**power for power, term in enumerate(terms, 1)))
