"""Two people play again from the pages of the game that is over, each in a browser of their own."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.web.browsing import sit, wait_until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, friends
from tests.web.test_review_page import TOO_WIDE, axe_finds_nothing, fits

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")


@pytest.mark.broad
def test_both_come_to_the_new_board_with_their_seats(browser: Any, shared_server: Server) -> None:
    """The wish of one is seen by the other; who agrees last takes both along, and a reload keeps the seat."""
    with (
        httpx.Client(base_url=shared_server.url, timeout=60) as client,
        window(browser, viewport={"width": 768, "height": 1024}) as tablet,
        window(browser, "phone") as phone,
    ):
        host, guest = friends(client, ("Rita", "Ron"), rules={"length": 1})
        sit(tablet, host)
        sit(phone, guest)
        turn, other = (host, guest) if host.state["turn"] == "X" else (guest, host)
        turn.does("resign")
        other.does("accept")
        buttons = [page.get_by_role("button", name="Rematch") for page in (tablet, phone)]
        for page, button in zip((tablet, phone), buttons, strict=True):
            button.wait_for()
            button.scroll_into_view_if_needed()
            assert fits(page), page.evaluate(TOO_WIDE)
            axe_finds_nothing(page)
        given_up = phone if turn is guest else tablet
        given_up.get_by_text("Your errors were with resigning: Review has them.").wait_for()
        buttons[0].click()
        tablet.get_by_role("button", name="Rematch offered").wait_for()
        phone.get_by_role("button", name="Accept the rematch").click()
        for page in (tablet, phone):
            wait_until(page, lambda page=page: "/game/" in page.url and host.game not in page.url)
            page.locator(".checker").first.wait_for()
            page.reload()
            page.locator(".checker").first.wait_for()
        assert tablet.url == phone.url
        rematch = tablet.url.rpartition("/")[2]
        for seat, side in ((host, "X"), (guest, "O")):
            assert Seat(client, rematch, seat.key).state["you"] == side
