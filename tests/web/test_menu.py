"""Small things of the pages: the menu of a phone, the gap at the drawing board, words that are no terms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.web.browsing import chromium_running, window
from tests.web.conftest import Server, chromium

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

PAGES = ["/learn/first-game", "/drill/pips", "/drill/puzzles", "/drill/cards", "/analysis"]
LINKS = "each => [...each].filter(one => !one.hidden).map(one => new URL(one.href).pathname)"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium_running() as running:
        yield running


def header_links(page: Any) -> set[str]:
    page.locator("header.top a:visible").first.wait_for()
    return set(page.locator("header.top a:visible").evaluate_all(LINKS))


@pytest.mark.broad
@pytest.mark.parametrize("address", PAGES)
def test_the_menu_of_a_phone_has_every_link_of_the_header(shared_server: Server, browser: Any, address: str) -> None:
    with window(browser) as page:
        page.goto(f"{shared_server.url}{address}")
        wanted = header_links(page)
    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}{address}")
        page.get_by_role("button", name="Menu").click()
        page.locator("#places a.also, #places a").first.wait_for()
        assert wanted <= header_links(page)
        for _ in range(2):
            page.keyboard.press("Escape")
            page.get_by_role("button", name="Menu").click()
        links = page.locator("#places a").evaluate_all(LINKS)
        assert len(links) == len(set(links)), "no link twice"


@pytest.mark.broad
def test_the_drawing_board_of_the_search_leaves_its_buttons_a_gap(shared_server: Server, browser: Any) -> None:
    for size in ("desktop", "phone"):
        with window(browser, size) as page:
            page.goto(f"{shared_server.url}/library/search")
            page.get_by_text("Draw the position").click()
            page.locator("#board svg").wait_for()
            buttons = page.locator("#empty").bounding_box()
            board = page.locator("#board").bounding_box()
            assert board["y"] - (buttons["y"] + buttons["height"]) >= 8


@pytest.mark.broad
def test_what_counts_double_is_no_double_of_the_cube(shared_server: Server, browser: Any) -> None:
    with window(browser) as page:
        page.goto(f"{shared_server.url}/rules")
        page.locator("main .card .term").first.wait_for()
        for words, marked in (("A gammon Counts double here.", 0), ("He should double, and you take.", 1)):
            page.evaluate(
                "words => { const card = document.createElement('div'); card.className = 'card'; card.id = 'tried';"
                " card.innerHTML = '<p></p>'; card.firstChild.textContent = words; "
                " document.getElementById('tried')?.remove();"
                " document.querySelector('main').append(card); }",
                words,
            )
            page.locator("#tried .term").first.wait_for()
            assert page.locator("#tried .term[data-term=double]").count() == marked
