"""Lessons over HTTP, and on their pages in a real browser at desktop and phone size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.web.browsing import point, until, window
from tests.web.conftest import Server, chromium

from fullprime.learn.lessons import course
from fullprime.learn.lessons.grading import solution

in_browser = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
FIRST = "/api/learn/lessons/first-game"
DICE = "#board .die"
TOO_WIDE = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        yield client


@pytest.fixture(params=["phone", pytest.param("desktop", marks=pytest.mark.slow)])
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    with window(browser, request.param) as page:
        yield page


# -- over HTTP --------------------------------------------------------------------------------------------------
def test_the_course_lists_every_lesson(client: httpx.Client) -> None:
    parts = client.get("/api/learn").json()["parts"]
    assert [lesson["name"] for part in parts for lesson in part["lessons"]] == [lesson.name for lesson in course()]


def test_a_lesson_has_its_boards_and_tells_no_answer(client: httpx.Client) -> None:
    lesson = client.get("/api/learn/lessons/two-key-points").json()
    assert lesson["tasks"][1]["board"]["dice"] == [3, 1]
    assert lesson["tasks"][1]["board"]["tree"]["steps"]
    terms = {piece["term"] for task in lesson["tasks"] for line in task["say"] for piece in line}
    assert {"five-point", "prime"} & terms, "terms of the glossary are marked"
    assert "answer" not in str(lesson["tasks"][5].keys())


def test_answers_are_judged_and_refusals_explained(client: httpx.Client) -> None:
    def answer(step: int, text: str) -> dict[str, Any]:
        return dict(client.post(f"{FIRST}/steps/{step}/answer", json={"answer": text}).raise_for_status().json())

    assert answer(2, "6/5, 8/5")["right"]
    refused = answer(2, "24/18")
    assert refused["refused"]
    assert not refused["right"]
    blocked = answer(4, "24/19")
    assert blocked["right"]
    assert "blocked by 5 checkers" in blocked["words"][0][0]["text"]
    shown = client.get(f"{FIRST}/steps/5/solution").json()
    assert shown["right"]
    assert shown["moves"]


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/api/learn/lessons/nothing", 404, "there is no lesson 'nothing'"),
        (f"{FIRST}/steps/1/solution", 400, "asks nothing"),
        (f"{FIRST}/steps/60/solution", 400, "no step 60"),
        (f"{FIRST}/steps/0/solution", 422, "step: 1 or more is needed"),
        ("/api/learn/progress", 401, "sign in first"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(client: httpx.Client, path: str, status: int, words: str) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_the_progress_of_a_guest_survives_signing_up(client: httpx.Client) -> None:
    client.post("/api/account/sign-up", json={"name": "learner", "password": "a long pass phrase"}).raise_for_status()
    mark = {"step": 4, "done": True, "right": 2, "asked": 3}
    lessons = client.post("/api/learn/progress", json={"lessons": {"primes": mark}}).json()["lessons"]
    assert lessons == {"primes": mark}
    worse = {"step": 1, "done": False, "right": 0, "asked": 0}
    client.post("/api/learn/progress", json={"lessons": {"primes": worse}}).raise_for_status()
    assert client.get("/api/learn/progress").json()["lessons"] == {"primes": mark}
    wrong = client.post("/api/learn/progress", json={"lessons": {"primes": {**mark, "right": 4}}})
    assert wrong.status_code == 400


# -- the pages --------------------------------------------------------------------------------------------------
def axe_finds_nothing(page: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    violations = axe.run(page)
    assert violations.violations_count == 0, violations.generate_report()


def button(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def move(page: Any, *places: int) -> None:
    """Move a checker from place to place, by clicks or taps."""
    for place in places:
        point(page, place).click()


def write(page: Any, text: str) -> None:
    page.locator("#word").fill(text)
    button(page, "Send").click()


def at_step(page: Any, number: int) -> None:
    until(page, f"document.getElementById('step-title')?.textContent.startsWith('Step {number} ')")


def said(page: Any, words: str) -> None:
    until(page, f"document.getElementById('verdict').textContent.includes({words!r})")


@pytest.mark.broad
@in_browser
def test_the_first_lesson_is_walked_to_its_end_and_leads_into_a_game(page: Any, client: httpx.Client) -> None:
    page.goto(f"{client.base_url}/learn")
    page.get_by_role("link", name="Begin with your first game").click()
    at_step(page, 1)
    axe_finds_nothing(page)
    assert page.evaluate(TOO_WIDE)
    button(page, "Next").click()

    at_step(page, 2)
    move(page, 8, 5, 6, 5)
    button(page, "Done").click()
    said(page, "Two checkers stand together")
    button(page, "Next").click()

    at_step(page, 3)
    move(page, 6, 7)
    said(page, "goes backwards")
    button(page, "Next").click()

    at_step(page, 4)
    move(page, 24, 19)
    said(page, "blocked by 5 checkers")
    button(page, "Next").click()

    at_step(page, 5)
    move(page, 24, 18, 13, 9)
    said(page, "4 is not on the dice")
    assert page.locator("[data-act=undo]").is_enabled(), "the move before the refused one stays"
    button(page, "Undo").click()
    write(page, "24/18 13/11")
    said(page, "got away")
    button(page, "Try again").click()
    write(page, "13/5*")
    said(page, "waits on the bar")
    # A play that was written is made on the board, as one by hand is.
    assert "1 " in str(point(page, 25, "O").get_attribute("aria-label")), point(page, 25, "O").get_attribute(
        "aria-label"
    )
    button(page, "Next").click()

    lesson = course().get_lesson("first-game")
    figures = course().get_figures(lesson)
    for number in range(6, 13):
        at_step(page, number)
        step = lesson.steps[number - 1]
        answer = solution(step, figures.steps[number - 1])
        if step.choices:
            page.locator("#choices button").nth(int(answer) - 1).click()
        elif step.do == "cube":
            button(page, answer.capitalize()).click()
        else:
            write(page, answer)
        until(page, "document.getElementById('verdict').textContent.length > 0")
        button(page, "Next").click()

    at_step(page, 13)
    axe_finds_nothing(page)
    assert button(page, "Play your first game").is_visible(), "a learner may go before the missed step comes back"
    assert not page.get_by_role("heading", name="Quiz").is_visible(), "nothing counts in this lesson"
    button(page, "Once more: 1 step").click()
    until(page, "document.getElementById('step-title').textContent === 'Once more: step 5'")
    write(page, "13/5*")
    button(page, "Play your first game").click()
    page.wait_for_url("**/game/*")
    page.locator(".checker").first.wait_for()
    assert page.evaluate("JSON.parse(localStorage.getItem('fullprime.preferences')).tutor") > 0
    page.goto(f"{client.base_url}/learn")
    until(page, "document.getElementById('sum').textContent.startsWith('1 of ')")
    axe_finds_nothing(page)
    assert page.evaluate(TOO_WIDE)


@pytest.mark.broad
@in_browser
def test_the_field_of_a_number_is_in_sight_on_a_phone(browser: Any, client: httpx.Client) -> None:
    """Below the board it was not, and nothing else there takes an answer."""
    with window(browser, "phone") as page:
        page.goto(f"{client.base_url}/learn/anchors#3")
        at_step(page, 3)
        top = page.locator("#board").bounding_box()["y"]
        box = page.locator("#word").bounding_box()
        assert box["y"] + box["height"] < top
        write(page, "16")
        said(page, "four times four")
        assert abs(page.locator("#board").bounding_box()["y"] - top) < 2, "the board stays where it is"


@pytest.mark.broad
@in_browser
def test_a_text_that_is_cut_on_a_phone_says_that_there_is_more(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone", viewport={"width": 390, "height": 664}) as page:
        page.goto(f"{client.base_url}/learn/first-game")
        at_step(page, 1)
        until(page, "document.getElementById('text').classList.contains('more')")
        page.evaluate("document.getElementById('text').scrollTo(0, 9999)")
        until(page, "!document.getElementById('text').classList.contains('more')")
        page.goto(f"{client.base_url}/drill/shots")
        until(page, "document.getElementById('ask')?.textContent.includes('36 throws')")
        assert not page.evaluate("document.getElementById('text').classList.contains('more')")


IN_SIGHT = """(() => {
  const box = document.getElementById("verdict").getBoundingClientRect();
  const side = document.querySelector(".side").getBoundingClientRect();
  return box.height > 0 && box.top >= side.top && box.bottom <= side.bottom;
})()"""


@pytest.mark.broad
@in_browser
def test_on_a_phone_held_sideways_nothing_is_said_out_of_sight(browser: Any, client: httpx.Client) -> None:
    """The text scrolls beside the board: to what is said of a play, and to its beginning with the next step."""
    with window(browser, "phone", viewport={"width": 844, "height": 390}) as page:
        page.goto(f"{client.base_url}/learn/first-game#2")
        at_step(page, 2)
        for slot in (13, 10, 6, 5):
            point(page, slot).tap()
        page.locator("[data-act=done]").tap()
        said(page, "For now, bring one checker")
        assert page.evaluate(IN_SIGHT), "why the play is not the one that was asked for"
        page.locator("[data-act=solution]").tap()
        said(page, "The answer: 8/5 6/5.")
        page.locator("[data-act=next]").tap()
        at_step(page, 3)
        assert page.evaluate("document.querySelector('.side').scrollTop") == 0
        page.locator("[data-act=solution]").tap()
        said(page, "The rules refuse 6/7 13/11.")


@in_browser
def test_a_lesson_is_followed_by_keys_alone(browser: Any, client: httpx.Client) -> None:
    with window(browser) as page:
        page.goto(f"{client.base_url}/learn/two-key-points")
        at_step(page, 1)
        page.keyboard.press("n")
        at_step(page, 2)
        page.keyboard.press("/")
        page.keyboard.type("13/9")
        page.keyboard.press("Enter")
        said(page, "13/9 costs 0.27 against 8/5 6/5")
        page.keyboard.press("Tab")
        button(page, "Try again").focus()
        page.keyboard.press("Enter")
        point(page, 8).focus()
        page.keyboard.press("Enter")
        point(page, 5).focus()
        page.keyboard.press("Enter")
        point(page, 6).focus()
        page.keyboard.press("Enter")
        point(page, 5).focus()
        page.keyboard.press("Enter")
        page.keyboard.press("f")
        said(page, "8/5 6/5 is the best play.")
        assert "0 right at the first try" in page.locator("#tally").text_content()


@pytest.mark.broad
@in_browser
def test_a_double_is_refused_a_tie_thrown_and_a_double_named_at_the_board(browser: Any, client: httpx.Client) -> None:
    """The Crawford game, automatic doubles and Acey Deucey: tried, and seen on the board."""
    with window(browser) as page:
        page.goto(f"{client.base_url}/learn/matches#2")
        at_step(page, 2)
        button(page, "Double").click()
        said(page, "This is the Crawford game: neither player may double.")
        page.goto(f"{client.base_url}/learn/money#8")
        at_step(page, 8)
        until(page, "document.getElementById('status').textContent === 'Throw for the first move.'")
        assert page.locator(DICE).count() == 0
        button(page, "Throw").click()
        said(page, "3-3, a tie")
        until(page, f"document.querySelectorAll('{DICE}').length === 2")
        page.goto(f"{client.base_url}/learn/acey-deucey#3")
        at_step(page, 3)
        until(page, "document.getElementById('status').textContent === 'Name a double.'")
        button(page, "6-6").click()
        said(page, "The rules allow that double as well.")
        button(page, "Try again").click()
        button(page, "5-5").click()
        said(page, "The dice show 5-5")
        until(page, f"document.querySelectorAll('{DICE}').length === 4")


@pytest.mark.broad
@in_browser
def test_what_was_missed_comes_back_at_the_end_and_as_a_card(browser: Any, client: httpx.Client) -> None:
    with window(browser) as page:
        page.goto(f"{client.base_url}/learn/what-a-play-costs#5")
        at_step(page, 5)
        page.locator("#choices button").nth(1).click()
        said(page, "Both parts count")
        button(page, "Try again").click()
        page.locator("#choices button").nth(0).click()
        button(page, "Next").click()
        at_step(page, 6)
        button(page, "Next").click()
        at_step(page, 7)
        with page.expect_response("**/steps/7/card") as response:
            write(page, "6/3 6/2")
        assert response.value.json()["added"] == 1
        button(page, "Show me").click()
        button(page, "Once more: 2 steps").click()
        until(page, "document.getElementById('step-title').textContent === 'Once more: step 5'")
        page.locator("#choices button").nth(0).click()
        button(page, "Once more: 1 step").click()
        until(page, "document.getElementById('step-title').textContent === 'Once more: step 7'")
        write(page, "24/21 13/9")
        button(page, "Next lesson").wait_for()
        page.goto(f"{client.base_url}/learn")
        due = page.get_by_role("link", name="that is due")
        due.or_(page.get_by_role("link", name="that are due")).click()
        until(page, "document.getElementById('ask').textContent === 'Your play.'")


@in_browser
def test_a_quiz_that_went_wrong_is_not_done(browser: Any, client: httpx.Client) -> None:
    with window(browser) as page:
        page.goto(f"{client.base_url}/learn")
        mark = {"first-game": {"step": 13, "done": True, "right": 0, "asked": 0},
                "other-rules": {"step": 13, "done": True, "right": 0, "asked": 5}}  # fmt: skip
        page.evaluate("lessons => localStorage.setItem('fullprime.learning', JSON.stringify({lessons}))", mark)
        page.reload()
        until(page, "document.getElementById('sum').textContent.startsWith('1 of ')")
        assert "again: 0 of 5" in page.locator("li.next .mark").text_content()
        onward = page.get_by_role("link", name="Go on: The rules that are left")
        assert onward.get_attribute("href") == "/learn/other-rules"
        assert page.locator("a.primary").count() == 1, "one thing to do next"


@in_browser
def test_a_word_of_the_glossary_is_explained_where_it_stands(page: Any, client: httpx.Client) -> None:
    page.goto(f"{client.base_url}/learn/primes")
    at_step(page, 1)
    word = button(page, "prime")
    word.click()
    page.locator("#term-card img").wait_for()
    assert "Several points in a row" in page.locator("#term-card").text_content()
    assert page.evaluate(TOO_WIDE)
    page.keyboard.press("Escape")
    until(page, "document.getElementById('term-card').hidden")


@pytest.mark.broad
@in_browser
def test_a_lesson_that_was_left_goes_on_where_it_was(browser: Any, client: httpx.Client) -> None:
    with window(browser) as page:
        page.goto(f"{client.base_url}/learn/history")
        for number in (1, 2):
            at_step(page, number)
            page.locator("[data-act=next]").click()
        at_step(page, 3)
        page.goto(f"{client.base_url}/learn")
        page.get_by_role("link", name="Where the games come from").click()
        at_step(page, 3)


@pytest.mark.broad
@in_browser
def test_a_guest_who_signs_up_keeps_what_was_done(browser: Any, client: httpx.Client) -> None:
    with window(browser) as page:
        page.goto(f"{client.base_url}/learn/history")
        for number in range(1, 7):
            at_step(page, number)
            page.locator("[data-act=next]").click()
        page.wait_for_url("**/learn*")
        page.goto(f"{client.base_url}/account")
        page.request.post(
            f"{client.base_url}/api/account/sign-up",
            data={"name": "pupil", "password": "a long pass phrase"},
            headers={"Origin": str(client.base_url).rstrip("/")},
        )
        page.goto(f"{client.base_url}/learn")
        until(page, "document.getElementById('sum').textContent.startsWith('1 of ')")
        progress = page.request.get(f"{client.base_url}/api/learn/progress").json()
        assert progress["lessons"]["history"]["done"]
