"""Advice at the board, and the word before a blunder."""

from __future__ import annotations

import re

import pytest

from fullprime.analysis import tutor
from fullprime.engine import api
from fullprime.engine.shared import engine_for
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError, IllegalAction
from fullprime.rules.game import DOUBLE, Game, Phase, opening, play, roll
from fullprime.rules.notation import read_play
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import variant_named

OPENING = Game.new(Settings(length=7)).act(opening(3, 1))


def at_the_cube(text: str) -> Game:
    return Game(
        settings=Settings(length=0),
        score=OPENING.score.start(Settings(length=0)),
        position=Position.from_text(text),
        on_roll=Player.X,
        phase=Phase.CUBE_DECISION,
    )


SURE = at_the_cube("1:2 off:13 / 6:15")
"""X bears off his last two checkers whatever he throws, and O has none off: too good or a drop, never a take."""


def test_plays_are_ranked_with_what_they_lose() -> None:
    advice = tutor.advise(OPENING, "0-ply")
    assert advice.kind == "play"
    assert advice.plays[0].text == "8/5 6/5"
    assert advice.plays[0].moves == ("8/5", "6/5")
    losses = [play.loss for play in advice.plays]
    assert losses[0] == 0
    assert losses == sorted(losses)
    assert len(losses) == tutor.MOST


def test_a_blunder_is_named_with_the_reason() -> None:
    good, bad = tutor.judge(OPENING, "8/5 6/5", "0-ply"), tutor.judge(OPENING, "13/10 6/5", "0-ply")
    assert good is not None
    assert bad is not None
    assert (good.loss, good.verdict, good.why) == (0, "ok", "")
    assert bad.loss > 0.08
    assert bad.blunder
    assert bad.best == "8/5 6/5"
    assert bad.moves == ("8/5", "6/5")
    assert "makes the 5 point" in bad.why


def test_a_hint_has_the_reason_why_the_best_is_better_than_what_is_clearly_worse() -> None:
    """At 1-ply no other play of 3-1 is looked at as far as the best: the one that is compared with it is, too."""
    for level in ("0-ply", "1-ply"):
        assert tutor.advise(OPENING, level).why.startswith("8/5 6/5 makes the 5 point")
    forced = SURE.act(roll(Roll(2, 1)))
    assert tutor.advise(forced, "0-ply").why == ""


def test_a_hint_about_the_cube_has_its_reason() -> None:
    early = OPENING.act(play(OPENING.legal_plays[0]))
    assert re.search(r"double (is right from|needs)|that a double needs", tutor.advise(early, "0-ply").why)
    assert "a take is" in tutor.advise(SURE.act(DOUBLE), "0-ply").why


def test_the_same_numbers_stand_in_the_hint_and_in_the_verdict() -> None:
    listed = {play.text: play.loss for play in tutor.advise(OPENING, "0-ply").plays}
    for text, loss in listed.items():
        judgement = tutor.judge(OPENING, text, "0-ply")
        assert judgement is not None
        assert judgement.loss == pytest.approx(loss, abs=1e-4)


def test_a_play_is_judged_as_far_as_the_best_one() -> None:
    """The list looks at 13/9 statically; the tutor looks one ply ahead before it says what 13/9 loses."""
    listed = next(candidate for candidate in tutor.advise(OPENING, "1-ply").plays if candidate.text == "13/9")
    judgement = tutor.judge(OPENING, "13/9", "1-ply")
    assert judgement is not None
    assert listed.depth == 0
    engine = engine_for(OPENING.settings.variant)
    after = read_play("13/9", OPENING.position, Roll(3, 1), OPENING.settings.variant).after
    ranked = engine.rank_plays(OPENING, level="1-ply", played=after).find(after)
    assert ranked is not None
    assert judgement.loss == pytest.approx(ranked.loss, abs=1e-4)
    assert judgement.loss != pytest.approx(listed.loss, abs=1e-3)


def test_the_hint_of_the_player_who_answers_is_his() -> None:
    """O has to answer: his words, his equities, his chances, and what the other answer loses."""
    table = tutor.advise(SURE.act(DOUBLE), "0-ply")
    assert table.kind == "cube"
    assert (table.verdict, table.short) == ("drop", "drop")
    right, wrong = table.actions
    assert (right.action, right.equity, right.loss) == ("drop", -1.0, 0.0)
    assert wrong.action == "take"
    assert wrong.equity < -1
    assert wrong.loss == pytest.approx(-1 - wrong.equity, abs=2e-4)
    assert table.probabilities[0] == pytest.approx(0, abs=1e-3)
    assert table.probabilities[3] > 0.9, "he loses a gammon: none of his checkers is off"
    assert table.text.startswith("Drop\n")
    assert "ouble" not in table.text
    doubling = {row.action: row.loss for row in tutor.advise(SURE, "0-ply").actions}
    assert doubling["double, take"] == 0
    assert doubling["no double"] == 0 < doubling["double, drop"], "too good: a double wins a point, a gammon two"


def test_the_cube() -> None:
    table = tutor.advise(SURE, "0-ply")
    assert table.kind == "cube"
    assert [row.action for row in table.actions] == ["no double", "double, take", "double, drop"]
    offered = SURE.act(DOUBLE)
    take, drop = tutor.judge(offered, "take", "0-ply"), tutor.judge(offered, "drop", "0-ply")
    assert take is not None
    assert drop is not None
    assert take.blunder
    assert take.best == "drop"
    assert drop.loss == 0
    start = OPENING.act(play(OPENING.legal_plays[0]))
    early = tutor.judge(start, "double", "0-ply")
    assert early is not None
    assert early.blunder
    assert early.best == "roll"
    with pytest.raises(IllegalAction):
        tutor.judge(offered, "roll", "0-ply")


def test_where_there_is_nothing_to_say() -> None:
    fresh = Game.new(Settings(length=7))
    with pytest.raises(IllegalAction):
        tutor.advise(fresh)
    assert tutor.judge(fresh, "roll") is None
    assert tutor.judge(OPENING.act(play(OPENING.legal_plays[0])), "resign 1") is None
    with pytest.raises(FullprimeError):
        tutor.judge(OPENING, "24/1", "0-ply")
    for level in ("3-ply", "beginner", "x"):
        with pytest.raises(tutor.AdviceError):
            tutor.advise(OPENING, level)


def test_a_game_without_nets_has_advice_in_words_and_no_tutor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "can_advise", lambda game: False)
    variant = variant_named("dutch")
    game = Game.new(Settings(variant=variant, length=5)).act(opening(6, 1))
    if game.phase is Phase.ROLL:
        pytest.fail("the opening dice are played in this game")
    advice = tutor.advise(game)
    assert advice.kind == "words"
    assert advice.text
    assert tutor.judge(game, "hand/19") is None
