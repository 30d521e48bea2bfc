"""The page of a game: how it lies on screens of every kind, what stands where, and what survives a bad line."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.browsing import sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, create

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
CROSSING = "-a----E-C---fE---c-e----B-:0:0:1:31:0:0:0:3:10"
DOUBLE = "-b----E-C---eE---c-e----B-:0:0:1:66:0:0:0:5:10"
"""A position whose best plays are judged deeper than the others, of which one would stand above them."""
LANDSCAPE = [(844, 390), (667, 375), (1280, 600), (1024, 768), (1366, 768), (1920, 1080)]
FRAMED = "getComputedStyle(document.activeElement.querySelector('rect')).stroke"
PORTRAIT = [(320, 568), (390, 844), (768, 1024)]
SMALLEST = (568, 320)
"""The smallest phone, held sideways."""
SIDEWAYS = [*LANDSCAPE, SMALLEST]


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=120) as client:
        yield client


def inside(page: Any, selector: str) -> bool:
    """Whether all of something that is shown can be seen without scrolling."""
    return bool(
        page.evaluate(
            """(thing) => [...document.querySelectorAll(thing)].every((node) => {
                 const { left, top, right, bottom, width } = node.getBoundingClientRect();
                 return !width || (left >= 0 && top >= 0 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5);
               })""",
            selector,
        )
    )


def rows_of_actions(page: Any, sizes: list[tuple[int, int]]) -> dict[tuple[int, int], list[list[str]]]:
    """The words on the buttons beside the main one, row by row, on screens of these sizes; cut words say so."""
    places = {}
    for size in sizes:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        until(page, f"innerWidth === {size[0]}")
        rows: dict[int, list[str]] = {}
        for top, words in page.locator("#more-actions button").evaluate_all(
            """all => all.map((each) => [
                 Math.round(each.getBoundingClientRect().top),
                 each.textContent + (each.scrollWidth > each.clientWidth ? ', cut' : ''),
               ])"""
        ):
            rows.setdefault(top, []).append(words)
        places[size] = list(rows.values())
    return places


def naming_a_double(client: httpx.Client) -> Seat:
    """Two people at one screen, of whom one has thrown and played a 2-1 and may name a double."""
    for _ in range(10):
        seat, _ = create(client, variant="acey_deucey", opponent="screen", name="Ann", other_name="Bob")
        while (state := seat.state)["status"] == "playing":
            if "choose" in state["legal_actions"]:
                return seat
            played = (state["plays"] or ["no play"])[0]
            seat.does(played if "move" in state["legal_actions"] else state["legal_actions"][0])
    raise AssertionError("ten games without a 2-1")


def place(page: Any) -> tuple[float, float]:
    """The middle of the main action, in shares of the board."""
    board, button = page.locator(".board").bounding_box(), page.locator("#main-action button").bounding_box()
    right = (button["x"] + button["width"] - board["x"]) / board["width"]
    return round(right, 2), round((button["y"] + button["height"] / 2 - board["y"]) / board["height"], 2)


@pytest.mark.broad
def test_the_board_is_the_page_on_every_screen(browser: Any, client: httpx.Client) -> None:
    """The board takes what the screen has, all buttons are seen, nothing scrolls sideways, the main action stays."""
    seat, _ = create(client, position=START, rules={"length": 5})
    faults = []
    with window(browser) as page:
        sit(page, seat)
        places: dict[tuple[int, int], tuple[float, float]] = {}
        for step in ("roll", "play"):
            for size in SIDEWAYS + PORTRAIT:
                page.set_viewport_size({"width": size[0], "height": size[1]})
                until(page, f"innerWidth === {size[0]}")
                page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                board = page.locator(".board").bounding_box()
                share = (board["width"] / size[0], board["height"] / size[1])
                enough = share[1] >= 0.85 if size in SIDEWAYS else share[0] >= 0.89
                if not (enough and inside(page, ".board, #main-action button, #more-actions button, .player")):
                    faults.append(
                        f"{step} at {size}: the board has {share[0]:.0%} and {share[1]:.0%}, or a button is off"
                    )
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    faults.append(f"{step} at {size}: it scrolls sideways")
                if places.setdefault(size, place(page)) != place(page):
                    faults.append(f"{step} at {size}: the main action wanders")
            if step == "roll":
                page.locator("[data-act=roll]").click()
                page.locator(".spot.source").first.wait_for(state="attached")
    assert faults == []


BROKEN_FACTS = """[...document.querySelectorAll('.player .facts')].flatMap((facts) => {
  const line = (node) => Math.round(node.getBoundingClientRect().top);
  return [...facts.children].filter((each) => each.checkVisibility() && (
    each.getClientRects().length > 1
    || (each.matches('.dot') && (line(each.previousElementSibling) !== line(each.nextElementSibling)))
  )).map((each) => `${facts.textContent}: ${each.textContent}`);
})"""
"""Facts of a player that are broken in two, and marks between facts that are left at the end of a line."""


@pytest.mark.broad
def test_the_line_of_a_player_breaks_between_facts(browser: Any, client: httpx.Client) -> None:
    seat, _ = create(client, position=START, rules={"length": 7}, name="Maximiliane")
    with window(browser) as page:
        sit(page, seat)
        faults = []
        for size in LANDSCAPE + PORTRAIT:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            until(page, f"innerWidth === {size[0]}")
            faults += [f"{size}: {fault}" for fault in page.evaluate(BROKEN_FACTS)]
            if not inside(page, ".player .facts span"):
                faults.append(f"{size}: a fact is off the screen")
    assert faults == []


@pytest.mark.broad
def test_the_question_about_sounds_is_in_sight_and_lies_on_nothing(browser: Any, client: httpx.Client) -> None:
    """It comes after the first press, beside the board where the log is in a drawer; who turns the screen keeps it."""
    seat, _ = create(client, position=START, rules={"length": 5})
    with window(browser) as page:
        sit(page, seat)
        page.locator("[data-act=roll]").click()
        until(page, "document.querySelectorAll('#more-actions button').length === 4")
        page.locator(".question").wait_for(state="attached")
        for size in SIDEWAYS + PORTRAIT:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            until(page, f"innerWidth === {size[0]}")
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert page.locator(".question").count() == 1
            page.locator(".question").scroll_into_view_if_needed()
            if size in SIDEWAYS:
                assert inside(page, ".question button, #more-actions button, #open-drawer"), size
            for places in ("#more-actions button", ".question button"):
                assert page.evaluate(COVERED.replace("#more-actions button", places)) == [], size
        page.set_viewport_size({"width": 844, "height": 390})
        page.get_by_role("button", name="On, quietly").click()
        assert page.locator(".question").count() == 0
        assert page.evaluate("JSON.parse(localStorage.getItem('fullprime.preferences')).sound") > 0


@pytest.mark.broad
def test_a_result_breaks_neither_its_score_nor_a_word(browser: Any, client: httpx.Client) -> None:
    """The longest there is, on the board and beside it; the board keeps its height."""
    seat, _ = create(client, position="1:2 off:13 / 20:15", rules={"length": 1}, name="Ada")
    broken = """[...document.querySelectorAll('#outcome, #end .result')].flatMap((box) => {
      const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT), found = [], range = document.createRange();
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { index, 0: word } of node.data.matchAll(/\\S+/g)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (range.getClientRects().length > 1) found.push(word);
        }
      }
      return found;
    })"""
    with window(browser) as page:
        sit(page, seat)
        # Nothing is to be decided any more: throws and plays come by themselves.
        page.locator("#end .result").wait_for(state="attached")
        assert re.search(r"the match 1.0 with a backgammon", page.inner_text("#outcome"))
        faults = []
        for size in SIDEWAYS + PORTRAIT:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            until(page, f"innerWidth === {size[0]}")
            faults += [f"{size}: {fault}" for fault in page.evaluate(broken)]
            share = page.locator(".board").bounding_box()["height"] / size[1]
            if size in SIDEWAYS and share < 0.85:
                faults.append(f"{size}: the board has {share:.0%} of the height")
    assert faults == []


@pytest.mark.broad
def test_the_menu_of_the_rare_never_has_a_row_of_its_own(browser: Any, client: httpx.Client) -> None:
    """Five buttons, with the opener's choice among them, have no room in a row of a phone."""
    for _ in range(40):
        seat, _ = create(client, variant="acey_deucey", rules={"length": 3})
        if seat.state["chooser"] == "X":
            break
    with window(browser) as page:
        sit(page, seat)
        page.locator("[data-act=look]").wait_for()
        assert page.locator("#more-actions button").count() >= 4
        lonely = [size for size, rows in rows_of_actions(page, SIDEWAYS + PORTRAIT).items() if len(rows[-1]) == 1]
    assert lonely == []


@pytest.mark.broad
def test_three_actions_stand_in_one_row_of_a_rail(browser: Any, client: httpx.Client) -> None:
    seat, _ = create(client, position=CROSSING)
    with window(browser) as page:
        sit(page, seat)
        page.locator("[data-act=hint]").wait_for()
        rows = rows_of_actions(page, SIDEWAYS)
        assert rows == {size: [["Undo", "Hint", "More"]] for size in SIDEWAYS}


@pytest.mark.broad
def test_the_doubles_to_name_stand_together_and_the_menu_not_alone(browser: Any, client: httpx.Client) -> None:
    """The six lie as dice where the dice do, in two rows; the menu is not by itself in a row of the others."""
    placed = """() => [...document.querySelectorAll('#main-action button')].map((each) => {
      const box = each.getBoundingClientRect(), board = document.querySelector('.board').getBoundingClientRect();
      const on = box.left > board.left + board.width / 2.2 && box.right < board.left + 0.92 * board.width;
      return [each.getAttribute('aria-label'), Math.round(box.top), on, Math.min(box.width, box.height) >= 24,
        each.querySelectorAll('.die').length];
    })"""
    with window(browser) as page:
        sit(page, naming_a_double(client))
        page.locator("[data-act=choose-6]").wait_for()
        faults = []
        for size, rows in rows_of_actions(page, [*SIDEWAYS, *PORTRAIT, (360, 640)]).items():
            if len(rows[-1]) == 1 or rows[-1][-1] != "More":
                faults.append((size, rows))
        for size in [*SIDEWAYS, *PORTRAIT, (360, 640)]:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            until(page, f"innerWidth === {size[0]}")
            dice = page.evaluate(placed)
            names, tops = [die[0] for die in dice], [die[1] for die in dice]
            if names != [f"{number} {number}" for number in range(1, 7)] or tops != [tops[0]] * 3 + [tops[3]] * 3:
                faults.append((size, [str(die) for die in dice]))
            if tops[0] == tops[3] or not all(die[2] and die[3] and die[4] == 2 for die in dice):
                faults.append((size, [str(die) for die in dice]))
    assert faults == []


NEWEST_IN_SIGHT = """(() => {
  const log = document.querySelector('#log'), line = log.lastElementChild.getBoundingClientRect();
  const { top, bottom } = log.getBoundingClientRect();
  return line.top >= top - 1 && line.bottom <= bottom + 1 && bottom <= innerHeight;
})()"""


@pytest.mark.broad
def test_advice_leaves_the_log_its_place(browser: Any, warm_server: Server, client: httpx.Client) -> None:
    """The newest line stays in sight, no figure is wrapped, plays of one depth stand together and say so."""
    seat, _ = create(client, position=CROSSING, rules={"length": 0})
    faults = []
    with window(browser) as page:
        sit(page, seat)
        until(page, "document.querySelector('[data-act=hint]:enabled')")
        for size in ((1366, 768), (1280, 600), (844, 390), (1024, 768), (390, 844)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.locator("[data-act=hint]").click()
            page.locator("#advice .plays tbody tr").first.wait_for()
            until(page, NEWEST_IN_SIGHT)
            if page.evaluate(
                """[...document.querySelectorAll('#advice td:not(.what)')].some((cell) => {
                     const range = document.createRange();
                     range.selectNodeContents(cell);
                     const rows = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
                     return rows.size > 1;
                   })"""
            ):
                faults.append(f"{size}: a figure is wrapped")
            if page.evaluate("[document.querySelector('#advice')].some((box) => box.scrollWidth > box.clientWidth)"):
                faults.append(f"{size}: the advice scrolls sideways")
            # Held upright the button that opened it closes it; elsewhere it has one of its own, too.
            page.locator("[data-act=hint]" if size[0] < size[1] else "#close-advice").click()
            assert page.locator("#advice").is_hidden()
        page.set_viewport_size({"width": 1366, "height": 768})
        page.locator("[data-act=hint]").click()
        page.locator("#advice .plays tbody tr").first.wait_for()
        groups = page.eval_on_selector_all(
            "#advice .depth-group",
            "all => all.map((group) => [...group.querySelectorAll('.depth')].map((cell) => cell.textContent))",
        )
        assert groups
        assert all(len(set(group)) == 1 for group in groups), "each group has one depth"
        assert len({group[0] for group in groups}) == len(groups), "and no depth has two groups"
        if len(groups) > 1:
            assert page.locator("#advice .depth-head").count() == len(groups)
            rough = page.locator("#advice .depth-group + .depth-group tr:not(.depth-head)")
            assert rough.count()
            assert set(rough.evaluate_all("all => all.map(({ className }) => className)")) == {"rough"}
            assert "?" not in " ".join(rough.all_inner_texts()), "no error is told by a loss between two depths"
            assert "≈" in page.locator("#advice .depth-group").last.locator(".loss").first.inner_text()
    assert faults == []


FIRST_ROWS = """(() => {
  const rows = [...document.querySelectorAll('#advice .depth-group tr:not(.depth-head)')].slice(0, %d);
  return rows.length > 0 && rows.every((row) => {
    const { left, right, top, bottom } = row.getBoundingClientRect(), x = left + 40, y = (top + bottom) / 2;
    return bottom <= innerHeight + 0.5 && right <= innerWidth && row.contains(document.elementFromPoint(x, y));
  });
})()"""
"""Whether the first plays of a hint are seen, uncovered."""
COVERED = """[...document.querySelectorAll('#more-actions button')].filter((button) => {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  return !button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((button) => button.textContent)"""
"""The actions that something lies on, or that are off the screen."""


@pytest.mark.broad
def test_a_hint_on_a_phone_is_seen_at_once_and_so_is_the_board(
    browser: Any, warm_server: Server, client: httpx.Client
) -> None:
    seat, _ = create(client, position=CROSSING, rules={"length": 0})
    faults = []
    with window(browser, "phone") as page:
        sit(page, seat)
        for wide, high in ((390, 844), (390, 740), (375, 667), (360, 640), (320, 568), (768, 1024)):
            rows = 4 if high >= 844 else 2
            page.set_viewport_size({"width": wide, "height": high})
            before = page.locator("#more-actions").bounding_box()["y"]
            page.locator("[data-act=hint]:enabled").press("Enter")
            page.locator("#advice .plays tbody tr").first.wait_for()
            assert page.evaluate("scrollY") == 0
            if not page.evaluate(FIRST_ROWS % rows):
                faults.append(f"{wide}x{high}: the first {rows} plays are not in sight")
            board, advice = page.locator(".board").bounding_box(), page.locator("#side").bounding_box()
            if advice["y"] < board["y"] + board["height"]:
                faults.append(f"{wide}x{high}: the advice covers the board")
            if page.locator("#more-actions").bounding_box()["y"] - before > 2:
                faults.append(f"{wide}x{high}: the actions are pushed down")
            if high >= 844 and not inside(page, ".board, .player"):
                faults.append(f"{wide}x{high}: the board or a player is off")
            if covered := page.evaluate(COVERED):
                faults.append(f"{wide}x{high}: the advice covers {covered}")
            too_wide = "[...document.querySelectorAll('#advice, html')].filter((at) => at.scrollWidth > at.clientWidth)"
            if page.evaluate(f"{too_wide}.length"):
                faults.append(f"{wide}x{high}: it scrolls sideways")
            page.locator("[data-act=hint]").press("Enter")
            assert page.locator("#advice").is_hidden()
    assert faults == []


@pytest.mark.broad
@pytest.mark.parametrize("size", [(1440, 900), (1366, 768), (844, 390)])
def test_no_figure_of_a_hint_is_cut_beside_a_large_board(
    browser: Any, warm_server: Server, size: tuple[int, int]
) -> None:
    """The board takes the height of the screen, and the column what is left of its width."""
    with httpx.Client(base_url=warm_server.url, timeout=120) as client:
        seat, _ = create(client, position=DOUBLE, rules={"length": 5})
    with window(browser, viewport={"width": size[0], "height": size[1]}) as page:
        sit(page, seat)
        page.locator("[data-act=hint]:enabled").click()
        page.locator("#advice .plays .depth").first.wait_for()
        until(page, "document.getElementById('advice').scrollWidth <= document.getElementById('advice').clientWidth")


@pytest.mark.broad
@pytest.mark.parametrize("size", [(1024, 768), (1280, 600)])
def test_the_drawer_beside_the_board_is_as_the_player_wants_it(
    browser: Any, warm_server: Server, client: httpx.Client, size: tuple[int, int]
) -> None:
    """Open at first; its handle shuts it, also for the next visit; advice opens it for as long as it is read."""
    seat, _ = create(client, position=CROSSING, rules={"length": 0})
    places = """[...document.querySelectorAll('.board, .player, #more-actions button')]
      .map((at) => [at.getBoundingClientRect()].map(({ left, top, width }) => [left, top, width].join()).join())"""
    with window(browser, viewport={"width": size[0], "height": size[1]}) as page:
        sit(page, seat)
        handle, line = page.get_by_role("button", name="Moves and advice"), page.locator("#line")
        page.locator("[data-act=hint]:enabled").wait_for()
        before = page.evaluate(places)
        assert (line.is_visible(), handle.get_attribute("aria-expanded")) == (True, "true")
        page.locator("#board").press("Escape")
        assert line.is_visible(), "a key that closes dialogs leaves what lies on nothing"
        handle.click()
        assert (line.is_visible(), handle.get_attribute("aria-expanded")) == (False, "false")
        assert page.evaluate(places) == before, "nothing moves"
        page.reload()
        page.locator("[data-act=hint]:enabled").wait_for()
        assert line.is_hidden()
        page.locator("[data-act=hint]").click()
        page.locator("#advice .plays tbody tr").first.wait_for()
        page.locator("#close-advice").click()
        assert page.locator("#advice").is_hidden()
        assert line.is_hidden()
        assert page.evaluate(places) == before
        handle.press("Enter")
        assert line.is_visible()


@pytest.mark.broad
def test_the_actions_stand_still_while_checkers_are_moved(browser: Any, client: httpx.Client) -> None:
    seat, _ = create(client, position=START, rules={"length": 5})
    seat.does("roll")
    where = "[...document.querySelectorAll('#more-actions button')].map((at) => `${at.innerText} ${at.offsetLeft}`)"
    with window(browser) as page:
        sit(page, seat)
        page.locator("[data-act=undo]").wait_for()
        assert page.locator("#more-actions button").all_inner_texts() == ["Undo", "Hint", "Take back", "More"]
        before = page.evaluate(where)
        page.locator(".spot.source").first.press("Enter")
        page.locator(".spot.target").first.press("Enter")
        page.locator("[data-act=undo]:enabled").wait_for()
        assert page.evaluate(where) == before
        assert page.locator("[data-act=back]").is_disabled()
        # While the bot plays, the same buttons sleep in the same places.
        page.evaluate(
            """() => { window.seen = new Set(); new MutationObserver(() => {
                 if (!document.querySelector('[data-act=undo]:enabled, [data-act=double]')) seen.add(
                   [...document.querySelectorAll('#more-actions button')].map((at) => at.innerText).join());
               }).observe(document.getElementById('more-actions'), {childList: true, subtree: true, attributes: true});
            }"""
        )
        while page.locator(".spot.source").count():
            page.locator(".spot.source").first.press("Enter")
            page.locator(".spot.target").first.press("Enter")
        page.locator("[data-act=done]").click()
        page.locator("[data-act=double], [data-act=drop]").first.wait_for()
        assert page.evaluate("[...seen]") in (
            ["Undo,Hint,Take back,More"],
            ["Undo,Hint,Take back,More", "Drop,Hint,Take back,More"],
        )


@pytest.mark.broad
@pytest.mark.parametrize("size", [(844, 390), (667, 375), (640, 360), (568, 320)])
def test_the_header_of_a_phone_held_sideways_is_clear_of_the_board(
    browser: Any, client: httpx.Client, size: tuple[int, int]
) -> None:
    seat, _ = create(client, position=DOUBLE, rules={"length": 5})
    with window(browser, "phone", viewport={"width": size[0], "height": size[1]}) as page:
        sit(page, seat)
        page.locator("[data-act=hint]:enabled").wait_for()
        board = page.locator("#board").bounding_box()
        for element in page.locator(".top button:visible, .top .tools a:visible").all():
            assert element.bounding_box()["x"] >= board["x"] + board["width"] + 4, element.inner_text()
        boxes = [
            (element.inner_text(), element.bounding_box())
            for element in page.locator(
                "#player-top, #player-bottom, #status, #more-actions button, #open-drawer"
            ).all()
        ]
        for number, (name, box) in enumerate(boxes):
            for other, beside in boxes[:number]:
                apart = beside["y"] + beside["height"] <= box["y"] + 1 or box["y"] + box["height"] <= beside["y"] + 1
                level = beside["x"] + beside["width"] <= box["x"] + 1 or box["x"] + box["width"] <= beside["x"] + 1
                assert apart or level, f"{name} and {other} lie on each other"
        dice = page.locator(".die").last.bounding_box()
        assert page.locator("#main-action button").bounding_box()["x"] >= dice["x"] + dice["width"]


@pytest.mark.broad
def test_what_was_moved_outlives_a_reload_and_the_board_is_no_stop_of_the_tab_key(
    browser: Any, client: httpx.Client
) -> None:
    seat, _ = create(client, position=START, rules={"length": 5})
    seat.does("roll")
    with window(browser) as page:
        sit(page, seat)
        page.locator(".spot.source").first.press("Enter")
        page.locator(".spot.target").first.press("Enter")
        moved = page.inner_text("#player-bottom")
        assert page.locator("[data-act=undo]").is_enabled()
        page.reload()
        page.locator(".checker").first.wait_for()
        until(page, "document.querySelector('[data-act=undo]:enabled')")
        assert page.inner_text("#player-bottom") == moved
        page.locator("[data-act=undo]").click()
        until(page, "document.querySelector('[data-act=undo]:disabled')")
        page.evaluate("document.activeElement.blur()")
        stops = []
        for _ in range(40):
            page.keyboard.press("Tab")
            stops.append(page.evaluate("[document.activeElement].map((at) => `${at.tagName} ${at.role ?? ''}`)[0]"))
        assert [stop for stop in stops if stop.startswith("svg")] == []
        assert "g button" in stops, "one place of the board is"


@pytest.mark.broad
def test_dice_and_cube_are_pressed_themselves(browser: Any, client: httpx.Client) -> None:
    """A press on the cube offers it, one on the dice rolls, and one on them finishes the play."""
    seat, _ = create(client, position=START, rules={"length": 5})

    def press(page: Any, selector: str) -> None:
        box = page.locator(selector).first.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    with window(browser) as page:
        sit(page, seat)
        press(page, ".cube .cube-face")
        page.get_by_role("dialog").get_by_role("button", name="Not now").click()
        press(page, ".die.blank")
        page.locator(".spot.source").first.wait_for(state="attached")
        press(page, ".checker.movable")
        assert page.evaluate(FRAMED) == "none", "a pointer needs no frame"
        page.keyboard.press("ArrowDown")
        assert page.evaluate(FRAMED) != "none", "a way by keys is shown"
        page.keyboard.press("Escape")
        while page.locator(".spot.source").count():
            page.locator(".spot.source").first.press("Enter")
            page.locator(".spot.target").first.press("Enter")
        before = seat.state["sequence"]
        press(page, ".die.ready")
        page.locator("#log .play").first.wait_for()
        assert seat.state["sequence"] > before


def test_the_hint_of_who_answers_a_double_is_his(browser: Any, warm_server: Server, client: httpx.Client) -> None:
    """He hears which answer is right and what the other one loses; no word of doubling."""
    seat, _ = create(client, opponent="screen", name="Ann", other_name="Bob", position=START, rules={"length": 5})
    with window(browser, "phone", viewport={"width": 320, "height": 640}) as page:
        sit(page, seat)
        assert page.evaluate("document.querySelector('.top h1').getBoundingClientRect().width") <= 1, "no torn letter"
        page.locator("[data-act=double]").click()
        page.get_by_role("dialog").get_by_role("button", name="Double", exact=True).click()
        page.locator("[data-act=take]").wait_for()
        page.locator("[data-act=hint]:enabled").click()
        page.locator("#advice .verdict").wait_for()
        assert page.inner_text("#advice .verdict") == "Take."
        rows = page.locator("#advice tbody tr").all_inner_texts()
        assert [row.split()[0] for row in rows] == ["Take", "Drop"]
        assert re.search(r"loses 1\.\d{3}$", rows[1].strip())
        assert "ouble" not in page.inner_text("#advice")


@pytest.mark.broad
def test_a_cut_line_is_told_and_what_was_pressed_is_sent_once(browser: Any, tmp_path: Path) -> None:
    """The server is stopped as a network is cut: nothing is closed, nothing answers."""
    server = Server(tmp_path / "games.db")
    try:
        with httpx.Client(base_url=server.url, timeout=60) as client, window(browser) as page:
            seat, _ = create(client, position=START, rules={"length": 5})
            seat.does("roll")
            sit(page, seat)
            while page.locator(".spot.source").count():
                page.locator(".spot.source").first.press("Enter")
                page.locator(".spot.target").first.press("Enter")
            server.process.send_signal(signal.SIGSTOP)
            try:
                start = page.evaluate("performance.now()")
                page.locator("[data-act=done]").click()
                until(page, "document.body.classList.contains('offline')")
                assert page.evaluate("performance.now()") - start < 10_000
                assert re.search(r"connection is lost.*“Done” is kept", page.inner_text("#connection"))
                assert page.locator("[data-act=done]:enabled").count() == 0, "it has been pressed"
            finally:
                server.process.send_signal(signal.SIGCONT)
            until(page, "!document.body.classList.contains('offline') && document.querySelector('#log .play')")
            until(page, "document.querySelector('#connection').hidden")
            plays = [event for event in seat.get()["events"] if event["kind"] == "play" and event["player"] == "X"]
            assert len(plays) == 1
    finally:
        server.process.send_signal(signal.SIGCONT)
        server.close()


NEAR = """(() => {
  const side = document.querySelector("#side"), scrolls = side.scrollHeight > side.clientHeight + 1;
  const panel = scrolls ? side : document.documentElement;
  panel.scrollTop = 0;
  const box = (thing) => document.querySelector(thing).getBoundingClientRect();
  const figures = box("#end .figures"), again = box("#end .again");
  const low = panel === side ? side.getBoundingClientRect().bottom : innerHeight;
  const here = figures.right <= innerWidth + 1 && figures.left >= 0;
  const sideways = innerWidth > innerHeight, high = panel.clientHeight;
  return here && (!sideways || figures.bottom <= low) && again.bottom <= low + high;
})()"""
"""Beside the board the figures of the end are seen at once; the costliest play is one scroll away on every screen."""


@pytest.mark.broad
def test_the_end_of_a_game_is_told_and_the_costliest_play_is_tried_again(
    browser: Any, warm_server: Server, client: httpx.Client
) -> None:
    """The result, how both played, the luck; the worst play on a board of its own; review and next game beside it."""
    seat, _ = create(client, position=START, rules={"length": 0})
    seat.does("roll")
    tree = seat.state["plays"]
    seat.does(tree[-1])
    with window(browser) as page:
        sit(page, seat)
        until(page, "document.querySelector('[data-act=roll]:enabled, [data-act=drop]:enabled')")
        if page.locator("[data-act=drop]").count():
            page.locator("[data-act=drop]").click()
            page.get_by_role("dialog").get_by_role("button", name="Drop", exact=True).click()
        else:
            page.locator("[data-act=more]").click()
            page.locator("[data-act=resign]").click()
            page.get_by_role("dialog").locator("button.danger").first.click()
        page.locator("#end .result").wait_for()
        assert re.search(r"wins 1 point", page.inner_text("#end .result"))
        until(page, "document.querySelectorAll('#end .figure').length === 3")
        assert re.search(r"You played\s+PR \d", page.inner_text("#end .figure >> nth=0"))
        assert page.locator("#main-action [data-act=review]:enabled").count() == 1
        assert page.locator("#main-action [data-act=next]:enabled").count() == 1
        page.locator("#end .again > *").first.wait_for()
        for size in LANDSCAPE + PORTRAIT:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            until(page, f"innerWidth === {size[0]}")
            assert page.evaluate(NEAR), size
        page.set_viewport_size({"width": 1280, "height": 800})
        again = page.locator(".again")
        if again.locator(".board").count():
            while again.locator(".spot.source").count():
                again.locator(".spot.source").first.press("Enter")
                again.locator(".spot.target").first.press("Enter")
                if again.locator("[role=status]").inner_text():
                    break
            assert re.search(r"is right|Best is", again.locator("[role=status]").inner_text())
        page.locator("[data-act=next]").click()
        until(page, "document.querySelector('#end').hidden")


@pytest.mark.broad
def test_the_sets_are_seen_before_they_are_chosen(browser: Any, client: httpx.Client) -> None:
    seat, _ = create(client, position=START, rules={"length": 5})
    with window(browser) as page:
        sit(page, seat)
        page.get_by_role("button", name="Settings").click()
        tiles = page.locator(".sets .set")
        tiles.first.wait_for()  # the dialog is fetched when it is asked for
        assert tiles.count() == 6
        until(page, "document.querySelectorAll('.sets .set .field-light').length >= 6")
        colours = page.eval_on_selector_all(
            ".sets .set .field-light", "all => all.map((stop) => getComputedStyle(stop).stopColor)"
        )
        assert len(set(colours)) == 6, "each is drawn in its own colours"
        page.get_by_role("radio", name="Bold").check()
        assert page.evaluate("document.documentElement.dataset.theme") == "bold"
        assert page.evaluate("document.querySelector('#board .disc') !== null")


@pytest.mark.broad
def test_checkers_travel_one_by_one_and_a_click_ends_the_journey(browser: Any, client: httpx.Client) -> None:
    """With motion on, the bot's two checkers are seen on their way, one after the other; a press skips what is left."""
    seat, _ = create(client, position=START, rules={"length": 5})
    watch = """window.boards = new Set();
      new MutationObserver(() => {
        const row = [...document.querySelectorAll('#board .checker.o')].map(({ style }) => style.transform);
        window.boards.add(row.sort().join());
      }).observe(document.querySelector('#board'), {subtree: true, attributes: true, attributeFilter: ['style']});"""
    with window(browser, reduced_motion="no-preference") as page:
        sit(page, seat)
        page.evaluate(watch)
        page.locator("[data-act=roll]").click()
        page.locator(".spot.source").first.wait_for(state="attached")
        while page.locator(".spot.source").count():
            page.locator(".spot.source").first.press("Enter")
            page.locator(".spot.target").first.press("Enter")
        page.locator("[data-act=done]").click()
        page.locator("#log .play").nth(1).wait_for()
        last_play = next(event for event in seat.get()["events"] if event["kind"] == "play" and event["player"] == "O")
        moved = page.evaluate("window.boards.size")
        assert moved >= (2 if last_play["play"] else 0), "a board between the two that the server told"
        page.mouse.click(2, 2)
        until(page, "document.querySelector('[data-act=roll]:enabled, [data-act=take]:enabled')")


@pytest.mark.broad
def test_nobody_is_hit_by_a_takeback(browser: Any, client: httpx.Client) -> None:
    """The home board is closed: what goes back from the bar is not struck again."""
    closed = "12:3 6:2 5:2 4:2 3:2 2:2 1:2 / 18:1 17:1 16:1 15:1 14:1 6:10"
    hits: list[str] = []
    while not hits:  # Every roll but 6-6 hits.
        seat, _ = create(client, position=closed, rules={"length": 5})
        seat.does("roll")
        hits = [play for play in seat.state.get("plays", ()) if "*" in play]
    watch = """window.struck = 0;
      const hit = ({ target }) => target.classList.contains('struck');
      new MutationObserver((all) => { window.struck += all.filter(hit).length; }).observe(
        document.querySelector('#board'), {subtree: true, attributes: true, attributeFilter: ['class']});"""
    with window(browser, reduced_motion="no-preference") as page:
        sit(page, seat)
        page.evaluate(watch)
        seat.does(hits[0])
        page.locator("[data-act=back]:enabled").wait_for()
        until(page, "window.struck > 0")
        until(page, "!document.querySelector('.struck')")
        page.evaluate("window.struck = 0")
        page.locator("[data-act=back]").click()
        page.locator("#log .takeback").wait_for()
        until(page, "document.querySelector('.spot.source')")
        assert page.evaluate("window.struck") == 0
