"""All that a person meets in a game in German is in German: pages in a browser, read as they are seen and heard."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from tests.web.browsing import SURELY_WON, point, sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.german import LANGUAGE, check_german, is_english, open_in_german
from tests.web.seat import Seat, create, friends

from fullprime.web.languages import COOKIE

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

BLUNDERED = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10"
"""A 3-1 to open with: 8/5 6/5 is far better than any other play."""
PAGES = (
    ("/", "#family h3"), ("/analysis", ".checker"), ("/learn", "main li"), ("/lobby", "main h1"), ("/rules", "main h1"),
    ("/house", "main h1"), ("/review", "main h1"), ("/library", "main h1"), ("/account", "main h1"),
    ("/cards", "main h1"),
)  # fmt: skip
"""Pages around a game, each with what stands there once its script has run."""
TUTOR = "localStorage.setItem('fullprime.preferences', JSON.stringify({tutor: 0.02, level: '0-ply'}))"


@contextmanager
def german_page(browser: Any, server: Server) -> Iterator[tuple[Any, httpx.Client]]:
    with httpx.Client(base_url=server.url, timeout=120, cookies={COOKIE: LANGUAGE}) as client, window(browser) as page:
        open_in_german(page, server.url)
        yield page, client


def _sit_with_tutor(page: Any, client: httpx.Client) -> Seat:
    seat, _ = create(client, bot="random", position=BLUNDERED, rules={"length": 5})
    page.goto(str(client.base_url.join("/static/parts/icon.svg")))
    page.evaluate(TUTOR)
    sit(page, seat)
    return seat


def _type(page: Any, line: str, place: str, answer: str) -> None:
    """Type a line, and wait for a word of its answer."""
    page.locator("#line").fill(line)
    page.locator("#line").press("Enter")
    until(page, f"document.getElementById({place!r}).innerText.includes({answer!r})")


def test_english_is_recognised() -> None:
    assert is_english("Looked at 1 ply ahead")
    assert is_english("blunder")
    assert is_english("8/5 6/5 makes a point")
    assert not is_english("Am besten ist 8/5 6/5.")
    assert not is_english("1-ply")


def test_a_hint_the_tutor_and_refusals_are_in_german(browser: Any, shared_server: Server) -> None:
    with german_page(browser, shared_server) as (page, client):
        seat = _sit_with_tutor(page, client)
        check_german(page, "a game")
        page.locator("[data-act=hint]").click()
        page.locator("#advice-body .why").wait_for()
        check_german(page, "a hint")
        assert "statisch" in page.inner_text("#advice-body")
        assert "\u22120,2" in page.inner_text("#advice-body"), "decimals as German has them"
        page.locator("#close-advice").click()
        page.locator("[data-act=hint]").wait_for()
        for source, target in ((13, 10), (6, 5)):
            point(page, source).click()
            point(page, target).click()
        page.locator("[data-act=done]:enabled").click()
        page.locator("#dialog[open] .verdict").wait_for()
        check_german(page, "the tutor")
        page.locator("#dialog button").last.click()
        _type(page, "hint", "log", "verliert")
        _type(page, "hello", "problem", "weder")
        check_german(page, "a hint that was typed, and a refusal")
        answer = seat.post("hint", {"level": "9-ply"})
        assert answer.status_code == 422
        assert not is_english(answer.json()["error"].partition(": ")[2])


@pytest.mark.broad
def test_the_pages_around_a_game_are_in_german(browser: Any, shared_server: Server) -> None:
    with german_page(browser, shared_server) as (page, _):
        for path, ready in PAGES:
            page.goto(f"{shared_server.url}{path}")
            page.locator(ready).first.wait_for(state="attached")
            check_german(page, path)


@pytest.mark.broad
def test_a_game_from_its_invitation_to_its_end_is_in_german(browser: Any, shared_server: Server) -> None:
    with german_page(browser, shared_server) as (page, client):
        host, _ = create(client, begin=False, opponent="friend", rules={"length": 3})
        page.goto(f"{shared_server.url}/game/{host.game}#key={host.key}")
        page.locator("#waiting button").first.wait_for()
        check_german(page, "an invitation")
        seat = friends(client, rules={"length": 3}, clock="12+600")[0]
        assert seat.state["clock"]["words"] == "12 s Aufschub, 10 min Bedenkzeit"
        sit(page, seat)
        page.locator("#open-proof").click()
        page.locator("#dialog[open] h2").first.wait_for()
        check_german(page, "the dice")
        page.locator("#dialog button").last.click()
        page.locator("[data-act=more]").click()
        page.locator("[data-act=close]").click()
        page.locator("#dialog[open] p").first.wait_for()
        check_german(page, "leaving")
        seat, _ = create(client, bot="random", rules={"length": 1}, position=SURELY_WON)
        sit(page, seat)
        while (state := seat.state)["status"] == "playing":
            if state["turn"] == "X":
                plays = state["plays"] or ["no play"]
                seat.does("roll" if "roll" in state["legal_actions"] else plays[0])
        page.locator("#end .figure").first.wait_for()
        check_german(page, "the end of a game")


@pytest.mark.broad
def test_the_page_for_a_real_board_is_in_german(browser: Any, shared_server: Server) -> None:
    with german_page(browser, shared_server) as (page, _):
        page.goto(f"{shared_server.url}/real")
        page.locator("#start:enabled").wait_for()
        page.locator("#agreements summary").click()
        check_german(page, "the beginning")
        page.locator("#record").check()
        page.locator("#start").click()
        for _ in range(3):
            page.locator("#acts button").first.wait_for()
            check_german(page, "a sitting")
            word = page.inner_text("#word")
            page.locator("#acts button").first.click()
            until(page, f"document.getElementById('word').textContent !== {word!r}")
