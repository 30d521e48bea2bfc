"""Takebacks and forfeits: events of their own, that a record can be read without."""

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
from fullprime.play.events import ChainBegun, GameForfeited, LogEntry, TakenBack
from fullprime.play.evolve import evolve, fold
from fullprime.play.proof import linked_throws, verify_log
from fullprime.play.rulings import StandingEvents
from fullprime.play.server.bot_moves import check_bot_choice, choose_for_bot
from fullprime.play.server.rendering import render_log
from fullprime.play.session import GameSession
from fullprime.play.table import event_texts
from fullprime.play.table.dice import TableDice
from fullprime.play.table.games import GameStore
from fullprime.play.table.seating import new_table
from fullprime.play.table.table import Table
from fullprime.play.terms import Terms
from fullprime.rules import game as acts
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import DOUBLE, TAKE, Game, Phase, opening, play
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
        at.throw()
    elif at.game.phase is Phase.PLAY:
        at.play(format_play(at.game.legal_plays[-1 if last else 0]))
    elif at.game.phase is Phase.DOUBLE_OFFERED:
        at.act(TAKE)
    else:
        raise AssertionError(at.game.phase)


def game_of(session: GameSession) -> Game:
    assert session.game is not None
    return session.game


def record(at: RandomSession) -> GameRecord:
    return at.session.match.games[-1]


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
    at = new_table(Settings(length=5), bot="random", dice=TableDice())
    at.advance()
    while len(StandingEvents.of(at.match.games[-1]).choices_of([Player.X])) < 4:
        decide_at_table(at)
    first = [entry.event for entry in at.match.games[-1].entries()]
    at.take_back(3)
    assert at.turn is Player.X
    while at.dice.drawn < 2 * rulings.count_throws(first):
        decide_at_table(at, last=True)
    thrown = [
        getattr(event, "dice", None) for event in (*first, *rulings.list_standing_events(at.match.games[-1].events))
    ]
    dice = [roll_thrown for roll_thrown in thrown if roll_thrown is not None]
    assert dice[: rulings.count_throws(first)] == dice[rulings.count_throws(first) :][: rulings.count_throws(first)]
    other = new_table(Settings(length=5), bot="random", dice=TableDice())
    assert len(str(at.dice.seed)) == 64
    assert other.dice.seed != at.dice.seed
    assert TableDice.from_text(at.dice.text, at.dice.drawn) == at.dice, "a resumed game goes on with the same dice"


def test_as_far_back_as_one_likes_and_no_farther() -> None:
    at = begun()
    start = game_of(at.session)
    for _ in range(8):
        decide(at)
    mine = StandingEvents.of(record(at)).choices_of([Player.X])
    for left in range(len(mine), 0, -1):
        take_back(at)
        assert len(StandingEvents.of(record(at)).choices_of([Player.X])) == left - 1
    assert at.session.turn is Player.X
    assert game_of(at.session).score == start.score
    for steps in (1, 0):
        with pytest.raises(IllegalAction, match="nothing to take back"):
            StandingEvents.of(record(at)).takeback_point([Player.X], steps)
        with pytest.raises(IllegalAction, match="nothing to take back"):
            take_back(at, steps)


def test_a_takeback_costs_as_much_late_in_a_game_as_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread serves all games: a game of a thousand events, taken back and back, must not keep it to itself."""
    at = RandomSession.begin(random.Random(1), Terms(settings=Settings(), opponent="screen", dice="seed"))
    at.give(GiveSeed("a1"), "both")
    for _ in range(300):
        longest_way(at)
    replayed: list[object] = []
    acting = Game.act
    monkeypatch.setattr(Game, "act", lambda game, action: [replayed.append(action), acting(game, action)][1])
    for steps in (1, 1, 1, 5):
        at.give(TakeBack(steps), "both")
    assert len(replayed) < 4 * 16
    monkeypatch.undo()
    assert StandingEvents.of(record(at)) == at.session.stands


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
    stand = list(GameRecord(record(at).start, rulings.list_standing_events(record(at).events)).entries())
    for number in StandingEvents.of(record(at)).choices_of([Player.X]):
        entry = stand[number]
        assert entry.player is Player.X
        assert entry.before.phase is not Phase.PLAY or len(entry.before.legal_plays) > 1


def test_what_was_taken_back_is_stored_and_gone_from_the_files(tmp_path: Path) -> None:
    with closing(GameStore(f"sqlite:///{tmp_path}/games.db")) as store:
        at = new_table(Settings(length=5), bot="random", dice=TableDice(), store=store)
        at.advance()
        for _ in range(5):
            decide_at_table(at)
        at.take_back(2)
        decide_at_table(at, last=True)
        assert at.number is not None
        saved = store.load(at.number)
        assert saved.match.game == at.game
        assert saved.drawn == at.dice.drawn
        resumed = Table.resume(saved, store)
        assert (resumed.dice, resumed.session.throws) == (at.dice, at.session.throws), "it goes on with the same dice"
        plain = rulings.to_played_match(saved.match)
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
    plain = rulings.to_played_match(resumed.match)
    assert plain.game == at.session.game
    assert not any(isinstance(event, Setup) for event in plain.games[-1].events)
    assert b"takeback" not in write(Document(plain), "mat")[0]


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
    ruling = rulings.forfeit(game, loser, rulings.ON_TIME)
    assert rulings.read_forfeit(ruling) is loser
    assert ruling.game.is_over
    assert ruling.game.result is not None
    assert (ruling.game.result.winner, ruling.game.result.points) == (loser.other, points)
    event = event_texts.describe_ruling(ruling, ("Ann", "Bob"))
    assert event is not None
    assert event.text == f"Out of time: {('Ann', 'Bob')[loser]}"


def test_a_forfeited_match_is_written_with_its_result() -> None:
    at = begun(length=3)
    decide(at)
    lost = LogEntry(at.session.sequence + 1, at.now, GameForfeited(Player.X, rulings.BY_ABSENCE))
    over = evolve(at.session, lost)
    assert over.is_over
    plain = rulings.to_played_match(over.match)
    assert plain.is_over
    assert plain.games[-1].stated is not None
    assert plain.score.points == (0, 3)
    assert b"Wins 3 points and the match" in write(Document(plain), "mat")[0]


def test_other_set_ups_are_no_rulings() -> None:
    game = Game.new(Settings(length=3))
    for note in ("", "the dice 31 were typed wrongly", "takeback: -1 events stand", "forfeit: Z lost on time"):
        other = Setup(game, note)
        assert rulings.read_takeback(other) is None
        assert rulings.read_forfeit(other) is None
        assert event_texts.describe_ruling(other, ("Ann", "Bob")) is None
