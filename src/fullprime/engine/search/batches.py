"""Many positions evaluated at once: arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.pack import pack, pack_counts
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.probabilities import equity as cubeless_equity
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.levels import Level, LevelError
from fullprime.engine.search.play_search import Judging
from fullprime.rules.errors import PositionError
from fullprime.rules.position import SLOTS, Position
from fullprime.rules.taking import short_value

Floats = npt.NDArray[np.float64]

_STATIC, _DEEP = 16_384, 256
"""Positions that are judged in one go, without look-ahead and with it: their trees lie in memory together."""


@dataclass(frozen=True, slots=True, eq=False)
class Evaluations:
    """The evaluations of many positions, in their order, each for its player on roll before the roll."""

    probabilities: Floats
    """(n, 5): win, win a gammon or more, win a backgammon, lose a gammon or more, lose a backgammon."""
    equity: Floats
    """(n,): with the cube and the score that were given; points of the stake, or units of the cube in a match."""
    level: str

    def __len__(self) -> int:
        return len(self.equity)

    def __str__(self) -> str:
        return f"{len(self):,} evaluations at {self.level}"


def evaluate_boards(judging: Judging, positions: object, context: CubeContext | None, level: Level) -> Evaluations:
    """Evaluate positions (an array of counts, or an iterable of positions) at one cube and score.

    Raises PositionError for what is no position of the game, LevelError for a level that misjudges or plays trials.
    """
    if level.noise or level.roller is not None:
        raise LevelError(f"level {level.name} judges one position after the other; choose one from 'fast' to '3-ply'")
    if judging.per_checker or context is None:
        context = CUBELESS
    searcher = judging.searcher
    boards = boards_of(positions, searcher.evaluator.variant.checkers)
    theirs = context.swapped
    weights, other = judging.weights(context), judging.weights(theirs)
    outputs, values = np.empty((len(boards), 5)), np.empty(len(boards))
    size = _DEEP if level.ply else _STATIC
    for first in range(0, len(boards), size):
        part = slice(first, first + size)
        tree = searcher.tree(np.ascontiguousarray(boards[part]), level.ply, weights, other, joint=level.joint)
        outputs[part] = tree.outputs
        if context is CUBELESS:  # what the cube is worth would take as long as the nets, and count for nothing
            values[part] = cubeless_equity(tree.outputs, searcher.evaluator.variant)
        else:
            values[part] = context.equity(tree.evaluate_decision(context, searcher.efficiency))
    return Evaluations(outputs, values, level.name)


def boards_of(positions: object, checkers: int) -> Boards:
    """Packed boards (n, 32) of an array of counts (n, 2, 27), or of positions. Raises PositionError."""
    if isinstance(positions, np.ndarray):
        return _boards_of_counts(positions, checkers)
    if not isinstance(positions, Iterable) or isinstance(positions, str | bytes):
        raise PositionError(f"{short_value(positions)} are no positions; give an array (n, 2, {SLOTS}) or positions")
    listed = []
    for number, position in enumerate(positions):
        if not isinstance(position, Position):
            raise PositionError(f"position {number}: {short_value(position)} is no Position")
        position.check(checkers)
        listed.append(position)
    return pack(listed)


def _boards_of_counts(counts: npt.NDArray[Any], checkers: int) -> Boards:
    if counts.ndim != 3 or counts.shape[1:] != (2, SLOTS) or counts.dtype.kind not in "iu":
        raise PositionError(f"positions are whole numbers (n, 2, {SLOTS}), not {counts.dtype} {counts.shape}")
    if counts.size and (counts.min() < 0 or counts.max() > checkers):
        raise PositionError(f"counts are 0 to {checkers}, not {counts.min()} to {counts.max()}")
    narrow = counts.astype(np.int8)
    own, other = narrow[:, 0], narrow[:, 1]
    for wrong, why in (
        (narrow.sum(axis=2, dtype=np.int64) != checkers, f"a side has not {checkers} checkers"),
        ((own[:, 1:25] > 0) & (other[:, 24:0:-1] > 0), "both sides stand on a point"),
        ((own[:, :1] == checkers) & (other[:, :1] == checkers), "both sides have borne off every checker"),
    ):
        rows = np.flatnonzero(wrong.any(axis=1))
        if len(rows):
            raise PositionError(f"position {rows[0]}: {why}")
    return pack_counts(own, other)
