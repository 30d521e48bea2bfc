"""What the server says, on pages in a language that nobody speaks: a game, rules, a lesson, a puzzle, drills, a study."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from tests.web import pseudo
from tests.web.browsing import sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.foreign import SEEN, browser, foreign, known_texts, not_translated, told_by, untold
from tests.web.seat import Seat, create

from fullprime.web.texts.catalogue import COOKIE

__all__ = ["browser", "foreign"]

pytestmark = [
    pytest.mark.broad,
    pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine"),
]
ENDED = "document.querySelector('#verdict').textContent && document.querySelector('#lines').children.length"


class Watched:
    """A page in the pseudo-language, and what was told to it."""

    def __init__(self, page: Any, url: str) -> None:
        self.page, self.url = page, url
        self._asked: list[Any] = []
        self._heard: list[Any] = []
        self._covered = known_texts()
        page.on("requestfinished", self._asked.append)
        page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _hear(self, frame: str | bytes) -> None:
        self._heard.append(json.loads(frame))

    def goto(self, path: str, ready: str) -> None:
        self.page.goto(self.url + path)
        self.page.locator(ready).first.wait_for()

    def is_whole(self, what: str) -> None:
        """Fails for a word that is not in the pseudo-language."""
        told = "\n".join(untold([self._heard, *(told_by(request) for request in self._asked)]))
        found = not_translated(self.page.evaluate(SEEN), told, self._covered)
        assert not found, f"{what}:\n  " + "\n  ".join(dict.fromkeys(found))


@contextmanager
def watched(browser: Any, foreign: Server) -> Iterator[Watched]:
    with window(browser) as page:
        page.context.add_cookies([{"name": COOKIE, "value": pseudo.TAG, "url": foreign.url}])
        yield Watched(page, foreign.url)


def _plays(seat: Seat, turns: int) -> None:
    """Play the first play that there is, for some turns."""
    for _ in range(turns):
        state = seat.state
        words = state["legal_actions"]
        if "roll" in words:
            state = seat.does("roll")["state"]
            words = state["legal_actions"]
        if "move" in words:
            seat.does(state["plays"][0] if state["plays"] else "no play")


def test_a_game_its_refusals_and_its_rules_are_told_in_the_language(browser: Any, foreign: Server) -> None:
    with httpx.Client(base_url=foreign.url, timeout=60) as client, watched(browser, foreign) as seen:
        seat, _ = create(client, name="Ada", variant="acey_deucey", rules={"length": 5})
        sit(seen.page, seat)
        _plays(seat, 3)
        assert seat.post("chat", {"phrase": "luck"}).status_code < 300
        assert seat.post("chat", {"text": "You roll a double"}).status_code < 300
        until(seen.page, f"document.getElementById('said').textContent.includes({pseudo.pseudo('Good luck!')!r})")
        assert "You roll a double" in seen.page.inner_text("#said"), "what people say stays"
        seen.is_whole("a game under way")
        for line in ("13/1 2/5", "take", "pip", "score"):
            seen.page.locator("#line").fill(line)
            seen.page.locator("#line").press("Enter")
            until(seen.page, "document.getElementById('line').value === '' || document.getElementById('problem').textContent")
        until(seen.page, "document.getElementById('problem').textContent")
        seen.is_whole("a refusal")
        seen.goto(f"/rules?game={seat.game}", "main h2")
        seen.is_whole("the rules of the game")
        assert seen.page.locator("main svg").count()


def test_answers_in_lessons_puzzles_and_drills_are_told_in_the_language(browser: Any, foreign: Server) -> None:
    with watched(browser, foreign) as seen:
        page = seen.page
        seen.goto("/learn/first-game", ".checker, #step-title")
