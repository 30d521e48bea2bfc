"""The bear-off kernels on boards small enough to run them as plain Python, too."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference import bearoff_solver as slow

from fullprime.engine.core.tables import bearoff as core
from fullprime.rules.dice import ALL_ROLLS, Roll

LIMIT = 3


def code_of(home):
    return sum(count << (5 * index) for index, count in enumerate(home))


def home_of(code):
    return tuple((int(code) >> (5 * index)) & 31 for index in range(6))


@pytest.fixture(scope="module")
def codes():
    return core.all_codes(LIMIT)


def test_ranks_number_every_position_once_in_order(codes):
    assert sorted(home_of(code) for code in codes) == sorted(slow.homes(LIMIT))
    assert [core.rank_of_code(code, LIMIT) for code in codes] == list(range(len(codes)))
    by_point_six_first = [home_of(code)[::-1] for code in codes]
    assert by_point_six_first == sorted(by_point_six_first)


def test_the_largest_position_has_the_last_rank():
    assert core.rank_of_code(15 << 25, core.LIMIT) == 54_263
    assert core.rank_of_code(0, core.LIMIT) == 0


@pytest.mark.broad
@pytest.mark.compiles
def test_rolls_lead_where_the_rules_say_and_always_to_a_lower_rank(codes):
    positions = np.empty(2048, dtype=np.int64)
    for rank, code in enumerate(codes[1:], start=1):
        for roll in ALL_ROLLS:
            first, last = core.find_successors(code, roll.high, roll.low, False, positions)
            homes = [home_of(place) for place in positions[first:last]]
            assert len(set(homes)) == len(homes)
            assert set(homes) == set(slow.after(home_of(code), roll))
            assert all(core.rank_of_code(place, LIMIT) < rank for place in positions[first:last])


@pytest.mark.broad
@pytest.mark.compiles
def test_leaving_a_quadrant_does_not_wait_for_the_rearmost_checker():
    positions = np.empty(2048, dtype=np.int64)
    code = code_of((1, 0, 0, 0, 0, 1))
    first, last = core.find_successors(code, 3, 2, True, positions)
    assert (0, 0, 1, 0, 0, 0) in {home_of(place) for place in positions[first:last]}  # one leaves with the 2, 6 to 3
    first, last = core.find_successors(code, 3, 2, False, positions)
    assert {home_of(place) for place in positions[first:last]} == set(slow.after(home_of(code), Roll(3, 2)))


def test_the_weights_are_those_of_two_dice():
    assert core.WEIGHT.sum() == pytest.approx(1.0)
    assert [(high, low) for high, low in zip(core.HIGH, core.LOW, strict=True)] == [(r.high, r.low) for r in ALL_ROLLS]


def test_one_side_agrees_with_the_slow_search(codes):
    mean, rolls = core.solve_one_sided(codes[:40], LIMIT, False, False)
    _, first_off = core.solve_one_sided(codes[:40], LIMIT, True, False)
    for code, length, chances, first in zip(codes[:40], mean, rolls, first_off, strict=True):
        assert length == pytest.approx(slow.mean_rolls(home_of(code)), abs=1e-12)
        expected = np.zeros(40)
        expected[: len(slow.distribution(home_of(code)))] = slow.distribution(home_of(code))
        np.testing.assert_allclose(chances, expected[:32], atol=1e-12)
        assert first.sum() == pytest.approx(1.0)


def test_two_sides_agree_with_the_slow_solver():
    codes = core.all_codes(2)
    starts, ranks = core.list_successors(codes, 2)
    equities = np.zeros((len(codes), len(codes), 4))
    core.solve_two_sided_rows(equities, starts, ranks, 0, 10)
    core.solve_two_sided_rows(equities, starts, ranks, 10, len(codes))
    solver = slow.TwoSided()
    for own in range(1, len(codes)):
        for other in range(1, len(codes)):
            homes = home_of(codes[own]), home_of(codes[other])
            expected = [solver.rolling(*homes, who) for who in ("nobody", "mover", None, "other")]
            np.testing.assert_allclose(equities[own, other], expected, atol=1e-12)
