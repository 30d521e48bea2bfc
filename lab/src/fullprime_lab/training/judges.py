"""Labels without noise: one ply of look-ahead by all judges of the package, for every player."""

from __future__ import annotations

import numpy as np

from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.nets.net import Floats
from fullprime.rules.variants.variant import Variant
from fullprime_lab.training.learning import Exploration, SelfPlayer

_TOGETHER = 512


class Judges:
    """One ply of look-ahead by the package's engine: its nets for every phase, its wide nets, its tables."""

    def __init__(self, variant: Variant) -> None:
        self._engine = Engine.open(variant, "1-ply", threads=1)

    def label(self, boards: Boards) -> Floats:
        """The values of positions (n, 32): (n, 5)."""
        weights = self._engine.weights(CUBELESS)
        values = np.empty((len(boards), 5), np.float32)
        for start in range(0, len(boards), _TOGETHER):
            part = np.ascontiguousarray(boards[start : start + _TOGETHER])
            values[start : start + _TOGETHER] = self._engine.searcher.tree(part, 1, weights).outputs
        return values


class JudgedPlayer:
    """Games of self-play whose positions the judges label."""

    def __init__(self, variant: Variant, player: SelfPlayer) -> None:
        self._player = player
        self._judges = Judges(variant)

    def play(self, positions: int, seed: int, trace: float, exploration: Exploration) -> tuple[Boards, Floats, int]:
        """Positions (n, 32), their labels (n, 5), and the number of games begun; the trace says nothing here."""
        boards, _, begun = self._player.positions(positions, seed, trace, exploration)
        return boards, self._judges.label(boards), begun
