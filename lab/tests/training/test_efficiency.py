"""The cube's efficiency is learnt from positions that were looked at, and that goes on where it stopped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fullprime.engine.cube.learnt import LearntEfficiency
from fullprime.engine.engine import Engine
from fullprime.rules.errors import SettingsError
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.training.efficiency import collect, fit
from fullprime_lab.training.errors import TrainingError
from fullprime_lab.training.steps import efficiency


@pytest.mark.broad
def test_positions_are_collected_and_learnt_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullprime_lab.training.efficiency._SHARD", 160)
    engine, reports = Engine.open(BACKGAMMON), list[str]()
    collect(engine, tmp_path, 150, 1, 1, reports.append)
    (shard,) = tmp_path.glob("*.npz")
    before = shard.read_bytes()
    collect(engine, tmp_path, 150, 1, 1, reports.append)
    assert len(reports) == 1, "there are enough already"
    assert shard.read_bytes() == before
    result = fit(tmp_path, epochs=60)
    assert result.positions > 100
    assert result.after[0] < result.before[0]
    path = tmp_path / "learnt" / "backgammon.npz"
    result.efficiency.save(path, "a test")
    assert LearntEfficiency.load(path) == result.efficiency == fit(tmp_path, epochs=60).efficiency


def test_there_must_be_something_to_learn_from(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no shards"):
        fit(tmp_path)
    (tmp_path / "00000.npz").write_bytes(b"nothing")
    with pytest.raises(TrainingError, match=r"00000\.npz: no shard of positions"):
        fit(tmp_path)
    np.savez(tmp_path / "00000.npz", rows=np.zeros((1, 32)))
    with pytest.raises(TrainingError, match=r"00000\.npz"):
        fit(tmp_path)


@pytest.mark.parametrize(("game", "message"), [("nackgammon", "cube of backgammon"), ("acey_deucey", "without a cube")])
def test_a_game_without_a_cube_of_its_own_is_refused_before_any_work(game: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=message):
        efficiency(tmp_path, game, 1000, 1, 1, install=True, report=pytest.fail)
    assert not list(tmp_path.iterdir())
