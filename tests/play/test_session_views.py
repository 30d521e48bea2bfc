"""A session as its people see it: what each seat may know, and nothing more; what was told, told again from the log."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import pytest
from tests.play.sessions import BEGUN_AT, PRIVATE_WORDS, RandomSession

from fullprime.play.beside import OWED
from fullprime.play.events import (
    GameBegun,
    HelpUsed,
    LineSaid,
    LogEntry,
    RematchOffered,
    ResignationOffered,
    ResignationRefused,
    Seat,
    SessionOpened,
    visible_to,
)
from fullprime.play.evolve import evolve, fold
from fullprime.play.server.telling import render_log, render_step
from fullprime.play.server.view import SessionView, for_seat
from fullprime.play.session import GameSession
from fullprime.play.table.events import Event
from fullprime.play.table.roll_plays import play_tree
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
    told = render_log(play.log)
    for _ in range(STEPS):
        before, known = play.session, len(play.log)
        play.step()
        for entry in play.log[known:]:
            after = evolve(before, entry)
            told += render_step(before, entry.event, after, entry.at)
            before = after
    return play, tuple(told)


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


# -- what is told -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", SEEDS)
def test_a_log_tells_again_what_was_told_while_it_was_played(seed: int) -> None:
    play, told = played(seed)
    assert tuple(render_log(play.log)) == told


def test_chance_tells_events_of_most_kinds() -> None:
    """Otherwise the tests here hold of little."""
    kinds = {event["kind"] for seed in SEEDS for event in played(seed)[1]}
    assert kinds >= {
        "info", "opening", "roll", "play", "double", "take", "drop", "new_game", "game_over", "chat", "closed",
        "forfeit", "resignation_offered", "resignation_refused", "accept", "takeback", "undo",
    }  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_of_talk_have_numbers_that_rise(seed: int) -> None:
    play, told = played(seed)
    lines = [event for event in told if event["kind"] == "chat"]
    said = [entry for entry in play.log if isinstance(entry.event, LineSaid)]
    assert [(line["number"], line["said"]) for line in lines] == [(entry.sequence, entry.event.text) for entry in said]  # type: ignore[union-attr]


def test_a_player_without_a_name_reads_of_an_own_offer_to_resign_in_the_second_person() -> None:
    events = render_log(session_of(ResignationOffered(Player.X, 2), ResignationRefused(Player.O)))[-2:]
    read = {seat: [event["text"] for event in for_seat({}, seat, events, 0.0)["events"]] for seat in SEATS}  # type: ignore[typeddict-item]
    refused = "Bob refuses the resignation"
    assert read["X"] == ["You offer to resign a gammon", refused]
    assert read["O"] == read["both"] == read[None] == ["Guest offers to resign a gammon", refused]


def test_two_people_at_one_screen_play_again_without_a_word() -> None:
    told = render_log(session_of(RematchOffered(None)))
    assert [event["text"] for event in told] == ["Backgammon begins"]


# -- secrets ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", SEEDS)
def test_a_spectator_sees_neither_talk_nor_plays(seed: int) -> None:
    play, told = played(seed)
    for _, _, after in steps(play):
        state = SessionView(after).state(None)
        assert not {"plays", "moves", "tree"} & set(state)
        assert state["you"] is None
        message = json.dumps(for_seat(state, None, told, 0.0))
        assert not any(words in message for words in PRIVATE_WORDS)
        assert play.secret not in message


@pytest.mark.parametrize("seed", SEEDS)
def test_a_spectator_sees_what_follows_from_the_events_that_all_may_know(seed: int) -> None:
    """A view holds nothing of what else has happened, not even that it has."""
    play, _ = played(seed)
    known = [entry for entry in play.log if visible_to(None, entry.event)]
    session = fold(LogEntry(number, entry.at, entry.event) for number, entry in enumerate(known, 1))
    assert SessionView(session).state(None) == SessionView(play.session).state(None)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_player_sees_plays_in_the_own_turn_alone(seed: int) -> None:
    play, _ = played(seed)
    for _, _, after in steps(play):
        view, game = SessionView(after), after.game
        for seat in SEATS:
            state = view.state(seat)
            is_theirs = game is not None and game.turn is not None and seat in ("both", game.turn.name)
            must_play = is_theirs and game is not None and game.phase is Phase.PLAY and after.is_human(game.turn)
            assert ("plays" in state) == ("tree" in state) == must_play
            if game is not None and game.turn is not None and not is_theirs:
                assert state["legal_actions"] == []  # type: ignore[typeddict-item]


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
    assert state["tree"] == play_tree(session.game.ways)
    assert "tree" not in view.state(seat, tree=False)
    same = evolve(session, LogEntry(session.sequence + 1, BEGUN_AT, HelpUsed()))
    later: Any = SessionView(same, earlier=view).state(seat)
    assert later["tree"] is state["tree"]
    assert SessionView(in_play(1), earlier=view).roll is not view.roll


def test_absences_come_from_outside() -> None:
    session, gone = fold(session_of(grace=30)), BEGUN_AT + timedelta(seconds=5)
    state = SessionView(session, {Player.O: gone}).state("X")
    assert state["away"] == {"O": gone.replace(tzinfo=UTC).timestamp()}
    assert (state["grace"], state["overdue"]) == (30, None)
    one_screen = fold(session_of(opponent="screen"))
    assert SessionView(one_screen, {Player.O: gone}).state("both")["away"] == {}


def test_a_decision_that_is_owed_in_a_rated_match_without_a_clock_is_overdue_some_time_later() -> None:
    play = RandomSession.begin(
        random.Random("owed"), Terms(settings=Settings(length=3), rated=True, dice="seed", clock=None)
    )
    while play.session.turn is None or play.session.is_over:
        play.step()
    changed_at = play.session.changed_at
    assert isinstance(changed_at, datetime)
    assert SessionView(play.session).state(None)["overdue"] == (changed_at + OWED).replace(tzinfo=UTC).timestamp()


def test_a_session_without_links_shows_none() -> None:
    state = SessionView(fold(session_of())).state("X")
    assert (state["links"], state["commitment"]) == (None, "")
