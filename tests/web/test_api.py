"""The server over HTTP: whole games, who may do what, and that nothing confirmed is lost."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.broadly import broadly
from tests.web.conftest import Server
from tests.web.seat import Seat, create, friends, some_line
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from fullprime.rules.variants import VARIANTS
from fullprime.web.rate_limits import LARGEST_BODY, RequestRate, TokenBuckets

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.slow
def test_a_level_of_the_engine_sits_at_the_table(client: httpx.Client, server: Server) -> None:
    seat, _ = create(client, rules={"length": 1}, bot="0-ply")
    play_out([seat], random.Random(1))
    verdict = server.verify(seat.game)
    assert verdict.faults == ()
    assert verdict.choices > 5


@pytest.fixture
def shared(shared_server: Server) -> Any:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        yield client


def listen(seat: Seat, **more: Any) -> ClientConnection:
    """A live connection to the game of that seat."""
    return connect(f"{str(seat.client.base_url).replace('http', 'ws')}/api/games/{seat.game}/live", **more)


def play_out(seats: list[Seat], chance: random.Random) -> dict[str, Any]:
    """Play by chance until the first game is over; gives the last state."""
    for _ in range(4000):
        for seat in seats:
            state = seat.state
            if state["game_over"]:
                return state
            if [word for word in state["legal_actions"] if word != "resign"]:
                seat.does(some_line(state, chance), sequence=state["sequence"])
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("variant", broadly(VARIANTS, "hypergammon"))
def test_every_variant_is_played_to_its_end_and_its_dice_are_proved(
    shared: Any, shared_server: Server, variant: str
) -> None:
    chance = random.Random(variant)
    rules = {"length": 0, **({"jacoby": True, "beavers": True, "raccoons": True} if VARIANTS[variant].cube else {})}
    seat, created = create(shared, variant=variant, rules=rules, bot="heuristic")
    assert seat.get("/proof")["secret"] is None
    state = play_out([seat], chance)
    assert state["result"]["points"] > 0
    assert seat.post("close", {}).status_code == 204
    assert seat.state["status"] == "over"
    proof = seat.get("/proof")
    assert proof["commitment"] == created["commitment"]
    assert proof["throws"]
    verdict = shared_server.verify(seat.game)
    assert verdict.faults == ()
    assert verdict.throws == len(proof["throws"])
    assert verdict.choices > 3


def test_one_changed_bit_is_found(client: httpx.Client, server: Server) -> None:
    seat, _ = create(client, rules={"length": 1}, bot="heuristic")
    play_out([seat], random.Random(5))
    assert server.verify(seat.game).faults == ()
    with sqlite3.connect(server.database) as database:
        (secret,) = database.execute("SELECT secret FROM game_sessions").fetchone()
        changed = f"{int(secret, 16) ^ 1:064x}"
        database.execute("UPDATE game_sessions SET secret = ?", (changed,))
    database.close()
    assert any("but the links give" in fault for fault in server.verify(seat.game).faults)


def test_a_friend_joins_by_link_and_only_once(shared: Any) -> None:
    host, created = create(shared, opponent="friend", name="Ann", begin=False)
    state = host.state
    assert (state["status"], state["free_seat"], state["missing_seeds"]) == ("waiting", True, ["X", "O"])
    guest = Seat(shared, host.game, None)
    assert guest.post("join", {"invitation": "wrong", "name": "Eve"}).status_code == 403
    assert guest.post("join", {"invitation": created["invitation"], "name": "Ann"}).status_code == 400
    joined = guest.post("join", {"invitation": created["invitation"], "name": "Bob"})
    guest.key = joined.json()["key"]
    again = guest.post("join", {"invitation": created["invitation"], "name": "Eve"})
    assert (again.status_code, again.json()["error"]) == (403, "the seat is taken")
    assert host.post("seed", {"seed": "aa"}).status_code == 204
    assert host.post("seed", {"seed": "ab"}).status_code == 403, "a seed is added once"
    assert guest.state["status"] == "waiting"
    assert guest.post("seed", {"seed": "bb"}).status_code == 204
    assert guest.state["names"] == ["Ann", "Bob"]
    assert guest.state["status"] == "playing"


def test_cheats_are_refused(shared: Any) -> None:
    host, guest = friends(shared, rules={"length": 3})
    stranger, foreign = Seat(shared, host.game, None), create(shared)[0]
    before = host.state
    assert before["phase"] == "play"
    mover, waiter = (host, guest) if before["turn"] == "X" else (guest, host)
    play = mover.state["plays"][0]
    foreigner = Seat(shared, host.game, foreign.key)
    refused = {
        "for the other": waiter.act(play),
        "watching": stranger.act(play),
        "with a key of another game": foreigner.act(play),
        "a roll in the middle": mover.act("roll"),
        "forged dice": mover.act("roll 66"),
        "an illegal play": mover.act("24/1"),
        "a double out of turn": waiter.act("double"),
        "a stale move": mover.act(play, sequence=before["sequence"] - 1),
        "a hint": mover.act("hint"),
        "closing in the middle": mover.post("close", {}),
    }
    assert {name: answer.status_code for name, answer in refused.items()} == {
        "for the other": 403,
        "watching": 403,
        "with a key of another game": 403,
        "a roll in the middle": 400,
        "forged dice": 400,
        "an illegal play": 400,
        "a double out of turn": 403,
        "a stale move": 409,
        "a hint": 403,
        "closing in the middle": 400,
    }
    assert host.state == before
    mover.does(play, sequence=before["sequence"])
    replayed = mover.act(play, sequence=before["sequence"])
    assert replayed.status_code == 409


def test_who_watches_sees_the_board_but_not_what_may_be_moved(shared: Any) -> None:
    host, guest = friends(shared)
    watcher = Seat(shared, host.game, None)
    mover, waiter = (host, guest) if host.state["turn"] == "X" else (guest, host)
    assert "tree" in mover.state
    for other in (waiter, watcher):
        assert "tree" not in other.state
        assert other.state["legal_actions"] == []
        assert other.state["points"] == mover.state["points"]
    hidden, _ = create(shared, spectators=False)
    assert Seat(shared, hidden.game, None).client.get(f"/api/games/{hidden.game}").status_code == 403
    assert hidden.state["status"] == "playing"


def test_the_record_is_a_file_that_is_read_again(shared: Any) -> None:
    from fullprime.formats import read

    seat, _ = create(shared, rules={"length": 3}, name="Ann")
    play_out([seat], random.Random(8))
    for name in ("mat", "json", "sgf"):
        answer = shared.get(f"/api/games/{seat.game}/record", params={"format": name}, headers=seat.headers)
        assert answer.status_code == 200, answer.text
        assert seat.game in answer.headers["content-disposition"]
        content = read(answer.content)
        match = getattr(content, "documents", [content])[0].match
        assert match.names == ("Ann", "Pippa")
        assert match.games[0].result is not None
    assert shared.get(f"/api/games/{seat.game}/record?format=papyrus").status_code == 400


def test_a_play_in_parts(shared: Any) -> None:
    seat, _ = create(shared, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", rules={"length": 3})
    seat.does("roll") if "roll" in seat.state["legal_actions"] else None
    state = seat.state
    tree = state["tree"]
    first = tree["steps"][0][0]
    move = f"{first[0]}/{first[1]}"
    answer = seat.does(move)
    assert [move.rstrip("*") for move in answer["moves"]] == [move] or answer["moves"] == []
    if answer["moves"]:
        assert seat.state["sequence"] == state["sequence"], "parts of a play are nobody else's business"
        node, moves = first[3], [move]
        while tree["steps"][node]:
            step = tree["steps"][node][0]
            moves.append(f"{step[0]}/{step[1]}".replace("/0", "/off"))
            node = step[3]
        seat.does("done", moves=moves)
    assert seat.state["sequence"] > state["sequence"]


def test_settings_are_refused_with_their_reason(shared: Any) -> None:
    for query, reason in (
        ({"rules": {"length": 7, "jacoby": True}}, "Jacoby rule is for money play"),
        ({"variant": "acey_deucey", "rules": {"cube": True}}, "doubling is not part of Acey Deucey"),
        ({"variant": "chess"}, "there is no variant 'chess'"),
        ({"bot": "deep blue"}, "there is no bot 'deep blue'"),
        ({"position": "nonsense"}, "nonsense"),
        ({"opponent": "screen", "other_name": "Guest"}, "both players would be called"),
    ):
        answer = shared.post("/api/games", json=query)
        assert answer.status_code == 400
        assert reason in answer.json()["error"]


def test_what_cannot_be_read(shared: Any) -> None:
    seat, _ = create(shared)
    for body in (b"", b"{", b"[]", b'{"line": 5}', b'{"line": ""}', b'{"line": "roll", "more": 1}', b"\xff\xfe"):
        answer = shared.post(f"/api/games/{seat.game}/act", content=body, headers=seat.headers)
        assert answer.status_code == 422, body
        assert answer.json()["error"]
    assert shared.post(f"/api/games/{seat.game}/act", content=b"x" * (LARGEST_BODY + 1)).status_code == 413
    assert shared.get("/api/games/nothing").status_code == 404
    assert seat.post("seed", {"seed": "no hexadecimal"}).status_code == 422


def test_other_sites_and_other_names_are_refused(shared: Any) -> None:
    seat, _ = create(shared)
    act = f"/api/games/{seat.game}/act"
    evil = shared.post(act, json={"line": "pip"}, headers={**seat.headers, "Origin": "http://evil.example"})
    assert evil.status_code == 403
    site = str(shared.base_url).rstrip("/")
    own = shared.post(act, json={"line": "pip"}, headers={**seat.headers, "Origin": site})
    assert own.status_code == 200
    assert shared.get("/", headers={"Host": "rebound.example"}).status_code == 421
    with pytest.raises(InvalidStatus):
        listen(seat, origin="http://evil.example")


def test_pages_forbid_foreign_scripts(shared: Any) -> None:
    for path, status in (("/", 200), ("/game/anything", 404), ("/static/game/game.js", 200), ("/api/options", 200)):
        answer = shared.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == status
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert shared.get("/static/../server.py").status_code == 404


def test_too_many_requests_wait() -> None:
    now = [0.0]
    buckets = TokenBuckets(RequestRate(3, 1), clock=lambda: now[0], most=2)
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]
    assert buckets.take("b")
    now[0] = 1.0
    assert [buckets.take("a"), buckets.take("a")] == [True, False]
    buckets.take("c"), buckets.take("d")
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False], "forgotten, so it begins anew"


def test_live_events_reach_both_and_nothing_is_heard_from_them(shared: Any) -> None:
    host, guest = friends(shared)
    mover, waiter = (host, guest) if host.state["turn"] == "X" else (guest, host)
    with listen(host) as watching, listen(host) as waiting:
        watching.send(json.dumps({"key": None}))
        waiting.send(json.dumps({"key": waiter.key}))
        first = json.loads(watching.recv())
        assert first["events"][-1]["kind"] == "opening"
        waiting.recv()
        for noise in ("", "{}", "[" * 2000, json.dumps({"line": "resign"}), b"\x00\xff"):
            watching.send(noise)
        mover.does(mover.state["plays"][0])
        frame, mine = json.loads(watching.recv()), json.loads(waiting.recv())
        assert frame["events"][0]["kind"] == mine["events"][0]["kind"] == "play"
        assert (frame["state"]["you"], mine["state"]["you"]) == (None, waiter.state["you"])
        assert "tree" not in frame["state"]


@pytest.mark.parametrize("hello", ["", "null", "[]", "{}", '{"key": 5}', "{" * 3000])
def test_a_watcher_who_does_not_say_who_it_is(shared: Any, hello: str) -> None:
    seat, _ = create(shared)
    with listen(seat) as socket:
        socket.send(hello)
        with pytest.raises(ConnectionClosed) as ended:
            socket.recv()
    assert ended.value.rcvd is not None
    assert ended.value.rcvd.code == 1008


def test_the_stream_of_lines(client: httpx.Client) -> None:
    host, guest = friends(client)
    mover = host if host.state["turn"] == "X" else guest
    with client.stream("GET", f"/api/games/{host.game}/stream", headers=guest.headers) as stream:
        lines = stream.iter_lines()
        first = json.loads(next(lines))
        assert first["state"]["you"] == "O"
        with httpx.Client(base_url=client.base_url, timeout=60) as second:
            Seat(second, host.game, mover.key).does(first_play(second, mover))
        assert json.loads(next(lines))["events"][0]["kind"] == "play"


def first_play(client: httpx.Client, seat: Seat) -> str:
    return str(Seat(client, seat.game, seat.key).state["plays"][0])


@pytest.mark.parametrize(
    "cuts",
    [pytest.param(2, marks=pytest.mark.broad), pytest.param(25, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])],
)
def test_what_was_confirmed_survives_a_power_cut(server: Server, cuts: int) -> None:
    chance = random.Random(3)
    with httpx.Client(base_url=server.url, timeout=60) as client:
        seat, _ = create(client, rules={"length": 0}, bot="random")
    confirmed = 0
    for _ in range(cuts):
        with httpx.Client(base_url=server.url, timeout=60) as client:
            seat.client = client
            for _ in range(5):
                state = seat.state
                assert state["sequence"] >= confirmed
                if state["game_over"]:
                    seat.does("next")
                elif [word for word in state["legal_actions"] if word != "resign"]:
                    seat.does(some_line(state, chance), sequence=state["sequence"])
                    confirmed = state["sequence"] + 1
        server.kill()
        server.start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        seat.client = client
        assert seat.state["sequence"] >= confirmed
    assert server.verify(seat.game).faults == ()
    assert server.stop() in (0, -signal.SIGTERM), "a server that is asked to stop ends well"


def test_keys_are_nowhere_in_the_database(client: httpx.Client, server: Server) -> None:
    seat, created = create(client, opponent="friend")
    stored = b"".join(path.read_bytes() for path in server.database.parent.glob(f"{server.database.name}*"))
    assert seat.key is not None
    assert seat.key.encode() not in stored
    assert created["invitation"].encode() not in stored
    assert created["id"].encode() in stored


def test_the_page_on_the_api_is_complete(make_app: Callable[..., Any]) -> None:
    page = (DOCS / "web-api.md").read_text(encoding="utf-8")
    document = make_app().openapi()
    for path, methods in document["paths"].items():
        for method in methods:
            assert f"`{method.upper()} {path}`" in page
    assert "`/api/games/{game}/live`" in page
    # Fields stand in the document itself, which /docs shows: each says what it means, or leads to what does.
    for name, model in document["components"]["schemas"].items():
        for field, field_schema in model.get("properties", {}).items():
            if name not in ("HTTPValidationError", "ValidationError"):
                assert field_schema.get("description") or "$ref" in field_schema, f"{name}.{field}"


def test_every_field_of_the_state_is_described(shared: Any) -> None:
    page = (DOCS / "web-api.md").read_text(encoding="utf-8")
    seat, _ = create(shared)
    assert [name for name in seat.state if f"`{name}`" not in page] == []
