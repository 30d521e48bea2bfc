"""Match equity tables: the published figures, and that their continuation makes sense."""

from __future__ import annotations

import numpy as np
import pytest

from fullprime.engine.cube import met
from fullprime.engine.cube.met import DEFAULT, LONGEST, TABLES, MatchEquityError, MatchEquityTable


@pytest.fixture(params=TABLES)
def table(request):
    return MatchEquityTable.named(request.param)


def test_the_published_five_point_block_of_kazaross_xg2():
    block = [
        [0.50000, 0.67736, 0.75076, 0.81436, 0.84179],
        [0.32264, 0.50000, 0.59947, 0.66870, 0.74359],
        [0.24924, 0.40053, 0.50000, 0.57150, 0.64795],
        [0.18564, 0.33130, 0.42850, 0.50000, 0.57732],
        [0.15821, 0.25641, 0.35205, 0.42268, 0.50000],
    ]
    table = MatchEquityTable.named()
    chances = [[table.chance(own, other) for other in range(1, 6)] for own in range(1, 6)]
    np.testing.assert_allclose(chances, block, atol=1e-12)


def test_the_chances_after_the_crawford_game():
    table = MatchEquityTable.named(DEFAULT)
    chances = [table.chance(away, 1, crawford_played=True) for away in range(1, 9)]
    np.testing.assert_allclose(chances, [0.5, 0.48803, 0.32264, 0.31002, 0.19012, 0.18072, 0.11559, 0.10906])
    assert table.chance(1, 4, crawford_played=True) == pytest.approx(1 - 0.31002)


def test_woolsey_has_two_and_three_away_at_sixty():
    assert MatchEquityTable.named("woolsey").chance(2, 3) == 0.60


def test_the_sizes_are_the_published_ones():
    assert {name: MatchEquityTable.named(name).size for name in TABLES} == {
        "Kazaross-XG2": 25,
        "Rockwell-Kazaross": 25,
        "Woolsey": 15,
    }


def test_a_side_that_needs_nothing_has_won(table):
    assert table.chance(0, 5) == table.chance(-3, 1, crawford_played=True) == 1.0
    assert table.chance(4, -1) == table.chance(1, 0, crawford_played=True) == 0.0


def test_every_score_is_fair_and_fewer_points_to_go_are_better_far_beyond_the_table(table):
    size = 48
    chances = np.array([[table.chance(own, other) for other in range(1, size + 1)] for own in range(1, size + 1)])
    np.testing.assert_allclose(chances + chances.T, 1.0, atol=1e-9)
    assert np.diff(chances, axis=1).min() >= 0.0
    assert np.diff(chances, axis=0).max() <= 0.0
    if table.size == 25:  # Woolsey's whole percentages hold many ties
        assert np.diff(chances, axis=1).min() > 0.0
    trailers = [table.chance(away, 1, crawford_played=True) for away in range(1, size + 1)]
    assert np.diff(trailers).max() <= 0.0
    assert min(trailers) > 0.0


def test_the_continuation_has_no_step_where_the_table_ends():
    table = MatchEquityTable.named()
    lead = [table.chance(away, away + 1) for away in range(20, 32)]
    assert np.diff(lead).max() <= 0.0
    assert np.abs(np.diff(lead, n=2)).max() < 5e-4


def test_the_method_of_continuation_rebuilds_the_published_table_from_nothing(monkeypatch):
    """Only the chances after the Crawford game are given; 15 points come out within a fraction of a percent."""
    published = MatchEquityTable.named()
    after = np.array([published.chance(away, 1, crawford_played=True) for away in range(1, 26)])
    rebuilt = MatchEquityTable("rebuilt", np.array([[0.5]]), after)
    difference = np.array([[rebuilt.chance(i, j) - published.chance(i, j) for j in range(1, 16)] for i in range(1, 16)])
    assert np.abs(difference).mean() < 0.0015
    assert np.abs(difference).max() < 0.0080


def test_neil_and_turner_rule_of_thumb_holds_within_a_percent_and_a_half():
    """50 + (24 / T + 3) D, T being the points the trailer needs and D the lead, at ordinary scores."""
    table = MatchEquityTable.named("Woolsey")
    for trailer in range(4, 12):
        for lead in range(1, 4):
            if trailer - lead >= 3:
                rule = 0.5 + (24 / trailer + 3) * lead / 100
                assert table.chance(trailer - lead, trailer) == pytest.approx(rule, abs=0.015)


def test_the_ladder_of_a_score_knows_who_has_a_use_for_the_cube():
    levels = MatchEquityTable.named().cube_levels(2, 4).levels
    assert [(level.mover_dead, level.other_dead) for level in levels] == [(False, False), (True, False), (True, True)]
    # With the cube at 2 the leader's win ends the match: the trailer turns it at once.
    assert [level.other_forced for level in levels] == [False, True, False]
    assert levels[0].win[0] == MatchEquityTable.named().chance(1, 4)
    assert levels[0].lose == tuple(MatchEquityTable.named().chance(2, other) for other in (3, 2, 1))
    assert levels[2].win == (1.0, 1.0, 1.0)
    assert levels[2].lose == (0.0, 0.0, 0.0)


def test_nobody_turns_the_cube_in_the_crawford_game():
    (level,) = MatchEquityTable.named().cube_levels(1, 4, crawford=True).levels
    assert level.mover_dead
    assert level.other_dead
    assert level.lose[0] == MatchEquityTable.named().chance(1, 3, crawford_played=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a match equity table"),
        ("h,1,2\n1,0.5,0.7\n2,x,0.5\nafter,0.5,0.4", "not a match equity table"),
        ("h,1,2\n1,0.5,0.7\n2,0.4,0.5\nafter,0.5,0.4", "add up to 1"),
        ("h,1,2\n1,0.5,0.7\n2,0.3,0.5\nafter,0.4,0.5", "must fall"),
        ("h,1,2,3\n1,0.5,0.7,0.6\n2,0.3,0.5,0.6\n3,0.4,0.4,0.5\nafter,0.5,0.4", "the better"),
        ("h,1,2\n1,0.5,0.7\nafter,0.5,0.4", "square"),
    ],
)
def test_tables_that_contradict_themselves_are_refused(text, message):
    with pytest.raises(MatchEquityError, match=message):
        MatchEquityTable.from_csv("mine", text)


def test_scores_that_cannot_be_are_refused(table):
    with pytest.raises(MatchEquityError, match="both cannot have won"):
        table.chance(0, 0)
    with pytest.raises(MatchEquityError, match="up to 128"):
        table.chance(LONGEST + 1, 3)
    with pytest.raises(MatchEquityError, match="up to 128"):
        table.chance(LONGEST + 1, 1, crawford_played=True)
    with pytest.raises(MatchEquityError, match="no Crawford game"):
        table.chance(3, 4, crawford_played=True)
    with pytest.raises(MatchEquityError, match="'gnu'"):
        MatchEquityTable.named("gnu")


def test_a_shipped_table_is_read_once():
    assert MatchEquityTable.named("kazaross-xg2") is MatchEquityTable.named()
    assert met.TABLES.keys() == {"Kazaross-XG2", "Rockwell-Kazaross", "Woolsey"}
