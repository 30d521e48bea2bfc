"""Sounds: off until the first question is answered, then on; quieter by night, by the clock of the device."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.web.browsing import sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import create

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

LISTENING = """(() => {
  const set = AudioParam.prototype.setValueAtTime;
  window.heard = [];
  AudioParam.prototype.setValueAtTime = function (value, time) {
    window.heard.push(value);
    return set.call(this, value, time);
  };
})()"""
"""Notes how loud each note begins; it sounds as before."""
SIZES = ((390, 844), (844, 390), (1366, 768))


def loudest(browser: Any, server: Server, hour: int, size: tuple[int, int]) -> float:
    """How loud a roll is at that hour for whoever has answered the question; before it, nothing is heard."""
    with (
        httpx.Client(base_url=server.url, timeout=60) as client,
        window(browser, viewport={"width": size[0], "height": size[1]}) as page,
    ):
        seat, _ = create(client, opponent="screen", position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", automatic=False)
        page.clock.set_fixed_time(f"2026-11-25T{hour:02}:30:00")
        page.add_init_script(LISTENING)
        sit(page, seat)
        page.get_by_role("button", name="Roll", exact=True).click()
        question = page.locator(".question")
        question.get_by_role("button", name="On, quietly").wait_for()
        assert page.evaluate("heard.length") == 0, "nothing sounds before the answer"
        box = question.bounding_box()
        assert size[1] >= box["y"] + box["height"], "the question is in the first screen"
        question.get_by_role("button", name="On, quietly").click()
        until(page, "heard.length > 0")
        page.reload()
        page.locator(".checker").first.wait_for()
        assert page.locator(".question").count() == 0, "it is asked once"
        page.get_by_role("button", name="Settings").click()
        assert page.get_by_label("Sounds (quieter from 22 to 7 o'clock)").input_value() == "0.3"
        page.get_by_role("button", name="Close").click()
        page.locator(".spot.source").first.press("Enter")
        page.locator(".spot.target").first.press("Enter")
        while page.locator(".spot.source").count():
            page.locator(".spot.source").first.press("Enter")
            page.locator(".spot.target").first.press("Enter")
        page.get_by_role("button", name="Done").click()
        until(page, "heard.length > 0")
        return float(page.evaluate("Math.max(...heard)"))


@pytest.mark.broad
@pytest.mark.parametrize("size", SIZES)
def test_sounds_begin_with_the_answer_and_are_quieter_by_night(
    shared_server: Server, browser: Any, size: tuple[int, int]
) -> None:
    day, night = (loudest(browser, shared_server, hour, size) for hour in (12, 23))
    assert 0 < night < day
    assert night == pytest.approx(0.4 * day)
