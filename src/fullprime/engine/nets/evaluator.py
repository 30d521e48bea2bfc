"""Evaluation of positions: the protocol that every evaluator follows, and the nets behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.core.lanes.plain_vector import SHORT
from fullprime.engine.core.lanes.vector import LANES
from fullprime.engine.core.nets import network
from fullprime.engine.core.nets.features import MAX_ROWS
from fullprime.engine.core.pack import for_kernels, legal_plays, pack, swap
from fullprime.engine.cube.probabilities import equity
from fullprime.engine.nets import encoding
from fullprime.engine.nets.net import DEEP, Floats, Net, NetError, nets_for, wide_phases
from fullprime.rules.variants.variant import Settlement, Variant

Boards = NDArray[np.int8]
"""Packed positions (n, 32), C-contiguous, each seen by its player on roll."""


_LARGEST = 32766
_CACHE_LINE = 64


class Evaluator(Protocol):
    """The protocol of everything that evaluates positions."""

    variant: Variant

    def evaluate(self, boards: Boards) -> Floats:
        """Five outputs for each packed position (n, 32), the player on roll's view, before the roll: (n, 5)."""
        ...


def weights_of(net: Net) -> network.Weights:
    """Convert a net to the arrays that the kernels take."""
    columns = LANES - net.layer3.shape[1]
    # A unit's output above is whole numbers, too, as fine as they can be; their step goes into the first layer.
    step = np.maximum(np.abs(net.layer2).max(axis=1), 1e-12) / np.float32(_LARGEST)
    louder = np.sqrt(step) if net.squared else step
    table = encoding.table_of(net.units) * louder
    scale = _steps(encoding.largest_sums(table), _LARGEST - MAX_ROWS)  # every row may be half a step off
    hand, hand_scale = np.zeros((0, 0), np.int16), np.zeros(0, np.float32)
    if len(net.hand):
        # Each weight must fit into 16 bits, and the largest sum that features can make into 32.
        sizes = np.abs(net.hand)
        steps: Floats = np.maximum(
            _steps(sizes.max(axis=0), _LARGEST), _steps(sizes.sum(axis=0), (1 << 31) // SHORT - len(net.hand))
        )
        pairs = np.rint(net.hand / steps).astype(np.int16).reshape(len(net.hand) // 2, 2, -1)
        hand = pairs.transpose(0, 2, 1).reshape(len(pairs), -1)
        hand_scale = steps * louder[: len(steps)] / network.FEATURE_SCALE
    arrays = {
        "table": np.rint(table / scale).astype(np.int16),
        "scale": scale,
        "bias1": net.bias1 * louder,
        "hand": hand,
        "hand_scale": hand_scale,
        "layer2": np.rint(net.layer2 / step[:, np.newaxis]).astype(np.int16),
        "bias2": net.bias2,
        "layer3": np.pad(net.layer3, ((0, 0), (0, columns))),
        "bias3": np.pad(net.bias3, (0, columns)),
        "layer4": net.layer4,
        "bias4": net.bias4,
        "layer5": np.pad(net.layer5, ((0, 0), (0, columns))),
    }
    return network.Weights(**{name: align(array) for name, array in arrays.items()}, squared=net.squared)


def _steps(largest: Floats, most: int) -> Floats:
    """For each number the least step, a power of two, of which ``most`` are enough to reach it."""
    return np.exp2(np.ceil(np.log2(np.maximum(largest, 1e-12) / most))).astype(np.float32)


def align(array: NDArray[Any]) -> NDArray[Any]:
    """A C-contiguous copy that begins where a cache line does, because vectors across two lines are read twice."""
    room = np.empty(array.nbytes + _CACHE_LINE, np.uint8)
    start = -room.ctypes.data % _CACHE_LINE
    copy: NDArray[Any] = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def nets_by_phase(weights: Mapping[str, network.Weights], variant: Variant) -> network.Nets:
    """Convert the nets of a variant for the kernels; the contact net judges phases without a net of their own."""
    contact = weights["contact"]
    return network.Nets(
        small=weights.get("small", contact),
        contact=contact,
        race=weights.get("race", contact),
        back_game=weights.get("back_game", contact),
        filtered="small" in weights,
        per_checker=counts_checkers(variant),
    )


def counts_checkers(variant: Variant) -> bool:
    """True if outputs 1 and 3 mean checkers instead of gammons (see `probabilities`)."""
    return variant.settlement is not Settlement.GAMES


class NetEvaluator:
    """The nets of one variant, each asked about the positions of its phase.

    Finished games are exact, impossible results are zero and the outputs are cumulative. The same position gives the
    same bits in any batch and in any thread; one object may be used by several threads at once.
    """

    def __init__(self, variant: Variant, nets: Mapping[str, Net] | None = None) -> None:
        self.variant = variant
        self.nets = dict(nets or nets_for(variant.name))
        if "contact" not in self.nets:
            raise NetError(f"there is no contact net for {variant.name}")
        weights = {phase: weights_of(net) for phase, net in self.nets.items()}
        self.kernel_nets = nets_by_phase(weights, variant)
        alone = ("contact", *wide_phases(variant.name))
        self._deep_nets = [
            nets_by_phase(weights | dict.fromkeys(alone, weights[phase]), variant) for phase in DEEP if phase in weights
        ]
        self.per_checker = self.kernel_nets.per_checker

    def evaluate(self, boards: Boards) -> Floats:
        """Five outputs for each packed position (n, 32): (n, 5). Raises NetError for arrays of another form."""
        return self._run_nets(self.kernel_nets, boards)

    @property
    def deep_nets(self) -> int:
        """The number of wide nets for the ends of look-ahead."""
        return len(self._deep_nets)

    def evaluate_deep(self, boards: Boards, number: int) -> Floats:
        """The outputs of `evaluate` with the wide net of that number, from 0, in the place of the contact net and of
        those for `wide_phases`.
        """
        return self._run_nets(self._deep_nets[number], boards)

    @staticmethod
    def _run_nets(nets: network.Nets, boards: Boards) -> Floats:
        if boards.ndim != 2 or boards.shape[1] != 32 or boards.dtype != np.int8:
            raise NetError(f"positions must be int8 (n, 32), not {boards.dtype} {boards.shape}")
        boards = for_kernels(boards)
        out = np.empty((len(boards), network.OUTPUTS), np.float32)
        network.evaluate_phases(nets, boards, out)
        return out


def find_outcomes(boards: Boards, variant: Variant) -> tuple[NDArray[np.bool_], Floats]:
    """A mask (n,) of the finished games among positions (n, 32), and their outcomes (n, 5; zeros elsewhere)."""
    over = np.zeros(len(boards), np.bool_)
    outcomes = np.zeros((len(boards), network.OUTPUTS), np.float32)
    network.settle_batch(for_kernels(boards), counts_checkers(variant), over, outcomes)
    return over, outcomes


def best_results(evaluator: Evaluator, boards: Boards, dice: NDArray[np.int8]) -> Boards:
    """The board after the best play of each roll, at 0 plies, seen by the next player.

    ``boards`` (n, 32), ``dice`` (n, 2). The first among equals is taken.
    """
    rows, first = legal_plays(boards, dice, evaluator.variant)
    rows = swap(rows)
    values = equity(evaluator.evaluate(rows), evaluator.variant)
    lengths = np.diff(first)
    least = np.repeat(np.minimum.reduceat(values, first[:-1]), lengths)
    candidates = np.flatnonzero(values == least)
    _, chosen = np.unique(np.repeat(np.arange(len(lengths)), lengths)[candidates], return_index=True)
    best: Boards = rows[candidates[chosen]]
    return best


def starting_boards(variant: Variant, count: int) -> Boards:
    """``count`` copies of a variant's start, packed: (count, 32)."""
    return np.repeat(pack([variant.starting_position]), count, axis=0)
