"""The library in a real browser: files are added, what is found opens on the board, notes and studies are kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.library.test_judges import judged_twice
from tests.web.browsing import until, window
from tests.web.conftest import Server, chromium
from tests.web.test_review_page import MATCH
from tests.web.test_shared_games import OPENED

from fullprime.formats import write

BROKEN = """[...document.querySelectorAll('.figure td, .figure thead th')].filter((cell) => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  const tops = [...words.getClientRects()].map((line) => line.top);
  return Math.max(...tops) - Math.min(...tops) > 8;
}).map((cell) => cell.textContent)"""
"""Cells of tables whose words are broken over two lines."""
LETTERS = """Math.max(...[...document.querySelectorAll('svg.chart')].map((chart) =>
  parseFloat(getComputedStyle(chart.querySelector('text')).fontSize)
  * chart.getBoundingClientRect().width / chart.viewBox.baseVal.width))"""
"""Pixels of the largest letters of the charts, as they are seen."""

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")


def _added(page: Any, server: Server, file: Path) -> int:
    """The number of a match that is added on the page."""
    page.goto(f"{server.url}/library")
    page.locator("#adding").wait_for()
    page.set_input_files("#files", str(file))
    page.get_by_text("1 new match").wait_for(timeout=120_000)
    listed = page.request.get(f"{server.url}/api/library/matches").json()["matches"]
    return int(max(listed_match["match"] for listed_match in listed))


@pytest.mark.broad
def test_from_a_file_to_a_study_on_the_pages(browser: Any, warm_server: Server, tmp_path: Path) -> None:
    """A folder's files go in as one archive; a decision is noted and collected; the study is answered."""
    names = ("Quentin Page", "Rosa Page")
    match = MATCH.replace(b"Ann", names[0].encode()).replace(b"Bob", names[1].encode())
    files = [tmp_path / "a.mat", tmp_path / "b.txt"]
    files[0].write_bytes(match)
    files[1].write_bytes(b"nothing")
    with window(browser, "desktop") as page:
        page.goto(f"{warm_server.url}/library")
        page.locator("#adding").wait_for()
        page.set_input_files("#files", [str(file) for file in files])
        page.get_by_text("1 new match, 0 files known already, 1 not read; 1 reviewed").wait_for(timeout=120_000)
        page.get_by_text("b.txt: not read").wait_for()
        page.get_by_label("Whose errors").fill("Rosa")
        page.get_by_label("Out of the last matches").fill("5")
        page.get_by_label("Costing at least").fill("0.02")
        page.get_by_label("Kind", exact=True).select_option("play")
        page.get_by_role("button", name="Make cards").click()
        until(page, "/^\\d+ new cards?, out of \\d+ reviewed match/.test(document.getElementById('kept').textContent)")
        assert not page.inner_text("#kept").startswith("0 "), "stored before it is said"
        page.goto(f"{warm_server.url}/library/player?player=Rosa")
        page.get_by_role("heading", name="Rosa Page: where one loses").wait_for()
        assert page.locator("svg.chart[role=img]").first.get_attribute("aria-label")
        assert page.locator("#charts table").count() >= 3, "a table stands behind each chart"
        rolls = page.locator("#charts th, #charts td").all_text_contents()
        assert [roll for roll in rolls if re.fullmatch(r"(against )?[1-6]-[1-6]", roll)], "throws as everywhere"
        assert [roll for roll in rolls if re.fullmatch(r"against [1-6]{2}", roll)] == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate(BROKEN) == [], "a figure stands in one line"
        page.set_viewport_size({"width": 768, "height": 1024})
        assert page.evaluate(LETTERS) < 18, "letters of a chart are no headlines"
        page.goto(f"{warm_server.url}/library/search?player=Rosa&score=0-0")
        page.locator("#boards a[href^='/library/match/']", has_text="Rosa").wait_for()
        assert page.inner_text("#found") == "1 match", "conditions of matches alone find matches"
        page.get_by_label("Lost at least, in points").fill("0.02")
        page.get_by_role("button", name="Search", exact=True).click()
        page.locator("#boards.boards a.open").first.wait_for()
        page.goto(f"{warm_server.url}/library/search?player=Rosa&loss=0.02")
        page.locator(".boards a.open").first.click()
        page.wait_for_url("**/analysis?**")
        page.locator("#notes-of", has_text="Notes on match").click()
        page.get_by_label("Note", exact=True).fill("why not hit?")
        page.get_by_role("button", name="☆ Star").click()
        page.get_by_role("button", name="★ Starred").wait_for()
        assert page.get_by_label("Note", exact=True).input_value() == "why not hit?", "the star takes no words away"
        with page.expect_response("**/api/library/marks"):
            page.get_by_role("button", name="Keep").click()
        page.get_by_label("Collection", exact=True).fill("Rosa's")
        page.get_by_role("button", name="Add to collection").click()
        page.get_by_text("Rosa's has 1 position.").wait_for()
        page.goto(f"{warm_server.url}/library/notes?text=not+hit")
        page.get_by_text("why not hit?").wait_for()
        page.goto(f"{warm_server.url}/library/collections?name=Rosa's")
        page.get_by_role("button", name="Share by a link").click()
        page.locator("#link:visible").wait_for()
        address = page.locator("#link").get_attribute("href")
        page.goto(f"{warm_server.url}{address}?quiz=yes")
        page.get_by_role("heading", name="1 of 1").wait_for()
        assert page.locator("#lines li").count() == 0, "a quiz shows nothing before the answer"
        assert page.inner_text("#facts").startswith("Match to 5: you need "), "what it depends on"
        page.locator("#quiz").uncheck()
        page.locator("#lines li").first.wait_for()
        page.get_by_role("button", name="Begin again").click()
        page.get_by_role("heading", name="1 of 1").wait_for()


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_matches_stand_before_the_forms(browser: Any, shared_server: Server, tmp_path: Path, size: str) -> None:
    """What is seen first is what was kept; the ways to add and to choose are one press away."""
    file = tmp_path / "first.mat"
    file.write_bytes(MATCH.replace(b"Ann", f"Fay {size}".encode()))
    with window(browser, size) as page:
        _added(page, shared_server, file)
        page.goto(f"{shared_server.url}/library")
        match = page.locator("#matches a").first
        match.wait_for()
        assert page.url == f"{shared_server.url}/library", "nothing is asked for, and nothing stands in the address"
        box = match.bounding_box()
        assert box["y"] + box["height"] <= page.viewport_size["height"]
        for form, word in (("#filter", "Only some of them"), ("#drop", "Add matches")):
            assert page.locator(form).is_hidden(), form
            page.get_by_text(word, exact=True).click()
            page.locator(form).wait_for()
        page.goto(f"{shared_server.url}/library?player=Fay")
        page.locator("#filter").wait_for()


def test_what_goes_for_good_is_asked_for_by_the_page_itself(
    browser: Any, shared_server: Server, tmp_path: Path
) -> None:
    """The browser's own box knows nothing of the language of the page, and Playwright dismisses it."""
    file = tmp_path / "gone.mat"
    file.write_bytes(MATCH.replace(b"Ann", b"Gus Gone"))
    question = "document.querySelector('#dialog[open]')"
    with window(browser) as page:
        number = _added(page, shared_server, file)
        api = f"{shared_server.url}/api/library"
        page.goto(f"{shared_server.url}/library/match/{number}")
        page.get_by_role("button", name="Forget this match").click()
        page.get_by_role("dialog", name="Forget this match?").wait_for()
        page.get_by_role("button", name="Cancel").click()
        until(page, f"!{question}")
        assert page.request.get(f"{api}/matches/{number}").ok
        page.get_by_role("button", name="Forget this match").click()
        page.get_by_role("button", name="Forget it").click()
        page.wait_for_url("**/library")
        assert page.request.get(f"{api}/matches/{number}").status == 404
        assert page.request.post(f"{api}/collections", data={"name": "Passing"}).ok
        page.goto(f"{shared_server.url}/library/collections?name=Passing")
        page.get_by_role("button", name="Remove this collection").click()
        page.get_by_role("dialog", name="Remove Passing?").wait_for()
        page.get_by_role("button", name="Remove it").click()
        page.wait_for_url("**/library/collections")
        assert page.request.get(f"{api}/collection?name=Passing").status == 404


def test_a_note_names_the_players_of_its_match(browser: Any, shared_server: Server, tmp_path: Path) -> None:
    file = tmp_path / "noted.mat"
    file.write_bytes(MATCH.replace(b"Ann", b"Nan Noted").replace(b"Bob", b"Nick Noted"))
    with window(browser) as page:
        number = _added(page, shared_server, file)
        marks = f"{shared_server.url}/api/library/marks"
        for place in (f"match {number}", f"match {number} game 1 event 2"):
            assert page.request.post(marks, data={"place": place, "note": "named"}).ok
        page.goto(f"{shared_server.url}/library/notes?text=named")
        names = "(Nan Noted \u2013 Nick|Nick Noted \u2013 Nan) Noted"
        page.get_by_role("link", name=re.compile(f"^{names}, game 1, move 1")).wait_for()
        page.get_by_role("link", name=re.compile(f"^{names}$")).click()
        page.get_by_role("heading", name=re.compile(names)).wait_for()


@pytest.mark.broad
def test_every_decision_of_two_judges_stands_on_the_page_of_the_match(
    browser: Any, warm_server: Server, tmp_path: Path
) -> None:
    file = tmp_path / "judged.json"
    file.write_bytes(write(judged_twice()[0], "json")[0])
    with window(browser, "phone") as page:
        number = _added(page, warm_server, file)
        page_of_judges = page.request.get(f"{warm_server.url}/api/library/matches/{number}/judges").json()
        assert page_of_judges["program"] == "Other 1.0"
        assert len(page_of_judges["judges"]) == page_of_judges["judged"] > 1
        page.goto(f"{warm_server.url}/library/match/{number}")
        page.get_by_role("heading", name="Two judges").wait_for()
        score = page.locator("#facts .whole")
        assert score.evaluate("(node) => getComputedStyle(node).whiteSpace") == "nowrap", "no line ends within a score"
        left = page.locator("main .card").first.locator("h1").bounding_box()["x"]
        first = page.locator(".actions :is(a, button):not([hidden])").first.bounding_box()["x"]
        assert abs(first - left) < 2, "on a phone the actions begin where the words do"
        label, list_, save = (
            page.locator(selector).bounding_box() for selector in ("[for=format]", "#format", "#save-file")
        )
        assert label["x"] == list_["x"], "the label stands above its list"
        assert 0 <= list_["y"] - label["y"] - label["height"] < 8
        assert abs(list_["y"] + list_["height"] / 2 - save["y"] - save["height"] / 2) < 2, "the button beside it"
        apart = sum(judge["difference"] > 0.05 for judge in page_of_judges["judges"])
        assert page.locator("#judge-list li").count() == apart
        page.get_by_text("Every decision with both verdicts").click()
        until(page, f"document.querySelectorAll('#every-judge li').length === {page_of_judges['judged']}")
        assert page.locator("#every-judge li", has_text="Other 1.0").count() == page_of_judges["judged"]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.broad
def test_the_name_of_a_collection_has_room_on_a_phone(browser: Any, shared_server: Server) -> None:
    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/analysis")
        page.get_by_text("Notes on this position").click()
        box = page.locator("input[list^=collections]").bounding_box()
        assert box["width"] >= 100
        assert page.get_by_role("button", name="Keep", exact=True).bounding_box()["height"] < 60


@pytest.mark.broad
def test_no_word_is_cut_where_a_position_is_drawn_on_a_phone(browser: Any, shared_server: Server) -> None:
    """Once the buttons stood in one line, and read "X che cker" and "Empt y boar d"."""
    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/library/search")
        page.get_by_text("Draw the position").click()
        for button in page.locator(".brushes button").all():
            assert button.bounding_box()["height"] < 60, button.inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.broad
def test_the_report_of_a_match_in_the_library_leads_to_the_analysis_board(
    browser: Any, warm_server: Server, tmp_path: Path
) -> None:
    """It has no buttons to save it or to have it judged again: its script must do without them."""
    file = tmp_path / "reported.mat"
    file.write_bytes(MATCH.replace(b"Ann", b"Rita Reported"))
    with window(browser) as page:
        number = _added(page, warm_server, file)
        page.goto(f"{warm_server.url}/library/match/{number}/report")
        page.locator(".id a").first.wait_for(state="attached")
        assert "variant=backgammon" in page.locator(".id a").first.get_attribute("href")


def test_a_match_without_a_review_is_shared_whole(browser: Any, shared_server: Server, tmp_path: Path) -> None:
    file = tmp_path / "shared.mat"
    file.write_bytes(MATCH.replace(b"Ann", b"Sue Shared"))
    with window(browser) as page:
        number = _added(page, shared_server, file)
        page.goto(f"{shared_server.url}/library/match/{number}")
        page.locator("#title").get_by_text("Sue Shared").wait_for()
        page.get_by_role("button", name="Share", exact=True).click()
        page.get_by_role("button", name="Link with the whole match").click()
        link = urlsplit(page.locator("#match-link").input_value())
        assert link.path == "/review"
        sent = bytes(page.evaluate(OPENED, f"#{link.fragment}"))
        kept = page.request.get(f"{shared_server.url}/api/library/matches/{number}/file?format=sgf&analysis=no").body()
    assert b"Sue Shared" in kept
    assert sent == kept
