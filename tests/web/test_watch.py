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

from fullprime.accounts.account_traces import AccountTraces, find_flagged_pairs
from fullprime.accounts.store.accounts import AccountStore
from fullprime.accounts.store.traces import ADDRESS, BROWSER, MOST, TraceStore
from fullprime.common.refusals import Refusal
from fullprime.db.database import open_database
from fullprime.db.times import utc_now
from fullprime.rules.words import format_players
from fullprime.web.rate_limits import NO_LIMITS
from fullprime.web.routes.accounts import LoginThrottle
from fullprime.web.routes.callers import BROWSER_COOKIE
from fullprime.web.server import create_app

PASSWORD = "tiger lilies"
HOME, AWAY, STRANGE = "192.0.2.1", "192.0.2.2", "198.51.100.9"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Any]:
    app = create_app(str(tmp_path / "games.db"), limits=NO_LIMITS)
    app.state.login_throttle = LoginThrottle(lambda: 0.0)
    with TestClient(app, base_url="http://localhost"):
        yield app


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


@pytest.mark.broad
def test_many_addresses_together_have_an_end_and_spare_the_known_browser(app: Any) -> None:
    mine = at(app, HOME)
    assert signs(mine, "up", "Ann") == 201
    # The throttle itself, so that no password is hashed: that takes long.
    throttle = app.state.login_throttle
    refused = 0
    for n in range(400):
        try:
            throttle.count_attempt("Ann", f"203.0.113.{n}")
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
    created = one.post("/api/lobby", json={"rated": True, "clock": "usbgf", "rules": {"length": 1}}).json()
    game = str(other.post(f"/api/challenge/{created['challenge']['id']}/accept", json={}).json()["game"])
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
    with caplog.at_level(logging.WARNING, logger="fullprime.accounts.account_traces"):
        rated(ann, eve)
        assert find_flagged_pairs(url, 10) == [], "strangers are not flagged"
        first, second = rated(ann, bob), rated(bob, ann)
    pairs = find_flagged_pairs(url, 10)
    assert {(pair.session_id, pair.shared, pair.matches) for pair in pairs} == {
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
    assert {pair.session_id: pair.shared for pair in find_flagged_pairs(url, 10)}[third] == ("browser",)
    done = CommandLine(monkeypatch, capsys).run("reports", "--pairs", "--db", url)
    assert done.code == 0
    output = done.out
    assert f"game {third}: {format_players(('Ann', 'Ann2'))}, one browser\n" in output
    assert f"game {second}: {format_players(('Bob', 'Ann'))}, one address (2 such matches between them)" in output


def test_traces_are_forgotten_and_go_with_their_account(tmp_path: Path) -> None:
    engine = open_database(str(tmp_path / "games.db"))
    people, store = AccountStore(engine), TraceStore(engine)
    ann, bob = (people.create(name, "hash") for name in ("Ann", "Bob"))
    watch = AccountTraces(engine)
    for account in (ann, bob):
        assert watch.is_new(account.id, HOME, "secret")
        watch.note(account.id, HOME, "secret")
        assert not watch.is_new(account.id, HOME, "secret")
    assert store.find_shared(ann.id, bob.id) == ("address", "browser")
    assert watch.has("ANN", "secret")
    assert not watch.has("Ann", "another")
    store.delete_before(utc_now() - timedelta(days=1))
    assert store.find_shared(ann.id, bob.id) == ("address", "browser")
    people.delete(bob.id)
    assert store.find_shared(ann.id, bob.id) == ()
    store.delete_before(utc_now() + timedelta(days=1))
    assert not watch.has("Ann", "secret")
    engine.dispose()


@pytest.mark.broad
def test_a_browser_that_changes_its_secret_with_each_request_fills_no_disk(app: Any) -> None:
    """The secret of a browser is what it sends; of those that an account has used the latest are kept."""
    browser = at(app, HOME)
    browser.post("/api/account/sign-up", json={"name": "Ann", "password": PASSWORD})
    for number in range(MOST + 20):
        browser.cookies.set(BROWSER_COOKIE, f"secret {number}", domain="localhost.local")
        browser.get("/api/account")
    store = app.state.account_traces
    assert [store.has("Ann", f"secret {number}") for number in (0, 19, 20, MOST + 19)] == [False, False, True, True]


@pytest.mark.broad
def test_the_browsers_of_one_account_do_not_displace_its_addresses_or_those_of_others(tmp_path: Path) -> None:
    engine = open_database(str(tmp_path / "games.db"))
    people, store = AccountStore(engine), TraceStore(engine)
    ann, bob = (people.create(name, "hash") for name in ("Ann", "Bob"))
    for account in (ann, bob):
        store.note(account.id, ADDRESS, HOME)
        store.note(account.id, BROWSER, "first")
    for number in range(MOST):
        store.note(ann.id, BROWSER, f"secret {number}")
    assert store.find_shared(ann.id, bob.id) == ("address",)
    assert (store.has("Ann", BROWSER, "first"), store.has("Bob", BROWSER, "first")) == (False, True)
    engine.dispose()


def test_the_number_of_a_removed_account_is_not_given_again(app: Any) -> None:
    """Else what is kept by number in memory would belong to another person, the traces of two accounts among it."""
    at(app, HOME).post("/api/account/sign-up", json={"name": "Ann", "password": PASSWORD})
    removed = at(app, HOME)
    removed.post("/api/account/sign-up", json={"name": "Bob", "password": PASSWORD})
    number = app.state.accounts.get_by_name("Bob").id
    assert removed.post("/api/account/remove", json={"password": PASSWORD}).status_code == 204
    at(app, HOME).post("/api/account/sign-up", json={"name": "Cyd", "password": PASSWORD})
    ann, cyd = (app.state.accounts.get_by_name(name).id for name in ("Ann", "Cyd"))
    assert cyd > number
    assert TraceStore(app.state.accounts.engine).find_shared(ann, cyd) == ("address",)
