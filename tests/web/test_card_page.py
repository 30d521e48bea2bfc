"""The score card of a game on the server: over HTTP, and as a page on a phone and on paper."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.web.browsing import window
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, create

from fullprime.play.table.scorecard import empty_card
from fullprime.rules.score import Settings


def finished(client: httpx.Client) -> Seat:
    """A match to one point that is played out."""
    seat, _ = create(client, bot="random", position="6:2 5 off:12 / 13:15", rules={"length": 1})
    for _ in range(400):
        state = seat.state
        if state["game_over"]:
            return seat
        if [word for word in state["legal_actions"] if word != "resign"]:
            line = "roll" if "roll" in state["legal_actions"] else state["plays"][0]
            seat.does(line, sequence=state["sequence"])
    raise AssertionError("the game does not end")


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_a_card_is_seen_by_players_and_spectators_and_printed(browser: Any, shared_server: Server) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        seat = finished(client)
        card = client.get(f"/api/games/{seat.game}/card").json()
        assert [line["game"] for line in card["lines"]] == [1]
        assert "has won the match" in card["next"]
        private, _ = create(client, bot="random", spectators=False, rules={"length": 3})
        assert client.get(f"/api/games/{private.game}/card").status_code == 403
    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/game/{seat.game}/card")
        page.locator("#games tbody tr").wait_for()
        assert "has won the match" in page.inner_text("#now")
        violations: Any = axe.run(page)
        assert violations.violations_count == 0, violations.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.emulate_media(media="print")
        assert not page.locator("#print, header.top").first.is_visible()
        assert page.evaluate("document.documentElement.scrollHeight") < 1100
        page.emulate_media(media="screen")
        page.goto(f"{shared_server.url}/game/{private.game}/card")
        page.get_by_text("private").wait_for()


PAPER = {"width": 794, "height": 1123}
"""A sheet of A4 in pixels of CSS."""


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_a_card_printed_before_the_first_game_can_be_filled_in_by_hand(browser: Any, shared_server: Server) -> None:
    """One sheet with the names, or room for them, and a row for every game; of a game here and at a real board."""
    url = shared_server.url
    with httpx.Client(base_url=url, timeout=60) as client:
        waiting, _ = create(client, begin=False, opponent="friend", name="Ann", rules={"length": 7})
    with window(browser, viewport=PAPER) as page:
        page.goto(f"{url}/game/{waiting.game}/card")
        page.locator("#games p").wait_for()
        assert not page.locator("#games table").is_visible(), "on paper alone"
        page.emulate_media(media="print")
        assert page.locator("thead th").all_inner_texts() == ["Game", "Ann", "", "Won by"]
        assert page.locator("thead th").nth(2).bounding_box()["width"] > 100
        assert printed(page) == 13
        page.emulate_media(media="screen")
        page.goto(f"{url}/real")
        page.select_option("#length", "7")
        page.locator("#begin button.primary").click()
        page.locator("#games p").wait_for()
        page.emulate_media(media="print")
        assert page.locator("#games thead th").all_inner_texts() == ["Game", "Ann", "Bob", "Won by"]
        assert printed(page) == 13
        for length in (0, 1, 5, 25):
            rows = f"import('/static/card/by-hand.js').then(({{ rowsByHand }}) => rowsByHand({length}, 0, []))"
            assert page.evaluate(rows) == empty_card(Settings(length=length)).rows


def printed(page: Any) -> int:
    """The rows to be filled in on a sheet, each high enough for a pen."""
    assert page.evaluate("document.documentElement.scrollHeight") <= PAPER["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER["width"]
    rows = page.locator("tr.by-hand").all()
    assert all(row.bounding_box()["height"] > 26 for row in rows)
    return len(rows)
