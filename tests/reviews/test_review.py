"""Reviews: held equal to the engine asked one decision at a time, to slow luck, and to the counting rules."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.reviews.matches import random_match, small_engine

from fullprime.common.json_values import JsonError, from_json, to_json
from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.context import context_of
from fullprime.engine.engine import Engine
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.deepening import Candidates, deepen
from fullprime.engine.search.levels import Deepening, DeepeningStep, Level, Roller, Sieve
from fullprime.engine.search.play_search import Judging
from fullprime.play.rulings import forfeit
from fullprime.reviews.decision import GNU, XG, GameStage, Kind, Option, ReviewError, Verdict, stage_of
from fullprime.reviews.judge import WEIGHTS, Judge
from fullprime.reviews.levels import (
    CUBE_UNCERTAINTY,
    LEVELS,
    UNCERTAINTY,
    ReviewLevel,
    ReviewLevelError,
    review_level,
)
from fullprime.reviews.luck import INDEX
from fullprime.reviews.rating import RatingPart, adjusted_result, rating, tally
from fullprime.reviews.review import Review, judge_ahead, review
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.game import (
    ACCEPT,
    DOUBLE,
    DROP,
    REFUSE,
    TAKE,
    Action,
    ActionKind,
    Game,
    Phase,
    opening,
    play,
    resign,
    roll,
)
from fullprime.rules.ids.gnu import read_gnu_position
from fullprime.rules.notation import read_play
from fullprime.rules.position import Position
from fullprime.rules.record import GameRecord, Match, Setup
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import ACEY_DEUCEY, ACEY_DEUCEY_EUROPEAN, DUTCH, HYPERGAMMON, VARIANTS

STATIC = Level("0-ply", 0)


@pytest.fixture(scope="module")
def engine():
    return small_engine()


@pytest.fixture(scope="module")
def match() -> Match:
    match = random_match(Settings(length=15), seed=3, doubles=0.02)
    assert len(match.games) == 2
    return match


@pytest.fixture(scope="module")
def reviewed(match, engine) -> Review:
    return review(match, engine, "fast")


def entries(match: Match):
    for number, record in enumerate(match.games):
        for event, entry in enumerate(record.entries()):
            yield number, event, entry


# -- plays ------------------------------------------------------------------------------------------------------
def test_plays_are_judged_as_the_engine_judges_them_one_by_one(match, engine, reviewed) -> None:
    choices = 0
    for number, event, entry in entries(match):
        if getattr(entry.event, "kind", None) is not ActionKind.PLAY:
            continue
        decision = reviewed.of(number, event)
        ranking = engine.rank_plays(entry.before)
        if len(ranking) == 1:
            assert decision is None
            continue
        choices += 1
        after = entry.after.position if entry.after.on_roll is entry.before.on_roll else entry.after.position.swapped
        played = ranking.find(after)
        assert decision is not None
        assert decision.loss == pytest.approx(played.loss, abs=1e-5)
        assert decision.best.equity == pytest.approx(ranking.best.equity, abs=1e-5)
        assert decision.played.equity == pytest.approx(played.equity, abs=1e-5)
        assert decision.played.chances == pytest.approx(played.probabilities, abs=1e-5)
        assert decision.legal == len(ranking)
        assert decision.counts == (ranking.plays[0].equity - ranking.plays[-1].equity >= 0.001)
        assert [option.equity for option in decision.options[:6]] == sorted(
            (option.equity for option in decision.options[:6]), reverse=True
        )
    assert choices > 30


def test_the_play_that_was_made_is_looked_at_as_deep_as_the_best(engine) -> None:
    match = random_match(Settings(length=3), seed=11, games=1)
    short = replace(match, games=(replace(match.games[0], events=match.games[0].events[:24]),))
    level = ReviewLevel("test", 1, (Sieve(3, 0.05),))
    reviewed = review(short, engine, level)
    deep = [decision for decision in reviewed.decisions if decision.kind is Kind.PLAY]
    assert deep
    for decision in deep:
        assert decision.played.depth == decision.best.depth == 1
        assert decision.uncertainty == UNCERTAINTY[1]
        assert decision.loss == pytest.approx(decision.best.equity - decision.played.equity, abs=1e-6)


def test_close_plays_are_looked_at_one_ply_further(engine) -> None:
    match = random_match(Settings(length=3), seed=11, games=1)
    short = replace(match, games=(replace(match.games[0], events=match.games[0].events[:12]),))
    level = ReviewLevel("test", 0, (), 1, close=0.01, close_most=2)
    decisions = [decision for decision in review(short, engine, level).decisions if decision.kind is Kind.PLAY]
    assert {decision.best.depth for decision in decisions} == {0, 1} or {
        decision.best.depth for decision in decisions
    } == {1}
    for decision in decisions:
        assert decision.best.depth == decision.played.depth


# -- the cube ---------------------------------------------------------------------------------------------------
def cube_events(match: Match):
    doubled_in = None
    for number, event, entry in entries(match):
        kind = getattr(entry.event, "kind", None)
        if kind is ActionKind.DOUBLE or (kind is ActionKind.ROLL and entry.before.phase is Phase.CUBE_DECISION):
            doubled_in = entry.before
            yield number, event, entry, kind, entry.before
        elif kind in (ActionKind.TAKE, ActionKind.DROP, ActionKind.BEAVER) and (
            entry.before.phase is Phase.DOUBLE_OFFERED
        ):
            yield number, event, entry, kind, doubled_in


@pytest.mark.parametrize("level", ["fast", "standard"])
def test_no_cube_action_is_called_wrong_before_it_is_judged_at_two_plies(engine, level) -> None:
    match = random_match(Settings(length=5), seed=5, games=1, doubles=0.3)
    reviewed = review(match, engine, level)
    doubled_in = {(number, event): before for number, event, _, _, before in cube_events(match)}
    wrong = [decision for decision in reviewed.decisions if decision.cube is not None and decision.loss > 0]
    assert wrong
    for decision in wrong:
        assert decision.best.depth == 2
        assert decision.uncertainty == CUBE_UNCERTAINTY[2]
        right = engine.cube_decision(doubled_in[decision.game, decision.event], level="2-ply")
        assert decision.cube.no_double == pytest.approx(right.no_double, abs=1e-5)
        assert decision.cube.double_take == pytest.approx(right.double_take, abs=1e-5)


@pytest.mark.parametrize(
    "settings", [Settings(length=7), Settings(jacoby=True), Settings(beavers=True, raccoons=True)], ids=str
)
def test_cube_decisions_are_those_of_the_engine(engine, settings) -> None:
    match = random_match(settings, seed=5, games=3, doubles=0.3)
    reviewed = review(match, engine, replace(LEVELS["fast"], wrong_ply=0))
    kinds = set()
    for number, event, _, kind, doubled_in in cube_events(match):
        right = engine.cube_decision(doubled_in)
        decision = reviewed.of(number, event)
        if decision is None:
            assert kind is ActionKind.ROLL
            assert right.double_take is None or right.cost_of_not_doubling < 1e-5 or right.context.is_dead
            continue
        kinds.add(kind)
        figures = decision.cube
        assert figures.no_double == pytest.approx(right.no_double, abs=1e-5)
        assert figures.double_take == pytest.approx(right.double_take, abs=1e-5)
        assert figures.proper == right.verdict
        if kind is ActionKind.ROLL:
            assert decision.loss == pytest.approx(right.cost_of_not_doubling, abs=1e-5)
        elif kind is ActionKind.DOUBLE:
            assert decision.loss == pytest.approx(right.cost_of_doubling, abs=1e-5)
        elif kind is ActionKind.DROP:
            assert decision.loss == pytest.approx(max(0.0, 1.0 - right.double_take), abs=1e-5)
            assert decision.player is doubled_in.on_roll.other
        assert decision.mistake == "" or decision.loss > 0
    assert {ActionKind.DOUBLE, ActionKind.TAKE} <= kinds


def a_game(position: str, **changes) -> Game:
    game = Game.new(Settings(length=0))
    return replace(game, position=Position.from_text(position), phase=Phase.CUBE_DECISION, **changes)


def test_a_wrong_take_is_priced_at_the_cube_before_the_double() -> None:
    """Two rolls to go for the taker against one: dropping loses 1, taking loses 2 (a 35 in 36 shot wins)."""
    engine = small_engine(tables=True)
    game = a_game("1:2 off:13 / 6:2 off:13")
    match = Match(game.settings, games=(GameRecord(game, (DOUBLE, TAKE)),))
    reviewed = review(match, engine, "fast")
    take = reviewed.of(0, 1)
    assert take.kind is Kind.TAKE
    assert take.player is game.on_roll.other
    assert take.played.equity == pytest.approx(-2.0, abs=1e-5)
    assert take.loss == pytest.approx(1.0, abs=1e-5)
    assert take.mistake == "wrong take"
    assert take.uncertainty == 0.0
    assert take.verdict() is Verdict.BLUNDER
    assert reviewed.of(0, 0).loss == 0.0
    dropped = review(Match(game.settings, games=(GameRecord(game, (DOUBLE, DROP)),)), engine, "fast")
    assert dropped.of(0, 1).loss == 0.0


def test_a_missed_cash_and_a_double_that_should_be_dropped_have_names() -> None:
    engine = small_engine(tables=True)
    game = a_game("6:2 off:13 / 1:2 off:13")
    cash = a_game("1:4 off:11 / 1:3 off:12")
    assert (
        review(Match(game.settings, games=(GameRecord(game, (DOUBLE, TAKE)),)), engine, "fast")
        .of(0, 0)
        .mistake.startswith("wrong double")
    )
    decision = engine.cube_decision(cash)
    missed = review(Match(cash.settings, games=(GameRecord(cash, (roll(Roll(2, 1)),)),)), engine, "fast").of(0, 0)
    if decision.should_double:
        assert missed.mistake.startswith("missed double")


def test_rolling_counts_by_the_published_rule(engine) -> None:
    """Only with equity above nothing, and when doubling would have lost less than 0.2 - or should have been done."""
    match = random_match(Settings(length=9), seed=8, games=3, doubles=0.02)
    reviewed = review(match, engine, "fast")
    rolled = [
        decision
        for decision in reviewed.decisions
        if decision.kind is Kind.DOUBLE and decision.played.text.startswith("no ")
    ]
    assert rolled
    for decision in rolled:
        turned = min(decision.cube.double_take, 1.0)
        missed = turned - decision.cube.no_double > 0.001
        assert decision.counts == (missed or (decision.cube.no_double > 0 and decision.cube.no_double - turned < 0.2))


# -- luck -------------------------------------------------------------------------------------------------------
def slow_rolls(engine, before: Game) -> np.ndarray:
    """What each roll is worth, asked one by one: the play is chosen without the cube and valued with it."""
    context = context_of(before)
    values = []
    for dice in ALL_ROLLS:
        chosen = engine.rank_plays(before, dice, context, level=STATIC, cubeful=False).best.play.after
        values.append(engine.rank_plays(before, dice, context, level=STATIC).find(chosen).value)
    return np.array(values)


@pytest.mark.broad
def test_luck_is_the_roll_less_the_mean_of_all_rolls(match, engine, reviewed) -> None:
    rolls = {(roll.game, roll.event): roll for roll in reviewed.rolls}
    checked = 0
    for number, event, entry in list(entries(match))[:36]:
        if getattr(entry.event, "kind", None) is not ActionKind.ROLL:
            continue
        values = slow_rolls(engine, entry.before)
        luck = rolls[number, event]
        assert luck.player is entry.before.on_roll
        assert luck.value == pytest.approx(values[INDEX[luck.dice]] - values @ WEIGHTS, abs=1e-5)
        context = context_of(entry.before)
        assert luck.luck == pytest.approx(
            float(context.equity(values[INDEX[luck.dice]])) - float(context.equity(values @ WEIGHTS)), abs=1e-4
        )
        checked += 1
    assert checked > 10


def test_luck_is_nothing_on_average(engine) -> None:
    game = Game.new(Settings()).act(opening(3, 1))
    game = game.act(play(read_play("8/5 6/5", game.position, Roll(3, 1))))
    records = tuple(GameRecord(game, (roll(dice),)) for dice in ALL_ROLLS)
    reviewed = review(Match(game.settings, games=records), engine, "fast")
    assert sum(luck.value * roll.weight for luck, roll in zip(reviewed.rolls, ALL_ROLLS, strict=True)) == pytest.approx(
        0.0, abs=1e-6
    )


def test_the_opening_roll_is_compared_with_the_thirty_openings(engine) -> None:
    records = []
    for first in range(1, 7):
        for second in range(1, 7):
            if first != second:
                game = Game.new(Settings(length=5))
                records.append(GameRecord(game, (opening(first, second),)))
    assert len(records) == 30
    reviewed = review(Match(Settings(length=5), games=tuple(records)), engine, "fast")
    total = [sum(roll.value for roll in reviewed.rolls if roll.player is player) for player in Player]
    assert total[0] == pytest.approx(total[1], abs=1e-6)
    assert sum(roll.value * (1 if roll.player is Player.X else -1) for roll in reviewed.rolls) == pytest.approx(
        0, abs=1e-6
    )


def test_a_tie_in_the_opening_is_no_luck(engine) -> None:
    game = Game.new(Settings())
    reviewed = review(Match(Settings(), games=(GameRecord(game, (opening(3, 3), opening(2, 1))),)), engine, "fast")
    assert [roll.event for roll in reviewed.rolls] == [1]


# -- the whole --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_every_game_can_be_reviewed(variant) -> None:
    settings = Settings(variant=variant)
    match = random_match(settings, seed=21, games=1)
    short = replace(match, games=(replace(match.games[0], events=match.games[0].events[:40]),))
    reviewed = review(short, small_engine(variant), "fast")
    assert reviewed.complete
    plays = sum(getattr(e.event, "kind", None) is ActionKind.PLAY for _, _, e in entries(short))
    assert 0 < len([decision for decision in reviewed.decisions if decision.kind is Kind.PLAY]) <= plays
    for decision in reviewed.decisions:
        assert decision.loss >= 0
        assert decision.best.loss == 0.0
    assert from_json(Review, json.loads(json.dumps(to_json(reviewed)))).decisions


@pytest.mark.broad
@pytest.mark.parametrize("variant", [ACEY_DEUCEY, ACEY_DEUCEY_EUROPEAN], ids=lambda variant: variant.name)
def test_special_rolls_are_judged_by_all_they_give(variant) -> None:
    engine = small_engine(variant)
    match = random_match(Settings(variant=variant), seed=4, games=1)
    reviewed = review(
        replace(match, games=(replace(match.games[0], events=match.games[0].events[:40]),)), engine, "fast"
    )
    choices = [decision for decision in reviewed.decisions if decision.kind is Kind.CHOICE]
    assert choices
    assert all(len(choice.options) == 6 for choice in choices)
    for number, event, entry in list(entries(match))[:40]:
        if getattr(entry.event, "kind", None) is ActionKind.CHOOSE:
            best = engine.choose_double(entry.before.position, entry.before.follow_ups)
            assert reviewed.of(number, event).best.text == f"{best}-{best}"


def test_what_is_not_known_is_left_out_and_not_counted_as_nothing(engine) -> None:
    game = Game.new(Settings(length=5)).act(opening(3, 1))
    illegal = replace(game, position=Position.from_text("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:4 5"))
    after = replace(illegal, on_roll=game.on_roll.other, phase=Phase.ROLL, dice=None)
    events = (Setup(after, "an illegal play"), roll(Roll(6, 5)))
    match = Match(game.settings, games=(GameRecord(game, events),))
    reviewed = review(match, engine, "fast")
    assert [omission.why for omission in reviewed.left_out] == ["an illegal play"]
    assert reviewed.decisions == ()
    mine = rating(reviewed, Player.X)
    assert mine.pr is None
    assert mine.band is None
    assert mine.overall.counted == 0
    assert mine.overall.interval is None
    assert mine.gnu_rate is None


def test_a_review_that_was_stopped_goes_on_where_it_stopped(match, engine, reviewed) -> None:
    stopped_reviews: list[Review] = []
    stopped = review(match, engine, "fast", done=stopped_reviews.append, stop=lambda: bool(stopped_reviews))
    assert not stopped.complete
    assert stopped.games == 1
    progress: list[tuple[int, int]] = []
    complete = review(match, engine, "fast", so_far=stopped, progress=lambda done, all_: progress.append((done, all_)))
    assert complete == reviewed
    assert progress[0] == (1, len(match.games))
    stored = from_json(Review, json.loads(json.dumps(to_json(stopped))))
    assert review(match, engine, "fast", so_far=stored).complete


def test_a_review_goes_on_only_with_the_same_engine_and_level(match, engine, reviewed) -> None:
    with pytest.raises(ReviewError, match="not this one"):
        review(match, engine, "standard", so_far=reviewed)
    with pytest.raises(ReviewError, match="the engine plays"):
        review(match, small_engine(HYPERGAMMON), "fast")
    with pytest.raises(ReviewLevelError, match="fast, standard, deep"):
        review_level("thorough")


def test_json_keeps_everything_to_seven_digits(reviewed) -> None:
    back = from_json(Review, json.loads(json.dumps(to_json(reviewed))))
    for ours, theirs in zip(to_json(back)["decisions"], to_json(reviewed)["decisions"], strict=True):
        assert ours.pop("value_loss") == pytest.approx(theirs.pop("value_loss"), abs=2e-7)
        assert ours == theirs
    assert to_json(back)["rolls"] == to_json(reviewed)["rolls"]
    assert len(back.decisions) == len(reviewed.decisions)
    for a, b in zip(back.decisions, reviewed.decisions, strict=True):
        assert (a.kind, a.player, a.mistake, a.counts, a.chosen) == (b.kind, b.player, b.mistake, b.counts, b.chosen)
        assert [option.moves for option in a.options] == [option.moves for option in b.options]


@pytest.mark.parametrize("damaged", [{}, {"format": 2}, {"format": 1}, {"format": 1, "level": "fast", "decisions": 3}])
def test_what_is_no_review_is_refused(damaged) -> None:
    with pytest.raises(JsonError):
        from_json(Review, damaged)


def test_a_stored_review_is_refused_by_the_place_of_its_fault(reviewed) -> None:
    written = json.loads(json.dumps(to_json(reviewed)))
    with pytest.raises(JsonError, match=r"^format: 2 is not one of 1$"):
        from_json(Review, {**written, "format": 2})
    written["decisions"][1]["chosen"] = 99
    with pytest.raises(JsonError, match=r"^decisions\[1\]: of \d+ options none has the number 99$"):
        from_json(Review, written)
    written["decisions"][0]["replies"] = [[0.5], [0.5]]
    with pytest.raises(JsonError, match=r"^decisions\[0\]: replies are to 21 rolls$"):
        from_json(Review, written)


def test_unclear_plays_are_rolled_out_at_the_deepest_level() -> None:
    engine = small_engine(tables=False)
    game = replace(
        Game.new(Settings()),
        position=Position.from_text("6:2 5:2 4 2 off:9 / 6:3 4:2 off:10"),
        phase=Phase.PLAY,
        dice=Roll(2, 1),
    )
    chosen = engine.rank_plays(game).plays[1]
    match = Match(game.settings, games=(GameRecord(game, (play(chosen.play),)),))
    level = replace(
        LEVELS["deep"],
        ply=0,
        sieves=(),
        close_ply=0,
        close=9.0,
        close_most=2,
        roller=Roller(trials=36, least_gain=-1.0),
    )
    unclear = review(match, engine, level).decisions[0]
    plain = review(match, engine, "fast").decisions[0]
    if plain.loss < UNCERTAINTY[2]:
        assert unclear.rolled_out
        assert unclear.uncertainty == unclear.played.deviation or unclear.played is unclear.best


def test_a_play_near_the_mark_of_an_error_is_rolled_out_and_the_best_one_is_not() -> None:
    """An opening 6-2: that 24/16 is worse is clear, by 0.029 at two plies; that it is an error is not."""
    game = replace(Game.new(Settings()), phase=Phase.PLAY, dice=Roll(6, 2))
    engine = Engine.open(threads=1)
    wrong, best = (
        review(
            Match(game.settings, games=(GameRecord(game, (play(read_play(text, game.position, Roll(6, 2))),)),)),
            engine,
            "deep",
        ).of(0, 0)
        for text in ("24/16", "24/18 13/11")
    )
    assert wrong.rolled_out
    assert wrong.best.text == "24/18 13/11"
    assert 0.0 < wrong.loss < XG.error + 3 * UNCERTAINTY[2]
    assert not best.rolled_out
    assert best.loss == 0.0


@pytest.mark.broad
def test_a_missed_double_near_the_mark_of_an_error_is_rolled_out_and_a_right_one_is_not() -> None:
    """0.036 by two plies: that it is a double is clear, that missing it is an error is not."""
    game = a_game(read_gnu_position("2WxjIQC12Q0DAA").text)
    engine = Engine.open(threads=1)
    missed, doubled = (
        review(Match(game.settings, games=(GameRecord(game, events),)), engine, "deep").of(0, 0)
        for events in ((roll(Roll(2, 1)),), (DOUBLE, DROP))
    )
    assert missed.mistake.startswith("missed")
    assert missed.rolled_out
    assert missed.loss < CUBE_UNCERTAINTY[2] + XG.error
    assert not doubled.rolled_out
    assert doubled.loss == 0.0


# -- ratings ----------------------------------------------------------------------------------------------------
def test_pr_is_five_hundred_times_the_mean_loss_of_what_counts(reviewed) -> None:
    for player in Player:
        mine = [decision for decision in reviewed.decisions if decision.player is player and decision.counts]
        player_rating = rating(reviewed, player)
        assert player_rating.pr == pytest.approx(500 * np.mean([decision.loss for decision in mine]))
        assert sum(part.counted for part in player_rating.parts.values()) == player_rating.overall.counted == len(mine)
        assert sum(part.loss for part in player_rating.games.values()) == pytest.approx(player_rating.overall.loss)
        assert sum(part.counted for part in player_rating.stages.values()) == player_rating.overall.counted
        low, high = player_rating.overall.interval
        assert low < player_rating.pr < high
        gnu = [decision.loss for decision in reviewed.decisions if decision.player is player and decision.counts_gnu]
        assert player_rating.gnu_rate == pytest.approx(1000 * np.mean(gnu))
        assert set(player_rating.parts) == set(RatingPart)


def test_the_interval_covers_the_true_rate_about_as_often_as_it_says(reviewed) -> None:
    """Decisions drawn from a known law: the interval must hold its mean in most of the samples."""
    one = reviewed.decisions[0]
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(60):
        losses = np.where(rng.random(150) < 0.25, rng.exponential(0.08, 150), 0.0)
        options = [(Option("a", 0.0, 0.0, 0.0, 0), Option("b", -loss, float(loss), 0.0, 0)) for loss in losses]
        sample = [replace(one, options=pair, chosen=1, counts=True) for pair in options]
        low, high = tally(sample, interval=True).interval
        inside += low <= 500 * 0.25 * 0.08 <= high
    assert 50 <= inside <= 60


def test_bands_have_the_published_limits(reviewed) -> None:
    one = rating(reviewed, Player.X)

    def named(pr: float) -> tuple[str | None, str | None]:
        changed = replace(one, overall=replace(one.overall, counted=500, loss=pr))
        return changed.band, changed.title

    assert named(2.5) == ("World Champion", "Grandmaster 3")
    assert named(2.6)[0] == "World Class"
    assert named(7.5)[0] == "Expert"
    assert named(12.4)[0] == "Advanced"
    assert named(31.0) == ("Distracted", None)
    assert replace(one, gnu_rate=1.9).gnu_word == "Supernatural"
    assert replace(one, gnu_rate=40.0).gnu_word == "Awful!"


@pytest.mark.parametrize(
    ("loss", "uncertainty", "xg", "gnu"),
    [
        (0.0, 0.02, "ok", "ok"),
        (0.01, 0.02, "too close to call", "too close to call"),
        (0.019, 0.01, "ok", "ok"),
        (0.02, 0.01, "error", "ok"),
        (0.05, 0.01, "error", "doubtful"),
        (0.08, 0.01, "blunder", "error"),
        (0.12, 0.0, "blunder", "blunder"),
        (0.05, 0.06, "too close to call", "too close to call"),
    ],
)
def test_verdicts(loss, uncertainty, xg, gnu) -> None:
    assert XG.verdict(loss, uncertainty) == xg
    assert GNU.verdict(loss, uncertainty) == gnu


def test_the_adjusted_result_is_the_result_less_the_luck(engine) -> None:
    match = random_match(Settings(length=1), seed=2, games=1)
    assert match.is_over
    reviewed = review(match, engine, "fast")
    result = adjusted_result(match, reviewed)
    luck = sum(roll.value if roll.player is Player.X else -roll.value for roll in reviewed.rolls)
    assert result.adjusted == pytest.approx(result.actual - luck)
    assert result.actual in (0.0, 1.0)
    assert adjusted_result(match, replace(reviewed, rolls=reviewed.rolls[:-1])) is None
    on_time = replace(match.games[0], events=match.games[0].events[:9], stated=match.games[0].result)
    lost = replace(match, games=(on_time,))
    assert adjusted_result(lost, review(lost, engine, "fast")) is None, "a loss on time is neither luck nor play"
    assert [replace(result, adjusted=adjusted).chance for adjusted in (-0.031, 0.4, 1.2)] == [0.0, 0.4, 1.0]
    unfinished = replace(match, games=(replace(match.games[0], events=match.games[0].events[:9]),))
    assert adjusted_result(unfinished, review(unfinished, engine, "fast")) is None


@pytest.mark.parametrize("lost_game", [0, 1])
@pytest.mark.parametrize("how", ["stated", "set up"])
def test_money_games_of_which_one_was_lost_on_time_have_no_result_without_luck(engine, lost_game, how) -> None:
    match = random_match(Settings(), seed=2, games=2)
    assert adjusted_result(match, review(match, engine, "fast")) is not None
    games = list(match.games)
    events, result = games[lost_game].events[:9], games[lost_game].result
    end = Setup(forfeit(list(games[lost_game].entries())[8].before, result.winner.other, "on time"), "on time")
    games[lost_game] = (
        replace(games[lost_game], events=events, stated=result)
        if how == "stated"
        else replace(games[lost_game], events=(*events[:8], end))
    )
    lost = replace(match, games=tuple(games))
    assert all(record.result is not None for record in lost.games)
    assert adjusted_result(lost, review(lost, engine, "fast")) is None


@pytest.mark.broad
def test_results_without_luck_scatter_less_and_lie_on_the_same_mean() -> None:
    """The same engine on both sides: without luck every game is worth what the errors left of it."""
    engine = small_engine()
    plain, adjusted = [], []
    for seed in range(8):
        match = random_match(Settings(length=1), seed=100 + seed, games=1)
        if not match.is_over:
            continue
        result = adjusted_result(match, review(match, engine, "fast"))
        plain.append(result.actual)
        adjusted.append(result.adjusted)
    assert abs(np.mean(plain) - np.mean(adjusted)) < 0.5


@pytest.mark.parametrize(
    ("position", "rolls", "stage"),
    [
        ("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", 2, GameStage.OPENING),
        ("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", 9, GameStage.MIDDLE),
        ("6:5 5:5 4:5 / bar 6:14", 30, GameStage.BEAR_OFF_CONTACT),
        ("7 6:4 5:5 4:5 / 6:5 5:5 4:5", 30, GameStage.RACE),
        ("6:5 5:5 4:5 / 12 6:4 5:5 4:5", 30, GameStage.BEAR_OFF),
        ("hand 6:4 5:5 4:5 / 12 6:4 5:5 4:5", 30, GameStage.MIDDLE),
    ],
)
def test_stages(position, rolls, stage) -> None:
    assert stage_of(Position.from_text(position), rolls) is stage


def test_exact_positions_leave_no_doubt() -> None:
    engine = small_engine(tables=True)
    game = replace(
        Game.new(Settings()), position=Position.from_text("6 5 2 off:12 / 1 off:14"), phase=Phase.PLAY, dice=Roll(3, 1)
    )
    plays = game.legal_plays
    for legal_play in plays:
        decisions = review(
            Match(game.settings, games=(GameRecord(game, (play(legal_play),)),)), engine, "fast"
        ).decisions
        for decision in decisions:
            assert decision.uncertainty == 0.0


def test_dutch_and_plays_of_many_cubes_and_scores_that_are_judged_together() -> None:
    engine = small_engine(DUTCH)
    games = [Game.new(Settings(variant=DUTCH, length=length)) for length in (0, 3, 7)]
    rows = engine.searcher.candidates(row_of(games[0].position), 6, 5)
    together, alone = ([Candidates(rows, context_of(game), required=0) for game in games] for _ in range(2))
    how = Deepening((DeepeningStep(1, Sieve(2, 9.0)),))
    assert deepen(engine.judging, together, how, Budget())
    for one in alone:
        assert deepen(small_engine(DUTCH).judging, [one], how, Budget(), singly=True)
    assert [one.judged for one in together] == [one.judged for one in alone]
    assert len({tuple(value.value for value in one.judged) for one in together}) > 1


def test_a_beaver_is_an_answer(engine) -> None:
    match = random_match(Settings(beavers=True), seed=31, games=6, doubles=0.4)
    reviewed = review(match, engine, "fast")
    answers = [
        reviewed.of(number, event)
        for number, event, entry in entries(match)
        if isinstance(entry.event, Action) and entry.event.kind is ActionKind.BEAVER
    ]
    assert answers
    assert all(answer is not None and answer.kind is Kind.TAKE and answer.played.text == "beaver" for answer in answers)


# -- raccoons and resignations ----------------------------------------------------------------------------------
def test_beavers_and_raccoons_are_answered_at_their_price() -> None:
    """Who doubles has two checkers on his 6-point and must throw a big double; who is doubled bears off next turn."""
    engine = small_engine(tables=True)
    game = a_game("6:2 off:13 / 1:2 off:13", settings=Settings(beavers=True, raccoons=True))
    beaver, raccoon = Action(ActionKind.BEAVER), Action(ActionKind.RACCOON)
    match = Match(game.settings, games=(GameRecord(game, (DOUBLE, beaver, raccoon, TAKE)),))
    reviewed = review(match, engine, "fast")
    answer = reviewed.of(0, 2)
    assert (answer.player, answer.kind, answer.mistake) == (game.on_roll, Kind.TAKE, "wrong raccoon of a beaver")
    equities = {option.text: option.equity for option in answer.options}
    assert set(equities) == {"take", "drop", "raccoon"}
    assert equities["drop"] == -2.0
    assert equities["raccoon"] == pytest.approx(2 * equities["take"])
    # 4 of 36 throws (3-3 to 6-6) bear both checkers off; else the other side wins a cube of 4.
    assert equities["take"] == pytest.approx(4 * (4 - 32) / 36, abs=1e-4)
    last = reviewed.of(0, 3)
    assert (last.player, last.played.text, last.loss) == (game.on_roll.other, "take", 0.0)
    assert {option.text: option.equity for option in last.options}["drop"] == -4.0


@pytest.mark.parametrize(
    ("position", "level", "answer", "lost", "missed"),
    [
        ("1:2 off:13 / 6:2 off:13", 1, "accept", 2.0, 0.0),  # The side on roll had won: it gave away 1 - -1.
        ("1:2 off:13 / 6:2 off:13", 1, "refuse", 2.0, 2.0),
        ("6:3 5:3 off:9 / 1:1 off:14", 1, "accept", 0.0, 0.0),  # All but surely lost.
        ("6:3 5:3 off:9 / 1:1 off:14", 2, "accept", 1.0, 0.0),  # A gammon cannot be lost any more.
    ],
)
def test_resignations_and_their_answers_are_judged(
    position: str, level: int, answer: str, lost: float, missed: float
) -> None:
    engine = small_engine(tables=True)
    game = replace(a_game(position), phase=Phase.CUBE_DECISION)
    actions = (resign(level), ACCEPT if answer == "accept" else REFUSE)
    reviewed = review(Match(game.settings, games=(GameRecord(game, actions),)), engine, "fast")
    offered, answered = reviewed.of(0, 0), reviewed.of(0, 1)
    assert (offered.kind, answered.kind) == (Kind.RESIGNATION, Kind.RESIGNATION)
    assert (offered.player, answered.player) == (game.on_roll, game.on_roll.other)
    assert offered.loss == pytest.approx(lost, abs=0.06)
    assert answered.played.text == answer
    assert answered.loss == pytest.approx(missed, abs=0.06)
    assert bool(offered.mistake) == (offered.loss > 0)
    # No rating counts them, and they come back from where they are kept.
    assert not any(decision.counts or decision.counts_gnu for decision in (offered, answered))
    assert rating(reviewed, game.on_roll).overall.counted == 0
    assert from_json(Review, json.loads(json.dumps(to_json(reviewed)))).of(0, 0) == offered


def test_a_roll_that_was_resigned_is_judged_by_its_best_play() -> None:
    engine = small_engine(tables=True)
    game = replace(a_game("1:2 off:13 / 6:2 off:13"), phase=Phase.PLAY, dice=Roll(2, 1))
    reviewed = review(Match(game.settings, games=(GameRecord(game, (resign(1), ACCEPT)),)), engine, "fast")
    assert reviewed.of(0, 0).loss == pytest.approx(2.0, abs=1e-4)
    assert reviewed.of(0, 0).best.text == "play on"


def test_a_resignation_is_weighed_at_the_score(engine) -> None:
    """Two away each, a gammon is the match; a single game leaves a point to play for."""
    game = replace(Game.new(Settings(length=2)), phase=Phase.ROLL, on_roll=Player.X)

    def accepted(level: int) -> Option:
        records = (GameRecord(game, (resign(level), ACCEPT)),)
        return review(Match(game.settings, games=records), engine, "fast").of(0, 1).played

    assert accepted(2).value == pytest.approx(1.0, abs=1e-6)
    assert accepted(1).equity == pytest.approx(1.0, abs=1e-5)
    assert 0.5 < accepted(1).value < 0.8


def test_what_is_judged_ahead_while_it_is_played_is_the_same_as_judged_at_the_end(
    match, engine, reviewed, monkeypatch
) -> None:
    ahead = None
    for played in range(0, max(len(game.events) for game in match.games) + 9, 9):
        games = tuple(replace(game, events=game.events[:played]) for game in match.games)
        ahead = judge_ahead(replace(match, games=games), engine, reviewed.level, ahead, lambda: False, most=9)
    assert [len(game.events) for game in ahead.games] == [len(played_game.events) for played_game in match.games]
    monkeypatch.setattr(Judging, "judge", None)  # nothing is judged again
    monkeypatch.setattr(Judge, "rolls", None)
    assert to_json(review(match, engine, reviewed.level, ahead=ahead)) == to_json(reviewed)


def test_what_was_taken_back_is_judged_anew(match, engine) -> None:
    first = match.games[0]
    play = next(number for number, event in enumerate(first.events) if number > 3 and event.kind is ActionKind.PLAY)
    short = replace(match, games=(replace(first, events=first.events[: play + 1]),))
    ahead = judge_ahead(short, engine, "fast", None, lambda: False)
    back = replace(match, games=(replace(first, events=first.events[:play]),))
    (standing,) = [judged_game.within(record) for judged_game, record in zip(ahead.games, back.games, strict=True)]
    assert len(standing.events) == play
    assert all(decision.event < play for decision in standing.decisions)
    other = replace(ahead, program="other nets")
    assert not other.fits(review(short, engine, "fast"))
