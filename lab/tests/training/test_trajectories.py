"""Games whose later course labels their positions."""

import numpy as np
import pytest

from fullprime.engine.core.layout import OFF, THEIR_OFF
from fullprime.engine.core.pack import unpack
from fullprime.engine.nets.evaluator import NetEvaluator
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.plays import legal_plays
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, LONGGAMMON
from fullprime_lab.training.learning import Exploration
from fullprime_lab.training.trajectories import SelfPlaySampler, Trajectories

EXPLORATION = Exploration(beside=0.5, aside=0.2, usual=1.0)


def turned(values):
    win, gammon, backgammon, lost, badly = values
    return [1 - win, lost, badly, gammon, backgammon]


def slow_label(games: Trajectories, at: int, trace: float):
    """The label of a position by the words of the module, one ply after the other."""
    if at + 1 == len(games.game) or games.game[at + 1] != games.game[at]:
        return games.ahead[at].tolist()
    later = slow_label(games, at + 1, trace)
    later = later if games.again[at] else turned(later)
    pairs = zip(games.ahead[at], later, games.played[at], strict=True)
    return [value + trace * (result - expected) for value, result, expected in pairs]


@pytest.mark.broad
@pytest.mark.parametrize("variant", [BACKGAMMON, ACEY_DEUCEY], ids=lambda v: v.name)
def test_labels_are_the_corrections_of_later_plies(variant):
    games = SelfPlaySampler(variant).trajectories(60, 5, EXPLORATION)
    assert len(games.boards) == len(games.ahead) == 60
    assert (np.diff(games.game) >= 0).all()
    for trace in (0.0, 0.6, 1.0):
        labels = games.labels(trace)
        for at in range(60):
            assert labels[at].tolist() == pytest.approx(slow_label(games, at, trace), abs=1e-5)


@pytest.mark.broad
def test_games_go_on_by_the_best_play_of_a_roll_and_say_what_was_expected():
    """The luck cancels only if the value of the board that is reached is the one that stands in the mean."""
    games = SelfPlaySampler(BACKGAMMON).trajectories(1200, 5, EXPLORATION)
    rows = np.flatnonzero(games.game[1:] == games.game[:-1])
    assert len(rows) > 400
    positions = unpack(games.boards)
    for at in rows[:12]:
        ends = {play.position for roll in ALL_ROLLS for play in legal_plays(positions[at], roll, BACKGAMMON)}
        assert positions[at + 1] in ends
    evaluator = NetEvaluator(BACKGAMMON)
    after = np.ascontiguousarray(games.boards[rows + 1])
    judged = sum(evaluator.evaluate_deep(after, number) for number in (0, 1)) / 2
    expected = np.array([turned(values) for values in judged])
    same = np.abs(expected - games.played[rows]).max(axis=1) < 1e-5
    assert same.mean() > 0.9, "both wide nets together, but where tables know"


@pytest.mark.broad
@pytest.mark.parametrize("variant", [BACKGAMMON, LONGGAMMON], ids=lambda v: v.name)
def test_every_part_of_a_game_is_seen_in_one_shard(variant):
    """Shards of forty plies from the start never saw an ending of Longgammon; a net learnt from them lost every one."""
    games = SelfPlaySampler(variant).trajectories(1500, 5, Exploration(beside=0.5))
    ended = np.flatnonzero((games.boards[:, OFF] > 0) | (games.boards[:, THEIR_OFF] > 0))
    assert len(ended) > 40, "some bear off"
    assert (games.boards[:, OFF] == 0).mean() > 0.3


@pytest.mark.broad
def test_ends_of_games_that_were_broken_off_are_not_learnt_from():
    games = SelfPlaySampler(BACKGAMMON).trajectories(1000, 5, EXPLORATION)
    boards, _, _ = SelfPlaySampler(BACKGAMMON).play(1000, 5, 0.9, EXPLORATION)
    kept = []
    for number in range(int(games.game[-1]) + 1):
        rows = np.flatnonzero(games.game == number)
        assert len(set(games.ended[rows].tolist())) == 1
        kept += rows.tolist() if games.ended[rows[0]] else rows[:-4].tolist()
    assert 500 < len(kept) < 1000
    assert np.array_equal(boards, games.boards[kept])


@pytest.mark.broad
def test_the_same_seed_plays_the_same_games():
    first, second = (SelfPlaySampler(BACKGAMMON).play(80, 9, 0.9, EXPLORATION) for _ in range(2))
    assert np.array_equal(first[0], second[0])
    assert np.array_equal(first[1], second[1])
    assert first[2] == second[2]
