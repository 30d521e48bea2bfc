"""Access to the kernels for training: self-play, the sparse first layer forwards and backwards, the optimiser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.boards.follow_ups import follow_ups_array
from fullprime.engine.core.lookahead import selfplay as games
from fullprime.engine.core.lookahead.turn_search import make_turn_buffers
from fullprime.engine.core.nets import training as kernels
from fullprime.engine.core.nets.features import MAX_ROWS
from fullprime.engine.core.pack import legal_plays, pack, rules_array, swap
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.probabilities import equity, points_unit
from fullprime.engine.nets import encoding
from fullprime.engine.nets.evaluator import Boards, NetEvaluator, nets_by_phase, weights_of
from fullprime.engine.nets.net import Floats, Net
from fullprime.engine.search.tree import value_weights
from fullprime.engine.tables.endgames import Endgames
from fullprime.rules.variants.variant import Variant

adam: Callable[..., None] = kernels.adam
average: Callable[..., None] = kernels.average


_BEST = 4
"""Plays of a roll from which a position ``beside`` is drawn."""
NEAR = 0.10
"""Points of equity within which the large net looks again at the small one's best plays."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """The ways in which self-play strays from the best play.

    ``chance``: of any play at all; ``heat``: points of equity by which noise moves the plays' values; ``wild``: chance
    that a game begins with up to 24 random plays; ``usual``: chance that it begins from the variant's own start;
    ``aside``: share of the positions that stand after a play drawn from all legal ones and are only judged, not
    played on, so that the net also knows what good players do not get into. ``calm``: chance that a game does not stray
    after its start; there the trace is ``calm_trace``, long, because nothing cuts it: what only shows many moves later
    (who must break first) reaches the labels. ``beside``: share of the positions that stand after one of the best four
    plays of a random roll, judged as those aside: choosing a play is telling such neighbours apart.
    """

    chance: float = 0.04
    heat: float = 0.025
    wild: float = 0.12
    usual: float = 1.0
    aside: float = 0.0
    beside: float = 0.0
    calm: float = 0.0
    calm_trace: float = 0.97


class SelfPlayer:
    """Self-play by one net, or by a large one behind a small one that filters the plays.

    ``back_games``, if given, judges those that look-ahead meets; static play has none.
    """

    def __init__(
        self,
        variant: Variant,
        large: Net,
        small: Net | None = None,
        starts: Boards | None = None,
        ahead: bool = True,
        back_games: Net | None = None,
    ) -> None:
        self.ahead = ahead
        self._variant = variant
        self._large = large
        helpers = {"small": small, "back_game": back_games if ahead else None}
        weights = {"contact": weights_of(large)} | {phase: weights_of(net) for phase, net in helpers.items() if net}
        self._nets = nets_by_phase(weights, variant)
        self._weights = value_weights(CUBELESS, self._nets.per_checker)
        self._near = np.float32(NEAR * points_unit(self._nets.per_checker))
        self._rules = rules_array(variant)
        self._follow_ups = follow_ups_array(variant)
        usual = pack([variant.starting_position])
        self._starts = usual if starts is None else np.ascontiguousarray(np.concatenate([usual, starts]))
        self._turns = make_turn_buffers(self._nets)
        self._endgames = Endgames(variant) if Endgames.serves(variant) else None

    @cached_property
    def _evaluator(self) -> NetEvaluator:
        return NetEvaluator(self._variant, {"contact": self._large})

    def play(self, positions: int, seed: int, trace: float, exploration: Exploration) -> tuple[Boards, Floats, int]:
        """Positions (n, 32), their targets (n, 5), and the number of games begun.

        Where the endgame tables know a position, its target is exact (in Hypergammon, with its whole table, always).
        """
        boards, targets, begun = self.positions(positions, seed, trace, exploration)
        unplayed = boards[len(targets) :]
        if len(unplayed):
            targets = np.concatenate([targets, self.label(unplayed)])
        if self._endgames is not None:
            covered, exact = self._endgames.probabilities(boards)
            targets[covered] = exact[covered]
        return boards, targets, begun

    def positions(
        self, positions: int, seed: int, trace: float, exploration: Exploration
    ) -> tuple[Boards, Floats, int]:
        """Positions (n, 32), the targets of the first of them, which were played on, and the number of games begun.

        The others stand aside of the games or beside them; they have no targets yet.
        """
        aside, beside = int(positions * exploration.aside), int(positions * exploration.beside)
        boards = np.empty((positions - aside - beside, 32), np.int8)
        targets = np.empty((positions - aside - beside, 5), np.float32)
        begun = games.play_games(
            self._nets,
            self.ahead,
            self._rules,
            self._follow_ups,
            self._weights,
            self._near,
            self._starts,
            float(exploration.usual),
            seed,
            float(exploration.chance),
            float(exploration.heat),
            float(exploration.wild),
            float(exploration.calm),
            float(exploration.calm_trace),
            float(trace),
            self._turns,
            boards,
            targets,
        )
        requests = ((aside, seed, None), (beside, seed + 1, _BEST))
        unplayed = [self._boards_after_rolls(boards, *request) for request in requests if request[0]]
        return np.concatenate([boards, *unplayed]), targets, int(begun)

    def _boards_after_rolls(self, boards: Boards, count: int, seed: int, best: int | None) -> Boards:
        """Boards after a play of a random roll in positions drawn from ``boards``: any legal one, or one of the
        ``best`` that the contact net puts first.
        """
        rng = np.random.default_rng(seed)
        before = np.ascontiguousarray(boards[rng.integers(0, len(boards), count)])
        return draw_boards_after_rolls(self._variant, self._opponents_equity, before, np.full(count, best or 0), rng)

    def _opponents_equity(self, after: Boards) -> NDArray[np.float64]:
        return equity(self._evaluator.evaluate(after), self._variant)

    def label(self, boards: Boards) -> Floats:
        """The values of positions (n, 32) by one ply of look-ahead: (n, 5)."""
        targets = np.empty((len(boards), 5), np.float32)
        games.label_batch(
            self._nets, boards, self._rules, self._follow_ups, self._weights, self._near, self._turns, targets
        )
        return targets


def draw_boards_after_rolls(
    variant: Variant,
    theirs: Callable[[Boards], NDArray[np.float64]],
    before: Boards,
    best: NDArray[np.int64],
    rng: np.random.Generator,
    near: float = np.inf,
) -> Boards:
    """The boards (n, 32) after a play of a random roll in each of ``before``: one of the ``best`` (n,) within ``near``
    of the best one, or, where that is 0, any legal one.

    ``theirs`` gives the worth of boards to the next player, and is called only where a number of best plays is given.
    """
    rows, first = legal_plays(before, rng.integers(1, 7, (len(before), 2)).astype(np.int8), variant)
    after, many = swap(rows), np.diff(first)
    if not best.any():
        return np.ascontiguousarray(after[first[:-1] + rng.integers(0, many)])
    values = theirs(after)  # the least is best
    order = np.lexsort((values, np.repeat(np.arange(len(before)), many)))
    close = values[order] <= np.repeat(values[order[first[:-1]]] + near, many)
    choices = np.where(best > 0, np.minimum(np.add.reduceat(close.astype(np.int64), first[:-1]), best), many)
    return np.ascontiguousarray(after[order[first[:-1] + rng.integers(0, choices)]])


class Inputs:
    """The inputs of a first layer for a batch: rows of its table and the hand features. Arrays are used again."""

    def __init__(self, features: int) -> None:
        self._width = features
        self.tops = np.zeros(encoding.SLOT_GROUPS, np.int64)
        self.rows: NDArray[np.int64] = np.zeros((0, MAX_ROWS), np.int64)
        self.counts: NDArray[np.int64] = np.zeros(0, np.int64)
        self.features: Floats = np.zeros((0, features), np.float32)

    def read(self, boards: Boards, chosen: NDArray[np.int64]) -> None:
        """Those of ``boards[chosen]``: ``rows`` (n, 40) of which ``counts`` (n,) are meant, ``features`` (n, f).

        ``tops`` holds the greatest count of checkers in each slot group.
        """
        if len(chosen) != len(self.counts):
            self.rows = np.zeros((len(chosen), MAX_ROWS), np.int64)
            self.counts = np.zeros(len(chosen), np.int64)
            self.features = np.zeros((len(chosen), self._width), np.float32)
        kernels.gather_inputs(boards, chosen, self.rows, self.counts, self.features, self.tops)

    def of(self, boards: Boards, chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats]:
        """The same as rows (n, 40), filled up with the row 0 that adds nothing, and features (n, f)."""
        self.read(boards, chosen)
        filled = np.arange(MAX_ROWS) < self.counts[:, np.newaxis]
        return np.where(filled, self.rows, 0), self.features


class FirstLayer:
    """The sparse first layer of a batch while a net learns.

    Learnt as units for each (side, slot), applied as table rows, one for each count of checkers.
    """

    def __init__(self, width: int, features: int) -> None:
        values = encoding.unit_values()
        self._steps = np.zeros_like(values)
        self._steps[:, 1:] = values[:, 1:] - values[:, :-1]
        shape = (encoding.SLOT_GROUPS * encoding.COUNTS, width)
        self._table: Floats = np.zeros(shape, np.float32)
        self._slope: Floats = np.zeros(shape, np.float32)
        self._total: Floats = np.zeros(width, np.float32)
        self._inputs = Inputs(features)
        self._width, self._features = width, features
        self.hidden: Floats = np.zeros((0, width), np.float32)
        self._hand_sums: Floats = np.zeros((0, 0), np.float32)

    def forward(self, boards: Boards, chosen: NDArray[np.int64], units: Floats, bias: Floats, hand: Floats) -> Floats:
        """Rectified first layers (n, width) of ``boards[chosen]``; kept for the way back."""
        if len(chosen) != len(self.hidden):
            self.hidden = np.zeros((len(chosen), self._width), np.float32)
            self._hand_sums = np.zeros((len(chosen), hand.shape[1]), np.float32)
        inputs = self._inputs
        inputs.read(boards, chosen)
        kernels.build_table(units, self._steps, inputs.tops, self._table)
        kernels.table_forward(self._table, bias, inputs.rows, inputs.counts, self.hidden)
        if self._features:
            np.matmul(inputs.features, hand, out=self._hand_sums)
        kernels.add_rectified(self.hidden, self._hand_sums)
        return self.hidden

    def backward(self, slope: Floats, units: Floats, bias: Floats, hand: Floats, price: float = 0.0) -> None:
        """Gradients of the units, the bias and the hand features from that of the layer (masked in place).

        ``price`` is the cost of each active unit for each sample, more or less (see `kernels.add_activity_cost`).
        """
        inputs = self._inputs
        if price:
            kernels.add_activity_cost(self.hidden, price, self._total, slope)
        kernels.table_backward(self.hidden, slope, inputs.rows, inputs.counts, self._slope, bias)
        if self._features:
            np.matmul(inputs.features.T, slope[:, : hand.shape[1]], out=hand)
        kernels.fold_table(self._slope, self._steps, inputs.tops, units, self._total)
