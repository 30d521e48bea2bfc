"""The trainer on PyTorch makes the same steps as our own, and both read each other's files."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (fullprime-lab[torch])")

from fullprime.engine.nets.evaluator import NetEvaluator, starting_boards  # noqa: E402
from fullprime.rules.variants import BACKGAMMON, DUTCH  # noqa: E402
from fullprime_lab.training.errors import TrainingError  # noqa: E402
from fullprime_lab.training.families import draw_rare_starts  # noqa: E402
from fullprime_lab.training.fit import make_model  # noqa: E402
from fullprime_lab.training.model import Model, Shape  # noqa: E402
from fullprime_lab.training.torch_model import TorchModel  # noqa: E402


@pytest.fixture(scope="module")
def data():
    boards = np.concatenate([draw_rare_starts(62, seed=3), starting_boards(BACKGAMMON, 1), starting_boards(DUTCH, 1)])
    return boards, np.random.default_rng(1).random((len(boards), 5)).astype(np.float32)


SHAPES = [Shape(128, 32, 0), Shape(256, 64, 128), Shape(128, 32, 128, True), Shape(128, 32, 128, True, 64)]


@pytest.mark.parametrize("price", [0.0, 1e-3])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_one_step_is_the_same_step(data, shape, price):
    boards, targets = data
    ours, theirs = Model(shape, seed=4, price=price), TorchModel(shape, seed=4, price=price)
    chosen = np.arange(len(boards))
    # at the full rate a first step of Adam moves every weight by the rate: a wrong slope could not hide
    for model in (ours, theirs):
        model.steps = 299
    errors = [model.step(boards, targets, chosen, 1e-3) for model in (ours, theirs)]
    theirs.fetch()
    assert errors[0] == pytest.approx(errors[1], abs=1e-6)
    assert np.abs(ours.weights - Model(shape, seed=4).weights).max() > 1e-4
    assert np.abs(ours.weights - theirs.weights).max() < 1e-5
    assert np.abs(ours.averaged - theirs.averaged).max() < 1e-5


def test_one_step_is_the_same_step_where_labels_lie_beyond_0_and_1(data):
    boards, targets = data
    begun = Model(Shape(128, 32, 0), seed=4)
    begun.at["bias3"][:] = 9, -9, 9, -9, 0
    ours, theirs = Model(begun.shape), TorchModel(begun.shape)
    for model in (ours, theirs):
        model.adopt(begun.net("backgammon", averaged=False))
        model.steps = 299
        model.step(boards, 3 * targets - 1, np.arange(len(boards)), 1e-3)
    theirs.fetch()
    assert np.abs(ours.weights - theirs.weights).max() < 1e-5


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_many_steps_stay_together(data, shape):
    boards, targets = data
    ours, theirs = Model(shape, seed=4), TorchModel(shape, seed=4)
    batches = np.random.default_rng(3).integers(0, len(boards), (130, 32))
    for batch in batches:
        for model in (ours, theirs):
            model.step(boards, targets, batch, 1e-3)
    judged = [
        NetEvaluator(BACKGAMMON, {"contact": model.net("backgammon")}).evaluate(boards) for model in (ours, theirs)
    ]
    assert np.abs(judged[0] - judged[1]).max() < 5e-3


def test_what_one_trainer_began_the_other_goes_on_with(data, tmp_path):
    boards, targets = data
    shape, chosen = Shape(128, 32, 128), np.arange(len(boards))
    began = TorchModel(shape, seed=2)
    for _ in range(5):
        began.step(boards, targets, chosen, 1e-3)
    began.save(tmp_path / "state.npz")
    models = [Model(shape, seed=8), TorchModel(shape, seed=9)]
    for model in models:
        model.resume(tmp_path / "state.npz")
        assert model.steps == 5
        model.step(boards, targets, chosen, 1e-3)
    models[1].fetch()
    assert np.abs(models[0].weights - models[1].weights).max() < 1e-5


def test_a_net_is_adopted(data):
    boards, _ = data
    small = Model(Shape(128, 32, 0), seed=1).net("backgammon")
    model = TorchModel(Shape(256, 64, 128), seed=2)
    model.adopt(small)
    before, after = (NetEvaluator(BACKGAMMON, {"contact": net}) for net in (small, model.net("backgammon")))
    assert np.abs(before.evaluate(boards) - after.evaluate(boards)).max() < 3e-4


def test_devices_that_are_not_there_are_refused():
    with pytest.raises(TrainingError, match="no device 'abacus'"):
        make_model("abacus", Shape(128, 32, 0))
    with pytest.raises(TrainingError, match="0 threads"):
        make_model("numpy", Shape(128, 32, 0), threads=0)
    if not torch.cuda.is_available():
        with pytest.raises(TrainingError, match="no CUDA device"):
            make_model("cuda", Shape(128, 32, 0))
