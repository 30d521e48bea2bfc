"""Clocks are read from when things happened."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import pytest
from tests.play.sessions import RandomSession

from fullprime.common.refusals import Refusal
from fullprime.play.clocks import DAY, PRESETS, Clock, TimeControl, time_control
from fullprime.play.commands import Say
from fullprime.play.server.chat import ChatError, check_line, check_reason, phrase
from fullprime.play.server.view import clock_state
from fullprime.play.terms import Terms
from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Player, Settings

X, O = Player.X, Player.O
NOON = datetime(2026, 11, 21, 12)  # noqa: DTZ001


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def test_the_delay_is_free_and_what_goes_beyond_is_taken_from_the_reserve() -> None:
    clock = Clock.start(TimeControl(12, 60)).press(at(0), X)
    assert clock.reserves_at(at(12)) == (60, 60)
    assert clock.reserves_at(at(15)) == (57, 60)
    clock = clock.press(at(15), O)
    assert clock.left == (57, 60)
    clock = clock.press(at(20), X)
    assert clock.left == (57, 60), "what is left of a delay is not added"
    clock = clock.press(at(20 + 12 + 7), O)
    assert clock.left == (50, 60)


def test_a_turn_goes_on_until_the_other_must_decide() -> None:
    clock = Clock.start(TimeControl(12, 60)).press(at(0), X)
    assert clock.press(at(10), X).since == NOON, "a roll does not begin a new delay"
    doubled = clock.press(at(10), O).press(at(14), X)
    assert doubled.since == at(14), "an answered double does"


def test_the_flag_falls_when_delay_and_reserve_are_used_up() -> None:
    clock = Clock.start(TimeControl(12, 60)).press(at(0), O)
    assert clock.falls == at(72)
    assert clock.loser(at(71.9)) is None
    assert clock.loser(at(72)) is O
    assert clock.reserves_at(at(500)) == (60, 0)
    stopped = clock.press(at(30), None)
    assert stopped.falls is None
    assert stopped.loser(at(10_000)) is None, "between games nobody loses on time"
    assert stopped.left == (60, 42)


def test_correspondence_counts_days_for_each_turn() -> None:
    clock = Clock.start(time_control("3d", Settings(length=5))).press(at(0), X)
    assert clock.loser(at(3 * DAY - 1)) is None
    assert clock.loser(at(3 * DAY)) is X
    assert clock.press(at(2 * DAY), O).press(at(4 * DAY), X).falls == at(7 * DAY)
    assert clock_state(clock).days == 3


def test_a_clock_follows_the_turns_of_several_games() -> None:
    control = TimeControl(10, 100)
    turns = [
        (at(0), X, True),
        (at(4), X, False),
        (at(30), O, False),
        (at(45), None, False),
        (at(45), X, True),
        (at(50), O, False),
    ]
    assert Clock.start(control).falls is None
    for renews, left in ((False, (80, 95)), (True, (100, 100))):  # each game of a session has the whole reserve
        clock = Clock.start(control)
        for pressed_at, turn, begins in turns:
            clock = (clock.renew() if begins and renews else clock).press(pressed_at, turn)
        assert (clock.left, clock.running) == (left, O)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_grow_with_the_match(name: str) -> None:
    short, long = (time_control(name, Settings(length=length)) for length in (3, 9))
    assert long.reserve == 3 * short.reserve
    assert short.delay == long.delay
    assert time_control(name, Settings(length=0)).reserve == time_control(name, Settings(length=5)).reserve


def test_usbgf_is_twelve_seconds_and_two_minutes_a_point() -> None:
    assert time_control("usbgf", Settings(length=11)) == TimeControl(12, 1320)
    assert time_control("usbgf", Settings(length=11)).words == "12 s delay, 22 min reserve"
    assert time_control("8+90", Settings(length=11)).words == "8 s delay, 1 min 30 s reserve"


@pytest.mark.parametrize(
    "text", ["", "0+0", "1+3", "12+", "+12", "0d", "31d", "-1d", "1+100000000", "usbg", "1e3+5", "٣d"]
)
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        time_control(text, Settings(length=5))


def test_what_may_be_said() -> None:
    assert check_line("  good\n luck ") == "good luck"
    assert phrase("luck") == "Good luck!"
    for bad in ("", "   ", "x" * 201, "a\u202eb", "bell\x07"):
        with pytest.raises(ChatError):
            check_line(bad)
    with pytest.raises(ChatError, match="no phrase"):
        phrase("insult")
    assert len(check_reason("x" * 500)) == 500
    with pytest.raises(ChatError):
        check_reason("x" * 501)


def test_saying_too_much_at_once_is_refused_for_a_while() -> None:
    play = RandomSession.begin(random.Random(1), Terms(settings=Settings(length=5)))
    for _ in range(6):
        play.give(Say("hello"), "X")
        play.now += timedelta(seconds=1)
    with pytest.raises(Refusal, match="wait") as refused:
        play.give(Say("hello"), "X")
    assert refused.value.code == "busy"
    play.give(Say("hello"), "O")
    play.now += timedelta(seconds=13.9)
    with pytest.raises(Refusal, match="wait"):
        play.give(Say("hello"), "X")
    play.now += timedelta(seconds=0.1)
    play.give(Say("hello"), "X")
