"""A whole review by keys alone, as people without a pointer and readers of the screen go through it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.browsing import Keys, listen_for_other_ways, until, window
from tests.web.conftest import Server, chromium
from tests.web.test_replay_page import NUMBER
from tests.web.test_review_page import MATCH, axe_finds_nothing

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
FOCUS = """(() => {
  const at = document.activeElement;
  const box = at?.getBoundingClientRect();
  return Boolean(at && at !== document.body && at.checkVisibility() && box.width && box.bottom > 0
    && box.top < innerHeight);
})()"""
"""Whether the focus is at something that is seen."""


def _choose(page: Any, keys: Keys, file: Path) -> None:
    """Choose a file by the browser's own window, which Enter opens."""
    with page.expect_file_chooser() as chooser:
        keys.use("#file")
    chooser.value.set_files(str(file))


def _try_play(page: Any, keys: Keys) -> None:
    """Move checkers with Tab, arrows and Enter until a play is whole; then finish it."""
    while not page.locator("[data-act=done]:enabled").count():
        keys.move()
    keys.use("[data-act=done]")


@pytest.mark.broad
@pytest.mark.parametrize(("width", "height"), [(1366, 768), (768, 1024), (640, 360)])
def test_a_review_needs_no_pointer(browser: Any, warm_server: Server, tmp_path: Path, width: int, height: int) -> None:
    """From the file to the note: what has the focus is always seen, and nothing that is done loses it."""
    names = f"Kay {width}", f"Lee {width}"
    file = tmp_path / "keys.mat"
    file.write_bytes(MATCH.replace(b"Ann", names[0].encode()).replace(b"Bob", names[1].encode()))
    with window(browser, viewport={"width": width, "height": height}) as page:
        listen_for_other_ways(page, "pointerdown", "mousedown", "touchstart")
        keys = Keys(page)
        page.goto(f"{warm_server.url}/library")
        page.locator("#adding").wait_for()
        keys.use("a[href='/review']")
        page.locator("#file").wait_for()
        _choose(page, keys, file)
        page.wait_for_url("**/board*")
        page.locator("#options table").wait_for()
        assert page.evaluate(NUMBER) == "1.8", "the costliest error"

        page.keyboard.press("ArrowRight")
        until(page, f"{NUMBER} === '1.9'")
        keys.use("[data-act=error]")
        until(page, f"{NUMBER} !== '1.9'")
        page.keyboard.press("Home")
        until(page, f"{NUMBER} === '1.1'")
        page.locator("#options tbody tr:nth-child(2)").wait_for()
        keys.use("#options tbody tr:nth-child(2) button")
        until(page, "document.querySelector('#options [aria-pressed=true]')")
        assert page.evaluate(FOCUS), "a candidate that is looked at keeps the focus"
        _try_play(page, keys)
        page.get_by_text("You tried:").wait_for()
        until(page, FOCUS)
        page.keyboard.press("u")
        until(page, "!document.querySelector('#tried').textContent")
        axe_finds_nothing(page)

        keys.use("[role=tab][aria-selected=true]")
        for there in ("#panel p", "#panel svg"):
            page.keyboard.press("ArrowRight")
            page.locator(there).first.wait_for()
        page.keyboard.press("ArrowRight")
        keys.use("#panel > button")
        page.wait_for_url("**/library/match/*/board*")
        page.locator("#panel textarea").wait_for()
        until(page, "document.activeElement?.closest('#panel')")
        keys.write("#panel textarea", "why?")
        keys.write("#panel input:not([list])", "by keys")
        page.keyboard.press("Tab")
        keys.use("#panel button:not([aria-pressed])")
        page.get_by_text("Kept.").wait_for()
        assert page.evaluate(FOCUS)

        keys.use("#share")
        page.locator("#dialog[open]").wait_for()
        page.keyboard.press("Escape")
        until(page, "!document.querySelector('#dialog[open]')")
        assert page.evaluate("document.activeElement.id") == "share"
        if not page.locator(".crumbs a").first.is_visible():
            keys.use("button.menu")  # where the header has no room, the way back is in its menu
        keys.use(":is(.crumbs, #places) a[href='/library']")
        page.wait_for_url("**/library")
        page.locator("#matches li").first.wait_for()
        assert page.evaluate("window.otherWays") == []
