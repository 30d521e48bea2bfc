"""Maps held equal to the engine asked roll by roll."""

from __future__ import annotations

import pytest
from tests.reviews.matches import small_engine

from fullprime.reviews.maps import roll_map
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.variants import BACKGAMMON

START = BACKGAMMON.starting_position


@pytest.fixture(scope="module")
def engine():
    return small_engine()


def test_rolls_are_worth_what_the_engine_says(engine) -> None:
    rolls_map = roll_map(engine, START)
    assert sum(roll.weight for roll in rolls_map.rolls) == 36
    for roll in rolls_map.rolls:
        best = engine.rank_plays(START, roll.dice, level="0-ply").best
        assert roll.equity == pytest.approx(best.equity, abs=1e-5)
        assert roll.play == best.text
    assert rolls_map.mean == pytest.approx(sum(roll.weight * roll.equity for roll in rolls_map.rolls) / 36)
    assert sum(roll.weight * roll.gain for roll in rolls_map.rolls) == pytest.approx(0, abs=1e-6)


def test_the_table_has_all_thirty_six(engine) -> None:
    text = roll_map(engine, START).text
    assert text.count("\n") == 6 + 1 + len(ALL_ROLLS)
    assert f"{Roll(3, 1)}: " in text
