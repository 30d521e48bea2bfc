"""Training killed at any moment goes on: what was written stands, and nothing half-written is ever read."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.cutting import Killed, at_every_change

from fullprime.engine.nets.evaluator import Boards, starting_boards
from fullprime.engine.nets.net import Floats, Net
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON
from fullprime_lab.training import run as runs
from fullprime_lab.training import selfplay
from fullprime_lab.training.config import read_config
from fullprime_lab.training.dataset import Replay, write_shard
from fullprime_lab.training.export import export
from fullprime_lab.training.fit import Fitting, fit
from fullprime_lab.training.label import relabel
from fullprime_lab.training.learning import Exploration
from fullprime_lab.training.model import Model, Shape
from fullprime_lab.training.partial_files import delete_partial_files, partial_path

SHAPE = Shape(128, 32, 0)


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    boards = starting_boards(HYPERGAMMON, 50)
    write_shard(tmp_path / "shards" / "0-000000.npz", boards, np.full((len(boards), 5), 0.5, np.float32))
    return tmp_path / "shards"


def test_a_fit_killed_at_every_write_goes_on(tmp_path: Path, shards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullprime_lab.training.fit._SAVE_SECONDS", 0.0)
    fitting = Fitting(minutes=1e-6, batch=8, at_least=10, replay=100, publish=0.0, steps=300)
    steps = [0]

    def state() -> None:
        if (tmp_path / "state.npz").exists():
            model = Model(SHAPE)
            assert model.resume(tmp_path / "state.npz") is not None, "the state and its time are one file"
            assert model.steps >= steps[-1], "what was kept is kept"
            steps.append(model.steps)
        for name in ("current.npz", "net.npz"):
            if (tmp_path / name).exists():
                Net.read(tmp_path / name)

    kills = at_every_change(
        tmp_path, lambda: fit(tmp_path, SHAPE, fitting, "hypergammon", report=lambda _: None), state
    )
    assert kills >= 10
    assert steps[-1] >= 300
    assert (tmp_path / "net.npz").exists()


class Judge:
    """In place of look-ahead by a net, which is not what can be cut."""

    def __init__(self, *_: object) -> None: ...

    def label(self, boards: Boards) -> Floats:
        return np.full((len(boards), 5), 0.25, np.float32)


def test_the_other_steps_killed_at_every_write(tmp_path: Path, shards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fullprime_lab.training.label.SelfPlayer", Judge)
    net, out, data = Model(SHAPE, seed=2).net("hypergammon"), tmp_path / "out", tmp_path / "data"
    first = export(Model(SHAPE, seed=1).net("hypergammon"), data)

    def labelled() -> None:
        for path in out.glob("[0-9]*-*[0-9].npz"):
            assert Replay(100).refresh(out) > 0, path

    def exported() -> None:
        named = [line.split('"')[1] for line in (data / "manifest.toml").read_text().splitlines() if ".npz" in line]
        assert len(named) == 1
        Net.load(data / "nets" / named[0])

    reports: list[str] = []
    assert at_every_change(tmp_path, lambda: relabel(HYPERGAMMON, shards, out, net, report=reports.append), labelled)
    assert len(reports) == 1
    assert at_every_change(data, lambda: export(net, data), exported)
    assert not first.exists(), "the net that was replaced is gone when all is done"


RARE = """
variant = "backgammon"
rare = 20

[[stage]]
name = "only"
shape = {hidden1 = 128, hidden2 = 32, hand = 0}
fitting = {minutes = 1}
"""


def test_the_rare_starts_are_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = starting_boards(BACKGAMMON, 20)
    monkeypatch.setattr(runs, "draw_rare_starts", lambda *_: boards)
    config, folder = tmp_path / "rare.toml", tmp_path / "run"
    config.write_text(RARE)
    plan = read_config(config)

    def whole_or_none() -> None:
        path = folder / runs.RARE
        assert not path.exists() or np.array_equal(np.load(path), boards)

    assert at_every_change(folder, lambda: runs.prepare(plan, folder), whole_or_none)


def test_a_folder_of_before_goes_on(tmp_path: Path, shards: Path) -> None:
    """In version 0.1 the time stood in a file of its own."""
    model = Model(SHAPE)
    model.steps = 7
    model.save(tmp_path / "state.npz")
    with np.load(tmp_path / "state.npz") as state:
        older = {name: state[name] for name in state if name != "seconds"}
    np.savez(tmp_path / "state.npz", **older)
    (tmp_path / "clock.json").write_text(json.dumps({"seconds": 60.0}))
    reports: list[str] = []
    fit(tmp_path, SHAPE, Fitting(minutes=1, at_least=10, replay=100), "hypergammon", report=reports.append)
    assert reports[0] == "goes on after 1.0 minutes, step 7"


def test_self_play_whose_run_was_killed_writes_nothing_more(
    tmp_path: Path, shards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next run plays the same shard: two processes must not write it."""
    Model(SHAPE).net("hypergammon").write(tmp_path / "current.npz")
    parents = iter((10, 10, 1))
    monkeypatch.setattr(os, "getppid", lambda: next(parents))
    monkeypatch.setattr(selfplay.SelfPlayer, "play", lambda *_, **__: (np.zeros((1, 32)), np.zeros((1, 5)), 1))
    selfplay.run_worker(
        HYPERGAMMON, tmp_path, 0, ahead=False, trace=0.6, exploration=Exploration(), positions=10, seed=1
    )
    assert [path.name for path in shards.iterdir()] == ["0-000000.npz"]


def test_what_was_left_unfinished_is_swept_away(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for number in (str(gone.pid), str(os.getpid()), "of an older version"):
        (tmp_path / f"0-000001.npz.{number}.partial.npz").touch()
    (tmp_path / "0-000001.npz").touch()
    delete_partial_files(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "0-000001.npz", f"0-000001.npz.{os.getpid()}.partial.npz",
    ]  # fmt: skip

    def killed_half_way() -> None:
        with partial_path(tmp_path / "text") as beside:
            beside.write_text("half")
            raise Killed

    with pytest.raises(Killed):
        killed_half_way()
    assert not list(tmp_path.glob("text*"))


LONG = """
variant = "hypergammon"
seed = 3
workers = 2

[[stage]]
name = "small"
ahead = false
positions = 1000
shape = {hidden1 = 128, hidden2 = 32, hand = 0}
fitting = {minutes = 0.2, batch = 64, at_least = 1000, replay = 20000, publish = 0.1, steps = 3000}

[[stage]]
name = "large"
start = "small"
positions = 100
shape = {hidden1 = 256, hidden2 = 32, hand = 128}
fitting = {minutes = 0.1, batch = 64, at_least = 200, replay = 20000, steps = 400}
"""


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.timeout(1800)
def test_a_run_killed_at_random_moments(tmp_path: Path) -> None:
    """Only the process of the run is killed: those of self-play find out by themselves."""
    config, folder = tmp_path / "long.toml", tmp_path / "run"
    config.write_text(LONG)
    code = (
        "import fullprime_lab.training.fit as fit; fit._SAVE_SECONDS = 0.2\n"
        "from fullprime_lab.training.run import main; main()"
    )
    chance, kills, kept = random.Random(1), 0, {}
    for number in range(60):
        process = subprocess.Popen([sys.executable, "-c", code, str(config), str(folder)], stdout=subprocess.DEVNULL)
        try:
            process.wait(chance.uniform(1.5, 12.0) if number < 20 else 600)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        kept = dict(_kept(folder, kept))
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
    assert (folder / "large" / "done").exists()
    assert Net.read(folder / "large" / "net.npz").origin == "run/large"
    sys.stdout.write(f"{kills} kills of a run of training: {len(kept)} files kept\n")
    assert kills >= 5


def _kept(folder: Path, before: dict[Path, int]) -> Iterator[tuple[Path, int]]:
    """What lies there whole: shards with their positions, states with their steps; never fewer than before."""
    for path in folder.glob("*/shards/[0-9]*-*[0-9].npz"):
        with np.load(path) as shard:
            yield path, len(shard["targets"])
    for path in folder.glob("*/state.npz"):
        with np.load(path) as state:
            yield path, int(state["steps"])
            assert int(state["steps"]) >= before.get(path, 0)
    assert all(path.exists() for path in before)
