"""A process that is behind takes over what others have stored: each event once, in its order; nothing is read again."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.web.seat import some_line

from fullprime.app.live.room import Room
from fullprime.app.live.room_view import RoomNews
from fullprime.app.live.rooms import _LOOKS, Rooms
from fullprime.app.table.naming import seen_events
from fullprime.rules.errors import RulesError


@pytest.fixture
def both(any_database: str) -> Iterator[tuple[Rooms, Rooms]]:
    """Two handles on one database, as two processes have them."""
    with closing(Rooms(any_database)) as here, closing(Rooms(any_database)) as there:
        yield here, there


def begun(here: Rooms) -> Room:
    room, _, _ = here.create(opponent="screen", rules={"length": 0}, automatic=False)
    room.add_seed("X", "ab")
    return room


def play_on(room: Room, actions: int, seed: int = 1) -> None:
    chance = random.Random(seed)
    for _ in range(actions):
        room.act("both", some_line(room.frame("both")["state"], chance))


def test_later_events_come_in_the_order_in_which_they_happened(both: tuple[Rooms, Rooms]) -> None:
    here, _ = both
    room = begun(here)
    play_on(room, 20)
    assert room.saved.number is not None
    saved = here._games.load(room.saved.number)
    happened = [event for record in saved.match.games for event in record.events]
    numbers = [number for number, record in enumerate(saved.match.games, 1) for _ in record.events]
    assert len(happened) >= 20
    for after in (0, 1, 7):
        later = here._games.later(room.id, after, room.saved.settings)
        assert later is not None
        assert [event for _, event in later.events] == happened[after:]
        assert [number for number, _ in later.events] == numbers[after:]
        assert later.times == saved.times[after:]
        assert later.drawn == saved.drawn


def test_later_events_of_many_games_are_those_of_each(both: tuple[Rooms, Rooms]) -> None:
    here, _ = both
    if not here.is_shared:
        pytest.skip("one journey for many games is PostgreSQL's")
    rooms = [begun(here) for _ in range(3)]
    for seed, room in enumerate(rooms):
        play_on(room, 9, seed)
    asked = {room.id: (seen, room.saved.settings) for seen, room in enumerate(rooms)}
    found = here._games.later_of_many(asked)
    assert set(found) == set(asked)
    for seen, room in enumerate(rooms):
        happened = [event for record in room.match.games for event in record.events]
        assert [event for _, event in found[room.id].events] == happened[seen:]
        assert found[room.id] == here._games.later(room.id, *asked[room.id])


def test_a_copy_that_is_behind_follows_and_is_not_read_again(both: tuple[Rooms, Rooms]) -> None:
    here, there = both
    room = begun(here)
    other = there.room(room.id)
    news: list[RoomNews] = []
    other.listeners.add(news.append)
    table, known = other.table, len(other.frame("both")["events"])
    for turn in range(3):
        play_on(room, 6, turn)
        with other.lock:
            other.catch_up()
        assert other.frame("both")["state"] == room.frame("both")["state"]
    assert other.table is table, "the same table has gone on"
    told: list[Any] = seen_events([event for each in news for event in each.events], "both")
    assert len(told) >= 18
    assert told == other.frame("both")["events"][known:] == room.frame("both")["events"][-len(told) :]


@pytest.mark.logs_errors
def test_a_copy_that_cannot_follow_is_read_again_and_it_is_logged(
    both: tuple[Rooms, Rooms], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    here, there = both
    room = begun(here)
    other = there.room(room.id)
    table = other.table

    def confused(_later: object) -> None:
        raise RulesError("this event cannot follow")

    with caplog.at_level(logging.ERROR), other.lock:
        # Under its lock, or the news of the other process would have it catch up before it is asked to.
        play_on(room, 6)
        monkeypatch.setattr(other.table, "catch_up", confused)
        other.catch_up()
    assert f"room {room.id} is read again" in caplog.text
    assert other.table is not table
    assert other.frame("both")["state"] == room.frame("both")["state"]
    play_on(other, 3)


def test_whatever_else_stops_it_is_heard_and_the_room_is_read_again_the_next_time(
    both: tuple[Rooms, Rooms], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = both
    room = begun(here)
    other = there.room(room.id)

    def broken(_later: object) -> None:
        raise ZeroDivisionError("a bug")

    with monkeypatch.context() as breaking, other.lock:
        # Under its lock, or the news of the other process would have it catch up before it is asked to.
        play_on(room, 6)
        breaking.setattr(other.table, "catch_up", broken)
        with pytest.raises(ZeroDivisionError):
            other.catch_up()
    with other.lock:
        other.catch_up()
    assert other.frame("both")["state"] == room.frame("both")["state"]


def test_each_watched_room_is_looked_at_once_in_a_round_and_never_all_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand of them together held up those who play."""
    with closing(Rooms(str(tmp_path / "games.db"))) as here:
        rooms = [begun(here) for _ in range(12)]
        for room in rooms[:-1]:
            room.listeners.add(print)
        looks: list[list[Room]] = []
        monkeypatch.setattr(here, "_later", lambda _pool, do: do())
        monkeypatch.setattr(here, "_look_at", looks.append)
        for _ in range(_LOOKS):
            here._look_around()
        assert sorted(room.id for look in looks for room in look) == sorted(room.id for room in rooms[:-1])
        assert len(looks) > 1
