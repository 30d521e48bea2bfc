"""Push messages over HTTP, at a push service of the tests' own: who is told what, once, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from tests.web.inside import TestClient
from tests.web.people import PASSWORD
from tests.web.pushing import PushedBrowser, PushServer, push_server

from fullprime.accounts import notifications
from fullprime.accounts.notifications import MOST_AT_SEAT, MOST_BROWSERS, Notifications, PushOptions
from fullprime.accounts.service import Accounts
from fullprime.accounts.store.pushes import PushOwner, PushStore
from fullprime.messages import catalogues
from fullprime.web.routes.callers import COOKIE
from fullprime.web.server import create_app


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PushServer]:
    with push_server(tmp_path_factory.mktemp("push")) as running:
        yield running


class Place:
    """A server that serves, and the people at it: they share the event loop of ``server``."""

    def __init__(self, server: TestClient, database: Path) -> None:
        app: Any = server.app
        self.app, self.database, self._server = app, database, server
        self.pushes: Notifications = app.state.notifications
        self.store = PushStore(app.state.accounts.engine)

    def person(self, name: str | None = None) -> TestClient:
        client = TestClient(self.app, base_url="http://localhost")
        client.portal = self._server.portal
        if name is not None:
            people = Accounts(str(self.database), PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
            client.cookies.set(COOKIE, people.open_session(people.sign_up(name, PASSWORD)))
            people.close()
        return client


@contextmanager
def serving(database: Path, push: PushOptions) -> Iterator[Place]:
    with TestClient(create_app(str(database), push=push), base_url="http://localhost") as server:
        yield Place(server, database)


@pytest.fixture
def place(tmp_path: Path, service: PushServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.setenv("SSL_CERT_FILE", str(service.file))
    service.key = None  # each server has a key of its own, which a test that failed may have left
    with serving(tmp_path / "games.db", PushOptions(allowed=(service.host,))) as place:
        yield place


def asks(client: Any, path: str, body: dict[str, Any], key: str | None = None, status: int | None = None) -> Any:
    answer = client.post(f"/api{path}", json=body, headers={"Authorization": f"Bearer {key}"} if key else {})
    assert answer.status_code == status if status else answer.is_success, answer.text
    return answer.json() if answer.content else None


def game_of(host: Any, guest: Any, browser: PushedBrowser | None = None) -> tuple[str, str, str]:
    """A game by correspondence whose dice are typed by nobody; gives its id and the keys of X and O.

    X's browser, if there is one, has been told of the guest when this returns: that message is sent after the answer
    to the guest, and would else come between later ones.
    """
    created = asks(host, "/games", {"opponent": "friend", "name": "Ann", "clock": "3d", "rules": {"length": 3}})
    asks(host, f"/games/{created['id']}/seed", {"seed": "0123abcd"}, created["key"])
    if browser is not None:
        wants(host, browser, created["id"], created["key"])
    joined = asks(guest, f"/games/{created['id']}/join", {"invitation": created["invitation"], "name": "Bob"})
    if browser is not None:
        assert browser.next()[1]["kind"] == "accepted"
    return created["id"], created["key"], joined["key"]


def wants(client: Any, browser: PushedBrowser, game: str | None = None, key: str | None = None) -> None:
    asks(client, "/push/subscribe", {"browser": browser.json, "game": game}, key)
    assert asks(client, "/push/state", {"browser": browser.json, "game": game}, key) == {"on": True}


def turn_over(client: Any, game: str, keys: dict[str, str]) -> str:
    """The player whose turn it is rolls if need be, and plays; gives the side that must act then."""
    for _ in range(10):
        state = client.get(f"/api/games/{game}", headers={"Authorization": f"Bearer {keys['X']}"}).json()["state"]
        side = state["turn"]
        mine = client.get(f"/api/games/{game}", headers={"Authorization": f"Bearer {keys[side]}"}).json()["state"]
        line = mine["plays"][0] if mine["phase"] == "play" else "roll"
        asks(client, f"/games/{game}/act", {"line": line}, keys[side])
        after = client.get(f"/api/games/{game}", headers={"Authorization": f"Bearer {keys['X']}"}).json()["state"]
        if after["turn"] != side:
            return str(after["turn"])
    raise AssertionError("the turn does not end")


def test_whoever_must_act_is_told_once_and_nobody_else(place: Place, service: PushServer) -> None:
    ann, bob = place.person(), place.person()
    phones = {"X": service.browser(), "O": service.browser()}
    game, x, o = game_of(ann, bob, phones["X"])
    keys = {"X": x, "O": o}
    wants(bob, phones["O"], game, o)
    service.key = ann.get("/api/push").json()["key"]
    asks(bob, f"/games/{game}/seed", {"seed": "beef"}, o)  # the game begins
    first = place.app.state.game_server.get_handle(game).session.turn.name
    headers, message = phones[first].next()
    sides = {"Ann": "O", "Bob": "X"}
    for _ in range(3):
        other = next(name for name, side in sides.items() if side == first)
        assert message == {
            "kind": "turn", "title": f"Your turn against {other}", "body": "Backgammon, a match to 3 points",
            "tag": f"game-{game}", "path": f"/game/{game}", "off": "No more messages",
        }  # fmt: skip
        assert (headers["TTL"], headers["Urgency"], len(headers["Topic"])) == (str(3 * 86400), "normal", 32)
        first = turn_over(ann, game, keys)
        headers, message = phones[first].next()
    place.pushes.close(wait=True)
    assert [phone.inbox.qsize() for phone in phones.values()] == [0, 0]


def test_an_account_is_told_of_challenges_games_and_acceptance_until_it_signs_out(
    place: Place, service: PushServer
) -> None:
    ann, bob = place.person("Ann"), place.person("Bob")
    phone, other = service.browser(), service.browser()
    wants(bob, phone)
    wants(ann, other)
    created = asks(ann, "/challenge/Bob", {"clock": "2d", "minutes": 60, "rules": {"length": 5}, "rated": True})
    headers, message = phone.next()
    assert (message["kind"], message["title"], message["path"]) == ("challenge", "Ann challenges you", "/lobby")
    assert message["body"] == "Backgammon, a match to 5 points, rated"
    assert 3500 < int(headers["TTL"]) <= 3600
    assert headers["Urgency"] == "high"
    game = asks(bob, f"/challenge/{created['challenge']['id']}/accept", {})["game"]
    assert other.next()[1]["title"] == "Bob plays with you"
    for client, seed in ((ann, "ab"), (bob, "cd")):
        asks(client, f"/games/{game}/seed", {"seed": seed})
    turn = place.app.state.game_server.get_handle(game).session.turn.name
    browser = {"X": other, "O": phone}[turn]
    assert browser.next()[1]["title"] == f"Your turn against {'Bob' if turn == 'X' else 'Ann'}"
    # An account that sits in the game is told as the account, whatever key the browser holds.
    asks(bob, "/push/subscribe", {"browser": phone.json, "game": game})
    assert len(place.store.list_for_owner(PushOwner(account=2))) == 1
    asks(bob, "/account/sign-out", {})
    assert place.store.list_for_owner(PushOwner(account=2)) == []
    asks(ann, "/challenge/Bob", {})
    place.pushes.close(wait=True)
    assert phone.inbox.empty()


GERMAN = r"""
msgid ""
msgstr ""
"Language: de\n"
"X-Language-Name: Deutsch\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

msgid "Your turn against {name}"
msgstr "Du bist gegen {name} am Zug"

msgid "{name} challenges you"
msgstr "{name} fordert dich heraus"

msgid "double"
msgstr "verdoppeln"

msgid "No more messages"
msgstr "Keine Nachrichten mehr"
"""


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/de.po").write_text(GERMAN, encoding="utf-8")
    monkeypatch.setenv("FULLPRIME_TEXTS", str(tmp_path / "texts"))
    catalogues.cache_clear()
    yield
    catalogues.cache_clear()


@pytest.mark.usefixtures("german")
def test_a_message_is_in_the_language_that_its_browser_was_last_seen_with(place: Place, service: PushServer) -> None:
    ann, bob = place.person(), place.person()
    phones = {"X": service.browser(), "O": service.browser()}
    game, x, o = game_of(ann, bob, phones["X"])
    keys = {"X": x, "O": o}
    bob.headers["Accept-Language"] = "de-AT, en;q=0.5"
    wants(bob, phones["O"], game, o)
    asks(bob, f"/games/{game}/seed", {"seed": "beef"}, o)
    first = place.app.state.game_server.get_handle(game).session.turn.name
    titles = {"X": "Your turn against Bob", "O": "Du bist gegen Ann am Zug"}
    offs = {"X": "No more messages", "O": "Keine Nachrichten mehr"}
    for _ in range(2):
        message = phones[first].next()[1]
        assert (message["title"], message["off"]) == (titles[first], offs[first])
        first = turn_over(ann, game, keys)
    phones[first].next()
    ann.headers["Accept-Language"] = "de"
    assert asks(ann, "/push/state", {"browser": phones["X"].json, "game": game}, x) == {"on": True}
    for _ in range(2):
        first = turn_over(ann, game, keys)
        title = phones[first].next()[1]["title"]
        assert title == {**titles, "X": "Du bist gegen Bob am Zug"}[first]
    place.pushes.close(wait=True)


@pytest.mark.usefixtures("german")
def test_whoever_is_called_like_a_word_of_the_game_keeps_the_name(place: Place, service: PushServer) -> None:
    double, bob = place.person("double"), place.person("Bob")
    phone = service.browser()
    bob.headers["Accept-Language"] = "de"
    wants(bob, phone)
    asks(double, "/challenge/Bob", {})
    assert phone.next()[1]["title"] == "double fordert dich heraus"
    place.pushes.close(wait=True)


def test_what_the_push_service_does_not_know_is_forgotten_and_a_failing_one_after_a_while(
    place: Place, service: PushServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "MOST_FAILURES", 3)
    ann, bob = place.person("Ann"), place.person("Bob")
    gone, failing = service.browser(), service.browser()
    gone.status, failing.status = 410, 403
    wants(bob, gone)
    wants(bob, failing)
    owner = PushOwner(account=2)
    for number in range(1, 4):
        assert place.store.list_for_owner(owner)[-1].address.endpoint == failing.json["endpoint"]
        challenge_id = asks(ann, "/challenge/Bob", {})["challenge"]["id"]
        asks(ann, f"/challenge/{challenge_id}/cancel", {})
        failing.wait(number)
    place.pushes.close(wait=True)
    assert place.store.list_for_owner(owner) == []
    assert gone.tries == 1


def test_strangers_change_nothing_and_nobody_fills_the_table(place: Place, service: PushServer) -> None:
    ann, bob, eve = place.person(), place.person(), place.person("Eve")
    game, x, o = game_of(ann, bob)
    phone = service.browser()
    wants(ann, phone, game, x)
    asks(bob, "/push/subscribe", {"browser": phone.json}, status=401)
    asks(bob, "/push/subscribe", {"browser": phone.json, "game": game}, status=401)
    asks(bob, "/push/subscribe", {"browser": phone.json, "game": game}, "no key", status=401)
    assert asks(bob, "/push/state", {"browser": phone.json, "game": game}, o) == {"on": False}
    for endpoint, why in (
        ("http://push.example.net/1", "https"),
        ("https://192.168.1.1/1", "private"),
        ("https://localhost:8000/1", "443"),
    ):
        answer = asks(eve, "/push/subscribe", {"browser": {**phone.json, "endpoint": endpoint}}, status=400)
        assert why in answer["error"]
    answer = asks(
        eve, "/push/subscribe", {"browser": {**phone.json, "keys": {"p256dh": "AA", "auth": "AA"}}}, status=400
    )
    assert "keys" in answer["error"]
    # With another secret nobody takes a browser's messages away.
    stranger = {**phone.json, "keys": {**phone.json["keys"], "auth": "AAAAAAAAAAAAAAAAAAAAAA"}}
    asks(eve, "/push/unsubscribe", {"browser": stranger})
    asks(eve, "/push/renew", {"before": stranger, "browser": service.browser().json})
    assert len(place.store.list_for_owner(PushOwner(session_id=game, side="X"))) == 1
    for _ in range(MOST_BROWSERS + 2):
        wants(eve, service.browser())
    for _ in range(MOST_AT_SEAT + 2):
        wants(bob, service.browser(), game, o)
    assert len(place.store.list_for_owner(PushOwner(account=1))) == MOST_BROWSERS
    assert len(place.store.list_for_owner(PushOwner(session_id=game, side="O"))) == MOST_AT_SEAT
    renewed = service.browser()
    asks(ann, "/push/renew", {"before": phone.json, "browser": renewed.json})
    assert asks(ann, "/push/state", {"browser": renewed.json, "game": game}, x) == {"on": True}
    asks(ann, "/push/unsubscribe", {"browser": renewed.json})
    assert place.store.list_for_owner(PushOwner(session_id=game, side="X")) == []


def test_an_operator_may_switch_it_off(tmp_path: Path, service: PushServer) -> None:
    with serving(tmp_path / "games.db", PushOptions(enabled=False)) as place:
        ann = place.person("Ann")
        assert ann.get("/api/push").json() == {"key": None}
        asks(ann, "/push/subscribe", {"browser": service.browser().json}, status=403)
    assert not (tmp_path / "games.push.pem").exists()
