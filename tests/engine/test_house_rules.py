"""House rules in equities: what a checker on the bar counts at the end of a backgammon, and the raccoon."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.engine.random_nets import random_engine

import fullprime as fp
from fullprime.common.json_values import to_json
from fullprime.engine import api
from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.action import Reply, cube_decision
from fullprime.engine.cube.bar_share import bar_shares, outcomes
from fullprime.engine.cube.context import context_of, cubeless
from fullprime.engine.cube.equity import CubeContext, CubeOwner, EquityError, best_equities, cube_equities
from fullprime.engine.cube.points import gammon_values
from fullprime.engine.rollouts.result import RolloutState
from fullprime.engine.rollouts.task import TrialPolicy
from fullprime.engine.search.cube_search import judge_cubes
from fullprime.rules.dice import Roll
from fullprime.rules.game import Game
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.score import Settings
from fullprime.rules.variants.variant import Backgammon

HOUSES = (Backgammon.BAR_ONLY, Backgammon.BAR_FOUR)
BEHIND = Position.from_text("bar 23:2 20 6:11 / 1:2 off:13")
"""The player on roll loses at the next roll, whatever it is; how much hangs on where the last checkers stand."""
CONTACT = Position.from_text("8:2 6:3 5:2 4:3 3:3 2:2 / bar:2 24:4 6:9")
RAISED = {"cube": 2, "owner": CubeOwner.OPPONENT, "cap": 2}
CHANCES = np.array([[0.5, 0.1, 0.02, 0.2, 0.03], [0.45, 0.2, 0.1, 0.1, 0.0], [0.7, 0.3, 0.05, 0.01, 0.0]])


@pytest.fixture(scope="module")
def engine():
    return random_engine(level="0-ply")


@pytest.mark.parametrize("rule", list(Backgammon))
@pytest.mark.parametrize("away", [None, (5, 9)])
def test_each_play_before_the_end_is_worth_what_the_rules_pay(engine, rule, away):
    roll = Roll(4, 2)
    settings = Settings(backgammon=rule)
    context = CubeContext(**RAISED, away=away, backgammon=rule)
    ranking = engine.rank_plays(BEHIND, roll, context, level="1-ply", same_depth=100)
    assert len(ranking) == len(legal_plays(BEHIND, roll))
    for ranked in ranking:
        points = settings.level(ranked.play.after.player, cube_turned=True)
        if away is None:
            assert ranked.equity == pytest.approx(-points)
        else:
            assert ranked.value == pytest.approx(chance_after_loss(away, 2 * points))
    rolled = engine.rollout(BEHIND, roll, context, most=3, trials=36, threads=1)
    for play in rolled.rolled:
        (ranked,) = [ranked for ranked in ranking if ranked.text == play.name]
        assert play.equity == pytest.approx(ranked.equity)
        assert play.error == pytest.approx(0.0, abs=1e-9)


def chance_after_loss(away, points):
    return 0.0 if points >= away[1] else CubeContext().table.chance(away[0], away[1] - points)


def test_no_share_of_backgammons_has_the_bar_where_none_is_possible():
    race = Position.from_text("6:5 5:5 8:5 / off:1 4:14")
    over = Position.from_text("off:15 / bar 6:14")
    home = Position.from_text("off:15 / 20 6:14")
    shares = bar_shares(np.concatenate([row_of(position) for position in (race, over, home, CONTACT, CONTACT.swapped)]))
    assert shares[0].tolist() == [0.0, 0.0]
    assert shares[1, 0] == 1.0
    assert shares[2, 0] == 0.0
    assert 0.0 < shares[3, 0] < 0.3
    assert shares[4].tolist() == shares[3, ::-1].tolist()
    gone = Position.from_text("8:2 6:3 5:2 4:3 3:3 2:2 / off:1 bar:2 24:4 6:8")
    assert bar_shares(row_of(gone))[0, 0] == 0.0  # the opponent has borne off
    assert bar_shares(row_of(gone))[0, 1] > 0.0


def test_under_the_usual_rules_the_outputs_are_untouched():
    outputs = CHANCES[:1]
    assert outcomes(outputs, row_of(CONTACT), CubeContext()) is outputs
    counted = outcomes(outputs, row_of(CONTACT), CubeContext(backgammon="bar_four"))
    assert counted[:, :5].tolist() == outputs.tolist()
    assert counted[0, 5:] == pytest.approx(outputs[0, [2, 4]] * bar_shares(row_of(CONTACT))[0])


@pytest.mark.parametrize("context", [CubeContext(), CubeContext(jacoby=True, beavers=True), CubeContext(away=(3, 6))])
def test_without_backgammons_the_rule_changes_nothing(context):
    chances = CHANCES.copy()
    chances[:, [2, 4]] = 0.0
    seven = np.concatenate([chances, np.zeros((3, 2))], axis=1)
    for rule in HOUSES:
        np.testing.assert_allclose(
            cube_equities(seven, replace(context, backgammon=rule)), cube_equities(chances, context)
        )


@pytest.mark.parametrize(
    "context", [CubeContext(), CubeContext(away=(5, 7)), CubeContext(cube=2, owner="mover", cap=8)]
)
def test_all_backgammons_on_the_bar_or_none_are_the_results_themselves(context):
    """With all of them at home ``bar_only`` knows no backgammon, ``bar_four`` is as usual; with all on the bar
    ``bar_only`` is as usual."""
    none = np.concatenate([CHANCES, np.zeros((3, 2))], axis=1)
    every = np.concatenate([CHANCES, CHANCES[:, [2, 4]]], axis=1)
    gammons = CHANCES.copy()
    gammons[:, [2, 4]] = 0.0
    only, four = (replace(context, backgammon=rule) for rule in HOUSES)
    np.testing.assert_allclose(cube_equities(none, only), cube_equities(gammons, context))
    np.testing.assert_allclose(cube_equities(every, only), cube_equities(CHANCES, context))
    np.testing.assert_allclose(cube_equities(none, four), cube_equities(CHANCES, context))
    if context.away is None:
        dead = replace(context, cap=context.cube)
        gained = cube_equities(every, replace(dead, backgammon="bar_four"))[:, 0] - cube_equities(CHANCES, dead)[:, 0]
        assert gained == pytest.approx(CHANCES[:, 2] - CHANCES[:, 4])


@pytest.mark.broad
def test_rolled_out_with_the_luck_taken_out_or_left_in_it_is_the_same_equity(engine):
    context = CubeContext(cap=1, backgammon=Backgammon.BAR_FOUR)
    late = Position.from_text("3:2 2:2 1:2 off:9 / bar:2 21:2 6:11")
    ways = (TrialPolicy(seed=1), TrialPolicy(seed=2, variance_reduction=False))
    fair, raw = (engine.rollout(late, context=context, policy=way, trials=648, threads=1).best for way in ways)
    assert abs(fair.equity - raw.equity) < 4 * np.hypot(fair.error, raw.error)
    assert fair.equity == pytest.approx(fair.cubeless, abs=1e-6)


def test_a_game_says_its_rules_to_the_engine(engine):
    game = Game.new(Settings(beavers=True, raccoons=True, cube_cap=8, backgammon="bar_four"))
    context = context_of(game)
    assert (context.raccoons, context.backgammon) == (True, Backgammon.BAR_FOUR)
    assert cubeless(context) == CubeContext(cap=1, backgammon=Backgammon.BAR_FOUR)
    assert context_of(Game.new(Settings(length=5, backgammon="bar_only"))).backgammon is Backgammon.BAR_ONLY
    plain, four = (
        engine.evaluate(replace(Game.new(Settings(backgammon=rule)), position=CONTACT), cubeful=False)
        for rule in (Backgammon.HOME_OR_BAR, Backgammon.BAR_FOUR)
    )
    assert four.probabilities == plain.probabilities
    on_bar = np.array(plain.probabilities)[[2, 4]] * bar_shares(row_of(CONTACT))[0]
    assert four.equity == pytest.approx(plain.equity + on_bar[0] - on_bar[1])
    assert four.cubeless == pytest.approx(four.equity)
    decision = engine.cube_decision(CONTACT, replace(context, raccoons=False, cap=None))
    assert decision.cubeless == pytest.approx(four.cubeless)


def test_a_backgammon_is_worth_what_the_rule_makes_of_it():
    values = [gammon_values(CubeContext(backgammon=rule)).win_backgammon for rule in Backgammon]
    assert values[0] == 0.5
    assert 0.0 < values[1] < 0.1
    assert 0.5 < values[2] < 0.6
    context = CubeContext(away=(9, 9), cube=2, owner=CubeOwner.MOVER, backgammon=Backgammon.BAR_FOUR)
    assert context.value(context.equity_lost(4)) == pytest.approx(CubeContext().table.chance(9, 1))
    assert CubeContext(backgammon="bar_only").equity_lost(3) == -3.0


# -- the raccoon ----------------------------------------------------------------------------------------------
def test_without_a_limit_of_the_cube_a_raccoon_changes_no_decision():
    """It is right only where the beaver was wrong."""
    context = CubeContext(jacoby=True, beavers=True)
    with_raccoons = replace(context, raccoons=True)
    chances = np.zeros((40, 5))
    chances[:, 0] = np.linspace(0.3, 0.7, 40)
    chances[:, 1] = 0.3 * chances[:, 0]
    equities = cube_equities(chances, with_raccoons)
    np.testing.assert_allclose(equities[:, 4], 2.0 * equities[:, 3])
    np.testing.assert_array_equal(best_equities(chances, with_raccoons), best_equities(chances, context))


def test_at_the_limit_of_the_cube_a_raccoon_refutes_a_beaver():
    """The beaverer would own a cube that can be turned once more; after the raccoon nobody can."""
    context = CubeContext(beavers=True, raccoons=True, cap=8)
    chances = (0.52, 0.0, 0.0, 0.0, 0.0)
    before, after = cube_decision(chances, replace(context, raccoons=False)), cube_decision(chances, context)
    dead = 8.0 * 0.04
    assert before.reply is Reply.BEAVER
    assert before.double_take is not None
    assert before.double_take < 0.0
    assert after.reply is Reply.TAKE
    assert after.double_take == before.mere_take
    assert cube_equities(np.array([chances]), context)[0, 4] == pytest.approx(dead)
    assert CubeContext(beavers=True, raccoons=True, cap=4).after_raccoon is None
    with pytest.raises(EquityError, match="raccoons answer beavers"):
        CubeContext(raccoons=True)
    with pytest.raises(EquityError, match="money"):
        CubeContext(beavers=True, raccoons=True, away=(3, 3))


@pytest.mark.broad
def test_look_ahead_and_rollouts_answer_beavers_with_raccoons(engine):
    context = CubeContext(beavers=True, raccoons=True, cap=8)
    plain = replace(context, raccoons=False)
    tried = [CONTACT, CONTACT.swapped, Position.from_text("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5")]
    for position in tried:
        static = cube_decision(engine.evaluate(position, cubeful=False).probabilities, context, 0.68)
        assert static.double_take is not None
        judged = engine.cube_decision(position, context, level="0-ply")
        without = engine.cube_decision(position, plain, level="0-ply")
        assert judged.no_double == pytest.approx(without.no_double)
        assert judged.double_take is not None
        assert without.double_take is not None
        assert judged.double_take >= without.double_take - 1e-12  # one more answer can only help the doubler
    rolled = engine.rollout(tried[2], context=context, trials=36, threads=1)
    equities = {play.name: play.equity for play in rolled.rolled}
    assert set(equities) == {"no double", "double, take", "double, beaver", "double, beaver, raccoon"}
    answered = max(equities["double, beaver"], min(4.0, equities["double, beaver, raccoon"]))
    assert rolled.decision.double_take == pytest.approx(min(equities["double, take"], answered))
    assert RolloutState.from_json(rolled.state.to_json()) == rolled.state
    house = engine.rollout(BEHIND, context=CubeContext(backgammon="bar_four"), trials=36, threads=1).state
    assert RolloutState.from_json(house.to_json()).task.context.backgammon is Backgammon.BAR_FOUR


def test_the_answers_to_a_beaver_and_to_a_raccoon(engine):
    game = Game.new(Settings(beavers=True, raccoons=True, cube_cap=8)).opening(3, 1).play("8/5 6/5").double().beaver()
    answer = engine.answer_raise(game, level="0-ply")
    context = CubeContext(beavers=True, raccoons=True, cap=8)
    (values,) = judge_cubes(engine.judging, row_of(game.position), [context], 0)
    assert answer.actions[0][0] == str(answer.reply)
    assert {name: equity for name, equity, _ in answer.actions} == {
        "take": pytest.approx(values.beaver),
        "drop": -2.0,
        "raccoon": pytest.approx(min(values.raccoon, 4.0)),
    }
    assert min(loss for _, _, loss in answer.actions) == 0.0 == answer.actions[0][2]
    after = engine.answer_raise(game.raccoon(), level="0-ply")
    assert {name: equity for name, equity, _ in after.actions} == {"take": pytest.approx(-values.raccoon), "drop": -4.0}
    assert after.probabilities[0] == pytest.approx(1.0 - answer.probabilities[0])
    assert str(after).splitlines()[0] in ("Take", "Drop")


def test_the_front_door_answers_beavers_and_raccoons():
    game = Game.new(Settings(beavers=True, raccoons=True)).opening(3, 1).play("8/5 6/5").double().beaver()
    for waiting in (game, game.raccoon()):
        answer = fp.hint(waiting, level="fast")
        assert isinstance(answer, fp.CubeAnswer)
        assert to_json(api.hint(waiting, "fast"))["answer"]["accept"] == pytest.approx(answer.accept)
    assert {name for name, _, _ in game.hint("fast").actions} == {"take", "drop", "raccoon"}
