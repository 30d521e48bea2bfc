"""The speed of our legal plays, measured now, on one core, beside a peer where it is installed.

The same decisions, from random games, go to every generator. Each figure is the best of a few runs: what else the
machine does can only make a run slower.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, ClassVar

from fullprime.common.json_values import JsonFields, json_names
from fullprime.rules.dice import Roll
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import Variant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

PEER = "gnubg_nn"


@dataclass(frozen=True, slots=True)
class PlaysBench:
    """The speed of finding legal plays."""

    __json__: ClassVar[JsonFields] = json_names(
        "variant", "rolls", "plays", "kernel_plays_per_second", "arrays_plays_per_second", "readable_ms_per_roll",
        "peer", "peer_plays_per_second", "ratio",
    )  # fmt: skip

    variant: str
    """The game."""
    rolls: int
    """The number of decisions that were played."""
    plays: int
    """The number of distinct plays that they have together."""
    kernel_plays_per_second: float
    """One call for all decisions into a buffer that is used again, as the engine does it."""
    arrays_plays_per_second: float
    """The checked Python call, results in a new array."""
    readable_ms_per_roll: float
    """The plain Python rules."""
    peer: str | None = None
    """Name and version of the peer, None where it is not installed or does not play this variant."""
    peer_plays_per_second: float | None = None
    """The peer's speed."""

    @property
    def ratio(self) -> float | None:
        """The kernel's plays a second, as a multiple of the peer's; None without a peer."""
        return None if self.peer_plays_per_second is None else self.kernel_plays_per_second / self.peer_plays_per_second


def bench_plays(variant: Variant = BACKGAMMON, rolls: int = 20_000, seed: int = 1, runs: int = 5) -> PlaysBench:
    """Measure legal plays on the decisions of random games; takes a few seconds."""
    import numpy as np

    from fullprime.engine.core.moves import plays as kernels
    from fullprime.engine.core.pack import legal_plays as array_plays
    from fullprime.engine.core.pack import rules_array, unpack

    positions, dice = random_decisions(variant, rolls, seed)
    results, offsets = array_plays(positions, dice, variant)
    buffer = np.empty((len(results) + kernels.MAX_PLAYS, results.shape[1]), np.int8)
    ends = np.empty(rolls, np.int64)
    rules = rules_array(variant)

    boards = unpack(positions)
    every = max(1, rolls // 400)  # from the first ply to the last
    sample = [(boards[i], Roll(*dice[i].tolist())) for i in range(0, rolls, every)]
    passes = sum(1 for i in np.flatnonzero(np.diff(offsets) == 1) if (results[offsets[i]] == positions[i]).all())
    works: list[Callable[[], object]] = [
        lambda: kernels.legal_plays_batch(positions, dice, rules, 0, buffer, ends),
        lambda: array_plays(positions, dice, variant),
        lambda: [legal_plays(position, roll, variant) for position, roll in sample],
    ]
    peer = _prepare_peer(boards, dice.tolist(), len(results) - passes) if variant == BACKGAMMON else None
    if peer:
        works.append(peer)
    seconds = _best(works, runs)
    return PlaysBench(
        variant=variant.name,
        rolls=rolls,
        plays=len(results),
        kernel_plays_per_second=len(results) / seconds[0],
        arrays_plays_per_second=len(results) / seconds[1],
        readable_ms_per_roll=1000 * seconds[2] / len(sample),
        peer=f"gnubg-nn {version('gnubg-nn')}" if peer else None,
        peer_plays_per_second=len(results) / seconds[3] if peer else None,
    )


def random_decisions(variant: Variant, rolls: int, seed: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """``(positions, dice)``: int8 (rolls, 32) and int8 (rolls, 2), from random games played side by side."""
    import numpy as np

    from fullprime.engine.core.layout import OFF
    from fullprime.engine.core.pack import legal_plays as array_plays
    from fullprime.engine.core.pack import pack, swap

    chance = np.random.default_rng(seed)
    start = pack([variant.starting_position])
    games = min(rolls, max(100, rolls // 100))
    rows = np.repeat(start, games, axis=0)
    positions, throws = [], []
    for _ in range(-(-rolls // games)):
        dice = chance.integers(1, 7, (games, 2), dtype=np.int8)
        positions.append(rows)
        throws.append(dice)
        results, offsets = array_plays(rows, dice, variant)
        chosen = results[chance.integers(offsets[:-1], offsets[1:])]
        rows = swap(chosen)
        rows[chosen[:, OFF] == variant.checkers] = start[0]
    return np.concatenate(positions)[:rolls], np.concatenate(throws)[:rolls]


def _prepare_peer(positions: list[Position], dice: list[list[int]], expected: int) -> Callable[[], object] | None:
    """The same decisions for gnubg-nn, None without it. Raises RuntimeError when it finds not ``expected`` plays."""
    try:
        moves = import_module(PEER).moves
    except ImportError:
        return None
    decisions = [
        ([list(position.opponent[1:26]), list(position.player[1:26])], *pair)
        for position, pair in zip(positions, dice, strict=True)
    ]
    count = sum(len(moves(*decision)) for decision in decisions)
    if count != expected:
        raise RuntimeError(f"{PEER} finds {count} plays in {len(decisions)} decisions, the core {expected}")

    def work() -> None:
        for board, first, second in decisions:
            moves(board, first, second)

    return work


def _best(works: list[Callable[[], object]], runs: int) -> list[float]:
    """Seconds of the fastest run of each; they take turns, so that a busy moment of the machine is shared by all."""
    for work in works:  # loading and compiling do not count
        work()
    seconds = [float("inf")] * len(works)
    for _ in range(runs):
        for i, work in enumerate(works):
            start = time.perf_counter()
            work()
            seconds[i] = min(seconds[i], time.perf_counter() - start)
    return seconds
