"""The report of a review in a real browser, as a file: what axe finds, keys and filters, light and dark, on paper."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.reviews.matches import random_match, small_engine
from tests.web.browsing import window
from tests.web.conftest import chromium

from fullprime.reviews.report import render_page
from fullprime.reviews.review import review
from fullprime.rules.score import Settings

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no Chromium")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two beginnings of games with plays, doubles, takes and something left out."""
    match = random_match(Settings(length=9), seed=12, games=2, doubles=0.4)
    match = replace(match, games=tuple(replace(game, events=game.events[:45]) for game in match.games))
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_page(match, review(match, small_engine(), "fast")), encoding="utf-8")
    return path


def faults(page: Any) -> str:
    """What axe finds, in words; nothing when all is well."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    violations = axe.run(page)
    return violations.generate_report() if violations.violations_count else ""


@pytest.mark.broad
@pytest.mark.parametrize(("size", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_axe_finds_nothing(browser: Any, report: Path, size: str, scheme: str) -> None:
    """With a play, a double and a take before one, each with its table and its board."""
    with window(browser, size, color_scheme=scheme) as page:
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.goto(report.as_uri())
        for kind in ("play", "double", "take"):
            page.get_by_label("Kind").select_option(kind)
            shown = page.locator("article.now")
            assert shown.get_attribute("data-kind") == kind
            assert shown.locator("svg.fp-board").is_visible()
            assert faults(page) == ""
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert requests == [report.as_uri()], "one file that needs nothing else"


@pytest.mark.broad
def test_axe_finds_nothing_on_paper(browser: Any, report: Path) -> None:
    """Printed, all errors stand on the page and nothing that only a screen can use."""
    with window(browser) as page:
        page.goto(report.as_uri())
        mistakes = page.locator("article.mistake").count()
        page.emulate_media(media="print")
        assert page.locator("article.mistake:visible").count() == mistakes > 5
        assert page.locator("article:visible").count() == mistakes
        assert not page.get_by_role("button").count()
        assert faults(page) == ""


@pytest.mark.broad
def test_keys_step_through_decisions_and_errors(browser: Any, report: Path) -> None:
    with window(browser) as page:
        page.goto(report.as_uri())
        shown = page.locator("article.now")
        first = shown.get_attribute("id")
        page.keyboard.press("ArrowRight")
        second = shown.get_attribute("id")
        assert second != first
        page.keyboard.press("ArrowLeft")
        assert shown.get_attribute("id") == first
        page.keyboard.press("n")
        assert "mistake" in shown.get_attribute("class")
        page.get_by_label("Player").select_option("O")
        assert set(page.locator("article:visible").evaluate_all("all => all.map((e) => e.dataset.player)")) == {"O"}
        assert page.get_by_role("status").inner_text()


SEEN = """(selector) => [...document.querySelectorAll(selector)].every((each) => {
  const { top, bottom, left, right } = each.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
})"""
CUT = """[...document.querySelectorAll('.wide, nav li a, td, th, h1, h3, caption')]
  .filter((each) => each.offsetWidth && each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.outerHTML.slice(0, 90))"""


@pytest.fixture(scope="module")
def long_report(report: Path) -> Path:
    """The same with the longest names that people have."""
    text = report.read_text(encoding="utf-8")
    path = report.with_name("long.html")
    path.write_text(text.replace("Ann", "Maximiliane Brandstetter-Huber").replace("Bob", "Jean-Baptiste O'Shaughnessy"))
    return path


@pytest.mark.broad
def test_the_figures_are_in_the_first_screen_of_a_phone(browser: Any, long_report: Path) -> None:
    with window(browser, "phone") as page:
        page.goto(long_report.as_uri())
        assert page.locator(".headline .pr").count() == 2
        assert page.evaluate(SEEN, ".headline table, .headline .pr, .worst h2, .worst li:nth-child(-n+2)")
        assert page.locator(".headline th", has_text="luck").is_visible()
        assert "net" not in page.locator("header").inner_text()
        assert page.evaluate(CUT) == []
        page.locator(".worst a").nth(1).click()
        assert page.evaluate("document.querySelector('article.now h3').getBoundingClientRect().top < innerHeight / 2")
        assert page.evaluate(CUT) == []


def test_nothing_is_cut_and_the_list_fills_the_height(browser: Any, long_report: Path) -> None:
    with window(browser) as page:
        page.set_viewport_size({"width": 1300, "height": 800})
        page.goto(long_report.as_uri())
        assert page.evaluate(CUT) == []
        page.locator(".work").scroll_into_view_if_needed()
        page.locator("article.now").evaluate("each => each.scrollIntoView()")
        high = page.evaluate("document.querySelector('.work nav').getBoundingClientRect().height")
        assert high > 0.95 * 800
        number = page.locator("article.now .no").inner_text()
        assert page.locator('.work [aria-current="true"] .soft').inner_text() == number
        words = page.locator("svg.graph").text_content()
        assert "100 %: Maximiliane Brandstetter-Huber wins" in words
        assert "100 %: Jean-Baptiste O'Shaughnessy wins" in words
