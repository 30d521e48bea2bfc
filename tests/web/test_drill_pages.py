"""Drills over HTTP, and on their pages in a real browser."""

from __future__ import annotations

import io
import json
import re
import time
import zipfile
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.reviews.matches import SHORT_MATCH
from tests.web.browsing import until, window
from tests.web.conftest import Server, chromium

from fullprime.learn.learner_database import open_drills
from fullprime.learn.puzzles.service import puzzle_named
from fullprime.learn.trainers.service import HERE, TRAINERS, LearnerId, Training, question_of, trainer_named
from fullprime.rules.variants import VARIANTS

in_browser = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
TOO_WIDE = "document.documentElement.scrollWidth <= innerWidth"
TRAINER = "/api/drills/trainers/equities"
ELSEWHERE = {"Via": "1.1 somewhere"}
"""Headers of a browser that does not sit at the machine of the server: a guest's."""


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=60, headers=ELSEWHERE) as client:
        yield client


def test_a_guests_drills_are_kept_and_survive_signing_up(client: httpx.Client) -> None:
    listed = client.get("/api/drills/trainers").json()["trainers"]
    assert [trainer["name"] for trainer in listed] == list(TRAINERS)
    assert "fullprime_learner" not in client.cookies, "nobody who only looks is noted"
    question = client.get(f"{TRAINER}/question?seed=7").json()
    best = trainer_named("equities").mark(question_of("equities", 7), "1").best
    answer = {"seed": question["seed"], "answer": best, "seconds": 2.5}
    assert client.post(f"{TRAINER}/answer", json=answer).raise_for_status().json()["right"]
    assert client.get(TRAINER).json()["trainer"]["tries"] == 1
    name = f"drill{time.time_ns() % 10**9}"
    client.post("/api/account/sign-up", json={"name": name, "password": "a long pass phrase"}).raise_for_status()
    assert client.get(TRAINER).json()["tries"][0]["seconds"] == 2.5
    assert "fullprime_learner" not in client.cookies


def test_at_ones_own_machine_the_drills_are_those_of_the_terminal(server: Server) -> None:
    ask = question_of("equities", 7)
    answer = {"seed": 7, "answer": trainer_named("equities").mark(ask, "1").best, "seconds": 2.5}
    other = {"seed": 8, "answer": "50", "seconds": 1}
    with httpx.Client(base_url=server.url, timeout=60) as client:
        client.post(f"{TRAINER}/answer", json=other, headers=ELSEWHERE).raise_for_status()
        assert client.cookies["fullprime_learner"], "a guest from elsewhere"
        client.post(f"{TRAINER}/answer", json=answer).raise_for_status()
        assert "fullprime_learner" not in client.cookies
        assert client.get(TRAINER).json()["trainer"]["tries"] == 2, "the guest sits at the machine now"
    with open_drills(str(server.database)) as engine:
        terminal, here = Training(engine), LearnerId(key=HERE)
        assert terminal.get_history(here, "equities").trainer.totals.tries == 2
        terminal.answer(here, "equities", 9, "50", 1.0)
    with httpx.Client(base_url=server.url, timeout=60) as client:
        assert client.get(TRAINER).json()["trainer"]["tries"] == 3
        assert client.get(TRAINER, headers=ELSEWHERE).json()["trainer"]["tries"] == 0
        name = {"name": "Ann", "password": "a long pass phrase"}
        client.post("/api/account/sign-up", json=name).raise_for_status()
        assert client.get(TRAINER).json()["trainer"]["tries"] == 3, "as the library, also for who has signed in"


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/api/drills/trainers/nothing", None, 400, "there is no trainer"),
        (f"{TRAINER}/question?seed=-1", None, 422, "seed: 0 or more is needed"),
        ("/api/drills/trainers/takes/question?away=5-1&crawford=now", None, 400, "nobody may double in the Crawford"),
        ("/api/drills/trainers/takes/question?away=5-1", None, 400, "gains nothing by a double"),
        ("/api/drills/trainers/gammons/question?away=5-16", None, 400, "1 to 15 points"),
        ("/api/drills/trainers/gammons/question?away=x", None, 400, "is no score"),
        ("/api/drills/trainers/pips/question?away=3-5", None, 400, "asks about no score"),
        (f"{TRAINER}/answer", {"seed": 1, "answer": "x", "seconds": 1}, 400, "is no number"),
        (f"{TRAINER}/answer", {"seed": 1, "answer": "5", "seconds": "long"}, 422, "seconds"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    client: httpx.Client, path: str, body: dict[str, Any] | None, status: int, words: str
) -> None:
    answer = client.get(path) if body is None else client.post(path, json=body)
    assert answer.status_code == status
    assert words in answer.json()["error"]


@pytest.mark.broad
@in_browser
def test_a_learner_chooses_the_score_of_a_question(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone", extra_http_headers=ELSEWHERE) as page:
        page.goto(f"{client.base_url}/drill/takes")
        until(page, "document.getElementById('ask').textContent.includes('You need')")
        page.get_by_role("spinbutton", name="You need").fill("1")
        page.get_by_role("spinbutton", name="The opponent needs").fill("5")
        page.get_by_role("button", name="Ask about it").click()
        until(page, "document.getElementById('ask').textContent.startsWith('You need 1, the opponent needs 5 and')")
        assert "The Crawford game has been played." in page.inner_text("#ask")
        page.locator("#word").fill("20")
        page.get_by_role("button", name="Send", exact=True).click()
        until(page, "document.getElementById('lines').textContent.includes('With a live cube')")
        page.locator("#crawford").select_option("now")
        page.get_by_role("button", name="Ask about it").click()
        until(page, "document.getElementById('problem').textContent.includes('nobody may double')")
        assert page.evaluate(TOO_WIDE)
        page.goto(f"{client.base_url}/drill/pips")
        until(page, "document.getElementById('ask').textContent.includes('pips')")
        assert not page.locator("#scores").is_visible()


def _reviewed(client: httpx.Client) -> str:
    """The name of a finished review of a short match."""
    answer = client.post(
        "/api/reviews", params={"name": "match.mat", "level": "fast"}, content=SHORT_MATCH
    ).raise_for_status()
    for line in client.get(f"/api/analysis/jobs/{answer.json()['id']}/stream").iter_lines():
        if '"done"' in line:
            break
    return str(answer.json()["id"])


def _answers_without_a_connection(page: Any) -> None:
    """An answer waits in the browser for the connection; one of which only the reply was lost is stored once."""
    page.context.set_offline(False)
    page.get_by_role("button", name="Next", exact=True).click()
    _asked(page)
    page.context.set_offline(True)
    _answer_somehow(page)
    until(page, "document.getElementById('problem').textContent.includes('kept in this browser')")
    assert page.get_by_role("button", name="Send again").is_visible()
    assert page.evaluate("JSON.parse(localStorage.getItem('fullprime.unsent')).length") == 1
    with page.expect_response("**/answer") as reply:
        page.context.set_offline(False)  # Nobody presses anything.
    assert reply.value.json()["counted"]
    until(page, "document.getElementById('lines').textContent.includes('Again:')")
    assert page.evaluate("JSON.parse(localStorage.getItem('fullprime.unsent')).length") == 0

    page.get_by_role("button", name="Next", exact=True).click()

    def lose(route: Any) -> None:
        assert route.fetch().json()["counted"]
        route.abort()

    page.route("**/answer", lose)
    _answer_somehow(page)
    again = page.get_by_role("button", name="Send again")
    again.wait_for()
    page.unroute("**/answer")
    with page.expect_response("**/answer") as reply:
        again.click()
    assert not reply.value.json()["counted"], "the server had stored it"
    until(page, "document.getElementById('lines').textContent.includes('Again:')")


def _asked(page: Any) -> None:
    """The next question has come."""
    until(
        page,
        "document.querySelector('#choices button, .spot.source') && !document.getElementById('lines').children.length",
    )


def _answer_somehow(page: Any) -> None:
    """The first of the choices, or the first checkers that can move."""
    _asked(page)
    if page.locator("#choices button").count():
        page.locator("#choices button").first.click()
        return
    while page.locator(".spot.source").count():
        page.locator(".spot.source").first.press("Enter")
        page.locator(".spot.target").first.press("Enter")
    page.get_by_role("button", name="Done", exact=True).click()


@pytest.mark.broad
@in_browser
def test_where_no_card_is_due_the_position_of_the_day_is_played(browser: Any, client: httpx.Client) -> None:
    """No board at rest without a question; and a way on to other drills."""
    with window(browser, "phone", extra_http_headers=ELSEWHERE) as page:
        page.goto(f"{client.base_url}/drill/cards")
        page.locator("#meanwhile .spot.source").first.wait_for()
        assert not page.locator("#board").is_visible()
        task = page.inner_text("#meanwhile-words")
        assert "position of the day" in task
        assert page.locator("#rest a[href='/drill/puzzles']").is_visible()
        while page.locator("#meanwhile .spot.source").count() and page.inner_text("#meanwhile-words") == task:
            page.locator("#meanwhile .spot.source").first.press("Enter")
            page.locator("#meanwhile .spot.target").first.press("Enter")
        until(page, f"document.getElementById('meanwhile-words').textContent !== {task!r}")
        assert page.evaluate(TOO_WIDE)


@pytest.mark.broad
@in_browser
def test_errors_of_a_review_become_cards_and_are_answered(browser: Any, client: httpx.Client) -> None:
    job = _reviewed(client)
    with window(browser, extra_http_headers=ELSEWHERE) as page:
        page.goto(f"{client.base_url}/drill/cards?review={job}&match=1")
        page.get_by_role("button", name="Make cards").click()
        until(page, "document.getElementById('status').textContent.includes('new cards')")
        assert page.locator("#add").is_hidden(), "the cards that were made have the room"
        page.locator("#choices button, .spot.source").first.wait_for()
        until(page, "/^[1-9]\\d* cards/.test(document.getElementById('deck').textContent)")
        facts = page.inner_text("#facts")
        assert re.fullmatch(r"Match to \d: you need \d, the opponent \d\. Pips: \d+ to \d+\.", facts), (
            "no cube without a score"
        )
        page.locator("#word").fill("13/7 8/7")
        page.get_by_role("button", name="Send", exact=True).click()
        until(page, "document.getElementById('lines').textContent.includes('Played in the match')"
                    " || document.getElementById('problem').textContent")  # fmt: skip
        if page.inner_text("#problem"):  # another card is asked first
            _answer_somehow(page)
            until(page, "document.getElementById('lines').textContent.includes('Played in the match')")
        assert page.evaluate(TOO_WIDE)
        axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
        violations = axe.run(page)
        assert violations.violations_count == 0, violations.generate_report()
        _answers_without_a_connection(page)

        page.goto(f"{client.base_url}/drill/puzzles?game=hypergammon&mode=streak")
        page.locator(".checker").first.wait_for()
        name = page.evaluate(
            "performance.getEntriesByType('resource').filter((each) => each.name.includes('/next'))[0].name"
        )
        assert "hypergammon/next?mode=streak" in name
        until(page, "!document.getElementById('words').hidden")
        for mode in ("day", "streak"):
            page.evaluate("document.getElementById('about').textContent = ''")
            page.locator("#mode").select_option(mode)
            until(page, "document.getElementById('about').textContent")
            assert page.locator("#theme").is_disabled() == (mode == "day")
            assert not page.locator("#skill").is_visible()
        page.locator("#mode").select_option("rated")
        for skill, rating in (("beginner", "1100"), ("tournament", "1800")):
            page.locator("#skill").select_option(skill)
            until(page, f"document.getElementById('about').textContent.includes('rated {rating}')")
        page.evaluate("document.getElementById('about').textContent = ''")
        with page.expect_response(lambda answer: "theme=race" in answer.url) as response:
            page.locator("#theme").select_option("race")
        assert response.value.json()["theme"] == "race"
        until(page, "document.getElementById('about').textContent.startsWith('race')")
        page.locator("#word").fill("24/1")
        page.get_by_role("button", name="Send", exact=True).click()
        until(page, "document.getElementById('problem').textContent")
        assert page.evaluate(TOO_WIDE)
        violations = axe.run(page)
        assert violations.violations_count == 0, violations.generate_report()
        with page.expect_response("**/next?mode=day**"):
            page.locator("#mode").select_option("day")
        _answer_somehow(page)
        with page.expect_response("**/next?mode=rated**"):
            page.get_by_role("button", name="Solve puzzles").click()


@pytest.mark.broad
@in_browser
@pytest.mark.parametrize("player", ["X", "O", ""])
def test_cards_from_the_mistakes_of_a_player_are_that_players(browser: Any, client: httpx.Client, player: str) -> None:
    job = _reviewed(client)
    with window(browser, extra_http_headers=ELSEWHERE) as page:
        page.goto(f"{client.base_url}/mistakes?review={job}&match=1{f'&player={player}' if player else ''}")
        page.locator("#following:enabled").wait_for()
        while page.locator("#following:enabled").count():
            page.locator("#following").click()
        page.locator("#onward", has_text="Keep errors as cards").click()
        page.locator("#add:visible").wait_for()
        with page.expect_request(lambda request: request.url.endswith(f"/{job}/1/cards")) as response:
            page.get_by_role("button", name="Make cards").click()
        assert response.value.post_data_json["player"] == (player or None)


def test_a_puzzle_is_solved_over_http_and_not_told_before(client: httpx.Client) -> None:
    asked = client.get("/api/drills/puzzles/dutch/next").raise_for_status().json()
    puzzle = puzzle_named(asked["name"])
    assert str(puzzle.best) not in str({**asked, "board": None})
    reply = {"answer": str(puzzle.best), "seconds": 4}
    solved = client.post(f"/api/drills/puzzles/{puzzle.name}/answer", json=reply).raise_for_status().json()
    assert solved["right"]
    games = {game["variant"]: game for game in client.get("/api/drills/puzzles").json()["games"]}
    assert set(games) == set(VARIANTS)
    assert games["dutch"]["right"] == 1
    assert client.get("/api/drills/puzzles/chess/next").status_code == 400


def test_cards_go_out_and_come_in_over_http(client: httpx.Client) -> None:
    added = client.post(f"/api/drills/reviews/{_reviewed(client)}/1/cards", json={}).raise_for_status().json()["added"]
    assert added >= 2
    deck = client.get("/api/drills/cards/file").raise_for_status()
    for question, count in (("", added), ("&least=9", 0)):
        anki = client.get(f"/api/drills/cards/file?format=anki{question}").raise_for_status()
        assert "cards-for-anki.apkg" in anki.headers["content-disposition"]
        with zipfile.ZipFile(io.BytesIO(anki.content)) as package:
            assert len(json.loads(package.read("media"))) == count
    assert client.get("/api/drills/cards/file?format=anki&least=-1").status_code == 422
    card = client.get("/api/drills/cards").json()["card"]
    assert client.post(f"/api/drills/cards/{card['id']}/remove").json()["cards"] == added - 1
    with httpx.Client(base_url=client.base_url, timeout=60, headers=ELSEWHERE) as other:
        assert other.post(f"/api/drills/cards/{card['id']}/remove").status_code == 400
        assert other.post("/api/drills/cards/import", content=deck.content).json()["added"] == added
        assert other.post("/api/drills/cards/import", content=b"\xff").status_code == 400


@pytest.mark.broad
@in_browser
def test_a_storm_shows_what_is_left_of_its_time(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone", extra_http_headers=ELSEWHERE) as page:
        with page.expect_response(lambda answer: "/next?mode=storm" in answer.url) as response:
            page.goto(f"{client.base_url}/drill/puzzles?mode=storm")
        until(page, "document.getElementById('clock')?.textContent === '3:00'")
        puzzle = puzzle_named(response.value.json()["name"])
        page.locator("#word").fill(str(puzzle.best))
        page.get_by_role("button", name="Send", exact=True).click()
        until(page, "document.getElementById('lines').textContent.includes('1 solved')")
        until(page, "/^[012]:[0-5][0-9]$/.test(document.getElementById('clock').textContent)")
        with page.expect_response(lambda answer: "/next?mode=storm" in answer.url) as response:
            page.get_by_role("button", name="Next", exact=True).click()
        puzzle = puzzle_named(response.value.json()["name"])
        until(page, "document.getElementById('lines').textContent === ''")
        page.locator("#word").fill(str(puzzle.trap))
        page.get_by_role("button", name="Send", exact=True).click()
        until(page, "document.getElementById('lines').textContent.includes('That is the play that tempts.')")
        page.locator("#mode").select_option("rated")
        until(page, "document.getElementById('left').hidden")


@pytest.mark.broad
@in_browser
def test_drills_in_a_browser(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone", extra_http_headers=ELSEWHERE) as page:
        page.goto(f"{client.base_url}/drill")
        page.get_by_role("link", name="Match equities").click()
        until(page, "document.getElementById('ask')?.textContent.includes('You need')")
        page.locator("#word").fill("50")
        page.get_by_role("button", name="Send", exact=True).click()
        until(page, "document.getElementById('lines').textContent.includes('Kazaross')")
        page.get_by_role("button", name="Next", exact=True).click()
        until(page, "document.getElementById('lines').textContent === ''")
        assert page.evaluate(TOO_WIDE)
        assert "of 1 right" in page.locator("#sum").text_content()
        page.goto(f"{client.base_url}/drill/bear-off")
        page.locator(".checker").first.wait_for()
        assert page.evaluate(TOO_WIDE)
        axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
        violations = axe.run(page)
        assert violations.violations_count == 0, violations.generate_report()


@in_browser
def test_the_plays_of_a_drill_tell_their_depth_and_two_depths_are_not_compared_without_a_word(
    browser: Any,
    client: httpx.Client,
) -> None:
    """The best four or five plays of any first roll were looked at differently far, or all equally far."""
    with window(browser, extra_http_headers=ELSEWHERE) as page:
        page.goto(f"{client.base_url}/drill/openings")
        _make_a_play(page)
        page.locator("#lines li").first.wait_for()
        lines = page.locator("#lines li").all_inner_texts()
    plays = [line for line in lines if "/" in line]
    depths = [line.rpartition(", ")[2] for line in plays]
    assert set(depths) <= {"static", "1-ply", "2-ply"}, lines
    heads = [line for line in lines if line.startswith(("Looked at", "Judged"))]
    assert len(heads) == (len(set(depths)) if len(set(depths)) > 1 else 0), lines
    assert [("≈" in line) for line in plays] == [depth != depths[0] for depth in depths]
    assert ("≈ compares two depths" in lines[-1]) == bool(heads)


def _make_a_play(page: Any) -> None:
    done = page.locator("[data-act=done]")
    page.locator(".spot.source").first.wait_for()
    while not done.is_enabled():
        page.locator(".spot.source").first.press("Enter")
        page.locator(".spot.target").first.press("Enter")
    done.click()


@in_browser
def test_the_answers_stand_side_by_side_on_a_phone(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone", extra_http_headers=ELSEWHERE) as page:
        page.goto(f"{client.base_url}/drill/race-cube")
        page.locator("#choices button").nth(1).wait_for()
        assert page.evaluate("""() => {
            const [take, drop] = document.querySelectorAll("#choices button");
            take.textContent = "take";
            drop.textContent = "drop";
            document.getElementById("choices").replaceChildren(take, drop);
            const boxes = [...document.querySelectorAll("#choices button")].map((each) => each.getBoundingClientRect());
            return boxes.every((box) => box.top === boxes[0].top && box.bottom <= innerHeight);
        }""")
