"""What a page says of a clock that runs low."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.web.browsing import window
from tests.web.conftest import Server, chromium

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

TOLD = """async ([delay, turns]) => {
  const {Clocks} = await import('/static/game/clock.js');
  document.body.innerHTML = '<span data-clock="X"></span><span data-clock="O"></span>';
  const told = [];
  const clocks = new Clocks({onFall: () => {}, onLow: (side, seconds) => told.push([side, seconds])});
  for (const [turn, running, reserve] of turns) {
    // A turn is known by its beginning.
    clocks.set({left: [reserve, 600], running, since: 1e9 + turn, delay, days: false, falls: null}, 1e9 + turn);
  }
  return told;
}"""
"""What is told of X's clock in turns of so much reserve, each at its beginning."""


@pytest.fixture(scope="module")
def page(shared_server: Server, browser: Any) -> Iterator[Any]:
    with window(browser) as page:
        page.goto(f"{shared_server.url}/offline")
        yield page


@pytest.mark.parametrize(
    ("delay", "turns", "announcements"),
    [
        (0, [[1, "X", 6]], [["X", 6]]),
        (2, [[1, "X", 4]], [["X", 6]]),
        (0, [[1, "X", 45], [1, "X", 44], [1, "X", 9], [1, "X", 8]], [["X", 45], ["X", 9]]),
        (0, [[1, "X", 300], [1, "X", 60], [1, "X", 10]], [["X", 60], ["X", 10]]),
        (0, [[1, "X", 50], [2, "O", 50], [3, "X", 20]], [["X", 50], ["X", 20]]),
        (0, [[1, "O", 3]], []),
    ],
)  # fmt: skip
def test_a_player_is_told_the_seconds_that_are_left(
    page: Any, delay: int, turns: list[Any], announcements: list[Any]
) -> None:
    """Once a minute was told where six seconds were left."""
    assert page.evaluate(TOLD, [delay, turns]) == announcements
