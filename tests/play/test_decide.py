"""The pure pair by itself: any commands, in any order, by anybody."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from typing import get_args

import pytest
from tests.play.sessions import PRIVATE_WORDS, RandomSession

from fullprime.common.refusals import Refusal
from fullprime.play import checks
from fullprime.play.clocks import Clock
from fullprime.play.codec import event_row, read_event
from fullprime.play.commands import (
    Act,
    AnswerResignation,
    BeginNextGame,
    CloseSession,
    GiveLink,
    GiveSeed,
    OfferResignation,
    Say,
    SessionCommand,
    TakeBack,
    TakeSeat,
    ThrowDice,
)
from fullprime.play.decide import decide
from fullprime.play.draft import SessionInputs
from fullprime.play.events import (
    BOARD_CHANGES,
    ActionTaken,
    ChatSent,
    GameForfeited,
    LogEntry,
    SessionEvent,
    is_in,
)
from fullprime.play.evolve import evolve, fold
from fullprime.play.links import server_chain
from fullprime.play.rulings import forfeit
from fullprime.play.server.acting import read_line
from fullprime.play.session import GameSession
from fullprime.play.table.table_events import SIDES
from fullprime.play.terms import Terms
from fullprime.rules import game as acts
from fullprime.rules.game import Game
from fullprime.rules.links import hash_link
from fullprime.rules.score import Player, Settings

SEEDS = range(40)
STEPS = 160


@lru_cache(64)
def played(seed: int, steps: int = STEPS) -> RandomSession:
    """A session after so many commands by chance."""
    play = RandomSession.begin(random.Random(f"session {seed}"))
    for _ in range(steps):
        play.step()
    return play


@pytest.mark.parametrize("seed", SEEDS)
def test_any_command_is_carried_out_or_refused_and_the_log_folds_to_the_session(seed: int) -> None:
    play = played(seed)
    stored = [event_row("", entry) for entry in play.log]
    read = [LogEntry(number, row["at"], read_event(row["kind"], row["data"])) for number, row in enumerate(stored, 1)]
    assert read == play.log
    assert fold(read) == play.session
    assert play.session.board_version == sum(isinstance(entry.event, BOARD_CHANGES) for entry in play.log)


def test_the_sample_has_every_kind_of_event() -> None:
    """Else the properties above and below say little."""
    met = Counter(type(entry.event) for seed in SEEDS for entry in played(seed).log)
    assert set(met) == set(get_args(SessionEvent))
    assert sum(played(seed).refusals for seed in SEEDS) > len(SEEDS) * STEPS / 5


def test_a_session_that_has_grown_too_long_is_only_played_out() -> None:
    """No game begins, nothing is taken back and nothing is said; the game on the board goes on, and can be ended."""
    terms = Terms(settings=Settings(length=5), opponent="friend", dice="seed")
    play = RandomSession.begin(random.Random(1), terms)
    play.give(TakeSeat("Bob"), None)
    for seat in ("X", "O"):
        play.give(GiveSeed("a1"), seat)
    short = play.session
    play.session = replace(short, sequence=checks.MOST_EVENTS)
    with pytest.raises(Refusal, match="too long to go on"):
        play.give(Say("hello"), "X")
    assert play.give(Act(acts.play(short.game.legal_plays[0])), SIDES[short.turn])  # type: ignore[union-attr,index]
    ended = replace(play.session, game=forfeit(play.session.game, Player.X, "on time"))  # type: ignore[arg-type]
    play.session = replace(ended, is_won=False)
    with pytest.raises(Refusal, match="too long to go on"):
        play.give(BeginNextGame(), "X")
    alone = RandomSession.begin(random.Random(1), replace(terms, opponent="screen"))
    alone.give(GiveSeed("a1"), "both")
    alone.give(Act(acts.play(alone.session.game.legal_plays[0])), "both")  # type: ignore[union-attr]
    alone.session = replace(alone.session, sequence=checks.MOST_EVENTS)
    with pytest.raises(Refusal, match="too long to go on"):
        alone.give(TakeBack(), "both")
    assert alone.give(CloseSession("end"), "both")


@pytest.mark.slow
def test_a_million_commands_are_carried_out_or_refused() -> None:
    for seed in range(5000):
        play = played.__wrapped__(seed + 1000, 200)
        assert fold(play.log) == play.session


@pytest.mark.parametrize("seed", SEEDS)
def test_the_board_of_a_session_is_that_of_its_record(seed: int) -> None:
    """By the rules alone, from the start of each game: the slow way."""
    session = played(seed).session
    match = session.match
    for record in match.games:
        for _ in record.entries():
            pass
    game = session.game
    if game is None:
        return
    last = match.games[-1]
    assert last.result == game.result
    if session.ended_by is None:
        assert last.final == game
    else:
        assert last.final.position_of(game.on_roll) == game.position, "a forfeit or a resignation moves no checker"


@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_sees_what_is_not_for_them(seed: int) -> None:
    """No secret stands in any log; spectators see neither talk nor help; no link of the server is told early."""
    play = played(seed)
    texts = {seat: visible_text(play, seat) for seat in ("X", "O", "both", None)}
    for text in texts.values():
        assert play.secret not in text
        if play.session.terms.dice == "links":
            for first in play.session.links.server:
                chain = server_chain(play.secret, first)
                ahead = play.session.throws + 1
                assert not any(
                    chain.link(number) in text for number in range(max(first, ahead), min(first + 40, chain.last))
                )
    assert not any(words in texts[None] for words in PRIVATE_WORDS)
    assert "help_used" not in texts[None]
    lines = [entry for entry in play.log if isinstance(entry.event, ChatSent)]
    assert all(entry.event.text in texts["X"] for entry in lines)  # type: ignore[union-attr]


def visible_text(play: RandomSession, seat: str | None) -> str:
    """Everything that somebody in a seat may know, as text."""
    rows = [event_row("", entry) for entry in play.log if is_in(seat, entry.event.audience)]  # type: ignore[arg-type]
    return "\n".join(f"{row['kind']} {row['data']}" for row in rows)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_watches_late_folds_an_earlier_session(seed: int) -> None:
    """A spectator's session is the fold of what was to be seen some time ago, and holds nothing of later."""
    play = played(seed)
    moment = play.now - timedelta(seconds=60)
    earlier = [entry for entry in play.log if entry.at <= moment and is_in(None, entry.event.audience)]
    renumbered = [LogEntry(number, entry.at, entry.event) for number, entry in enumerate(earlier, 1)]
    session = fold(renumbered)
    later = [entry for entry in play.log if entry.at > moment]
    assert session.board_version == play.session.board_version - sum(
        isinstance(entry.event, BOARD_CHANGES) for entry in later
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_clocks_are_a_function_of_the_events_of_the_board(seed: int) -> None:
    """By an own count over the log: offers, talk and claims that fail cost nobody a second."""
    play = played(seed)
    control = play.session.terms.time_control
    if control is None:
        assert play.session.clock is None
        return
    clock, session = Clock.start(control), None
    for entry in play.log:
        before: GameSession | None = session
        session = evolve(session, entry)
        if isinstance(entry.event, BOARD_CHANGES):
            assert before is not None
            assert isinstance(session.game, Game)
            is_first = session.changes == 1
            clock = clock.renew() if is_first and not session.terms.settings.is_match else clock
            clock = clock.press(entry.at, session.game.turn)
        else:
            assert before is None or session.clock == before.clock
    assert play.session.clock == clock


@pytest.mark.parametrize("seed", SEEDS)
def test_an_offer_to_resign_lapses_with_the_next_event_of_the_board(seed: int) -> None:
    play = played(seed)
    session = None
    for entry in play.log:
        session = evolve(session, entry)
        if isinstance(entry.event, BOARD_CHANGES):
            assert session.resignation is None


@pytest.mark.parametrize("seed", SEEDS)
def test_every_link_of_a_side_leads_to_the_anchor_it_has_promised(seed: int) -> None:
    """By hashing each link down to the anchor, without the session's own chains."""
    play = played(seed)
    session, number = None, 0
    for entry in play.log:
        before = session
        session = evolve(session, entry)
        links = getattr(entry.event, "links", {})
        for side, link in links.items():
            assert before is not None
            number = before.throws + 1
            chain = next(chain for chain in reversed(before.chains) if chain.whose is side and chain.first <= number)
            assert hash_link(link, number - chain.first + 1) == chain.anchor
            assert side in (Player.X, Player.O)


# -- what is overdue --------------------------------------------------------------------------------------------
def between_two(**terms: object) -> RandomSession:
    """A match between two people who have promised links, in the first game."""
    play = RandomSession.begin(random.Random("overdue"), Terms(settings=Settings(length=3), **terms))  # type: ignore[arg-type]
    play.give(TakeSeat("Bob"), None)
    for side in Player:
        play.give(GiveSeed(play.new_chain(side, 1).anchor, has_links=True), side.name)
    return play


def opened(play: RandomSession) -> Player:
    """Both give the links of the opening; gives the player who has the turn."""
    while play.session.turn is None:
        for side in play.session.awaited:
            play.give(GiveLink(play.session.throws + 1, str(play.link(side))), side.name)
    return play.session.turn


@pytest.mark.parametrize(
    "command", [ThrowDice(), CloseSession("abort"), CloseSession("leave"), OfferResignation(1), BeginNextGame()]
)
def test_a_flag_that_has_fallen_comes_before_any_command(command: SessionCommand) -> None:
    play = between_two(clock="12+60")
    slow = opened(play)
    play.now += timedelta(seconds=73)
    outcome = decide(play.session, command, slow.name, play.now, SessionInputs(play.secret))
    assert outcome.events == (GameForfeited(slow, "on time"),)
    assert str(outcome.refusal) == "it is too late: the game is over"


def test_a_link_that_comes_when_the_server_has_thrown_without_it_is_too_late() -> None:
    play = between_two(clock="3d")
    play.give(GiveLink(1, str(play.link(Player.X))), "X")
    play.now += timedelta(hours=2)
    late = GiveLink(1, str(play.link(Player.O)))
    outcome = decide(play.session, late, "O", play.now, SessionInputs(play.secret))
    assert outcome.session.throws >= 1
    first = outcome.events[0]
    assert isinstance(first, ActionTaken)
    assert set(first.links) == {Player.X}
    assert str(outcome.refusal) == "it is too late: the server has thrown without the link"


# -- resignations -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("word", ["accept", "refuse"])
def test_an_offer_to_resign_with_which_a_game_begins_is_answered(word: str) -> None:
    """An ID of GNU Backgammon may have one; between two people it is no offer beside the game."""
    start = Game.new(Settings(length=3)).opening(3, 1).act(acts.resign(1))
    terms = Terms(settings=start.settings, start=start, opponent="friend", dice="seed")
    play = RandomSession.begin(random.Random("resigned"), terms)
    play.give(TakeSeat("Bob"), None)
    for side in Player:
        play.give(GiveSeed("ab"), side.name)
    answers = play.session.turn
    assert answers is not None
    with pytest.raises(Refusal, match="who must act now"):
        play.give(AnswerResignation(accepts=True), answers.other.name)
    command = read_line(play.session, SIDES[answers], word).command
    assert command is not None
    play.give(command, answers.name)
    assert play.session.game is not None
    assert play.session.game.is_over == (word == "accept")
