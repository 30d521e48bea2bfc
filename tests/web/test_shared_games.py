"""A game that is over, and a whole match, given to others: what they see of it, and a link that holds all of it."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from tests.web.browsing import SURELY_WON, sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, create, some_line

import fullprime as fp
from fullprime.formats import Document, read, write

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
MATCH_LINK = "async (bytes) => (await import('/static/parts/match-link.js')).toFragment(new Uint8Array(bytes))"
"""The link of a match whose file has these bytes; a number stands for as many zeros."""
OPENED = """async (fragment) => {
  const { fromFragment } = await import('/static/parts/match-link.js');
  return fromFragment(fragment).then((bytes) => [...bytes], (error) => error.message);
}"""


def finished(client: httpx.Client, **agreed: Any) -> Seat:
    """The seat of a game against a bot, won from a position in which three checkers are left."""
    seat, _ = create(client, bot="random", rules={"length": 1}, position=SURELY_WON, **agreed)
    chance = random.Random(1)
    for _ in range(400):
        state = seat.state
        if state["status"] == "over":
            return seat
        if any(word != "resign" for word in state["legal_actions"]):
            seat.act(some_line(state, chance), sequence=state["sequence"])
    raise AssertionError("the game did not end")


def shared(page: Any, seat: Seat) -> str:
    """The link that the end of a game offers, once its picture is drawn."""
    sit(page, seat)
    page.locator('[data-act="share"]').click()
    until(page, "document.querySelector('#dialog .shared-picture')?.naturalWidth === 1200")
    return str(page.locator("#invite").input_value())


@pytest.mark.broad
def test_a_match_to_25_points_is_a_link_of_six_kilobytes(browser: Any, warm_server: Server) -> None:
    """And comes out of it as it was; what was damaged on its way, or would fill the memory, is refused."""
    match = fp.play_match("heuristic", "heuristic", length=25, seed="25")
    file = write(Document(match), "sgf")[0]
    with window(browser) as page:
        page.goto(f"{warm_server.url}/review")
        fragment = page.evaluate(MATCH_LINK, list(file))
        assert len(f"https://backgammon.example.org/review{fragment}") <= 6000
        assert bytes(page.evaluate(OPENED, fragment)) == file
        other = "A" if fragment[900] != "A" else "B"
        for damaged in (
            fragment[:-40],
            f"{fragment[:900]}{other}{fragment[901:]}",
            "#match=",
            "#match=%",
            "#match=AAAA",
        ):
            assert "is damaged" in page.evaluate(OPENED, damaged)
        bomb = page.evaluate(MATCH_LINK, 500_000)
        assert len(bomb) < 1000
        assert page.evaluate(OPENED, bomb) == "The match in this link is too large."
        page.goto(f"{warm_server.url}/review{fragment[:-40]}")
        page.get_by_role("alert").get_by_text("is damaged").wait_for()
        assert page.locator("#send").is_visible()


@pytest.mark.broad
def test_a_private_game_is_shared_by_its_last_decision_and_its_moves(browser: Any, warm_server: Server) -> None:
    """Its address is not given away: strangers could not look at it. The review opens the link with the match."""
    with httpx.Client(base_url=warm_server.url, timeout=60) as client:
        seat = finished(client, spectators=False)
        record = client.get(f"/api/games/{seat.game}/record?format=sgf", headers=seat.headers).content
    with window(browser) as page:
        link = urlsplit(shared(page, seat))
        assert link.path == "/analysis"
        fields = parse_qs(link.query)
        assert fields["play"]
        assert seat.game not in page.locator("#dialog #embed").input_value()
        page.get_by_role("button", name="Link with the whole match").click()
        address = page.locator("#match-link").input_value()
        assert len(address) < 1000
        page.goto(link.geturl())
        page.locator("#board .arrow").first.wait_for()
        page.goto(address)
        page.wait_for_url("**/board*", timeout=60_000)
        page.locator("button.ply").first.wait_for()
        review = urlsplit(page.url).path.split("/")[2]
        page.locator("#share").click()
        page.get_by_role("button", name="Link with the whole match").click()
        again = page.evaluate(OPENED, "#" + urlsplit(page.locator("#match-link").input_value()).fragment)
    assert read(bytes(again)).documents[0].match.games == read(record).documents[0].match.games
    judged = httpx.get(f"{warm_server.url}/api/reviews/{review}/1/file?format=sgf", timeout=60).content
    assert b"]A[" in judged
    assert b"]A[" not in bytes(again), "the link has the match alone"


def test_a_game_that_all_may_watch_is_shared_by_its_address_and_a_match_too_long_as_a_file(
    browser: Any, warm_server: Server
) -> None:
    with httpx.Client(base_url=warm_server.url, timeout=60) as client:
        seat = finished(client)
    with window(browser) as page:
        page.route("**/record?*", lambda route: route.fulfill(body=random.Random(1).randbytes(6000)))
        assert urlsplit(shared(page, seat)).path == f"/game/{seat.game}"
        assert f"/picture/game/{seat.game}.png" in page.locator("#embed").input_value()
        page.get_by_role("button", name="Link with the whole match").click()
        page.get_by_text("The link would have 8.").wait_for()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the file").click()
        assert saved.value.path().stat().st_size == 6000
