"""The bench beside peers: what it compares, and what it leaves out."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engine.random_nets import random_engine

from fullprime_lab.measure import bench_peers
from fullprime_lab.measure.bench_peers import PeerFigure, sample_decisions


def test_a_ratio_says_how_many_times_better_we_are() -> None:
    speed = PeerFigure("games/s", {"fullprime": 100.0, "gnubg-nn": 20.0, "bgsage": None}, more_is_better=True)
    assert speed.ratio("gnubg-nn") == 5
    assert speed.ratio("bgsage") is None
    time = PeerFigure("ms", {"fullprime": 2.0, "gnubg-nn": 5.0}, more_is_better=False)
    assert time.ratio("gnubg-nn") == 2.5


def test_the_sample_is_of_different_decisions_with_contact() -> None:
    boards, dice = sample_decisions(random_engine(), 50)
    assert len(boards) == len(dice) == 50
    both = np.concatenate([boards, dice], axis=1)
    assert len(np.unique(both, axis=0)) == 50
    for row in boards:
        mine = max(place for place in range(26) if row[place] > 0)
        theirs = min(place for place in range(26) if row[place] < 0)
        assert mine > theirs
    again, _ = sample_decisions(random_engine(), 50)
    assert (again == boards).all()


@pytest.mark.slow
def test_everything_is_measured_and_positive(monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[str] = []
    figures = bench_peers.bench_peers(20, reports.append)
    assert len(figures) == 7
    assert reports
    assert all(figure.values["fullprime"] > 0 for figure in figures)
