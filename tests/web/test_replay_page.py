"""A reviewed match on the board: every ply of it, by keys, wheel and finger, and other plays tried in its place."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.browsing import until, wait_until, window
from tests.web.conftest import Server, chromium
from tests.web.test_review_page import MATCH, TOO_WIDE, axe_finds_nothing, fits

in_browser = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
NUMBER = "document.querySelector('#ply-title .hint')?.textContent.trim()"
BOTTOM = "document.querySelector('#player-bottom .name').textContent"


@pytest.fixture(scope="module")
def review(warm_server: Server) -> str:
    """The address of the board of a match that was reviewed."""
    with httpx.Client(base_url=warm_server.url, timeout=120) as client:
        return f"{warm_server.url}/review/{reviewed(client, MATCH)}/1/board"


def reviewed(client: httpx.Client, data: bytes, name: str = "match.mat") -> str:
    job_answer = client.post("/api/reviews", params={"name": name, "level": "fast"}, content=data)
    job = str(job_answer.raise_for_status().json()["id"])
    assert '"state": "done"' in client.get(f"/api/analysis/jobs/{job}/stream").text
    return job


def two_matches() -> bytes:
    """An archive of two files."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        for name in ("a.mat", "b.mat"):
            out.writestr(name, MATCH)
    return archive.getvalue()


def plies_of(client: httpx.Client, data: bytes) -> list[dict[str, Any]]:
    return list(client.get(f"/api/reviews/{reviewed(client, data)}/1/plies").raise_for_status().json()["plies"])


def drag(page: Any, source: str, target: str) -> None:
    """Drag the checker of a place to another."""
    middles = []
    for spot in (source, target):
        box = page.locator(f'[data-spot="{spot}"]').bounding_box()
        middles.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    page.mouse.move(*middles[0])
    page.mouse.down()
    page.mouse.move(*middles[1], steps=8)
    page.mouse.up()


def test_every_ply_is_told_also_one_against_the_rules(warm_server: Server) -> None:
    """Plays, doubles and their answers in the order of the record; what was not judged has no verdict."""
    with httpx.Client(base_url=warm_server.url, timeout=120) as client:
        plies = plies_of(client, MATCH)
    assert [(ply["number"], ply["kind"]) for ply in plies[:6]] == [
        ("1.1", "play"), ("1.2", "play"), ("1.3", "play"), ("1.4", "double"), ("1.4", "take"), ("1.4", "play"),
    ]  # fmt: skip
    wrong = next(ply for ply in plies if ply["kind"] == "illegal")
    assert wrong["dice"] == [5, 4]
    assert wrong["verdict"] is None
    first = plies[0]
    assert first["text"] == "8/5 6/5"
    assert first["points"]["O"][8] == 3, "the board is that before the play"
    assert {ply["game"] for ply in plies} == {1, 2}


def test_one_ply_has_its_board_and_its_judgement(warm_server: Server) -> None:
    with httpx.Client(base_url=warm_server.url, timeout=120) as client:
        job = reviewed(client, MATCH)
        plies = client.get(f"/api/reviews/{job}/1/plies").json()["plies"]
        worst = max(plies, key=lambda ply: ply["loss"] or 0)
        detail = client.get(f"/api/reviews/{job}/1/plies/{worst['game']}/{worst['event']}").json()
        assert detail["decision"]["reason"]
        assert detail["decision"]["options"][detail["decision"]["chosen"]]["text"] == worst["text"]
        assert detail["board"]["tree"]["steps"]
        wrong = next(ply for ply in plies if ply["kind"] == "illegal")
        assert client.get(f"/api/reviews/{job}/1/plies/1/{wrong['event']}").json()["decision"] is None
        assert client.get(f"/api/reviews/{job}/1/plies/3/1").is_client_error
        assert client.get(f"/api/reviews/{job}/1/plies/1/99").is_client_error
        assert client.get("/api/reviews/guessed/1/plies").status_code == 404


@in_browser
def test_a_match_is_gone_through_by_keys_and_the_side_stays_at_the_bottom(browser: Any, review: str) -> None:
    """It opens with the costliest error; arrows go on and back, up and down to the errors; only V turns the board."""
    with window(browser) as page:
        page.goto(review)
        page.locator("#options table").wait_for()
        assert page.evaluate(NUMBER) == "1.8", "6/5 6/3 costs most"
        assert page.locator('button.ply[aria-current="true"] .mark').inner_text() == "??"
        bottom = page.evaluate(BOTTOM)
        page.keyboard.press("ArrowRight")
        until(page, f"{NUMBER} === '1.9'")
        assert page.evaluate(BOTTOM) == bottom
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        until(page, f"{NUMBER} === '1.7'")
        page.keyboard.press("v")
        assert page.evaluate(BOTTOM) != bottom
        page.keyboard.press("End")
        until(page, f"{NUMBER} === '2.5'")
        page.keyboard.press("Home")
        until(page, f"{NUMBER} === '1.1'")
        page.locator("#whose").select_option(label="Bob")
        page.locator("#ply-title").focus()
        page.keyboard.press("n")
        until(page, f"{NUMBER} === '1.4'")
        page.reload()
        until(page, f"{NUMBER} === '1.4'")


@in_browser
def test_another_play_is_tried_on_the_board_and_judged(browser: Any, review: str) -> None:
    with window(browser) as page:
        page.goto(review)
        page.locator("#options table").wait_for()
        arrows = page.locator("#board .arrow").count()
        page.get_by_role("button", name="24/23* 7/4", exact=True).click()
        assert page.locator("#board .arrow.blunder, #board .arrow.error").count()
        assert page.locator("#board .arrow").count() >= arrows - 2
        for source, target in ((24, 21), (2, 1)):
            page.locator(f'[data-spot="X{source}"]').press("Enter")
            page.locator(f'[data-spot="X{target}"]').press("Enter")
        page.locator("[data-act=done]").click()
        page.get_by_text("You tried: 24/21* 2/1* is right.").wait_for()
        page.locator("[data-act=error]").wait_for()
        assert page.locator("[data-act=done]").is_hidden(), "the way on is the one main action"
        page.locator("[data-act=undo]").click()
        page.locator("[data-act=undo]").click()
        page.locator("[data-act=forward]").wait_for()
        page.locator("#share").click()
        picture = page.locator("#dialog .shared-picture")
        picture.wait_for()
        until(page, "document.querySelector('#dialog .shared-picture').naturalWidth === 1200")
        fields = str(picture.get_attribute("src")).partition("?")[2]
        assert page.locator("#to-board").get_attribute("href") == f"/analysis?{fields}"


@pytest.mark.broad
@in_browser
def test_a_shared_position_is_shown_by_another_page(browser: Any, review: str, tmp_path: Path) -> None:
    """The line of HTML alone, on a page of another origin: the picture is seen, and leads to the analysis board."""
    with window(browser) as page:
        page.goto(review)
        page.locator("#share").click()
        line = page.locator("#embed").input_value()
        elsewhere = tmp_path / "blog.html"
        elsewhere.write_text(f"<!doctype html><title>A blog</title><p>Look:</p>{line}", encoding="utf-8")
        page.goto(elsewhere.as_uri())
        wait_until(
            page,
            lambda: page.evaluate("document.querySelector('img').naturalWidth") == 1200,
            lambda: line,
        )
        assert page.locator("img").bounding_box()["width"] == 600
        assert page.locator("img").get_attribute("alt")
        page.locator("a").click()
        page.wait_for_url("**/analysis?**")
        page.locator(".checker").first.wait_for()


@pytest.mark.broad
@in_browser
def test_the_other_action_with_the_cube_is_tried_and_judged(browser: Any, review: str) -> None:
    """Also the double before a roll, which stands in no list when not to double was right.

    The engine judges one that the review did not; what it says later than a play that is made instead is not shown.
    """
    place = review.replace("/review/", "/api/reviews/").removesuffix("/board")
    with window(browser) as page:
        for ply, event, action in (("1.12", 11, "Redouble"), ("1.7", 7, "No double"), ("1.8", 8, "Drop")):
            options = httpx.get(f"{place}/plies/1/{event}", timeout=60).json()["decision"]["options"]
            option = next(one for one in options if one["text"] == action.lower())
            page.goto(f"{review}?ply={ply}")
            page.locator("#try-cube").click()
            words = f"loses {option['loss']:.3f}." if option["loss"] else "is right."
            page.get_by_text(f"You tried: {action} {words}").wait_for()
            assert f"{abs(option['equity']):.3f}." in page.locator("#tried").inner_text()
        axe_finds_nothing(page)
        page.locator("[data-act=undo]").click()
        page.locator("#try-cube").wait_for()
        assert page.locator("#tried").inner_text() == ""
        page.goto(f"{review}?ply=1.4")
        page.locator("#try-cube").click()
        page.get_by_text("You tried: Double loses 0.").wait_for()
        assert "Proper action: no double, take." in page.locator("#tried").inner_text()
        page.locator("[data-act=undo]").click()
        waiting: list[Any] = []
        page.route("**/api/analysis/jobs", lambda route: waiting.append(route))
        with page.expect_request("**/api/analysis/jobs"):
            page.locator("#try-cube").click()
        drag(page, "X24", "X18")
        page.locator("[data-act=done]").wait_for()
        with page.expect_event("requestfinished"):
            waiting[0].continue_()
        assert page.locator("#tried").inner_text() == ""
        page.unroute("**/api/analysis/jobs")
        page.locator("[data-act=done]").click()
        page.get_by_text("You tried: 24/18 loses").wait_for()
        page.locator("[data-act=undo]").click()
        page.locator("[data-act=undo]").click()
        page.locator("#try-cube").click()
        page.get_by_text("You tried: Double loses 0.").wait_for()
        drag(page, "X24", "X18")
        page.locator("[data-act=done]").wait_for()
        assert page.locator("#tried").inner_text() == ""
        page.locator("[data-act=undo]").click()
        page.locator("[data-act=undo]").click()
        page.keyboard.press("Home")
        until(page, f"{NUMBER} === '1.1'")
        page.locator("#why p").first.wait_for()
        assert page.locator("#try-cube").is_hidden(), "nobody can double before the first play"


@in_browser
def test_wheel_and_swipe_go_ply_by_ply(browser: Any, review: str) -> None:
    with window(browser, "phone") as page:
        page.goto(review)
        page.locator("#options table").wait_for()
        box = page.locator("#board .board").bounding_box()
        middle = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + 100, middle)
        page.mouse.wheel(0, 120)
        until(page, f"{NUMBER} === '1.9'")
        session = page.context.new_cdp_session(page)
        for kind, x in (("touchStart", 60), ("touchMove", 120), ("touchMove", 220)):
            points = [{"x": box["x"] + x, "y": middle}]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        until(page, f"{NUMBER} === '1.8'")


@pytest.mark.broad
@in_browser
def test_luck_graph_and_summary_are_one_tab_away(browser: Any, review: str) -> None:
    """By keys, too; ply is sound for readers of the screen, and nothing is wider than the screen."""
    with window(browser, "phone") as page:
        page.goto(review)
        page.locator("#options table").wait_for()
        assert fits(page), page.evaluate(TOO_WIDE)
        axe_finds_nothing(page)
        page.get_by_role("tab", name="Moves").focus()
        tabs = {"Luck": "#panel p", "Graph": "#panel svg", "Notes": "#panel > button", "Summary": "#panel table"}
        for name, there in tabs.items():
            page.keyboard.press("ArrowRight")
            page.locator(there).first.wait_for()
            assert page.get_by_role("tab", name=name).get_attribute("aria-selected") == "true"
            axe_finds_nothing(page)
            assert fits(page), page.evaluate(TOO_WIDE)
        page.get_by_role("link", name="Drill the errors of Bob").click()
        page.wait_for_url("**/mistakes?**")


@in_browser
def test_a_match_of_the_library_is_on_the_board(browser: Any, warm_server: Server, sample_ids: dict[str, str]) -> None:
    with window(browser) as page:
        page.goto(f"{warm_server.url}/library/match/{sample_ids['match']}")
        page.get_by_role("link", name="On the board", exact=True).click()
        page.locator("button.ply").first.wait_for()
        page.locator("#why p").first.wait_for()
        page.get_by_role("tab", name="Summary").click()
        page.get_by_role("link", name="The report: themes, every board, saving").click()
        page.wait_for_url("**/report")
        assert httpx.get(f"{warm_server.url}/library/match/999999/board", timeout=60).status_code == 404


@pytest.mark.broad
@in_browser
def test_the_matches_of_a_file_lead_to_each_other(browser: Any, warm_server: Server) -> None:
    with httpx.Client(base_url=warm_server.url, timeout=120) as client:
        job = reviewed(client, two_matches(), "two.zip")
    with window(browser) as page:
        page.goto(f"{warm_server.url}/review/{job}/1/board")
        page.get_by_text("Match 1 of 2").wait_for()
        assert page.get_by_role("link", name="The match before").count() == 0
        page.get_by_role("link", name="The next match").click()
        page.get_by_text("Match 2 of 2").wait_for()
        assert page.get_by_role("link", name="The match before").get_attribute("href") == f"/review/{job}/1/board"
        axe_finds_nothing(page)


@pytest.mark.broad
@in_browser
def test_a_note_stands_at_its_ply(browser: Any, warm_server: Server, sample_ids: dict[str, str]) -> None:
    """It is kept at the event of the match, and is seen in the list."""
    address = f"{warm_server.url}/library/match/{sample_ids['match']}/board"
    with window(browser) as page:
        page.goto(f"{address}?ply=1.2")
        page.locator("#why p").first.wait_for()
        assert page.locator('button.ply[aria-current="true"] .noted').count() == 0
        page.get_by_role("tab", name="Notes").click()
        page.get_by_role("textbox", name="Note", exact=True).fill("Slot here?")
        page.get_by_role("textbox", name="Tags, with commas between them").fill("early game")
        page.locator("[data-act=forward]").click()
        until(page, "document.querySelector('#panel textarea')?.value === ''")
        page.locator("[data-act=back]").click()
        until(page, "document.querySelector('#panel textarea')?.value === 'Slot here?'")
        page.get_by_text("Not kept yet.").wait_for()
        page.get_by_role("button", name="Keep", exact=True).click()
        page.get_by_text("Kept.").wait_for()
        axe_finds_nothing(page)
        page.locator("[data-act=forward]").click()
        until(page, "document.querySelector('#panel textarea')?.value === ''")
        page.locator("[data-act=back]").click()
        until(page, "document.querySelector('#panel textarea')?.value === 'Slot here?'")
        page.get_by_role("tab", name="Moves").click()
        page.locator('button.ply[aria-current="true"] .noted').wait_for()
    marks = httpx.get(f"{warm_server.url}/api/library/marks", params={"tag": "early game"}, timeout=60).json()["marks"]
    assert [(mark["game"], mark["event"], mark["note"]) for mark in marks] == [(1, 2, "Slot here?")]


@pytest.mark.broad
@in_browser
def test_a_review_goes_into_the_library_for_its_notes_without_the_file(browser: Any, warm_server: Server) -> None:
    """The server has the match already: it is not asked for again, and the notes of the ply are open afterwards."""
    fresh = MATCH.replace(b"31: 8/5 6/5 ", b"53: 8/3 6/3 ").replace(b"Ann", b"Nora").replace(b"Bob", b"Olaf")
    with httpx.Client(base_url=warm_server.url, timeout=120) as client:
        job = reviewed(client, fresh)
    with window(browser) as page:
        page.goto(f"{warm_server.url}/review/{job}/1/board?ply=1.2")
        page.locator("#why p").first.wait_for()
        page.get_by_role("tab", name="Notes").click()
        page.get_by_role("button", name="Add this match to your library").click()
        page.wait_for_url("**/library/match/*/board?ply=1.2*")
        note = page.get_by_role("textbox", name="Note", exact=True)
        note.wait_for()
        assert page.get_by_role("tab", name="Notes").get_attribute("aria-selected") == "true"
        page.set_viewport_size({"width": 1366, "height": 768})
        panel = page.locator("#panel").bounding_box()
        keep = page.get_by_role("button", name="Keep", exact=True).bounding_box()
        assert keep["y"] + keep["height"] <= panel["y"] + panel["height"], "a note is written without scrolling"


@pytest.mark.broad
@in_browser
def test_the_list_and_the_reason_are_beside_the_board(browser: Any, review: str) -> None:
    """On laptops and larger screens the ply that is shown, its judgement and five candidates are seen at once."""
    parts = ["#why p", "#options tbody tr:nth-child(5)", 'button.ply[aria-current="true"]', "#actions button"]
    hidden_parts = """(parts) => parts.filter((one) => {
      const { top, bottom, height } = document.querySelector(one).getBoundingClientRect();
      const part = document.querySelector(one).closest('#judgement, #course');
      const box = part?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
      return !(height && top >= box.top && bottom <= Math.min(innerHeight, box.bottom));
    })"""
    for width, height in ((1366, 768), (1920, 1080), (1024, 768)):
        with window(browser, viewport={"width": width, "height": height}) as page:
            page.goto(review)
            page.locator("#options table").wait_for()
            assert page.evaluate(hidden_parts, parts) == [], (width, height)
            board = page.locator("#board .board").bounding_box()
            assert board["height"] > 0.85 * height or board["width"] > 0.6 * width


def test_a_match_that_is_not_kept_has_no_board(warm_server: Server) -> None:
    assert httpx.get(f"{warm_server.url}/review/gone/1/board", timeout=60).status_code == 404
