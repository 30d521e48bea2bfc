"""Cubeful equities and cube decisions: each figure here has a reason that can be checked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference import pip_race
from tests.reference.tables import shared_bearoff

from fullprime.engine.cube.action import CubeAction, Reply, cube_decision
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.efficiency import PhaseEfficiency
from fullprime.engine.cube.equity import (
    CubeContext,
    CubeOwner,
    EquityError,
    best_equities,
    cube_equities,
    cubeless_equities,
    no_double_equities,
)
from fullprime.engine.cube.learnt import MOST
from fullprime.engine.cube.met import MatchEquityTable
from fullprime.engine.cube.points import cube_window, gammon_values
from fullprime.rules.cube import take_point

MONEY = CubeContext()
OWN = CubeContext(owner=CubeOwner.MOVER)
THEIRS = CubeContext(owner=CubeOwner.OPPONENT)
TABLE = MatchEquityTable.named()


def decide(win, gammon=0.0, lose_gammon=0.0, context=MONEY, efficiency=0.68):
    return cube_decision((win, gammon, 0.0, lose_gammon, 0.0), context, efficiency)


def batch(*rows):
    return np.array(rows, dtype=float)


@st.composite
def five(draw):
    win = draw(st.floats(0, 1))
    gammon = draw(st.floats(0, 1)) * win
    lose_gammon = draw(st.floats(0, 1)) * (1 - win)
    return win, gammon, draw(st.floats(0, 1)) * gammon, lose_gammon, draw(st.floats(0, 1)) * lose_gammon


@st.composite
def contexts(draw):
    owner = draw(st.sampled_from([None, *CubeOwner]))
    cube = 2 ** draw(st.integers(1, 4)) if owner else 1
    if draw(st.booleans()):
        away = draw(st.integers(1, 15)), draw(st.integers(1, 15))
        return CubeContext(owner=owner, cube=cube, away=away)
    cap = draw(st.sampled_from([None, 16, 64]))
    return CubeContext(owner=owner, cube=cube, cap=cap, jacoby=draw(st.booleans()), beavers=draw(st.booleans()))


# -- money: the points everybody knows ------------------------------------------------------------------------
def test_with_a_dead_cube_the_taker_needs_a_quarter():
    # He loses 1 by dropping and 2 (1 - 2 p) by taking.
    assert cube_window(MONEY, efficiency=0.0).take_point == pytest.approx(0.25)


def test_with_a_live_cube_the_taker_needs_a_fifth_and_in_practice_about_22_percent():
    # A live cube gives him 80 % as the point at which he in turn cashes: p / 0.8 of a swing of 4 makes up for 1.
    assert cube_window(MONEY, efficiency=1.0).take_point == pytest.approx(0.20)
    assert 0.21 < cube_window(MONEY, efficiency=0.68).take_point < 0.22


@pytest.mark.parametrize("efficiency", [0.0, 0.3, 0.68, 1.0])
@pytest.mark.parametrize(("gammons", "lost"), [(0.0, 0.0), (0.25, 0.25), (0.4, 0.1), (0.1, 0.5)])
def test_take_points_are_janowskis(efficiency, gammons, lost):
    # (L - 1/2) / (W + L + x / 2), W and L being the mean points of the games the taker wins and loses.
    wins, losses = 1 + lost, 1 + gammons
    expected = (losses - 0.5) / (wins + losses + 0.5 * efficiency)
    assert cube_window(MONEY, gammons, lost, efficiency).take_point == pytest.approx(expected, abs=1e-6)


def test_without_gammons_one_doubles_at_about_69_and_redoubles_at_about_72_percent():
    # Janowski with an efficiency of two thirds; a dead cube is doubled by any favourite.
    assert cube_window(MONEY, efficiency=2 / 3).double == pytest.approx(0.6875, abs=1e-6)
    assert cube_window(OWN, efficiency=2 / 3).double == pytest.approx(5 / 7, abs=1e-6)
    assert cube_window(MONEY, efficiency=0.0).double == pytest.approx(0.5, abs=1e-6)


def test_owned_and_unavailable_cubes_are_worth_janowskis_lines():
    win, x = 0.6, 0.7
    equities = [no_double_equities(batch([win, 0, 0, 0, 0]), context, x)[0] for context in (OWN, THEIRS)]
    assert equities == pytest.approx([win * (2 + x / 2) - 1, win * (2 + x / 2) - 1 - x / 2])


def test_a_last_roll_double_gains_what_the_cube_is_worth():
    # The cube is dead after the last roll: any favourite doubles, up to three to one it is taken.
    assert decide(0.51, efficiency=0.0).action is CubeAction.DOUBLE_TAKE
    assert decide(0.51, efficiency=0.0).double_take == pytest.approx(2 * 0.02)
    assert decide(0.75 - 1e-4, efficiency=0.0).action is CubeAction.DOUBLE_TAKE
    assert decide(0.75 + 1e-4, efficiency=0.0).action is CubeAction.DOUBLE_DROP
    assert decide(0.49, efficiency=0.0).action is CubeAction.NO_DOUBLE


def test_a_closed_out_winner_cashes():
    # One checker closed out, the loser has some off: no gammons and about 95 %, far beyond any take.
    decision = decide(0.95)
    assert decision.action is CubeAction.DOUBLE_DROP
    assert decision.reply is Reply.DROP
    assert decision.equity == 1.0
    assert decision.cost_of_not_doubling > 0.01
    assert decision.cost_of_wrong_reply > 0.7


def test_too_good_positions_play_on_for_the_gammon_but_not_under_jacoby():
    # Two thirds of the wins are gammons: more than a point on average, which a drop would throw away.
    played = decide(0.85, gammon=0.60)
    assert played.action is CubeAction.TOO_GOOD_DROP
    assert not played.should_double
    assert played.equity > 1.0
    # Under Jacoby an undoubled gammon is a single game: the most he can have is the cash.
    jacoby = decide(0.85, gammon=0.60, context=CubeContext(jacoby=True))
    assert jacoby.action is CubeAction.DOUBLE_DROP
    assert jacoby.no_double < 1.0
    # A cube already turned activates gammons again.
    owned = decide(0.85, gammon=0.60, context=CubeContext(owner=CubeOwner.MOVER, cube=2, jacoby=True))
    assert owned.action is CubeAction.TOO_GOOD_DROP


def test_jacoby_doubles_earlier():
    plain, jacoby = (cube_window(context, 0.3, 0.2) for context in (MONEY, CubeContext(jacoby=True)))
    assert jacoby.double < plain.double
    assert jacoby.cash == pytest.approx(plain.cash)
    assert plain.too_good is not None
    assert jacoby.too_good is None


def test_beavers():
    # Two rolls against one: wins one time in six. Rolling costs 2/3, a double 4/3, the beaver 8/3.
    beaver = cube_decision((1 / 6, 0, 0, 0, 0), CubeContext(beavers=True), efficiency=0.0)
    assert beaver.no_double == pytest.approx(-2 / 3)
    assert beaver.double_take == pytest.approx(-8 / 3)
    assert beaver.action is CubeAction.NO_DOUBLE_BEAVER
    assert beaver.reply is Reply.BEAVER
    plain = cube_decision((1 / 6, 0, 0, 0, 0), MONEY, efficiency=0.0)
    assert plain.double_take == pytest.approx(-4 / 3)
    assert plain.action is CubeAction.NO_DOUBLE


def test_under_jacoby_a_double_can_be_right_and_be_beavered():
    # An underdog whose wins are all gammons: they only count with the cube turned, yet he stays the underdog.
    context = CubeContext(jacoby=True, beavers=True)
    decision = decide(0.38, gammon=0.36, lose_gammon=0.13, context=context, efficiency=0.0)
    assert decision.no_double == pytest.approx(2 * 0.38 - 1)
    assert decision.double_take == pytest.approx(4 * (2 * 0.38 - 1 + 0.36 - 0.13), abs=1e-9)
    assert decision.action is CubeAction.DOUBLE_BEAVER


def test_a_cube_at_its_limit_is_dead():
    capped = CubeContext(cube=64, owner=CubeOwner.MOVER, cap=64)
    decision = decide(0.7, context=capped)
    assert decision.action is CubeAction.NOT_AVAILABLE
    assert decision.verdict == "no redouble: the cube is at its limit"
    assert decision.no_double == pytest.approx(0.4)
    assert decision.double_take is decision.double_drop is None
    # One turn below the limit the taker gets a dead cube: he needs the full quarter.
    below = CubeContext(cube=32, owner=CubeOwner.MOVER, cap=64)
    assert cube_window(below, efficiency=1.0).take_point == pytest.approx(0.25)
    # A far limit is none.
    far = cube_equities(batch([0.7, 0.2, 0, 0.1, 0]), CubeContext(cap=2**20), 1.0)
    np.testing.assert_allclose(far, cube_equities(batch([0.7, 0.2, 0, 0.1, 0]), MONEY, 1.0), atol=1e-4)


def test_without_a_cube_equities_are_cubeless():
    row = batch([0.7, 0.3, 0.02, 0.1, 0.01])
    none = CubeContext(cap=1)
    assert no_double_equities(row, none)[0] == pytest.approx(0.4 + 0.32 - 0.11)
    assert cube_decision(row[0], none).verdict == "no double: no cube"


def test_automatic_doubles_multiply_the_stake_and_nothing_else():
    context = CubeContext(jacoby=True, stake=4)
    plain = CubeContext(jacoby=True)
    row = batch([0.7, 0.2, 0, 0.1, 0])
    np.testing.assert_array_equal(cube_equities(row, context), cube_equities(row, plain))
    assert context.value(1.0) == 4.0
    assert context.doubled.value(2.0) == 16.0  # source 001:53: 4 x 2 (cube) x 2 (gammon)
    assert context.equity(context.value(0.3)) == pytest.approx(0.3)


# -- matches --------------------------------------------------------------------------------------------------
def test_two_away_two_away_every_favourite_doubles():
    # The game after a double decides the match, so that the owner of the cube has no use for it. The taker needs
    # his chance at 1-away 2-away (32.264 %).
    context = CubeContext(away=(2, 2))
    assert decide(0.51, context=context).action is CubeAction.DOUBLE_TAKE
    assert decide(0.49, context=context).action is CubeAction.NO_DOUBLE
    assert decide(0.51, context=context, efficiency=1.0).action is CubeAction.OPTIONAL_TAKE
    for efficiency in (0.0, 0.68, 1.0):
        assert cube_window(context, efficiency=efficiency).take_point == pytest.approx(TABLE.chance(2, 1), abs=1e-6)
    assert context.value(decide(0.6, context=context).double_take) == pytest.approx(0.6)


def test_the_leader_at_two_away_four_away_gives_the_trailer_a_cube_at_four():
    # With the cube at 2 the leader's win ends the match; the trailer redoubles at once and plays for everything.
    context = CubeContext(away=(2, 4))
    decision = decide(0.8, context=context)
    assert context.value(decision.double_take) == pytest.approx(0.8)
    for efficiency in (0.0, 0.68, 1.0):
        window = cube_window(context, efficiency=efficiency)
        assert window.take_point == pytest.approx(TABLE.chance(4, 1), abs=1e-6)
        assert window.double > 0.75


def test_four_away_two_away_with_a_cube_at_four_is_dead():
    # Four points win the match for the trailer, two would for the leader: nobody has a use for eight.
    context = CubeContext(away=(4, 2), cube=4, owner=CubeOwner.MOVER)
    decision = decide(0.6, 0.2, 0.2, context)
    assert decision.action is CubeAction.DEAD_CUBE
    assert decision.no_double == pytest.approx(decision.cubeless) == pytest.approx(0.2)
    assert context.value(decision.no_double) == pytest.approx(0.6)
    assert gammon_values(context).win_gammon == 0.0
    assert gammon_values(context).lose_gammon == 0.0


def test_four_away_two_away_with_a_cube_at_two_is_redoubled_at_once():
    # Losing the two points loses the match: the cube at four costs nothing more.
    context = CubeContext(away=(4, 2), cube=2, owner=CubeOwner.MOVER)
    for win in (0.1, 0.3, 0.45):
        decision = decide(win, 0.2 * win, 0.0, context)
        assert decision.action is CubeAction.DOUBLE_TAKE
        assert context.value(decision.double_take) == pytest.approx(win)


def test_three_away_three_away_has_the_published_dead_cube_take_point():
    assert cube_window(CubeContext(away=(3, 3)), efficiency=0.0).take_point == pytest.approx(0.302, abs=5e-4)


@pytest.mark.parametrize(("away", "cube"), [((3, 3), 1), ((5, 4), 2), ((7, 2), 1), ((9, 11), 4)])
def test_the_take_point_of_a_dead_cube_is_the_risk_in_the_risk_and_the_gain(away, cube):
    owner = None if cube == 1 else CubeOwner.MOVER
    window = cube_window(CubeContext(away=away, cube=cube, owner=owner), efficiency=0.0)
    doubled = TABLE.cube_levels(*away[::-1], 2 * cube).levels[0]
    dropped = TABLE.cube_levels(*away[::-1], cube).levels[0].lose[0]
    assert window.take_point == pytest.approx(take_point(dropped, doubled.win[0], doubled.lose[0]), abs=1e-6)
    assert take_point(-1, 2, -2) == 0.25


def test_long_matches_are_like_money():
    assert cube_window(CubeContext(away=(25, 25))).take_point == pytest.approx(cube_window(MONEY).take_point, abs=3e-3)
    assert gammon_values(CubeContext(away=(25, 25))).win_gammon == pytest.approx(0.5, abs=0.01)


def test_gammon_values():
    assert gammon_values(MONEY).win_gammon == gammon_values(MONEY).lose_backgammon == 0.5
    assert gammon_values(CubeContext(jacoby=True)).win_gammon == 0.0
    assert gammon_values(CubeContext(away=(1, 1))).win_gammon == 0.0
    assert gammon_values(CubeContext(away=(1, 2), crawford=True)).lose_gammon > 0.9  # the gammon loses the match
    assert gammon_values(CubeContext(away=(2, 4))).win_gammon > gammon_values(CubeContext(away=(4, 2))).win_gammon


def test_after_the_crawford_game_the_trailer_doubles_at_once():
    # He loses the match with the game whatever the cube; and the leader has no use for it.
    for away in range(2, 10):
        for win in (0.05, 0.3, 0.45):
            decision = decide(win, 0.2 * win, 0.2 * (1 - win), CubeContext(away=(away, 1)))
            assert decision.should_double
            assert decision.reply is Reply.TAKE


@pytest.mark.parametrize("score", [{"away": (3, 1)}, {"away": (4, 2), "cube": 2, "owner": CubeOwner.MOVER}], ids=str)
def test_a_double_that_must_be_made_is_worth_most_of_itself_a_roll_late(score):
    context = CubeContext(**score)
    chances = np.array([[0.45, 0.12, 0.0, 0.15, 0.0]])
    dead, late, live = (float(no_double_equities(chances, context, share)[0]) for share in (0.0, 0.7, 1.0))
    doubled = float(cube_equities(chances, context)[0, 1])
    assert dead == pytest.approx(float(cubeless_equities(chances, context)[0]))
    assert live == pytest.approx(doubled)
    assert 0.05 < (live - late) / (live - dead) < 0.12  # look-ahead of 2 plies: a tenth


def test_the_free_drop_after_the_crawford_game():
    # A trailer an even number of points away gains nothing by one point: the leader drops as soon as he is the
    # underdog. At an odd number a drop gives away a whole game: only hopeless positions are dropped.
    assert cube_window(CubeContext(away=(2, 1))).take_point == pytest.approx(0.5, abs=1e-6)
    assert decide(0.52, context=CubeContext(away=(2, 1))).action is CubeAction.DOUBLE_DROP
    for even, odd in ((4, 3), (4, 5), (6, 7), (8, 9)):
        free, dear = (cube_window(CubeContext(away=(away, 1)), 0.25, 0.25).take_point for away in (even, odd))
        assert 0.38 < free < 0.5
        assert dear < 0.25


def test_the_leader_after_the_crawford_game_expects_the_double():
    # On roll with 60 %, the trailer two points away: he is doubled next turn and takes, or drops to 1-away 1-away.
    context = CubeContext(away=(1, 2))
    decision = decide(0.6, context=context)
    assert decision.action is CubeAction.DEAD_CUBE
    assert context.value(decision.no_double) == pytest.approx(0.6)
    assert context.value(decide(0.3, context=context).no_double) == pytest.approx(0.5)
    # His own double can only hurt him.
    context = CubeContext(away=(1, 4))
    assert decide(0.6, context=context).cost_of_doubling > 0


def test_the_crawford_game_has_no_cube():
    context = CubeContext(away=(1, 4), crawford=True)
    decision = decide(0.7, 0.2, 0.1, context)
    assert decision.action is CubeAction.CRAWFORD
    assert decision.double_take is None
    expected = 0.7 + 0.2 * TABLE.chance(1, 3, crawford_played=True) + 0.1 * TABLE.chance(1, 2, crawford_played=True)
    assert context.value(decision.no_double) == pytest.approx(expected)
    assert decide(0.7, 0.2, 0.1, context.swapped).action is CubeAction.CRAWFORD


def test_at_the_last_point_of_both_the_game_is_the_match():
    context = CubeContext(away=(1, 1))
    decision = decide(0.7, 0.5, 0.2, context)
    assert decision.action is CubeAction.DEAD_CUBE
    assert decision.equity == pytest.approx(0.4)
    assert context.value(decision.equity) == pytest.approx(0.7)


# -- the other player's view ----------------------------------------------------------------------------------
@pytest.mark.parametrize("context", [MONEY, OWN, CubeContext(away=(3, 5)), CubeContext(away=(1, 2), crawford=True)])
def test_a_value_is_flipped_to_the_last_bit_as_the_formula_says(context):
    values = np.random.default_rng(7).normal(size=1000)
    expected = 1.0 - values if context.is_match else -values
    assert context.flip(values).tobytes() == expected.tobytes()
    assert [context.flip(value) for value in values.tolist()] == expected.tolist()
    assert isinstance(context.flip(0.5), float)


def test_what_both_sides_see_alike_is_the_same_value():
    for context in (CUBELESS, MONEY, CubeContext(away=(4, 4)), CubeContext(jacoby=True, cap=8)):
        assert context.swapped is context
    for context in (OWN, CubeContext(away=(3, 5)), CubeContext(away=(4, 4), cube=2, owner=CubeOwner.OPPONENT)):
        assert context.swapped != context
        assert context.swapped.swapped == context


def test_the_answer_to_a_double_has_the_chances_of_the_player_who_answers():
    chances = np.sort(np.random.default_rng(8).uniform(size=(50, 5)))[:, [4, 3, 2, 1, 0]]
    for win, gammon, backgammon, *_ in chances.tolist():
        lose_gammon, lose_backgammon = (1 - win) / 3, (1 - win) / 7
        decision = cube_decision((win, gammon, backgammon, lose_gammon, lose_backgammon), MONEY, 0.68)
        assert decision.answer is not None
        assert decision.answer.probabilities == (1.0 - win, lose_gammon, lose_backgammon, gammon, backgammon)


# -- properties -----------------------------------------------------------------------------------------------
@given(five(), contexts(), st.floats(0, MOST))
def test_what_one_side_wins_the_other_loses(probabilities, context, efficiency):
    win, gammon, backgammon, lose_gammon, lose_backgammon = probabilities
    row = batch(probabilities)
    turned = batch([1 - win, lose_gammon, lose_backgammon, gammon, backgammon])
    mine, theirs = cubeless_equities(row, context), cubeless_equities(turned, context.swapped)
    np.testing.assert_allclose(mine, -theirs, atol=1e-9)
    levels = context.cube_levels.levels[0]
    if levels.mover_forced or levels.other_forced:
        return  # who doubles at once depends on who is on roll
    mine = no_double_equities(row, context, efficiency)
    np.testing.assert_allclose(mine, -no_double_equities(turned, context.swapped, efficiency), atol=1e-9)


@given(five(), contexts(), st.floats(0, MOST))
def test_values_stay_between_the_worst_and_the_best_result(probabilities, context, efficiency):
    best = best_equities(batch(probabilities), context, efficiency)[0]
    rolled = no_double_equities(batch(probabilities), context, efficiency)[0]
    assert best >= rolled - 1e-9
    value = context.value(best)
    if context.is_match:
        assert -1e-9 <= value <= 1 + 1e-9
    else:
        assert abs(rolled) <= 3 + 1e-9
    assert context.equity(value) == pytest.approx(best, abs=1e-6)


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0), contexts(), st.floats(0, MOST))
def test_without_gammons_to_win_nobody_is_too_good_and_without_any_to_lose_nobody_is_worse_than_a_drop(
    win, lost, context, efficiency
):
    for probabilities in ((win, 0.0, 0.0, lost * (1.0 - win), 0.0), (win, lost * win, 0.0, 0.0, 0.0)):
        value = no_double_equities(np.array([probabilities]), context, efficiency)[0]
        if context.may_double and not probabilities[1]:
            assert value <= 1.0 + 1e-9
        if context.swapped.may_double and not probabilities[3]:
            assert value >= -1.0 - 1e-9


@given(five(), contexts(), st.floats(0, MOST))
def test_the_decision_is_the_batch_and_its_parts_fit(probabilities, context, efficiency):
    decision = cube_decision(probabilities, context, efficiency)
    assert decision.equity == pytest.approx(best_equities(batch(probabilities), context, efficiency)[0], abs=1e-5)
    assert decision.cost_of_not_doubling >= 0
    if context.may_double:
        assert decision.cost_of_doubling >= 0
        assert decision.should_double == (decision.cost_of_not_doubling > 1e-6 and not context.is_dead)
        assert (decision.reply is Reply.DROP) == (decision.double_drop <= decision.double_take)
    assert decision.verdict in str(decision) or decision.verdict.capitalize() in str(decision)


@given(st.floats(0.01, 0.98), st.floats(0, 1), st.floats(0, 1), contexts(), st.floats(0, MOST))
def test_winning_more_is_never_worse(win, gammons, lost, context, efficiency):
    rows = [(p, gammons * p, 0, lost * (1 - p), 0) for p in (win, win + 0.01)]
    for column in cube_equities(batch(*rows), context, efficiency).T[:2]:
        if not np.isnan(column).any():
            assert column[1] >= column[0] - 1e-9


def test_owning_the_cube_is_worth_more_than_sharing_it_and_that_more_than_facing_it():
    rows = batch(*[(p, 0.2 * p, 0, 0.2 * (1 - p), 0) for p in np.linspace(0, 1, 41)])
    owned, centred, theirs = (no_double_equities(rows, context) for context in (OWN, MONEY, THEIRS))
    assert (owned >= centred - 1e-12).all()
    assert (centred >= theirs - 1e-12).all()


def test_one_number_or_one_for_each_position():
    rows = batch([0.6, 0.1, 0, 0.1, 0], [0.7, 0.1, 0, 0.1, 0])
    both = cube_equities(rows, MONEY, np.array([0.5, 0.7]))
    np.testing.assert_allclose(both[0], cube_equities(rows[:1], MONEY, 0.5)[0])
    np.testing.assert_allclose(both[1], cube_equities(rows[1:], MONEY, 0.7)[0])


# -- words and refusals ---------------------------------------------------------------------------------------
def test_a_decision_prints_as_a_table():
    text = str(decide(0.75, 0.2, 0.05))
    assert text.splitlines()[0] == "Double, drop"
    assert "No double        +0.8939  (\N{MINUS SIGN}0.1061)" in text
    assert "Win 75.00 % (gammon 20.00, backgammon 0.00), lose 25.00 %" in text
    match = str(decide(0.6, context=CubeContext(away=(2, 2))))
    assert "60.00 %" in match
    assert str(decide(0.78, context=CubeContext(owner=CubeOwner.MOVER, cube=2))).startswith("Redouble, take")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"cube": 3}, "cube at 3"),
        ({"cube": 0}, "cube at 0"),
        ({"cap": 48}, "cube cap 48"),
        ({"cube": 4, "cap": 2, "owner": CubeOwner.MOVER}, "cube cap 2"),
        ({"stake": 0}, "stake 0"),
        ({"crawford": True}, "Crawford"),
        ({"away": (0, 3)}, "away"),
        ({"away": (3, 3), "jacoby": True}, "belong to money"),
        ({"away": (3, 3), "beavers": True}, "belong to money"),
        ({"away": (3, 3), "stake": 2}, "belong to money"),
        ({"away": (3, 3), "cube": 2}, "somebody owns it"),
        ({"away": (3, 3), "crawford": True}, "not a Crawford game"),
    ],
)
def test_contexts_that_cannot_be_are_refused(wrong, message):
    with pytest.raises(EquityError, match=message):
        CubeContext(**wrong)


@pytest.mark.parametrize(
    "wrong", [(0.5, 0.6, 0, 0, 0), (1.2, 0, 0, 0, 0), (0.5, 0, 0, 0.6, 0), (0.5, 0.1), (0.5, 0.1, 0.2, 0, 0)]
)
def test_probabilities_that_cannot_be_are_refused(wrong):
    with pytest.raises(EquityError):
        cube_decision(wrong, MONEY)


def test_there_is_no_double_of_a_cube_one_does_not_own():
    with pytest.raises(EquityError, match="opponent owns"):
        _ = THEIRS.doubled
    with pytest.raises(EquityError, match="opponent owns"):
        cube_window(THEIRS)
    assert OWN.doubled == CubeContext(cube=2, owner=CubeOwner.OPPONENT)


# -- exact tables and efficiency ------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def endings():
    """A thousand endings of up to six checkers a side as packed rows, with the table."""
    tables = shared_bearoff()
    generator = np.random.default_rng(7)
    rows = np.zeros((20_000, 32), dtype=np.int8)
    for row in rows:
        for point in generator.integers(1, 7, generator.integers(2, 7)):
            row[point] += 1
        for point in generator.integers(1, 7, generator.integers(2, 7)):
            row[25 - point] -= 1
        row[26], row[27] = 15 - row[1:7].sum(), 15 + row[19:25].sum()
    return tables, rows


@pytest.mark.broad
def test_exact_equities_take_the_place_of_the_model(endings):
    tables, rows = endings
    _, exact = tables.equities(rows[:3])
    _, probabilities = tables.probabilities(rows[:3])
    exact[1] = np.nan
    for column, context in ((1, OWN), (2, MONEY), (3, THEIRS)):
        equities = no_double_equities(probabilities, context, 0.68, exact)
        np.testing.assert_array_equal(equities[[0, 2]], exact[[0, 2], column])
        assert equities[1] == no_double_equities(probabilities, context, 0.68)[1]
    assert cube_equities(probabilities, MONEY, 0.68, exact)[0, 1] == 2 * exact[0, 3]
    assert cube_decision(probabilities[0], MONEY, 0.68, exact[0]).exact
    assert not cube_decision(probabilities[1], MONEY, 0.68, exact[1]).exact
    capped = CubeContext(cap=2)
    assert not cube_decision(probabilities[0], capped, 0.68, exact[0]).exact


def test_two_rolls_against_one_from_the_table(endings):
    tables, _ = endings
    row = np.zeros((1, 32), dtype=np.int8)
    row[0, 1], row[0, 24], row[0, 26], row[0, 27] = 4, -2, 11, 13
    _, exact = tables.equities(row)
    _, probabilities = tables.probabilities(row)
    decision = cube_decision(probabilities[0], CubeContext(beavers=True), 0.68, exact[0])
    assert decision.no_double == pytest.approx(-2 / 3, abs=1e-6)
    assert decision.double_take == pytest.approx(-8 / 3, abs=1e-6)
    assert decision.verdict == "no double, beaver"


def losses(win, exact, efficiency):
    """Mean equity lost by doubling, redoubling, taking as the model says, where the exact equities are known."""
    probabilities = np.zeros((len(win), 5))
    probabilities[:, 0] = win
    doubled = np.minimum(1.0, 2 * exact[:, 3])
    lost = np.zeros(len(win))
    for column, context in ((2, MONEY), (1, OWN)):
        model = cube_equities(probabilities, context, efficiency)
        says = np.minimum(model[:, 1], 1.0) > model[:, 0]
        lost += np.maximum(exact[:, column], doubled) - np.where(says, doubled, exact[:, column])
    takes, right = model[:, 1] < 1.0, 2 * exact[:, 3] < 1.0
    lost += np.where(takes != right, np.abs(2 * exact[:, 3] - 1.0), 0.0)
    return lost.mean()


def test_an_efficiency_by_length_loses_less_in_real_endings_than_any_constant(endings):
    tables, rows = endings
    _, exact = tables.equities(rows)
    win = 0.5 + 0.5 * exact[:, 0]
    close = (win > 0.45) & (win < 0.93)
    ours = losses(win[close], exact[close], PhaseEfficiency().of(rows)[close])
    constants = [losses(win[close], exact[close], x) for x in np.arange(0.3, 0.8, 0.05)]
    assert ours < 0.9 * min(constants)
    assert ours < 0.5 * losses(win[close], exact[close], 0.68)


def test_an_efficiency_by_length_loses_less_in_long_races_than_any_constant():
    longest = 130
    values = pip_race.solve(longest)
    own, other = (grid.ravel() for grid in np.meshgrid(np.arange(10, 115), np.arange(10, longest + 1), indexing="ij"))
    exact = values[own, other]
    win = 0.5 + 0.5 * exact[:, 0]
    close = (win > 0.45) & (win < 0.93)
    model = PhaseEfficiency()
    lengths, figures = zip(*model.race, strict=True)
    # A race without wastage is as long as a real one of some five pips less.
    ours = losses(win[close], exact[close], np.interp(own - 5, lengths, figures)[close])
    constants = [losses(win[close], exact[close], x) for x in np.arange(0.5, 0.85, 0.05)]
    assert ours < 0.5 * min(constants)


def test_phases_are_told_apart():
    contact = np.zeros(32, dtype=np.int8)
    contact[20], contact[10] = 1, -1
    race = np.zeros(32, dtype=np.int8)
    race[6], race[20] = 5, -1
    bar = np.zeros(32, dtype=np.int8)
    bar[25], bar[20] = 1, -1
    model = PhaseEfficiency(contact=0.9, race=((0, 0.0), (60, 0.6)))
    np.testing.assert_allclose(model.of(np.array([contact, race, bar])), [0.9, 0.3, 0.9])
