"""The trainer: its gradients, its agreement with the engine, growing, and going on after a stop."""

import numpy as np
import pytest

from fullprime.engine.nets.encoding import FEATURES
from fullprime.engine.nets.evaluator import NetEvaluator, starting_boards
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON
from fullprime_lab.training.errors import TrainingError
from fullprime_lab.training.families import draw_rare_starts
from fullprime_lab.training.joining import join_side_by_side
from fullprime_lab.training.learning import FirstLayer, adam
from fullprime_lab.training.model import OUTPUT_WEIGHTS, Model, Shape


@pytest.fixture(scope="module")
def data():
    boards = np.concatenate(
        [draw_rare_starts(96, seed=3), starting_boards(BACKGAMMON, 1), starting_boards(HYPERGAMMON, 1)]
    )
    targets = np.random.default_rng(1).random((len(boards), 5)).astype(np.float32)
    return boards, targets


def outputs(model, boards):
    """What the trainer computes on its way forward."""
    layer = FirstLayer(model.shape.hidden1, FEATURES if model.shape.hand else 0)
    first = layer.forward(boards, np.arange(len(boards)), *(model.at[name] for name in ("units", "bias1", "hand")))
    if model.shape.squared:
        first = first**2
    second = np.maximum(first @ model.at["layer2"] + model.at["bias2"], 0)
    logits = second @ model.at["layer3"] + model.at["bias3"]
    if model.shape.hidden3:
        third = np.maximum(second / model.loudness @ model.at["layer4"] + model.at["bias4"], 0)
        logits += third @ model.at["layer5"]
    return 1 / (1 + np.exp(-logits))


THIRD = Shape(128, 32, 128, squared=True, hidden3=64)


def make_measured_model(shape, seed, boards):
    """A model whose third layer, if it has one, has something to say."""
    model = Model(shape, seed=seed)
    if shape.hidden3:
        model.measure_loudness(boards, np.arange(len(boards)))
        model.at["layer5"][:] = np.random.default_rng(seed).normal(0, 0.03, model.at["layer5"].shape)
    return model


@pytest.mark.parametrize(
    "shape",
    [Shape(128, 32, 0), Shape(256, 64, 128), Shape(128, 32, 128), Shape(128, 32, 128, squared=True), THIRD],
)
def test_trainer_and_engine_agree(data, shape):
    boards, _ = data
    model = make_measured_model(shape, 5, boards)
    evaluator = NetEvaluator(BACKGAMMON, {"contact": model.net("backgammon", averaged=False)})
    ours, theirs = outputs(model, boards), evaluator.evaluate(boards)
    # The engine also holds outputs to what is possible; the chance to win is never changed.
    assert np.abs(ours[:, 0] - theirs[:, 0]).max() < 3e-4
    open_ = (boards[:, 26] == 0) & (boards[:, 27] == 0)
    assert open_.any()
    kept = np.minimum(ours[open_, 1], ours[open_, 0])
    assert np.abs(kept - theirs[open_, 1]).max() < 3e-4


@pytest.mark.parametrize("shape", [Shape(128, 32, 128), Shape(128, 32, 128, squared=True), THIRD], ids=str)
def test_gradients_are_the_slopes_of_the_loss(data, shape):
    boards, targets = data
    model = make_measured_model(shape, 2, boards)

    def loss():
        p = outputs(model, boards).astype(np.float64)
        return float((-(targets * np.log(p) + (1 - targets) * np.log(1 - p)) * OUTPUT_WEIGHTS).sum(1).mean())

    model.step(boards, targets, np.arange(len(boards)), rate=0.0)
    rng = np.random.default_rng(0)
    slopes = model.shape.views(model.gradient)
    for name in shape.arrays:
        slope, values = slopes[name].reshape(-1), model.at[name].reshape(-1)
        for index in {int(np.abs(slope).argmax()), *rng.integers(0, len(values), 2).tolist()}:
            kept, width = values[index], 3e-3
            values[index] = kept + width
            above = loss()
            values[index] = kept - width
            below = loss()
            values[index] = kept
            assert slope[index] == pytest.approx((above - below) / (2 * width), abs=3e-4, rel=0.05), name


@pytest.mark.parametrize(
    ("logit", "label", "pushed"), [(9, 1.2, False), (9, 0.5, True), (-9, -0.2, False), (7, 1.2, True)]
)
def test_no_label_pushes_an_output_further_than_far(data, logit, label, pushed):
    boards, _ = data
    model = Model(Shape(128, 32, 0), seed=2)
    model.at["layer3"][:], model.at["bias3"][:] = 0, logit
    model.step(boards, np.full((len(boards), 5), label, np.float32), np.arange(len(boards)), rate=0.0)
    assert model.gradient.any() == pushed


@pytest.mark.parametrize("price", [0.0, 1e-4])
@pytest.mark.parametrize("shape", [Shape(256, 64, 128, squared=True), THIRD], ids=str)
def test_threads_find_the_same_slopes(data, shape, price):
    boards, targets = data
    alone, together = Model(shape, seed=3, price=price), Model(shape, seed=3, price=price, threads=3)
    chosen = np.arange(len(boards))[:100]
    errors = [model.step(boards, targets, chosen, rate=1e-3) for model in (alone, together)]
    assert errors[0] == pytest.approx(errors[1], rel=1e-5)
    if not price:  # a unit's usual loudness is that of a thread's part
        assert np.abs(alone.gradient - together.gradient).max() < 1e-5
    assert np.abs(alone.gradient).max() > 1e-3
    for _ in range(3):
        errors = [model.step(boards, targets, chosen, rate=1e-3) for model in (alone, together)]
    assert errors[0] == pytest.approx(errors[1], rel=1e-2)


@pytest.mark.broad
def test_it_learns_what_it_is_shown(data):
    boards, targets = (part[: len(part) // 2] for part in data)
    model = Model(Shape(128, 32, 128), seed=1)
    chosen = np.arange(len(boards))
    errors = [model.step(boards, targets, chosen, 3e-3) for _ in range(700)]
    assert errors[-1] < 0.1 * errors[0]
    evaluator = NetEvaluator(BACKGAMMON, {"contact": model.net("backgammon")})
    assert np.abs(evaluator.evaluate(boards)[:, 0] - targets[:, 0]).mean() < 0.15


def test_a_grown_net_says_the_same(data):
    boards, _ = data
    small = Model(Shape(128, 32, 0), seed=1).net("backgammon")
    model = Model(Shape(256, 64, 128), seed=2)
    model.adopt(small)
    before = NetEvaluator(BACKGAMMON, {"contact": small}).evaluate(boards)
    after = NetEvaluator(BACKGAMMON, {"contact": model.net("backgammon")}).evaluate(boards)
    assert np.abs(before - after).max() < 3e-4
    with pytest.raises(TrainingError, match="does not fit"):
        Model(Shape(128, 32, 0)).adopt(model.net("backgammon"))


@pytest.mark.parametrize("second_layer", [32, 64])
def test_a_third_layer_begins_with_nothing_to_say_and_is_kept_by_a_net_that_grows(data, second_layer):
    boards, targets = data
    small = Model(Shape(128, 32, 128, squared=True), seed=1).net("backgammon")
    grown = Model(Shape(256, second_layer, 256, squared=True, hidden3=64), seed=2)
    grown.adopt(small)
    before, after = (NetEvaluator(BACKGAMMON, {"contact": net}) for net in (small, grown.net("backgammon")))
    assert np.abs(before.evaluate(boards) - after.evaluate(boards)).max() < 3e-4
    for _ in range(20):
        grown.step(boards, targets, np.arange(len(boards)), 3e-2)
    learnt = grown.net("backgammon", averaged=False)
    assert np.abs(learnt.layer5).max() > 1e-3
    again = Model(Shape(256, 96, 256, squared=True, hidden3=96), seed=3)
    again.adopt(learnt)
    again.step(boards, targets, np.arange(len(boards)), 0.0)  # the loudness of new units is measured now
    same = NetEvaluator(BACKGAMMON, {"contact": again.net("backgammon", averaged=False)}).evaluate(boards)
    assert np.abs(NetEvaluator(BACKGAMMON, {"contact": learnt}).evaluate(boards) - same).max() < 3e-4
    with pytest.raises(TrainingError, match="third layer of 64 does not fit"):
        Model(Shape(256, 64, 256, squared=True)).adopt(learnt)


@pytest.mark.parametrize("shape", [Shape(128, 32, 0), THIRD], ids=str)
def test_a_stopped_model_goes_on_as_if_it_had_not(data, tmp_path, shape):
    boards, targets = data
    first, second = Model(shape, seed=1), Model(shape, seed=8)
    batches = np.random.default_rng(3).integers(0, len(boards), (30, 16))
    for batch in batches[:15]:
        first.step(boards, targets, batch, 1e-3)
    first.save(tmp_path / "state.npz")
    second.resume(tmp_path / "state.npz")
    for batch in batches[15:]:
        first.step(boards, targets, batch, 1e-3)
        second.step(boards, targets, batch, 1e-3)
    assert np.array_equal(first.weights, second.weights)
    assert np.array_equal(first.averaged, second.averaged)


def test_a_slope_after_a_long_rest_moves_no_weight_far():
    weights, mean, square, scale = (np.zeros(3, np.float32) for _ in range(4))
    for step in range(200, 260):
        slope = np.array([0.01, 1.0 if step == 237 else 0.0, -0.02], np.float32)
        before = weights.copy()
        adam(weights, slope, mean, square, scale, 1e-3, 0.9, 0.99, step, 4)
        assert np.abs(weights - before).max() <= 3e-3


@pytest.mark.parametrize("thirds", [(0, 0), (32, 64)])
def test_two_nets_side_by_side_say_the_mean_of_both(data, thirds):
    boards, _ = data
    small = make_measured_model(Shape(128, 32, 128, True, thirds[0]), 1, boards)
    large = make_measured_model(Shape(256, 64, 256, True, thirds[1]), 2, boards)
    for model in (small, large):
        model.averaged[:] = model.weights
    joined = Model(Shape(384, 96, 384, True, sum(thirds)))
    joined.adopt(join_side_by_side(small.net("backgammon"), large.net("backgammon")))
    chances = [outputs(model, boards) for model in (small, large, joined)]
    logits = [np.log(chance / (1 - chance)) for chance in chances]
    assert logits[2] == pytest.approx((logits[0] + logits[1]) / 2, abs=1e-4)


@pytest.mark.parametrize("shape", [Shape(128, 32, 128), Shape(256, 32, 128, squared=True)])
def test_nets_of_two_kinds_do_not_stand_side_by_side(shape):
    with pytest.raises(TrainingError, match=r"joined|every column"):
        join_side_by_side(Model(shape).net("backgammon"), Model(Shape(128, 32, 128, squared=True)).net("backgammon"))
