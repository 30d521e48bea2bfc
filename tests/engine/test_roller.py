"""Levels beyond search: rollouts joined with look-ahead by their errors, and no more of them than a decision needs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.engine.random_nets import random_engine

from fullprime.engine.boards.conversion import position_of, row_of
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.engine import Engine, SearchLimits
from fullprime.engine.rollouts.adaptive_rollout import LookAheadEstimates, best_of, compare_with_marks, expected_gain
from fullprime.engine.rollouts.result import RolloutState
from fullprime.engine.rollouts.roller import (
    SINGLE,
    compare_cube_actions,
    errors_of_cubes,
    errors_of_plays,
    settle_plays,
)
from fullprime.engine.rollouts.rollout import Candidate, TrialPolicy, resume, rollout
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.levels import LEVELS, Level, Roller, Sieve, level_named
from fullprime.engine.tables.cubes import LiveCubes
from fullprime.rules.dice import Roll
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON
from fullprime.rules.words import format_signed

START = BACKGAMMON.starting_position
HOME = Position.from_text("6:2 5:2 4:3 off:8 / 6:3 5:2 3:3 off:7")
QUICK = Roller(trials=72, least_gain=-1.0, cut=3, opening=(1,))
"""All its trials always, short ones."""
STATIC = Level("static and rolled", 1, (Sieve(3, 9.0),), roller=QUICK)


@pytest.fixture(scope="module")
def engine():
    return random_engine(bearoff=True)


@pytest.fixture(scope="module")
def boards(engine):
    return engine.searcher.candidates(row_of(START), 6, 2)[:3]


def settled(engine, boards, roller, equities=(0.01, 0.0, -0.01), **more):
    outputs = np.tile([0.5, 0.1, 0.0, 0.1, 0.0], (len(equities), 1))
    ahead = LookAheadEstimates(np.array(equities), outputs)
    return settle_plays(engine.searcher, boards, CubeContext(), ahead, 2, roller, **more)


def test_trials_solve_no_large_bear_off_on_their_way(engine, monkeypatch):
    """Each took up to a second, and trials of a race near home ask for thousands: a hint took a minute."""
    calls: list[bool] = []
    equities = LiveCubes.equities

    def recorded(self, boards, context, *, leaves=False, most=0):
        calls.append(leaves)
        return equities(self, boards, context, leaves=leaves, most=most)

    race = Position.from_text("13 6:4 5:3 4:3 3:2 2:2 / 6:4 5:3 4:3 3:3 2:2")
    boards = engine.searcher.candidates(row_of(race), 4, 1)[:2]
    monkeypatch.setattr(LiveCubes, "equities", recorded)
    settled(engine, boards, replace(QUICK, trials=36, opening=(1, 1)), (0.01, 0.0))
    assert calls
    assert all(calls)


# -- how many trials ---------------------------------------------------------------------------------------------
def test_a_clear_decision_has_no_trials_and_keeps_what_look_ahead_says(engine, boards):
    estimates = settled(engine, boards, replace(QUICK, least_gain=0.0001), (0.5, 0.1, -0.2))
    assert estimates.trials == (0, 0, 0)
    assert estimates.complete
    assert estimates.equities.tolist() == [0.5, 0.1, -0.2]


def test_those_that_are_behind_beyond_doubt_drop_out_and_stay_behind(engine, boards):
    estimates = settled(engine, boards, replace(QUICK, trials=36, least_gain=0.00005), (0.01, 0.009, -0.5))
    assert estimates.trials == (36, 36, 0)
    assert estimates.equities[2] == pytest.approx(estimates.equities[0] - 0.51)
    assert estimates.joint[0, 2] == pytest.approx(SINGLE[2])
    assert estimates.joint[0, 1] < SINGLE[2]


def test_a_question_about_a_candidate_goes_on_when_another_has_dropped_out(engine, boards):
    """The second is out before the first trial; of the third it is still asked, under its own number."""
    counts: list[int] = []

    def first_and_third(equities):
        counts.append(len(equities))
        return [pair for pair in best_of(equities) if set(pair.among) == {0, 2}]

    estimates = settled(engine, boards, replace(QUICK, least_gain=0.00001), (0.01, -0.5, 0.009), choice=first_and_third)
    assert set(counts) == {3}
    assert estimates.trials == (72, 0, 72)


def test_the_joint_error_shrinks_with_trials(engine, boards):
    errors = [settled(engine, boards, replace(QUICK, trials=36 * many)).joint[0, 1] for many in (1, 2, 4)]
    assert errors[0] > errors[1] > errors[2] > 0
    assert errors[0] < settled(engine, boards, replace(QUICK, least_gain=9.0)).joint[0, 1] == pytest.approx(SINGLE[2])


def test_a_result_lies_between_look_ahead_and_trials(engine, boards):
    rolled = rollout(
        engine.searcher,
        [Candidate(position_of(row), str(place), theirs=True) for place, row in enumerate(boards)],
        CubeContext(),
        policy=TrialPolicy(truncate=3, opening=(1,), joint=True),
        trials=72,
        threads=1,
    )
    means = np.array([rolled.of(place).equity for place in range(3)])
    equities = np.array([0.01, 0.0, -0.01])
    joined = settled(engine, boards, QUICK).equities
    apart = (joined[0] - joined[1] - (equities[0] - equities[1])) / (means[0] - means[1] - (equities[0] - equities[1]))
    assert 0.0 < apart < 1.0


def test_what_more_trials_are_worth_falls_with_the_distance():
    assert expected_gain(0.0, 0.01) == pytest.approx(0.01 / np.sqrt(2 * np.pi))
    assert expected_gain(0.01, 0.01) == expected_gain(-0.01, 0.01) < expected_gain(0.0, 0.01)
    assert expected_gain(0.01, 0.0) == 0.0


def test_the_questions_of_a_choice_and_of_a_cube():
    assert [(pair.gap, pair.among) for pair in best_of(np.array([0.1, 0.3, 0.0]))] == [
        (pytest.approx(0.2), (1, 0)),
        (pytest.approx(0.3), (1, 2)),
    ]
    take, double = compare_cube_actions(np.array([0.5, 0.7]))
    assert (take.gap, double.gap) == (pytest.approx(-0.3), pytest.approx(-0.2))
    assert double.factors.tolist() == [1.0, -1.0]
    assert compare_cube_actions(np.array([0.9, 1.2]))[1].gap == pytest.approx(-0.1), (
        "a drop: the double is worth a point"
    )
    assert compare_cube_actions(np.array([0.1, 0.3, 0.2]))[1].factors.tolist() == [1.0, 0.0, -1.0], (
        "a beaver is better than a take"
    )


def test_a_loss_is_told_apart_from_the_marks_of_verdicts():
    loss = compare_cube_actions(np.array([0.5, 0.7]))[1]._replace(gap=0.05)
    marked = compare_with_marks(loss, (0.02, 0.08))
    assert [mark.gap for mark in marked] == [pytest.approx(0.03), pytest.approx(-0.03)]
    assert all(mark.among == loss.among and mark.factors is loss.factors for mark in marked)


def test_errors_are_covariances():
    for errors in (errors_of_plays(4, 3), errors_of_cubes(3)):
        for error in errors:
            assert np.linalg.eigvalsh(error).min() > 0
    ahead = errors_of_plays(2, 2).ahead
    assert np.sqrt(ahead[0, 0] + ahead[1, 1] - 2 * ahead[0, 1]) == pytest.approx(SINGLE[2])


# -- the same every time ------------------------------------------------------------------------------------------
def test_the_seed_decides_and_nothing_else(engine, boards):
    first, again = (settled(random_engine(bearoff=True), boards, QUICK) for _ in range(2))
    other = settled(engine, boards, replace(QUICK, seed=1))
    assert first.equities.tobytes() == again.equities.tobytes() == settled(engine, boards, QUICK).equities.tobytes()
    assert first.equities.tobytes() != other.equities.tobytes()


def test_plays_that_are_remembered_are_those_of_a_first_time(engine, boards):
    deep = replace(QUICK, opening=(2,))
    first = settled(random_engine(bearoff=True), boards[:2], deep, (0.0, 0.0))
    assert (
        first.equities.tobytes()
        == settled(random_engine(bearoff=True), boards[:2], deep, (0.0, 0.0)).equities.tobytes()
    )
    engine = random_engine(bearoff=True)
    once, twice = (settled(engine, boards[:2], deep, (0.0, 0.0)) for _ in range(2))
    assert once.equities.tobytes() == twice.equities.tobytes() == first.equities.tobytes()


def test_a_rollout_goes_on_with_some_of_its_candidates(engine, boards):
    all_of_them = [Candidate(position_of(row), str(place), theirs=True) for place, row in enumerate(boards)]
    policy = TrialPolicy(truncate=3, opening=(1, 1))
    begun = rollout(engine.searcher, all_of_them, policy=policy, trials=36, threads=1).state
    resumed = resume(engine.searcher, begun.only([2, 0]), trials=72, threads=1)
    all_at_once = rollout(engine.searcher, [all_of_them[2], all_of_them[0]], policy=policy, trials=72, threads=1)
    assert [play.equity for play in resumed.rolled] == [play.equity for play in all_at_once.rolled]
    assert RolloutState.from_json(resumed.state.to_json()).task.policy == replace(policy, cubeful=False)


# -- limits -------------------------------------------------------------------------------------------------------
def test_a_limit_gives_what_is_known_by_then(engine, boards):
    stopped = settled(engine, boards, QUICK, budget=Budget(stop=lambda: True))
    assert (stopped.trials, stopped.complete) == ((0, 0, 0), False)
    short = settled(engine, boards, replace(QUICK, trials=288), budget=Budget(nodes=20_000))
    assert 0 < short.most < 288
    assert not short.complete
    all_plays = engine.rank_plays(START, (6, 2), level=STATIC)
    nodes = engine.rank_plays(START, (6, 2), level=STATIC, limits=SearchLimits(nodes=8_000))
    assert all_plays.complete
    assert not nodes.complete


def test_progress_is_told_in_trials(engine, boards):
    progress: list[tuple[int, int]] = []
    settled(engine, boards, QUICK, progress=lambda done, most: progress.append((done, most)))
    assert progress == [(36, 72), (72, 72)]


# -- answers ------------------------------------------------------------------------------------------------------
def test_answers_tell_trials_and_errors(engine):
    ranking = engine.rank_plays(START, Roll(6, 2), CubeContext(), level=STATIC)
    rolled = [play for play in ranking if play.trials]
    assert len(rolled) == 3
    assert [play.rank for play in rolled] == [1, 2, 3]
    assert [(play.trials, play.error > 0, play.depth) for play in rolled] == [(72, True, 1)] * 3
    assert "1-ply, 72 trials" in ranking.text(1)
    assert f"± {rolled[1].error:.4f})" in ranking.text(2)
    assert ranking.records()[0]["trials"] == 72
    cube = engine.cube_decision(START, level=STATIC)
    assert (cube.trials, cube.error > 0, cube.take_error > 0) == (72, True, True)
    assert f"1-ply, 72 trials (double ± {cube.error:.4f}" in str(cube)
    evaluation = engine.evaluate(START, CubeContext(), level=STATIC)
    assert evaluation.trials == 72
    assert f"1-ply, 72 trials: equity {format_signed(evaluation.equity, 4)} ± {evaluation.error:.4f}" in str(evaluation)
    assert engine.best_play(START, (6, 2), CubeContext(), level=STATIC) == ranking.best.play


def test_exact_endings_and_games_without_a_cube(engine):
    assert engine.cube_decision(HOME, level=STATIC).trials == 0, "solved exactly"
    acey = random_engine(ACEY_DEUCEY)
    level = replace(STATIC, sieves=(Sieve(2, 99.0),), roller=replace(QUICK, trials=36))
    assert acey.rank_plays(acey.variant.starting_position, (5, 3), level=level).best.trials == 36


def test_the_levels_are_among_the_others():
    assert list(LEVELS)[-2:] == ["roller", "roller+"]
    assert level_named("strongest").name == "roller+"
    few, many = (LEVELS[name].roller for name in ("roller", "roller+"))
    assert few is not None
    assert many is not None
    assert few.trials < many.trials
    assert few.least_gain > many.least_gain


# -- with the nets of the package ----------------------------------------------------------------------------------
@pytest.mark.slow
def test_an_answer_agrees_with_a_long_rollout_within_its_errors():
    engine = Engine.open(level="roller")
    far = []
    for dice in ((6, 2), (4, 1), (6, 4), (2, 1)):
        ranking = engine.rank_plays(START, dice, CubeContext(), level=replace(LEVELS["roller"], roller=FULL))
        best = [play for play in ranking.plays[:2] if play.trials]
        long = rollout(
            engine.searcher,
            [Candidate.play(play.play) for play in best],
            CubeContext(),
            policy=TrialPolicy(seed=9, truncate=11, opening=(1, 1), joint=True),
            trials=1296,
        )
        first, second = long.of(0), long.of(1)
        apart = (best[0].equity - best[1].equity) - (first.equity - second.equity)
        far.append(apart / np.hypot(best[1].error, max(first.loss_error, second.loss_error)))
    assert np.abs(far).max() < 3.0
    assert np.sqrt(np.mean(np.square(far))) < 1.7


FULL = Roller(trials=288, least_gain=-1.0)
"""All trials, also where the decision is clear."""
