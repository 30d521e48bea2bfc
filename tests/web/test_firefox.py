"""The pages in Firefox: from the first page to a finished game, its review, the analysis board and the other places."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.web.browsing import SURELY_WON
from tests.web.conftest import Server
from tests.web.firefox import Tab, firefox, tab

pytestmark = [
    pytest.mark.broad,
    pytest.mark.timeout(900),
    pytest.mark.skipif(firefox() is None, reason="there is no firefox on this machine"),
]

MAY_ACT = "document.querySelector('#log .game_over, .spot.source, [data-act=roll]:enabled, [data-act=done]:enabled')"
SEEN = {
    "/learn": "/[0-9]+ lessons/.test(document.body.innerText)",
    "/learn/primes": "document.querySelector('.checker')",
    "/library": "/[0-9]+ match/.test(document.body.innerText)",
    "/openings": "document.querySelector('.checker')",
    "/real": "document.querySelector('#house').value",
    "/house": "document.querySelectorAll('#options [id^=rule-]').length > 5",
    "/rules": "/24 points/.test(document.body.innerText)",
    "/lobby": "document.querySelector('#variant').value",
    "/drill/puzzles": "document.querySelector('.checker')",
}
"""What each place shows once the server has answered it."""


def look(page: Tab, name: str) -> None:
    """Keep a picture where somebody wants to see them: FULLPRIME_SHOTS names a folder."""
    if folder := os.environ.get("FULLPRIME_SHOTS"):
        page.picture(Path(folder) / f"firefox-{name}.png")


def begin(page: Tab, address: str) -> None:
    """From the first page, where a board stands already, to a table."""
    page.goto(address)
    page.until("document.querySelectorAll('#board .checker').length === 30")
    look(page, "home")
    page.until("document.querySelector('#start:enabled')")
    page.use("#custom > summary")
    page.choose("#bot", "heuristic")
    page.use("#more > summary")
    page.write("#position", SURELY_WON)
    page.use("#automatic")
    page.use("#start")
    page.until("location.pathname.startsWith('/game/') && document.querySelector('.checker')")


def win(page: Tab) -> None:
    """At most six turns, by the mouse."""
    for _ in range(8):
        page.until(MAY_ACT)
        if page.evaluate("Boolean(document.querySelector('#log .game_over'))"):
            return
        if page.evaluate("Boolean(document.querySelector('[data-act=roll]:enabled'))"):
            page.use("[data-act=roll]")
            page.until("document.querySelector('.spot.source, [data-act=done]:enabled')")
        look(page, "game")
        for _ in range(4):
            if not page.evaluate("Boolean(document.querySelector('.spot.source'))"):
                break
            page.use(".spot.source")
            page.until("document.querySelector('.spot.target')")
            page.use(".spot.target")
            page.until("!document.querySelector('.spot.selected')")
        page.use("[data-act=done]")
        page.until("!document.querySelector('[data-act=done]')")
    raise AssertionError("the game is not over after eight turns")


def test_a_game_its_review_and_an_analysis_in_firefox(shared_server: Server, tmp_path: Path) -> None:
    with tab(tmp_path) as page:
        page.size(1280, 800)
        begin(page, shared_server.url)
        win(page)
        assert "You win" in page.evaluate("document.querySelector('#log .game_over').textContent")
        page.until("document.querySelectorAll('#end .figure').length === 3")
        look(page, "end")

        page.use("[data-act=review]")
        page.until("location.pathname.startsWith('/review/')")
        page.until("document.readyState === 'complete' && document.querySelector('#panel .ply')")
        assert "luck" in page.evaluate("document.body.innerText").lower()
        look(page, "report")

        page.goto(f"{shared_server.url}/analysis?position=24:2+13:5+8:3+6:5+/+24:2+13:5+8:3+6:5&dice=31")
        page.until("document.querySelectorAll('#answer button.play').length > 5")
        assert "8/5 6/5" in page.evaluate("document.querySelector('#answer button.play').textContent")
        look(page, "analysis")

        page.size(390, 844)
        for address, text in SEEN.items():
            page.goto(shared_server.url + address)
            page.until(text)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{address} is too wide"
            look(page, f"phone{address.replace('/', '-')}")
