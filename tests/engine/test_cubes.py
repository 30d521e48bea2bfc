"""Live cubes in bear-offs against a slow oracle, against exact figures from outside, and against themselves."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tests.reference.bearoff_cubes import LiveBearoff
from tests.reference.bearoff_solver import after
from tests.reference.tables import shared_bearoff

from fullprime.engine.boards.conversion import position_of
from fullprime.engine.core.jit import JIT
from fullprime.engine.cube.equity import CubeContext, CubeOwner, EquityError
from fullprime.engine.engine import Engine, SearchLimits
from fullprime.engine.tables import cubes
from fullprime.engine.tables.cubes import LiveCubes, canonical, is_live, plan_of
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.ids.xgid import read_xgid

pytestmark = pytest.mark.skipif(not JIT, reason="the tables take too long without compiled kernels")

MINE, THEIRS = CubeOwner.MOVER, CubeOwner.OPPONENT
OUTSIDE = json.loads((Path(__file__).parents[1] / "data" / "race_cubes.json").read_text("utf-8"))

MONEY = [
    CubeContext(),
    CubeContext(cube=4, owner=MINE),
    CubeContext(cube=2, owner=THEIRS),
    CubeContext(jacoby=True),
    CubeContext(jacoby=True, beavers=True),
    CubeContext(beavers=True, stake=2),
    CubeContext(cap=2),
    CubeContext(cap=8, beavers=True),
    CubeContext(cube=2, owner=MINE, cap=4),
]
SCORES = [
    CubeContext(away=(3, 3)),
    CubeContext(away=(7, 4)),
    CubeContext(away=(2, 2)),
    CubeContext(away=(2, 4)),
    CubeContext(away=(4, 2)),
    CubeContext(away=(1, 3)),
    CubeContext(away=(3, 1)),
    CubeContext(away=(5, 6), cube=2, owner=MINE),
    CubeContext(away=(3, 5), cube=2, owner=THEIRS),
    CubeContext(away=(11, 9), cube=4, owner=MINE),
    CubeContext(away=(9, 9), cap=2),
]


@pytest.fixture(scope="module")
def tables():
    return shared_bearoff()


@pytest.fixture(scope="module")
def live(tables):
    return LiveCubes(tables, 15)


@pytest.fixture(scope="module")
def engine(tables):
    return Engine.open("backgammon", level="1-ply", bearoff=tables)


def row(own, other, total=15):
    packed = np.zeros(32, np.int8)
    packed[1:7] = own
    packed[24:18:-1] = [-count for count in other]
    packed[26], packed[27] = total - sum(own), total - sum(other)
    return packed


def rows(*pairs, total=15):
    return np.array([row(own, other, total) for own, other in pairs])


def random_homes(seed, count, fewest, most):
    draws = np.random.default_rng(seed)
    homes = [np.bincount(draws.integers(0, 6, draws.integers(fewest, most + 1)), minlength=6) for _ in range(2 * count)]
    return list(zip(homes[::2], homes[1::2], strict=True))


SMALL = [
    ((1, 1, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0)),
    ((0, 0, 0, 0, 0, 2), (0, 0, 1, 1, 0, 0)),
    ((1, 0, 0, 1, 0, 1), (0, 1, 0, 0, 1, 0)),
    ((0, 1, 0, 0, 0, 1), (3, 0, 0, 0, 0, 0)),
    ((0, 0, 1, 0, 1, 0), (1, 1, 0, 0, 1, 0)),
]
GAMMONS = [((2, 1, 0, 0, 0, 0), (15, 0, 0, 0, 0, 0)), ((15, 0, 0, 0, 0, 0), (2, 2, 0, 0, 0, 0))]


# -- against the oracle ---------------------------------------------------------------------------------------
@pytest.mark.broad
@pytest.mark.parametrize("context", [*MONEY, *SCORES], ids=str)
def test_equities_of_small_endings_are_those_of_the_oracle(live, context):
    slow = LiveBearoff()
    pairs = [*SMALL, *GAMMONS]
    equities = live.equities(rows(*pairs), context)
    for pair, equity in zip(pairs, equities, strict=True):
        assert equity == pytest.approx(slow.equity(*pair, context), abs=2e-5), pair


@pytest.mark.parametrize("context", [CubeContext(), CubeContext(jacoby=True), CubeContext(away=(4, 5))], ids=str)
def test_gammons_of_a_game_with_three_checkers_count(tables, context):
    slow, live = LiveBearoff(total=3), LiveCubes(tables, 3)
    pairs = [((1, 1, 0, 0, 0, 0), (1, 0, 1, 0, 1, 0)), ((0, 1, 1, 1, 0, 0), (2, 0, 0, 1, 0, 0))]
    equities = live.equities(rows(*pairs, total=3), context)
    for pair, equity in zip(pairs, equities, strict=True):
        assert equity == pytest.approx(slow.equity(*pair, context), abs=2e-5), pair


def test_money_is_that_of_the_two_sided_table(tables, live):
    boards = rows(*random_homes(1, 60, 1, 6))
    covered, table = tables.equities(boards)
    assert covered.all()
    for context, column in ((CubeContext(owner=MINE), 1), (CubeContext(), 2), (CubeContext(owner=THEIRS), 3)):
        np.testing.assert_allclose(live.equities(boards, context), table[:, column], atol=2e-6)


def test_exact_figures_from_outside_at_money_and_at_scores(engine):
    """They play by the fewest expected rolls; the best plays against this cube differ from that by some thousandths."""
    for level in ("1-ply", "2-ply"):
        off = []
        for position, case in ((p, c) for p in OUTSIDE for c in p["contexts"]):
            context = CubeContext(
                cube=case["cube"],
                owner=MINE if case["owner"] else None,
                away=tuple(case["away"]) if case["away"] else None,
            )
            board = position_of(row(position["mover"], position["opponent"]))
            decision = engine.cube_decision(board, context, level=level)
            assert decision.exact
            off.append((decision.no_double - case["nd"], decision.double_take - case["dt"]))
        assert np.abs(off).mean() < 0.004, level  # 0.045 before bear-offs were solved
        assert np.abs(off)[:, 0].max() < 0.005


def test_the_plays_of_the_outside_figures_give_them_to_four_places(tables, monkeypatch):
    monkeypatch.setattr(cubes, "_PRECISIONS", {15: (cubes.SolverPrecision(0.0, 0.0),)})
    live = LiveCubes(tables, 15)
    for position, case in ((p, c) for p in OUTSIDE for c in p["contexts"]):
        away = tuple(case["away"]) if case["away"] else None
        context = CubeContext(cube=case["cube"], owner=MINE if case["owner"] else None, away=away)
        board = rows((position["mover"], position["opponent"]))
        taken = context.doubled
        value = taken.value(float(live.equities(board, taken)[0]))
        assert live.equities(board, context)[0] == pytest.approx(case["nd"], abs=1.5e-4)
        assert float(context.equity(value)) == pytest.approx(case["dt"], abs=1.5e-4)


# -- against themselves ---------------------------------------------------------------------------------------
@pytest.mark.broad
def test_an_equity_does_not_depend_on_what_else_is_asked(tables):
    pairs = [*random_homes(2, 5, 5, 7), *random_homes(2, 2, 9, 10)]
    boards = rows(*pairs)
    for context in (CubeContext(), CubeContext(away=(5, 4))):
        together = LiveCubes(tables, 15).equities(boards, context)
        alone = np.array([LiveCubes(tables, 15).equities(boards[[index]], context)[0] for index in range(len(boards))])
        again = LiveCubes(tables, 15)
        again.equities(boards, context.doubled)
        np.testing.assert_array_equal(together, alone)
        np.testing.assert_array_equal(together, again.equities(boards, context))


def test_it_is_better_to_own_the_cube(live):
    boards = rows(*random_homes(3, 6, 4, 9))
    for away in (None, (9, 9), (3, 5)):
        owned, lent = (live.equities(boards, CubeContext(away=away, cube=2, owner=owner)) for owner in (MINE, THEIRS))
        assert np.all(owned >= lent - 1e-6)
        if away is None:
            centred = live.equities(boards, CubeContext())
            assert np.all((owned >= centred - 1e-6) & (centred >= lent - 1e-6))


@pytest.mark.parametrize("context", [CubeContext(), CubeContext(away=(5, 3), cube=2, owner=THEIRS)], ids=str)
def test_an_equity_is_the_mean_of_those_after_every_roll(live, context):
    """Seen by the other side, who is on roll then: both halves of the solution say the same."""

    def decided(boards):
        theirs = context.swapped
        rolling = np.asarray(theirs.value(live.equities(boards, theirs)))
        if not theirs.may_double or theirs.is_dead:
            return rolling
        taken = np.asarray(theirs.doubled.value(live.equities(boards, theirs.doubled)))
        return np.maximum(rolling, np.minimum(taken, theirs.value(1.0)))

    for own, other in random_homes(8, 3, 5, 6):
        total = 0.0
        for roll in ALL_ROLLS:
            values = decided(rows(*((other, home) for home in after(tuple(own.tolist()), roll))))
            total += roll.weight * float(min(values))
        mean = total / 36
        value = 1.0 - mean if context.is_match else -mean
        equity = live.equities(rows((own, other)), context)[0]
        assert float(context.equity(value)) == pytest.approx(equity, abs=1e-5)


@pytest.mark.broad
def test_plays_that_are_left_out_cost_less_than_a_thousandth(tables, monkeypatch):
    boards = rows(*random_homes(4, 3, 7, 7))
    contexts = (CubeContext(), CubeContext(owner=THEIRS), CubeContext(away=(5, 7)))
    equities = [LiveCubes(tables, 15).equities(boards, context) for context in contexts]
    monkeypatch.setattr(cubes, "_PRECISIONS", {15: (cubes.SolverPrecision(99.0, 99.0),)})
    monkeypatch.setattr(cubes, "_FEW_WORK", 10**10)
    uncut = [LiveCubes(tables, 15).equities(boards, context, most=10**10) for context in contexts]
    assert np.abs(np.array(equities) - uncut).max() < 0.001


def test_the_less_work_the_less_care_and_at_last_no_answer(tables):
    boards = rows(((1, 2, 2, 2, 1, 1), (2, 2, 1, 1, 2, 1)))
    uncut = LiveCubes(tables, 15).equities(boards, CubeContext())[0]
    hurried = LiveCubes(tables, 15)
    part = hurried.equities(boards, CubeContext(), most=500_000)[0]
    assert 0 < abs(uncut - part) < 0.003
    assert np.isnan(hurried.equities(boards, CubeContext(), most=1000)[0])
    assert hurried.equities(boards, CubeContext())[0] == uncut  # what was found in a hurry is not remembered


def test_what_is_not_solved_is_not_guessed(live):
    finished = rows(((0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)))
    outside = rows(((1, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)))
    outside[0, 8] = 1
    home = rows(((1, 0, 0, 0, 0, 1), (1, 0, 0, 0, 1, 0)))
    assert np.isnan(live.equities(finished, CubeContext())[0])
    assert np.isnan(live.equities(outside, CubeContext())[0])
    for dead in (
        CubeContext(cap=1),
        CubeContext(away=(2, 2), cube=2, owner=MINE),
        CubeContext(away=(1, 5), crawford=True),
    ):
        assert not is_live(dead)
        assert np.isnan(live.equities(home, dead)[0])
    assert live.equities(home[:0], CubeContext()).shape == (0,)


def test_boards_inside_a_tree_are_solved_up_to_eight_checkers(live):
    small, large = random_homes(5, 1, 8, 8), random_homes(5, 1, 9, 9)
    assert not np.isnan(live.equities(rows(*small), CubeContext(), leaves=True)[0])
    assert np.isnan(live.equities(rows(*large), CubeContext(), leaves=True)[0])


def test_what_is_remembered_is_bounded(tables, monkeypatch):
    monkeypatch.setattr(cubes, "REMEMBERED", 10)
    live = LiveCubes(tables, 15)
    live.equities(rows(*random_homes(6, 20, 1, 3)), CubeContext())
    assert len(live._solved) <= 10


@pytest.mark.parametrize(("cube", "cap"), list(product((1, 2, 4), (None, 4, 64))))
def test_money_is_the_same_at_every_cube(live, cube, cap):
    if cap is not None:
        cap *= cube
    context = CubeContext(cube=cube, owner=MINE, cap=cap, stake=3)
    board = rows(SMALL[2])
    one = replace(context, cube=1, cap=None if cap is None else cap // cube, stake=1)
    assert live.equities(board, context)[0] == live.equities(board, one)[0]
    assert canonical(context) == one


def test_every_state_of_a_plan_is_a_cube_that_can_be():
    for context in (*MONEY, *SCORES):
        plan = plan_of(canonical(context))
        assert plan.contexts[0] == canonical(context)
        assert len(set(plan.contexts)) == len(plan.contexts) <= 16
    with pytest.raises(EquityError):
        _ = CubeContext(owner=THEIRS).doubled


# -- in the engine --------------------------------------------------------------------------------------------
def test_the_issue_s_position(engine):
    """At 5-away 6-away with the cube at 2, where a right roll was charged 0.124."""
    game = read_xgid("XGID=-EE----------------a-b-da-:1:1:1:00:2:1:0:7:10").game
    decision = engine.cube_decision(game)
    assert decision.no_double == pytest.approx(0.680, abs=0.005)
    assert decision.double_take == pytest.approx(0.694, abs=0.005)


def test_plays_are_ranked_by_the_exact_equity_with_the_cube(engine):
    context = CubeContext(away=(5, 3), cube=2, owner=MINE)
    own, other = (2, 1, 1, 0, 1, 0), (3, 1, 0, 1, 0, 0)
    slow = LiveBearoff()
    ranking = engine.rank_plays(position_of(row(own, other)), (4, 1), context, level="2-ply")
    for play in ranking.plays:
        if play.depth == 0:
            continue
        home = play.play.after.player[1:7]
        expected = context.equity(1.0 - slow.value(other, home, context.swapped))
        assert play.equity == pytest.approx(float(expected), abs=5e-4)


def test_a_game_of_three_checkers_has_its_gammons_in_its_cube(tables):
    engine = Engine.open("hypergammon", level="1-ply", bearoff=tables)
    own, other = (1, 1, 0, 0, 0, 0), (1, 0, 1, 0, 1, 0)
    context = CubeContext(away=(5, 5))
    decision = engine.cube_decision(position_of(row(own, other, total=3)), context)
    assert decision.no_double == pytest.approx(LiveBearoff(total=3).equity(own, other, context), abs=1e-4)


def test_a_search_in_a_hurry_does_not_wait_for_a_solution(engine):
    board = position_of(row((2, 2, 3, 3, 2, 2), (2, 2, 3, 3, 2, 1)))
    hurried = engine.cube_decision(board, CubeContext(away=(9, 9)), limits=SearchLimits(seconds=0.0))
    assert not hurried.exact


def test_a_rollout_of_a_bearoff_is_over_at_once(engine):
    board = position_of(row((1, 2, 1, 1, 1, 1), (2, 0, 2, 1, 1, 1)))
    context = CubeContext(away=(5, 7))
    decision = engine.cube_decision(board, context)
    rolled = {candidate.action: candidate for candidate in engine.rollout(board, context=context, trials=36).rolled}
    assert rolled["no double"].equity == pytest.approx(decision.no_double, abs=1e-6)
    assert rolled["double, take"].equity == pytest.approx(decision.double_take, abs=1e-6)
    assert rolled["no double"].error == 0.0


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.parametrize(("most", "seconds"), [(8, 0.2), (15, 2.0)])
def test_the_time_of_a_decision(tables, most, seconds):
    LiveCubes(tables, 15).equities(rows(SMALL[0]), CubeContext())  # compiled
    times = []
    for own, other in random_homes(7, 10, most, most):
        for context in (CubeContext(), CubeContext(away=(7, 7))):
            live = LiveCubes(tables, 15)
            live.equities(rows(SMALL[0]), CubeContext())
            start = time.process_time()
            live.equities(rows((own, other)), context)
            times.append(time.process_time() - start)
    assert max(times) < seconds, times
