"""What comes late moves nothing on a page, because its room is kept: layout shifts, as the browser counts them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.browsing import sit, wait_until, window
from tests.web.conftest import chromium
from tests.web.seat import Seat
from tests.web.test_boards import shared_study
from tests.web.test_budget import NOTE_INPUT

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_nothing_shifts_when_advice_opens(browser: Any, seat: Seat, size: str) -> None:
    """Only the column of advice changes when it is asked for; nothing at all when the answer comes, seconds later."""
    seat.does("roll")
    with window(browser, size) as page:
        page.add_init_script(NOTE_INPUT)
        sit(page, seat)
        page.locator(".checker.movable").first.wait_for()
        page.locator("[data-act=hint]:enabled").wait_for()
        held: list[Any] = []
        page.route("**/hint", lambda route: held.append(route))
        page.evaluate("window.shifts.length = 0")
        page.locator("[data-act=hint]").click()
        page.get_by_text("The engine is thinking").wait_for()
        assert shifted(page, "!inside") == []
        page.evaluate("window.shifts.length = 0")
        wait_until(page, lambda: held)
        held[0].continue_()
        page.locator("#advice-body table button").first.wait_for()
        assert shifted(page, "true") == []


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_nothing_moves_when_the_board_is_drawn(browser: Any, seat: Seat, size: str) -> None:
    """Its room is kept: what has moved when it stands is less than half of what counts as good (0.1)."""
    with window(browser, size) as page:
        page.add_init_script(NOTE_INPUT)
        sit(page, seat)
        moved = shifted(page, "true")
        assert sum(value for value, *_ in moved) < 0.05, moved


STILL = ("/", "/analysis", "/real", "/house", "/lab?variant=hypergammon", "/rules?variant=dutch", "/lobby", "/account",
         "/learn", "/learn/primes", "/drill", "/drill/pips", "/drill/equities", "/drill/cards", "/library",
         "/reference")  # fmt: skip
"""Places that fill themselves when the server has answered, besides a game and its score card."""
THERE = {
    "/": "#family .tile", "/analysis": "#answer table", "/rules": "#sections svg", "/lobby": "option",
    "/learn": "main ol li", "/learn/primes": "#say p", "/drill": "#trainers li", "/drill/pips": ".checker",
    "/drill/equities": "#method p", "/drill/cards": ".board .checker", "/study": "#board .checker",
    "/library": "#mistakes:not([hidden])", "/reference": "#positions svg",
}  # fmt: skip
"""What the last answer brings; an option of a list elsewhere."""


@pytest.mark.broad
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 800)])
def test_nothing_moves_when_a_page_is_filled(browser: Any, seat: Seat, size: tuple[int, int]) -> None:
    """The room of what the server is about to tell is kept, so that nobody presses what has just moved away."""
    home, faults = str(seat.client.base_url).rstrip("/"), {}
    with window(browser, "phone", viewport={"width": size[0], "height": size[1]}) as page:
        page.add_init_script(NOTE_INPUT)
        for place in (*STILL, f"/study/{shared_study(seat.client)}", f"/game/{seat.game}/card#key={seat.key}"):
            page.goto("about:blank")
            page.goto(home + place)
            usual = "main [role=status]:not(:empty), main option, main h1"
            route = "/study" if place.startswith("/study/") else place.partition("?")[0]
            page.locator(THERE.get(route, usual)).first.wait_for(state="attached")
            moved = shifted(page, "true")
            if sum({value for value, *_ in moved}) > 0.05:  # one value for all that an event of the browser moved
                faults[place] = moved
    assert faults == {}


def shifted(page: Any, which: str) -> list[Any]:
    """What has moved without being asked, by the browser's count, once it has drawn what is there."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    return list(page.evaluate(f"window.shifts.filter(([, , inside]) => {which})"))
