"""Attempted cheats, each refused with its reason and without any effect. `CHEATS` is the list."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import httpx
import pytest
from starlette.websockets import WebSocketDisconnect
from tests.web.inside import TestClient
from tests.web.seat import Seat, create, friends

from fullprime.web.rate_limits import NO_LIMITS
from fullprime.web.server import create_app

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
Table = tuple[Seat, Seat, dict[str, Any]]
"""Who must act, who must not, and the state that the first of them sees."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    path = tmp_path_factory.mktemp("cheats") / "games.db"
    app = create_app(str(path), hosts=None, limits=NO_LIMITS)
    app.state.database = path
    with TestClient(app) as client:
        yield client


def at_a_play(client: Any) -> Table:
    """The dice are thrown: one of the two must play."""
    host, guest = friends(client, rules={"length": 5})
    state = host.state
    mover, waiter = (host, guest) if state["turn"] == "X" else (guest, host)
    return mover, waiter, mover.state


def before_the_roll(client: Any) -> Table:
    """One play has been made: the other may double or roll."""
    mover, waiter, state = at_a_play(client)
    mover.does(state["plays"][0])
    return waiter, mover, waiter.state


def doubled(client: Any) -> Table:
    """A double is offered: whoever got it must answer."""
    doubler, other, _ = before_the_roll(client)
    doubler.does("double")
    return other, doubler, other.state


def resigned(client: Any) -> Table:
    mover, waiter, _ = at_a_play(client)
    mover.does("resign")
    return waiter, mover, waiter.state


def over(client: Any) -> Table:
    """The game is over, the match is not."""
    mover, waiter, _ = doubled(client)
    mover.does("drop")
    return mover, waiter, mover.state


def with_key(seat: Seat, key: str | None) -> Seat:
    return Seat(seat.client, seat.game, key)


def own_enemy_move(state: dict[str, Any]) -> str:
    """A checker of the other side, moved by its owner's dice as if it were one's own."""
    side = state["on_roll"]
    theirs = state["points"]["O" if side == "X" else "X"]
    place = next(25 - slot for slot in range(24, 0, -1) if theirs[slot] and 25 - slot > state["dice"][0])
    return f"{place}/{place - state['dice'][0]}"


Cheat = tuple[Callable[[Any], Table], Callable[[Seat, Seat, dict[str, Any]], httpx.Response], set[int]]

CHEATS: dict[str, Cheat] = {
    # Acting for somebody else.
    "a play for the other": (at_a_play, lambda mover, waiter, state: waiter.act(state["plays"][0]), {403}),
    "a roll for the other": (before_the_roll, lambda mover, waiter, state: waiter.act("roll"), {403}),
    "taking one's own double": (doubled, lambda mover, waiter, state: waiter.act("take"), {403}),
    "dropping for the other": (doubled, lambda mover, waiter, state: waiter.act("drop"), {403}),
    "accepting one's own resignation": (resigned, lambda mover, waiter, state: waiter.act("accept"), {403}),
    # Acting without a seat.
    "a spectator": (at_a_play, lambda mover, waiter, state: with_key(mover, None).act(state["plays"][0]), {403}),
    "a key of another game": (
        at_a_play,
        lambda mover, waiter, state: with_key(mover, create(mover.client)[0].key).act(state["plays"][0]),
        {403},
    ),
    "a guessed key": (at_a_play, lambda mover, waiter, state: with_key(mover, "A" * 32).act(state["plays"][0]), {403}),
    "half a key": (
        at_a_play,
        lambda mover, waiter, state: with_key(mover, str(mover.key)[:16]).act(state["plays"][0]),
        {403},
    ),
    "a key in other letters": (
        at_a_play,
        lambda mover, waiter, state: with_key(mover, str(mover.key).swapcase()).act(state["plays"][0]),
        {403},
    ),
    "the commitment as a key": (
        at_a_play,
        lambda mover, waiter, state: with_key(mover, state["commitment"]).act(state["plays"][0]),
        {403},
    ),
    "what the database keeps of a key": (
        at_a_play,
        lambda mover, waiter, state: with_key(mover, hash_kept(mover, state["on_roll"])).act(state["plays"][0]),
        {403},
    ),
    "an account of one's own": (
        at_a_play,
        lambda mover, waiter, state: with_key(mover, "fp_" + "a" * 40).act(state["plays"][0]),
        {401, 403},
    ),
    "a seat that is taken": (
        at_a_play,
        lambda mover, waiter, state: with_key(mover, None).post("join", {"invitation": "x" * 32, "name": "Eve"}),
        {403},
    ),
    "a second seed": (at_a_play, lambda mover, waiter, state: mover.post("seed", {"seed": "00"}), {403}),
    # Dice.
    "rolling twice": (at_a_play, lambda mover, waiter, state: mover.act("roll"), {400}),
    "forged dice in the line": (before_the_roll, lambda mover, waiter, state: mover.act("roll 66"), {400}),
    "bare dice in the line": (before_the_roll, lambda mover, waiter, state: mover.act("66"), {400}),
    "forged dice in the request": (before_the_roll, lambda mover, waiter, state: mover.act("roll", dice=[6, 6]), {422}),
    "a seed in the request": (before_the_roll, lambda mover, waiter, state: mover.act("roll", seed="00"), {422}),
    "changing dice thrown already": (at_a_play, lambda mover, waiter, state: mover.act("roll 66"), {400}),
    # The past and the future.
    "a stale play": (
        at_a_play,
        lambda mover, waiter, state: mover.act(state["plays"][0], sequence=state["sequence"] - 1),
        {409},
    ),
    "a play in advance": (
        at_a_play,
        lambda mover, waiter, state: mover.act(state["plays"][0], sequence=state["sequence"] + 1),
        {409},
    ),
    "a sequence that is no number": (at_a_play, lambda mover, waiter, state: mover.act("pip", sequence="1"), {422}),
    "a sequence below nothing": (at_a_play, lambda mover, waiter, state: mover.act("pip", sequence=-1), {422}),
    "the next game too early": (at_a_play, lambda mover, waiter, state: mover.act("next"), {400}),
    "ending the session in the middle, for the secret": (
        at_a_play,
        lambda mover, waiter, state: mover.post("close", {}),
        {400},
    ),
    "rolling when the game is over": (over, lambda mover, waiter, state: mover.act("13/7 8/7"), {400}),
    "doubling when the game is over": (over, lambda mover, waiter, state: mover.act("double"), {400}),
    "a takeback between people": (
        before_the_roll,
        lambda mover, waiter, state: waiter.post("takeback", {}),
        {400, 403},
    ),
    "claiming the game from somebody who is there": (
        at_a_play,
        lambda mover, waiter, state: waiter.post("claim", {"what": "victory"}),
        {400, 403, 409, 422},
    ),
    # The rules.
    "a play that the dice do not give": (at_a_play, lambda mover, waiter, state: mover.act("24/1"), {400}),
    "the other's checkers": (at_a_play, lambda mover, waiter, state: mover.act(own_enemy_move(state)), {400}),
    "five checkers": (at_a_play, lambda mover, waiter, state: mover.act("6/5 6/5 6/5 6/5 6/5"), {400}),
    "no play at all": (at_a_play, lambda mover, waiter, state: mover.act("no play"), {400}),
    "half a play, called done": (at_a_play, lambda mover, waiter, state: mover.act("done"), {400}),
    "moves made by somebody's own board": (
        at_a_play,
        lambda mover, waiter, state: mover.act("done", moves=["24/off", "13/off"]),
        {400},
    ),
    "more moves than a roll has": (
        at_a_play,
        lambda mover, waiter, state: mover.act("done", moves=["6/5"] * 5),
        {422},
    ),
    "doubling after the roll": (at_a_play, lambda mover, waiter, state: mover.act("double"), {400}),
    "doubling a double that is offered": (doubled, lambda mover, waiter, state: mover.act("redouble"), {400}),
    "a beaver in a match": (doubled, lambda mover, waiter, state: mover.act("beaver"), {400}),
    "playing instead of answering": (doubled, lambda mover, waiter, state: mover.act("roll"), {400}),
    # Help.
    "a hint against a person": (at_a_play, lambda mover, waiter, state: mover.act("hint"), {403}),
    "a hint by the page's route": (at_a_play, lambda mover, waiter, state: mover.post("hint", {}), {400, 403, 422}),
}


def hash_kept(seat: Seat, side: str) -> str:
    with closing(sqlite3.connect(seat.client.app.state.database)) as database:  # type: ignore[attr-defined]
        keys = database.execute("SELECT x_key, o_key FROM game_sessions WHERE session_id = ?", (seat.game,)).fetchone()
    return str(keys["XO".index(side)])


def still(seat: Seat) -> dict[str, Any]:
    """What must not change; clocks go on by themselves."""
    return {name: value for name, value in seat.state.items() if name not in ("clock", "away")}


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_refused_and_changes_nothing(client: Any, name: str) -> None:
    begin, cheat, expected = CHEATS[name]
    mover, waiter, state = begin(client)
    before = still(mover), still(waiter)
    answer = cheat(mover, waiter, state)
    assert answer.status_code in expected, answer.text
    assert answer.json()["error"]
    assert (still(mover), still(waiter)) == before


def test_a_replayed_request_is_done_once(client: Any) -> None:
    mover, _, state = at_a_play(client)
    body = {"line": state["plays"][0], "sequence": state["sequence"]}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: mover.post("act", body).status_code, range(8)))
    assert sorted(answers) == [200, *[409] * 7] or sorted(answers) == [200, *[403] * 7], answers
    assert mover.state["sequence"] == state["sequence"] + 1


def test_a_roll_asked_for_many_times_at_once_is_one_roll(client: Any) -> None:
    mover, _, _ = before_the_roll(client)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: mover.act("roll").status_code, range(8)))
    assert answers.count(200) == 1
    assert set(answers) <= {200, 400, 403, 409}
    kinds = [event["kind"] for event in mover.get()["events"]]
    assert kinds.count("roll") == 1


def test_the_crawford_game_has_no_cube(client: Any) -> None:
    host, guest = friends(client, rules={"length": 2})
    mover, waiter = (host, guest) if host.state["turn"] == "X" else (guest, host)
    mover.does("resign")
    waiter.does("accept")
    waiter.does("next")
    assert host.state["crawford"]
    mover, waiter = (host, guest) if host.state["turn"] == "X" else (guest, host)
    mover.does(mover.state["plays"][0])
    assert "double" not in waiter.state["legal_actions"]
    assert waiter.act("double").status_code == 400


def test_the_secret_is_told_to_nobody_before_the_end(client: Any) -> None:
    mover, waiter, _ = at_a_play(client)
    with closing(sqlite3.connect(client.app.state.database)) as database:
        (secret,) = database.execute("SELECT secret FROM game_sessions WHERE session_id = ?", (mover.game,)).fetchone()
    for seat in (mover, waiter, with_key(mover, None)):
        for part in ("", "/proof", "/record?format=json", "/record?format=mat", "/chat"):
            answer = client.get(f"/api/games/{mover.game}{part}", headers=seat.headers)
            assert secret not in answer.text, part
        proof = seat.get("/proof")
        assert (proof["secret"], proof["throws"]) == (None, None)
        with client.websocket_connect(f"/api/games/{mover.game}/live") as socket:
            socket.send_text(json.dumps({"key": seat.key}))
            assert secret not in socket.receive_text()


def test_an_invitation_opens_only_its_own_game_and_no_seat(client: Any) -> None:
    host, created = create(client, opponent="friend", name="Ann")
    _, others = create(client, opponent="friend", name="Ann")
    assert with_key(host, None).post("join", {"invitation": others["invitation"], "name": "Eve"}).status_code == 403
    assert with_key(host, created["invitation"]).post("seed", {"seed": "aa"}).status_code == 403
    assert with_key(host, None).post("join", {"invitation": str(host.key), "name": "Eve"}).status_code == 403
    assert host.state["free_seat"]
    with ThreadPoolExecutor(6) as pool:
        codes = list(
            pool.map(
                lambda n: (
                    with_key(host, None)
                    .post("join", {"invitation": created["invitation"], "name": f"P{n}"})
                    .status_code
                ),
                range(6),
            )
        )
    assert codes.count(200) == 1, "six come through one door at once"
    assert set(codes) <= {200, 403, 409}


def test_a_private_game_is_closed_on_all_sides(client: Any) -> None:
    seat, _ = create(client, spectators=False, position=START)
    foreign = create(client)[0].headers
    for headers in ({}, {"Authorization": "Bearer wrong"}, foreign):
        for part in ("", "/proof", "/record", "/stream", "/chat"):
            answer = client.get(f"/api/games/{seat.game}{part}", headers=headers)
            assert answer.status_code == 403, part
            assert "points" not in answer.text
        assert client.post(f"/api/games/{seat.game}/act", json={"line": "roll"}, headers=headers).status_code == 403
    with client.websocket_connect(f"/api/games/{seat.game}/live") as socket:
        socket.send_text(json.dumps({"key": None}))
        with pytest.raises(WebSocketDisconnect) as refused:
            socket.receive_text()
    assert refused.value.code == 1008


def test_nothing_that_is_said_on_the_live_line_is_done(client: Any) -> None:
    mover, _, state = at_a_play(client)
    with client.websocket_connect(f"/api/games/{mover.game}/live") as socket:
        socket.send_text(json.dumps({"key": mover.key, "line": state["plays"][0]}))
        socket.receive_text()
        for body in ({"line": state["plays"][0]}, {"line": "resign b"}, {"type": "act", "line": "roll"}):
            socket.send_text(json.dumps(body))
        # What is done by the right door is the first that is told.
        mover.does(state["plays"][-1])
        assert json.loads(socket.receive_text())["events"][0]["kind"] == "play"
    assert mover.state["sequence"] == state["sequence"] + 1


def test_a_name_cannot_pass_for_the_other(client: Any) -> None:
    host, created = create(client, opponent="friend", name="Ann")
    for name in ("Ann", " Ann ", "An\u200bn", "\u202eAnn", "A\x00nn", "", " " * 5):
        answer = with_key(host, None).post("join", {"invitation": created["invitation"], "name": name})
        assert answer.status_code in (400, 422), repr(name)
    assert host.state["free_seat"]
