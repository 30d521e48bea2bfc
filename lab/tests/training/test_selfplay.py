"""Self-play and labels against a slow reading of what they should be."""

from pathlib import Path

import numpy as np
import pytest
from tests.reference.turns import slow_turns

from fullprime.engine.core.pack import check_rows, pack, unpack
from fullprime.engine.cube.probabilities import equity, swap_sides
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import NetEvaluator, starting_boards
from fullprime.engine.nets.net import nets_for
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, DUTCH, HYPERGAMMON
from fullprime_lab.training.dataset import write_shard
from fullprime_lab.training.families import FAMILIES, draw_rare_starts
from fullprime_lab.training.judges import JudgedPlayer, Judges
from fullprime_lab.training.label import judge_named, relabel
from fullprime_lab.training.learning import Exploration, SelfPlayer
from fullprime_lab.training.model import Model, Shape


def random_net(seed, hidden1=128, variant="backgammon"):
    model = Model(Shape(hidden1, 32, 128), seed=seed)
    model.averaged[:] = np.random.default_rng(seed).normal(0, 0.15, model.averaged.shape)
    return model.net(variant)


def slow_look_ahead(evaluator, position):
    """The average over the 21 rolls of the best turn's outputs, by the readable rules."""
    variant, total = evaluator.variant, np.zeros(5)
    for roll in ALL_ROLLS:
        ends = list(slow_turns(position, roll, variant))
        values = evaluator.evaluate(pack([board for board, _ in ends]))
        mine = [value if again else swap_sides(value) for value, (_, again) in zip(values, ends, strict=True)]
        total += roll.weight / 36 * max(mine, key=lambda value: equity(value, variant))
    return total


@pytest.mark.parametrize("variant", [BACKGAMMON, HYPERGAMMON, DUTCH, ACEY_DEUCEY], ids=lambda v: v.name)
def test_a_label_is_the_average_over_the_rolls(variant):
    net = random_net(1, variant=variant.name)
    positions = [variant.starting_position]
    for roll in ALL_ROLLS[2:8:4]:
        positions.append(legal_plays(positions[-1], roll, variant)[-1].position)
    labels = SelfPlayer(variant, net).label(pack(positions))
    evaluator = NetEvaluator(variant, {"contact": net})
    for label, position in zip(labels, positions, strict=True):
        exact = slow_look_ahead(evaluator, position)
        if variant is ACEY_DEUCEY:
            # After a 2-1 only the boards that look best are followed: that can miss the best turn, never beat it.
            assert -0.15 < equity(label, variant) - equity(exact, variant) < 1e-4
        else:
            assert label == pytest.approx(exact, abs=1e-5)


@pytest.mark.parametrize("variant", [BACKGAMMON, DUTCH, ACEY_DEUCEY], ids=lambda v: v.name)
def test_positions_aside_stand_after_any_legal_play_and_are_judged_alone(variant):
    player = SelfPlayer(variant, random_net(2, variant=variant.name), ahead=False)
    boards, targets, _ = player.play(60, 3, 0.8, Exploration(aside=0.25))
    again, first_targets, _ = player.play(45, 3, 0.8, Exploration())
    assert np.array_equal(boards[:45], again)
    assert np.array_equal(targets[:45], first_targets)
    strange = boards[45:]
    check_rows(strange)
    assert np.array_equal(targets[45:], player.label(strange))
    reached = {
        play.position for before in unpack(again) for roll in ALL_ROLLS for play in legal_plays(before, roll, variant)
    }
    assert set(unpack(strange)) <= reached


def test_positions_beside_stand_after_one_of_the_best_four_plays_of_a_roll():
    net = random_net(2)
    player, evaluator = SelfPlayer(BACKGAMMON, net, ahead=False), NetEvaluator(BACKGAMMON, {"contact": net})
    boards, targets, _ = player.play(60, 3, 0.8, Exploration(aside=0.25, beside=0.25))
    alone, _, _ = player.play(30, 3, 0.8, Exploration())
    assert np.array_equal(boards[:30], alone)
    beside = boards[45:]
    assert len(beside) == 15
    assert np.array_equal(targets[45:], player.label(beside))
    best = set()
    for before in unpack(alone):
        for roll in ALL_ROLLS:
            ends = [play.position for play in legal_plays(before, roll, BACKGAMMON)]
            values = equity(evaluator.evaluate(pack(ends)))  # the next player's
            best |= {ends[at] for at in np.argsort(values)[:4]}
    assert set(unpack(beside)) <= best


def test_the_judges_label_whoever_plays(monkeypatch):
    """What the player would have said of the positions beside its games is never asked: it took half of the time."""
    player = SelfPlayer(HYPERGAMMON, random_net(4, variant="hypergammon"), ahead=False)
    exploration = Exploration(aside=0.2)
    played, _, as_many = player.play(20, 5, 0.7, exploration)
    monkeypatch.delattr(SelfPlayer, "label")
    boards, targets, begun = JudgedPlayer(HYPERGAMMON, player).play(20, 5, 0.7, exploration)
    assert np.array_equal(boards, played)
    assert begun == as_many
    assert targets == pytest.approx(Judges(HYPERGAMMON).label(boards))


def test_shards_are_labelled_anew_and_only_once(tmp_path):
    net, boards = random_net(5), pack([BACKGAMMON.starting_position] * 2)
    for number in range(2):
        write_shard(tmp_path / "old" / f"0-{number:06d}.npz", boards, np.zeros((2, 5), np.float32))
    reports: list[str] = []
    assert relabel(BACKGAMMON, tmp_path / "old", tmp_path / "new", net, report=reports.append) == 2
    assert relabel(BACKGAMMON, tmp_path / "old", tmp_path / "new", net, report=reports.append) == 0
    with np.load(tmp_path / "new" / "0-000001.npz") as shard:
        assert np.array_equal(shard["targets"], SelfPlayer(BACKGAMMON, net).label(boards))
    assert len(reports) == 2


def test_all_judges_of_the_package_label_together(tmp_path):
    """Their label is the engine's own value one ply ahead, the tables and the wide nets in it."""
    boards = starting_boards(HYPERGAMMON, 3)
    boards[1:] = SelfPlayer(HYPERGAMMON, nets_for("hypergammon")["contact"], ahead=False).play(
        2, 5, 0.0, Exploration()
    )[0]
    write_shard(tmp_path / "old" / "0-000000.npz", boards, np.zeros((3, 5), np.float32))
    assert relabel(HYPERGAMMON, tmp_path / "old", tmp_path / "new", judge_named(Path("package")), report=str) == 1
    engine = Engine.open(HYPERGAMMON, level="1-ply")
    with np.load(tmp_path / "new" / "0-000000.npz") as shard:
        for label, position in zip(shard["targets"], unpack(boards), strict=True):
            assert label == pytest.approx(engine.evaluate(position, cubeful=False).probabilities, abs=1e-6)


def test_finished_games_are_labelled_by_their_result():
    labels = SelfPlayer(BACKGAMMON, random_net(1)).label(pack([Position.from_text("24 6:14 / off:15")]))
    assert labels[0].tolist() == [0, 0, 0, 1, 1]


def test_the_filter_changes_little():
    position = pack([BACKGAMMON.starting_position])
    net = random_net(1)
    through_itself = SelfPlayer(BACKGAMMON, net, small=net).label(position)
    assert through_itself == pytest.approx(SelfPlayer(BACKGAMMON, net).label(position), abs=1e-6)


@pytest.mark.parametrize("variant", [BACKGAMMON, ACEY_DEUCEY], ids=lambda v: v.name)
def test_a_filter_that_errs_a_little_loses_little(variant):
    # A tenth of a point is half a checker where checkers are counted: the filter must leave as much room there.
    net, like_it = random_net(1, variant=variant.name), Model(Shape(128, 32, 128), seed=1)
    noise = np.random.default_rng(2).normal(0, 0.15 / 10, like_it.averaged.shape)
    like_it.adopt(net)
    like_it.averaged[:] += noise.astype(np.float32)
    whole = SelfPlayer(variant, net)
    boards, _, _ = whole.play(40, seed=3, trace=0.0, exploration=Exploration(usual=1.0))
    lost = equity(whole.label(boards), variant) - equity(
        SelfPlayer(variant, net, small=like_it.net(variant.name)).label(boards), variant
    )
    assert np.abs(lost).mean() < 0.03


def test_a_net_for_back_games_judges_those_in_the_look_ahead_alone():
    back_game = Position.from_text("24:2 22:2 8:4 6:4 5:3 / 8:4 6:6 5:5")
    boards = pack([BACKGAMMON.starting_position, back_game])
    net, other = random_net(1), random_net(2)
    alone, helped = (SelfPlayer(BACKGAMMON, net, back_games=helper).label(boards) for helper in (None, other))
    assert np.array_equal(alone[0], helped[0]), "no roll leads from the start into a back game"
    assert np.abs(alone[1] - helped[1]).max() > 0.01


@pytest.mark.broad
@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("variant", [BACKGAMMON, HYPERGAMMON, DUTCH, ACEY_DEUCEY], ids=lambda v: v.name)
def test_games_hold_legal_positions_and_depend_on_the_seed_alone(variant, ahead):
    player = SelfPlayer(variant, random_net(2, variant=variant.name), ahead=ahead)
    count = 150 if ahead else 1000
    if variant is ACEY_DEUCEY:
        count = 3 if ahead else 200  # an acey-deucey can end in very many ways
    boards, targets, begun = player.play(count, 7, 0.8, Exploration())
    check_rows(boards)
    assert {position.checkers for position in unpack(boards)} == {variant.checkers}
    assert not any(position.is_over for position in unpack(boards))
    assert ((targets >= 0) & (targets <= 1)).all()
    assert begun >= 1
    again = player.play(count, 7, 0.8, Exploration())
    other = player.play(count, 8, 0.8, Exploration())
    assert np.array_equal(boards, again[0])
    assert np.array_equal(targets, again[1])
    assert not np.array_equal(boards, other[0])


def test_without_a_trace_the_target_is_the_look_ahead():
    player = SelfPlayer(BACKGAMMON, random_net(3))
    boards, targets, _ = player.play(60, 1, 0.0, Exploration())
    assert targets == pytest.approx(player.label(boards), abs=1e-6)


def test_calm_games_do_not_stray_and_have_a_trace_of_their_own():
    player = SelfPlayer(BACKGAMMON, random_net(3))
    wild = Exploration(chance=0.5, heat=0.5, calm=1.0, calm_trace=0.0)
    boards, targets, _ = player.play(60, 1, 0.9, wild)
    assert targets == pytest.approx(player.label(boards), abs=1e-6)
    tame, seen, _ = player.play(60, 1, 0.0, Exploration(chance=0.0, heat=0.0, calm=1.0, calm_trace=1.0))
    assert np.array_equal(boards, tame)
    assert np.abs(seen - targets).max() > 1e-3


def test_rare_families_are_positions():
    rows = draw_rare_starts(40 * len(FAMILIES), seed=1)
    check_rows(rows)
    assert {position.checkers for position in unpack(rows)} == {15}
    assert np.array_equal(rows, draw_rare_starts(len(rows), seed=1))
