"""The game as a state machine: any sequence of allowed actions keeps its promises, in every variant."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from fullprime.engine.bots.bots import THROW, HeuristicBot, RandomBot
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll, SeededDice
from fullprime.rules.errors import IllegalAction, IllegalPlay, RulesError, SettingsError
from fullprime.rules.game import (
    ACCEPT,
    BEAVER,
    DOUBLE,
    DROP,
    RACCOON,
    REFUSE,
    TAKE,
    Action,
    ActionKind,
    Game,
    Phase,
    choose,
    opening,
    play,
    resign,
    roll,
)
from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import Position
from fullprime.rules.record import GameRecord, Match, Setup
from fullprime.rules.score import Player, Result, Score, Settings
from fullprime.rules.variants import ACEY_DEUCEY, ACEY_DEUCEY_EUROPEAN, BACKGAMMON, DUTCH, VARIANTS, FollowUp

SETTINGS = [
    *(Settings(variant=variant) for variant in VARIANTS.values()),
    Settings(length=5),
    Settings(jacoby=True, beavers=True, raccoons=True, automatic_doubles=None, cube_cap=64),
    Settings(variant=DUTCH.with_options({"hit_licence": "current", "enter_all_first": "no"})),
    Settings(variant=DUTCH.with_options({"opening_dice": "reroll", "entering_move_may_hit": True})),
    Settings(variant=ACEY_DEUCEY.with_options({"bar_priority": True, "acey_deucey_doubles_stake": True})),
    Settings(variant=ACEY_DEUCEY.with_options({"reroll_opening_acey_deucey": True, "hit_licence": "permanent"})),
]


def random_action(game: Game, rng: random.Random) -> Action:
    kind = rng.choice([k for k in game.actions() if k is not ActionKind.RESIGN or rng.random() < 0.02])
    match kind:
        case ActionKind.OPENING:
            return opening(rng.randint(1, 6), rng.randint(1, 6))
        case ActionKind.ROLL:
            return roll(Roll(rng.randint(1, 6), rng.randint(1, 6)))
        case ActionKind.PLAY:
            return play(rng.choice(game.legal_plays))
        case ActionKind.CHOOSE:
            return choose(rng.randint(1, 6))
        case ActionKind.RESIGN:
            return resign(rng.choice(game.resignation_levels))
        case _:
            return Action(kind)


def actions_except_resigning(game: Game) -> tuple[ActionKind, ...]:
    return tuple(kind for kind in game.actions() if kind is not ActionKind.RESIGN)


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: f"{s.variant.name}-{s.length}")
def test_random_games_keep_every_promise(settings: Settings) -> None:
    rng = random.Random(f"{settings}")
    for _ in range(6):
        game = Game.new(settings)
        record = GameRecord(game)
        for _ in range(400):
            if game.is_over:
                break
            game.position.check(settings.variant.checkers)
            assert actions_except_resigning(game)
            action = random_action(game, rng)
            before, game = game, game.act(action)
            record = record.with_event(action)
            assert game != before or action.kind is ActionKind.OPENING
            for kind in set(ActionKind) - set(game.actions()):
                with pytest.raises(IllegalAction):
                    game.act(Action(kind))
        assert record.final == game
        assert (game.result is None) == (not game.is_over)
        if game.result is not None:
            assert game.result.points > 0
            assert game.actions() == ()


@pytest.mark.broad
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda v: v.name)
def test_the_heuristic_bot_beats_the_random_bot(variant) -> None:
    """Ten games: chance alone would let the better bot lose six of them once in thousands of runs."""
    settings = Settings(variant=variant)
    won = 0
    for number in range(10):
        bots = [HeuristicBot(), RandomBot(number)]
        me = Player(number % 2)
        seats = bots if me is Player.X else bots[::-1]
        game, dice = Game.new(settings), SeededDice(f"{variant.name}{number}")
        while not game.is_over:
            if game.turn is None:
                game = game.act(opening(dice.die(), dice.die()))
                continue
            action = seats[game.turn].choose(game)
            game = game.act(roll(Roll(dice.die(), dice.die())) if action is THROW else action)
        assert game.result is not None
        won += game.result.winner is me
    assert won >= 6


def started(settings: Settings) -> Game:
    game = Game.new(settings).act(opening(1, 3))
    return game.act(play(game.legal_plays[0]))


def test_a_redouble_belongs_to_the_taker() -> None:
    game = started(Settings()).act(DOUBLE).act(TAKE)
    assert (game.cube.value, game.cube.owner, game.phase) == (2, Player.O, Phase.ROLL)
    with pytest.raises(IllegalAction, match="belongs to O"):
        game.act(DOUBLE)
    game = game.act(roll(Roll(3, 1)))
    game = game.act(play(game.legal_plays[0]))
    assert game.phase is Phase.CUBE_DECISION
    game = game.act(DOUBLE).act(TAKE).act(roll(Roll(2, 1)))
    assert (game.cube.value, game.cube.owner) == (4, Player.X)


def test_a_closed_out_player_may_double() -> None:
    """Source 000, line 9: with a closed board one loses the turn to move but not the use of the cube."""
    closed = started(Settings()).position.of({"bar": 1, 13: 2, "off": 12}, dict.fromkeys(range(1, 7), 2) | {"off": 3})
    game = replace(started(Settings()), position=closed)
    assert game.act(DOUBLE).phase is Phase.DOUBLE_OFFERED
    danced = game.act(roll(Roll(6, 5)))
    assert [legal.moves for legal in danced.legal_plays] == [()]
    assert danced.act(play(())).on_roll is game.on_roll.other


def test_the_cube_cap_also_stops_beavers_and_raccoons() -> None:
    settings = Settings(beavers=True, raccoons=True, cube_cap=4)
    game = started(settings).act(DOUBLE).act(BEAVER)
    assert game.actions() == (ActionKind.TAKE, ActionKind.DROP)
    with pytest.raises(IllegalAction, match="limit is 4"):
        game.act(RACCOON)
    capped = started(Settings(beavers=True, cube_cap=2)).act(DOUBLE)
    with pytest.raises(IllegalAction, match="limit is 2"):
        capped.act(BEAVER)


@pytest.mark.parametrize("limit", [0, 1, 2, None])
def test_automatic_doubles_stop_at_their_number(limit: int | None) -> None:
    game = Game.new(Settings(automatic_doubles=limit))
    for _ in range(3):
        game = game.act(opening(2, 2))
    assert game.multiplier == 2 ** (3 if limit is None else limit)
    assert not game.cube.turned


def test_resignations_are_offered_and_may_be_refused() -> None:
    game = started(Settings())
    offered = game.act(resign(1))
    assert (offered.turn, offered.phase) == (Player.O, Phase.RESIGNATION_OFFERED)
    assert offered.act(REFUSE) == game
    result = game.act(resign(3)).act(ACCEPT).result
    assert result is not None
    assert (result.winner, result.points, result.level) == (Player.O, 3, 3)
    with pytest.raises(IllegalAction, match="resignation is for"):
        game.act(resign(5))
    with pytest.raises(IllegalAction):
        game.act(DOUBLE).act(resign(1))


def test_resigning_acey_deucey_pays_every_checker_left() -> None:
    game = Game.new(Settings(variant=ACEY_DEUCEY)).act(opening(5, 3))
    result = game.act(resign()).act(ACCEPT).result
    assert result is not None
    assert (result.winner, result.points, result.level) == (Player.O, 15, None)
    with pytest.raises(IllegalAction, match="settles by checkers"):
        game.act(resign(2))


def test_a_play_must_be_whole_and_legal() -> None:
    game = Game.new(Settings()).act(opening(3, 1))
    first = game.legal_plays[0].moves
    with pytest.raises(IllegalPlay, match="more of 3-1"):
        game.act(play(first[:1]))
    with pytest.raises(IllegalPlay, match="not possible with 3-1"):
        game.act(play(Game.new(Settings()).act(opening(6, 5)).legal_plays[0]))


def test_european_doubles_give_the_complement_and_another_throw() -> None:
    game = Game.new(Settings(variant=ACEY_DEUCEY_EUROPEAN))
    game = replace(game, phase=Phase.ROLL).act(roll(Roll(4, 4)))
    game = game.act(play(next(legal for legal in game.legal_plays if len(legal.moves) == 4)))
    assert (game.phase, game.dice, game.on_roll) == (Phase.PLAY, Roll(3, 3), Player.X)
    game = game.act(play(next(legal for legal in game.legal_plays if len(legal.moves) == 4)))
    assert (game.phase, game.on_roll) == (Phase.ROLL, Player.X)


def test_the_opening_may_be_thrown_again_by_option() -> None:
    rerolled = Game.new(Settings(variant=BACKGAMMON.with_options({"opening_dice": "reroll"}))).act(opening(2, 5))
    assert (rerolled.phase, rerolled.on_roll, rerolled.actions()[0]) == (Phase.ROLL, Player.O, ActionKind.ROLL)
    acey = Game.new(Settings(variant=ACEY_DEUCEY.with_options({"reroll_opening_acey_deucey": True})))
    assert acey.act(opening(2, 1)).phase is Phase.OPENING_ROLL


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"length": 7, "jacoby": True}, "Jacoby rule is for money"),
        ({"length": 7, "beavers": True}, "beavers are for money"),
        ({"length": 7, "automatic_doubles": None}, "automatic doubles are for money"),
        ({"raccoons": True}, "raccoons answer beavers"),
        ({"variant": ACEY_DEUCEY, "cube": True}, "doubling is not part of Acey Deucey"),
        ({"variant": ACEY_DEUCEY, "automatic_doubles": 1}, "doubling is not part of Acey Deucey"),
        ({"cube": False, "jacoby": True}, "without a doubling cube"),
        ({"cube_cap": 48}, "power of two"),
        ({"length": -1}, "1 to 10000 points"),
    ],
)
def test_impossible_mixtures_are_refused_with_the_reason(options: dict, reason: str) -> None:
    with pytest.raises(SettingsError, match=reason):
        Settings(**options)


def test_a_one_point_match_has_neither_cube_nor_crawford_game() -> None:
    settings = Settings(length=1)
    assert not Score.start(settings).crawford_game
    game = started(settings)
    assert game.phase is Phase.ROLL
    with pytest.raises(IllegalAction, match="one point"):
        game.act(DOUBLE)


def test_a_match_goes_from_game_to_game_until_it_is_won() -> None:
    match = Match(Settings(length=3), ("Ada", "Bot")).next_game()
    for expected in ((1, 0), (2, 0)):
        match = match.with_event(opening(1, 3))
        match = match.with_event(play(match.game.legal_plays[0]))
        if match.game.may_double:
            match = match.with_event(DOUBLE).with_event(DROP)
        else:
            match = match.with_event(roll(Roll(2, 1)))
            match = match.with_event(play(match.game.legal_plays[0])).with_event(resign(1)).with_event(ACCEPT)
        assert match.score.points == expected
        match = match.next_game()
        assert match.game.score.points == expected
    assert match.game.score.crawford_game
    match = match.with_event(opening(1, 3))
    match = match.with_event(resign(2)).with_event(ACCEPT)
    assert match.score == Score((4, 0), post_crawford=True)
    assert [(number, points) for number, _, points in match.score_sheet] == [(1, (1, 0)), (2, (2, 0)), (3, (4, 0))]
    assert match.is_over
    with pytest.raises(ValueError, match="the match is over at 4\u20130"):
        match.next_game()


def test_a_setup_is_a_fact_that_replay_keeps() -> None:
    game = Game.new(Settings()).act(opening(3, 1))
    elsewhere = replace(game, position=BACKGAMMON.starting_position.of({6: 15}, {1: 1, "off": 14}))
    record = GameRecord(Game.new(Settings())).with_event(opening(3, 1)).with_event(Setup(elsewhere, "as transcribed"))
    assert record.final == elsewhere
    entries = list(record.entries())
    assert (entries[0].player, entries[1].player) == (None, None)


@pytest.mark.parametrize("first", Player)
def test_a_board_set_up_before_the_opening_roll_is_turned_to_whoever_wins_it(first: Player) -> None:
    x_view = Position.of({8: 10, 6: 5}, {24: 15})
    game = replace(Game.new(Settings()), position=x_view).act(opening(6, 1) if first is Player.X else opening(1, 6))
    assert game.on_roll is first
    assert game.position == (x_view if first is Player.X else x_view.swapped)


def test_a_turn_may_end_with_a_board_that_no_play_leads_to() -> None:
    game = Game.new(Settings(length=5)).act(opening(3, 1))
    after = Position.of({24: 2, 13: 5, 8: 2, 6: 6}, {24: 2, 13: 5, 8: 3, 6: 5})
    left = game.end_turn_at(after)
    assert (left.on_roll, left.phase, left.dice) == (Player.O, Phase.CUBE_DECISION, None)
    assert left.position_of(Player.X) == after
    won = game.end_turn_at(Position.of({}, {24: 2, 13: 5, 8: 3, 6: 5}))
    assert won.result == Result(Player.X, 3, 3, "bear-off")


def test_whatever_a_game_says_of_itself_it_refuses_by_an_error_of_ours() -> None:
    """Games come out of files: a phase may lack its dice, an action its numbers, a resignation its phase."""
    rng = random.Random(8)
    refused = accepted = 0
    for settings in SETTINGS:
        middle = Game.new(settings).act(opening(4, 2))
        for _ in range(500):
            game = replace(
                middle,
                phase=rng.choice(list(Phase)),
                dice=rng.choice((None, Roll(6, 5), Roll(2, 1))),
                cube=Cube(rng.choice((1, 8)), rng.choice((None, *Player)), rng.choice((None, 2))),
                follow_ups=rng.choice(((), *((step,) for step in FollowUp))),
                resignation=rng.choice((None, 1, 4)),
                resigned_in=rng.choice((None, *Phase)),
            )
            moves = rng.choice(((), (CheckerMove(13, 7, 6),), (CheckerMove(26, 24, 2), CheckerMove(26, 24, 1))))
            dice, number = rng.choice((None, (6, 6), (2, 1))), rng.choice((None, 1, 4, 9))
            kind = rng.choice(game.actions() or list(ActionKind))
            if rng.random() < 0.8:  # nothing that this kind of action does not have
                dice = dice if kind in (ActionKind.OPENING, ActionKind.ROLL) else None
                moves = moves if kind is ActionKind.PLAY else ()
                number = number if kind in (ActionKind.CHOOSE, ActionKind.RESIGN) else None
            try:
                game.act(Action(kind, dice, moves, number))
                accepted += 1
            except RulesError:
                refused += 1
    assert min(accepted, refused) > 1000
