"""Self-play of one phase for a net of its own: back games, whose worth only shows many moves later.

Games begin in the phase and go on by nothing but the best play until it is long over, so that no trace is cut. Labels
take the luck of the dice out of what play found: v + (G' - V') with the whole of G', where v is the average over the
21 rolls and V' what the best play of the roll thrown promised.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.context import CUBELESS
from fullprime.engine.core import network
from fullprime.engine.core import search as kernels
from fullprime.engine.core.pack import rules_array
from fullprime.engine.core.selfplay import FINALISTS
from fullprime.engine.evaluator import Boards, nets_by_phase, settled, weights_of
from fullprime.engine.follow_ups import follow_ups_array
from fullprime.engine.learning import NEAR, Exploration, Player
from fullprime.engine.nets import Floats, Net, NetError
from fullprime.engine.probabilities import a_point, swapped
from fullprime.engine.tree import worth_of
from fullprime.rules.variants.variant import Variant

BACK_GAME = "back_game"

_TOGETHER = 400
"""Games that go on side by side."""
_QUICK = 30_000
"""Positions of quick static games among which the phase is looked for."""
_STRAYING = Exploration(chance=0.04, heat=0.03, wild=0.3, usual=0.7)
"""How those games come into it."""
_SKETCHED = 0.3
"""Share of the games that begin from sketches of rare families instead."""
_AFTER = 40
"""Plies that a game goes on after the phase is over; then the net of ordinary contact is asked."""
_LONGEST = 160


def are_back_games(boards: Boards) -> NDArray[np.bool_]:
    """Which positions (n, 32) are asked of the net for back games: (n,)."""
    found = np.zeros(len(boards), np.bool_)
    network.back_games_among(np.ascontiguousarray(boards), found)
    return found


class PhasePlayer:
    """Self-play of back games. ``large`` judges everything else, ``own`` them, if there is a net for them yet.

    ``starts`` are rare positions (n, 32), of which those of the phase begin a part of the games. Raises NetError for
    games whose rolls give more than two dice.
    """

    def __init__(
        self,
        variant: Variant,
        large: Net,
        small: Net | None = None,
        own: Net | None = None,
        starts: Boards | None = None,
    ) -> None:
        if follow_ups_array(variant).any():
            raise NetError(f"{variant.name} has no back games to learn from: its rolls give more than two dice")
        weights = {"contact": weights_of(large)}
        if small is not None:
            weights["small"] = weights_of(small)
        if own is not None:
            weights[BACK_GAME] = weights_of(own)
        self._variant = variant
        self._nets = nets_by_phase(weights, variant)
        self._quick = Player(variant, large, starts=starts, ahead=False)
        self._sketches = np.zeros((0, 32), np.int8) if starts is None else starts[are_back_games(starts)]
        self._bench = kernels.bench_for(self._nets)
        self._rules = rules_array(variant)
        self._worth = worth_of(CUBELESS, self._nets.per_checker)
        self._near = np.float32(NEAR * a_point(self._nets.per_checker))

    def play(self, positions: int, seed: int) -> tuple[Boards, Floats, int]:
        """At least so many positions (n, 32) of the phase, what they proved to be worth (n, 5), and games begun."""
        rng = np.random.default_rng(seed)
        met, _, _ = self._quick.play(_QUICK, seed, 0.0, _STRAYING)
        met = met[are_back_games(met)]
        begun, found = 0, 0
        boards: list[Boards] = []
        targets: list[Floats] = []
        while found < positions:
            starts = self._starts(met, rng)
            begun += len(starts)
            for rows, values in self._played_out(starts, rng):
                inside = are_back_games(rows)
                boards.append(rows[inside])
                targets.append(values[inside])
                found += int(inside.sum())
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

    def _played_out(self, starts: Boards, rng: np.random.Generator) -> list[tuple[Boards, Floats]]:
        """Positions of games from ``starts`` and their labels, ply by ply from the last."""
        games = np.arange(len(starts))
        boards = starts
        since = np.zeros(len(starts), np.int64)  # plies since the phase was over, by game
        plies: list[tuple[NDArray[np.int64], Boards, Floats, Floats]] = []
        while len(games) and len(plies) < _LONGEST:
            children = np.empty((len(boards), 21, 32), np.int8)
            values = np.empty((len(boards), 21, 5), np.float32)
            boards = np.ascontiguousarray(boards)
            kernels.expand(
                self._nets, boards, self._rules, self._worth, FINALISTS, self._near, self._bench, children, values
            )
            mean = (swapped(values) * kernels.WEIGHTS[:, np.newaxis]).sum(axis=1)
            rows = np.arange(len(boards))
            rolls = rng.choice(21, len(boards), p=kernels.WEIGHTS)
            promised = values[rows, rolls]
            plies.append((games, boards, mean, promised))
            boards = np.ascontiguousarray(children[rows, rolls])
            since[games] = np.where(are_back_games(boards), 0, since[games] + 1)
            on = ~settled(boards, self._variant)[0] & (since[games] < _AFTER)
            games, boards = games[on], boards[on]
        found: list[tuple[Boards, Floats]] = []
        proved = np.zeros((len(starts), 5))
        known = np.zeros(len(starts), np.bool_)
        for played, rows_then, mean, promised in reversed(plies):
            after = np.where(known[played, np.newaxis], proved[played], promised)
            proved[played] = mean + (swapped(after) - swapped(promised))
            known[played] = True
            found.append((rows_then, np.clip(proved[played], 0, 1).astype(np.float32)))
        return found
