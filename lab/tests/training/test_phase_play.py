"""Self-play of back games: where it begins, when it ends, and what its labels say."""

import numpy as np
import pytest
from tests.engine.random_nets import random_net

from fullprime.engine.core.lookahead.search import ROLLS, WEIGHTS
from fullprime.engine.core.pack import legal_plays, swap
from fullprime.engine.cube.probabilities import equity, swap_sides
from fullprime.engine.nets.evaluator import NetEvaluator, best_results, find_outcomes
from fullprime.engine.nets.net import NetError
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, HYPERGAMMON
from fullprime_lab.training import phase_play
from fullprime_lab.training.families import draw_rare_starts
from fullprime_lab.training.phase_play import PhasePlayer, are_back_games

RARE = draw_rare_starts(60, seed=2)


def player(variant=BACKGAMMON, starts=RARE):
    return PhasePlayer(
        variant, random_net(variant, seed=1), back_game_net=random_net(variant, "back_game", 2), starts=starts
    )


def ahead(evaluator, board):
    """What one ply says of a board, roll by roll."""
    ends = best_results(evaluator, np.repeat(board[None], 21, axis=0), ROLLS.astype(np.int8))
    over, outcome = find_outcomes(board[None], BACKGAMMON)
    return np.repeat(outcome, 21, axis=0) if over[0] else swap_sides(evaluator.evaluate(ends))


def best_ahead(evaluator, board, roll):
    """The board after the best play at one ply of the three that look best."""
    rows, _ = legal_plays(board[None], ROLLS[roll][None].astype(np.int8))
    rows = swap(rows)
    static = equity(evaluator.evaluate(rows), BACKGAMMON)
    worth = {}
    for row in np.argsort(static, kind="stable")[:3]:
        if static[row] <= static.min() + 0.08:
            deep = equity((WEIGHTS @ ahead(evaluator, rows[row]))[None], BACKGAMMON)[0]
            worth[row] = 0.9 * deep + 0.1 * static[row]
    return rows[min(worth, key=worth.__getitem__)]


def test_labels_are_those_of_a_slow_reading(monkeypatch):
    monkeypatch.setattr(phase_play, "_TOGETHER", 6)
    monkeypatch.setattr(phase_play, "_AFTER", 3)
    monkeypatch.setattr(phase_play, "_QUICK", 300)
    boards, targets, begun = player().play(1, seed=8)
    assert begun == 6
    assert are_back_games(boards).all()

    # the same games one by one: nothing in common with the code but the rolls and the begins
    nets = {"contact": random_net(seed=1), "back_game": random_net(phase="back_game", seed=2)}
    evaluator = NetEvaluator(BACKGAMMON, nets)
    rng = np.random.default_rng(8)
    other = player()
    met = other._quick.play(300, 8, 0.0, phase_play._STRAYING)[0]
    starts = other._starts(met[are_back_games(met)], rng)
    rolls_of: dict[int, list[int]] = {game: [] for game in range(6)}
    seen: dict[int, list[np.ndarray]] = {game: [starts[game]] for game in range(6)}
    going, since = list(range(6)), dict.fromkeys(range(6), 0)
    while going:
        for game, roll in zip(going, rng.choice(21, len(going), p=WEIGHTS), strict=True):
            rolls_of[game].append(int(roll))
            after = best_ahead(evaluator, seen[game][-1], roll)
            seen[game].append(after)
            since[game] = 0 if are_back_games(after[None])[0] else since[game] + 1
        going = [g for g in going if not find_outcomes(seen[g][-1][None], BACKGAMMON)[0][0] and since[g] < 3]
    expected = {}
    for game, rolls in rolls_of.items():
        proved = WEIGHTS @ ahead(evaluator, seen[game][-1])
        for board, roll in zip(reversed(seen[game][:-1]), reversed(rolls), strict=True):
            values = ahead(evaluator, board)
            proved = WEIGHTS @ values + swap_sides(proved) - values[roll]
            expected[board.tobytes(), proved.round(3).tobytes()] = proved
    for board, target in zip(boards, targets, strict=True):
        near = [value for (key, _), value in expected.items() if key == board.tobytes()]
        assert min(np.abs(np.clip(value, 0, 1) - target).max() for value in near) < 1e-4


def test_the_same_seed_gives_the_same_games(monkeypatch):
    monkeypatch.setattr(phase_play, "_TOGETHER", 8)
    monkeypatch.setattr(phase_play, "_AFTER", 2)
    monkeypatch.setattr(phase_play, "_QUICK", 300)
    first, second, third = (player().play(20, seed) for seed in (3, 3, 4))
    assert np.array_equal(first[0], second[0])
    assert np.array_equal(first[1], second[1])
    assert not np.array_equal(first[0], third[0])
    assert len(first[0]) >= 20


def test_games_without_back_games_say_so():
    with pytest.raises(NetError, match="hypergammon came into no back game"):
        player(HYPERGAMMON, starts=None).play(10, 1)
    with pytest.raises(NetError, match="acey_deucey has no back games"):
        player(ACEY_DEUCEY, starts=None)
