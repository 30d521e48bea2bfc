"""A finger on a board scrolls the page, unless it is on a checker that may be moved."""

from __future__ import annotations

import pytest
from tests.web.browsing import chromium_running, window
from tests.web.conftest import Server, chromium

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

HELD = """[...document.querySelectorAll('.board, .board .spot:not(.source):not(.moved)')]
  .filter((at) => getComputedStyle(at).touchAction === 'none').length"""


@pytest.mark.parametrize("address", ["/", "/openings"])
def test_a_board_lets_the_page_scroll(shared_server: Server, address: str) -> None:
    """Once every board held the page, those that are not played on, too."""
    with chromium_running() as browser, window(browser, "phone") as page:
        page.goto(f"{shared_server.url}{address}")
        page.locator(".board .spot").first.wait_for(state="attached")
        assert page.evaluate(HELD) == 0
