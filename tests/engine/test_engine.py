"""The engine's questions and answers: rankings, limits, cube decisions, follow-ups of Acey Deucey, the bot."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from tests.engine.random_nets import random_engine

from fullprime.engine import shared
from fullprime.engine.boards.conversion import position_of, row_of
from fullprime.engine.bots.bots import bot_named
from fullprime.engine.bots.players import EnginePlayer
from fullprime.engine.core.pack import pack, unpack
from fullprime.engine.cube.action import decision_from
from fullprime.engine.cube.context import CUBELESS, context_of, cubeless
from fullprime.engine.cube.equity import CubeContext, CubeOwner, cube_equities
from fullprime.engine.cube.probabilities import equity
from fullprime.engine.engine import Engine, EngineError, SearchLimits
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.levels import Level, Sieve
from fullprime.engine.search.searcher import has_time_for_cubes
from fullprime.rules import game as acts
from fullprime.rules.cube import Cube
from fullprime.rules.dice import ALL_ROLLS, Roll, SeededDice
from fullprime.rules.errors import IllegalPlay, PositionError
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import Position
from fullprime.rules.route import find_play_to
from fullprime.rules.score import Player, Score, Settings
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, VARIANTS
from fullprime.rules.variants.variant import FollowUp, Variant

START = BACKGAMMON.starting_position
WIDE = Level("wide", 1, (Sieve(999, 99.0),))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return random_engine()


def some_positions(variant: Variant, count: int, seed: int) -> list[tuple[Position, Roll]]:
    """Decisions on the way of random games."""
    dice, rng = SeededDice(f"engine {seed}"), np.random.default_rng(seed)
    position, boards = variant.starting_position, []
    while len(boards) < count:
        roll = Roll(dice.die(), dice.die())
        boards.append((position, roll))
        plays = legal_plays(position, roll, variant)
        play = plays[int(rng.integers(len(plays)))]
        over = play.after.player[0] == play.after.checkers
        position = variant.starting_position if over else play.position
    return boards


# -- at the edge ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_rows_and_plays_are_rebuilt_from_boards(variant: Variant) -> None:
    for position, roll in some_positions(variant, 60, 1):
        row = row_of(position)
        assert (row == pack([position])).all()
        assert position_of(row[0]) == position == unpack(row)[0]
        for play in legal_plays(position, roll, variant):
            followed = find_play_to(position, roll, play.after, variant)
            assert followed.after == play.after
            assert len(followed.moves) == len(play.moves)


def test_impossible_boards_are_refused() -> None:
    with pytest.raises(PositionError):
        row_of(Position((0,) * 27, START.opponent))
    crowded = list(START.player)
    crowded[1], crowded[6] = 1, 4
    with pytest.raises(PositionError, match="one point"):
        row_of(Position(tuple(crowded), START.opponent))
    with pytest.raises(IllegalPlay, match="leads from"):
        find_play_to(START, Roll(3, 1), Position.of({24: 2, 13: 5, 8: 3, 6: 4, 4: 1}, {24: 2, 13: 5, 8: 3, 6: 5}))


# -- rankings ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["backgammon", "hypergammon", "dutch", "acey_deucey"])
def test_a_ranking_lists_every_legal_play_once_the_best_first(name: str) -> None:
    variant = VARIANTS[name]
    engine = random_engine(variant)
    for position, roll in some_positions(variant, 12, 3):
        ranking = engine.rank_plays(position, roll)
        legal = {play.after for play in legal_plays(position, roll, variant)}
        assert sorted(play.play.after.text for play in ranking) == sorted(after.text for after in legal)
        assert [play.rank for play in ranking] == list(range(1, len(legal) + 1))
        losses = [play.loss for play in ranking]
        assert losses[0] == 0
        assert losses == sorted(losses)
        assert engine.best_play(position, roll).after == ranking.best.play.after


@pytest.mark.parametrize("level", ["0-ply", "1-ply", "beginner"])
@pytest.mark.parametrize("context", [None, CubeContext(), CubeContext(away=(3, 5))], ids=["cubeless", "money", "match"])
def test_the_best_play_is_the_first_of_the_ranking(engine: Engine, level: str, context: CubeContext | None) -> None:
    for position, roll in some_positions(BACKGAMMON, 5, 4):
        ranking = engine.rank_plays(position, roll, context, level=level)
        assert engine.best_play(position, roll, context, level=level).after == ranking.best.play.after


def test_a_small_net_does_not_change_what_the_static_level_plays() -> None:
    engine = random_engine(small=True)
    for position, roll in some_positions(BACKGAMMON, 40, 6):
        assert engine.best_play(position, roll).after == engine.rank_plays(position, roll).best.play.after


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ({7: 1, 5: 2, 3: 2, 1: 1}, {6: 2, 4: 2, 2: 1}),
        ({8: 2, 6: 2, 4: 2}, {5: 3, 3: 3}),
        ({10: 1, 9: 1, 7: 1, 6: 1}, {4: 2, 1: 2}),
        ({9: 1, 20: 1, 2: 1}, {8: 1, 3: 1}),
    ],
    ids=["last checker home", "double home", "three come home", "two left after bearing off"],
)
def test_plays_that_come_into_the_tables_are_judged_by_them(own: dict, other: dict) -> None:
    """Alone, in batches and in rankings, by nets that know nothing."""
    engine = random_engine(bearoff=True)
    position, player = Position.of(own, other), EnginePlayer(engine)
    for roll in ALL_ROLLS:
        ranking = engine.rank_plays(position, roll)
        best = ranking.best.play.after
        assert engine.best_play(position, roll).after == best
        together = player.choose(np.repeat(pack([position]), 3, axis=0), np.array([[roll.high, roll.low]] * 3, np.int8))
        assert {board.swapped for board in unpack(together.boards)} == {best}
        for play in ranking:
            covered, is_exact = engine.searcher.tables.bearoff.probabilities(pack([play.position]))
            if covered[0] and not play.position.is_over:
                assert play.equity == pytest.approx(-float(equity(is_exact)[0]), abs=1e-6)


def test_plays_searched_deeper_come_first_and_say_so(engine: Engine) -> None:
    level = Level("narrow", 2, (Sieve(3, 9.0), Sieve(2, 9.0)))
    ranking = engine.rank_plays(START, (3, 1), level=level)
    assert [play.depth for play in ranking][:5] == [2, 2, 1, 0, 0]
    assert "2-ply" in str(ranking)
    assert "0-ply (static)" in str(ranking)
    assert format_play(ranking.best.play) in str(ranking)
    assert len(ranking.text(2).splitlines()) == 5


def test_an_equity_is_what_its_probabilities_say(engine: Engine) -> None:
    for play in engine.rank_plays(START, (6, 4), level="1-ply"):
        win, gammon, backgammon, lose_gammon, lose_backgammon = play.probabilities
        assert play.equity == pytest.approx(2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon)


def test_the_position_after_a_play_is_the_other_players(engine: Engine) -> None:
    best = engine.rank_plays(START, (3, 1)).best
    value = engine.evaluate(best.position, cubeful=False, level="0-ply").equity
    assert best.equity == pytest.approx(-value)


def test_the_same_question_has_the_same_answer_at_any_width() -> None:
    one, three = random_engine(small=True), random_engine(small=True, threads=3)
    first = one.rank_plays(START, (2, 1), CubeContext(), level=WIDE)
    assert three.rank_plays(START, (2, 1), CubeContext(), level=WIDE).plays == first.plays
    assert one.rank_plays(START, (2, 1), CubeContext(), level=WIDE).plays == first.plays  # now from the cache


def test_nodes_and_stops_end_a_search_with_what_is_known(engine: Engine) -> None:
    at_once = engine.at("2-ply").rank_plays(START, (5, 2), limits=SearchLimits(nodes=0))
    assert not at_once.complete
    assert {play.depth for play in at_once} == {0}
    fresh = random_engine(seed=7)
    some = fresh.rank_plays(
        START, (5, 2), level=Level("two", 2, (Sieve(4, 9), Sieve(4, 9))), limits=SearchLimits(nodes=1500)
    )
    assert not some.complete
    assert [play.depth for play in some][:5] == [2, 2, 1, 1, 0]  # 110 and twice 21 * 22 and some second replies
    calls: list[tuple[int, int]] = []
    stopped = random_engine(seed=8).rank_plays(
        START, (5, 2), level="2-ply", stop=lambda: bool(calls), progress=lambda done, of: calls.append((done, of))
    )
    assert not stopped.complete
    assert max(play.depth for play in stopped) == 1
    assert calls[0][0] == calls[0][1]
    assert "stopped" in str(stopped)


def test_limits_must_be_limits() -> None:
    with pytest.raises(EngineError, match="0 or more"):
        SearchLimits(seconds=-1)


def test_questions_that_cannot_be_answered(engine: Engine) -> None:
    with pytest.raises(EngineError, match="need a roll"):
        engine.rank_plays(START)
    with pytest.raises(EngineError, match="at least one"):
        Engine.open(threads=0)
    with pytest.raises(EngineError, match="settled by"):
        Engine.open(VARIANTS["acey_deucey"].with_options({"settlement": "games"}))


# -- what equities depend on --------------------------------------------------------------------------------------
def test_a_game_says_what_its_equities_depend_on() -> None:
    settings = Settings(length=7)
    game = replace(Game.new(settings, Score((2, 4))), phase=Phase.ROLL, on_roll=Player.O, cube=Cube(2, Player.X))
    assert context_of(game) == CubeContext(cube=2, owner=CubeOwner.OPPONENT, away=(3, 5))
    crawford = replace(Game.new(settings, Score.start(settings, (6, 1))), phase=Phase.ROLL)
    assert context_of(crawford) == CubeContext(away=(1, 6), crawford=True)
    money = Game.new(Settings(jacoby=True, beavers=True, cube_cap=64))
    assert context_of(money) == CubeContext(jacoby=True, beavers=True, cap=64)
    assert not context_of(Game.new(Settings(cube=False))).may_double
    assert not context_of(Game.new(Settings(length=1))).may_double
    assert context_of(Game.new(Settings(variant=ACEY_DEUCEY))) is CUBELESS
    assert cubeless(CubeContext(cube=4, jacoby=True)) is CUBELESS
    assert not cubeless(CubeContext(away=(3, 3))).may_double


def test_the_cube_decision_without_looking_ahead_is_the_formula(engine: Engine) -> None:
    for position, _ in some_positions(BACKGAMMON, 8, 5):
        for context in (CubeContext(), CubeContext(jacoby=True, beavers=True), CubeContext(away=(3, 5))):
            decision = engine.cube_decision(position, context, level="0-ply")
            row = pack([position])
            outputs = engine.searcher.evaluator.evaluate(row)[0].astype(float)
            power = engine.searcher.efficiency(row, outputs[np.newaxis])
            no_double, take, _, beaver, _ = cube_equities(outputs[np.newaxis], context, power)[0].tolist()
            formula = decision_from(outputs, context, no_double, take, beaver)
            assert (decision.action, decision.reply) == (formula.action, formula.reply)
            assert decision.no_double == pytest.approx(formula.no_double, abs=1e-9)
            assert decision.double_take == pytest.approx(formula.double_take, abs=1e-9)


def test_a_deeper_cube_decision_says_its_depth(engine: Engine) -> None:
    assert "Depth            1-ply" in str(engine.cube_decision(START, level="1-ply"))
    assert engine.cube_decision(START, level="2-ply", limits=SearchLimits(nodes=30)).depth == 1
    assert engine.cube_decision(START, CubeContext(away=(1, 3), crawford=True), level="1-ply").double_take is None
    with pytest.raises(EngineError, match="without a cube"):
        random_engine(ACEY_DEUCEY).cube_decision(ACEY_DEUCEY.starting_position)


def test_last_roll_doubles_are_exact_at_every_depth() -> None:
    """One checker on the 5 point and one on the 2 point go off with 19 rolls of 36; else the opponent wins at once."""
    engine = random_engine(bearoff=True)
    position = Position.of({5: 1, 2: 1}, {1: 1})
    for level in ("0-ply", "1-ply", "2-ply"):
        decision = engine.cube_decision(position, CubeContext(), level=level)
        assert decision.exact
        assert decision.no_double == pytest.approx(2 / 36)
        assert decision.double_take == pytest.approx(4 / 36)
        assert decision.should_double


def test_an_exact_evaluation_says_so() -> None:
    engine = random_engine(bearoff=True)
    evaluation = engine.evaluate(Position.of({1: 4}, {1: 4}), cubeful=False, level="0-ply")
    assert evaluation.exact
    assert str(evaluation).startswith("exact")
    assert not engine.evaluate(START, level="0-ply").exact


# -- Acey Deucey ------------------------------------------------------------------------------------------------
def slow_turn(engine: Engine, position: Position, roll: Roll, rest: tuple[FollowUp, ...]) -> float:
    """What a roll is worth to the player on roll when all that it gives is played as well as possible."""
    return max(slow_play(engine, play, roll, rest) for play in legal_plays(position, roll, engine.variant))


def slow_play(engine: Engine, play: Play, roll: Roll, rest: tuple[FollowUp, ...]) -> float:
    def worth(position: Position) -> float:
        return engine.evaluate(position, level="0-ply").value

    over = play.after.player[0] == play.after.checkers
    if over or not rest or len(play.moves) < len(roll.dice):
        return -worth(play.position)
    match rest[0]:
        case FollowUp.ROLL_AGAIN:
            return worth(play.after)
        case FollowUp.COMPLEMENT:
            return slow_turn(engine, play.after, Roll(7 - roll.high, 7 - roll.low), rest[1:])
        case FollowUp.CHOOSE_DOUBLE:
            return max(slow_turn(engine, play.after, Roll(n, n), rest[1:]) for n in range(1, 7))


LATE = Position.of({4: 2, 3: 1, 2: 1}, {24: 1, 5: 1})


@pytest.mark.parametrize(
    ("variant", "position", "roll"),
    [
        (ACEY_DEUCEY, LATE, Roll(2, 1)),
        (ACEY_DEUCEY, Position.of({2: 1, 1: 1}, {1: 3}), Roll(2, 1)),
        (VARIANTS["acey_deucey_european"], LATE, Roll(2, 1)),
        (VARIANTS["acey_deucey_european"], LATE, Roll(5, 5)),
        (ACEY_DEUCEY, LATE, Roll(6, 5)),
    ],
)
def test_what_a_special_roll_gives_is_part_of_its_worth(variant: Variant, position: Position, roll: Roll) -> None:
    engine = random_engine(variant)
    special = variant.after_acey_deucey if roll.is_acey_deucey else variant.after_double if roll.is_double else ()
    ranking = engine.rank_plays(position, roll)
    for ranked in ranking:
        play = next(play for play in legal_plays(position, roll, variant) if play.after == ranked.play.after)
        assert ranked.equity == pytest.approx(slow_play(engine, play, roll, special), abs=1e-5)
    assert ranking.best.equity == pytest.approx(slow_turn(engine, position, roll, special), abs=1e-5)


def test_the_double_named_is_the_best_one() -> None:
    engine = random_engine(ACEY_DEUCEY)
    rest = (FollowUp.ROLL_AGAIN,)
    values = [slow_turn(engine, LATE, Roll(n, n), rest) for n in range(1, 7)]
    assert engine.choose_double(LATE, rest) == 1 + int(np.argmax(values))


# -- the bot ------------------------------------------------------------------------------------------------------
@pytest.mark.broad
@pytest.mark.parametrize("name", VARIANTS)
def test_the_bot_plays_every_game_to_its_end_the_same_way_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = random_engine(VARIANTS[name])
    monkeypatch.setattr(shared, "engine_for", lambda variant: engine)
    length = 3 if VARIANTS[name].cube else 0

    def played() -> Game:
        bots, dice = (bot_named("0-ply"), bot_named("casual")), SeededDice("bot")
        game = Game.new(Settings(variant=VARIANTS[name], length=length))
        while not game.is_over:
            if game.phase is Phase.OPENING_ROLL:
                action = acts.opening(dice.die(), dice.die())
            else:
                action = bots[game.turn].choose(game)
                if action.kind is ActionKind.ROLL:
                    action = acts.roll(Roll(dice.die(), dice.die()))
            game = game.act(action)
        return game

    assert played() == played()


def test_the_bot_answers_doubles_beavers_and_resignations(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = random_engine(bearoff=True)
    monkeypatch.setattr(shared, "engine_for", lambda variant: engine)
    bot = bot_named("0-ply")
    settings = Settings(beavers=True, raccoons=True)

    def game_at(position: Position) -> Game:
        return replace(Game.new(settings), position=position, phase=Phase.CUBE_DECISION)

    good = game_at(Position.of({5: 1, 2: 1}, {1: 1}))  # 19 rolls of 36 win
    assert bot.choose(good) == acts.DOUBLE
    assert bot.choose(good.act(acts.DOUBLE)) == acts.TAKE
    poor = game_at(Position.of({6: 1, 5: 1}, {1: 1}))  # 6 of 36
    assert bot.choose(poor).kind is ActionKind.ROLL
    doubled = poor.act(acts.DOUBLE)
    assert bot.choose(doubled) == acts.BEAVER
    assert bot.choose(doubled.act(acts.BEAVER)) == acts.DROP  # -2/3 of 4 points is worse than dropping 2
    won = game_at(Position.of({1: 1}, {1: 2}))
    assert bot.choose(won.act(acts.DOUBLE)) == acts.DROP
    lost = game_at(Position.of({6: 2}, {1: 2})).act(acts.resign(1))
    assert bot.choose(lost) == acts.ACCEPT


def test_every_roll_of_the_opening_can_be_ranked(engine: Engine) -> None:
    for roll, context in itertools.product(ALL_ROLLS, (None, CubeContext(away=(2, 2)))):
        assert len(engine.rank_plays(START, roll, context)) == len(legal_plays(START, roll))


def test_the_play_that_was_made_is_looked_at_as_far_as_the_best(engine: Engine) -> None:
    """However bad it seems; a loss between two depths is printed as a rough one."""
    level = Level("narrow", 2, (Sieve(3, 9.0), Sieve(2, 9.0)))
    for roll in ((3, 1), (6, 4), (5, 2)):
        plain = engine.rank_plays(START, roll, level=level)
        for play, line in zip(plain, plain.text().splitlines()[1::2], strict=True):
            assert ("\u2248" in line) == (play.depth < 2 and play.loss > 0)
        worst = plain.plays[-1]
        assert worst.depth == 0
        worst_again = engine.rank_plays(START, roll, level=level, played=worst.play.after).find(worst.play.after)
        assert worst_again is not None
        assert worst_again.depth == 2


def test_the_best_plays_can_be_looked_at_equally_far(engine: Engine) -> None:
    narrow = Level("narrow", 2, (Sieve(3, 0.001), Sieve(1, 9.0)))
    plain = engine.rank_plays(START, (3, 1), level=narrow)
    assert [play.depth for play in plain].count(2) == 1
    alike = engine.rank_plays(START, (3, 1), level=narrow, same_depth=4).plays
    assert [play.depth for play in alike[:5]] == [2, 2, 2, 2, 0]
    plays_by_text = {play.text: play for play in plain}
    assert all(
        play.equity == plays_by_text[play.text].equity for play in alike if play.depth == plays_by_text[play.text].depth
    )
    with pytest.raises(EngineError, match="same_depth: 0 is not"):
        engine.rank_plays(START, (3, 1), same_depth=0)


def test_close_plays_that_are_not_close_go_no_further_for_being_several(engine: Engine) -> None:
    level = Level("close", 1, (Sieve(8, 9.0),), close=Sieve(2, 0.0))
    plain = engine.rank_plays(START, (3, 1), level=level, same_depth=3).plays
    assert {play.depth for play in plain[:8]} == {1}
    other = plain[1].play.after
    ranking = engine.rank_plays(START, (3, 1), level=level, played=other)
    assert [play.depth for play in ranking.plays[:3]] == [2, 2, 1], "the play that was made is one of several"


def test_what_a_hurried_search_finds_of_bear_offs_is_not_remembered() -> None:
    assert has_time_for_cubes(None)
    assert has_time_for_cubes(Budget())
    assert has_time_for_cubes(Budget(seconds=3600.0))
    assert not has_time_for_cubes(Budget(seconds=0.5))
