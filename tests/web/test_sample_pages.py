"""Every place with something in it, at more sizes and in the dark: axe finds nothing, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.web.browsing import AXE, window
from tests.web.conftest import Server, chromium
from tests.web.sample_server import PLACED, PLACES, Place, fill_server
from tests.web.seat import create
from tests.web.test_browser import PAGE_FILES, VERIFIER

from fullprime.web.pages import add_version, page_text

pytestmark = [
    pytest.mark.timeout(1200),
    pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine"),
]

LOOKS = {
    "phone": {"viewport": {"width": 390, "height": 844}},
    "landscape": {"viewport": {"width": 844, "height": 390}},
    "light": {"viewport": {"width": 1366, "height": 768}},
    "dark": {"viewport": {"width": 1366, "height": 768}, "color_scheme": "dark"},
}
FILLED = ("report", "library-match", "study")
"""Some of those that are nothing without something in them; tests/web/test_browser.py shows axe all places."""
CUT = """[...document.querySelectorAll('main .wide')].filter((part) => part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.getAttribute('aria-label') ?? part.className)"""

LINES = """buttons => buttons.map(button => {
  const range = document.createRange();
  range.selectNodeContents(button);
  return range.getClientRects().length;
})"""
"""How many lines the words on each button take."""


@pytest.fixture(scope="module")
def sample_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a server of its own, and the words of the addresses of its places."""
    server = Server(tmp_path_factory.mktemp("sample_server") / "games.db")
    yield server.url, fill_server(server.url)
    server.close()


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
def test_every_place_is_sound_with_something_in_it(
    browser: Any, sample_server: tuple[str, dict[str, str]], look: str
) -> None:
    are_sound(browser, sample_server, look, PLACES)


@pytest.mark.broad
def test_places_that_need_something_in_them_are_sound(browser: Any, sample_server: tuple[str, dict[str, str]]) -> None:
    are_sound(browser, sample_server, "landscape", tuple(place for place in PLACES if place.name in FILLED))


@pytest.mark.broad
@pytest.mark.parametrize("width", [320, 1366])
def test_no_word_on_a_button_of_a_collection_is_broken(
    browser: Any, sample_server: tuple[str, dict[str, str]], width: int
) -> None:
    url, _ = sample_server
    with window(browser, viewport={"width": width, "height": 768}) as page:
        page.goto(f"{url}/library/collections?name=Primes")
        page.locator("#positions li button").first.wait_for()
        heights = page.locator("#positions li").get_by_role("button", name="Keep").evaluate_all(LINES)
        assert heights == [1]


UNDECIDED = f"/analysis?{httpx.QueryParams({'position': PLACED, 'rule.length': '7'})}"
"""A board before the roll, so that every roll can be looked at."""
STATES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "settings": ("home", ("#open-preferences",), "dialog[open]"),
    "a hint": ("game", ("[data-act=hint]:enabled",), "#advice-body table button, #advice .plays button"),
    "the dice": ("game", ("#open-proof",), "dialog[open]"),
    "the end of a game": ("end", (), "#end .figure"),
    "setting up": ("analysis", ("[data-act=edit]:visible",), "#clear"),
    "a map": ("undecided", ("#rolls:visible",), "#map .cell"),
    "a map by score": ("undecided", ("#scores:visible",), ".score-map .cell b"),
    "a trainer's answer": ("drill", ("#word", "button:has-text('Send'):visible"), "#lines li, #lines p, #say p"),
    "a quiz": ("study", ("input[type=checkbox]:visible",), ".spot"),
    "a sitting": ("real", ("#start:enabled", "#acts .primary"), "#dice-shown .dice"),
    "its agreements": ("real", ("#start:enabled",), "#papers h2"),
}
"""What opens on a page: the place, what is pressed there, and what is seen then; a field is filled with 100."""


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
def test_what_opens_on_a_page_is_sound(browser: Any, sample_server: tuple[str, dict[str, str]], look: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    url, values = sample_server
    with httpx.Client(base_url=url, timeout=60) as client:
        seat, _ = create(client, position="1 off:14 / 13:15", rules={"length": 1}, automatic=False)
        seat.does("roll")
        seat.does("1/off")
    more = (Place("end", f"/game/{seat.game}#key={seat.key}", "#end"), Place("undecided", UNDECIDED, "#rolls"))
    places = {place.name: place for place in (*PLACES, *more)}
    faults = {}
    for name, (at, presses, visible) in STATES.items():
        with window(browser, **LOOKS[look]) as page:
            page.goto(url + places[at].address.format(**values))
            places[at].wait(page)
            for selector in presses:
                if selector.startswith("#word"):
                    page.fill(selector, "100")
                else:
                    page.locator(selector).first.click()
            page.locator(visible).first.wait_for(state="attached")
            checked = axe.run(page, options=AXE)
            if checked.violations_count:
                faults[name] = checked.generate_report()
    assert list(faults) == [], "\n".join(f"{name}: {fault}" for name, fault in faults.items())


def are_sound(browser: Any, sample_server: tuple[str, dict[str, str]], look: str, places: tuple[Place, ...]) -> None:
    """axe finds nothing on any of the places, none scrolls sideways, no column of the analysis is cut."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    url, values = sample_server
    faults = {}
    with window(browser, **LOOKS[look]) as page:
        for place in places:
            page.goto("about:blank")
            page.goto(url + place.address.format(**values))
            place.wait(page)
            checked = axe.run(page, options=AXE)
            if checked.violations_count:
                faults[place.name] = checked.generate_report()
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wide > 0:
                faults[f"{place.name} is too wide"] = str(wide)
            if place.name == "analysis" and look in ("light", "dark") and (cut := page.evaluate(CUT)):
                faults["analysis has columns that are cut"] = str(cut)
    assert list(faults) == [], "\n".join(f"{place}: {fault}" for place, fault in faults.items())


@pytest.mark.slow
def test_the_places_are_all_pages_that_there_are(sample_server: tuple[str, dict[str, str]]) -> None:
    url, values = sample_server
    with httpx.Client(base_url=url, headers={"Accept": "text/html"}, follow_redirects=True, timeout=60) as client:
        answers = [client.get(place.address.format(**values).partition("#")[0]) for place in PLACES]
        bodies = {answer.content.partition(b"<body")[2] for answer in answers}
    files = {
        name: add_version(page_text(name)).encode().partition(b"<body")[2] for name in PAGE_FILES if name != VERIFIER
    }
    assert [name for name, body in files.items() if body not in bodies] == []


OPTIONS_IN_SIGHT = """() => {
  const rows = [...document.querySelectorAll("#options tr")];
  const edge = document.querySelector('#options .wide').getBoundingClientRect().right;
  const heads = rows[0].children, loss = rows[2].children[2], range = document.createRange();
  const spans = (cell) => { range.selectNodeContents(cell); return range.getBoundingClientRect(); };
  return rows.every((row) => row.lastElementChild.getBoundingClientRect().right <= edge + 1)
    && Math.abs(spans(heads[0]).left - spans(rows[1].children[0]).left) < 6
    && Math.abs(spans(heads[2]).right - spans(loss).right) < 6;
}"""
"""Of the options of a mistake the last column is seen, and the words of the head stand above theirs."""


@pytest.mark.broad
def test_a_phone_shows_the_depth_of_every_option_of_a_mistake(
    browser: Any, sample_server: tuple[str, dict[str, str]]
) -> None:
    url, words = sample_server
    place = next(place for place in PLACES if place.name == "mistakes")
    with window(browser, "phone") as page:
        page.goto(url + place.address.format(**words))
        page.get_by_role("button", name="Show me").click()
        page.locator("#options td").first.wait_for()
        assert page.locator("#options thead th").last.inner_text() == "Depth"
        assert page.evaluate(OPTIONS_IN_SIGHT)
