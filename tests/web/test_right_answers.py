"""A right answer stays on the board: the checkers that were moved do not jump back."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from tests.web.browsing import until, window
from tests.web.conftest import Server, chromium

from fullprime.learn.puzzles.service import puzzle_named
from fullprime.learn.teaching import daily

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
CHECKERS = "[...document.querySelectorAll('#board .checker')].map((checker) => checker.style.transform).sort()"
SLOTS = {"bar": 25, "off": 0}


def moved_by_hand(page: Any, moves: list[str]) -> list[str]:
    """Make a play on the board; gives where the checkers are then."""
    page.locator("#board .spot.source").first.wait_for()
    before = page.evaluate(CHECKERS)
    for move in moves:
        for place in move.replace("*", "").split("/"):
            page.locator(f'#board [data-spot="X{SLOTS.get(place, place)}"]').press("Enter")
    page.locator("[data-act=done]:enabled").wait_for()
    after = list(page.evaluate(CHECKERS))
    assert after != before
    return after


def stays(page: Any, moves: list[str]) -> None:
    """The play is finished, right, and still there; no arrow leads from where no checker is, and none can be moved."""
    played = moved_by_hand(page, moves)
    page.locator("[data-act=done]").click()
    right(page)
    assert page.evaluate(CHECKERS) == played
    assert page.locator("#board .arrow").count() == 0
    for spot in page.locator("#board .spot").all()[:28]:
        spot.dispatch_event("contextmenu")
    page.locator(f'#board [data-spot="X{moves[-1].rpartition("/")[2].replace("off", "0").rstrip("*")}"]').dblclick()
    assert page.evaluate(CHECKERS) == played


def right(page: Any) -> None:
    until(page, "/is the best play|Right: |is right/.test(document.getElementById('verdict').textContent)")


def test_in_a_lesson(browser: Any, shared_server: Server) -> None:
    with window(browser) as page:
        page.goto(f"{shared_server.url}/learn/two-key-points#2")
        stays(page, ["8/5", "6/5"])


def test_in_a_lesson_that_is_answered_in_writing_or_shown(browser: Any, shared_server: Server) -> None:
    """Moves that were made before are no part of the play that is written."""
    with window(browser) as page:
        page.goto(f"{shared_server.url}/learn/two-key-points#2")
        played = moved_by_hand(page, ["8/5", "6/5"])
        page.get_by_role("button", name="Undo").click()
        page.locator("#word").fill("8/5 6/5")
        page.get_by_role("button", name="Send", exact=True).click()
        right(page)
        assert page.evaluate(CHECKERS) == played
        page.goto("about:blank")
        page.goto(f"{shared_server.url}/learn/two-key-points#2")
        page.locator("#board .spot.source").first.wait_for()
        start = page.evaluate(CHECKERS)
        page.locator('#board [data-spot="X8"]').press("Enter")
        page.locator('#board [data-spot="X5"]').press("Enter")
        page.get_by_role("button", name="Show me").click()
        until(page, "document.querySelectorAll('#board .arrow').length === 2")
        assert page.evaluate(CHECKERS) == start, "arrows lead from where the checkers are"


@pytest.mark.broad
@pytest.mark.parametrize("written", [False, True])
def test_in_a_puzzle(browser: Any, shared_server: Server, written: bool) -> None:
    with window(browser, extra_http_headers={"Via": "1.1 somewhere"}) as page:
        with page.expect_response(lambda answer: "/next?" in answer.url) as response:
            page.goto(f"{shared_server.url}/drill/puzzles")
        puzzle = puzzle_named(response.value.json()["name"])
        moves = [str(move) for move in puzzle.best.moves]
        if not written:
            stays(page, moves)
            return
        played = moved_by_hand(page, moves)
        page.get_by_role("button", name="Undo").click()
        page.locator("#word").fill(str(puzzle.best))
        page.get_by_role("button", name="Send", exact=True).click()
        right(page)
        assert page.evaluate(CHECKERS) == played


@pytest.mark.broad
def test_in_the_position_of_the_day(browser: Any, shared_server: Server) -> None:
    with window(browser) as page:
        page.goto(shared_server.url)
        today = page.evaluate("new Date().toLocaleDateString('sv')")
        day = datetime.strptime(today, "%Y-%m-%d").replace(tzinfo=UTC).date()
        stays(page, daily.solution(day).verdict.moves)


@pytest.mark.broad
def test_in_what_was_a_mistake(browser: Any, sample_ids: dict[str, str], shared_server: Server) -> None:
    address = f"/api/reviews/{sample_ids['job']}/1/lessons?player=X"
    lessons = httpx.get(f"{shared_server.url}{address}", timeout=60).json()["lessons"]
    place, lesson = next((place, lesson) for place, lesson in enumerate(lessons) if lesson["kind"] == "play")
    moves = [f"{source}/{target}" for source, target in lesson["options"][0]["arrows"]]
    with window(browser) as page:
        page.goto(f"{shared_server.url}/mistakes?review={sample_ids['job']}&match=1&player=X")
        for _ in range(place):
            page.locator("#following").click()
        until(page, f"document.getElementById('lesson-title').textContent.startsWith('Lesson {place + 1} ')")
        assert re.search(r"\d/(\d|off)", lesson["options"][0]["text"])
        stays(page, moves)
