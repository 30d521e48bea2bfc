"""A finger on a board scrolls the page, unless it is on a checker that may be moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.broadly import broadly
from tests.web.browsing import HELD, MOVABLE, until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import friends

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

NOTHING = ":not(*)"


def draw_up(page: Any, selector: str) -> None:
    """Draw a finger up from the middle of something."""
    box = page.locator(selector).first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for way in range(20, 161, 20):
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - way}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def shows_the_best(page: Any) -> None:
    page.locator("[data-act=solution]:visible").click()
    until(page, "document.querySelectorAll('.board .arrow').length")


def answers_a_puzzle(page: Any) -> None:
    while not page.locator("[data-act=done]").is_enabled():
        page.locator("#board .spot.source").first.press("Enter")
        page.locator("#board .spot.target").first.press("Enter")
    page.locator("[data-act=done]").click()
    until(page, "document.getElementById('verdict').textContent")


def does_nothing(page: Any) -> None:
    """The board is at rest as it comes."""


ANSWERED: dict[str, tuple[str, Callable[[Any], None]]] = {
    "the position of the day": ("/", shows_the_best),
    "a puzzle": ("/drill/puzzles", answers_a_puzzle),
    "a mistake": ("/mistakes?review={job}&match=1&player=X", shows_the_best),
    "a text of a lesson": ("/learn/primes", does_nothing),
    "a step of a lesson": ("/learn/two-key-points#2", shows_the_best),
    "a study": ("/study/{study}", does_nothing),
    "openings": ("/openings", does_nothing),
    "a game that is watched": ("/game/{game}", does_nothing),
    "pips to count": ("/drill/pips", does_nothing),
}


@pytest.mark.parametrize("what", broadly(ANSWERED, "a puzzle", "a game that is watched"))
def test_nothing_is_held_on_a_board_that_is_not_to_be_played_on(
    browser: Any, sample_ids: dict[str, str], shared_server: Server, what: str
) -> None:
    address, answer = ANSWERED[what]
    with window(browser, "phone") as page:
        page.goto(shared_server.url + address.format(**sample_ids))
        page.locator(".board .checker").first.wait_for()
        answer(page)
        assert page.evaluate(HELD, NOTHING) == []


@pytest.mark.broad
def test_a_board_is_held_by_what_is_dragged_on_it(browser: Any, shared_server: Server) -> None:
    """Checkers that may be moved, those that have been, and all of a board that is set up; nothing while one waits."""
    with httpx.Client(base_url=shared_server.url, timeout=60) as client, window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/analysis?dice=31")
        page.locator(".board .source").first.wait_for()
        assert page.evaluate(HELD, NOTHING), "a checker is dragged, and the page stays"
        page.locator("[data-act=edit]:visible").click()
        page.locator(".board.editing").wait_for()
        page.locator("[data-act=edit]:visible").click()
        until(page, "!document.querySelector('.board.editing')")
        assert page.evaluate(HELD, MOVABLE) == []
        for seat in friends(client, automatic=False):
            if seat.state["you"] != seat.state["turn"]:
                page.goto(f"{shared_server.url}/game/{seat.game}#key={seat.key}")
                page.locator(".board .checker").first.wait_for()
                assert page.evaluate(HELD, NOTHING) == []


@pytest.mark.parametrize("address", ["/", "/openings"])
def test_the_page_goes_with_the_finger(browser: Any, shared_server: Server, address: str) -> None:
    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}{address}")
        page.locator(".board .checker").first.wait_for()
        draw_up(page, "#board")
        until(page, "scrollY > 50")
