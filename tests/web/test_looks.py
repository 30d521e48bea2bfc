"""The opener's choice of colour and side, at the online table: by whom, when, and as both see it."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.web.browsing import sit, window
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, friends

from fullprime.play.off_board import LOOKS

DARK = {"colour": "dark", "home": "left"}


def begun(client: httpx.Client, **agreed: Any) -> tuple[Seat, Seat, str]:
    """The opener, the other one, and the opener's side."""
    seats = dict(zip("XO", friends(client, rules={"length": 3}, **agreed), strict=True))
    side = str(seats["X"].state["chooser"])
    return seats[side], seats["XO".replace(side, "")], side


def test_the_winner_of_the_opening_throw_chooses_before_the_first_play_and_nobody_else(shared_server: Server) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        opener, rival, side = begun(client)
        assert opener.state["look"] is None
        refused = rival.post("look", DARK)
        assert (refused.status_code, "chooses" in refused.json()["error"]) == (403, True)
        assert Seat(client, opener.game, None).post("look", DARK).status_code == 403
        assert opener.post("look", {"colour": "green", "home": "left"}).status_code == 422
        assert opener.post("look", DARK).status_code == 204
        assert opener.post("look", DARK).status_code == 204, "once more is no harm"
        frame = rival.get()
        assert frame["state"]["look"] == {"by": side, **DARK}
        name = frame["state"]["names"]["XO".index(side)]
        texts = [event["text"] for event in frame["events"] if event["kind"] == "info"]
        assert texts.count(f"{name} chooses the dark checkers, and has the home board on the left") == 1
        light = {"colour": "light", "home": "left"}
        turned = [opener.post("look", look).status_code for look in (light, DARK) * LOOKS]
        assert turned[: LOOKS - 1] == [204] * (LOOKS - 1)
        assert set(turned[LOOKS - 1 :: 2]) == {400}, "a board that never comes to rest cannot be read"
        chosen = rival.state["look"]
        opener.does(opener.state["plays"][0])
        assert rival.state["chooser"] is None
        late = opener.post("look", {"colour": "light", "home": "left"})
        assert (late.status_code, late.json()["error"]) == (400, "the opener chooses before the first play")
        assert rival.state["look"] == chosen


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_both_see_the_colours_and_sit_opposite_unless_a_browser_shows_it_its_own_way(
    shared_server: Server, browser: Any
) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client, window(browser, "phone") as page:
        opener, rival, side = begun(client, variant="acey_deucey")
        sit(page, opener)
        home = "document.body.classList.contains('mirrored')"
        colour = "document.querySelector('#player-bottom .chip').classList.contains('x') ? 'light' : 'dark'"
        assert page.evaluate(colour) == ("light" if side == "X" else "dark")
        page.get_by_role("button", name="Choose the table").click()
        other = "dark" if side == "X" else "light"
        page.get_by_label("Your checkers").select_option(other)
        page.get_by_label("Table to enter on").select_option("left")
        page.get_by_role("button", name="So it is").click()
        page.get_by_role("log").get_by_text(
            f"chooses the {other} checkers, and enters on the table on the left"
        ).wait_for()
        assert (page.evaluate(colour), page.evaluate(home)) == (other, True)
        mine, theirs = ("o", "x") if other == "dark" else ("x", "o")
        assert page.locator(f".checker.{mine}").count() == page.locator(f".checker.{theirs}").count() == 15
    with httpx.Client(base_url=shared_server.url, timeout=60), window(browser, "phone") as page:
        sit(page, rival)
        assert page.get_by_role("button", name="Choose the table").count() == 0
        assert (page.evaluate(colour), page.evaluate(home)) == ("light" if other == "dark" else "dark", False)
        page.evaluate("localStorage.setItem('fullprime.preferences', JSON.stringify({agreed: false}))")
        page.reload()
        page.locator(".checker").first.wait_for()
        assert page.evaluate(colour) == ("dark" if side == "X" else "light")
