"""The header of all pages, the way between them, and what stands at an address that leads nowhere."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from tests.web.browsing import window
from tests.web.conftest import Server, chromium
from tests.web.inside import TestClient

from fullprime.web.pages import PLACES, STATIC, page_text
from fullprime.web.server import create_app

needs_chromium = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
DEEP = {
    "/learn/primes": "learn",
    "/review": "library",
    "/account": "people",
    "/profile?name=nobody": "people",
    "/mistakes?review=gone": "library",
    "/real": "play",
    "/lab?variant=dutch": "play",
}
"""Pages below a place."""
NOWHERE = ("home/missing.html", "home/offline.html")
"""Pages that stand for others."""


def test_every_page_has_the_places_and_marks_where_it_is() -> None:
    for path in sorted(STATIC.rglob("*.html")):
        name = str(path.relative_to(STATIC))
        if name == "verify/verify.html":
            continue  # saved as one file and opened without a server
        text = page_text(name)
        assert text.count('<nav id="places"') == 1, name
        assert text.count("aria-current") == (name not in NOWHERE), name
        assert "<!-- header" not in text, name
        assert "<!-- places" not in text, name


@pytest.mark.broad
@needs_chromium
def test_every_place_is_one_click_away_and_is_marked(shared_server: Server, browser: Any) -> None:
    with window(browser) as page:
        page.goto(f"{shared_server.url}/analysis")
        for place in [*PLACES.values(), PLACES["analyse"]]:
            page.locator("#places").get_by_role("link", name=place.word, exact=True).click()
            # The board and the library add to their address what they show, which may be before this waits for it.
            page.wait_for_url(re.compile(rf"{re.escape(shared_server.url + place.address)}(\?.*)?$"))
            marked = page.locator("#places [aria-current=page]")
            assert marked.all_inner_texts() == [place.word]
        for address, place in DEEP.items():
            page.goto(shared_server.url + address)
            assert page.locator("#places [aria-current=true]").all_inner_texts() == [PLACES[place].word], address
            way = page.get_by_role("navigation", name="The way here").get_by_role("link")
            assert way.first.inner_text() == PLACES[place].word, address
            ends = page.locator(".crumbs li").last.evaluate("(last) => getComputedStyle(last, '::after').content")
            # A sign leads from the way to the title beside it; a way on a line of its own leads nowhere further.
            assert ("\u203a" in ends) == (page.locator(".top .crumbs + h1").count() == 1), address


@pytest.mark.broad
@needs_chromium
def test_on_a_phone_the_places_of_a_board_are_a_menu(shared_server: Server, browser: Any) -> None:
    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/analysis")
        library = page.locator("#places").get_by_role("link", name="Library")
        assert not library.is_visible()
        page.get_by_role("button", name="Menu").click()
        library.click()
        page.get_by_role("heading", name="Library").wait_for()
        page.set_viewport_size({"width": 320, "height": 640})
        for address in ("/library", "/learn", "/lobby", "/nowhere", "/"):
            page.goto(shared_server.url + address)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


@needs_chromium
def test_mistakes_without_a_review_lead_to_the_list(shared_server: Server, browser: Any) -> None:
    with window(browser) as page:
        page.goto(f"{shared_server.url}/mistakes")
        page.get_by_role("heading", name="Learn from your mistakes").wait_for()
        assert page.get_by_role("link", name="Review a match").is_visible()


MISSING = {
    "/game/none": ("There is no such game here", "/"),
    "/game/none/card": ("There is no such game here", "/"),
    "/rules?game=none": ("There is no such game here", "/"),
    "/study/none": ("There is no study at this link", "/drill/puzzles"),
    "/library/match/99999": ("There is no such match in your library", "/library"),
    "/library/match/none/report": ("There is no such match in your library", "/library"),
    "/library/board/99999/1/1": ("There is no such match in your library", "/library"),
    "/learn/none": ("There is no such lesson", "/learn"),
    "/drill/none": ("There is no such drill", "/drill"),
    "/openings/none": ("The opening explorer has no such game", "/openings/backgammon"),
    "/review/none/1": ("Review a match", None),
    "/mistakes?review=none": ("Review a match", None),
    "/profile?name=nobody": ("Profile", "/lobby"),
}
"""Addresses of things that there are not: what the page says, and where it leads."""


@pytest.mark.broad
@needs_chromium
def test_what_there_is_not_is_not_found_and_its_page_leads_on(shared_server: Server, browser: Any) -> None:
    with window(browser, "phone") as page:
        for address, (title, leads) in MISSING.items():
            answer = page.goto(shared_server.url + address)
            assert answer.status == 404, address
            page.locator("main h1:visible").first.wait_for()
            assert page.locator("main h1:visible").all_inner_texts() == [title], address
            if leads is None:
                page.get_by_text("This review is no longer kept: have the file reviewed again.").wait_for()
            else:
                page.locator(f"main a[href='{leads}']:visible").first.wait_for()


def test_a_library_asks_a_browser_to_sign_in_with_a_page_and_a_program_in_json() -> None:
    with TestClient(create_app(":memory:", hosts=None)) as client:
        page = client.get("/library/match/1/report", headers={"Accept": "text/html"})
        assert (page.status_code, 'class="no-account home' in page.text) == (401, True)
        assert client.get("/library/match/1/report").json()["error"].startswith("sign in first")


def test_an_address_that_leads_nowhere_is_a_page_to_a_browser_and_json_to_a_program(shared_server: Server) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        page = client.get("/nowhere", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert "There is nothing at this address" in page.text
        assert 'href="/learn"' in page.text
        answer = client.get("/nowhere")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_route")
        missing = client.get("/api/nowhere", headers={"Accept": "text/html"})
        assert (missing.status_code, missing.json()) == (answer.status_code, answer.json())
