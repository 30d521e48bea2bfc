"""A backgammon player's hands: one click moves, dice that are swapped and set, a checker on the bar, what is pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.web.browsing import PASTE, Pointer, point, sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, create

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

OPENING = "-b----E-C---eE---c-e----B-"
THROWN = f"{OPENING}:0:0:1:31:0:0:0:0:10"
"""A 3-1 is to be played."""
ON_THE_BAR = "-b----E-C---dE---c-e----AA:0:0:1:51:0:0:0:0:10"
"""A 5-1, one checker on the bar: it enters with either die, on 20 or on 24."""
TWO_ON_THE_BAR = "-b----E-C---dE---c-e-----B:0:0:1:33:0:0:0:0:10"
"""A 3-3, two checkers on the bar: both enter on 22, and there is a choice after it."""
LOG = "document.querySelector('#log').textContent"
READY = "performance.getEntriesByType('resource').some((one) => one.name.endsWith('/board/paste.js'))"
"""The script that takes what is pasted comes when everything else stands."""


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=120) as client:
        yield client


def moved(page: Any) -> str:
    """The checkers of X that stand on points, as the board shows them."""
    names = page.locator(".spot").evaluate_all("all => all.map((each) => each.getAttribute('aria-label'))")
    matches = [re.match(r"(?:your )?(\d+)-point, (\d+) checkers?", name) for name in names]
    return " ".join(f"{match[1]}:{match[2]}" for match in matches if match)


def press_die(page: Any, index: int, *, tap: bool = True) -> None:
    box = page.locator(".die").nth(index).bounding_box()
    (page.touchscreen.tap if tap else page.mouse.click)(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def seat(client: httpx.Client, position: str) -> Seat:
    return create(client, position=position)[0]


def test_one_tap_moves_a_checker_by_the_larger_die_then_by_the_other(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone") as page:
        sit(page, seat(client, THROWN))
        person = Pointer(page, touch=True)
        person.use('[data-spot="X8"]')
        until(page, "document.querySelectorAll('.die.used').length === 1")
        assert "5:1" in moved(page), "three points from the 8-point"
        person.use('[data-spot="X6"]')
        until(page, "document.querySelectorAll('.die.used').length === 2")
        assert "5:2" in moved(page)
        assert page.locator("[data-act=done]").is_enabled()


@pytest.mark.broad
def test_a_tap_on_the_dice_has_the_left_one_used_first(browser: Any, client: httpx.Client) -> None:
    for home in ("right", "left"):
        with window(browser, "phone") as page:
            page.add_init_script(f"localStorage.setItem('fullprime.preferences', JSON.stringify({{home: '{home}'}}))")
            sit(page, seat(client, THROWN))
            page.locator(".spot.source").first.wait_for(state="attached")
            press_die(page, 0)
            until(page, "document.getElementById('status').textContent.includes('1-3')")
            left = page.locator(".die").evaluate_all(
                "all => all.map((one) => [one.getBoundingClientRect().x, one.querySelectorAll('.face circle').length])"
            )
            assert min(left)[1] == 1, f"the die at the left is the 1, home at the {home}"
            Pointer(page, touch=True).use('[data-spot="X8"]')
            until(page, "document.querySelector('.die.used')")
            assert "7:1" in moved(page)


def test_a_tap_on_an_empty_point_makes_it_where_both_dice_can(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone") as page:
        sit(page, seat(client, THROWN))
        person = Pointer(page, touch=True)
        person.use('[data-spot="X9"]')  # no two checkers go there
        assert page.locator(".spot.moved").count() == 0
        person.use('[data-spot="X5"]')
        until(page, "document.querySelector('[data-act=done]:enabled')")
        assert "5:2" in moved(page)


@pytest.mark.broad
def test_a_checker_on_the_bar_is_in_the_hand(browser: Any, client: httpx.Client) -> None:
    """A tap on its target enters it; so does one on a die, by that die, and one on the bar, by the first."""
    for deed, entered in (("X24", "24:2"), ("die", "24:2"), ("X25", "20:1")):
        with window(browser, "phone") as page:
            sit(page, seat(client, ON_THE_BAR))
            until(page, "document.querySelectorAll('.spot.target').length >= 2")
            if deed == "die":
                press_die(page, 1)
            else:
                Pointer(page, touch=True).use(f'[data-spot="{deed}"]')
            until(page, "document.querySelectorAll('.die.used').length === 1")
            assert entered in moved(page), deed
    with window(browser) as page:
        sit(page, seat(client, ON_THE_BAR))
        point(page, 24).wait_for(state="attached")
        Pointer(page, touch=False).use('[data-spot="X24"]')
        until(page, "document.querySelectorAll('.die.used').length === 1")
        assert "24:2" in moved(page), "with a mouse too, without a click on the bar"


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_two_checkers_on_the_bar_enter_on_the_same_point(browser: Any, client: httpx.Client, size: str) -> None:
    """The point on which the first has entered is where the second goes, and not the first one taken up again."""
    with window(browser, size) as page:
        sit(page, seat(client, TWO_ON_THE_BAR))
        enters = page.locator('[data-spot="X22"].target')
        for entered in (1, 2):
            enters.wait_for()
            if size == "phone":
                Pointer(page, touch=True).use('[data-spot="X22"]')
            else:
                enters.press("Enter")
            until(page, f"document.querySelectorAll('.die.used').length === {entered}")
        assert "22:2" in moved(page)
        enters.wait_for(state="detached")
        page.locator('[data-spot="X13"].source').wait_for()


@pytest.mark.broad
def test_one_click_is_a_setting(browser: Any, client: httpx.Client) -> None:
    """A mouse chooses a checker, until the setting says that one click moves; a finger may choose as well."""
    game = seat(client, THROWN)
    for size, choice, at_once in (
        ("desktop", "finger", False), ("desktop", "always", True), ("phone", "finger", True), ("phone", "never", False),
    ):  # fmt: skip
        with window(browser, size) as page:
            sit(page, game)
            page.get_by_role("button", name="Settings").click()
            page.get_by_label("One click moves").select_option(choice)
            page.get_by_role("button", name="Close", exact=True).click()
            Pointer(page, touch=size == "phone").use('[data-spot="X8"]')
            selector = ".die.used" if at_once else ".spot.target"
            until(page, f"document.querySelector('{selector}')")
            assert (page.locator(".spot.selected").count() == 0) == at_once


def test_a_dragged_checker_is_above_the_finger_and_lands_where_it_is_seen(browser: Any, client: httpx.Client) -> None:
    with window(browser, "phone") as page:
        sit(page, seat(client, THROWN))
        page.locator(".spot.source").first.wait_for(state="attached")
        session = page.context.new_cdp_session(page)
        boxes = [point(page, slot).bounding_box() for slot in (8, 5)]
        (x, y), (to_x, to_y) = [(box["x"] + box["width"] / 2, box["y"] + 0.8 * box["height"]) for box in boxes]
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for share in (0.3, 0.7, 1):
            at = {"x": x + share * (to_x - x), "y": y + share * (to_y - y)}
            session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
        page.locator(".ghost").wait_for(state="attached")
        ghost = page.locator(".ghost .disc").bounding_box()
        assert ghost["y"] + ghost["height"] < to_y, "the finger hides nothing of it"
        assert abs(ghost["x"] + ghost["width"] / 2 - to_x) < 2
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        until(page, "document.querySelector('.die.used')")
        assert "5:1" in moved(page)


def test_an_identifier_that_is_pasted_is_shown_on_the_analysis_board(browser: Any, client: httpx.Client) -> None:
    with window(browser) as page:
        page.goto(f"{client.base_url}/analysis")
        page.locator("#answer table").first.wait_for()
        page.evaluate(PASTE, f"XGID={ON_THE_BAR}")
        page.get_by_text("X to play 5-1.").wait_for()
        page.evaluate(PASTE, "no identifier at all")
        until(page, "document.getElementById('problem').textContent")


@pytest.mark.broad
def test_what_is_pasted_at_a_table_is_offered_and_the_game_stays(browser: Any, client: httpx.Client) -> None:
    game = seat(client, THROWN)
    with window(browser) as page:
        sit(page, game)
        until(page, READY)
        page.evaluate("import('/static/board/paste.js').then(() => {})")
        page.evaluate(PASTE, "4HPwATDgc/ABMA")
        page.get_by_role("dialog").get_by_role("button", name="Stay here").click()
        assert "/game/" in page.url
        page.evaluate(PASTE, "not a position")
        page.get_by_role("dialog").get_by_role("button", name="Close").click()
        page.evaluate(PASTE, f"XGID={ON_THE_BAR}")
        page.get_by_role("dialog").get_by_role("button", name="On the analysis board").wait_for()
        page.keyboard.press("Enter")
        page.wait_for_url("**/analysis?**")
        page.get_by_text("X to play 5-1.").wait_for()
        page.goto(f"{client.base_url}/game/{game.game}#key={game.key}")
        page.locator(".checker").first.wait_for()
        page.locator("#line").focus()
        page.evaluate("document.querySelector('#line').dispatchEvent(new Event('paste', {bubbles: true}))")
        assert page.locator("dialog[open]").count() == 0, "a field takes what is pasted itself"


def test_dice_are_set_by_pressing_them_and_by_digits(browser: Any, client: httpx.Client) -> None:
    with window(browser, viewport={"width": 1366, "height": 768}) as page:
        page.goto(f"{client.base_url}/analysis")
        page.locator(".die.blank").first.wait_for()
        press_die(page, 0, tap=False)
        page.get_by_role("button", name="4-2", exact=True).click()
        page.get_by_text("X to play 4-2.").wait_for()
        page.keyboard.type("65")
        page.get_by_text("X to play 6-5.").wait_for()
        press_die(page, 1, tap=False)
        page.get_by_role("button", name="Not thrown yet").click()
        page.get_by_text("X to roll or double.").wait_for()


@pytest.mark.broad
def test_what_was_asked_for_is_seen_on_a_low_screen(browser: Any, client: httpx.Client, warm_server: Server) -> None:
    """1366 x 768: every answer of the analysis board begins within its column."""
    seen = """(id) => {
      const box = document.getElementById(id).getBoundingClientRect();
      const side = document.querySelector('.side').getBoundingClientRect();
      return box.height > 0 && box.top >= side.top - 1 && Math.min(box.bottom, box.top + 150) <= side.bottom + 1;
    }"""
    with window(browser, viewport={"width": 1366, "height": 768}) as page:
        page.goto(f"{client.base_url}/analysis")
        for button, place in (("Every roll", "map"), ("Copy", "copied")):
            page.locator("#answer table").first.wait_for()
            page.get_by_role("button", name=button, exact=True).click()
            until(page, f"document.getElementById('{place}').textContent")
            assert page.evaluate(seen, place), button
        page.evaluate(PASTE, f"XGID={THROWN}")
        page.locator("#answer table.plays").wait_for()
        assert page.evaluate(seen, "answer")
