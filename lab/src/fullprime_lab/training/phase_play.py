"""Self-play of one phase for a net of its own: back games, whose value only shows many moves later.

Games begin in the phase and go on by nothing but the best play until it is long over, so that no trace is cut. Plays
are chosen with one ply of look-ahead: static play is too weak where only many good moves in a row win. Labels take the
luck of the dice out of what play found: v + (G' - V') with the whole of G', where v is the average over the 21 rolls
and V' the value that the best static play of the roll thrown promised.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.boards.follow_ups import follow_ups_array
from fullprime.engine.core.lookahead import search as kernels
from fullprime.engine.core.lookahead.selfplay import FINALISTS
from fullprime.engine.core.nets import network
from fullprime.engine.core.pack import legal_plays, rules_array, swap
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.probabilities import equity, points_unit, swap_sides
from fullprime.engine.nets.evaluator import Boards, find_outcomes, nets_by_phase, weights_of
from fullprime.engine.nets.net import Floats, Net, NetError
from fullprime.engine.search.searcher import STATIC_SHARE
from fullprime.engine.search.tree import value_weights
from fullprime.rules.variants.variant import Variant
from fullprime_lab.training.learning import NEAR, Exploration, SelfPlayer

BACK_GAME = "back_game"

_TOGETHER = 200
"""Games that go on side by side."""
_QUICK = 30_000
"""Positions of quick static games among which the phase is looked for."""
_STRAYING = Exploration(chance=0.04, heat=0.03, wild=0.3, usual=0.7)
"""The exploration by which those games come into the phase."""
_SKETCHED = 0.3
"""Share of the games that begin from sketches of rare families instead."""
_AFTER = 40
"""Plies that a game goes on after the phase is over; then the net of ordinary contact judges."""
_LONGEST = 160
_LOOKED_AT, _CLOSE = 3, 0.08
"""How many plays of a roll are looked at with one ply more, and at most how many points behind the best they lie."""


def are_back_games(boards: Boards) -> NDArray[np.bool_]:
    """A mask (n,) of the positions (n, 32) that the net for back games judges."""
    mask = np.zeros(len(boards), np.bool_)
    network.mark_back_games(np.ascontiguousarray(boards), mask)
    return mask


class PhasePlayer:
    """Self-play of back games, judged by ``back_game_net`` once there is one. ``large`` judges everything else.

    ``starts`` are rare positions (n, 32), of which those of the phase begin a part of the games. Raises NetError for
    games whose rolls give more than two dice.
    """

    def __init__(
        self,
        variant: Variant,
        large: Net,
        small: Net | None = None,
        back_game_net: Net | None = None,
        starts: Boards | None = None,
    ) -> None:
        if follow_ups_array(variant).any():
            raise NetError(f"{variant.name} has no back games to learn from: its rolls give more than two dice")
        weights = {"contact": weights_of(large)}
        if small is not None:
            weights["small"] = weights_of(small)
        if back_game_net is not None:
            weights[BACK_GAME] = weights_of(back_game_net)
        self._variant = variant
        self._nets = nets_by_phase(weights, variant)
        self._quick = SelfPlayer(variant, large, starts=starts, ahead=False)
        self._sketches = np.zeros((0, 32), np.int8) if starts is None else starts[are_back_games(starts)]
        self._buffers = kernels.make_search_buffers(self._nets)
        self._rules = rules_array(variant)
        self._weights = value_weights(CUBELESS, self._nets.per_checker)
        self._near = np.float32(NEAR * points_unit(self._nets.per_checker))

    def play(self, positions: int, seed: int) -> tuple[Boards, Floats, int]:
        """At least ``positions`` boards (n, 32) of the phase, their values as played out (n, 5), and games begun."""
        rng = np.random.default_rng(seed)
        met, _, _ = self._quick.play(_QUICK, seed, 0.0, _STRAYING)
        met = met[are_back_games(met)]
        begun, count = 0, 0
        boards: list[Boards] = []
        targets: list[Floats] = []
        while count < positions:
            starts = self._starts(met, rng)
            begun += len(starts)
            for rows, values in self._play_out(starts, rng):
                inside = are_back_games(rows)
                boards.append(rows[inside])
                targets.append(values[inside])
                count += int(inside.sum())
        return np.concatenate(boards), np.concatenate(targets), begun

    def _starts(self, met: Boards, rng: np.random.Generator) -> Boards:
        sketched = int(_TOGETHER * _SKETCHED) if len(self._sketches) else 0
        if not len(met):
            sketched = _TOGETHER
        parts = ((met, _TOGETHER - sketched), (self._sketches, sketched))
        chosen = [rows[rng.integers(0, len(rows), count)] for rows, count in parts if count and len(rows)]
        if not chosen:
            raise NetError(f"self-play of {self._variant.name} came into no back game")
        return np.concatenate(chosen)

    def _play_out(self, starts: Boards, rng: np.random.Generator) -> list[tuple[Boards, Floats]]:
        """Positions of games from ``starts`` and their labels, ply by ply from the last."""
        games = np.arange(len(starts))
        since = np.zeros(len(starts), np.int64)  # plies since the phase was over, by game
        proved = np.zeros((len(starts), 5))  # the value of the board after the last ply so far, by game
        plies: list[tuple[NDArray[np.int64], Boards, Floats, Floats]] = []
        boards = starts
        promises, mean = self._look_ahead(boards)
        while len(games) and len(plies) < _LONGEST:
            rolls = rng.choice(21, len(boards), p=kernels.WEIGHTS)
            plies.append((games, boards, mean, promises[np.arange(len(boards)), rolls]))
            boards, promises, mean = self._boards_after_best_plays(boards, rolls)
            proved[games] = mean
            since[games] = np.where(are_back_games(boards), 0, since[games] + 1)
            on = ~find_outcomes(boards, self._variant)[0] & (since[games] < _AFTER)
            games, boards, promises, mean = games[on], boards[on], promises[on], mean[on]
        labelled: list[tuple[Boards, Floats]] = []
        for played, boards, values, promised in reversed(plies):
            proved[played] = values + (swap_sides(proved[played]) - swap_sides(promised))
            labelled.append((boards, np.clip(proved[played], 0, 1).astype(np.float32)))
        return labelled

    def _look_ahead(self, boards: Boards) -> tuple[Floats, Floats]:
        """Values of each roll's best static play to the next player (n, 21, 5), and their mean for this one (n, 5)."""
        boards = np.ascontiguousarray(boards)
        children = np.empty((len(boards), 21, 1, 32), np.int8)
        values = np.empty((len(boards), 21, 1, 5), np.float32)
        kernels.expand_plays(
            self._nets, boards, self._rules, self._weights, FINALISTS, self._near, self._buffers, children, values
        )
        best = values[:, :, 0]
        mean = (swap_sides(best) * kernels.WEIGHTS[:, np.newaxis]).sum(axis=1)
        return best, cast("Floats", mean)  # weights of double precision make it so, too

    def _boards_after_best_plays(self, boards: Boards, rolls: NDArray[np.int64]) -> tuple[Boards, Floats, Floats]:
        """The boards after the best plays at one ply, the next player's view, and their values by `_look_ahead`."""
        rows, first = legal_plays(np.ascontiguousarray(boards), kernels.ROLLS[rolls].astype(np.int8), self._variant)
        rows = np.ascontiguousarray(swap(rows))
        outputs = np.empty((len(rows), 5), np.float32)
        network.evaluate_phases(self._nets, rows, outputs)
        static = equity(outputs, self._variant)  # of the next player: the least is the best
        of = np.repeat(np.arange(len(boards)), np.diff(first))
        rank = np.empty(len(rows), np.int64)
        rank[np.lexsort((static, of))] = np.arange(len(rows)) - first[of]
        least = np.minimum.reduceat(static, first[:-1])
        chosen = np.flatnonzero((rank < _LOOKED_AT) & (static <= least[of] + _CLOSE))
        promises, mean = self._look_ahead(rows[chosen])
        deep = equity(mean, self._variant)
        order = np.lexsort(((1 - STATIC_SHARE) * deep + STATIC_SHARE * static[chosen], of[chosen]))
        _, best = np.unique(of[chosen][order], return_index=True)
        picked = order[best]
        return rows[chosen[picked]], promises[picked], mean[picked]
