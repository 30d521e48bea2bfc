"""The rules at every board: this game with the options in force, in words and small boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from tests.web.browsing import sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, create
from tests.web.test_boards import shared_study

from fullprime.play.options.options import make_settings
from fullprime.play.options.rule_pages import examples, rule_page
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.notation import read_play
from fullprime.rules.variants import VARIANTS

needs_chromium = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")


@pytest.fixture(scope="module")
def without_limits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that lets a test begin games until one throws what it wants."""
    server = Server(tmp_path_factory.mktemp("throws") / "games.db", "--no-limits", chance="throws")
    yield server
    server.stop()


@pytest.mark.parametrize("name", VARIANTS)
def test_the_small_boards_say_what_the_rules_say(name: str) -> None:
    variant = VARIANTS[name]
    for example in examples(variant):
        try:
            read_play(example.play, example.position, Roll(*example.roll), variant)
        except FullprimeError:
            allowed = False
        else:
            allowed = True
        assert allowed == example.allowed, (name, example)


def test_every_option_in_force_is_explained_and_a_house_rule_is_in_the_words() -> None:
    page = rule_page(make_settings("dutch", rules=["hit_licence=current", "length=0", "jacoby=yes"]))
    assert next(option.value for option in page.options if option.name == "hit_licence") == "current"
    assert all(option.words for option in page.options)
    assert any("The right is lost with that checker" in text for part in page.sections for text in part.sentences)


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
        violations = axe.run(page)
        assert violations.violations_count == 0, violations.generate_report()
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


@pytest.mark.broad
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


def throwing(client: httpx.Client, variant: str, wanted: Callable[[int, int], bool]) -> Seat:
    """A game with every checker in hand, in which the first throw is as wanted."""
    for _ in range(300):
        seat, _ = create(
            client, opponent="screen", variant=variant, position="hand:15 / hand:15", automatic=False, name="Ann",
            rules={"length": 0},
        )  # fmt: skip
        seat.does("roll")
        if wanted(*seat.state["dice"]):
            return seat
    raise AssertionError("three hundred throws")


def play_out(page: Any) -> None:
    """Move checkers until the play is made, and finish it."""
    page.locator("#board .spot.source").first.wait_for()
    while page.locator("#board .spot.source").count():
        page.locator("#board .spot.source").first.press("Enter")
        page.locator("#board .spot.target").first.press("Enter")
    page.get_by_role("button", name="Done").click()


@pytest.mark.broad
@needs_chromium
def test_an_acey_deucey_is_explained_whole_at_the_board_and_gives_a_double_and_another_throw(
    without_limits: Server, browser: Any
) -> None:
    """As source 003 has it: first a 1 and a 2, then a double that the player names, then another throw of the dice."""
    sentence = "A 2-1 gives more: play all of it, then name any double and play it, then throw again."
    with httpx.Client(base_url=without_limits.url, timeout=60) as client:
        seat = throwing(client, "acey_deucey", lambda high, low: (high, low) == (2, 1))
        for width, height in ((844, 390), (667, 375), (1366, 768), (390, 844)):
            with window(browser, viewport={"width": width, "height": height}) as page:
                sit(page, seat)
                page.get_by_text(sentence).wait_for()
                status = page.locator("#status")
                assert status.evaluate("one => one.scrollHeight <= one.clientHeight + 1"), f"cut at {width}"
                assert page.locator("#more-actions button").last.bounding_box()["y"] < height
                page.reload()
                status.get_by_text("Ann: play 2-1.").wait_for()
                until(page, "document.querySelector('#board .spot.source')")
                assert page.get_by_text(sentence).count() == 0, "it is said once"
                if width > height:
                    continue
                play_out(page)
                page.get_by_role("button", name="3 3").click()
                status.get_by_text("Ann: play 3-3-3-3.").wait_for()
                play_out(page)
                page.get_by_role("button", name="Roll", exact=True).click()
                until(page, "/^Ann: (play|choose)/.test(document.getElementById('status').textContent)")
                assert seat.state["on_roll"] == "X", "the further throw is Ann's"


@pytest.mark.broad
@needs_chromium
def test_a_double_that_gives_more_is_explained_although_a_2_1_was(without_limits: Server, browser: Any) -> None:
    with (
        httpx.Client(base_url=without_limits.url, timeout=60) as client,
        window(browser, viewport={"width": 844, "height": 390}) as page,
    ):
        sit(page, throwing(client, "acey_deucey_european", lambda high, low: (high, low) == (2, 1)))
        page.get_by_text("A 2-1 gives more").wait_for()
        play_out(page)
        page.get_by_role("button", name="3 3").wait_for()
        sit(page, throwing(client, "acey_deucey_european", lambda high, low: high == low))
        page.get_by_text("A double gives more").wait_for()
        assert page.locator("#status").evaluate("one => one.scrollHeight <= one.clientHeight + 1")


@pytest.mark.broad
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


@pytest.mark.broad
@needs_chromium
def test_a_play_that_is_refused_leads_to_the_rules_wherever_it_is_answered(shared_server: Server, browser: Any) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        study = shared_study(client)
    with window(browser, "phone") as page:
        for address in ("/drill/puzzles", f"/study/{study}?quiz=yes"):
            page.goto(shared_server.url + address)
            page.locator(".spot.source").first.wait_for()
            page.locator("#word").fill("24/1")
            page.locator("#word").press("Enter")
            page.locator("#problem a").wait_for()
            rules = page.locator("header #open-rules").evaluate("one => one.href")
            assert page.locator("#problem a").get_attribute("href") == rules, address
            assert "24/1" in page.inner_text("#problem"), address
        assert page.goto(f"{shared_server.url}/openings/nackgammon?step=31:24/1").status == 404
        page.locator("#problem a").wait_for()
        page.locator("#board .checker").first.wait_for()
        until(page, "document.querySelector('#problem a').href === document.getElementById('open-rules').href")
        assert "nackgammon" in page.locator("#problem a").get_attribute("href")
        page.goto(f"{shared_server.url}/analysis?dice=31&play=24/1")
        page.get_by_text("24/1 in the address is no play of this position.").wait_for()
        assert page.locator("#problem a").get_attribute("href") == page.locator("#open-rules").evaluate(
            "one => one.href"
        )
