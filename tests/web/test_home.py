"""The first page: a live board, one click to a game, opponents with faces, the games of the family, what goes on."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest
from tests.web.browsing import SIZES, at_table, open_form, until, window
from tests.web.conftest import Server, chromium

from fullprime.engine.bots.bots import BOTS
from fullprime.learn.teaching import daily
from fullprime.play.options.games import GAME_WORDS, RULE_WORDS, own_rules
from fullprime.play.options.opponents import CHARACTERS, READY_BOT, strength_words
from fullprime.play.options.options import PRESETS, rule_choices
from fullprime.rules.variants import VARIANTS

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
LANDSCAPE = {"width": 844, "height": 390}
LOW = {"width": 667, "height": 375}
FILLS = """(([place, picture]) => Math.abs(place.bottom - picture.bottom) < 2)(
  ['#board', '#board svg'].map((name) => document.querySelector(name).getBoundingClientRect()))"""
"""The board has the room that is kept for it: less would lie over what is below, more would move it."""
BOTH_IN_VIEW = """['board', 'play-now'].every(
  (name) => document.getElementById(name).getBoundingClientRect().bottom <= innerHeight)"""


def make(page: Any, play: tuple[str, ...]) -> None:
    """Make the moves of a play on the board of the first page."""
    for move in play:
        source, target = (part.rstrip("*") for part in move.split("/"))
        slot = {"bar": "25", "off": "0"}
        page.locator(f'[data-spot="X{slot.get(source, source)}"]').press("Enter")
        page.locator(f'[data-spot="X{slot.get(target, target)}"]').press("Enter")


def test_the_position_of_the_day_is_played_at_once_and_judged_with_a_reason(
    shared_server: Server, browser: Any
) -> None:
    """No click before the first move; the answer has the loss and one sentence why, and the best play is shown."""
    with window(browser) as page:
        page.goto(shared_server.url)
        page.locator(".spot.source").first.wait_for()
        day = datetime.strptime(page.evaluate("new Date().toLocaleDateString('sv')"), "%Y-%m-%d").replace(tzinfo=UTC)
        plays = daily.of_day(day.date()).figures.plays
        worse = next(play for play in plays if play.loss > 0.01)
        moves = daily.answer(day.date(), worse.play).verdict.moves
        make(page, moves)
        page.get_by_role("button", name="Done").click()
        page.locator("#verdict p").first.wait_for()
        assert f"costs {worse.loss:.2f} against" in page.inner_text("#verdict")
        assert page.evaluate("document.activeElement.textContent") == "Try again", "the keys go on where Done was"
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Show the best play").click()
        until(page, f"document.querySelector('#verdict').textContent.includes({plays[0].play!r})")
        assert page.locator(".arrow").count() > 0
        page.locator("#past summary").click()
        page.locator("#days a[aria-current] + [role=img]").wait_for()
        analyse, yesterday = (
            page.locator(selector).get_attribute("href") for selector in ("#analyse", "#days li:nth-child(2) a")
        )
        page.locator("#days li:nth-child(2) a").click()
        until(page, f"location.search === {yesterday!r}.slice(1) && document.querySelectorAll('.spot.source').length")
        assert page.locator("#analyse").get_attribute("href") != analyse, "another day has another position"
        page.go_back()
        until(page, "document.getElementById('verdict').textContent.includes('You have ')")
        page.get_by_role("button", name="Show the best play").click()
        page.get_by_role("button", name="Share").click()
        page.locator(".shared-picture").wait_for()
        until(page, "document.querySelector('.shared-picture').naturalWidth === 1200")
        assert page.get_by_label("The link to this position").input_value().endswith(f"/?day={day:%Y-%m-%d}")
        assert f'><img src="{shared_server.url}/picture/position.png?position=' in page.locator("#embed").input_value()
        page.get_by_role("button", name="Close").click()
        page.get_by_role("link", name="On the analysis board").click()
        page.wait_for_url("**/analysis**")
        until(page, "document.querySelectorAll('.spot').length")


def wordiest_days() -> set[date]:
    """The days of a year on which most stands beside the board, with a cube that is turned and without."""
    days = [date(2026, 1, 1) + timedelta(ago) for ago in range(365)]
    scenes = {day: daily.position_of(day) for day in days}
    turned = [day for day in days if scenes[day].board.cube.value > 1]
    return {max(some, key=lambda day: len(scenes[day].question)) for some in (days, turned)}


@pytest.mark.broad
@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_the_board_is_on_the_first_screen_on_every_day(shared_server: Server, browser: Any, language: str) -> None:
    with window(browser, locale=language) as page:
        for day in wordiest_days():
            page.goto(f"{shared_server.url}/?day={day}")
            page.locator(".spot.source").first.wait_for()
            for size in (*SIZES.values(), LANDSCAPE, LOW):
                page.set_viewport_size(size)
                until(page, f"innerWidth === {size['width']} && {FILLS} && {BOTH_IN_VIEW}")


def test_a_newcomer_sees_how_to_play_and_how_to_learn_on_the_first_screen(shared_server: Server, browser: Any) -> None:
    """Beside or below the live board, at once; while a play stands on the board, Done alone is the main action."""
    with window(browser) as page:
        page.goto(shared_server.url)
        page.locator("#play-now:enabled").wait_for()
        page.locator(".hero .spot.source").first.wait_for()
        paint = "(each) => getComputedStyle(each).backgroundColor"
        main = (
            f"[...document.querySelectorAll('.hero .primary')].filter((each) => each.checkVisibility()"
            f" && ({paint})(each) !== ({paint})(document.querySelector('.way'))).length"
        )
        for size in (*SIZES.values(), LANDSCAPE, LOW, {"width": 667, "height": 375}, {"width": 1366, "height": 768}):
            page.set_viewport_size(size)
            until(page, f"innerWidth === {size['width']}")
            # The board is drawn anew in another shape, and only then has the column beside it its width.
            until(page, "document.getElementById('play-now').getBoundingClientRect().bottom <= innerHeight")
            broken = "all => all.filter((e) => e.getClientRects().length > 1).map((e) => e.textContent)"
            assert page.locator("#question .whole").evaluate_all(broken) == [], f"{size}: a throw is broken"
        assert page.evaluate(main) == 1
        page.locator(".spot.source").first.press("Enter")
        page.locator(".spot.target").first.press("Enter")
        page.locator(".hero [data-act=done]").wait_for()
        assert page.evaluate(main) == 1
        page.get_by_role("button", name="Play a game").click()
        at_table(page)


@pytest.mark.broad
def test_one_click_begins_a_game_and_no_form_is_in_sight(shared_server: Server, browser: Any) -> None:
    with window(browser, "phone") as page:
        page.goto(shared_server.url)
        page.locator("#play-bot:enabled").wait_for()
        assert page.locator("form:visible, select:visible, input:visible").count() == 0
        page.locator("#play-screen").click()
        at_table(page)
        page.goto(shared_server.url)
        going = page.locator("#games [data-going]")
        going.first.wait_for()
        assert going.first.locator("svg.mini .disc").count() == 30, "a picture of the game that is under way"
        going.first.get_by_role("link").click()
        at_table(page)


@pytest.mark.broad
def test_opponents_have_a_face_a_sentence_and_a_measured_strength(shared_server: Server, browser: Any) -> None:
    """The gentlest comes first; levels of the engine stand under `more`."""
    with window(browser) as page:
        page.goto(shared_server.url)
        page.locator("#faces .tile").first.wait_for()
        assert page.locator("#faces h3").all_inner_texts() == [character.name for character in CHARACTERS]
        assert page.locator("#faces .strength").first.inner_text() == strength_words(READY_BOT)
        until(page, "[...document.querySelectorAll('#faces img')].every((each) => each.naturalWidth > 0)")
        assert page.locator("#compiling").is_hidden()
        assert not page.get_by_text("2.08").first.is_visible()
        page.locator("#levels summary").click()
        assert page.get_by_role("button", name="Play fast").is_visible()
        assert page.locator("#engine-levels strong").all_inner_texts() == [
            bot for bot in BOTS if bot not in {character.bot for character in CHARACTERS}
        ]
        page.get_by_role("button", name="Play Otto").click()
        at_table(page)
        page.get_by_text("Otto").first.wait_for()
        page.goto(shared_server.url)
        until(page, "document.querySelector('#bot-name').textContent === 'Otto'")


def test_each_game_has_a_picture_two_sentences_and_only_its_own_options(shared_server: Server, browser: Any) -> None:
    with window(browser) as page:
        page.goto(shared_server.url)
        page.locator("#family .tile").first.wait_for()
        assert page.locator("#family .tile svg.mini").count() == len(VARIANTS)
        for name, text in GAME_WORDS.items():
            assert text in page.locator(f'#family [data-game="{name}"]').inner_text()
            assert len(re.findall(r"[.!?](?: |$)", text)) >= 2, f"{name}: two sentences"
        open_form(page, shared_server.url)
        page.locator("#more > summary").click()
        assert page.locator("#rule-hit_licence").count() == 0
        page.select_option("#variant", "dutch")
        assert page.locator("#rule-hit_licence").count() == 1
        shown = page.eval_on_selector_all("[data-rule]", "all => all.map((each) => each.dataset.rule)")
        assert shown == own_rules("dutch")
        assert page.locator("#rule-hit_licence-words").inner_text() == RULE_WORDS["hit_licence"]
        page.select_option("#variant", "acey_deucey")
        assert page.locator("#preset").is_hidden(), "presets are agreements about the cube"
        assert page.locator("#length").is_disabled(), "settled by checkers, it is played for money"
        page.select_option("#rule-settlement", "games")
        assert page.locator("#length").is_enabled(), "then points are won, as in a match"
        page.select_option("#variant", "backgammon")
        assert page.locator("#preset").is_visible()
        assert page.locator("#length").is_enabled()


@pytest.mark.broad
def test_only_this_server_has_a_game_forgotten(shared_server: Server, browser: Any) -> None:
    """A proxy on the way may answer 404 as well; the key of the seat is nowhere else then."""
    kept = "Object.keys(JSON.parse(localStorage.getItem('fullprime.games')))"
    with window(browser) as page:
        page.goto(f"{shared_server.url}/offline")
        page.evaluate("localStorage.setItem('fullprime.games', JSON.stringify({gone: {key: 'k', at: 1}}))")
        page.route("**/api/games/gone", lambda route: route.fulfill(status=404, body="<h1>404</h1>"))
        with page.expect_response("**/api/lobby/pools"):
            page.goto(shared_server.url)
        until(page, "document.querySelector('#overview *')")
        assert page.evaluate(kept) == ["gone"]
        page.unroute("**/api/games/gone")
        page.reload()
        until(page, f"!{kept}.length")


@pytest.mark.broad
def test_a_preset_says_what_is_played_for(shared_server: Server, browser: Any) -> None:
    """Each begins a game from the form as it comes, in which a match to 5 is chosen."""
    with window(browser) as page:
        for preset in PRESETS:
            open_form(page, shared_server.url)
            page.locator("#more > summary").click()
            page.select_option("#preset", preset)
            page.locator("#start").click()
            at_table(page)
            words = "match to 7" if preset == "tournament" else "money"
            until(page, f"document.querySelector('#title').textContent.includes({words!r})")


IN_SIGHT = """(() => {
  const said = document.getElementById('form-problem').getBoundingClientRect();
  const field = document.activeElement.getBoundingClientRect();
  return [said, field].every(({top, bottom}) => top >= 0 && bottom <= innerHeight) && said.top >= field.bottom - 1
    && said.top - field.bottom < 120;
})()"""
"""The refusal stands below the field that has the focus, and both are seen."""


@pytest.mark.broad
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_what_the_form_asks_for_is_refused_beside_the_field_that_is_wrong(
    shared_server: Server, browser: Any, size: str
) -> None:
    refused: list[tuple[dict[str, str], str, str]] = [
        ({"#rule-jacoby": "yes", "#length": "5"}, "rule-jacoby", "money play"),
        ({"#rule-cube_cap": "nonsense"}, "rule-cube_cap", "is not a number"),
        ({"#rule-stake": "much"}, "rule-stake", "is not a number"),
        ({"#preset": "money", "#length": "5"}, "preset", "not for a match to 5"),
        ({"#position": "rubbish"}, "position", "rubbish"),
        ({"#name": "You"}, "name", "is no name for a guest"),
    ]
    with window(browser, size) as page:
        for values, wrong, words in refused:
            open_form(page, shared_server.url)
            page.locator("#more > summary").click()
            for field, value in values.items():
                if page.locator(field).evaluate("field => field.tagName") == "SELECT":
                    page.select_option(field, value)
                else:
                    page.fill(field, value)
            page.locator("#more > summary").click()
            page.locator("#start").click()
            until(page, f"document.getElementById('form-problem').textContent.includes({words!r})")
            assert page.evaluate("document.activeElement.id") == wrong
            until(page, IN_SIGHT)
            assert page.locator(f"#{wrong}").get_attribute("aria-invalid") == "true"
            assert page.inner_text("#problem") == ""
            page.reload()
            page.locator("#play-now:enabled").wait_for()


def test_every_option_has_its_sentence() -> None:
    assert set(RULE_WORDS) == set(rule_choices())
    assert set(GAME_WORDS) == set(VARIANTS)


@pytest.mark.broad
@pytest.mark.parametrize("look", ["light", "dark"])
def test_axe_finds_nothing_on_the_first_page(shared_server: Server, browser: Any, look: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with window(browser, color_scheme=look) as page:
        open_form(page, shared_server.url)
        for size in (LANDSCAPE, SIZES["phone"], {"width": 320, "height": 640}):
            page.set_viewport_size(size)
            page.locator(".checker").first.wait_for()
            violations = axe.run(page)
            assert violations.violations_count == 0, violations.generate_report()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size


def test_a_pasted_link_has_a_picture_with_a_whole_address(shared_server: Server) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        page = client.get("/").text
        match = re.search(r'property="og:image" content="([^"]+)"', page)
        assert match is not None
        assert match[1].startswith(shared_server.url)
        assert client.get(match[1]).headers["content-type"] == "image/png"
