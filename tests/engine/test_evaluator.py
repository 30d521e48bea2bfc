"""Nets on positions: right, sane, exact at the end, and the same bits in any company."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from tests.engine.random_nets import random_net

from fullprime.engine.core.lanes import plain_vector
from fullprime.engine.core.nets import network
from fullprime.engine.core.pack import legal_plays, pack, swap, unpack
from fullprime.engine.cube.probabilities import equity, swap_differences, swap_sides
from fullprime.engine.nets import encoding
from fullprime.engine.nets.evaluator import NetEvaluator, best_results, find_outcomes, starting_boards, weights_of
from fullprime.engine.nets.net import NetError, nets_for, wide_phases
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, DUTCH
from fullprime_lab.training.families import draw_rare_starts
from fullprime_lab.training.model import Model, Shape
from fullprime_lab.training.phase_play import are_back_games


@pytest.fixture(scope="module")
def boards():
    races = [Position.from_text("6:5 4:5 2:5 / 8:3 6:5 3:7"), Position.from_text("5 1 off:13 / 2:3 off:12")]
    return np.concatenate([starting_boards(BACKGAMMON, 1), pack(races), draw_rare_starts(200, seed=9)])


@pytest.fixture(scope="module", params=[0, 64], ids=["two layers", "three layers"])
def evaluator(request):
    contact = Model(Shape(256, 64, 128, hidden3=request.param), seed=1)
    contact.averaged[:] = np.random.default_rng(4).normal(0, 0.2, contact.averaged.shape)
    net = contact.net("backgammon")
    # A third layer passes on what whole numbers move in the second, as loudly as its own weights are.
    return NetEvaluator(BACKGAMMON, {"contact": replace(net, layer5=net.layer5 * np.float32(0.1))})


def slow(net, boards):
    """The net by plain matrices, in double precision."""
    features = np.zeros((len(boards), encoding.FEATURES), np.float32)
    network.hand_feature_batch(boards, features)
    values = encoding.unit_values()
    out = []
    for position, row in zip(unpack(boards), features, strict=True):
        counts = [*position.player, *position.opponent, position.player_licence, position.opponent_licence]
        first = net.bias1.astype(np.float64)
        for group, count in enumerate(counts):
            first = first + values[group, int(count)] @ net.units[group].astype(np.float64)
        if len(net.hand):
            first[: net.hand.shape[1]] += row @ net.hand.astype(np.float64)
        first = np.maximum(first, 0)
        second = (first**2 if net.squared else first) @ net.layer2.astype(np.float64) + net.bias2
        second = np.maximum(second, 0)
        third = np.maximum(second @ net.layer4.astype(np.float64) + net.bias4, 0)
        logits = second @ net.layer3 + net.bias3 + third @ net.layer5
        out.append(1 / (1 + np.exp(-np.clip(logits, -plain_vector.LIMIT, plain_vector.LIMIT))))
    return np.array(out)


def raw_outputs(weights, boards):
    raw = np.zeros((len(boards), 5), np.float32)
    masks = np.zeros((len(boards), 4), np.int64)
    for at in range(len(boards)):
        network.store_masks(network.words_of(boards), at, masks)
    chosen = np.arange(len(boards))
    network.net_outputs(weights, boards, masks, chosen, len(boards), raw, network.make_scratch(weights))
    return raw


@pytest.mark.compiles
def test_outputs_are_those_of_the_net(evaluator, boards):
    net = evaluator.nets["contact"]
    raw = raw_outputs(evaluator.kernel_nets.contact, boards)
    assert np.abs(raw - slow(net, boards)).max() < 1e-3, "the table holds whole numbers"


@pytest.mark.compiles
def test_whole_numbers_move_a_net_of_the_package_by_a_thousandth_of_a_point(boards):
    # Its squares reach thousands, which cancel out in the second layer: steps four times as coarse move it by 0.003.
    # The nets are stored in whole numbers of other steps; of what was rounded twice one back game is off by 0.0065.
    for phase in ("contact", "back_game", "small"):
        net = nets_for("backgammon")[phase]
        moved = (raw_outputs(weights_of(net), boards) - slow(net, boards)) @ np.array([2, 1, 1, -1, -1])
        assert moved.std() < 1e-3
        assert np.abs(moved).max() < 7e-3


@pytest.mark.compiles
def test_one_weight_far_greater_than_its_fellows(boards):
    # Weights are whole numbers of 16 bits. A column in which one weight made up nearly all of the sum once overflowed.
    model = Model(Shape(128, 32, 128), seed=3)
    hand = model.at["hand"]
    hand[:] = np.random.default_rng(5).normal(0, 0.02, hand.shape)
    hand[np.arange(128) % len(hand), np.arange(128)] = 20.0
    model.averaged[:] = model.weights
    net = model.net("backgammon")
    weights = weights_of(net)
    assert np.abs(raw_outputs(weights, boards) - slow(net, boards)).max() < 5e-3


def test_the_same_bits_in_any_batch_and_thread(evaluator, boards):
    together = evaluator.evaluate(boards)
    alone = np.concatenate([evaluator.evaluate(boards[i : i + 1]) for i in range(len(boards))])
    backwards = evaluator.evaluate(boards[::-1])[::-1]
    with ThreadPoolExecutor(4) as threads:
        pieces = list(threads.map(evaluator.evaluate, np.array_split(boards, 13)))
    assert np.array_equal(together, alone)
    assert np.array_equal(together, backwards)
    assert np.array_equal(together, np.concatenate(pieces))


def test_outputs_are_cumulative_and_possible(evaluator, boards):
    p = evaluator.evaluate(boards)
    assert ((p >= 0) & (p <= 1)).all()
    assert (p[:, 2] <= p[:, 1]).all()
    assert (p[:, 1] <= p[:, 0]).all()
    assert (p[:, 4] <= p[:, 3]).all()
    assert (p[:, 3] <= 1 - p[:, 0]).all()
    assert not p[boards[:, 27] > 0, 1:3].any(), "no gammon against a side that has a checker off"
    assert not p[boards[:, 26] > 0, 3:].any()
    race = evaluator.evaluate(pack([Position.from_text("6:5 4:5 2:5 / 8:3 6:5 3:7")]))[0]
    assert race[2] == race[4] == 0, "no backgammon in a race when nobody is in the other's home"


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "contact"),
        ("24:2 20:2 6:6 5:5 / 8:5 6:5 4:5", "back_game"),
        ("24:2 20 13:3 6:5 5:4 / 8:5 6:5 4:5", "contact"),
        ("8:5 6:5 4:5 / 24:2 20:2 6:6 5:5", "back_game"),
        ("8:5 6:5 4:5 / 24:2 18:2 6:6 5:5", "contact"),
        ("bar:2 24:2 6:6 5:5 / 8:5 6:5 4:5", "contact"),
        ("24:2 19:2 5:6 3:5 / 8:5 7:5 4:5", "back_game"),
        ("6:5 4:5 2:5 / 8:3 6:5 3:7", "race"),
        ("24:2 6:9 5:4 / 6:5 5:5 4:5", "contact"),
        ("20:2 19:2 6:11 / 2:4 off:11", "race"),
    ],
)
def test_each_position_is_asked_of_the_net_of_its_phase(text, phase):
    nets = {
        phase: random_net(phase=phase, seed=number) for number, phase in enumerate(("contact", "race", "back_game"))
    }
    rows = pack([Position.from_text(text)])
    judged = NetEvaluator(BACKGAMMON, nets).evaluate(rows)
    alone = {name: NetEvaluator(BACKGAMMON, {"contact": net}).evaluate(rows) for name, net in nets.items()}
    assert [name for name, outputs in alone.items() if np.array_equal(outputs, judged)] == [phase]
    assert are_back_games(rows).tolist() == [phase == "back_game"]


def test_wide_nets_judge_back_games_themselves(boards):
    """Beside the contact net they have a net of their own; the manifest names the phases (docs/adr/0063)."""
    assert wide_phases("backgammon") == wide_phases("nackgammon") == ("back_game",)
    assert wide_phases("dutch") == ()
    nets = {
        phase: random_net(phase=phase, seed=number) for number, phase in enumerate(("contact", "back_game", "deep"))
    }
    back = are_back_games(boards)
    assert 0 < back.sum() < len(boards)
    evaluator = NetEvaluator(BACKGAMMON, nets)
    alone = {name: NetEvaluator(BACKGAMMON, {"contact": net}).evaluate(boards) for name, net in nets.items()}
    assert np.array_equal(evaluator.evaluate_deep(boards, 0), alone["deep"])
    usual = np.where(back[:, np.newaxis], alone["back_game"], alone["contact"])
    assert np.array_equal(evaluator.evaluate(boards), usual)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("1:2 off:13 / off:15", [0, 0, 0, 0, 0]),
        ("13 6:14 / off:15", [0, 0, 0, 1, 0]),
        ("19 6:14 / off:15", [0, 0, 0, 1, 1]),
        ("bar 6:14 / off:15", [0, 0, 0, 1, 1]),
        ("18 6:14 / off:15", [0, 0, 0, 1, 0]),
        ("off:15 / bar 6:14", [1, 1, 1, 0, 0]),
        ("off:15 / 24 6:14", [1, 1, 1, 0, 0]),
        ("off:15 / 18 6:14", [1, 1, 0, 0, 0]),
        ("off:15 / 18 6:13 off", [1, 0, 0, 0, 0]),
    ],
)
def test_finished_games_are_exact(evaluator, text, outcome):
    board = pack([Position.from_text(text)])
    assert evaluator.evaluate(board)[0].tolist() == outcome
    over, outcomes = find_outcomes(board, BACKGAMMON)
    assert over.all()
    assert outcomes[0].tolist() == outcome


def test_a_checker_in_hand_makes_a_backgammon():
    over, outcomes = find_outcomes(pack([Position.from_text("hand 6:14 / off:15")]), DUTCH)
    assert over.all()
    assert outcomes[0].tolist() == [0, 0, 0, 1, 1]


def test_games_settled_by_checkers_count_them():
    _, outcomes = find_outcomes(pack([Position.from_text("24:2 6:4 off:9 / off:15")]), ACEY_DEUCEY)
    assert equity(outcomes, ACEY_DEUCEY)[0] == pytest.approx(-6)
    _, outcomes = find_outcomes(pack([Position.from_text("off:15 / hand:3 bar 20:11")]), ACEY_DEUCEY)
    assert equity(outcomes, ACEY_DEUCEY)[0] == pytest.approx(15)


def test_swapping_turns_the_equity_round():
    p = np.array([[0.6, 0.2, 0.01, 0.1, 0.005], [0.3, 0.1, 0.0, 0.2, 0.1]])
    assert equity(swap_sides(p)) == pytest.approx(-equity(p))
    assert swap_sides(swap_sides(p)) == pytest.approx(p)


@pytest.mark.parametrize("shape", [(5,), (40, 5), (3, 21, 5)])
def test_probabilities_and_their_differences_are_swapped_to_the_last_bit(shape):
    p = np.random.default_rng(9).normal(size=shape)
    win, gammon, backgammon, lose_gammon, lose_backgammon = np.moveaxis(p, -1, 0)
    others = [lose_gammon, lose_backgammon, gammon, backgammon]
    assert swap_sides(p).tobytes() == np.stack([1 - win, *others], axis=-1).tobytes()
    assert swap_differences(p).tobytes() == np.stack([-win, *others], axis=-1).tobytes()
    q = np.roll(p, 1, axis=0) if p.ndim > 1 else p + 0.25
    assert swap_sides(p) - swap_sides(q) == pytest.approx(swap_differences(p - q))


def test_the_best_result_has_the_greatest_equity(evaluator, boards):
    running = boards[~find_outcomes(boards, BACKGAMMON)[0]]
    dice = np.random.default_rng(0).integers(1, 7, (len(running), 2), dtype=np.int8)
    chosen = best_results(evaluator, running, dice)
    rows, first = legal_plays(running, dice)
    for i, board in enumerate(chosen):
        results = swap(rows[first[i] : first[i + 1]])
        values = equity(evaluator.evaluate(results))
        assert (results[int(values.argmin())] == board).all()


def test_the_race_net_is_asked_about_races_only(boards):
    contact, race = (
        Model(Shape(128, 32, 0), seed=seed).net("backgammon", phase) for seed, phase in ((1, "contact"), (2, "race"))
    )
    both = NetEvaluator(BACKGAMMON, {"contact": contact, "race": race}).evaluate(boards)
    one = NetEvaluator(BACKGAMMON, {"contact": contact}).evaluate(boards)
    two = NetEvaluator(BACKGAMMON, {"contact": race}).evaluate(boards)
    races = np.array([position.is_race for position in unpack(boards)])
    assert 0 < races.sum() < len(boards)
    assert np.array_equal(both[~races], one[~races])
    assert np.array_equal(both[races], two[races])


def test_arrays_of_another_form_are_refused(evaluator):
    with pytest.raises(NetError, match="int8"):
        evaluator.evaluate(np.zeros((3, 32)))
    with pytest.raises(NetError, match="32"):
        evaluator.evaluate(np.zeros((3, 28), np.int8))
    with pytest.raises(NetError, match="no contact net"):
        NetEvaluator(BACKGAMMON, {"race": Model(Shape(128, 32, 0)).net("backgammon", "race")})
