"""Somebody who never played: from the first page through the guided game to the end of a first whole game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.web.browsing import Pointer, at_table, point, until, window
from tests.web.conftest import Server, chromium

pytestmark = [
    pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine"),
    pytest.mark.timeout(600),
]

MOST = 400
"""Things done in a game to one point, far more than there are."""
NO_CHANCE = "Crypto.prototype.getRandomValues = function (bytes) { return bytes.fill(7); };"
"""The part of the dice that the page gives; the server's follows from the ``chance`` of this file."""
PLACES = {"bar": "25", "off": "0"}
MAY_ACT = "#end:not([hidden]) .result, dialog[open], .spot.source, [data-act=roll]:enabled, [data-act=accept]:enabled"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "games.db", chance="newcomer 2")
    yield running
    running.close()


class Newcomer(Pointer):
    """Knows nothing but what the page says, and has a mouse or a finger."""

    def press(self, name: str) -> None:
        """The button or the link of that name."""
        button = self.page.get_by_role("button", name=name, exact=True).or_(
            self.page.get_by_role("link", name=name, exact=True)
        )
        button.first.wait_for()
        self.at(button.first)

    def at(self, locator: Any) -> None:
        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        self.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def goes(self, *places: int) -> None:
        """From place to place."""
        for place in places:
            self.at(point(self.page, place))

    def carries(self, place: int, target: int) -> None:
        """One checker: a finger pulls it, because a tap would move it by the larger die."""
        if self.touch:
            before = self.page.locator(".die.used").count()
            self.drag(f'[data-spot="X{place}"]', f'[data-spot="X{target}"]')
            until(self.page, f"document.querySelectorAll('.die.used').length > {before}")
        else:
            self.goes(place, target)

    # -- the first lesson -----------------------------------------------------------------------------------------
    def learns(self) -> None:
        """Each step does what its text asks for."""
        for number, deed in enumerate(
            (
                lambda: None,
                lambda: (self.goes(8, 5, 6, 5), self.press("Done")),
                lambda: self.goes(6, 7),
                lambda: self.goes(24, 19),
                lambda: (self.goes(13, 5), self.press("Done")),
                lambda: (self.goes(25, 21, 24, 18), self.press("Done")),
                lambda: self.goes(13, 9),
                lambda: (self.goes(13, 9, 13, 9, 24, 20, 24, 20), self.press("Done")),
                lambda: self.goes(6, 0),
                lambda: (self.goes(6, 0, 3, 0), self.press("Done")),
                lambda: self.press("One"),
                lambda: self.press("Double"),
            ),
            1,
        ):
            until(self.page, f"document.getElementById('step-title')?.textContent.startsWith('Step {number} of 13')")
            deed()
            self.page.locator("[data-act=next]:enabled").wait_for()
            self.press("Next")
        self.press("Play your first game")

    # -- the first game -------------------------------------------------------------------------------------------
    warned = took_back = corrected = False

    def game(self) -> None:
        """To the end: any play that there is, until the tutor knows a better one."""
        for _ in range(MOST):
            until(self.page, f"document.querySelector('{MAY_ACT}')")
            if self.page.locator("#end:not([hidden]) .result").count():
                return
            self.acts()
        raise AssertionError("the game does not end")

    def acts(self) -> None:
        """One thing."""
        if self.page.locator("dialog[open]").count():
            self.hears_the_tutor()
        elif self.page.locator("[data-act=accept]:enabled").count():
            self.press("Accept")
        elif self.page.locator("[data-act=roll]:enabled").count():
            self.press("Roll")
        elif self.warned and self.corrected and not self.took_back:
            self.takes_back()
        else:
            self.plays()

    def plays(self) -> None:
        """The first checker that can move, as far as it may, until the play is whole."""
        while self.page.locator(".spot.source").count():
            self.move()
        self.press("Done")
        until(self.page, "!document.querySelector('[data-act=done]:enabled') || document.querySelector('dialog[open]')")

    def hears_the_tutor(self) -> None:
        """The first time it shows the best play; later the newcomer knows better."""
        text = self.page.inner_text("dialog")
        assert re.search(r"loses 0\.\d{3}", text), text
        self.warned = True
        if self.corrected:
            self.press("Play it anyway")
            return
        self.corrected = True
        best = re.search(r"Best is (.+?)\.", text)
        assert best is not None
        self.press("Show the best")
        # The play is taken back, and the dice that it used are drawn anew.
        until(self.page, "!document.querySelector('dialog[open], [data-act=done]:enabled, .die.used')")
        # Stop by stop, as it is written: a hit on the way decides which way a checker takes.
        for stops, times in re.findall(r"((?:bar|\d+)\*?(?:/(?:off|\d+)\*?)+)(?:\((\d)\))?", best[1]):
            places = [PLACES.get(stop, stop) for stop in stops.replace("*", "").split("/")]
            for _ in range(int(times or 1)):
                for way in pairwise(places):
                    self.carries(*map(int, way))
        self.page.locator("[data-act=done]:enabled").wait_for()
        self.press("Done")
        # The button may be back at once: the bot has answered, and the next roll waits for its play.
        until(self.page, "!document.querySelector('[data-act=done]:enabled')")

    def takes_back(self) -> None:
        """Back to before the last play, at no cost."""
        before = self.page.locator("#log .takeback").count()
        self.press("Take back")
        until(self.page, f"document.querySelectorAll('#log .takeback').length > {before}")
        self.took_back = True


@pytest.mark.broad
@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def test_somebody_who_never_played_finishes_a_first_game(browser: Any, server: Server, size: str) -> None:
    with window(browser, size) as page:
        page.add_init_script(NO_CHANCE)
        page.goto(server.url)
        newcomer = Newcomer(page, touch=size == "phone")
        newcomer.press("Learn to play")
        page.wait_for_url("**/learn/first-game**")
        newcomer.learns()
        at_table(page)
        newcomer.game()
        assert newcomer.corrected
        assert newcomer.took_back
        result = page.inner_text("#end .result")
        assert re.fullmatch(r"(You win|.+ wins) the match \d\u20130( with a (back)?gammon)?", result), result
        until(page, "document.querySelectorAll('#end .figure').length === 3")
        assert re.search(r"Without it you win \d+ %", page.inner_text("#end .figures")), "a chance is never negative"
        assert page.get_by_role("button", name="Review", exact=True).is_visible()
        assert page.get_by_role("button", name="New game", exact=True).is_visible()
        page.goto(f"{server.url}/learn")
        until(page, "document.getElementById('sum').textContent.startsWith('1 of ')")
