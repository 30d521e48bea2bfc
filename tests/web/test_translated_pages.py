"""Pages in a language that nobody speaks while they are used: a game, its rules, lessons, drills, the laboratory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web import pseudo_language
from tests.web.browsing import sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.foreign import RENDERED, SEEN, known_texts, not_translated, told_by, untold
from tests.web.seat import Seat, friends
from tests.web.test_dice_page import VECTORS
from tests.web.test_review_page import MATCH

from fullprime.web.languages import COOKIE
from fullprime.web.pages import STATIC

pytestmark = [
    pytest.mark.broad,
    pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine"),
]
NOTHING: frozenset[str] = frozenset()
"""The sentences of lessons, drills and the laboratory are in English until they are translated."""
ENDED = "document.querySelector('#verdict').textContent && document.querySelector('#lines').children.length"


class Watched:
    """A page in the pseudo-language, and what was told to it."""

    def __init__(self, page: Any, url: str) -> None:
        self.page, self.url = page, url
        self._asked: list[Any] = []
        self._heard: list[Any] = []
        self._covered = known_texts()
        page.on("requestfinished", self._ask)
        page.on("websocket", self._follow)

    def _ask(self, request: Any) -> None:
        self._asked.append(request)

    def _hear(self, frame: str | bytes) -> None:
        self._heard.append(json.loads(frame))

    def _follow(self, socket: Any) -> None:
        socket.on("framereceived", self._hear)

    def goto(self, path: str, ready: str) -> None:
        self.page.goto(self.url + path)
        self.page.locator(ready).first.wait_for()

    def is_whole(self, subject: str, rendered: frozenset[str] = RENDERED) -> None:
        """Fails for a word that is not in the pseudo-language; the server's fields that are not ``rendered`` may be."""
        texts_sent = "\n".join(untold([self._heard, *(told_by(request) for request in self._asked)], rendered=rendered))
        untranslated = not_translated(self.page.evaluate(SEEN), texts_sent, self._covered)
        assert not untranslated, f"{subject}:\n  " + "\n  ".join(dict.fromkeys(untranslated))


@contextmanager
def watched(browser: Any, foreign: Server) -> Iterator[Watched]:
    with window(browser) as page:
        page.context.add_cookies([{"name": COOKIE, "value": pseudo_language.TAG, "url": foreign.url}])
        yield Watched(page, foreign.url)


def _play(seats: tuple[Seat, Seat], turns: int) -> None:
    """Whoever is on roll makes the first play that there is, for some turns."""
    for _ in range(turns):
        seat = seats["XO".index(seats[0].state["turn"])]
        if "roll" in seat.state["legal_actions"]:
            seat.does("roll")
        state = seat.state
        if "move" in state["legal_actions"]:
            seat.does(state["plays"][0] if state["plays"] else "no play")


def test_a_game_its_refusals_and_its_rules_are_told_in_the_language(browser: Any, foreign: Server) -> None:
    with httpx.Client(base_url=foreign.url, timeout=60) as client, watched(browser, foreign) as watch:
        seats = friends(client, variant="acey_deucey", rules={"length": 5})
        sit(watch.page, seats[0])
        _play(seats, 5)
        seats[1].post("chat", {"phrase": "luck"}).raise_for_status()
        seats[1].post("chat", {"text": "You roll a double"}).raise_for_status()
        until(watch.page, "document.getElementById('said').textContent.includes('You roll a double')")
        assert pseudo_language.to_pseudo("Good luck!") in watch.page.inner_text("#said"), (
            "a phrase is ours, other words stay"
        )
        watch.is_whole("a game under way")
        for line in ("score", "pip", "13/1 2/5"):
            watch.page.locator("#line").fill(line)
            watch.page.locator("#line").press("Enter")
            until(
                watch.page, "!document.getElementById('line').value || document.getElementById('problem').textContent"
            )
        until(watch.page, "document.getElementById('problem').textContent")
        watch.is_whole("a refusal")
        watch.goto(f"/rules?game={seats[0].game}", "main h2")
        watch.is_whole("the rules of the game")
        assert watch.page.locator("main svg").count()


def test_people_whose_names_are_words_keep_them(browser: Any, foreign: Server) -> None:
    """In the log and in answers."""
    gammon, roll = (pseudo_language.lengthen(name) for name in ("Gammon", "Roll"))
    with httpx.Client(base_url=foreign.url, timeout=60) as client, watched(browser, foreign) as watch:
        seats, page = friends(client, ("Gammon", "Roll"), rules={"length": 5}), watch.page
        sit(page, seats[0])
        _play(seats, 4)
        until(page, "document.querySelectorAll('#log .play').length >= 4")
        page.locator("#line").fill("score")
        page.locator("#line").press("Enter")
        until(page, "!document.getElementById('line').value")
        log = page.inner_text("#log")
        assert re.search(rf"Gammon ⟦{pseudo_language.lengthen('rolls')}⟧ \d-\d", log), log
        assert re.search(rf"Roll ⟦{pseudo_language.lengthen('rolls')}⟧ \d-\d", log), log
        assert gammon not in log
        assert roll not in log


def _answered(watch: Watched, subject: str, ready: str = ENDED) -> None:
    until(watch.page, f"{ready} || document.getElementById('problem').textContent")
    assert watch.page.inner_text("#problem") == "", subject
    watch.is_whole(subject, NOTHING)


def test_pages_of_lessons_puzzles_and_drills_are_in_the_language(browser: Any, foreign: Server) -> None:
    with watched(browser, foreign) as watch:
        page, choice, verdict = watch.page, "#choices button", "document.getElementById('verdict').textContent"
        watch.goto("/learn/blots-and-shots#3", "#word")
        page.locator("#word").fill("2")
        page.locator("#word").press("Enter")
        _answered(watch, "a number", verdict)
        for lesson in ("too-good#2", "blots-and-shots#5"):  # a decision of the cube, and a question
            watch.goto(f"/learn/{lesson}", choice)
            page.locator(choice).last.click()
            _answered(watch, lesson, verdict)
        for drill in ("race-cube", "pips"):
            watch.goto(f"/drill/{drill}", ".checker")
            until(page, "document.getElementById('ask').textContent")
            if page.locator(choice).count():
                page.locator(choice).first.click()
            else:
                page.locator("#word").fill("1")
                page.locator("#word").press("Enter")
            _answered(watch, drill)
        watch.goto("/drill/puzzles", ".checker")
        until(page, "!document.getElementById('words').hidden")
        watch.is_whole("a puzzle", NOTHING)
        while page.locator(".spot.source").count():
            page.locator(".spot.source").first.press("Enter")
            page.locator(".spot.target").first.press("Enter")
        page.get_by_role("button", name=pseudo_language.to_pseudo("Done"), exact=True).click()
        _answered(watch, "a puzzle that was answered")


def test_a_run_of_the_laboratory_is_told_in_the_language(browser: Any, foreign: Server) -> None:
    """While it goes on and at its end, on a phone whose width has room for its longer words."""
    with watched(browser, foreign) as watch:
        page = watch.page
        page.set_viewport_size({"width": 390, "height": 844})
        watch.goto("/lab?variant=hypergammon&rule=cube%3Dno", "#run:enabled")
        page.locator("#games").select_option("1000")
        page.locator("#run").click()
        until(page, "document.getElementById('progress').value >= 500")
        watch.is_whole("a run under way")
        page.locator("#findings li").first.wait_for()
        watch.is_whole("what it has found", NOTHING)
        wide = "document.getElementById('figures')"
        assert page.evaluate(f"{wide}.scrollWidth <= {wide}.clientWidth"), "a column is cut off"


def test_a_report_is_in_english_as_a_whole(foreign: Server) -> None:
    """Its reasons are not translated: half a report in another language would be read by nobody."""
    with httpx.Client(base_url=foreign.url, timeout=120, cookies={COOKIE: pseudo_language.TAG}) as client:
        query = {"name": "match.mat", "level": "fast"}
        job = client.post("/api/reviews", params=query, content=MATCH).raise_for_status().json()["id"]
        assert '"done"' in client.get(f"/api/analysis/jobs/{job}/stream").text
        for path in (f"/review/{job}/1", f"/api/reviews/{job}/1/file"):
            report = client.get(path).text
            assert pseudo_language.OPEN not in report
            assert '<html lang="en"' in report
            assert "<h2>Summary</h2>" in report


def _saved(page: Any, path: Path, text: str) -> list[str]:
    """What is not in the language on a page that was saved and is opened without a server."""
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.lang") == pseudo_language.TAG
    return not_translated(page.evaluate(SEEN), "", known_texts())


def test_what_is_saved_is_in_the_language(browser: Any, foreign: Server, tmp_path: Path) -> None:
    """The page that checks dice, with whatever it finds."""
    with httpx.Client(base_url=foreign.url, timeout=120, cookies={COOKIE: pseudo_language.TAG}) as client:
        verifier = client.get("/verify.html").raise_for_status()
        english = client.get("/verify.html", headers={"Cookie": f"{COOKIE}=en"}).text
    assert english == (STATIC / "verify" / "verify.html").read_text(encoding="utf-8")
    assert verifier.headers["content-disposition"].startswith("attachment")
    proof = tmp_path / "proof.json"
    with window(browser, offline=True) as page:
        assert _saved(page, tmp_path / "verify.html", verifier.text) == []
        for vector in VECTORS["proofs"]:
            proof.write_text(json.dumps(vector["proof"]), encoding="utf-8")
            page.set_input_files("#file", [])
            until(page, "!document.getElementById('verdict').textContent")
            page.set_input_files("#file", proof)
            until(page, "document.getElementById('verdict').textContent")
            assert not_translated(page.evaluate(SEEN), json.dumps(vector["proof"]), set()) == [], vector["name"]
