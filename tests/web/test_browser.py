"""The pages in a real browser: games won with the mouse, with the keyboard and through the accessibility tree."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, create

from fullprime.rules.variants import VARIANTS

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
NEARLY_WON = "5 3 off:13 / 24:15"
"""Two checkers left, and a bot that still has everything on our ace point."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield running
        running.close()


@contextmanager
def window(browser: Any, size: str = "desktop", **more: Any) -> Iterator[Any]:
    """A page of a browser of its own; what goes wrong in its scripts fails the test."""
    context = browser.new_context(viewport=SIZES[size], reduced_motion="reduce", has_touch=size == "phone", **more)
    page = context.new_page()
    page.set_default_timeout(30_000)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
    yield page
    context.close()
    assert wrong == []


@pytest.fixture(params=SIZES)
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    with window(browser, request.param) as page:
        yield page


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        yield client


def sit(page: Any, seat: Seat) -> None:
    page.goto(f"{str(seat.client.base_url).rstrip('/')}/game/{seat.game}#key={seat.key}")
    page.locator(".checker").first.wait_for()


def point(page: Any, slot: int, side: str = "X") -> Any:
    return page.locator(f'[data-spot="{side}{slot}"]')


def won(page: Any) -> None:
    page.locator("#log .match_over").wait_for()
    assert "won the match" in page.inner_text("#status")


def until(page: Any, condition: str) -> None:
    """Wait for something; the pages' policy forbids what Playwright's own waiting would use."""
    end = time.monotonic() + 30
    while not page.evaluate(f"Boolean({condition})"):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(20)


def test_a_game_is_won_with_the_mouse(page: Any, client: httpx.Client) -> None:
    seat, _ = create(client, bot="random", position=NEARLY_WON, rules={"length": 1})
    sit(page, seat)
    for _ in range(6):
        if page.locator("#log .match_over").count():
            break
        until(page, "document.querySelector('.spot.source')")
        while page.locator(".spot.source").count():
            # What is farthest goes first, put where the board says it can go.
            page.locator(".checker.movable").last.click(force=True)
            page.locator(".goal").last.wait_for()
            target = page.locator(".spot.target").last
            box = target.bounding_box()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.get_by_role("button", name="Done").click()
        page.wait_for_timeout(50)
        until(page, "document.querySelector('#log .match_over') || document.querySelector('.spot.source')")
    won(page)


def test_a_game_is_won_with_the_keyboard_alone(page: Any, client: httpx.Client) -> None:
    seat, _ = create(client, bot="random", position=NEARLY_WON, rules={"length": 1})
    sit(page, seat)
    for _ in range(6):
        until(page, "document.querySelector('#log .match_over') || document.querySelector('.spot.source')")
        if page.locator("#log .match_over").count():
            break
        for _ in range(8):
            if not page.locator(".spot.source").count():
                break
            for _ in range(80):
                if page.evaluate("document.activeElement.classList.contains('spot')"):
                    break
                page.keyboard.press("Tab")
            # Along one row and back, then along the other: wherever the last move has left the focus.
            along = [*["ArrowRight"] * 14, *["ArrowLeft"] * 14]
            for key in ("ArrowDown", *along, "ArrowUp", *along):
                if page.evaluate("document.activeElement.classList.contains('source')"):
                    break
                page.keyboard.press(key)
            page.keyboard.press("Enter")
            page.keyboard.press("Enter")
        assert page.locator(".spot.source").count() == 0
        page.keyboard.press("f")
        page.wait_for_timeout(50)
    won(page)


def test_a_game_is_won_through_the_accessibility_tree(page: Any, client: httpx.Client) -> None:
    """Only roles and names, as a screen reader gives them, and no pointer."""
    seat, _ = create(client, bot="random", position=NEARLY_WON, rules={"length": 1})
    sit(page, seat)
    assert page.get_by_role("log").inner_text()
    for _ in range(6):
        until(page, "document.querySelector('#log .match_over') || document.querySelector('.spot.source')")
        if page.locator("#log .match_over").count():
            break
        while page.get_by_role("button", name="can move").count():
            page.get_by_role("button", name="checker, can move").first.press("Enter")
            page.get_by_role("button", name="can move here").last.press("Enter")
        page.get_by_role("button", name="Done", exact=True).press("Enter")
        page.wait_for_timeout(50)
    won(page)


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


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_begins_in_the_browser(browser: Any, client: httpx.Client, variant: str) -> None:
    with window(browser, "phone") as page:
        page.goto(str(client.base_url))
        page.locator("#variant option").first.wait_for(state="attached")
        page.select_option("#variant", variant)
        page.select_option("#length", "0")
        page.select_option("#bot", "random")
        page.get_by_role("button", name="Start").click()
        page.locator(".checker").first.wait_for()
        until(page, "document.querySelector('#actions button:enabled, #actions [data-act=done]')")
        count = VARIANTS[variant].checkers
        assert page.locator(".checker").count() == 2 * count
        page.goto(str(client.base_url))
        page.locator("#mine a").first.click()
        page.locator(".checker").first.wait_for()


def test_two_browsers_play_a_match_by_link(browser: Any, server: Server) -> None:
    """Doubling, dropping, the Crawford game, a resignation, a reload and a server that dies in between."""
    with window(browser) as ann, window(browser, "phone") as bob:
        ann.goto(server.url)
        ann.get_by_label("a friend, by a link").check()
        ann.select_option("#length", "3")
        ann.fill("#name", "Ann")
        ann.get_by_role("button", name="Start").click()
        link = ann.locator("#invite").input_value()
        bob.goto(link)
        bob.get_by_label("Your name").fill("Bob")
        bob.get_by_role("button", name="Join").click()
        for page in (ann, bob):
            page.locator(".checker").first.wait_for()
        assert "#" not in bob.url, "the invitation does not stay in the address"

        def act(page: Any, name: str) -> None:
            try:
                page.locator(f"#actions [data-act={name}]:enabled").click()
            except sync_api.TimeoutError:
                said = [each.inner_text("#status") + each.inner_text("#problem") for each in (ann, bob)]
                raise AssertionError(f"{name}: {said}") from None

        def on_turn() -> tuple[Any, Any]:
            ann.wait_for_timeout(30)
            until(ann, "document.querySelector('.player.turn')")
            return (ann, bob) if ann.locator("#player-bottom.turn").count() else (bob, ann)

        def play(page: Any) -> None:
            until(page, "document.querySelector('.spot.source, [data-act=roll]')")
            if page.locator("[data-act=roll]").count():
                act(page, "roll")
                page.wait_for_timeout(100)
            while page.locator(".spot.source").count():
                page.locator(".spot.source").first.press("Enter")
                page.locator(".spot.target").first.press("Enter")
            if page.locator("[data-act=done]:enabled").count():
                act(page, "done")

        mover, other = on_turn()
        play(mover)
        act(other, "double")
        other.get_by_role("dialog").get_by_role("button", name="Double").click()
        act(mover, "drop")
        mover.get_by_role("dialog").get_by_role("button", name="Drop").click()
        winner, loser = other, mover
        for page in (ann, bob):
            page.locator("#log .game_over").wait_for()

        server.kill()
        until(ann, "document.body.classList.contains('offline')")
        server.start()
        until(ann, "!document.body.classList.contains('offline')")
        until(bob, "!document.body.classList.contains('offline')")
        bob.reload()
        bob.locator("#log .game_over").wait_for()
        assert bob.locator("#log .game_over").count() == ann.locator("#log .game_over").count() == 1

        def give_up(page: Any, against: Any) -> None:
            """Play until this one may resign, and have it accepted."""
            for _ in range(3):
                if on_turn()[0] is page:
                    break
                play(against)
            act(page, "resign")
            page.get_by_role("dialog").get_by_role("button", name="a single game").click()
            act(against, "accept")

        act(winner, "next")
        until(loser, "document.querySelectorAll('#log .opening').length > 1")
        give_up(loser, winner)
        for page in (ann, bob):
            until(page, "document.querySelectorAll('#log .game_over').length === 2")
        act(loser, "next")
        winner.get_by_text("Crawford game", exact=True).wait_for()
        assert winner.locator("[data-act=double]").count() == 0
        give_up(loser, winner)
        for page in (ann, bob):
            won(page)
            page.get_by_role("button", name="Dice", exact=True).click()
            page.get_by_text("throws follow from the seeds").wait_for()


def test_pages_have_no_faults_that_axe_finds(browser: Any, client: httpx.Client) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    seat, _ = create(client, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", rules={"length": 5})
    with window(browser, color_scheme="dark") as page:
        for theme in ("club", "midnight", "clear", "print"):
            page.goto(str(client.base_url))
            page.evaluate(f"localStorage.setItem('fullprime.settings', JSON.stringify({{theme: '{theme}'}}))")
            page.goto(str(client.base_url))
            page.locator("#variant option").first.wait_for(state="attached")
            page.locator("#more summary").click()
            found = axe.run(page)
            assert found.violations_count == 0, found.generate_report()
            sit(page, seat)
            found = axe.run(page)
            assert found.violations_count == 0, found.generate_report()
        page.get_by_role("button", name="Settings").click()
        assert axe.run(page).violations_count == 0
    with window(browser, "phone") as page:
        sit(page, seat)
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()


def test_the_first_board_is_light(browser: Any, client: httpx.Client) -> None:
    seat, _ = create(client, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", rules={"length": 5})
    with window(browser) as page:
        sizes: list[int] = []
        page.on("response", lambda answer: sizes.append(int(answer.headers.get("content-length", 0))))
        sit(page, seat)
        assert 0 < sum(sizes) < 150_000


def test_a_name_is_text_and_nothing_else(browser: Any, client: httpx.Client) -> None:
    name = "<img src=x onerror=alert(1)>"
    seat, _ = create(client, name=name, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5")
    with window(browser) as page:
        sit(page, seat)
        assert name in page.inner_text("#player-bottom")
        assert page.locator("main img").count() == 0


def test_chance_is_used_nowhere_in_the_browser_but_for_the_seed() -> None:
    """The dice come from the server alone."""
    from fullprime.web.server import STATIC

    texts = [path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")]
    assert sum("Math.random" in text for text in texts) == 0
