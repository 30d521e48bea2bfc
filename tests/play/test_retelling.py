"""A server that is killed and started again shows what it showed before: the state, and every line in its order."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.play.seen import frame_of

from fullprime.analysis import at_table
from fullprime.play import off_board
from fullprime.play.commands import ClosingWay
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.rules.errors import FullprimeError

SEATS: tuple[Any, ...] = ("X", "O", None)


def seen(handle: SessionHandle) -> dict[str, Any]:
    """All that each side and a spectator see, but the time of day."""
    frames = {str(seat): dict(frame_of(handle, seat)) for seat in SEATS}
    for frame in frames.values():
        del frame["now"]
    return frames


def after_a_kill(url: str, game: str) -> dict[str, Any]:
    """The same, by a server that knows nothing but the database: nothing was said to it when the other one ended."""
    game_server = GameServer(url)
    try:
        return seen(game_server.get_handle(game))
    finally:
        game_server.close()


def friends(game_server: GameServer, **agreed: Any) -> SessionHandle:
    handle, _, invitation = game_server.create(opponent="friend", name="Ann", **agreed)
    assert invitation is not None
    handle.join(invitation, "Bob")
    for seat in ("X", "O"):
        handle.add_seed(seat, "ab")
    return handle


def texts(frames: dict[str, Any]) -> list[str]:
    return [event["text"] for event in frames["X"]["events"]]


def resigns(handle: SessionHandle, loser: str, winner: str) -> None:
    """That side loses a single game as soon as it may."""
    for _ in range(20):
        state = frame_of(handle, loser, [])["state"]
        if "resign" in state["legal_actions"]:
            handle.act(loser, "resign")
            handle.act(winner, "accept")
            return
        handle.act(winner, frame_of(handle, winner, [])["state"]["plays"][0])
    raise AssertionError("nobody could resign")


def test_the_crawford_game_is_told_as_it_was(tmp_path: Path) -> None:
    url = str(tmp_path / "games.db")
    game_server = GameServer(url)
    handle = friends(game_server, rules={"length": 2})
    at_table.say(handle, "X", phrase="luck")
    resigns(handle, "O", "X")
    at_table.say(handle, "O", text="and now?")
    handle.act("O", "next")
    before = seen(handle)
    assert before["X"]["state"]["crawford"]
    lines = texts(before)
    crawford = lines.index("Game 2: the Crawford game, no doubling")
    assert lines[:2] == ["Bob has joined", "Backgammon begins"]
    assert lines.index("Ann: Good luck!") < lines.index("Bob: and now?") < crawford
    assert after_a_kill(url, handle.id) == before
    resigns(handle, "X", "O")
    resigns(room_after_next(handle), "X", "O")
    for side in ("X", "O"):
        handle.offer_rematch(side)
    assert after_a_kill(url, handle.id) == seen(handle)
    assert texts(seen(handle))[-2:] == ["Ann would play again", "Bob would play again"]
    game_server.close()


def room_after_next(handle: SessionHandle) -> SessionHandle:
    handle.act("X", "next")
    return handle


def test_an_answer_to_one_player_is_told_to_nobody_else_after_a_start(tmp_path: Path) -> None:
    url = str(tmp_path / "games.db")
    game_server = GameServer(url)
    handle = friends(game_server, rules={"length": 3})
    before = seen(handle)
    again = GameServer(url)
    started = again.get_handle(handle.id)
    assert started.act("X", "pip")[0][0].kind == "info"
    assert seen(started) == before
    game_server.close(), again.close()


def test_a_game_that_has_begun_without_a_throw_has_begun_after_a_kill(tmp_path: Path) -> None:
    url = str(tmp_path / "games.db")
    game_server = GameServer(url)
    handle = friends(game_server, rules={"length": 2}, automatic=False)
    handle.act("X", "roll")
    while frame_of(handle, "X")["state"]["phase"] == "opening_roll":
        handle.act("X", "roll")
    resigns(handle, "O", "X")
    handle.act("O", "next")
    before = seen(handle)
    assert (before["X"]["state"]["game"], before["X"]["state"]["phase"]) == (2, "opening_roll")
    assert texts(before)[-1] == "Game 2: the Crawford game, no doubling"
    assert after_a_kill(url, handle.id) == before
    handle.act("X", "roll")
    assert texts(seen(handle)).count("Game 2: the Crawford game, no doubling") == 1
    assert after_a_kill(url, handle.id) == seen(handle)
    game_server.close()


def doings(handle: SessionHandle, chance: random.Random) -> dict[str, Callable[[], object]]:
    """Things that somebody may do now; some are refused."""
    seat = chance.choice("XO")
    state: Any = frame_of(handle, seat, [])["state"]
    ways: tuple[ClosingWay, ...] = ("agree", "agree", "leave", "end", "abort")
    rare: dict[str, Callable[[], object]] = {
        "chat": lambda: at_table.say(handle, seat, text=f"{chance.random()}"),
        "ask": lambda: handle.act(seat, chance.choice(("pip", "score", "board"))),
        "rematch": lambda: handle.offer_rematch(seat),
    }
    if chance.random() < 0.02:
        rare["close"] = lambda: handle.close(seat, chance.choice(ways))
    words = state["legal_actions"]
    if words and chance.random() < 0.9:
        word = chance.choice([*words, *("resign" for word in words if word == "resign")])
        line = chance.choice(state["plays"] or ["no play"]) if word == "move" else word
        return {"act": lambda: handle.act(seat, line)}
    return dict([chance.choice(list(rare.items()))])


@pytest.mark.broad
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("length", [0, 1, 3])
def test_after_a_kill_everything_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, length: int
) -> None:
    """Whole matches by chance, with talk and offers between; killed now and then, and at the end."""
    monkeypatch.setattr(off_board, "TALK_WITHIN", timedelta(0))
    chance = random.Random(f"{seed}:{length}")
    url = str(tmp_path / "games.db")
    game_server = GameServer(url)
    clock = chance.choice([None, "12+600"])
    handle = friends(game_server, rules={"length": length}, automatic=chance.random() < 0.7, clock=clock)
    for _ in range(300):
        for do in doings(handle, chance).values():
            try:
                do()
            except FullprimeError:
                continue
        if chance.random() < 0.02:
            assert after_a_kill(url, handle.id) == seen(handle)
        if chance.random() < 0.02:
            game_server.close()
            game_server = GameServer(url)
            handle = game_server.get_handle(handle.id)
        if handle.is_closed and chance.random() < 0.1:
            break
    assert after_a_kill(url, handle.id) == seen(handle)
    game_server.close()
