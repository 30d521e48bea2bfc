"""The share of backgammons with a checker on the bar: games that teach it, and the fit."""

from __future__ import annotations

import numpy as np
from tests.engine.random_nets import random_engine

from fullprime.engine.boards.conversion import row_of
from fullprime.rules.position import Position
from fullprime_lab.training.bar_share import Endings, collect_examples, fit, play_games

BEHIND = Position.from_text("bar:2 23:2 6:11 / 1:2 off:13")
"""The player on roll loses at the next roll: by a backgammon, if a checker stays behind."""


def test_games_say_how_their_backgammons_ended():
    boards = np.repeat(row_of(BEHIND), 60, axis=0)
    met, games, endings = play_games(random_engine(level="0-ply"), boards, seed=3)
    assert [len(part) for part in met] == [60, 60]
    assert games[0].tolist() == list(range(60))
    assert 0 < len(endings.boards) <= 120
    assert len(endings.boards) % 2 == 0  # two positions of each game that ended so
    first = endings.lost & (endings.boards == boards[0]).all(axis=1)
    assert first.sum() == len(endings.boards) // 2
    second = endings.boards[~first]
    assert (-second[:, 0] > 0).tolist() == endings.on_bar[~first].tolist()  # the loser's bar before the last roll


def test_what_is_fitted_is_what_was_drawn():
    rng = np.random.default_rng(1)
    inputs = np.column_stack([np.ones(20_000), rng.normal(size=20_000)])
    weights = np.array([-1.0, 0.7])
    labels = rng.random(20_000) < 1.0 / (1.0 + np.exp(-inputs @ weights))
    np.testing.assert_allclose(fit(inputs, labels), weights, atol=0.06)


def test_every_fifth_batch_is_held_back_and_races_teach_nothing():
    race = row_of(Position.from_text("6:15 / 6:15"))
    ends = Endings(np.concatenate([row_of(BEHIND), race]), np.array([True, True]), np.array([True, False]))
    inputs, labels, held = collect_examples([ends] * 6)
    assert len(inputs) == 6
    assert labels.all()
    assert held.tolist() == [True, False, False, False, False, True]
