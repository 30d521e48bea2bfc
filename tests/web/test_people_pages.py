"""The pages of people in a real browser: account, lobby, profile."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from tests.web.browsing import AXE, at_table, open_form, until, wait_until, window
from tests.web.conftest import Server, chromium
from tests.web.people import PASSWORD, Browser, guest, person, rated_match, resign

from fullprime.web.routes.callers import COOKIE

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

FINISHES = """() => {
    const done = document.createElement("button");
    let pressed = false;
    done.dataset.act = "done";
    done.onclick = () => (pressed = true);
    document.querySelector("#main-action").append(done);
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
    done.remove();
    return pressed;
}"""
"""True if Space would finish a play where the focus is."""


IN_SIGHT = """one => { const { top, bottom } = one.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight; }"""


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
        until(page, "document.activeElement.id === 'own-title'")
        page.get_by_role("button", name="Keep the games of this browser").click()
        page.get_by_text("1 game is now in your account").wait_for()
        page.get_by_label("What it is for").fill("my program")
        page.get_by_label("board:play").check()
        page.get_by_role("button", name="Make a token").click()
        token = page.locator("code.token").inner_text()
        assert token.startswith("fpt_")
        until(page, "document.activeElement.textContent === 'Copy'")
        with guest(shared_server) as program:
            program.headers["Authorization"] = f"Bearer {token}"
            assert program.read("/api/account")["name"] == "Pagina"
        page.reload()
        page.get_by_role("button", name="Revoke the token my program").click()
        until(page, "!document.querySelector('#tokens li') && document.activeElement.id === 'tokens-title'")
        assert token not in page.content()
        page.get_by_role("button", name="Remove the account").click()
        page.get_by_label("Your password").fill("wrong password")
        page.get_by_role("button", name="Remove it").click()
        problem = page.locator("#end-problem", has_text="the name or the password is wrong")
        problem.wait_for()
        assert problem.evaluate(IN_SIGHT), "the answer stands where the button is"
        page.goto(f"{shared_server.url}/profile?name=pagina")
        page.get_by_text("under way").wait_for()
        page.goto(f"{shared_server.url}/account")
        page.get_by_role("button", name="Sign out", exact=True).click()
        page.locator("#password").fill("wrong password")
        page.locator("#name").fill("Pagina")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_text("the name or the password is wrong").wait_for()
    with window(browser, "phone", locale="de-DE") as page:
        page.goto(f"{shared_server.url}/account")
        page.locator("#name").fill("Pagina")
        page.locator("#password").fill(PASSWORD)
        page.locator("#password").press("Enter")
        page.get_by_role("heading", name="Pagina").wait_for()
        page.get_by_label("challenge:write: Herausforderungen stellen, annehmen").wait_for()
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
        wait_until(page, lambda: held)
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
        ann.get_by_role("button", name="Challenge", exact=True).click()
        ann.get_by_role("link", name="Wait at the table").wait_for()
        until(ann, "document.activeElement.id === 'yours-title'")
        bob.get_by_text("Hypergammon, a match to 3 points · 8 s delay, 20 s a point").wait_for()
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
def test_two_who_press_the_same_square_sit_at_one_board(browser: Any, shared_server: Server) -> None:
    """One on the first page, one in the lobby; a square that was pressed twice is taken back, and so is one left.

    That a seek is missing which was taken back meanwhile says nothing of the one in its place.
    """
    held: list[Any] = []
    square = '[data-pool="3:medium"]'
    with window(browser) as ann, window(browser, "phone") as bob, guest(shared_server) as eve:

        def waiting() -> int:
            return sum(pool["waiting"] for pool in eve.read("/api/lobby/pools")["pools"] if pool["clock"] == "medium")

        ann.clock.install()
        ann.route("**/renew", lambda route: held.append(route))
        ann.goto(shared_server.url)
        with ann.expect_response("**/lobby/seek"):
            ann.locator(square).click()
        ann.locator(f"{square}[aria-pressed=true]").wait_for()
        assert waiting() == 1
        with ann.expect_request("**/renew"):
            ann.clock.fast_forward(8000)
        with ann.expect_response("**/cancel"):
            ann.locator(square).click()
        ann.locator(f"{square}[aria-pressed=false]").wait_for()
        assert waiting() == 0
        with ann.expect_response("**/lobby/seek"):
            ann.locator(square).click()
        ann.locator(f"{square}[aria-pressed=true]").wait_for()
        with ann.expect_response("**/renew"):
            held.pop().fulfill(status=404, json={"error": "missing"})
        ann.unroute("**/renew")
        bob.goto(f"{shared_server.url}/lobby")
        bob.locator(f"{square}.busy").get_by_text("1 waits").wait_for()
        assert bob.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"
        bob.locator("#name").fill("Square")
        bob.locator(square).click()
        for page in (ann, bob):
            page.wait_for_url("**/game/*")
            page.locator(".checker").first.wait_for()
        assert ann.url == bob.url
        ann.goto(f"{shared_server.url}/lobby")
        with ann.expect_response("**/lobby/seek"):
            ann.locator(square).click()
        ann.locator(f"{square}[aria-pressed=true]").wait_for()
        ann.goto(f"{shared_server.url}/offline")
        wait_until(ann, lambda: waiting() == 0, lambda: "a square is left with its page")


@pytest.mark.broad
def test_the_board_shows_ratings_and_what_the_match_changed(browser: Any, shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        resign(rated_match(ann, bob), bob, ann)
        game = rated_match(ann, bob)
        with window(browser, "phone") as page:
            session = {"name": COOKIE, "value": ann.cookies[COOKIE], "url": shared_server.url}
            page.context.add_cookies([session])
            page.goto(f"{shared_server.url}/game/{game}")
            page.locator("#player-bottom .rating").get_by_text("1516?").wait_for()
            page.locator("#player-top .rating").get_by_text("1484?").wait_for()
            assert page.locator("#player-bottom .presence").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"
            resign(game, bob, ann)
            page.locator("#player-bottom .rating").get_by_text("+").wait_for()
            page.locator(".rated").get_by_text("Your rating: 1516 → ").wait_for(state="attached")


@pytest.mark.broad
def test_a_friend_is_followed_seen_here_challenged_and_played(browser: Any, shared_server: Server) -> None:
    """By keys on one side and by finger on the other; what is refused stands in the dialog, which stays."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()

    def sign_in(page: Any, browser: Browser) -> None:
        session = {"name": COOKIE, "value": browser.cookies[COOKIE], "url": shared_server.url}
        page.context.add_cookies([session])

    with (
        person(shared_server) as ann,
        person(shared_server) as bob,
        guest(shared_server) as third,
        window(browser) as her_page,
        window(browser, "phone") as his_page,
    ):
        sign_in(her_page, ann)
        sign_in(his_page, bob)
        her_page.goto(f"{shared_server.url}/profile?name={bob.name}")
        her_page.get_by_role("button", name=f"Follow {bob.name}", exact=True).click()
        her_page.get_by_role("button", name=f"Unfollow {bob.name}").wait_for()
        her_page.goto(f"{shared_server.url}/lobby")
        friends = her_page.locator("section", has=her_page.get_by_role("heading", name="Friends"))
        friends.get_by_text("1 more friend").click()
        friends.get_by_role("button", name=f"Unfollow {bob.name}").wait_for()
        bob.asks("/api/lobby/seek", {"length": 7, "clock": "fast"})
        her_page.reload()
        friends.get_by_role("img", name="here").wait_for()
        friends.get_by_role("button", name=f"Challenge {bob.name}").focus()
        her_page.keyboard.press("Enter")
        dialog = her_page.get_by_role("dialog", name=f"Challenge {bob.name}")
        dialog.get_by_label("Played for").select_option("money")
        assert dialog.get_by_label("Rated").is_disabled()
        dialog.get_by_label("Played for").select_option("a match to 3")
        found = axe.run(her_page, options=AXE)
        assert found.violations_count == 0, found.generate_report()
        her_page.route("**/api/challenge/*", lambda route: route.fulfill(status=429, json={"error": "wait a minute"}))
        dialog.get_by_role("button", name="Challenge").press("Enter")
        dialog.get_by_text("Wait a minute").wait_for()
        her_page.unroute("**/api/challenge/*")
        dialog.get_by_role("button", name="Challenge").press("Enter")
        her_page.locator("#outgoing").get_by_role("link", name=bob.name).wait_for()
        his_page.goto(shared_server.url)
        his_page.locator("#incoming").get_by_text("a match to 3 points · 10 s delay, 1 min a point · casual").wait_for()
        assert his_page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"
        third.asks(f"/api/challenge/{bob.name}", {"rules": {"length": 1}})
        his_page.get_by_role("button", name=f"Accept {ann.name}").click()
        for page in (her_page, his_page):
            page.wait_for_url("**/game/*")
            page.locator(".checker").first.wait_for()
        decline = his_page.locator(".side #incoming").get_by_role("button", name="Decline")
        decline.focus()
        ann.asks(f"/api/challenge/{bob.name}", {"rules": {"length": 1}})
        his_page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        until(his_page, "document.querySelectorAll('#incoming li').length === 2")
        assert decline.first.evaluate("button => button === document.activeElement"), "its row is still the same"
        for left, focused in ((1, "for-you-title"), (0, "log-title")):
            decline.first.press("Space")
            until(his_page, f"document.activeElement.id === '{focused}'")
            assert not his_page.evaluate(FINISHES), "a second press at once finishes no play"
            assert decline.count() == left
        his_page.locator("#for-you").wait_for(state="hidden")
        assert bob.read("/api/challenge")["incoming"] == []
        assert her_page.url == his_page.url
        until(her_page, "document.querySelector('#player-top .presence:not(.away)')")
        bob.asks(f"/api/games/{her_page.url.rpartition('/')[2]}/close", {"how": "leave"})
        her_page.locator("#end").get_by_role("button", name=f"Unfollow {bob.name}").click()
        her_page.locator("#end").get_by_role("button", name=f"Follow {bob.name}", exact=True).wait_for()
        assert ann.read("/api/friends") == {"friends": []}


@pytest.mark.broad
def test_a_challenge_that_is_accepted_before_the_lobby_is_there_opens_the_board(
    browser: Any, shared_server: Server
) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, window(browser) as page:
        session = {"name": COOKIE, "value": ann.cookies[COOKIE], "url": shared_server.url}
        page.context.add_cookies([session])

        def accept_first(route: Any) -> None:
            (challenge,) = bob.read("/api/challenge")["incoming"]
            bob.asks(f"/api/challenge/{challenge['id']}/accept", {})
            route.continue_()

        page.route("**/lobby?wait=*", accept_first)
        page.goto(f"{shared_server.url}/profile?name={bob.name}")
        page.get_by_role("button", name=f"Challenge {bob.name}").click()
        page.get_by_role("dialog").get_by_role("button", name="Challenge").click()
        page.wait_for_url("**/game/*")
        page.locator("#log").get_by_text(f"{bob.name} has joined").wait_for()


def test_the_lobby_offers_a_rated_match_with_a_clock_alone(browser: Any, shared_server: Server) -> None:
    with window(browser) as page:
        sign_up(page, shared_server, "Timekeeper")
        page.goto(f"{shared_server.url}/lobby")
        until(page, "document.querySelector('#clock').value === 'medium'")
        page.locator("#clock").select_option("")
        page.get_by_role("region", name="Challenge").get_by_label("Rated").check()
        assert page.locator("#clock").input_value() == "medium"
        assert page.locator("#clock option").first.is_disabled()
        page.locator("#clock").select_option("3d")
        page.get_by_role("button", name="Challenge", exact=True).click()
        page.get_by_text("three days for each turn · rated").wait_for()
        page.get_by_role("region", name="Challenge").get_by_label("Rated").uncheck()
        page.locator("#clock").select_option("")


@pytest.mark.broad
def test_a_profile_shows_results_and_gives_records(browser: Any, shared_server: Server) -> None:
    with person(shared_server, "Profiled") as ann, person(shared_server, "Profilee") as bob:
        resign(rated_match(ann, bob), bob, ann)
        with window(browser, "phone") as page:
            page.clock.install()
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
            page.get_by_role("button", name="Challenge Profiled").click()
            page.get_by_label("Your name").fill("Passer-by")
            with page.expect_response("**/api/challenge/Profiled"):
                page.get_by_role("dialog").get_by_role("button", name="Challenge").click()
            page.wait_for_url("**/game/*")
            page.get_by_text("Profiled is challenged").wait_for()
            (challenge,) = ann.read("/api/challenge")["incoming"]
            assert (challenge["name"], challenge["length"], challenge["clock"]) == ("Passer-by", 5, "medium")
            ann.asks(f"/api/challenge/{challenge['id']}/decline")
            page.clock.fast_forward(15_000)
            page.locator("#waiting").get_by_role("heading", name="The challenge is over.").wait_for()
            page.locator("#waiting").get_by_role("link", name="Find an opponent").wait_for()
            page.goto(f"{shared_server.url}/profile?name=%3Cimg%20src=x%3E")
            page.get_by_text(re.compile("^There is no account '<img src=x>'")).wait_for()


@pytest.mark.broad
def test_pages_of_people_have_no_faults_that_axe_finds(browser: Any, shared_server: Server) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()

    def clean(page: Any) -> None:
        violations = axe.run(page, options=AXE)
        assert violations.violations_count == 0, violations.generate_report()

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
