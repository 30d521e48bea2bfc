"""The map by score on the analysis board: three cubes side by side, filled as the cells come, walked by keys."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.web.browsing import until, window
from tests.web.conftest import Server, chromium
from tests.web.test_review_page import axe_finds_nothing

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

PLAY = "/analysis?position=24+20+13:4+10+8:3+6:5+/+24:2+13:4+11+8:3+6:5&dice=61&rule.jacoby=yes"


@pytest.mark.broad
def test_a_map_by_score_is_filled_walked_by_keys_and_leads_to_the_board(browser: Any, warm_server: Server) -> None:
    with window(browser, "phone") as page:
        page.set_default_timeout(120_000)
        page.goto(f"{warm_server.url}{PLAY}")
        page.locator("#answer tbody tr").first.wait_for()
        page.get_by_role("button", name="Every score").click()
        page.locator(".score-map .legend li").first.wait_for()
        assert page.evaluate("document.activeElement.dataset.key") == "middle money"
        page.locator(".score-map progress").wait_for(state="hidden")
        assert page.locator(".score-map .cell b").count() == 3 * (7 * 7 + 1)
        for key in ("ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowUp"):
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.key") == "middle 5,3"
        page.keyboard.press("Enter")
        page.locator("#score-of").get_by_text("5 away, 3 away · Cube in the middle").wait_for()
        assert page.locator(".score-details tbody tr").count() >= 4
        axe_finds_nothing(page)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.dataset.key") == "mine money"
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Show this score on the board").click()
        until(page, "new URLSearchParams(location.search).get('score') === '0-6'")
        address = parse_qs(urlsplit(page.url).query)
        assert (address["rule.length"], address["crawford"], address["cube"], address["owner"], address["dice"]) == (
            ["7"], ["no"], ["2"], ["X"], ["61"],
        )  # fmt: skip
        page.locator("#answer tbody tr").first.wait_for()
        page.locator("#level").select_option("3-ply")
        page.get_by_role("button", name="Every score").click()
        page.locator(".score-map .cell b").nth(3 * (7 * 7 + 1) - 1).wait_for()  # a first look at all of them
        page.locator(".score-map .early").nth(100).wait_for()
        page.locator(".score-map").get_by_role("button", name="Stop").click()
        page.locator("#score-status").get_by_text("of 150 cells are known.").wait_for()
        assert page.locator(".score-map .cell b").count() == 3 * (7 * 7 + 1)
