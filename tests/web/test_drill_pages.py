"""Drills over HTTP, and on their pages in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.web.browsing import chromium_running, until, window
from tests.web.conftest import Server, chromium

from fullprime.app.drills.training import TRAINERS, question_of, trainer_named

in_browser = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
TOO_WIDE = "document.documentElement.scrollWidth <= innerWidth"
TRAINER = "/api/drills/trainers/equities"


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        yield client


def test_a_guests_drills_are_kept_and_survive_signing_up(client: httpx.Client) -> None:
    listed = client.get("/api/drills/trainers").json()["trainers"]
    assert [each["name"] for each in listed] == list(TRAINERS)
    assert "fullprime_learner" not in client.cookies, "nobody who only looks is noted"
    asked = client.get(f"{TRAINER}/question?seed=7").json()
    best = trainer_named("equities").mark(question_of("equities", 7), "1").best
    answer = {"seed": asked["seed"], "answer": best, "seconds": 2.5}
    assert client.post(f"{TRAINER}/answer", json=answer).raise_for_status().json()["right"]
    assert client.get(TRAINER).json()["trainer"]["tries"] == 1
    name = f"drill{time.time_ns() % 10**9}"
    client.post("/api/account/sign-up", json={"name": name, "password": "a long pass phrase"}).raise_for_status()
    assert client.get(TRAINER).json()["tries"][0]["seconds"] == 2.5
    assert "fullprime_learner" not in client.cookies


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/api/drills/trainers/nothing", None, 400, "there is no trainer"),
        (f"{TRAINER}/question?seed=-1", None, 422, "greater than or equal to 0"),
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


@in_browser
def test_drills_in_a_browser(client: httpx.Client) -> None:
    with chromium_running() as browser, window(browser, "phone") as page:
        page.goto(f"{client.base_url}/drill")
        page.get_by_role("link", name="Match equities").click()
        until(page, "document.getElementById('ask').textContent.includes('You need')")
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
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()
