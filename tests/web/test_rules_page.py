"""The rules at every board: this game with the options in force, in words and small boards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.web.browsing import chromium_running, sit, window
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, create

from fullprime.app.choices.options import make_settings
from fullprime.app.choices.rule_pages import examples, rule_page
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.notation import read_play
from fullprime.rules.variants import VARIANTS

needs_chromium = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium_running() as running:
        yield running


@pytest.mark.parametrize("name", VARIANTS)
def test_the_small_boards_say_what_the_rules_say(name: str) -> None:
    variant = VARIANTS[name]
    for each in examples(variant):
        try:
            read_play(each.play, each.position, Roll(*each.roll), variant)
        except FullprimeError:
            allowed = False
        else:
            allowed = True
        assert allowed == each.allowed, (name, each)


def test_every_option_in_force_is_explained_and_a_house_rule_is_in_the_words() -> None:
    page = rule_page(make_settings("dutch", rules=["hit_licence=current", "length=0", "jacoby=yes"]))
    assert {"name": "hit_licence", "value": "current"}.items() <= next(
        each for each in page["options"] if each["name"] == "hit_licence"
    ).items()
    assert all(each["words"] for each in page["options"])
    assert any("The right is lost with that checker" in text for part in page["sections"] for text in part["sentences"])


@pytest.mark.broad
@needs_chromium
def test_the_board_leads_to_its_rules_and_so_does_a_refusal(shared_server: Server, browser: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with httpx.Client(base_url=shared_server.url, timeout=60) as client, window(browser, "phone") as page:
        seat, _ = create(client, opponent="screen", variant="dutch", name="Ann", other_name="Bob", rules={"length": 3})
        sit(page, seat)
        line = page.get_by_label("Type a play or a word")
        if not line.is_visible():
            page.get_by_role("button", name="Moves and advice").click()
        line.fill("24/1")
        line.press("Enter")
        refused = page.locator("#problem a")
        refused.wait_for(state="attached")
        assert refused.get_attribute("href") == f"/rules?game={seat.game}"
        address = page.locator("#open-rules").get_attribute("href")
        page.goto(shared_server.url + address)
        page.get_by_role("heading", name="Rules of Dutch Backgammon").wait_for()
        assert "a match to 3 points" in page.inner_text("#played-for")
        assert page.locator("#sections svg.mini").count() >= 5
        assert page.get_by_role("link", name="Back to the game").is_visible()
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()
        page.emulate_media(color_scheme="dark")
        assert axe.run(page).violations_count == 0
        page.select_option("#variant", "acey_deucey")
        page.get_by_role("heading", name="Rules of Acey Deucey", exact=True).wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def missing_the_licence(client: httpx.Client) -> Seat:
    """A game of Dutch in which every die of a roll but a double reaches a blot that may not be hit yet."""
    for _ in range(20):
        position = "24:14 14 / 24:9 7 6 5 4 3 2"
        seat, _ = create(
            client, opponent="screen", variant="dutch", position=position, automatic=False, rules={"length": 0}
        )
        seat.does("roll")
        high, low = seat.state["dice"]
        if high != low:
            return seat
    raise AssertionError("twenty doubles in a row")


@needs_chromium
def test_the_right_to_hit_is_explained_at_the_board_the_first_time_it_bites(
    shared_server: Server, browser: Any
) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client, window(browser) as page:
        note = page.get_by_text("You have not earned the right to hit yet")
        sit(page, missing_the_licence(client))
        note.wait_for()
        sit(page, missing_the_licence(client))
        page.get_by_text("play").first.wait_for()
        assert note.count() == 0, "it is said once"


@needs_chromium
def test_every_board_has_a_button_to_the_rules_of_its_game(shared_server: Server, browser: Any) -> None:
    """At a phone, too, where the header has the least room."""
    boards = {
        "/analysis?variant=dutch&rule.hit_licence=current": ["variant=dutch", "hit_licence%3Dcurrent"],
        "/learn/primes": ["variant=backgammon", "length%3D0"],
        "/drill/puzzles": ["variant=backgammon", "length%3D0"],
        "/drill/pips": ["variant=backgammon"],
        "/openings/nackgammon": ["variant=nackgammon"],
        "/real": ["variant=backgammon", "length%3D7"],
        "/": ["variant=backgammon"],
    }
    with window(browser, "phone", viewport={"width": 360, "height": 740}) as page:
        for address, wanted in boards.items():
            page.goto(shared_server.url + address)
            link = page.locator("main a[href^='/rules?'], header a[href^='/rules?']").locator("visible=true").first
            link.wait_for()
            leads = link.get_attribute("href")
            assert link.inner_text() == "Rules"
            assert all(part in leads for part in wanted), (address, leads)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        page.goto(f"{shared_server.url}/study/none")
        assert page.locator("header #open-rules").is_visible()
        page.goto(f"{shared_server.url}/drill/puzzles")
        page.locator(".spot.source").first.wait_for()
        page.locator("#word").fill("24/1")
        page.locator("#word").press("Enter")
        page.locator("#problem a").wait_for()
        rules = page.locator("#open-rules").evaluate("one => one.href")
        assert page.locator("#problem a").get_attribute("href") == rules
