"""The lobby over HTTP: challenges to all and to one, who may accept, decline and withdraw, and the live list."""

from __future__ import annotations

import asyncio
import json
import logging
import re
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
from fullprime.accounts.pairing import CLOCKS, LENGTHS
from fullprime.accounts.ratings import RatingService
from fullprime.accounts.service import Accounts
from fullprime.accounts.store import challenges as stored
from fullprime.common.refusals import Refusal
from fullprime.db.times import utc_now
from fullprime.play.clocks import PRESETS
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.pubsub import PubSub, account_topic
from fullprime.web.pages import STATIC
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
        created = ann.asks("/api/lobby", {"name": "Ann Guest", "variant": "nackgammon", "rules": {"length": 3}})
        number = created["challenge"]["id"]
        (listed,) = [challenge for challenge in eve.read("/api/lobby")["challenges"] if challenge["id"] == number]
        assert (listed["name"], listed["title"], listed["length"]) == ("Ann Guest", "Nackgammon", 3)
        assert (listed["account"], listed["rated"], listed["rating"]) == (False, False, None)
        assert not {"game", "invitation", "key"} & listed.keys(), "what opens the seat is told to nobody"
        assert bob.refusal(f"/api/challenge/{number}/accept", {"name": "Ann Guest"})[0] == 400
        accepted = bob.asks(f"/api/challenge/{number}/accept", {"name": "Bob Guest"})
        assert accepted["game"] == created["challenge"]["game"]
        assert eve.refusal(f"/api/challenge/{number}/accept", {"name": "Eve"})[0] == 404
        assert [challenge for challenge in eve.read("/api/lobby")["challenges"] if challenge["id"] == number] == []
        assert Seat(bob, accepted["game"], accepted["key"]).state["names"] == ["Ann Guest", "Bob Guest"]


def test_two_who_look_for_the_same_match_are_paired(shared_server: Server) -> None:
    options = {"length": 7, "clock": "medium"}
    with guest(shared_server) as ann, guest(shared_server) as bob:
        created = ann.asks("/api/lobby/seek", {**options, "name": "Ann Guest"})
        assert created["waiting"]["game"] == created["game"]
        assert not {"invitation", "address", "pool"} & created["waiting"].keys()
        renew = f"/api/lobby/seek/{created['game']}/renew"
        assert bob.refusal(renew)[0] == 403, "only the one who waits keeps it up"
        pools = bob.read("/api/lobby/pools")["pools"]
        (pool,) = [pool for pool in pools if {**options, "rated": False}.items() <= pool.items()]
        assert (pool["waiting"], pool["playing"]) == (1, 0)
        paired = bob.asks("/api/lobby/seek", {**options, "name": "Bob Guest"})
        assert (paired["game"], paired["waiting"]) == (created["game"], None)
        own = {"Authorization": f"Bearer {created['key']}"}
        assert ann.ok("POST", renew, headers=own) == {**created, "key": None, "waiting": None}
        assert Seat(bob, paired["game"], paired["key"]).state["names"] == ["Ann Guest", "Bob Guest"]
        assert bob.refusal("/api/lobby/seek", {**options, "length": 2})[0] in (400, 422)
        assert bob.refusal("/api/lobby/seek", {**options, "rated": True})[0] == 401


def test_only_the_creator_withdraws(shared_server: Server) -> None:
    with guest(shared_server) as ann, person(shared_server) as bob:
        created = ann.asks("/api/lobby", {"rules": {"length": 1}})
        cancel = f"/api/challenge/{created['challenge']['id']}/cancel"
        assert bob.refusal(cancel)[0] == 403
        assert ann.refusal(cancel)[0] == 403, "a guest proves it by the key"
        assert ann.post(cancel, headers={"Authorization": f"Bearer {created['key']}"}).status_code == 204
        assert ann.refusal(cancel)[0] == 404
        game = f"/api/games/{created['challenge']['game']}"
        assert ann.get(game).status_code == 404, "nothing is left of it"
        assert bob.refusal(f"{game}/join", {"invitation": created["invitation"], "name": "Late"})[0] == 404
        own = bob.asks("/api/lobby", {"rules": {"length": 1}})
        assert bob.refusal(f"/api/challenge/{own['challenge']['id']}/accept")[0] == 403
        bob.asks(f"/api/challenge/{own['challenge']['id']}/cancel")


def test_a_link_leads_past_the_list(shared_server: Server) -> None:
    with person(shared_server) as ann, guest(shared_server) as bob:
        created = ann.asks("/api/lobby", {"rules": {"length": 1}})
        join = {"invitation": created["invitation"], "name": "By link"}
        bob.asks(f"/api/games/{created['challenge']['game']}/join", join)
        assert ann.read("/api/challenge")["outgoing"] == []


def test_a_challenge_to_one_account(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, person(shared_server) as eve:
        assert ann.refusal("/api/challenge/Nobody-here")[0] == 404
        assert ann.refusal(f"/api/challenge/{ann.name}")[0] == 400
        with listening(bob, "/api/stream/event") as next_of_bob, listening(ann, "/api/stream/event") as next_of_ann:
            created = ann.asks(f"/api/challenge/{bob.name}", {"rules": {"length": 1}})
            message = next_of_bob()
            assert (message["type"], message["challenge"]["id"]) == ("challenge", created["challenge"]["id"])
            assert bob.read("/api/lobby")["challenges"] == eve.read("/api/lobby")["challenges"]
            assert created["challenge"]["id"] not in str(eve.read("/api/lobby"))
            accept, decline = (
                f"/api/challenge/{created['challenge']['id']}/{answer_word}" for answer_word in ("accept", "decline")
            )
            assert (eve.refusal(accept)[0], eve.refusal(decline)[0]) == (403, 403)
            assert [challenge["id"] for challenge in bob.read("/api/challenge")["incoming"]] == [
                created["challenge"]["id"]
            ]
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
    topics = PubSub()

    def challenge(number: str) -> dict[str, Any]:
        return {"type": "challenge", "challenge": {"id": number}}

    def list_for_account(_account: object) -> Any:
        topics.publish(account_topic(7), challenge("one"))
        return SimpleNamespace(incoming=[{"id": "one"}])

    lobby = SimpleNamespace(topics=topics, list_for_account=list_for_account)
    state = SimpleNamespace(lobby=lobby, profiles=SimpleNamespace(list_unfinished=lambda _account: []))
    caller = SimpleNamespace(require_scope=lambda _scope: SimpleNamespace(id=7))

    async def read() -> list[dict[str, Any]]:
        request = SimpleNamespace(app=SimpleNamespace(state=state), headers={})
        lines = aiter((await stream_events(cast(Any, request), cast(Any, caller), cast(Any, None))).body_iterator)
        first = await anext(lines)
        topics.publish(account_topic(7), challenge("two"))
        return [json.loads(line) for line in (first, await anext(lines))]

    assert [message["challenge"]["id"] for message in asyncio.run(read())] == ["one", "two"]


def test_rated_challenges_are_between_accounts(shared_server: Server) -> None:
    with guest(shared_server) as stranger, person(shared_server) as ann, person(shared_server) as bob:
        assert stranger.refusal("/api/lobby", {"rated": True, "clock": "usbgf", "rules": {"length": 1}})[0] == 401
        created = ann.asks("/api/lobby", {"rated": True, "clock": "usbgf", "rules": {"length": 1}})
        assert stranger.refusal(f"/api/challenge/{created['challenge']['id']}/accept")[0] == 401
        one_accepts(bob, created)
        (game,) = bob.read(f"/api/users/{bob.name}/games")["games"]
        assert (game["rated"], game["names"]) == (True, [ann.name, bob.name])


def test_a_rated_match_needs_a_clock(shared_server: Server) -> None:
    """Without one it could be stalled for ever."""
    with person(shared_server) as ann, person(shared_server) as bob:
        options = {"rated": True, "rules": {"length": 1}}
        before = ann.read("/api/lobby")["challenges"]
        for path in ("/api/lobby", f"/api/challenge/{bob.name}"):
            for clock in ({}, {"clock": None}):
                status, reason = ann.refusal(path, {**options, **clock})
                assert (status, reason) == (
                    400, "a rated match has a clock: choose one, or days for each turn such as 3d",
                )  # fmt: skip
        assert ann.read("/api/lobby")["challenges"] == before
        assert bob.read("/api/challenge")["incoming"] == []
        for clock in ("medium", "2d"):
            challenge = ann.asks(f"/api/challenge/{bob.name}", {**options, "clock": clock})["challenge"]
            assert (challenge["rated"], challenge["clock"]) == (True, clock)


def test_the_list_is_live(shared_server: Server) -> None:
    with (
        guest(shared_server) as ann,
        guest(shared_server) as bob,
        guest(shared_server) as watcher,
        listening(watcher, "/api/lobby/stream") as following,
    ):
        before = {challenge["id"] for challenge in following()["challenges"]}
        created = ann.asks("/api/lobby", {"name": "Ann Live", "rules": {"length": 1}})
        number = created["challenge"]["id"]
        assert {challenge["id"] for challenge in following()["challenges"]} - before == {number}
        one_accepts(bob, created)
        last = following()
        assert last["gone"] == number
        assert number not in {challenge["id"] for challenge in last["challenges"]}


def test_nobody_floods_the_list(shared_server: Server) -> None:
    with person(shared_server) as ann:
        created = [ann.asks("/api/lobby", {"rules": {"length": 1}}) for _ in range(MOST_OWN)]
        assert ann.refusal("/api/lobby", {"rules": {"length": 1}})[0] == 429
        for challenge in created:
            ann.asks(f"/api/challenge/{challenge['challenge']['id']}/cancel")
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
    game_server, people = GameServer(url), Accounts(url)
    lobby = Lobby(game_server, people, RatingService(people))
    own, _, _ = lobby.challenge(None, name="Ann", minutes=30, rules={"length": 1})
    assert [challenge.id for challenge in lobby.list_open()] == [own.challenge.id]
    late = utc_now() + timedelta(minutes=31)
    monkeypatch.setattr(stored, "utc_now", lambda: late)
    assert lobby.list_open() == ()
    with pytest.raises(Refusal, match="accepted, withdrawn or forgotten"):
        lobby.accept(own.challenge.id, None, "Bob")
    lobby.close(), people.close(), game_server.close()


def test_a_challenge_that_has_expired_leaves_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = str(tmp_path / "games.db")
    game_server, people = GameServer(url), Accounts(url)
    lobby = Lobby(game_server, people, RatingService(people))
    alone, _, _ = lobby.challenge(None, name="Ann", minutes=30)
    by_link, _, invitation = lobby.challenge(None, name="Eve", minutes=30)
    lobby.join(game_server.get_handle(by_link.game), None, invitation, "Bob")
    monkeypatch.setattr(stored, "utc_now", lambda: utc_now() + timedelta(minutes=31))
    lobby.challenge(None, name="Next", minutes=60)
    with pytest.raises(Refusal, match="no game"):
        game_server.get_handle(alone.game)
    assert game_server.get_handle(by_link.game).session.names == ("Eve", "Bob")
    lobby.close(), people.close(), game_server.close()


def test_the_grid_of_the_pages_has_the_pools_and_the_clocks_of_the_server() -> None:
    script = (STATIC / "home" / "pairing.js").read_text(encoding="utf-8")
    lengths = re.search(r"^const LENGTHS = (\[.*\]);$", script, re.MULTILINE)
    clocks = re.findall(r'^  \["(\w+)", \(\) => t\("[^"]+"\), \(\) => t\("([^"]+)"\)\],$', script, re.MULTILINE)
    assert lengths is not None
    assert tuple(json.loads(lengths[1])) == LENGTHS
    assert tuple(name for name, _ in clocks) == CLOCKS
    presets = {name: about for name, about in clocks if name in PRESETS}
    assert presets == {name: PRESETS[name].about for name in presets} != {}
