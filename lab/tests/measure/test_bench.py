"""The figures are measured, and of the same decisions."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from fullprime.engine.core.pack import legal_plays, unpack
from fullprime.rules.variants import BACKGAMMON, DUTCH
from fullprime_lab.measure.bench import bench_plays, random_decisions

HAS_PEER = importlib.util.find_spec("gnubg_nn") is not None


def test_the_peer_counts_as_many_plays() -> None:
    figures = bench_plays(rolls=300, runs=1)
    assert figures.rolls == 300
    assert figures.kernel_plays_per_second > 0
    assert figures.readable_ms_per_roll > 0
    if not HAS_PEER:
        pytest.skip("gnubg-nn is not installed")
    assert figures.peer is not None
    assert figures.peer.startswith("gnubg-nn ")
    assert figures.ratio == figures.kernel_plays_per_second / (figures.peer_plays_per_second or 0)


def test_a_game_the_peer_does_not_know() -> None:
    figures = bench_plays(DUTCH, rolls=200, runs=1)
    assert (figures.peer, figures.peer_plays_per_second, figures.ratio) == (None, None, None)


def test_decisions_depend_on_the_seed_alone_and_are_of_games_not_over() -> None:
    positions, dice = random_decisions(BACKGAMMON, 20_000, seed=5)
    again, same = random_decisions(BACKGAMMON, 20_000, seed=5)
    other, _ = random_decisions(BACKGAMMON, 20_000, seed=6)
    assert (positions == again).all()
    assert (dice == same).all()
    assert (positions != other).any()
    assert len(positions) == len(dice) == 20_000
    assert not any(position.is_over for position in unpack(positions))
    assert np.diff(legal_plays(positions, dice)[1]).min() == 1
