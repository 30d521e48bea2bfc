"""The score card of a game on the server: over HTTP, and as a page on a phone and on paper."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.web.browsing import chromium_running, window
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, create


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
def test_a_card_is_seen_by_players_and_spectators_and_printed(shared_server: Server) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        seat = finished(client)
        card = client.get(f"/api/games/{seat.game}/card").json()
        assert [line["game"] for line in card["lines"]] == [1]
        assert "has won the match" in card["next"]
        private, _ = create(client, bot="random", spectators=False, rules={"length": 3})
        assert client.get(f"/api/games/{private.game}/card").status_code == 403
    with chromium_running() as browser, window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/game/{seat.game}/card")
        page.locator("#games tbody tr").wait_for()
        assert "has won the match" in page.inner_text("#now")
        found: Any = axe.run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.emulate_media(media="print")
        assert not page.locator("#print, header.top").first.is_visible()
        assert page.evaluate("document.documentElement.scrollHeight") < 1100
        page.emulate_media(media="screen")
        page.goto(f"{shared_server.url}/game/{private.game}/card")
        page.get_by_text("private").wait_for()
