"""House rules that no equity counts: every answer that they could change says so."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.engine.random_nets import random_engine

from fullprime.common.json_values import to_json
from fullprime.engine.cube.context import uncounted, uncounted_in
from fullprime.reviews.review import review
from fullprime.reviews.summary import summary
from fullprime.rules.dice import Roll
from fullprime.rules.game import Game
from fullprime.rules.position import Position
from fullprime.rules.record import Match
from fullprime.rules.score import Settings
from fullprime.rules.variants import ACEY_DEUCEY
from fullprime.rules.variants.variant import Backgammon

BAR_ONLY = Settings(backgammon=Backgammon.BAR_ONLY)
BAR_FOUR = Settings(backgammon=Backgammon.BAR_FOUR, beavers=True, raccoons=True)


@pytest.fixture(scope="module")
def engine():
    return random_engine(level="0-ply")


@pytest.mark.broad
@pytest.mark.parametrize(("settings", "words"), [(BAR_ONLY, ["bar_only"]), (BAR_FOUR, ["bar_four", "raccoons"])])
def test_every_answer_in_a_game_says_which_rules_it_does_not_count(engine, settings, words):
    game = Game.new(settings)
    asked = [
        engine.rank_plays(game, (3, 1)),
        engine.cube_decision(game),
        engine.evaluate(game),
        engine.rollout(game, (3, 1), trials=36, most=1),
    ]
    for answer in asked:
        assert len(answer.uncounted) == len(words)
        line = next(line for line in str(answer).splitlines() if line.startswith("  Not counted: "))
        for word, said in zip(words, answer.uncounted, strict=True):
            assert word in said
            assert said in line
        assert json.loads(json.dumps(to_json(answer)))["uncounted"] == list(answer.uncounted)


def test_under_the_usual_rules_nothing_is_said(engine):
    for settings in (
        Settings(),
        Settings(length=5),
        Settings(beavers=True, jacoby=True),
        Settings(variant=ACEY_DEUCEY),
    ):
        assert uncounted(settings) == ()
    found = engine.rank_plays(Game.new(), (3, 1))
    assert found.uncounted == ()
    assert "Not counted" not in str(found)
    assert to_json(found)["uncounted"] == []


def test_a_rule_that_can_change_nothing_any_more_is_not_named():
    def at(text):
        return replace(Game.new(BAR_ONLY), position=Position.from_text(text))

    assert uncounted_in(at("6:5 5:5 4:5 / 6:5 5:5 4:5")) == ()  # all are home
    assert uncounted_in(at("off:3 6:6 12:6 / off:1 6:8 12:6")) == ()  # both have borne off
    assert uncounted_in(at("6:13 20:2 / off:3 6:12")) != ()
    assert uncounted_in(at("6:15 / off:3 6:10 bar:2")) != ()  # a checker at home can still be hit


def test_a_review_says_so(engine):
    match = Match.new(BAR_ONLY).opening(3, 1).play("8/5 6/5").roll(Roll(4, 2)).play("8/4 6/4")
    assert "Not counted: backgammon=bar_only" in summary(review(match, engine, "fast"))
    plain = Match.new(Settings()).opening(3, 1).play("8/5 6/5")
    assert "Not counted" not in summary(review(plain, engine, "fast"))
