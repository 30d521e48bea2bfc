"""The board of every page on screens of every kind: alike in size, and nothing cut off beside it."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import httpx
import pytest
from tests.web.browsing import HELD, MOVABLE, until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import create

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

SIDEWAYS = [(844, 390), (667, 375), (1280, 600), (1024, 768)]
"""Screens held sideways: the board has most of the height."""
WIDE = [(1366, 768), (1440, 900), (1920, 1080)]
UPRIGHT = [(320, 568), (320, 640), (390, 844), (768, 1024)]
BOARDS = {
    "home": "/",
    "game": "/game/{game}#key={key}",
    "game with a hint": "/game/{game}#key={key}",
    "game that is over": "/game/{over}#key={over_key}",
    "analysis": "/analysis?{desk}",
    "match on the board": "/review/{job}/1/board",
    "mistakes": "/mistakes?review={job}&match=1&player=X",
    "lesson": "/learn/first-game#2",
    "dutch lesson": "/learn/dutch#3",
    "drill": "/drill/bear-off",
    "puzzles": "/drill/puzzles",
    "cards": "/drill/cards",
    "study": "/study/{long_study}",
    "openings": "/openings",
}
"""The pages whose matter is a board."""
BESIDE = """([sideways, low]) => {
  const shownBoard = [...document.querySelectorAll('.board')].find((part) => part.checkVisibility());
  const board = shownBoard.getBoundingClientRect(), wrong = [];
  const within = ({ left, top, right, bottom }) =>
    left >= -1 && top >= -1 && right <= innerWidth + 1 && (!sideways || bottom <= innerHeight + 1);
  if (!within(board)) wrong.push('the board is cut off');
  const buttons = '#actions, #choices, .study .steps, #main-action, #more-actions, .hero'.replace(/,|$/g, ' button$&');
  for (const button of document.querySelectorAll(buttons)) {
    const box = button.getBoundingClientRect(), onBoard = button.closest('#main-action');
    if (!box.width) continue;
    if (!within(box) && !(button.closest('.hero') && !sideways)) wrong.push(`${button.textContent} is off the screen`);
    if (sideways && !onBoard && box.left < board.right) wrong.push(`${button.textContent} is not beside the board`);
  }
  for (const words of document.querySelectorAll('.player .facts, #status, .hero h1')) {
    const box = words.getBoundingClientRect();
    if (box.width > 1 && (box.left < -1 || box.right > innerWidth + 1)) wrong.push(`${words.textContent} is cut off`);
  }
  const side = document.querySelector('.side');
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
  const shown = side?.checkVisibility({ visibilityProperty: true }) ? side.getBoundingClientRect() : null;
  if (sideways && shown && shown.left < board.right) wrong.push('the column lies on the board');
  const handle = document.querySelector('#open-drawer'), over = document.body.matches('.ended');
  if (low && handle && !over && !handle.checkVisibility()) wrong.push('the log and advice are in no drawer');
  if (low && over && !(shown && within(shown))) wrong.push('how it was played is not beside the board');
  const wide = side?.checkVisibility() && side.scrollWidth > side.clientWidth + 1;
  if (wide) wrong.push('the column is wider than its place');
  return [board.width / innerWidth, board.height / innerHeight, wrong];
}"""


def shared_study(client: httpx.Client) -> str:
    """The link of a study with one position."""
    name = f"Board sizes {uuid4()}"
    answer = client.post("/api/library/collections", json={"name": name, "about": "One position."})
    assert answer.is_success, answer.text
    new = {"name": name, "position": {"dice": [3, 1]}, "comment": "Which point? " * 30, "arrows": ["8/5", "6/5"]}
    client.post("/api/library/collections/add", json=new).raise_for_status()
    shared = client.post("/api/library/collections/change", json={"name": name, "shared": True})
    return str(shared.raise_for_status().json()["link"])


@pytest.fixture(scope="module")
def values(shared_server: Server, sample_ids: dict[str, str]) -> dict[str, str]:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        over, _ = create(client, position="1 off:14 / 13:15", rules={"length": 3}, automatic=False)
        over.does("roll")
        over.does("1/off")
        return {
            **sample_ids,
            "long_study": shared_study(client),
            "over": over.game,
            "over_key": str(over.key),
        }


@pytest.mark.broad
def test_the_board_of_every_page_has_the_height_of_a_screen_held_sideways(
    browser: Any, shared_server: Server, values: dict[str, str]
) -> None:
    faults = []
    with window(browser) as page:
        for place, address in BOARDS.items():
            page.goto("about:blank")
            page.goto(shared_server.url + address.format(**values))
            page.locator(".board-place .checker:visible").first.wait_for()
            faults += [f"{place} holds the page: {part}" for part in page.evaluate(HELD, MOVABLE)]
            if "hint" in place:
                page.locator("[data-act=hint]:enabled").press("Enter")
                page.locator("#advice .plays tbody tr").first.wait_for(state="attached")
            if "over" in place:
                page.locator("#end .figure").first.wait_for(state="attached")
            for wide, high in SIDEWAYS + WIDE + UPRIGHT:
                page.set_viewport_size({"width": wide, "height": high})
                until(page, f"innerWidth === {wide} && innerHeight === {high}")
                page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                across, up, wrong = page.evaluate(BESIDE, [wide > high, (wide, high) in SIDEWAYS])
                enough = up >= 0.85 or ((wide, high) in WIDE and across >= 0.6) or (wide < high and across >= 0.85)
                if not enough:
                    wrong.append(f"the board has {across:.0%} of the width and {up:.0%} of the height")
                faults += [f"{place} at {wide}x{high}: {fault}" for fault in wrong]
    assert faults == [], json.dumps(faults, indent=1)


@pytest.mark.broad
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1366, 768)])
def test_figures_of_a_map_do_not_run_into_each_other(browser: Any, warm_server: Server, size: tuple[int, int]) -> None:
    """Every roll: each figure has room in its cell, and each column's number stands above it."""
    viewport = {"width": size[0], "height": size[1]}
    with window(browser, "phone", viewport=viewport) as page:
        page.goto(f"{warm_server.url}/analysis")
        page.locator("#rolls").wait_for(state="attached")
        until(page, "!document.querySelector('#rolls').hidden")
        page.locator("#rolls").press("Enter")
        page.locator("#map .heat td .cell, #map .heat td").nth(35).wait_for()
        crowded = """[...document.querySelectorAll('#map .heat :is(td, .cell)')].filter((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getBoundingClientRect().width > cell.getBoundingClientRect().width - 1;
        }).map((cell) => cell.textContent)"""
        assert page.evaluate(crowded) == []
        heads = "[...document.querySelectorAll('#map .heat thead th')].map((head) => getComputedStyle(head).textAlign)"
        assert set(page.evaluate(heads)) == {"center"}


@pytest.mark.broad
def test_every_column_of_the_plays_is_seen_beside_the_analysis_board(browser: Any, warm_server: Server) -> None:
    """A match has one column more than money; the depth, the last, is not cut off."""
    cut = """[...document.querySelectorAll('#answer .plays :is(th, td)')].filter((cell) => {
      if (!cell.checkVisibility()) return false;
      const box = cell.closest('#answer').getBoundingClientRect(), { left, right } = cell.getBoundingClientRect();
      return left < box.left - 1 || right > box.right + 1;
    }).map((cell) => cell.textContent)"""
    faults = []
    with window(browser) as page:
        position = "24:2 13:3 10 8:3 7 6:4 4 / 24 20 16 13:4 8:3 6:5"
        page.goto(
            f"{warm_server.url}/analysis?{httpx.QueryParams({'position': position, 'dice': '42', 'rule.length': '7'})}"
        )
        page.locator("#answer button.play").first.wait_for()
        for wide, high in SIDEWAYS + WIDE + UPRIGHT:
            page.set_viewport_size({"width": wide, "height": high})
            until(page, f"innerWidth === {wide} && innerHeight === {high}")
            faults += [f"{wide}x{high}: {fault}" for fault in page.evaluate(cut)]
    assert faults == [], json.dumps(faults, indent=1)


@pytest.mark.broad
def test_a_match_shows_its_costliest_boards_and_the_others_when_asked(
    browser: Any, shared_server: Server, values: dict[str, str]
) -> None:
    """All at once made the page of a long match forty screens high on a phone."""
    with window(browser, "phone") as page:
        page.goto(f"{shared_server.url}/library/match/{values['match']}")
        more = page.get_by_role("button", name="more")
        more.wait_for()
        assert page.locator("#boards > li").count() == 6
        assert page.evaluate("document.querySelector('#boards').offsetHeight <= 1.5 * innerHeight")
        errors = page.request.get(f"{shared_server.url}/api/library/matches/{values['match']}").json()["errors"]
        assert more.inner_text() == f"Show {len(errors) - 6} more"
        more.press("Enter")
        assert page.locator("#boards > li").count() == len(errors)
        assert page.evaluate("document.activeElement === document.querySelectorAll('#boards a.open')[6]")


@pytest.mark.broad
def test_a_board_is_as_small_as_one_likes(browser: Any, shared_server: Server, values: dict[str, str]) -> None:
    wide = "document.querySelector('#board .board').getBoundingClientRect().width"
    with window(browser) as page:
        large = {}
        for size in ("1", "0.7"):
            for place in ("lesson", "analysis", "home", "game"):
                page.goto("about:blank")
                page.goto(shared_server.url + BOARDS[place].format(**values))
                page.locator("#board .checker").first.wait_for()
                if size == "1":
                    large[place] = page.evaluate(wide)
                else:
                    assert page.evaluate(wide) == pytest.approx(0.7 * large[place], rel=0.02), place
            if size == "1":
                page.locator("#open-preferences").click()
                page.get_by_label("Size of the board").select_option("0.7")
                assert page.evaluate(wide) == pytest.approx(0.7 * large["game"], rel=0.02), "at once"
