"""Race formulas against their authors' examples and against exact endings."""

from __future__ import annotations

import pytest
from tests.reference.tables import shared_bearoff

from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.shared import engine_for
from fullprime.reviews.race import (
    METHODS,
    RaceError,
    eight_nine_twelve,
    epc,
    isight,
    keith,
    kleinman,
    kleinman_chance,
    kleinman_metric,
    race_counts,
    thorp,
    trice,
    ward,
    wastage,
)
from fullprime.rules.position import Position
from fullprime.rules.variants.standard import BACKGAMMON


def race(player, opponent):
    return Position.of(player, opponent)


@pytest.fixture(scope="module")
def tables():
    return shared_bearoff()


def test_keith_adds_for_stacks_and_gaps_and_a_seventh_for_the_roll():
    # 3 on the ace (+4), 2 on the deuce (+1), 5 on the trey (+2), gaps on 4 and 6 (+2): 27 pips count 36, on roll 41.
    position = race({1: 3, 2: 2, 3: 5, 5: 1}, {6: 4, 5: 2, 4: 2})
    count = keith(position)
    assert (position.pips[0], count.player) == (27, 36 + 5)
    assert count.opponent == position.pips[1] == 42
    assert count.double
    assert count.redouble
    assert not count.take  # the roller's count does not exceed the opponent's by 2
    assert count.verdict == "redouble, drop"


@pytest.mark.parametrize(
    ("outside", "difference", "double", "redouble", "take"),
    [
        ({11: 2}, 5, False, False, True),
        ({12: 1, 11: 1}, 4, True, False, True),
        ({12: 2}, 3, True, True, True),
        ({9: 2, 7: 1}, 2, True, True, True),
        ({9: 2, 8: 1}, 1, True, True, False),
    ],
)
def test_keith_turns_at_four_three_and_two(outside, difference, double, redouble, take):
    # 63 pips without any addition make 72 on roll; the opponent has 67 to 71.
    count = keith(race({6: 3, 5: 3, 4: 3, 9: 2}, {6: 3, 5: 3, 4: 3} | outside))
    assert (count.player, count.opponent) == (72, 72 - difference)
    assert (count.double, count.redouble, count.take) == (double, redouble, take)


def test_thorp_counts_checkers_and_points():
    short = thorp(race({6: 1, 5: 1, 4: 1}, {6: 1, 5: 1, 4: 1}))
    assert (short.player, short.opponent) == (15 + 6 - 3, 18)
    assert short.win == pytest.approx(0.74)
    thirty = thorp(race({6: 3, 1: 2}, {6: 3, 1: 2}))
    assert (thirty.player, thirty.opponent) == (30, 20 + 10 + 2 - 2)  # 30 is not above 30: no tenth
    long = thorp(race({6: 4, 2: 2}, {6: 4, 2: 2}))
    assert (long.player, long.opponent) == (pytest.approx(1.1 * 38), 28 + 12 - 2)
    assert (long.double, long.redouble, long.take) == (False, False, True)


def test_ward_compares_the_two_sides():
    own, other = {6: 2, 5: 2, 1: 4, 2: 3}, {6: 2, 5: 2, 4: 2, 3: 1, 7: 2}
    count = ward(race(own, other))
    # Own 32 pips, two aces too many (+4), a deuce too many (+1), two checkers more than his nine (+4); he has an
    # equal number of points covered (four) and two checkers outside (+1 for him).
    assert count.player == pytest.approx(1.1 * (32 + 4 + 1 + 4))
    assert count.opponent == pytest.approx(12 + 10 + 8 + 3 + 14 + 1)
    assert count.double
    assert count.redouble


def test_percentages():
    lead = eight_nine_twelve(race({12: 8, 4: 1}, {12: 9}))  # 100 against 108
    assert lead.player == 100
    assert (lead.opponent, lead.double, lead.redouble, lead.take) == (108, True, False, True)
    assert lead.win == pytest.approx(0.70)
    more = eight_nine_twelve(race({12: 8, 4: 1}, {12: 9, 5: 1}))  # 113
    assert (more.redouble, more.take) == (True, False)


def test_kleinman_of_the_published_examples():
    assert kleinman_metric(100, 113) == pytest.approx(1.383, abs=5e-4)
    assert kleinman_chance(100, 113) == pytest.approx(0.797, abs=5e-4)
    assert kleinman_metric(100, 106) == pytest.approx(0.495, abs=5e-4)
    assert kleinman_chance(100, 106) == pytest.approx(0.688, abs=5e-4)
    count = kleinman(race({12: 8, 4: 1}, {12: 9, 5: 1}))
    assert (count.double, count.redouble, count.take) == (True, True, False)
    behind = kleinman(race({12: 9, 5: 1}, {12: 8, 4: 1}))
    assert behind.win < 0.5
    assert (behind.double, behind.take) == (False, True)


def test_isight_adjusts_against_the_other_side():
    own, other = {1: 3, 3: 4, 5: 1}, {6: 3, 4: 2, 8: 1}
    count = isight(race(own, other))
    # Own 20 pips: one ace too many (+2), a trey too many (+1), gaps on 4 and 6 where he stands (+2), two checkers
    # more (+2). His 34: a gap on 5 (+1) and a crossover more (+1).
    assert (count.player, count.opponent) == (27, 36)
    assert count.win == pytest.approx((80 - 27 / 3 + 2 * 9) / 100)
    assert not count.take


@pytest.mark.parametrize(("pips", "last"), [(54, 7), (55, 7), (62, 8), (63, 8), (74, 9), (100, 11)])
def test_trice_takes_and_doubles_where_the_published_examples_do(pips, last):
    # 74 against 83 is a take, 55 against 66 a drop (Simborg); 54 pips less 5, by 7, are 7 (bgonline.org, 2012).
    def board(count):
        return {12: count // 12} | ({count % 12: 1} if count % 12 else {})

    def said(lead):
        return trice(race(board(pips), board(pips + lead)))

    assert (said(last).take, said(last + 1).take) == (True, False)
    assert (said(last - 3).double, said(last - 4).double) == (True, False)
    assert (said(last - 2).redouble, said(last - 3).redouble) == (True, False)


@pytest.mark.slow
def test_trice_costs_next_to_nothing_in_smooth_bear_offs_by_the_exact_table():
    own = {6: 4, 5: 3, 4: 2}
    engine, again = engine_for(BACKGAMMON), CubeContext(cube=2, owner=CubeOwner.MOVER)
    for other in ({6: 4, 5: 4, 4: 1}, {6: 4, 5: 2, 4: 4}, {6: 5, 5: 3, 4: 2}, {6: 6, 5: 2, 4: 2}):
        position = race(own, other)
        advice, first = trice(position), engine.cube_decision(position, CubeContext(), level="1-ply")
        second = engine.cube_decision(position, again, level="1-ply")
        assert first.exact
        for turned, decision in ((advice.double, first), (advice.redouble, second)):
            assert (decision.cost_of_doubling if turned else decision.cost_of_not_doubling) < 0.01, position
        assert advice.take == (first.double_take <= first.double_drop), position


def test_every_method_answers_for_every_race_and_refuses_contact():
    counts = race_counts(race({6: 5, 5: 5, 8: 5}, {6: 5, 4: 5, 9: 5}))
    assert [count.name.lower() for count in counts] == list(METHODS)
    for count in counts:
        assert not count.redouble or count.double
        assert count.win is None or 0 <= count.win <= 1
    for method in METHODS.values():
        with pytest.raises(RaceError, match="not a race"):
            method(race({24: 1}, {13: 2}))
        with pytest.raises(RaceError, match="not a race"):
            method(race({}, {6: 2}))


@pytest.mark.broad
def test_effective_pips_of_home_positions(tables):
    assert epc(race({1: 15}, {1: 1}).player, tables) == pytest.approx(57, abs=1e-5)
    assert wastage(race({1: 15}, {1: 1}).player, tables) == pytest.approx(42, abs=1e-5)


@pytest.mark.broad
def test_a_straggler_has_the_published_effective_count(tables):
    # Five aces and a straggler on 17 (Zare): 38.078; the rule of thumb for stack and straggler is 3.5 n + p.
    assert epc(race({1: 5, 17: 1}, {1: 1}).player, tables) == pytest.approx(38.078, abs=5e-4)


@pytest.mark.broad
def test_too_large_a_search_is_left_unknown(tables):
    spread = race({24: 1, 18: 2, 13: 5, 9: 3, 8: 2, 7: 2}, {})
    assert epc(spread.player, tables, limit=20) is None
    assert epc(race({7: 1}, {1: 1}).player, tables, limit=20) is not None
