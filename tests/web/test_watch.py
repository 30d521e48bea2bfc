"""From where accounts are used: nobody is locked out by strangers, and one person with two accounts is seen."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commandline import CommandLine
from tests.web.inside import TestClient

from fullprime.accounts.store.accounts import PeopleStore
from fullprime.accounts.store.traces import TraceStore
from fullprime.accounts.watch import Watch, flagged_pairs
from fullprime.common.refusals import Refusal
from fullprime.db.database import open_database
from fullprime.db.times import utc_now
from fullprime.rules.words import versus
from fullprime.web.guard import NO_LIMITS
from fullprime.web.routes.callers import BROWSER_COOKIE
from fullprime.web.routes.people import Doors
from fullprime.web.server import create_app

PASSWORD = "tiger lilies"
HOME, AWAY, STRANGE = "192.0.2.1", "192.0.2.2", "198.51.100.9"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Any]:
    made = create_app(str(tmp_path / "games.db"), limits=NO_LIMITS)
    made.state.doors = Doors(lambda: 0.0)
    with TestClient(made, base_url="http://localhost"):
        yield made


def at(app: Any, address: str) -> TestClient:
    """A new browser at an address."""
    return TestClient(app, base_url="http://localhost", client=(address, 50000))


def signs(browser: TestClient, how: str, name: str, password: str = PASSWORD) -> int:
    return browser.post(f"/api/account/sign-{how}", json={"name": name, "password": password}).status_code


def locked_out(browser: TestClient, name: str, tries: int = 12) -> bool:
    """Try wrong passwords; True if that is stopped."""
    return [signs(browser, "in", name, f"try {n} and on") for n in range(tries)][-1] == 429


# -- strangers -----------------------------------------------------------------------------------------------------
@pytest.mark.broad
def test_wrong_passwords_of_a_stranger_lock_no_owner_out(app: Any) -> None:
    assert signs(at(app, HOME), "up", "Ann") == 201
    assert locked_out(at(app, STRANGE), "Ann")
    assert signs(at(app, STRANGE), "in", "Ann") == 429, "not with the right one either, from there"
    assert signs(at(app, AWAY), "in", "Ann") == 200, "the owner, at an address where nobody has tried"


@pytest.mark.broad
def test_a_browser_that_is_known_is_spared_also_behind_the_strangers_address(app: Any) -> None:
    mine = at(app, HOME)
    assert signs(mine, "up", "Ann") == 201
    mine.post("/api/account/sign-out", json={})
    assert BROWSER_COOKIE in mine.cookies
    stranger = at(app, HOME)
    assert locked_out(stranger, "Ann")
    assert signs(stranger, "in", "Ann") == 429
    assert signs(mine, "in", "Ann") == 200
    assert locked_out(mine, "Ann"), "a known browser tries no more passwords than any other"
    invented = at(app, HOME)
    invented.cookies.set(BROWSER_COOKIE, "made-up", domain="localhost")
    assert signs(invented, "in", "Ann") == 429, "a cookie of one's own makes no browser known"


def test_many_addresses_together_have_an_end_and_spare_the_known_browser(app: Any) -> None:
    mine = at(app, HOME)
    assert signs(mine, "up", "Ann") == 201
    # The doors themselves, so that no password is hashed: that takes long.
    doors = app.state.doors
    refused = 0
    for n in range(400):
        try:
            doors.knock("Ann", f"203.0.113.{n}")
        except Refusal:
            refused += 1
    assert refused == 400 - 199, "one of the 200 was the sign-up"
    assert signs(at(app, AWAY), "in", "Ann") == 429
    assert signs(mine, "in", "Ann") == 200


@pytest.mark.broad
def test_a_browser_that_was_signed_in_before_is_known_from_now_on(app: Any) -> None:
    mine = at(app, HOME)
    assert signs(mine, "up", "Ann") == 201
    mine.cookies.delete(BROWSER_COOKIE)
    cookie = mine.get("/api/account").headers["set-cookie"]
    assert all(word in cookie for word in (BROWSER_COOKIE, "HttpOnly", "SameSite=strict"))
    assert locked_out(at(app, HOME), "Ann")
    assert signs(mine, "in", "Ann") == 200


# -- one person, two accounts --------------------------------------------------------------------------------------
def rated(one: TestClient, other: TestClient) -> str:
    """A rated match that the first one leaves."""
    made = one.post("/api/lobby", json={"rated": True, "clock": "usbgf", "rules": {"length": 1}}).json()
    game = str(other.post(f"/api/challenge/{made['challenge']['id']}/accept", json={}).json()["game"])
    for browser in (one, other):
        assert browser.post(f"/api/games/{game}/seed", json={"seed": "ab"}).status_code == 204
    assert one.post(f"/api/games/{game}/close", json={"how": "leave"}).status_code == 204
    assert other.get("/api/users/Ann").json()["endings"]["games"] >= 1
    return game


@pytest.mark.broad
def test_two_accounts_at_one_address_or_in_one_browser_are_flagged(
    app: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    url = str(tmp_path / "games.db")
    ann, bob, eve = at(app, HOME), at(app, f"::ffff:{HOME}"), at(app, AWAY)
    for browser, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve")):
        assert signs(browser, "up", name) == 201
    with caplog.at_level(logging.WARNING, logger="fullprime.accounts.watch"):
        rated(ann, eve)
        assert flagged_pairs(url, 10) == [], "strangers are not flagged"
        first, second = rated(ann, bob), rated(bob, ann)
    found = flagged_pairs(url, 10)
    assert {(each.room, each.shared, each.matches) for each in found} == {
        (first, ("address",), 2), (second, ("address",), 2),
    }  # fmt: skip
    assert f"rated match {first}: Ann and Bob share the address" in caplog.messages
    # The same person goes elsewhere, and signs in with a third account in the same browser.
    there = at(app, STRANGE)
    ann.post("/api/account/sign-out", json={})
    there.cookies.update(ann.cookies)
    assert signs(there, "up", "Ann2") == 201
    assert signs(ann, "in", "Ann") == 200
    third = rated(ann, there)
    assert {each.room: each.shared for each in flagged_pairs(url, 10)}[third] == ("browser",)
    done = CommandLine(monkeypatch, capsys).run("reports", "--pairs", "--db", url)
    assert done.code == 0
    said = done.out
    assert f"game {third}: {versus(('Ann', 'Ann2'))}, one browser\n" in said
    assert f"game {second}: {versus(('Bob', 'Ann'))}, one address (2 such matches between them)" in said


def test_traces_are_forgotten_and_go_with_their_account(tmp_path: Path) -> None:
    engine = open_database(str(tmp_path / "games.db"))
    people, store = PeopleStore(engine), TraceStore(engine)
    ann, bob = (people.create(name, "hash") for name in ("Ann", "Bob"))
    watch = Watch(engine)
    for account in (ann, bob):
        assert watch.is_new(account.id, HOME, "secret")
        watch.seen(account.id, HOME, "secret")
        assert not watch.is_new(account.id, HOME, "secret")
    assert store.shared(ann.id, bob.id) == ("address", "browser")
    assert watch.knows("ANN", "secret")
    assert not watch.knows("Ann", "another")
    store.forget(utc_now() - timedelta(days=1))
    assert store.shared(ann.id, bob.id) == ("address", "browser")
    people.remove(bob.id)
    assert store.shared(ann.id, bob.id) == ()
    store.forget(utc_now() + timedelta(days=1))
    assert not watch.knows("Ann", "secret")
    engine.dispose()
