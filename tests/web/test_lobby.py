"""The lobby over HTTP: challenges to all and to one, who may accept, decline and withdraw, and the live list."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.cli.commandline import CommandLine
from tests.web.conftest import Server
from tests.web.inside import TestClient
from tests.web.people import Browser, guest, one_accepts, person
from tests.web.seat import Seat

from fullprime.accounts.challenge_limits import MOST_OF_GUESTS_OF_ADDRESS, MOST_OWN
from fullprime.accounts.lobby import Lobby
from fullprime.accounts.ratings import Results
from fullprime.accounts.service import People
from fullprime.accounts.store import challenges as stored
from fullprime.common.refusals import Refusal
from fullprime.db.times import utc_now
from fullprime.play.server.news import Newsroom
from fullprime.play.server.news import of_account as of_one
from fullprime.play.server.rooms import Rooms
from fullprime.web.routes.lobby import stream_events
from fullprime.web.server import create_app


@contextmanager
def listening(browser: Browser, path: str) -> Iterator[Callable[[], dict[str, Any]]]:
    """A stream; what it gives reads the next line that is not blank."""
    with browser.stream("GET", path) as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"].startswith("application/x-ndjson")
        lines = stream.iter_lines()
        yield lambda: next(json.loads(line) for line in lines if line)


def test_a_challenge_is_listed_accepted_once_and_gone(shared_server: Server) -> None:
    with guest(shared_server) as ann, guest(shared_server) as bob, guest(shared_server) as eve:
        made = ann.asks("/api/lobby", {"name": "Ann Guest", "variant": "nackgammon", "rules": {"length": 3}})
        number = made["challenge"]["id"]
        (listed,) = [each for each in eve.read("/api/lobby")["challenges"] if each["id"] == number]
        assert (listed["name"], listed["title"], listed["length"]) == ("Ann Guest", "Nackgammon", 3)
        assert (listed["account"], listed["rated"], listed["rating"]) == (False, False, None)
        assert not {"game", "invitation", "key"} & listed.keys(), "what opens the seat is told to nobody"
        assert bob.refusal(f"/api/challenge/{number}/accept", {"name": "Ann Guest"})[0] == 400
        accepted = bob.asks(f"/api/challenge/{number}/accept", {"name": "Bob Guest"})
        assert accepted["game"] == made["challenge"]["game"]
        assert eve.refusal(f"/api/challenge/{number}/accept", {"name": "Eve"})[0] == 404
        assert [each for each in eve.read("/api/lobby")["challenges"] if each["id"] == number] == []
        assert Seat(bob, accepted["game"], accepted["key"]).state["names"] == ["Ann Guest", "Bob Guest"]


def test_only_the_creator_withdraws(shared_server: Server) -> None:
    with guest(shared_server) as ann, person(shared_server) as bob:
        made = ann.asks("/api/lobby", {"rules": {"length": 1}})
        cancel = f"/api/challenge/{made['challenge']['id']}/cancel"
        assert bob.refusal(cancel)[0] == 403
        assert ann.refusal(cancel)[0] == 403, "a guest proves it by the key"
        assert ann.post(cancel, headers={"Authorization": f"Bearer {made['key']}"}).status_code == 204
        assert ann.refusal(cancel)[0] == 404
        game = f"/api/games/{made['challenge']['game']}"
        assert ann.get(game).status_code == 404, "nothing is left of it"
        assert bob.refusal(f"{game}/join", {"invitation": made["invitation"], "name": "Late"})[0] == 404
        own = bob.asks("/api/lobby", {"rules": {"length": 1}})
        assert bob.refusal(f"/api/challenge/{own['challenge']['id']}/accept")[0] == 403
        bob.asks(f"/api/challenge/{own['challenge']['id']}/cancel")


def test_a_link_leads_past_the_list(shared_server: Server) -> None:
    with person(shared_server) as ann, guest(shared_server) as bob:
        made = ann.asks("/api/lobby", {"rules": {"length": 1}})
        join = {"invitation": made["invitation"], "name": "By link"}
        bob.asks(f"/api/games/{made['challenge']['game']}/join", join)
        assert ann.read("/api/challenge")["outgoing"] == []


def test_a_challenge_to_one_account(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, person(shared_server) as eve:
        assert ann.refusal("/api/challenge/Nobody-here")[0] == 404
        assert ann.refusal(f"/api/challenge/{ann.name}")[0] == 400
        with listening(bob, "/api/stream/event") as next_of_bob, listening(ann, "/api/stream/event") as next_of_ann:
            made = ann.asks(f"/api/challenge/{bob.name}", {"rules": {"length": 1}})
            told = next_of_bob()
            assert (told["type"], told["challenge"]["id"]) == ("challenge", made["challenge"]["id"])
            assert bob.read("/api/lobby")["challenges"] == eve.read("/api/lobby")["challenges"]
            assert made["challenge"]["id"] not in str(eve.read("/api/lobby"))
            accept, decline = (f"/api/challenge/{made['challenge']['id']}/{what}" for what in ("accept", "decline"))
            assert (eve.refusal(accept)[0], eve.refusal(decline)[0]) == (403, 403)
            assert [each["id"] for each in bob.read("/api/challenge")["incoming"]] == [made["challenge"]["id"]]
            bob.asks(decline)
            assert next_of_ann()["type"] == "challengeDeclined"
            again = ann.asks(f"/api/challenge/{bob.name}", {"rules": {"length": 1}})
            assert next_of_bob()["type"] == "challenge"
            ann.asks(f"/api/challenge/{again['challenge']['id']}/cancel")
            assert next_of_bob()["type"] == "challengeCanceled"
            last = ann.asks(f"/api/challenge/{bob.name}", {"rules": {"length": 1}})
            assert next_of_bob()["type"] == "challenge"
            one_accepts(bob, last)
            for following, other, side in ((next_of_ann, bob, "X"), (next_of_bob, ann, "O")):
                event = following()
                while event["type"] == "challengeCanceled":
                    event = following()
                assert event["type"] == "gameStart"
                assert (event["game"]["opponent"], event["game"]["side"]) == (other.name, side)
        with listening(bob, "/api/stream/event") as later:
            assert later()["game"]["id"] == last["challenge"]["game"], "what is under way comes first"


def test_a_challenge_that_comes_while_the_first_ones_are_read_is_told_once() -> None:
    newsroom = Newsroom()

    def challenge(number: str) -> dict[str, Any]:
        return {"type": "challenge", "challenge": {"id": number}}

    def of_account(_account: object) -> dict[str, Any]:
        newsroom.tell(of_one(7), challenge("one"))
        return {"incoming": [{"id": "one"}]}

    lobby = SimpleNamespace(news=newsroom, of_account=of_account)
    state = SimpleNamespace(lobby=lobby, profiles=SimpleNamespace(playing=lambda _account: []))
    caller = SimpleNamespace(needs=lambda _scope: SimpleNamespace(id=7))

    async def read() -> list[dict[str, Any]]:
        request = SimpleNamespace(app=SimpleNamespace(state=state), headers={})
        lines = aiter((await stream_events(cast(Any, request), cast(Any, caller))).body_iterator)
        first = await anext(lines)
        newsroom.tell(of_one(7), challenge("two"))
        return [json.loads(each) for each in (first, await anext(lines))]

    assert [each["challenge"]["id"] for each in asyncio.run(read())] == ["one", "two"]


def test_rated_challenges_are_between_accounts(shared_server: Server) -> None:
    with guest(shared_server) as stranger, person(shared_server) as ann, person(shared_server) as bob:
        assert stranger.refusal("/api/lobby", {"rated": True, "clock": "usbgf", "rules": {"length": 1}})[0] == 401
        made = ann.asks("/api/lobby", {"rated": True, "clock": "usbgf", "rules": {"length": 1}})
        assert stranger.refusal(f"/api/challenge/{made['challenge']['id']}/accept")[0] == 401
        one_accepts(bob, made)
        (game,) = bob.read(f"/api/users/{bob.name}/games")["games"]
        assert (game["rated"], game["names"]) == (True, [ann.name, bob.name])


def test_a_rated_match_needs_a_clock(shared_server: Server) -> None:
    """Without one it could be stalled for ever."""
    with person(shared_server) as ann, person(shared_server) as bob:
        asked = {"rated": True, "rules": {"length": 1}}
        before = ann.read("/api/lobby")["challenges"]
        for path in ("/api/lobby", f"/api/challenge/{bob.name}"):
            for clock in ({}, {"clock": None}):
                status, reason = ann.refusal(path, {**asked, **clock})
                assert (status, reason) == (
                    400, "a rated match has a clock: choose one, or days for each turn such as 3d",
                )  # fmt: skip
        assert ann.read("/api/lobby")["challenges"] == before
        assert bob.read("/api/challenge")["incoming"] == []
        for clock in ("medium", "2d"):
            made = ann.asks(f"/api/challenge/{bob.name}", {**asked, "clock": clock})["challenge"]
            assert (made["rated"], made["clock"]) == (True, clock)


def test_the_list_is_live(shared_server: Server) -> None:
    with (
        guest(shared_server) as ann,
        guest(shared_server) as bob,
        guest(shared_server) as watcher,
        listening(watcher, "/api/lobby/stream") as following,
    ):
        before = {each["id"] for each in following()["challenges"]}
        made = ann.asks("/api/lobby", {"name": "Ann Live", "rules": {"length": 1}})
        number = made["challenge"]["id"]
        assert {each["id"] for each in following()["challenges"]} - before == {number}
        one_accepts(bob, made)
        last = following()
        assert last["gone"] == number
        assert number not in {each["id"] for each in last["challenges"]}


def test_nobody_floods_the_list(shared_server: Server) -> None:
    with person(shared_server) as ann:
        made = [ann.asks("/api/lobby", {"rules": {"length": 1}}) for _ in range(MOST_OWN)]
        assert ann.refusal("/api/lobby", {"rules": {"length": 1}})[0] == 429
        for each in made:
            ann.asks(f"/api/challenge/{each['challenge']['id']}/cancel")
        assert ann.refusal("/api/lobby", {"minutes": 0})[0] == 422


def test_one_network_of_a_visitor_is_one_address(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Of IPv6 64 bits; and the operator ends what it has made, while the server runs. No log has the address."""
    url = str(tmp_path / "games.db")
    command = CommandLine(monkeypatch, capsys)
    with caplog.at_level(logging.DEBUG), TestClient(create_app(url), base_url="http://localhost") as server:

        def challenge(address: str) -> int:
            browser = TestClient(server.app, base_url="http://localhost", client=(address, 50000))
            return browser.post("/api/lobby", json={"name": "Visitor", "rules": {"length": 1}}).status_code

        codes = [challenge(f"2001:db8::{number:x}:1") for number in range(MOST_OF_GUESTS_OF_ADDRESS + 1)]
        assert codes == [201] * MOST_OF_GUESTS_OF_ADDRESS + [429]
        assert challenge("::ffff:192.0.2.7") == challenge("192.0.2.7") == 201
        listed = command.run("challenges", "--db", url).out
        assert listed.count("from 192.0.2.7\n") == 2
        assert "Visitor (guest) to everybody: Backgammon, a match to 1 point; until " in listed
        assert command.run("challenges", "--end-from", "2001:db8::/64", "--db", url).out == "10 challenges ended\n"
        assert len(server.get("/api/lobby").json()["challenges"]) == 2
        assert challenge("2001:db8::1") == 201
        (name, *_) = command.run("challenges", "--limit", "1", "--db", url).out.split()
        assert command.run("challenges", "--end", name, "--db", url).out == "1 challenge ended\n"
        assert command.run("challenges", "--end-guests", "--db", url).out == "2 challenges ended\n"
        assert command.run("challenges", "--db", url).out == "no challenge stands\n"
    assert "2001:db8" not in caplog.text
    assert "192.0.2.7" not in caplog.text


def test_a_challenge_expires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = str(tmp_path / "games.db")
    rooms, people = Rooms(url), People(url)
    lobby = Lobby(rooms, people, Results(people))
    made, _, _ = lobby.challenge(None, name="Ann", minutes=30, rules={"length": 1})
    assert [each["id"] for each in lobby.open_ones()] == [made["id"]]
    late = utc_now() + timedelta(minutes=31)
    monkeypatch.setattr(stored, "utc_now", lambda: late)
    assert lobby.open_ones() == []
    with pytest.raises(Refusal, match="accepted, withdrawn or forgotten"):
        lobby.accept(made["id"], None, "Bob")
    lobby.close(), people.close(), rooms.close()


def test_a_challenge_that_has_expired_leaves_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = str(tmp_path / "games.db")
    rooms, people = Rooms(url), People(url)
    lobby = Lobby(rooms, people, Results(people))
    alone, _, _ = lobby.challenge(None, name="Ann", minutes=30)
    by_link, _, invitation = lobby.challenge(None, name="Eve", minutes=30)
    lobby.join(rooms.room(by_link["game"]), None, invitation, "Bob")
    monkeypatch.setattr(stored, "utc_now", lambda: utc_now() + timedelta(minutes=31))
    lobby.challenge(None, name="Next", minutes=60)
    with pytest.raises(Refusal, match="no game"):
        rooms.room(alone["game"])
    assert rooms.room(by_link["game"]).session.names == ("Eve", "Bob")
    lobby.close(), people.close(), rooms.close()
