"""What the page offers in a match that nobody plays to its end: two people in two browsers."""

from __future__ import annotations

import json
import random
from typing import Any

import httpx
import pytest
from tests.web.browsing import sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.people import Browser, person, rated_match
from tests.web.seat import Seat, create, some_line
from tests.web.test_endings import plays_on, resigns_a_game

from fullprime.web.routes.callers import COOKIE

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")


def enters(page: Any, who: Browser, game: str) -> None:
    """Open a game in a window in which that person is signed in."""
    address = str(who.base_url).rstrip("/")
    page.context.add_cookies([{"name": COOKIE, "value": str(who.cookies[COOKIE]), "url": address}])
    page.goto(f"{address}/game/{game}")
    page.locator(".checker").first.wait_for()


def answers(page: Any, *words: str) -> str:
    """What the dialog says, which is then answered."""
    page.get_by_role("dialog").get_by_role("button").first.wait_for()  # its module is loaded when it is asked for
    texts = str(page.locator("#dialog p").all_inner_texts())
    for word in words:
        page.get_by_role("dialog").get_by_role("button", name=word, exact=True).click()
    return texts


@pytest.mark.broad
def test_a_rated_match_offers_no_way_out_for_one_alone(browser: Any, shared_server: Server) -> None:
    with (
        person(shared_server) as ann, person(shared_server) as bob, window(browser) as mine, window(browser) as theirs,
    ):  # fmt: skip
        game = rated_match(ann, bob, rules={"length": 3})
        plays_on((ann.seat(game), bob.seat(game)))
        resigns_a_game(ann.seat(game), bob.seat(game))
        enters(mine, ann, game)
        enters(theirs, bob, game)
        for page in (mine, theirs):
            page.locator('[data-act="next"]').wait_for()
            assert page.get_by_role("button", name="End the session").count() == 0
            assert page.locator("#title").inner_text() == "Backgammon, a match to 3 points, rated"
        mine.locator('[data-act="close"]').click()
        texts = answers(mine, "Offer to end it")
        assert f"it ends so if {bob.name} agrees" in texts
        assert "lose the match, which is rated" in texts
        theirs.get_by_role("button", name="Agree to end").click()
        assert f"{ann.name} would end the match without a result" in answers(theirs, "Play on")
        assert ann.seat(game).state["status"] == "playing"
        mine.locator('[data-act="close"]').click()
        answers(mine, "Leave and lose")
        theirs.get_by_role("status").get_by_text(f"{bob.name} won the match.").wait_for()
        assert ann.seat(game).state["ending"]["how"] == "left"
        mine.goto(f"{shared_server.url}/profile?name={ann.name}")
        mine.get_by_text("1 game against other people: left once").wait_for()
        mine.get_by_text("lost 0\u20133 (left)").wait_for()


@pytest.mark.broad
def test_a_match_is_aborted_from_the_page_and_ended_by_both(browser: Any, shared_server: Server) -> None:
    with (
        person(shared_server) as ann, person(shared_server) as bob, window(browser) as mine, window(browser) as theirs,
    ):  # fmt: skip
        first = rated_match(ann, bob, rules={"length": 3})
        enters(mine, ann, first)
        enters(theirs, bob, first)
        mine.get_by_role("button", name="More").click()
        mine.get_by_role("button", name="Abort").click()
        assert "Your profile counts how often you abort" in answers(mine, "Abort")
        theirs.get_by_role("status").get_by_text(f"{ann.name} aborted the match: it has no result.").wait_for()
        game = rated_match(ann, bob, rules={"length": 3})
        plays_on((ann.seat(game), bob.seat(game)))
        for page, who in ((mine, ann), (theirs, bob)):
            enters(page, who, game)
        mine.get_by_role("button", name="More").click()
        mine.get_by_role("button", name="Leave").click()
        answers(mine, "Offer to end it")
        theirs.get_by_role("button", name="Agree to end").click()
        answers(theirs, "Agree")
        for page in (mine, theirs):
            page.get_by_role("status").get_by_text("Both ended the match, without a result.").wait_for()
        assert json.loads(ann.get(f"/api/users/{ann.name}").text)["ratings"] == {}


@pytest.mark.broad
def test_a_session_ends_between_games_and_says_its_price_in_one(browser: Any, shared_server: Server) -> None:
    with (
        person(shared_server) as ann, person(shared_server) as bob, window(browser, "phone") as page,
    ):  # fmt: skip
        game = rated_match(ann, bob, rated=False, rules={"length": 0, "jacoby": False})
        plays_on((ann.seat(game), bob.seat(game)))
        enters(page, ann, game)
        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="Leave").click()
        assert f"lose the game: 3 points, as if {bob.name} had just borne off" in answers(page, "Play on")
        resigns_a_game(bob.seat(game), ann.seat(game))
        page.get_by_role("button", name="End the session").click()
        assert "The score stands" in answers(page, "End it")
        page.get_by_role("status").get_by_text("The session is over.").wait_for()
        assert ann.seat(game).state["ending"]["how"] == "ended"


@pytest.mark.parametrize(
    ("length", "words"),
    [(0, "Leave now and lose the game: 3 points, as if Mia had just borne off."), (3, "Leave now and lose the match.")],
)
def test_what_leaving_a_bot_costs_is_a_sentence_of_its_own(
    browser: Any, shared_server: Server, length: int, words: str
) -> None:
    """Nobody is there to agree to anything, so that nothing stands before it."""
    with httpx.Client(base_url=shared_server.url, timeout=60) as client, window(browser) as page:
        seat, _ = create(client, bot="beginner", rules={"length": length})
        while seat.state["ending"]["alone"]:
            plays_on((seat,), turns=1)
        sit(page, seat)
        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="Leave").click()
        page.locator("#dialog[open] p").first.wait_for()
        assert page.locator("#dialog p").all_inner_texts() == [words]


@pytest.mark.broad
def test_no_hint_is_offered_in_a_game_that_was_aborted(browser: Any, shared_server: Server) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client, window(browser) as page:
        seat, _ = create(client, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", automatic=False)
        sit(page, seat)
        hint = page.locator("[data-act=hint]")
        hint.wait_for()
        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="Abort").click()
        answers(page, "Abort")
        page.locator("[data-act=again]").wait_for()
        assert hint.count() == 0
        page.reload()
        page.locator("[data-act=again]").wait_for()
        assert hint.count() == 0


@pytest.mark.broad
def test_a_gammon_wins_a_match_to_one_by_one_point(browser: Any, shared_server: Server) -> None:
    """Points beyond the length of a match are not told: the gammon is, by its name."""
    with httpx.Client(base_url=shared_server.url, timeout=60) as client, window(browser) as page:
        seat, _ = create(client, position="1 off:14 / 13:15", rules={"length": 1}, automatic=False)
        seat.does("roll")
        seat.does("1/off")
        assert seat.state["score"] == [2, 0], "the record counts them"
        sit(page, seat)
        page.locator("#end h2", has_text="You win the match 1\N{EN DASH}0 with a gammon").wait_for()
        assert page.get_by_text("score 1 of 1").count() == 1
        page.goto(f"{shared_server.url}/")
        page.locator("#mine a", has_text="1\u20130").wait_for()


LAID = """() => {
  const box = (thing) => document.querySelector(thing).getBoundingClientRect();
  const result = box("#outcome"), buttons = box("#main-action :first-child"), last = box("#main-action :last-child");
  const inside = (one) => one.top >= 0 && one.left >= 0 && one.bottom <= innerHeight && one.right <= innerWidth;
  const seen = (one) => one.width > 0 && inside(one);
  const apart = result.right <= Math.min(buttons.left, last.left) + 1;
  const order = document.querySelector("#outcome").compareDocumentPosition(document.querySelector("#main-action"));
  const more = box("#more-actions").top, end = box("#end .result").top;
  return {seen: seen(result) && seen(buttons) && seen(last), apart, first: order === 4, more, end};
}"""
"""Where the result of a game stands, and the buttons of what comes next."""
BESIDE_THE_END = """(() => {
  const [board, end] = ["#board .board", "#end"].map((thing) => document.querySelector(thing).getBoundingClientRect());
  return end.top < innerHeight && end.right <= innerWidth && (end.left >= board.right || end.top >= board.bottom);
})()"""
"""True where the words about how it was played begin in the first screen and leave the board free."""


@pytest.mark.broad
def test_the_result_is_read_before_the_buttons_of_what_comes_next(browser: Any, shared_server: Server) -> None:
    """Both in the first screen; how it was played stands beside the board or below it, and nothing lies on the board.

    Held upright, a new game and the look back stand between the board and how it was played.
    """
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        seat, _ = create(client, position="1 off:14 / 13:15", rules={"length": 3}, automatic=False)
        seat.does("roll")
        seat.does("1/off")
        for width, height in ((320, 640), (390, 844), (667, 375), (844, 390), (1024, 768), (1366, 768)):
            with window(browser, viewport={"width": width, "height": height}) as page:
                sit(page, seat)
                page.locator("#main-action [data-act=next]:enabled").wait_for()
                assert page.inner_text("#outcome") == "You win 2 points with a gammon"
                until(page, "document.querySelectorAll('#main-action button').length === 2")
                laid = page.evaluate(LAID)
                assert (laid["seen"], laid["apart"], laid["first"]) == (True, True, True), (width, height, laid)
                assert height < width or laid["more"] < laid["end"], (width, height, laid)
                assert page.locator("#main-action .primary").count() == 1
                page.locator("#main-action [data-act=next]").click(trial=True)
                page.locator("#end .result").wait_for()
                assert page.evaluate(BESIDE_THE_END), (width, height)


def badly_played(client: httpx.Client) -> Seat:
    """A game of Hypergammon against a bot, played to its end by chance."""
    seat, _ = create(client, bot="beginner", variant="hypergammon", rules={"length": 1})
    chance = random.Random(1)
    for _ in range(400):
        state = seat.state
        words = [word for word in state["legal_actions"] if word not in ("resign", "double", "drop")]
        if state["status"] == "over":
            return seat
        if words:
            seat.act(some_line({**state, "legal_actions": words}, chance), sequence=state["sequence"])
    raise AssertionError("the game does not end")


HEARD = """() => {
  const box = document.querySelector("#end .again > p[role=status]").getBoundingClientRect();
  const seen = [box.top + 5, box.bottom - 5].map((height) => document.elementFromPoint(box.left + 5, height));
  return seen.every((one) => one?.closest("#end .again > p[role=status]"));
}"""
"""True where the words about the play that is tried again are on the screen, with nothing over them."""


@pytest.mark.broad
def test_the_costliest_play_is_tried_again_and_takes_no_focus_from_the_board(
    browser: Any, shared_server: Server
) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        seat = badly_played(client)
        for width, height in ((390, 844), (844, 390), (1366, 768)):
            with window(browser, viewport={"width": width, "height": height}) as page:
                sit(page, seat)
                page.locator("#board .spot").first.focus()
                page.locator("#end .again .spot.source").first.wait_for()
                assert page.evaluate("document.activeElement.closest('#board') !== null"), "the focus has moved"
                assert page.evaluate("scrollY") == 0
                place = page.locator("#end .again")
                while place.locator(".spot.source").count() and not page.inner_text("#end .again > p[role=status]"):
                    place.locator(".spot.source").first.press("Enter")
                    place.locator(".spot.target").first.press("Enter")
                until(
                    page, "/right|loses|Best/.test(document.querySelector('#end .again > p[role=status]').textContent)"
                )
                assert page.evaluate(HEARD), (width, height)
                place.locator(".spot[tabindex='0']").first.focus()
                page.set_viewport_size({"width": height, "height": width})
                page.wait_for_timeout(300)  # nothing tells that nothing happens
                assert page.evaluate("document.activeElement.closest('#end') !== null"), "the other board has taken it"
