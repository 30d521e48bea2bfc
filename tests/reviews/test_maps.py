"""Maps held equal to the engine asked roll by roll and score by score."""

from __future__ import annotations

import pytest
from tests.reviews.matches import small_engine

from fullprime.engine.cube.equity import CubeContext
from fullprime.reviews.maps import MapError, roll_map, score_map
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON

START = BACKGAMMON.starting_position


@pytest.fixture(scope="module")
def engine():
    return small_engine()


def test_rolls_are_worth_what_the_engine_says(engine) -> None:
    found = roll_map(engine, START)
    assert sum(each.weight for each in found.rolls) == 36
    for each in found.rolls:
        best = engine.rank_plays(START, each.dice, level="0-ply").best
        assert each.equity == pytest.approx(best.equity, abs=1e-5)
        assert each.play == best.text
    assert found.mean == pytest.approx(sum(each.weight * each.equity for each in found.rolls) / 36)
    assert sum(each.weight * each.gain for each in found.rolls) == pytest.approx(0, abs=1e-6)


def test_the_table_has_all_thirty_six(engine) -> None:
    text = roll_map(engine, START).text
    assert text.count("\n") == 6 + 1 + len(ALL_ROLLS)
    assert f"{Roll(3, 1)}: " in text


def test_scores_are_judged_one_by_one(engine) -> None:
    position = Position.from_text("6:5 5:5 4:3 3:2 / 6:6 5:5 4:3 3")
    found = score_map(engine, position, 4, level="0-ply")
    assert found.money.verdict == engine.cube_decision(position, CubeContext(), level="0-ply").verdict
    for mine in range(1, 5):
        for theirs in range(1, 5):
            right = engine.cube_decision(position, CubeContext(away=(mine, theirs)), level="0-ply")
            assert found.decisions[mine - 1][theirs - 1].verdict == right.verdict
    assert len(found.text.splitlines()) == 7


def test_maps_that_cannot_be(engine) -> None:
    with pytest.raises(MapError, match="1 to 25 points"):
        score_map(engine, START, 0)
    with pytest.raises(MapError, match="without a cube"):
        score_map(small_engine(ACEY_DEUCEY), ACEY_DEUCEY.starting_position)
