"""The pages in a real browser: what they say, how large things are, what axe finds, and that they heed their policy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute
from tests.web.browsing import AXE, SIZES, open_form, point, sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.inside import application
from tests.web.seat import Seat, create

from fullprime.web.pages import HEAD, STATIC, add_version, page_text

VERIFIER = "verify/verify.html"
PAGE_FILES = sorted(str(path.relative_to(STATIC)) for path in STATIC.rglob("*.html"))

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        yield client


@pytest.mark.broad
def test_names_of_places_are_those_of_a_player(browser: Any, client: httpx.Client) -> None:
    seat, _ = create(client, opponent="screen", name="Ann", other_name="Bob", rules={"length": 3})
    with window(browser) as page:
        sit(page, seat)
        assert page.get_by_role("button", name="your 8-point, 3 checkers").count() == 1
        other = "Bob" if seat.state["turn"] == "X" else "Ann"
        assert page.get_by_role("button", name=f"your 12-point, 5 of {other}'s checkers").count() == 1
        assert page.get_by_role("button", name="your bar, empty").count() == 1
        sizes = page.eval_on_selector_all(".spot", "all => all.map(e => e.getBoundingClientRect().width)")
        assert min(sizes) >= 24


@pytest.mark.broad
def test_places_and_buttons_are_large_enough_for_a_thumb(browser: Any, client: httpx.Client) -> None:
    seat, _ = create(client, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", rules={"length": 5})
    with window(browser, "phone") as page:
        sit(page, seat)
        page.get_by_role("button", name="Roll").wait_for()
        small = page.evaluate(
            """[...document.querySelectorAll('.spot, button, a, summary')].filter((e) => {
                 const { width, height } = e.getBoundingClientRect();
                 return width && (width < 24 || height < 24);
               }).map((e) => e.outerHTML)"""
        )
        assert small == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"
        double, roll = (page.get_by_role("button", name=name).bounding_box() for name in ("Double", "Roll"))
        assert double["x"] + double["width"] < roll["x"]
        page.get_by_role("button", name="Double").click()
        page.get_by_role("dialog").get_by_role("button", name="Not now").click()
        assert seat.state["phase"] == "cube_decision", "a double asks once"


@pytest.mark.broad
def test_dragging_and_undoing(browser: Any, client: httpx.Client) -> None:
    seat, _ = create(client, opponent="screen", name="Ann", other_name="Bob", rules={"length": 3})
    with window(browser) as page:
        sit(page, seat)
        side = seat.state["turn"]
        step = seat.state["tree"]["steps"][0][0]
        before = page.inner_text("#player-bottom" if side == "X" else "#player-top")
        page.locator(".checker.movable").first.wait_for()
        box, goal = point(page, step[0], side).bounding_box(), point(page, step[1], side).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"], box["y"] + 40, steps=3)
        page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=4)
        page.mouse.up()
        place = "#player-bottom" if side == "X" else "#player-top"
        assert page.inner_text(place) != before
        page.get_by_role("button", name="Undo").click()
        assert page.inner_text(place) == before
        line = page.get_by_label("Type a play or a word")
        line.fill(seat.state["plays"][0])
        line.press("Enter")
        page.locator("#log .play").first.wait_for()
        assert seat.state["turn"] != side or seat.state["sequence"] > 1
        line.fill("nonsense")
        line.press("Enter")
        until(page, "document.querySelector('#problem').textContent.includes('nonsense')")
        line.fill("pip")
        line.press("Enter")
        page.get_by_text("Pips: Ann").wait_for()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the record").click()
        assert saved.value.suggested_filename == f"fullprime-{seat.game}.mat"


@pytest.fixture(scope="session")
def seat(shared_server: Server) -> Iterator[Seat]:
    """A player of a match who is to throw; tests look at the pages of that game and do nothing in it."""
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        yield create(client, position=START, rules={"length": 5})[0]


@pytest.fixture(scope="session")
def pages(seat: Seat, sample_ids: dict[str, str]) -> dict[str, str]:
    """Every page of the shared server, which is asked once for all of them."""
    return html_pages(seat.client, seat.game, sample_ids)


def html_pages(client: httpx.Client, game: str, ids: dict[str, str]) -> dict[str, str]:
    """Every page that the server has, by its route; a page that is added is here by itself.

    What is no HTML to a browser that asks for it, as a picture, a script or a part of a page, is no page. Names in
    addresses are of things that there are; a review's is not, and leads to its own page.
    """
    there = {"lesson": "primes", "trainer": "pips", "link": ids["study"], "match": ids["match"], "game": "backgammon"}
    pages = {}
    with application() as app:
        routes = list(app.routes)
    for route in routes:
        path = getattr(route, "path", "")
        if path.startswith("/api/"):
            continue  # the document of the API is no page
        if isinstance(route, APIRoute) and not route.include_in_schema and "GET" in route.methods:
            names = dict.fromkeys(route.param_convertors, "nothing")
            if path.startswith("/game/"):
                names |= {"game": game}
            elif not path.startswith(("/review/", "/picture/")):
                names |= {name: there[name] for name in names if name in there}
            pages[path] = path.format_map(names)
    mistakes = f"/mistakes?review={ids['job']}&match=1&player=X"
    pages |= {"a page that is not there": "/nowhere", "mistakes of a review": mistakes}
    return {route: path for route, path in pages.items() if is_page(client, path)}


def is_page(client: httpx.Client, path: str) -> bool:
    """True as well for one that fails, so that it is not passed over; not for a file to be saved."""
    answer = client.get(path, headers={"Accept": "text/html"}, follow_redirects=True)
    saved = answer.headers.get("content-disposition", "").startswith("attachment")
    is_page = answer.headers["content-type"].startswith("text/html") and answer.text.lower().startswith("<!doctype")
    return answer.status_code >= 500 or (is_page and not saved)


def settled(page: Any) -> None:
    """What the page fetches is there; one that listens for news is never quite silent."""
    with suppress(sync_api.TimeoutError):
        page.wait_for_load_state("networkidle", timeout=700)


PARTS = 4
OTHER_HEADINGS = """[...document.querySelectorAll('h1, h2, h3, h4')].filter((heading) => {
  if (heading.closest('.top, .swagger-ui') || !heading.checkVisibility()) return false;
  const { fontFamily, fontWeight } = getComputedStyle(heading), tokens = getComputedStyle(document.documentElement);
  const plain = (family) => family.replaceAll('"', '').trim();
  return plain(fontFamily) !== plain(tokens.getPropertyValue('--serif')) || fontWeight !== '600';
}).map((heading) => `${heading.textContent} ${getComputedStyle(heading).fontFamily}`)"""
"""Headings that are not as the tokens say; in the header of a page its title is a line among others."""
LONG = {"/docs"}
"""A page of ten thousand elements, made by a library: axe takes twenty seconds for it."""


@pytest.mark.broad
@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_is_sound(browser: Any, seat: Seat, pages: dict[str, str], part: int) -> None:
    """Nothing that axe finds, nothing against the policy, no error of a script, nothing cut off, one heading.

    In parts, which run side by side. Each page is opened once, on a phone in the dark. axe takes a second a page, so
    that it sees every other one so and the rest after the window has grown; the next test has all at all sizes.
    """
    sound(browser, seat, pages, "phone", part, grows=True)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_every_page_is_sound_at_every_size(
    browser: Any, seat: Seat, pages: dict[str, str], size: str, part: int
) -> None:
    sound(browser, seat, pages, size, part, grows=False)


def sound(browser: Any, seat: Seat, pages: dict[str, str], size: str, part: int, *, grows: bool) -> None:
    """What the tests above say of every page of a part; where it ``grows``, axe sees every other one on a desktop."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    faults = {}
    assert set(pages) >= {"/", "/game/{game}", "/review/{job}/{match}", "a page that is not there"}
    with window(browser, size, color_scheme="dark" if size == "phone" else "light") as page:
        sit(page, seat)
        for number, (route, path) in enumerate(list(pages.items())[part::PARTS]):
            answer = page.goto(str(seat.client.base_url).rstrip("/") + path)
            if answer.status >= 500:
                faults[f"{route} fails"] = str(answer.status)
                continue
            assert "default-src 'none'" in answer.headers["content-security-policy"], route
            settled(page)
            if not (page.title() and page.locator("h1:visible").count()):
                faults[f"{route} has no name"] = page.title()
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if size == "phone" and wide > 0:
                faults[f"{route} is too wide"] = str(wide)
            if route not in LONG and (other := page.evaluate(OTHER_HEADINGS)):
                faults[f"{route} has headings of another kind"] = str(other)
            if route in LONG and grows:
                continue
            large = grows and number % 2 == 0
            if large:
                page.set_viewport_size(SIZES["desktop"])
                page.emulate_media(color_scheme="light")
            checked = axe.run(page, options=AXE)
            if checked.violations_count:
                faults[route] = checked.generate_report()
            if large:
                page.set_viewport_size(SIZES["phone"])
                page.emulate_media(color_scheme="dark")
    assert list(faults) == [], "\n".join(f"{route}: {fault}" for route, fault in faults.items())


def test_every_page_opens_in_a_browser_and_no_script_fails(browser: Any, seat: Seat, pages: dict[str, str]) -> None:
    """The shortest way through all pages; the broad tests look at each in other sizes and for faults of access."""
    faults: list[str] = []
    with window(browser, "phone") as page:
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        sit(page, seat)
        for path in pages.values():
            page.goto(str(seat.client.base_url).rstrip("/") + path)
            page.locator("h1:visible").first.wait_for()
    assert faults == []


def test_a_route_leads_to_every_page(client: httpx.Client, pages: dict[str, str]) -> None:
    headers = {"Accept": "text/html"}
    # The heads of some pages, and the class of a body, say what their address is about.
    body = re.compile(rb"<body[^>]*>(.*)", re.DOTALL)
    bodies = {
        body.search(client.get(path, headers=headers, follow_redirects=True).content)[1] for path in pages.values()
    }
    files = {name: body.search(add_version(page_text(name)).encode())[1] for name in PAGE_FILES if name != VERIFIER}
    assert [name for name, content in files.items() if content not in bodies] == []


def test_no_page_has_scripts_or_styles_in_it() -> None:
    """The policy would stop them; here they are found without a browser."""
    scripts = sorted(STATIC.rglob("*.js"))
    assert len(PAGE_FILES) > 5
    assert len(scripts) > 20
    for name in PAGE_FILES:
        text, path = page_text(name), STATIC / name
        if name == VERIFIER:
            continue  # it is saved as one file and opened without a server; tests/web/test_dice_page.py has it
        assert text.count(HEAD) == 1, f"{name}: the head that all pages have"
        assert re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:", text) is None, path.name
    for path in scripts:
        text = path.read_text(encoding="utf-8")
        assert text.startswith("// @ts-check"), f"{path.name}: its types are checked"
        assert re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval)\b", text) is None, path.name


@pytest.mark.broad
def test_no_theme_has_faults_that_axe_finds(browser: Any, client: httpx.Client) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    seat, _ = create(client, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", rules={"length": 5})
    with window(browser, color_scheme="dark") as page:
        for theme in ("club", "midnight", "clear", "print"):
            if theme == "club":
                page.goto(str(client.base_url))
            page.evaluate(f"localStorage.setItem('fullprime.preferences', JSON.stringify({{theme: '{theme}'}}))")
            open_form(page, str(client.base_url))
            page.locator("#more > summary").click()
            violations = axe.run(page, options=AXE)
            assert violations.violations_count == 0, violations.generate_report()
            sit(page, seat)
            violations = axe.run(page, options=AXE)
            assert violations.violations_count == 0, violations.generate_report()
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("dialog").wait_for()
        assert axe.run(page, options=AXE).violations_count == 0
    with window(browser, "phone") as page:
        sit(page, seat)
        violations = axe.run(page, options=AXE)
        assert violations.violations_count == 0, violations.generate_report()


def test_a_name_is_text_and_nothing_else(browser: Any, client: httpx.Client) -> None:
    name = "<img src=x onerror=alert(1)>"
    seat, _ = create(client, name=name, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5")
    with window(browser) as page:
        sit(page, seat)
        assert name in page.inner_text("#player-bottom")
        assert page.locator("main img:not([src^='/static/parts/faces/'])").count() == 0


def test_chance_is_used_nowhere_in_the_browser_but_for_the_seed() -> None:
    """The dice come from the server alone."""
    texts = [path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js")]
    assert sum("Math.random" in text for text in texts) == 0
