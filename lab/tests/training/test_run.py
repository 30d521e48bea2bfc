"""The pipeline: configuration, replay, a whole tiny run, the gate."""

from dataclasses import replace
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import starting_boards
from fullprime.engine.nets.net import Net
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON
from fullprime_lab.training import phase_play
from fullprime_lab.training.config import read_config
from fullprime_lab.training.dataset import Replay, write_shard
from fullprime_lab.training.errors import ConfigError, TrainingError
from fullprime_lab.training.fit import Fitting, fit
from fullprime_lab.training.gate import gate
from fullprime_lab.training.learning import Exploration, SelfPlayer
from fullprime_lab.training.model import Model, Shape
from fullprime_lab.training.phase_play import are_back_games
from fullprime_lab.training.run import fit_stage, run, work
from fullprime_lab.training.selfplay import run_worker

TINY = """
variant = "hypergammon"
seed = 3

[[stage]]
name = "small"
ahead = false
positions = 1000
shape = {hidden1 = 128, hidden2 = 32, hand = 0}
fitting = {minutes = 0.03, batch = 64, at_least = 1000, replay = 20000, publish = 0.5, steps = 2000}

[[stage]]
name = "large"
start = "small"
filter = "small"
positions = 100
shape = {hidden1 = 256, hidden2 = 32, hand = 128}
fitting = {minutes = 0.03, batch = 64, at_least = 200, replay = 20000, steps = 400}

[[stage]]
name = "taught"
player = "small"
positions = 100
shape = {hidden1 = 128, hidden2 = 32, hand = 0}
exploration = {aside = 0.1}
fitting = {minutes = 0.01, batch = 64, at_least = 200, replay = 20000}
"""


@pytest.mark.slow
def test_a_tiny_run_goes_from_nothing_to_a_net(tmp_path):
    config, folder = tmp_path / "tiny.toml", tmp_path / "run"
    config.write_text(TINY)
    reports: list[str] = []
    net = run(config, folder, report=reports.append)
    assert (net.variant, net.origin) == ("hypergammon", "run/taught")
    assert all((folder / stage / "done").exists() for stage in ("small", "large", "taught"))
    before = (folder / "large" / "net.npz").stat().st_mtime_ns
    run(config, folder, report=reports.append)
    assert (folder / "large" / "net.npz").stat().st_mtime_ns == before, "what is done is not done again"
    assert reports[-3:] == ["small: done before", "large: done before", "taught: done before"]
    # even seconds of learning beat a net that has learnt nothing
    nothing = tmp_path / "nothing.npz"
    Model(Shape(128, 32, 0)).net("hypergammon").write(nothing)
    verdict = gate(str(folder / "large" / "net.npz"), str(nothing), HYPERGAMMON, games=600)
    assert verdict.promoted
    assert "promoted" in str(verdict)
    assert verdict.result.fair_points is not None
    lucky = replace(verdict, result=replace(verdict.result, fair_points=-0.01, fair_error=0.001))
    assert not lucky.promoted, "what the dice brought does not count"


@pytest.mark.broad
def test_the_steps_are_commands(tmp_path, command_line):
    config, folder = tmp_path / "tiny.toml", tmp_path / "run"
    config.write_text(TINY.replace("steps = 2000", "steps = 200").replace("steps = 400", "steps = 100"))
    done = command_line.run("train", "run", str(config), str(folder), "--until", "small", "--pace", "0.5")
    assert done.code == 0, done.err
    assert done.out.splitlines()[-1] == str(folder / "small" / "net.npz")
    done = command_line.run("train", "selfplay", str(config), str(folder), "large", "--shards", "3")
    assert done.code == 0, done.err
    shards = folder / "large" / "shards"
    assert sorted(path.name for path in shards.iterdir()) == [f"0-{number:06d}.npz" for number in range(3)]
    net = str(folder / "small" / "net.npz")
    done = command_line.run("train", "label", str(shards), str(folder / "new"), net, "-v", "hypergammon")
    assert done.code == 0, done.err
    assert len(list((folder / "new").iterdir())) == 3
    joined = folder / "joined"
    folders = str(shards), str(folder / "new")
    summary = command_line.run("train", "dataset", *folders, "--out", str(joined), "--json").json
    assert (summary["shards"], summary["positions"], summary["in_hand"]) == (6, 600, 0)
    assert 0.3 < summary["means"][0] < 0.7
    assert summary["different"] <= 300
    with np.load(joined / "0-000000.npz") as shard:
        assert len(shard["targets"]) == 600
    done = command_line.run("train", "fit", str(config), str(folder), "large")
    assert done.code == 0, done.err
    large = folder / "large" / "net.npz"
    assert Net.read(large).origin == "run/large"
    data = tmp_path / "data"
    done = command_line.run("train", "export", str(large), "--origin", "in a test", "--data", str(data))
    exported = Path(done.out.strip())
    assert exported.parent == data / "nets"
    assert Net.load(exported).origin == "in a test"
    assert exported.name in (data / "manifest.toml").read_text()
    same = command_line.run("train", "gate", str(large), str(large), "-g", "20", "-v", "hypergammon", "--json")
    assert (same.code, same.json["promoted"], same.json["points"]) == (1, False, 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "nowhere.toml", "RUN"), "nowhere.toml: there is no such configuration"),
        (("run", "package:chess", "RUN"), "package:chess: there is no such configuration"),
        (("fit", "CONFIG", "RUN", "medium"), "there is no stage 'medium'"),
        (("fit", "CONFIG", "RUN", "small"), "0 positions, fewer than the 1000 asked for"),
        (("fit", "CONFIG", "RUN", "small", "--device", "abacus"), "no device 'abacus'"),
        (("label", "RUN/none", "RUN/out", "net.npz"), "there is no such folder"),
        (("dataset", "RUN/none"), "no shards in"),
        (("gate", "RUN/net.npz"), "there is no such net"),
        (("export", "RUN/net.npz"), "there is no such net"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value[:2]),
)
def test_a_wrong_command_gets_one_line(tmp_path, command_line, arguments, words):
    config = tmp_path / "tiny.toml"
    config.write_text(TINY)
    paths = {"CONFIG": str(config)}
    named = [paths.get(argument, argument.replace("RUN", str(tmp_path / "run"))) for argument in arguments]
    done = command_line.run("train", *named)
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1


def test_a_stopped_fit_goes_on(tmp_path):
    rng = np.random.default_rng(0)
    boards = starting_boards(BACKGAMMON, 50)
    write_shard(tmp_path / "shards" / "0-000000.npz", boards, rng.random((len(boards), 5)).astype(np.float32))
    short = Fitting(minutes=0.003, batch=16, at_least=10, replay=100)
    fit(tmp_path, Shape(128, 32, 0), short, "backgammon", report=lambda _: None)
    steps = Model(Shape(128, 32, 0))
    spent = steps.resume(tmp_path / "state.npz")
    assert spent is not None
    minutes = spent / 60 + 0.003  # on a busy machine the first fit took longer than it was given
    reports: list[str] = []
    fit(
        tmp_path,
        Shape(128, 32, 0),
        Fitting(minutes=minutes, batch=16, at_least=10, replay=100),
        "backgammon",
        report=reports.append,
    )
    assert reports[0].startswith("goes on after")
    after = Model(Shape(128, 32, 0))
    seconds = after.resume(tmp_path / "state.npz")
    assert seconds is not None
    assert seconds >= minutes * 60
    assert after.steps > steps.steps
    Net.read(tmp_path / "net.npz")


def test_a_fit_without_positions_says_so(tmp_path):
    with pytest.raises(TrainingError, match="0 positions"):
        fit(tmp_path, Shape(128, 32, 0), Fitting(minutes=1), "backgammon")


def test_a_teacher_plays_and_judges(tmp_path):
    player, folder = tmp_path / "teacher.npz", tmp_path / "stage"
    net = Model(Shape(128, 32, 0), seed=4).net("hypergammon")
    net.write(player)
    run_worker(
        HYPERGAMMON,
        folder,
        0,
        ahead=True,
        trace=0.6,
        exploration=Exploration(),
        positions=50,
        seed=9,
        player=player,
        shards=1,
    )
    with np.load(folder / "shards" / "0-000000.npz") as shard:
        boards, targets = shard["boards"], shard["targets"]
    expected = SelfPlayer(HYPERGAMMON, net).play(50, 9, 0.6, Exploration())
    assert np.array_equal(boards, expected[0])
    assert np.array_equal(targets, expected[1])


BACK_GAMES = """
variant = "backgammon"
rare = 200

[[stage]]
name = "contact"
ahead = false
positions = 300
shape = {hidden1 = 128, hidden2 = 32, hand = 0}
fitting = {minutes = 0.001, batch = 16, at_least = 100, replay = 1000}

[[stage]]
name = "back"
phase = "back_game"
start = "contact"
player = "contact"
positions = 50
shape = {hidden1 = 128, hidden2 = 32, hand = 0}
fitting = {minutes = 0.001, batch = 16, at_least = 20, replay = 1000}
"""


def test_a_stage_learns_back_games_alone(tmp_path, monkeypatch):
    for name, value in (("_QUICK", 300), ("_TOGETHER", 12), ("_AFTER", 2)):
        monkeypatch.setattr(phase_play, name, value)
    config, folder = tmp_path / "back.toml", tmp_path / "run"
    config.write_text(BACK_GAMES)
    plan = read_config(config)
    for stage in plan.stages:
        work(config, folder, stage.name, 0, shards=1)
        net = fit_stage(plan, stage, folder, report=lambda _: None)
        assert net.phase == stage.phase
    with np.load(folder / "back" / "shards" / "0-000000.npz") as shard:
        assert are_back_games(shard["boards"]).all()
        assert len(shard["boards"]) >= 50
    assert Net.read(folder / "back" / "current.npz").name.startswith("backgammon-back_game-")
    nets = {
        phase: Net.read(folder / name / "net.npz") for name, phase in (("contact", "contact"), ("back", "back_game"))
    }
    Engine.open(nets=nets, bearoff=False).best_play(BACKGAMMON.starting_position, (3, 1))


@pytest.mark.parametrize("wrong", ['phase = "endgame"', 'phase = "back_game"'])
def test_a_phase_that_cannot_be_learnt(tmp_path, wrong):
    config = tmp_path / "tiny.toml"
    config.write_text(TINY.replace('name = "large"', f'name = "large"\n{wrong}'))
    with pytest.raises(ConfigError, match='phase is "contact", "deep", "deep_2", or "back_game" with a player'):
        read_config(config)


def test_replay_keeps_the_newest(tmp_path):
    replay = Replay(room=10)
    for number in range(4):
        boards = np.full((4, 32), number, np.int8)
        write_shard(tmp_path / f"0-{number:06d}.npz", boards, np.full((4, 5), number, np.float32))
        assert replay.refresh(tmp_path) == 4
        assert replay.refresh(tmp_path) == 0
    assert (replay.size, replay.received) == (10, 16)
    assert sorted(replay.boards[:, 0].tolist()) == [1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
    assert np.array_equal(replay.boards[:, 0], replay.targets[:, 0])


def test_the_rate_falls_in_cosines_and_starts_again():
    fitting = Fitting(minutes=1, rate=1e-3, last_rate=1e-5, cycles=2)
    rates = [fitting.rate_at(share) for share in (0, 0.25, 0.4999, 0.5, 0.75, 1)]
    assert rates == pytest.approx([1e-3, 5.05e-4, 1e-5, 1e-3, 5.05e-4, 1e-5], rel=0.01)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("minutes", "minuets"), "unknown minuets"),
        (('start = "small"', 'start = "big"'), "'big' is no earlier stage"),
        (('name = "large"', 'name = "small"'), "another stage 'small'"),
        (("hypergammon", "hyperchess"), "no variant 'hyperchess'"),
        (("[[stage]]", "[[step]]"), "no \\[\\[stage\\]\\]"),
        (("seed = 3", "seed = "), "Invalid value"),
    ],
)
def test_a_wrong_configuration_is_refused(tmp_path, change, words):
    config = tmp_path / "tiny.toml"
    config.write_text(TINY.replace(*change))
    with pytest.raises(Exception, match=words) as caught:
        read_config(config)
    assert change[0] == "hypergammon" or isinstance(caught.value, ConfigError)


def test_the_configurations_of_the_package_are_sound():
    configs = sorted((resources.files("fullprime_lab.training") / "configs").iterdir())
    runs = [read_config(Path(str(path))) for path in configs]
    assert "backgammon" in {one.variant.name for one in runs}
    for one in runs:
        for stage in one.stages:
            if stage.start.startswith("package:"):
                start = one.start_net(stage, Path())
                assert start is not None
                Model(stage.shape).adopt(start)  # raises where the nets in the package do not fit
