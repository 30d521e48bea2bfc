"""A server that is killed and started again shows what it showed before: the state, and every line in its order."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from fullprime.analysis import at_table
from fullprime.play import beside
from fullprime.play.commands import ClosingWay
from fullprime.play.server.rooms import Room, Rooms
from fullprime.rules.errors import FullprimeError

SEATS: tuple[Any, ...] = ("X", "O", None)


def seen(room: Room) -> dict[str, Any]:
    """All that each side and a spectator see, but the time of day."""
    frames = {str(seat): dict(room.frame(seat)) for seat in SEATS}
    for frame in frames.values():
        del frame["now"]
    return frames


def after_a_kill(url: str, game: str) -> dict[str, Any]:
    """The same, by a server that knows nothing but the database: nothing was said to it when the other one ended."""
    rooms = Rooms(url)
    try:
        return seen(rooms.room(game))
    finally:
        rooms.close()


def friends(rooms: Rooms, **asked: Any) -> Room:
    room, _, invitation = rooms.create(opponent="friend", name="Ann", **asked)
    assert invitation is not None
    room.join(invitation, "Bob")
    for seat in ("X", "O"):
        room.add_seed(seat, "ab")
    return room


def texts(frames: dict[str, Any]) -> list[str]:
    return [event["text"] for event in frames["X"]["events"]]


def resigns(room: Room, loser: str, winner: str) -> None:
    """That side loses a single game as soon as it may."""
    for _ in range(20):
        state = room.frame(loser)["state"]
        if "resign" in state["legal_actions"]:
            room.act(loser, "resign")
            room.act(winner, "accept")
            return
        room.act(winner, room.frame(winner)["state"]["plays"][0])
    raise AssertionError("nobody could resign")


def test_the_crawford_game_is_told_as_it_was(tmp_path: Path) -> None:
    url = str(tmp_path / "games.db")
    rooms = Rooms(url)
    room = friends(rooms, rules={"length": 2})
    at_table.say(room, "X", phrase="luck")
    resigns(room, "O", "X")
    at_table.say(room, "O", text="and now?")
    room.act("O", "next")
    before = seen(room)
    assert before["X"]["state"]["crawford"]
    lines = texts(before)
    crawford = lines.index("Game 2: the Crawford game, no doubling")
    assert lines[:2] == ["Bob has joined", "Backgammon begins"]
    assert lines.index("Ann: Good luck!") < lines.index("Bob: and now?") < crawford
    assert after_a_kill(url, room.id) == before
    resigns(room, "X", "O")
    resigns(room_after_next(room), "X", "O")
    for side in ("X", "O"):
        room.offer_rematch(side)
    assert after_a_kill(url, room.id) == seen(room)
    assert texts(seen(room))[-2:] == ["Ann would play again", "Bob would play again"]
    rooms.close()


def room_after_next(room: Room) -> Room:
    room.act("X", "next")
    return room


def test_an_answer_to_one_player_is_told_to_nobody_else_after_a_start(tmp_path: Path) -> None:
    url = str(tmp_path / "games.db")
    rooms = Rooms(url)
    room = friends(rooms, rules={"length": 3})
    before = seen(room)
    again = Rooms(url)
    started = again.room(room.id)
    assert started.act("X", "pip")[0][0]["kind"] == "info"
    assert seen(started) == before
    rooms.close(), again.close()


def test_a_game_that_has_begun_without_a_throw_has_begun_after_a_kill(tmp_path: Path) -> None:
    url = str(tmp_path / "games.db")
    rooms = Rooms(url)
    room = friends(rooms, rules={"length": 2}, automatic=False)
    room.act("X", "roll")
    while room.frame("X")["state"]["phase"] == "opening_roll":
        room.act("X", "roll")
    resigns(room, "O", "X")
    room.act("O", "next")
    before = seen(room)
    assert (before["X"]["state"]["game"], before["X"]["state"]["phase"]) == (2, "opening_roll")
    assert texts(before)[-1] == "Game 2: the Crawford game, no doubling"
    assert after_a_kill(url, room.id) == before
    room.act("X", "roll")
    assert texts(seen(room)).count("Game 2: the Crawford game, no doubling") == 1
    assert after_a_kill(url, room.id) == seen(room)
    rooms.close()


def doings(room: Room, chance: random.Random) -> dict[str, Callable[[], object]]:
    """Things that somebody may do now; some are refused."""
    seat = chance.choice("XO")
    state: Any = room.frame(seat)["state"]
    ways: tuple[ClosingWay, ...] = ("agree", "agree", "leave", "end", "abort")
    rare: dict[str, Callable[[], object]] = {
        "chat": lambda: at_table.say(room, seat, text=f"{chance.random()}"),
        "ask": lambda: room.act(seat, chance.choice(("pip", "score", "board"))),
        "rematch": lambda: room.offer_rematch(seat),
    }
    if chance.random() < 0.02:
        rare["close"] = lambda: room.close(seat, chance.choice(ways))
    words = state["legal_actions"]
    if words and chance.random() < 0.9:
        word = chance.choice([*words, *("resign" for word in words if word == "resign")])
        line = chance.choice(state["plays"] or ["no play"]) if word == "move" else word
        return {"act": lambda: room.act(seat, line)}
    return dict([chance.choice(list(rare.items()))])


@pytest.mark.broad
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("length", [0, 1, 3])
def test_after_a_kill_everything_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, length: int
) -> None:
    """Whole matches by chance, with talk and offers between; killed now and then, and at the end."""
    monkeypatch.setattr(beside, "TALK_WITHIN", timedelta(0))
    chance = random.Random(f"{seed}:{length}")
    url = str(tmp_path / "games.db")
    rooms = Rooms(url)
    clock = chance.choice([None, "12+600"])
    room = friends(rooms, rules={"length": length}, automatic=chance.random() < 0.7, clock=clock)
    for _ in range(300):
        for do in doings(room, chance).values():
            try:
                do()
            except FullprimeError:
                continue
        if chance.random() < 0.02:
            assert after_a_kill(url, room.id) == seen(room)
        if chance.random() < 0.02:
            rooms.close()
            rooms = Rooms(url)
            room = rooms.room(room.id)
        if room.is_closed and chance.random() < 0.1:
            break
    assert after_a_kill(url, room.id) == seen(room)
    rooms.close()
