"""Points by the own numbers of each player, or by one numbering for both: on the board, in its words, in the log."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.web.browsing import sit, window
from tests.web.conftest import Server, chromium
from tests.web.seat import create

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_either_numbering_on_the_board_and_in_the_text(shared_server: Server, browser: Any) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client, window(browser) as page:
        people = {"opponent": "screen", "name": "Ann", "other_name": "Bob"}
        seat, _ = create(client, begin=True, position=START, automatic=False, rules={"length": 0}, **people)
        for _ in range(3):
            seat.does("roll", sequence=seat.state["sequence"])
            state = seat.state
            seat.does(state["plays"][0], sequence=state["sequence"])
        plays = [event for event in seat.get()["events"] if event["kind"] == "play"]
        sit(page, seat)
        page.locator("#log .play").nth(2).wait_for()

        def shown() -> tuple[list[str], str | None, str]:
            lines = page.locator("#log .play").all_inner_texts()
            label = page.locator('[data-spot="O13"]').get_attribute("aria-label")
            return lines, label, page.locator(".board .numbers text").nth(0).inner_html()

        lines, label, first = shown()
        assert lines == [event["text"] for event in plays]
        assert first == "24", "Bob is on roll: the point at the bottom right is his 24"
        assert label is not None
        assert "13-point" in label
        page.evaluate("localStorage.setItem('fullprime.preferences', JSON.stringify({numbering: 'fixed'}))")
        page.reload()
        page.locator("#log .play").nth(2).wait_for()
        lines, label, first = shown()
        assert first == "1"
        assert label is not None
        assert "12-point" in label
        assert [lines[0], lines[2]] == [plays[0]["text"], plays[2]["text"]], "Ann's own numbers are those of both"
        text = plays[1]["play"].split("/")[0].split("(")[0]
        assert text.isdecimal()
        assert f"{25 - int(text)}/" in lines[1]
