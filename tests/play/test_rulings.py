"""Takebacks and forfeits are events of the log; the record of a match has none of them."""

from __future__ import annotations

import random
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.play.sessions import RandomSession

from fullprime.formats import Document, write
from fullprime.play import rulings
from fullprime.play.commands import Act, GiveSeed, TakeBack, ThrowDice
from fullprime.play.events import ActionTaken, ChainBegun, GameBegun, GameForfeited, LogEntry, RollWithdrawn, TakenBack
from fullprime.play.evolve import evolve, fold
from fullprime.play.proof import linked_throws, verify_log
from fullprime.play.server.bot_moves import check_bot_choice, choose_for_bot
from fullprime.play.server.rendering import render_log
from fullprime.play.session import GameSession
from fullprime.play.standing_events import StandingEvents
from fullprime.play.table.event_texts import render_in_game
from fullprime.play.table.seating import new_table, resume_table
from fullprime.play.table.table import Table
from fullprime.play.table.terminal_store import TerminalStore
from fullprime.play.terms import Terms
from fullprime.rules import game as acts
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import DOUBLE, TAKE, Action, Game, Phase, opening, play
from fullprime.rules.links import LinkChain, linked_dice
from fullprime.rules.notation import format_play
from fullprime.rules.record import GameRecord, Setup
from fullprime.rules.score import Player, Settings

SECRET = "5ec2e7" + "0" * 58


def begun(**rules: int) -> RandomSession:
    """A session against a bot in its first game: X has added a seed alone."""
    terms = Terms(settings=Settings(**{"length": 5, **rules}), opponent="bot")
    at = RandomSession.begin(random.Random(1), terms)
    at.secret = SECRET
    at.log[0] = replace(at.log[0], event=replace(at.log[0].event, seats=("human", "random")))  # type: ignore[call-arg]
    at.log[1] = replace(at.log[1], event=ChainBegun(None, 1, LinkChain(SECRET).anchor))
    at.session = fold(at.log)
    at.give(GiveSeed("a1"), "X")
    move_bot(at)
    return at


def move_bot(at: RandomSession) -> None:
    while at.session.is_bot_due:
        at.give(choose_for_bot(at.session), "O")


def decide(at: RandomSession, last: bool = False) -> None:
    """The first (or last) legal play, or a throw; then the bot moves."""
    game = game_of(at.session)
    if game.phase is Phase.CUBE_DECISION:
        at.give(ThrowDice(), "X")
    elif game.phase is Phase.PLAY:
        at.give(Act(acts.play(game.legal_plays[-1 if last else 0])), "X")
    elif game.phase is Phase.DOUBLE_OFFERED:
        at.give(Act(TAKE), "X")
    else:
        raise AssertionError(game.phase)
    move_bot(at)


def take_back(at: RandomSession, steps: int = 1) -> None:
    at.give(TakeBack(steps), "X")
    move_bot(at)


def decide_at_table(at: Table, last: bool = False) -> None:
    """The same at a table of the terminal."""
    if at.game.phase is Phase.CUBE_DECISION:
        at.run_command("roll")
    elif at.game.phase is Phase.PLAY:
        at.run_command(format_play(at.game.legal_plays[-1 if last else 0]))
    elif at.game.phase is Phase.DOUBLE_OFFERED:
        at.run_command("take")
    else:
        raise AssertionError(at.game.phase)


def game_of(session: GameSession) -> Game:
    assert session.game is not None
    return session.game


def record(at: RandomSession) -> GameRecord:
    return at.session.match.games[-1]


def standing(at: RandomSession) -> StandingEvents:
    assert at.session.stands is not None
    return at.session.stands


def replayed(at: RandomSession) -> tuple[Action, ...]:
    """The actions that stand in the game on the board, by the log alone: the slow and obvious way."""
    actions: list[Action] = []
    for entry in at.log:
        match entry.event:
            case GameBegun():
                actions.clear()
            case ActionTaken(action=action):
                actions.append(action)
            case RollWithdrawn():
                actions.pop()
            case TakenBack(kept=kept):
                del actions[kept:]
    return tuple(actions)


def choices_of_x(at: Table) -> list[int]:
    assert at.session.stands is not None
    return at.session.stands.choices_of([Player.X])


def throws(at: RandomSession) -> list[tuple[int, tuple[int, int]]]:
    return [(throw.number, throw.dice) for throw in linked_throws(at.log, SECRET)]


def test_a_takeback_sets_the_game_back_and_the_dice_come_again() -> None:
    at = begun()
    for _ in range(6):
        decide(at)
    before, thrown = game_of(at.session), at.session.throws
    first = throws(at)
    count = len(render_log(at.log))
    take_back(at, 5)
    assert render_log(at.log)[count].kind == "takeback"
    assert at.session.turn is Player.X
    assert at.session.throws < thrown
    while at.session.throws < thrown and not game_of(at.session).is_over:
        decide(at, last=True)
    again = [throw for throw in throws(at) if throw not in first]
    assert again == [], "the same numbers give the same dice, whatever is played"
    assert before != at.session.game


def test_dice_without_a_seed_come_again_because_the_table_has_drawn_one() -> None:
    at = new_table(Settings(length=5), bot="random")
    at.advance()
    while len(choices_of_x(at)) < 4:
        decide_at_table(at)
    first, thrown = dice_that_stand(at), at.session.throws
    at.perform(TakeBack(3))
    assert at.turn is Player.X
    assert at.session.throws < thrown
    while at.session.throws < thrown:
        decide_at_table(at, last=True)
    assert dice_that_stand(at)[: len(first)] == first
    other = new_table(Settings(length=5), bot="random")
    assert len(at.seed) == 64
    assert other.seed != at.seed


def dice_that_stand(at: Table) -> list[tuple[int, int]]:
    assert at.session.stands is not None
    return [action.dice for action in at.session.stands.events if action.dice is not None]


def test_as_far_back_as_one_likes_and_no_farther() -> None:
    at = begun()
    start = game_of(at.session)
    for _ in range(8):
        decide(at)
    mine = standing(at).choices_of([Player.X])
    for left in range(len(mine), 0, -1):
        take_back(at)
        assert len(standing(at).choices_of([Player.X])) == left - 1
    assert at.session.turn is Player.X
    assert game_of(at.session).score == start.score
    for steps in (1, 0):
        with pytest.raises(IllegalAction, match="nothing to take back"):
            standing(at).takeback_point([Player.X], steps)
        with pytest.raises(IllegalAction, match="nothing to take back"):
            take_back(at, steps)


def test_a_takeback_costs_as_much_late_in_a_game_as_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread serves all games: a game of a thousand events, taken back and back, must not keep it to itself."""
    at = RandomSession.begin(random.Random(1), Terms(settings=Settings(), opponent="screen", dice="seed"))
    at.give(GiveSeed("a1"), "both")
    for _ in range(300):
        longest_way(at)
    acted: list[object] = []
    acting = Game.act
    monkeypatch.setattr(Game, "act", lambda game, action: [acted.append(action), acting(game, action)][1])
    for steps in (1, 1, 1, 5):
        at.give(TakeBack(steps), "both")
    assert len(acted) < 4 * 16
    monkeypatch.undo()
    assert standing(at).events == replayed(at)
    assert standing(at).board_before(len(replayed(at))) == game_of(at.session)


def longest_way(at: RandomSession) -> None:
    """A throw, or the play after which most checkers are far from home."""
    game = game_of(at.session)
    if game.phase is Phase.PLAY:
        best = max(game.legal_plays, key=lambda legal: (legal.after.pips[0] - legal.after.pips[1], str(legal)))
        at.give(Act(play(best)), "both")
    else:
        at.give(ThrowDice(), "both")


def test_a_bots_choices_and_forced_plays_are_nobodys_to_take_back() -> None:
    at = begun()
    for _ in range(10):
        decide(at)
    stand = list(record(at).entries())
    for number in standing(at).choices_of([Player.X]):
        entry = stand[number]
        assert entry.player is Player.X
        assert entry.before.phase is not Phase.PLAY or len(entry.before.legal_plays) > 1


def test_what_was_taken_back_is_stored_and_gone_from_the_files(tmp_path: Path) -> None:
    with closing(TerminalStore(f"sqlite:///{tmp_path}/games.db")) as store:
        at = new_table(Settings(length=5), bot="random", store=store)
        at.advance()
        for _ in range(5):
            decide_at_table(at)
        at.perform(TakeBack(2))
        decide_at_table(at, last=True)
        assert at.number is not None
        resumed = resume_table(store, at.number)
        assert (resumed.seed, resumed.session) == (at.seed, at.session), "it goes on with the same dice"
        assert resumed.session.has_takeback
        plain = resumed.match
        assert plain.game == at.game
        assert not any(isinstance(event, Setup) for event in plain.games[-1].events)
        assert b"takeback" not in write(Document(plain), "mat")[0]


def test_what_was_taken_back_in_a_session_is_gone_from_its_files() -> None:
    at = begun()
    for _ in range(5):
        decide(at)
    take_back(at, 2)
    decide(at, last=True)
    resumed = fold(at.log)
    due = [session.links.dice(SECRET, session.throws + 1, {}) for session in (resumed, at.session)]
    assert due == [due[0]] * 2, "a session that is read again goes on with the dice it would have had"
    assert resumed.match.game == at.session.game
    assert resumed.match.games[0].events == replayed(at)
    assert b"takeback" not in write(Document(resumed.match), "mat")[0]


def test_the_proof_holds_after_takebacks_and_not_after_other_changes() -> None:
    at = begun()
    for steps in (3, 1, 2):
        for _ in range(5):
            decide(at, last=steps == 1)
        take_back(at, steps)
    decide(at)
    verdict = verify_log(at.log, SECRET, check_bot_choice)
    assert verdict.faults == ()
    assert verdict.throws == len(throws(at))
    assert verdict.choices > 5
    chain = LinkChain(SECRET)
    for number, dice in throws(at):
        assert dice == linked_dice(number, chain.link(number), "a1", ""), "the published formula, in its order"
    place = next(place for place, entry in enumerate(at.log) if isinstance(entry.event, TakenBack))
    without = [*at.log[:place], *(replace(entry, sequence=entry.sequence - 1) for entry in at.log[place + 1 :])]
    assert verify_log(without, SECRET, check_bot_choice).faults, "a takeback that was left out"


@pytest.mark.parametrize(
    ("settings", "points"), [(Settings(length=7), 7), (Settings(length=0), 2), (Settings(length=0, cube=False), 1)]
)
def test_a_forfeit_ends_a_match_or_a_game(settings: Settings, points: int) -> None:
    game = Game.new(settings).act(opening(3, 1))
    game = game.act(play(game.legal_plays[0]))
    if settings.length == 0 and settings.cube:
        game = game.act(DOUBLE).act(TAKE)
    loser = game.turn
    assert loser is not None
    over = rulings.forfeit(game, loser, "on time")
    assert over.is_over
    assert over.result is not None
    assert (over.result.winner, over.result.points) == (loser.other, points)


def test_a_forfeited_match_is_written_with_its_result() -> None:
    at = begun(length=3)
    decide(at)
    lost = LogEntry(at.session.sequence + 1, at.now, GameForfeited(Player.X, "by absence"))
    over = evolve(at.session, lost)
    assert over.is_over
    assert next(event.text for event in render_in_game(at.session, lost.event, over, ("Ann", "Bob"))) == (
        "Gone for too long: Ann"
    )
    plain = over.match
    assert plain.is_over
    assert plain.games[-1].stated is not None
    assert plain.score.points == (0, 3)
    assert b"Wins 3 points and the match" in write(Document(plain), "mat")[0]
