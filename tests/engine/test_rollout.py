"""Rollouts: exact where the tables are, honest about their errors, the same whoever plays them."""

from __future__ import annotations

import os
import signal
import warnings
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from tests.engine.random_nets import random_engine

from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.engine import Engine
from fullprime.engine.rollouts.dice import GROUP, SQUARE, draw_throws
from fullprime.engine.rollouts.result import RolloutError, RolloutState, student_quantile
from fullprime.engine.rollouts.rollout import Candidate, StoppingRule, TrialPolicy, resume, rollout
from fullprime.engine.rollouts.trials import play_block
from fullprime.engine.rollouts.workers import Recipe, searcher_for
from fullprime.rules.dice import Roll
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON

CUBELESS = TrialPolicy(cubeful=False)
BEAR_IN = Position.from_text("8:2 6:2 4:3 off:8 / 7:3 5:2 3:3 off:7")
"""A race that the tables know after two plies or so: short trials with a well-defined mean."""


@pytest.fixture(scope="module")
def engine():
    return random_engine(bearoff=True)


@pytest.fixture(scope="module")
def searcher(engine):
    return engine.searcher


def bare():
    return random_engine(seed=5).searcher


def same(one, other):
    return len(one.groups) == len(other.groups) and all(
        np.array_equal(a, b, equal_nan=True)
        for mine, theirs in zip(one.groups, other.groups, strict=True)
        for a, b in zip(mine, theirs, strict=True)
    )


# -- dice ---------------------------------------------------------------------------------------------------------
def test_every_throw_comes_once_in_a_group_and_every_pair_once_in_a_square():
    trials = np.arange(2 * SQUARE)
    first, second = draw_throws(7, trials, 0), draw_throws(7, trials, 1)
    for start in range(0, len(trials), GROUP):
        assert sorted(first[start : start + GROUP]) == sorted(second[start : start + GROUP]) == list(range(36))
    for start in (0, SQUARE):
        assert len({*zip(first[start : start + SQUARE], second[start : start + SQUARE], strict=True)}) == SQUARE
    assert not np.array_equal(first[:SQUARE], first[SQUARE:])


def test_dice_depend_on_seed_trial_and_ply_alone():
    trials = np.arange(5000)
    for ply in range(6):
        all_throws = draw_throws(3, trials, ply)
        some = np.array([4711, 0, 36, 1296, 17])
        assert np.array_equal(draw_throws(3, some, ply), all_throws[some])
        assert not np.array_equal(draw_throws(4, trials, ply), all_throws)
    assert not np.array_equal(draw_throws(3, trials, 2), draw_throws(3, trials, 3))


def test_later_throws_are_even_and_without_memory():
    dice = np.stack([draw_throws(11, np.arange(72_000), ply, stratified=False) for ply in range(3)])
    counts = np.array([[count for _, count in sorted(Counter(row.tolist()).items())] for row in dice])
    assert counts.shape == (3, 36)
    # Chi squared with 35 degrees of freedom: mean 35, standard deviation 8.4.
    assert (((counts - 2000) ** 2 / 2000).sum(axis=1) < 75).all()
    assert abs(np.corrcoef(dice)[np.triu_indices(3, 1)]).max() < 0.02


# -- exactness ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["1:2 off:13 / 1 off:14", "6 5 off:13 / 3:2 off:13", "6:2 5:3 1 off:9 / 4:6 off:9"])
def test_positions_in_the_tables_are_worth_what_the_tables_say(engine, text):
    position = Position.from_text(text)
    exact = engine.cube_decision(position, CubeContext(), level="0-ply")
    candidates = Candidate.cube_actions(position, CubeContext())
    result = rollout(engine.searcher, candidates, CubeContext(), trials=36, threads=1)
    assert exact.exact
    assert result.of(0).equity == pytest.approx(exact.no_double, abs=1e-12)
    assert result.of(1).equity == pytest.approx(exact.double_take, abs=1e-12)
    assert [rolled.error for rolled in result.rolled] == [0, 0]
    assert result.decision.action is exact.action
    plain = rollout(engine.searcher, [Candidate.position(position)], policy=CUBELESS, trials=36, threads=1)
    assert plain.best.probabilities == pytest.approx(exact.probabilities, abs=1e-12)


def test_one_ply_before_the_tables_stratified_dice_give_the_exact_mean(searcher):
    # No tables and no luck taken out: two rolls decide, and 1,296 trials hold every pair of them once.
    position = Position.from_text("2:2 off:13 / 1:4 off:11")
    result = rollout(bare(), [Candidate.position(position)], policy=replace(CUBELESS, variance_reduction=False))
    exact = rollout(searcher, [Candidate.position(position)], policy=CUBELESS, trials=36)
    assert result.trials == 1296
    # Off at once with 26 throws of 36 (two on the deuce point: all but the ten with an ace that is not the double);
    # else the other side, with four on its ace point, needs a double.
    assert result.best.equity == pytest.approx(exact.best.equity, abs=1e-6)


@pytest.fixture
def turning(searcher, monkeypatch):
    """A searcher that does not solve bear-offs, so that cubes with a limit and at scores are really turned."""
    monkeypatch.setattr(searcher, "cubes", None)
    return searcher


@pytest.mark.parametrize("reduced", [True, False])
def test_a_last_roll_double(turning, reduced):
    """The opponent is off next time: no gammon, no recube. 26/36 to be off is a double and a take."""
    position = Position.from_text("2:2 off:13 / 1 off:14")
    context = CubeContext(cap=64)
    policy = TrialPolicy(variance_reduction=reduced)
    result = rollout(turning, Candidate.cube_actions(position, context), context, policy=policy, trials=36, threads=1)
    assert result.of(0).equity == pytest.approx(2 * 26 / 36 - 1, abs=1e-9)
    assert result.of(1).equity == pytest.approx(2 * (2 * 26 / 36 - 1), abs=1e-9)
    assert result.decision.should_double


def test_match_results_are_chances_to_win_the_match(turning):
    """At 2-away 2-away a doubled game decides the match, so that its chance is that of the game."""
    position = Position.from_text("2:2 off:13 / 1 off:14")
    context = CubeContext(away=(2, 2))
    result = rollout(turning, Candidate.cube_actions(position, context), context, trials=36, threads=1)
    assert result.of(1).value == pytest.approx(26 / 36, abs=1e-7)
    assert result.of(0).value == pytest.approx(
        26 / 36 * context.table.chance(1, 2) + 10 / 36 * context.table.chance(2, 1), abs=1e-7
    )


def test_jacoby_gammons_count_when_the_cube_is_turned():
    """Nothing off, far from home, against a last checker: the gammon is lost for sure, but with a turned cube only."""
    position = Position.from_text("1 off:14 / 23:15")
    alone = CubeContext(jacoby=True, cap=2)
    turned = CubeContext(cube=2, owner=CubeOwner.OPPONENT, cap=2)
    candidates = [replace(Candidate.position(position), action="no double")]
    assert rollout(bare(), candidates, alone, trials=36, threads=1).best.equity == pytest.approx(1)
    assert rollout(bare(), candidates, turned, trials=36, threads=1).best.equity >= 2


def test_a_drop_ends_the_trial_with_the_cube_as_it_was(turning):
    """After the opponent's drop the player has one point, whatever his position was worth."""
    position = Position.from_text("1:2 off:13 / 6:6 off:9")
    result = rollout(turning, [Candidate.position(position)], CubeContext(cap=64), trials=36, threads=1)
    assert result.best.equity == pytest.approx(1, abs=1e-9)


# -- means and errors ---------------------------------------------------------------------------------------------
@pytest.mark.broad
@pytest.mark.parametrize("context", [None, CubeContext(cap=64), CubeContext(away=(3, 5))])
def test_luck_taken_out_leaves_the_mean(searcher, context):
    """A trial without luck takes longer and says more: of the error in the difference the plain ones make the most."""
    candidate = [Candidate.position(BEAR_IN)]
    results = [
        rollout(
            searcher,
            candidate,
            context,
            policy=TrialPolicy(variance_reduction=is_reduced, stratified=False),
            trials=trials,
        )
        for is_reduced, trials in ((True, 864), (False, 2592))
    ]
    reduced, plain = (result.best for result in results)
    assert abs(reduced.equity - plain.equity) < 4 * np.hypot(reduced.error, plain.error)
    differences = np.subtract(reduced.probabilities, plain.probabilities)
    assert (abs(differences) <= 4 * np.hypot(reduced.probability_errors, plain.probability_errors) + 1e-12).all()


@pytest.mark.broad
@pytest.mark.parametrize("context", [None, CubeContext()])
def test_nets_that_know_the_game_take_most_of_the_noise_out(context):
    shipped = Engine.open(level="0-ply").searcher
    holding = Position.from_text("20:2 13:3 8:3 6:5 5:2 / 18:2 13:3 8:3 6:4 4:3")
    reduced, plain = (
        rollout(
            shipped,
            [Candidate.position(holding)],
            context,
            policy=TrialPolicy(variance_reduction=cubeful, truncate=11),
            trials=324,
        ).best
        for cubeful in (True, False)
    )
    # Nine groups know their own variance to about half of it: ask for most of the variance, not for a sharp share.
    assert reduced.error**2 < 0.5 * plain.error**2


def test_common_dice_make_differences_surer(searcher):
    plays = legal_plays(BEAR_IN, Roll(2, 1))[:3]
    policy = replace(CUBELESS, variance_reduction=False, stratified=False)
    result = rollout(searcher, [Candidate.play(play) for play in plays], policy=policy, trials=1296)
    for rolled in result.rolled[1:]:
        assert rolled.loss_error < np.hypot(rolled.error, result.best.error)
        assert rolled.loss == pytest.approx(result.best.equity - rolled.equity)


def test_a_play_is_worth_what_the_other_side_does_not_get(searcher):
    play = legal_plays(BEAR_IN, Roll(6, 5))[0]
    mine = rollout(searcher, [Candidate.play(play)], CubeContext(away=(4, 2)), trials=108).best
    theirs = rollout(searcher, [Candidate.position(play.position)], CubeContext(away=(2, 4)), trials=108).best
    assert mine.value == pytest.approx(1 - theirs.value)
    assert mine.value_error == pytest.approx(theirs.value_error)
    assert mine.probabilities[0] == pytest.approx(1 - theirs.probabilities[0])
    assert mine.probabilities[3] == pytest.approx(theirs.probabilities[1])


def covered(searcher, policy, context, trials, repetitions, truth):
    inside = 0
    for seed in range(repetitions):
        result = rollout(
            searcher,
            [Candidate.position(BEAR_IN)],
            context,
            policy=replace(policy, seed=1000 + seed),
            trials=trials,
            threads=1,
        )
        low, high = result.best.interval()
        inside += low <= truth <= high
    return inside / repetitions


def long_run(searcher, policy, context, trials=18_000):
    start = [Candidate.position(BEAR_IN)]
    return rollout(searcher, start, context, policy=replace(policy, seed=1), trials=trials).best.equity


@pytest.mark.broad
def test_intervals_cover_the_long_run_value(searcher):
    truth = long_run(searcher, CUBELESS, None, 9_000)
    # 40 repetitions: fewer than 33 would happen once in 1,000 times.
    assert covered(searcher, CUBELESS, None, 108, 40, truth) >= 33 / 40


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("context", [None, CubeContext(cap=64), CubeContext(away=(3, 5))])
@pytest.mark.parametrize("reduced", [True, False])
def test_intervals_are_honest(searcher, context, reduced):
    policy = TrialPolicy(variance_reduction=reduced, cubeful=context is not None)
    truth = long_run(searcher, policy, context)
    assert 0.90 <= covered(searcher, policy, context, 324, 200, truth) <= 0.98


def test_students_quantiles_are_those_of_the_tables():
    for freedom, quantile in ((8, 2.306), (12, 2.179), (35, 2.030), (1000, 1.962)):
        assert student_quantile(0.975, freedom) == pytest.approx(quantile, abs=6e-4)


# -- the same, whoever plays --------------------------------------------------------------------------------------
POLICIES = [
    CUBELESS,
    TrialPolicy(),
    TrialPolicy(variance_reduction=False, truncate=4),
    TrialPolicy(ply=1, cube_ply=1, truncate=3),
]


@pytest.mark.broad
@pytest.mark.parametrize("policy", POLICIES)
def test_results_depend_neither_on_batches_nor_on_threads(searcher, policy):
    context = CubeContext(away=(4, 3)) if policy.cubeful else None
    start = BACKGAMMON.starting_position
    policy = replace(policy, truncate=policy.truncate or 6)
    candidates = [Candidate.play(play) for play in legal_plays(start, Roll(3, 1))[:2]]
    one = rollout(searcher, candidates, context, policy=policy, trials=252, threads=1)
    two = rollout(searcher, candidates, context, policy=policy, trials=252, threads=2)
    assert same(one.state, two.state)
    assert str(one) == str(two)
    alone = [sums for group in range(7) for sums in play_block(searcher, one.state.task, range(group, group + 1))]
    assert same(one.state, replace(one.state, groups=tuple(alone)))


def test_a_small_net_takes_the_luck_out_without_bias():
    mixed = random_engine(small=True, bearoff=True).searcher
    start = [Candidate.position(BEAR_IN)]
    reduced, plain = (
        rollout(mixed, start, policy=replace(CUBELESS, variance_reduction=cubeful), trials=2592).best
        for cubeful in (True, False)
    )
    assert abs(reduced.equity - plain.equity) < 4 * np.hypot(reduced.error, plain.error)


@pytest.mark.broad
def test_going_on_is_the_same_as_never_having_stopped(searcher, tmp_path):
    candidates = Candidate.cube_actions(BEAR_IN, CubeContext(beavers=True))
    context = CubeContext(beavers=True)
    at_once = rollout(searcher, candidates, context, trials=360)
    part = rollout(searcher, candidates, context, trials=144)
    part.state.save(tmp_path / "rollout.json")
    stored = RolloutState.load(tmp_path / "rollout.json")
    assert stored.trials == 144
    assert same(stored, part.state)
    resumed = resume(searcher, stored, trials=360)
    assert same(at_once.state, resumed.state)
    assert str(at_once) == str(resumed)
    assert len(candidates) == 3


def test_an_executor_that_is_given_gets_the_same(searcher):
    candidates = [Candidate.position(BEAR_IN)]
    one = rollout(searcher, candidates, CubeContext(), trials=360, threads=1)
    with ThreadPoolExecutor(2) as executor:
        two = rollout(searcher, candidates, CubeContext(), trials=360, executor=executor)
    assert same(one.state, two.state)
    assert searcher_for(Recipe.of(searcher)) is searcher_for(Recipe.of(searcher))


class EndsLate(Future):
    """A block that ends at the very moment when waiting for it has lasted long enough."""

    def __init__(self, work, error=None):
        super().__init__()
        self._work, self._late_error = work, error

    def result(self, timeout=None):
        if not self.done():
            if self._late_error is None:
                self.set_result(self._work())
            else:
                self.set_exception(self._late_error)
            raise TimeoutError
        return super().result(timeout)


class LateExecutor(ThreadPoolExecutor):
    error = None

    def submit(self, function, /, *args, **kwargs):
        return EndsLate(lambda: function(*args, **kwargs), self.error)


def test_a_block_may_end_just_after_we_have_waited_long_enough(searcher):
    """On a loaded machine that took a whole review down."""
    candidates = [Candidate.position(BEAR_IN)]
    one = rollout(searcher, candidates, CubeContext(), trials=360, threads=1)
    with LateExecutor(2) as executor:
        late = rollout(searcher, candidates, CubeContext(), trials=360, executor=executor)
    assert same(one.state, late.state)


def test_a_block_that_runs_out_of_its_own_time_says_so(searcher):
    with LateExecutor(2) as executor:
        executor.error = TimeoutError("the worker gave up")
        with pytest.raises(TimeoutError, match="the worker gave up"):
            rollout(searcher, [Candidate.position(BEAR_IN)], CubeContext(), trials=360, executor=executor)


# -- stopping -----------------------------------------------------------------------------------------------------
def test_a_stopped_rollout_returns_what_is_known(searcher):
    states = []
    result = rollout(
        searcher,
        [Candidate.position(BEAR_IN)],
        trials=3600,
        threads=1,
        progress=states.append,
        stop=lambda: len(states) >= 2,
    )
    assert not result.complete
    assert result.trials == 216
    assert [state.trials for state in states] == [108, 216]
    at_once = rollout(searcher, [Candidate.position(BEAR_IN)], trials=216)
    assert same(result.state, at_once.state)


def test_a_rollout_stopped_before_its_first_block_knows_nothing(searcher):
    with pytest.raises(RolloutError, match="before its first trials"):
        rollout(searcher, [Candidate.position(BEAR_IN)], threads=1, stop=lambda: True)


def test_a_rule_ends_the_rollout_as_soon_as_it_is_sure_enough(searcher):
    start = [Candidate.position(BEAR_IN)]
    result = rollout(searcher, start, policy=CUBELESS, trials=36_000, rule=StoppingRule(error=0.01), threads=2)
    assert result.complete
    assert 324 <= result.trials < 36_000
    assert result.best.error <= 0.01
    assert "standard errors" in result.reason
    again = rollout(searcher, start, policy=CUBELESS, trials=36_000, rule=StoppingRule(error=0.01), threads=1)
    assert same(result.state, again.state)


def test_a_clear_choice_ends_the_rollout(searcher):
    good, bad = Position.from_text("7:2 off:13 / 6:8 off:7"), Position.from_text("8:8 off:7 / 6:2 off:13")
    candidates = [Candidate.position(good, "good"), Candidate.position(bad, "bad")]
    result = rollout(searcher, candidates, trials=3600, rule=StoppingRule(apart=3.0))
    assert result.trials == 324
    assert result.best.name == "good"
    assert "clear" in result.reason


def test_a_clear_cube_decision_ends_the_rollout(searcher):
    context = CubeContext(cap=64)
    race = Position.from_text("7 5:4 3:3 off:7 / 7:4 6:5 5:4 off:2")
    result = rollout(
        searcher, Candidate.cube_actions(race, context), context, trials=3600, rule=StoppingRule(apart=2.0)
    )
    assert result.trials < 3600
    assert "clear" in result.reason
    assert result.decision.probabilities == result.of(0).probabilities


# -- what cannot be ------------------------------------------------------------------------------------------------
def test_errors_say_what_is_wrong(searcher):
    start = [Candidate.position(BEAR_IN)]
    with pytest.raises(RolloutError, match="at least one candidate"):
        rollout(searcher, [])
    with pytest.raises(RolloutError, match="0 trials"):
        rollout(searcher, start, trials=0)
    with pytest.raises(RolloutError, match="cut after"):
        rollout(searcher, start, policy=TrialPolicy(truncate=0))
    state = rollout(searcher, start, trials=36).state
    with pytest.raises(RolloutError, match="these are"):
        resume(bare(), state)
    with pytest.raises(RolloutError, match="not a stored rollout"):
        RolloutState.from_json("{}")
    with pytest.raises(RolloutError, match="no rollout of cube actions"):
        _ = rollout(searcher, start, trials=36).decision


def test_acey_deucey_is_counted_in_checkers():
    searcher = random_engine(ACEY_DEUCEY).searcher
    position = Position.from_text("1 off:14 / 3:5 off:10")
    result = rollout(searcher, [Candidate.position(position)], trials=36, threads=1)
    assert result.best.equity == pytest.approx(5, abs=1e-5)
    with pytest.raises(RolloutError, match="without a cube"):
        rollout(searcher, [Candidate.position(position)], CubeContext(), trials=36)


def test_results_print_well(searcher):
    context = CubeContext(away=(5, 3))
    text = str(rollout(searcher, Candidate.cube_actions(BEAR_IN, context), context, trials=72))
    assert text.startswith("72 of 72 trials, to the end, 0-ply plays, cubeful, luck taken out, seed 0")
    assert "double, take" in text
    assert "±" in text


# -- a cluster ----------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_of_processes_plays_the_same_and_outlives_a_worker(searcher):
    distributed = pytest.importorskip("distributed")
    from fullprime.engine.rollouts.workers import cluster_executor

    candidates = [Candidate.position(BACKGAMMON.starting_position)]
    policy = TrialPolicy(truncate=11)
    alone = rollout(searcher, candidates, CubeContext(), policy=policy, trials=1296, threads=1)
    with (
        warnings.catch_warnings(action="ignore"),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        cluster_executor(cluster.scheduler_address) as executor,
    ):
        together = rollout(searcher, candidates, CubeContext(), policy=policy, trials=1296, executor=executor)
        assert same(alone.state, together.state)

        with distributed.Client(cluster) as client:
            victim = next(iter(client.run(os.getpid).values()))
        killed = []

        def kill(_result):
            if not killed:
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

        policy = replace(policy, seed=2)
        survived = rollout(
            searcher, candidates, CubeContext(), policy=policy, trials=1296, executor=executor, progress=kill
        )
        assert killed
    assert same(rollout(searcher, candidates, CubeContext(), policy=policy, trials=1296).state, survived.state)
