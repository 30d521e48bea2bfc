"""A session as its people see it: what each seat may know, and nothing more; what was told, told again from the log."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import pytest
from tests.play.seen import message_of, state_of
from tests.play.sessions import BEGUN_AT, PRIVATE_WORDS, RandomSession

from fullprime.common.json_values import to_json
from fullprime.play.events import (
    ChatSent,
    GameBegun,
    HelpUsed,
    LogEntry,
    RematchOffered,
    ResignationOffered,
    ResignationRefused,
    Seat,
    SessionOpened,
    is_in,
)
from fullprime.play.evolve import evolve, fold
from fullprime.play.server.rendering import render_log, render_step
from fullprime.play.server.view import SessionView
from fullprime.play.session import OWED, GameSession
from fullprime.play.table.board import play_tree
from fullprime.play.table.table_events import ChatEvent, Event
from fullprime.play.terms import Terms
from fullprime.rules.game import Phase
from fullprime.rules.score import Player, Settings

SEATS: tuple[Seat | None, ...] = ("X", "O", "both", None)
SEEDS = range(24)
STEPS = 100


@lru_cache(len(SEEDS))
def played(seed: int) -> tuple[RandomSession, tuple[Event, ...]]:
    """A session after commands by chance, and what was told of each while it was played."""
    play = RandomSession.begin(random.Random(f"view {seed}"))
    events = render_log(play.log)
    for _ in range(STEPS):
        before, count = play.session, len(play.log)
        play.step()
        for entry in play.log[count:]:
            after = evolve(before, entry)
            events += render_step(before, entry.event, after, entry.at)
            before = after
    return play, tuple(events)


def steps(play: RandomSession) -> Iterator[tuple[GameSession | None, LogEntry, GameSession]]:
    """Each entry of the log, with the session before and after it."""
    session: GameSession | None = None
    for entry in play.log:
        after = evolve(session, entry)
        yield session, entry, after
        session = after


def session_of(*events: Any, **terms: Any) -> list[LogEntry]:
    """The log of a session between two people without links, in which the first game has begun."""
    agreed = Terms(settings=Settings(length=3), dice="typed", **terms)
    opened = SessionOpened("session", agreed, ("Guest", "Bob"), ("human", "human"))
    return [LogEntry(number, BEGUN_AT, event) for number, event in enumerate((opened, GameBegun(1), *events), 1)]


# -- events in words --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", SEEDS)
def test_a_log_tells_again_what_was_told_while_it_was_played(seed: int) -> None:
    play, events = played(seed)
    assert tuple(render_log(play.log)) == events


def test_chance_tells_events_of_most_kinds() -> None:
    """Otherwise the tests here hold of little."""
    kinds = {event.kind for seed in SEEDS for event in played(seed)[1]}
    assert kinds >= {
        "info", "opening", "roll", "play", "double", "take", "drop", "new_game", "game_over", "chat", "closed",
        "forfeit", "resignation_offered", "resignation_refused", "accept", "takeback", "undo",
    }  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_of_talk_have_numbers_that_rise(seed: int) -> None:
    play, events = played(seed)
    lines = [event for event in events if isinstance(event, ChatEvent)]
    said = [entry for entry in play.log if isinstance(entry.event, ChatSent)]
    assert [(event.line.number, event.line.said) for event in lines] == [
        (entry.sequence, entry.event.text) for entry in said
    ]  # type: ignore[union-attr]


def test_a_player_without_a_name_reads_of_an_own_offer_to_resign_in_the_second_person() -> None:
    log = session_of(ResignationOffered(Player.X, 2), ResignationRefused(Player.O))
    events, view = render_log(log)[-2:], SessionView(fold(log))
    read = {seat: [event["text"] for event in message_of(view, events, seat)["events"]] for seat in SEATS}
    refused = "Bob refuses the resignation"
    assert read["X"] == ["You offer to resign a gammon", refused]
    assert read["O"] == read["both"] == read[None] == ["Guest offers to resign a gammon", refused]


def test_two_people_at_one_screen_play_again_without_a_word() -> None:
    events = render_log(session_of(RematchOffered(None)))
    assert [event.text for event in events] == ["Backgammon begins"]


# -- secrets ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", SEEDS)
def test_a_spectator_sees_neither_talk_nor_plays(seed: int) -> None:
    play, events = played(seed)
    for _, _, after in steps(play):
        view = SessionView(after)
        state = state_of(view, None)
        assert not {"plays", "moves", "tree"} & set(state)
        assert state["you"] is None
        message = json.dumps(message_of(view, events, None))
        assert not any(words in message for words in PRIVATE_WORDS)
        assert play.secret not in message


@pytest.mark.parametrize("seed", SEEDS)
def test_a_spectator_sees_what_follows_from_the_events_that_all_may_know(seed: int) -> None:
    """A view holds nothing of what else has happened, not even that it has."""
    play, _ = played(seed)
    visible = [entry for entry in play.log if is_in(None, entry.event.audience)]
    session = fold(LogEntry(number, entry.at, entry.event) for number, entry in enumerate(visible, 1))
    assert SessionView(session).state(None) == SessionView(play.session).state(None)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_player_sees_plays_in_the_own_turn_alone(seed: int) -> None:
    play, _ = played(seed)
    for _, _, after in steps(play):
        view, game = SessionView(after), after.game
        for seat in SEATS:
            state = state_of(view, seat)
            is_theirs = game is not None and game.turn is not None and seat in ("both", game.turn.name)
            must_play = is_theirs and game is not None and game.phase is Phase.PLAY and after.is_human(game.turn)
            assert ("plays" in state) == ("tree" in state) == must_play
            if game is not None and game.turn is not None and not is_theirs:
                assert state["legal_actions"] == []


# -- what is shown ----------------------------------------------------------------------------------------------
def in_play(seed: int) -> GameSession:
    """A session in which a person must play a roll."""
    return next(
        after
        for _, _, after in steps(played(seed)[0])
        if after.game is not None and after.game.phase is Phase.PLAY and after.is_human(after.game.turn)
    )


def test_the_ways_to_play_are_worked_out_once_for_a_board() -> None:
    session = in_play(0)
    assert session.game is not None
    assert session.game.turn is not None
    seat: Any = session.game.turn.name
    view = SessionView(session)
    state: Any = view.state(seat)
    assert state.actions.tree == play_tree(session.game.roll_plays)
    assert "tree" not in to_json(view.state(seat, tree=False))
    same = evolve(session, LogEntry(session.sequence + 1, BEGUN_AT, HelpUsed()))
    later: Any = SessionView(same, earlier=view).state(seat)
    assert later.actions.tree is state.actions.tree
    assert SessionView(in_play(1), earlier=view).roll is not view.roll


def test_absences_come_from_outside() -> None:
    session, gone = fold(session_of(grace=30)), BEGUN_AT + timedelta(seconds=5)
    state = state_of(SessionView(session, {Player.O: gone}), "X")
    assert state["away"] == {"O": gone.replace(tzinfo=UTC).timestamp()}
    assert (state["grace"], state["overdue"]) == (30, None)
    one_screen = fold(session_of(opponent="screen"))
    assert state_of(SessionView(one_screen, {Player.O: gone}), "both")["away"] == {}


def test_a_decision_that_is_owed_in_a_rated_match_without_a_clock_is_overdue_some_time_later() -> None:
    play = RandomSession.begin(
        random.Random("owed"), Terms(settings=Settings(length=3), rated=True, dice="seed", clock=None)
    )
    while play.session.turn is None or play.session.is_over:
        play.step()
    changed_at = play.session.changed_at
    assert isinstance(changed_at, datetime)
    assert SessionView(play.session).shared.session.overdue == changed_at + OWED


def test_a_session_without_links_shows_none() -> None:
    state = state_of(SessionView(fold(session_of())), "X")
    assert (state["links"], state["commitment"]) == (None, "")
