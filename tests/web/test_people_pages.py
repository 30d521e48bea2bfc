"""The pages of people in a real browser: account, lobby, profile."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from tests.web.browsing import at_table, open_form, until, window
from tests.web.conftest import Server, chromium
from tests.web.people import PASSWORD, guest, person, rated_match, resign

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")


def sign_up(page: Any, server: Server, name: str) -> None:
    page.goto(f"{server.url}/account")
    page.locator("#name").fill(name)
    page.locator("#password").fill(PASSWORD)
    page.get_by_role("button", name="Make an account").click()
    page.get_by_role("heading", name=name).wait_for()


@pytest.mark.broad
def test_an_account_takes_over_the_games_of_the_browser_and_makes_tokens(browser: Any, shared_server: Server) -> None:
    with window(browser) as page:
        open_form(page, shared_server.url)
        page.select_option("#length", "1")
        page.get_by_role("button", name="Start").click()
        at_table(page)
        sign_up(page, shared_server, "Pagina")
        page.get_by_role("button", name="Keep the games of this browser").click()
        page.get_by_text("1 game is now in your account").wait_for()
        page.get_by_label("What it is for").fill("my program")
        page.get_by_label("board:play").check()
        page.get_by_role("button", name="Make a token").click()
        token = page.locator("code.token").inner_text()
        assert token.startswith("fpt_")
        with guest(shared_server) as program:
            program.headers["Authorization"] = f"Bearer {token}"
            assert program.read("/api/account")["name"] == "Pagina"
        page.reload()
        page.get_by_role("button", name="Revoke the token my program").click()
        until(page, "!document.querySelector('#tokens li')")
        assert token not in page.content()
        page.goto(f"{shared_server.url}/profile?name=pagina")
        page.get_by_text("under way").wait_for()
        page.goto(f"{shared_server.url}/account")
        page.get_by_role("button", name="Sign out", exact=True).click()
        page.locator("#password").fill("wrong password")
        page.locator("#name").fill("Pagina")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_text("the name or the password is wrong").wait_for()
    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/account")
        page.locator("#name").fill("Pagina")
        page.locator("#password").fill(PASSWORD)
        page.locator("#password").press("Enter")
        page.get_by_role("heading", name="Pagina").wait_for()
        page.goto(shared_server.url)
        page.locator("#mine a").first.click()
        at_table(page)
        assert page.locator("#command").is_visible(), "the account has its seat on another device"


@pytest.mark.broad
def test_signing_out_everywhere_revokes_the_tokens_unless_the_tick_is_taken_away(
    browser: Any, shared_server: Server
) -> None:
    with window(browser) as page, guest(shared_server) as program:
        sign_up(page, shared_server, "Everywhere")
        page.get_by_label("What it is for").fill("my program")
        page.get_by_label("board:play").check()
        page.get_by_role("button", name="Make a token").click()
        program.headers["Authorization"] = f"Bearer {page.locator('code.token').inner_text()}"
        for revoked in (False, True):
            page.get_by_role("button", name="Sign out everywhere").click()
            tick = page.locator("#dialog").get_by_label("Revoke all tokens for programs")
            assert tick.is_checked()
            tick.set_checked(revoked)
            page.locator("#dialog").get_by_role("button", name="Sign out everywhere").click()
            page.locator("#name").fill("Everywhere")
            assert program.get("/api/account").status_code == (401 if revoked else 200)
            page.locator("#password").fill(PASSWORD)
            page.locator("#password").press("Enter")
            page.get_by_role("heading", name="Everywhere").wait_for()
        until(page, "!document.querySelector('#tokens li')")


@pytest.mark.broad
def test_a_new_password_leaves_the_tokens_unless_the_tick_is_set(browser: Any, shared_server: Server) -> None:
    with window(browser) as page:
        sign_up(page, shared_server, "Newpassword")
        page.get_by_label("What it is for").fill("my program")
        page.get_by_label("board:play").check()
        page.get_by_role("button", name="Make a token").click()
        page.get_by_role("button", name="Revoke the token my program").wait_for()
        for old, new, revoked in ((PASSWORD, "another one", False), ("another one", "yet another", True)):
            page.locator("#old").fill(old)
            page.locator("#new").fill(new)
            page.locator("#change").get_by_label("Revoke all tokens for programs").set_checked(revoked)
            page.get_by_role("button", name="Change the password").click()
            end = ", and all tokens are revoked." if revoked else "."
            page.locator("#dialog").get_by_text(f"All other browsers are signed out{end}").wait_for()
            page.get_by_role("button", name="Good").click()
            assert page.locator("#tokens li").count() == (0 if revoked else 1)


@pytest.mark.broad
def test_a_scope_ticked_while_the_tokens_are_on_their_way_stays_ticked(browser: Any, shared_server: Server) -> None:
    """A slow line: whoever keeps the games of the browser goes on while the list of tokens is asked for again."""
    with window(browser) as page:
        open_form(page, shared_server.url)
        page.select_option("#length", "1")
        page.get_by_role("button", name="Start").click()
        at_table(page)
        sign_up(page, shared_server, "Slowline")
        page.get_by_label("board:play").wait_for()
        held: list[Any] = []
        page.route("**/api/account/tokens", lambda route: route.continue_() if held else held.append(route))
        page.get_by_role("button", name="Keep the games of this browser").click()
        for _ in range(500):
            if held:
                break
            page.wait_for_timeout(20)
        page.get_by_label("What it is for").fill("slow")
        page.get_by_label("board:play").check()
        held[0].continue_()
        page.get_by_text("1 game is now in your account").wait_for()
        assert page.get_by_label("board:play").is_checked()
        page.get_by_role("button", name="Make a token").click()
        assert page.locator("code.token").inner_text().startswith("fpt_")


@pytest.mark.broad
def test_two_people_meet_in_the_lobby(browser: Any, shared_server: Server) -> None:
    """One with an account, one without: the challenge appears, is accepted, and both sit at the table."""
    with window(browser) as ann, window(browser, "phone") as bob:
        sign_up(ann, shared_server, "Lobbyist")
        bob.goto(f"{shared_server.url}/lobby")
        bob.get_by_role("heading", name="Lobby").wait_for()
        ann.locator("#places").get_by_role("link", name="People", exact=True).click()
        ann.locator("#variant").select_option("hypergammon")
        ann.locator("#length").select_option("3")
        ann.locator("#clock").select_option("fast")
        ann.get_by_role("button", name="Challenge").click()
        ann.get_by_role("link", name="Wait at the table").wait_for()
        bob.get_by_text("Hypergammon, a match to 3 points · clock fast").wait_for()
        bob.locator("#name").fill("Passer-by")
        bob.get_by_role("button", name="Accept Lobbyist").click()
        for page in (ann, bob):
            page.locator(".checker").first.wait_for()
            until(page, "document.querySelector('#player-top strong')")
            names = page.inner_text("#player-top") + page.inner_text("#player-bottom")
            assert "Lobbyist" in names
            assert "Passer-by" in names
        assert ann.locator("#player-top .sign").all_inner_texts() == ["guest"], "the one without an account is marked"
        assert bob.locator("#player-top .sign").count() == 0
        bob.goto(f"{shared_server.url}/lobby")
        bob.locator("#variant option").first.wait_for(state="attached")
        assert bob.get_by_text("Hypergammon, a match to 3 points").count() == 0


@pytest.mark.broad
def test_the_lobby_offers_a_rated_match_with_a_clock_alone(browser: Any, shared_server: Server) -> None:
    with window(browser) as page:
        sign_up(page, shared_server, "Timekeeper")
        page.goto(f"{shared_server.url}/lobby")
        until(page, "document.querySelector('#clock').value === 'medium'")
        page.locator("#clock").select_option("")
        page.get_by_label("Rated").check()
        assert page.locator("#clock").input_value() == "medium"
        assert page.locator("#clock option").first.is_disabled()
        page.locator("#clock").select_option("3d")
        page.get_by_role("button", name="Challenge").click()
        page.get_by_text("clock 3d · rated").wait_for()
        page.get_by_label("Rated").uncheck()
        page.locator("#clock").select_option("")


@pytest.mark.broad
def test_a_profile_shows_results_and_gives_records(browser: Any, shared_server: Server) -> None:
    with person(shared_server, "Profiled") as ann, person(shared_server, "Profilee") as bob:
        resign(rated_match(ann, bob), bob, ann)
        with window(browser, "phone") as page:
            page.goto(f"{shared_server.url}/profile?name=profiled")
            page.get_by_role("row", name="Backgammon, 1 point 1516? 344 1").wait_for()
            page.get_by_text("no game has been reviewed").wait_for()
            page.get_by_text("rated: 1500 → 1516").wait_for()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"
            page.locator("#opponent").fill("nobody")
            page.get_by_role("button", name="Search").click()
            page.get_by_text("0 games", exact=True).wait_for()
            page.locator("#opponent").fill("profilee")
            page.get_by_role("button", name="Search").click()
            page.get_by_text("1 game", exact=True).wait_for()
            page.get_by_label("Records as").select_option("sgf")
            with page.expect_download() as saved:
                page.get_by_role("button", name="The record of").click()
            assert saved.value.suggested_filename.endswith(".sgf")
            assert page.get_by_role("link", name="Review").get_attribute("href").startswith("/review?game=")
            page.goto(f"{shared_server.url}/profile?name=%3Cimg%20src=x%3E")
            page.get_by_text(re.compile("^There is no account '<img src=x>'")).wait_for()


@pytest.mark.broad
def test_pages_of_people_have_no_faults_that_axe_finds(browser: Any, shared_server: Server) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()

    def clean(page: Any) -> None:
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()

    with person(shared_server) as ann, person(shared_server) as bob, window(browser, color_scheme="dark") as page:
        resign(rated_match(ann, bob), bob, ann)
        ann.asks("/api/lobby", {"rules": {"length": 1}})
        page.goto(f"{shared_server.url}/account")
        page.get_by_role("button", name="Make an account").wait_for()
        clean(page)
        page.goto(f"{shared_server.url}/lobby")
        page.get_by_role("button", name=f"Accept {ann.name}").wait_for()
        clean(page)
        page.goto(f"{shared_server.url}/profile?name={ann.name}")
        page.get_by_text("1 game", exact=True).wait_for()
        clean(page)
        sign_up(page, shared_server, f"Axe-{os.getpid()}")
        clean(page)
