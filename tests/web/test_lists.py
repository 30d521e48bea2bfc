"""Lists of words on a phone: the longest of each has the room that it needs."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.web.browsing import until, window
from tests.web.conftest import Server, chromium
from tests.web.sample_server import MATCH

pytestmark = [
    pytest.mark.broad,
    pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine"),
]

FILLED = """(() => {
  const lists = [...document.querySelectorAll('select')].filter((list) => list.checkVisibility());
  return lists.length > 0 && lists.every((list) => list.options.length > 0);
})()"""
CUT = """(() => {
  const pen = document.createElement('canvas').getContext('2d'), arrow = 18;
  return [...document.querySelectorAll('select')].filter((list) => list.checkVisibility()).flatMap((list) => {
    const style = getComputedStyle(list);
    const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    pen.font = style.font;
    return [...list.options].map(({ text }) => text).filter((text) => pen.measureText(text).width > room - arrow);
  });
})()"""
"""The words of lists that are cut once they are chosen."""
PLACES = (
    "/drill/puzzles", "/openings", "/lobby", "/review", "/library", "/library/search", "/library/notes",
    "/real", "/house", "/lab?variant=hypergammon", "/rules", "/analysis",
)  # fmt: skip


def test_no_list_of_words_is_cut_on_a_phone(browser: Any, shared_server: Server) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=600) as client:
        job = client.post("/api/reviews", params={"name": "club.mat", "level": "fast"}, content=MATCH).json()["id"]
        assert '"state": "done"' in client.get(f"/api/analysis/jobs/{job}/stream").text
    lists = {}
    with window(browser, "phone") as page:

        def look(place: str) -> None:
            for width, height in ((390, 844), (320, 568)):
                page.set_viewport_size({"width": width, "height": height})
                until(page, f"innerWidth === {width}")
                lists[f"{place} at {width}"] = page.evaluate(CUT)

        for place in (*PLACES, f"/review/{job}/1"):
            page.goto(shared_server.url + place)
            until(page, FILLED)
            look(place)
        page.goto(shared_server.url)
        page.locator("#custom > summary").click()
        page.locator("#start:enabled").wait_for()
        look("/")
    assert {place: cut for place, cut in lists.items() if cut} == {}
