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
def test_positions_are_collected_and_learnt_from(tmp_path: Path) -> None:
    engine, told = Engine.open(BACKGAMMON), list[str]()
    collect(engine, tmp_path, 300, 1, 1, told.append)
    (shard,) = tmp_path.glob("*.npz")
    before = shard.read_bytes()
    collect(engine, tmp_path, 300, 1, 1, told.append)
    assert len(told) == 1, "there are enough already"
    assert shard.read_bytes() == before
    found = fit(tmp_path, epochs=30)
    assert found.positions > 200
    assert found.after[0] < found.before[0]
    path = tmp_path / "learnt" / "backgammon.npz"
    found.efficiency.save(path, "a test")
    assert LearntEfficiency.load(path) == found.efficiency == fit(tmp_path, epochs=30).efficiency


def test_there_must_be_something_to_learn_from(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no shards"):
        fit(tmp_path)
    (tmp_path / "00000.npz").write_bytes(b"nothing")
    with pytest.raises(TrainingError, match=r"00000\.npz: no shard of positions"):
        fit(tmp_path)
    np.savez(tmp_path / "00000.npz", rows=np.zeros((1, 32)))
    with pytest.raises(TrainingError, match=r"00000\.npz"):
        fit(tmp_path)


@pytest.mark.parametrize(("game", "said"), [("nackgammon", "cube of backgammon"), ("acey_deucey", "without a cube")])
def test_a_game_without_a_cube_of_its_own_is_refused_before_any_work(game: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=said):
        efficiency(tmp_path, game, 1000, 1, 1, put=True, report=pytest.fail)
    assert not list(tmp_path.iterdir())
