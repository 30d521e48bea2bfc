"""Small things of the pages: the menu of a phone, the gap at the drawing board, words that are no terms."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.web.browsing import AXE, play_friend, sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.sample_server import MIDDLE, PLACED
from tests.web.seat import create

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

PAGES = ["/learn/first-game", "/drill/pips", "/drill/puzzles", "/drill/cards", "/analysis"]
LINKS = "each => [...each].filter(one => !one.hidden).map(one => new URL(one.href).pathname)"

WHOLE = "title => title.scrollWidth <= title.clientWidth && title.scrollHeight <= title.clientHeight + 1"
"""Nothing of a title is cut."""
LINES = "title => Math.round(title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight))"


def header_links(page: Any) -> set[str]:
    page.locator("header.top a:visible").first.wait_for()
    return set(page.locator("header.top a:visible").evaluate_all(LINKS))


@pytest.mark.broad
def test_the_menu_of_a_phone_has_every_link_of_the_header(shared_server: Server, browser: Any) -> None:
    wanted = {}
    with window(browser) as page:
        for address in PAGES:
            page.goto(f"{shared_server.url}{address}")
            wanted[address] = header_links(page)
    with window(browser, "phone") as page:
        for address in PAGES:
            page.goto(f"{shared_server.url}{address}")
            page.get_by_role("button", name="Menu").click()
            page.locator("#places a.also, #places a").first.wait_for()
            assert wanted[address] <= header_links(page), address
            for _ in range(2):
                page.keyboard.press("Escape")
                page.get_by_role("button", name="Menu").click()
            links = page.locator("#places a").evaluate_all(LINKS)
            assert len(links) == len(set(links)), f"no link twice: {address}"


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


@pytest.mark.broad
@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (844, 390)])
def test_the_title_of_a_page_with_a_board_is_whole(
    shared_server: Server, browser: Any, width: int, height: int
) -> None:
    pages = {"/openings": "Openings: Backgammon", "/analysis?rule.length=7": "Analysis board: Backgammon, match to 7"}
    with window(browser, viewport={"width": width, "height": height}) as page:
        for address, title in pages.items():
            page.goto(f"{shared_server.url}{address}")
            page.locator("h1", has_text=title).wait_for()
            assert page.locator("h1").evaluate(WHOLE), address
            assert page.locator("header.top").bounding_box()["height"] <= 68, address
            assert page.locator("h1").evaluate(LINES) <= 2, address


@pytest.mark.broad
def test_the_analysis_ends_where_its_board_ends(shared_server: Server, browser: Any) -> None:
    """What is hidden in the column that scrolls once made the page higher, with nothing there."""
    with window(browser, viewport={"width": 1366, "height": 768}) as page:
        page.goto(f"{shared_server.url}/analysis")
        page.locator("#board .checker").first.wait_for()
        assert page.evaluate("document.documentElement.scrollHeight") <= 768


@pytest.mark.broad
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_escape_closes_the_advice_and_goes_back_to_its_button(shared_server: Server, browser: Any, size: str) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        seat, _ = create(client, position=MIDDLE)
    with window(browser, size) as page:
        sit(page, seat)
        page.get_by_role("button", name="Hint").focus()
        page.keyboard.press("Enter")
        page.locator("#advice .plays button").first.wait_for()
        page.locator("#advice .plays button").last.focus()
        page.keyboard.press("Escape")
        page.locator("#advice").wait_for(state="hidden")
        until(page, "document.activeElement.textContent === 'Hint'")


@pytest.mark.broad
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1366, 768)])
def test_whoever_chooses_on_a_map_by_keys_is_at_the_answer(
    shared_server: Server, browser: Any, width: int, height: int
) -> None:
    """The focus is there and the eye as well: the answer begins where it can be seen."""
    query = httpx.QueryParams({"position": PLACED, "rule.length": "7"})
    with window(browser, viewport={"width": width, "height": height}) as page:
        page.goto(f"{shared_server.url}/analysis?{query}")
        page.get_by_role("button", name="Every roll").focus()
        page.keyboard.press("Enter")
        page.locator("#map .cell").nth(3).focus()
        page.keyboard.press("Enter")
        page.locator("#map .cell").first.wait_for(state="detached")
        until(page, "document.activeElement.id === 'advice-title'")
        page.locator("#answer table").first.wait_for()
        until(page, "document.querySelector('#advice-title').getBoundingClientRect().top >= 0")
        assert page.locator("#advice-title").bounding_box()["y"] < height - 40


@pytest.mark.broad
def test_what_opens_over_a_page_is_sound(shared_server: Server, browser: Any) -> None:
    """axe on the sheet of a hint, the menu, a game that waits, and a map of the analysis, on a phone."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    url, positions = shared_server.url, {}
    with httpx.Client(base_url=url, timeout=60) as client:
        seat, _ = create(client, position=MIDDLE)
    with window(browser, "phone") as page:

        def look(name: str) -> None:
            checked = axe.run(page, options=AXE)
            if checked.violations_count:
                positions[name] = checked.generate_report()

        sit(page, seat)
        page.get_by_role("button", name="Hint").click()
        page.locator("#advice .plays button").first.wait_for()
        look("hint")
        page.goto(f"{url}/drill/cards")
        page.get_by_role("button", name="Menu").click()
        page.locator("#places:popover-open a").first.wait_for()
        look("menu")
        page.goto(f"{url}/analysis?{httpx.QueryParams({'position': PLACED, 'rule.length': '7'})}")
        page.get_by_role("button", name="Every roll").click()
        page.locator("#map .cell").first.wait_for()
        look("map")
        page.goto(url)
        play_friend(page)
        page.locator("#warm-words:not(:has(a))").wait_for()
        look("waiting")
    assert positions == {}


@pytest.mark.broad
def test_a_profile_of_nobody_says_where_to_go_instead(shared_server: Server, browser: Any) -> None:
    with window(browser) as page:
        page.goto(f"{shared_server.url}/profile?name=nobody")
        page.locator("main").get_by_role("link", name="lobby").click()
        page.get_by_role("heading", name="Lobby").wait_for()


@pytest.mark.broad
@pytest.mark.parametrize("size", [(1366, 768), (844, 390), (320, 568)])
def test_what_is_rarely_wanted_is_a_menu_beside_its_button(
    shared_server: Server, browser: Any, size: tuple[int, int]
) -> None:
    """It opens where it is seen, by a press or by keys; whoever thinks better of it is back at its button."""
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        seat, _ = create(client, position=MIDDLE, bot="beginner")
    with window(browser, viewport={"width": size[0], "height": size[1]}) as page:
        sit(page, seat)
        row = page.locator("#more-actions button")
        page.locator("[data-act=hint]:enabled").wait_for()
        assert row.all_inner_texts() == ["Undo", "Hint", "More"]
        assert max(button.bounding_box()["y"] for button in row.all()) == row.first.bounding_box()["y"], "it is one row"
        page.get_by_role("button", name="More").focus()
        page.keyboard.press("Enter")
        menu = page.get_by_role("group", name="More actions")
        assert menu.get_by_role("button").all_inner_texts() == ["Resign", "Abort"]
        box = menu.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= size[0]
        assert 0 <= box["y"] <= box["y"] + box["height"] <= size[1]
        menu.get_by_role("button", name="Resign").click()
        page.get_by_role("dialog").get_by_role("button", name="Play on").click()
        assert menu.is_hidden()
        until(page, "document.activeElement.dataset.act === 'more'")


@pytest.mark.broad
@pytest.mark.parametrize("size", [(667, 375), (320, 568), (390, 844)])
def test_a_play_of_a_hint_stands_in_one_line_on_every_phone(
    warm_server: Server, browser: Any, size: tuple[int, int]
) -> None:
    with httpx.Client(base_url=warm_server.url, timeout=120) as client:
        seat, _ = create(client, position=MIDDLE)
    with window(browser, "phone", viewport={"width": size[0], "height": size[1]}) as page:
        sit(page, seat)
        page.locator("[data-act=hint]:enabled").click()
        page.locator("#advice .plays .depth").first.wait_for()
        heights = page.locator("#advice .plays .what").evaluate_all("all => all.map((cell) => cell.clientHeight)")
        assert max(heights) <= min(heights) + 1


def test_a_bot_shows_its_face_at_the_board(shared_server: Server, browser: Any) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client, window(browser) as page:
        seat, _ = create(client, position=MIDDLE, bot="beginner")
        assert seat.state["faces"] == [None, "/static/parts/faces/mia.svg"]
        sit(page, seat)
        until(page, "document.querySelector('#player-top img.face').naturalWidth > 0")
        assert page.locator("#player-bottom img").count() == 0
        simple, _ = create(client, position=MIDDLE, bot="heuristic")
        assert simple.state["names"][1] == "Pippa"
        assert simple.state["faces"] == [None, "/static/parts/faces/pippa.svg"]
        plain, _ = create(client, position=MIDDLE, bot="random")
        assert plain.state["faces"] == [None, None]
