"""Terms of the glossary where they stand in sentences: marked, explained on hover, focus and tap, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.web.browsing import sit, until, wait_until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import create
from tests.web.test_learn_page import axe_finds_nothing

from fullprime.learn.glossary import look_up, terms

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

WORDS = "[...document.querySelectorAll('#try .term')].map((each) => each.textContent)"
PUT = """(html) => {
  document.getElementById('try')?.remove();
  document.querySelector('main').insertAdjacentHTML('afterbegin', `<div id="try" data-terms>${html}</div>`);
}"""


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        yield client


SIZES = [pytest.param("phone", marks=pytest.mark.broad), pytest.param("desktop", marks=pytest.mark.slow)]


@pytest.mark.parametrize("size", SIZES)
def test_terms_of_the_rules_are_explained_by_tap_and_by_key(browser: Any, client: httpx.Client, size: str) -> None:
    with window(browser, size) as page:
        held: list[Any] = []
        page.route("**/glossary/words", lambda route: held.append(route))
        page.goto(f"{client.base_url}/rules")
        page.locator("#sections p").first.wait_for()
        until_held(page, held)
        rooms = "[...document.querySelectorAll('#sections p')].map((each) => each.getBoundingClientRect().height)"
        before = page.evaluate(rooms)
        held[0].continue_()
        page.locator("#sections .term").first.wait_for()
        assert page.evaluate(rooms) == before, "nothing moves when terms are marked"
        axe_finds_nothing(page)
        page.locator("#sections .term", has_text="hit").first.click()
        page.locator("#term-card img").wait_for()
        assert "send it to the bar" in page.locator("#term-card").text_content()
        axe_finds_nothing(page)
        box = page.locator("#term-card").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.viewport_size["width"]
        page.keyboard.press("Escape")
        page.locator("#term-card").wait_for(state="hidden")
        page.keyboard.press("Tab")
        page.locator("#term-card").wait_for()
        focused = "document.activeElement.getAttribute('aria-describedby')"
        until(page, f"{focused} === 'term-card'")


def until_held(page: Any, held: list[Any]) -> None:
    wait_until(page, lambda: held, lambda: "the words of the glossary are never asked for")


@pytest.mark.broad
def test_only_sentences_are_marked_each_term_once(browser: Any, client: httpx.Client) -> None:
    with window(browser) as page:
        page.goto(f"{client.base_url}/")
        page.locator("#opponents .term", has_text="PR").first.wait_for()

        def marked(html: str) -> list[str]:
            page.evaluate(PUT, html)
            return list(page.evaluate(f"new Promise((done) => setTimeout(() => done({WORDS})))"))

        assert marked("<p>Two blots behind a prime: a blot is hit, and the five-point prime holds.</p>") == [
            "blots",
            "prime",
            "hit",
            "five-point prime",
        ]
        assert marked("<p>The play bar/24 8/5* 6/off is played from the bar-point.</p>") == ["bar-point"]
        assert marked("<p>A pr of 5 is no PR; the match, a roll and a play are everyday words.</p>") == ["PR"]
        assert marked("<h1>A prime</h1><p><button>Shot</button> <a href='/'>blot</a> <code>gammon</code></p>") == []
        assert marked("<p data-plain>A prime</p><div>blot</div>") == []
        table = "<table><caption>Anchors</caption><tr><th>PR</th></tr><tr><td>gammon</td><td>a gammon</td></tr></table>"
        assert marked(f"<h2>A prime</h2>{table}") == ["prime", "Anchors", "PR", "gammon"]
        page.evaluate(PUT, "<dialog><p>It leaves a blot.</p></dialog>")
        page.evaluate("document.querySelector('#try dialog').showModal()")
        page.locator("#try dialog .term").click()
        page.locator("#try dialog #term-card img").wait_for()
        assert page.evaluate(WORDS) == ["blot"], "the card itself is left alone"
        page.keyboard.press("Escape")
        page.locator("#term-card").wait_for(state="hidden")
        assert page.evaluate("document.querySelector('#try dialog').open"), "the dialog below stays"


@pytest.mark.broad
def test_a_card_has_the_caption_below_its_board(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone") as page:
        page.goto(f"{client.base_url}/")
        page.locator("#opponents .term", has_text="PR").first.click()
        page.locator("#term-card img").wait_for()
        assert page.locator("#term-card p").last.text_content() == look_up("PR").caption
        axe_finds_nothing(page)


@pytest.mark.broad
def test_on_a_low_screen_the_whole_card_is_seen(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone", viewport={"width": 844, "height": 390}) as page:
        page.goto(f"{client.base_url}/")
        page.locator("#opponents .term", has_text="PR").first.click()
        page.locator("#term-card img").wait_for()
        until(page, "document.querySelector('#term-card img').naturalWidth > 0")
        box = page.locator("#term-card").bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 390
        until(page, "document.documentElement.scrollWidth <= innerWidth")


def test_the_words_of_a_hint_are_marked_when_they_come(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone") as page:
        sit(page, create(client, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", rules={"length": 5})[0])
        page.locator("[data-act=hint]:enabled").click()
        page.locator("#advice-body p .term", has_text="gammon").first.click()
        page.locator("#term-card img").wait_for()
        assert page.locator("#advice-body > p[data-terms]").inner_text().endswith("."), "the reason"
        axe_finds_nothing(page)
        assert page.evaluate("document.querySelectorAll('button .term, h2 .term, td .term, .player .term').length") == 0


@pytest.mark.broad
def test_the_glossary_is_a_page_with_every_term_and_its_board(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone") as page:
        page.goto(f"{client.base_url}/learn")
        page.get_by_role("link", name="Glossary").click()
        page.locator("#terms dt").first.wait_for()
        assert page.locator("#terms dt").count() == len(terms())
        assert page.locator("#terms img").count() == len(terms())
        page.locator("#word").fill("full prime")
        until(page, "document.getElementById('found').textContent === '1 word'")
        until(page, "document.querySelector('#full-prime img').naturalWidth > 0")
        axe_finds_nothing(page)
        page.locator("#word").fill("stake")
        shown = page.locator("#stake dd").text_content()
        assert look_up("stake").caption in shown, "the caption stands below the board"
        page.locator("#word").fill("full prime")
        page.locator("#full-prime .links a").first.click()
        until(page, f"document.getElementById('found').textContent === '{len(terms())} words'")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
