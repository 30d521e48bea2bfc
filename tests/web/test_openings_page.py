"""The opening explorer and the reference positions: over HTTP, and their pages in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from typing import Any

import httpx
import pytest
from tests.web.browsing import window
from tests.web.conftest import Server, chromium

TOO_WIDE = "document.documentElement.scrollWidth <= innerWidth"
in_browser = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        yield client


def test_a_roll_has_its_plays_with_intervals_and_leads_to_the_replies(client: httpx.Client) -> None:
    first = client.get("/api/openings/backgammon").json()
    assert (first["source"], len(first["rolls"])) == ("rolls", 15)
    assert all(0 < roll["half"] < 0.006 for roll in first["rolls"]), "± 0.005 for money"
    there = client.get("/api/openings/backgammon", params={"step": "31"}).json()
    best = there["plays"][0]
    assert (there["source"], best["play"], best["arrows"]) == ("book", "8/5 6/5", [[8, 5], [6, 5]])
    assert there["trials"] >= 324
    replies = client.get("/api/openings/backgammon", params={"step": best["step"], "score": "gammon-go"}).json()
    assert len(replies["rolls"]) == 21
    assert "a gammon against you loses" in replies["about"], "the reply is the other side's"
    assert replies["board"]["points"]["O"][5] == 2, "the point that was made"


def test_where_the_book_has_nothing_search_answers_and_says_so(client: httpx.Client) -> None:
    line = {"step": ["64:24/23 13/7", "55"], "score": "2-away"}
    answer = client.get("/api/openings/nackgammon", params=line)
    assert answer.status_code == 400, "no play of 64"
    line["step"] = ["64:24/14", "55"]
    answer = client.get("/api/openings/nackgammon", params=line).json()
    assert (answer["source"], answer["trials"], answer["plays"][0]["half"]) == ("search", None, None)
    assert "Search" in answer["way"]


@pytest.mark.broad
@pytest.mark.parametrize(
    ("game", "query"),
    [
        ("chess", {}),
        ("backgammon", {"score": "7-away"}),
        ("backgammon", {"step": "11"}),
        ("backgammon", {"step": "97"}),
        ("backgammon", {"step": ["31"] * 9}),
        ("acey_deucey", {"score": "dmp"}),
        ("backgammon", {"step": "31:24/1"}),
    ],
)
def test_lines_that_cannot_be_are_refused_in_a_sentence(client: httpx.Client, game: str, query: dict[str, str]) -> None:
    answer = client.get(f"/api/openings/{game}", params=query)
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]
    page = client.get(f"/openings/{game}", params=query)
    assert page.status_code in (404, 422)
    assert "<h1" in page.text or game == "chess", "the page says it itself"


def test_addresses_have_a_picture_of_the_best_play(client: httpx.Client) -> None:
    page = client.get("/openings/backgammon", params={"step": "31", "score": "dmp"}).text
    assert "Backgammon, double match point: 3-1, to play" in page
    assert "Best: 8/5 6/5" in page
    picture = unescape(page.split('og:image" content="', 1)[1].split('"', 1)[0]) if "og:image" in page else None
    if picture is not None:
        assert client.get(picture).headers["content-type"] == "image/png"
    positions = [position for theme in client.get("/api/reference").json()["themes"] for position in theme["positions"]]
    assert "double, or roll?" in client.get("/reference", params={"name": positions[0]["name"]}).text


@pytest.mark.broad
@in_browser
def test_one_clicks_from_the_first_roll_to_the_replies(browser: Any, shared_server: Server) -> None:
    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/openings/backgammon?score=dmp")
        page.locator("#answer tr").nth(4).wait_for()
        fourth = page.locator("#answer tr").nth(4).bounding_box()
        assert fourth["y"] + fourth["height"] <= 844, "the book begins in the first screen"
        page.get_by_role("link", name="Game and score").click()
        assert 0 <= page.locator("#game").bounding_box()["y"] < 844 - 40
        page.get_by_role("link", name="Roll 3-1").click()
        first = page.locator("tr[data-place='0']")
        first.wait_for()
        assert "±" in first.inner_text()
        assert page.locator(".arrow").count() == 2
        first.get_by_role("link").click()
        page.locator(".rolls-next tbody tr").nth(20).wait_for()
        assert page.evaluate(TOO_WIDE)
        assert page.locator("#line li").count() == 2
        page.get_by_role("link", name="Reference positions").click()
        page.locator("svg.mini").first.wait_for()
        assert page.evaluate(TOO_WIDE)


CUT = """() => {
  const pen = document.createElement('canvas').getContext('2d'), arrow = 18;
  return [...document.querySelectorAll('select')].flatMap((list) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(list);
    pen.font = font;
    const room = list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
    const cut = [...list.options].filter((option) => list.offsetWidth && pen.measureText(option.text).width > room + 1);
    return cut.map((option) => `${list.id}: ${option.text}`);
  });
}"""
"""The words of lists that have no room for them."""


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
@pytest.mark.parametrize("place", ["/openings", "/analysis"])
def test_no_list_cuts_its_words_on_a_phone(browser: Any, shared_server: Server, place: str) -> None:
    with window(browser, "phone") as page:
        page.goto(shared_server.url + place)
        page.locator("select option").nth(5).wait_for(state="attached")
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert page.evaluate(CUT) == []


@pytest.mark.broad
@in_browser
def test_plays_by_search_tell_their_depth_and_two_depths_are_not_compared_without_a_word(
    browser: Any, client: httpx.Client
) -> None:
    with window(browser, "phone") as page:
        page.goto(f"{client.base_url}/openings/nackgammon?score=2-away&step=64:24/14&step=55")
        page.locator("#answer tbody a").first.wait_for()
        rows = page.locator("#answer tr[data-place]").all_inner_texts()
        assert all(row.split()[-1] in ("static", "1-ply", "2-ply") for row in rows), rows
        depths = [row.split()[-1] for row in rows]
        heads = page.locator("#answer .depth-head").all_inner_texts()
        assert len(heads) == (len(set(depths)) if len(set(depths)) > 1 else 0), (heads, depths)
        assert len(set(depths)) > 1, "this one was chosen since the plays were looked at differently far"
        assert [("≈" in row) for row in rows] == [depth != depths[0] for depth in depths]
        assert "≈ compares two depths" in page.inner_text("#answer")
        assert page.evaluate(TOO_WIDE)
