"""Earlier plies of a game on its own board: by keys, wheel and a press on the log, and nothing moves meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.web.browsing import sit, until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import Seat, create, friends
from tests.web.test_review_page import axe_finds_nothing, fits

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
PLY = "document.querySelector('#plies [aria-current=true]')?.textContent"
LOOKING = "document.body.classList.contains('looking-back')"
PIPS = "document.querySelector('#player-bottom .facts').textContent"


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        yield client


def play_on(seats: dict[str, Seat], plays: int) -> list[str]:
    """Make plays, the first legal one each; gives them as the list of plies writes them, without a space."""
    made: list[str] = []
    while len(made) < plays:
        seat = next(iter(seats.values()))
        state = seat.state
        seat = seats.get(state["turn"] or "X", seat)
        if state["phase"] != "play":
            seat.does("roll")
            continue
        play = seat.state["plays"][0]
        seat.does(play)
        made.append(f"{''.join(map(str, sorted(state['dice'], reverse=True)))}{play or 'no play'}")
    return made


@pytest.mark.broad
def test_a_look_back_moves_nothing_and_ends_with_the_last_ply(browser: Any, client: httpx.Client) -> None:
    seat, _ = create(client, opponent="screen")
    plays = play_on({"X": seat}, 4)
    with window(browser) as page:
        sit(page, seat)
        now = page.evaluate(PIPS)
        page.keyboard.press("ArrowRight")
        assert not page.evaluate(LOOKING)
        page.keyboard.press("ArrowLeft")
        until(page, f"{PLY} === '{plays[-1]}'")
        axe_finds_nothing(page)
        assert fits(page)
        assert page.locator(".spot.source, .checker.movable").count() == 0
        assert page.locator("#command, [data-act=roll]").filter(visible=True).count() == 0
        for key in ("r", "d", " ", "Enter"):
            page.keyboard.press(key)
        page.keyboard.press("Home")
        until(page, f"{PLY} === '{plays[0]}'")
        assert page.evaluate(PIPS) != now
        assert page.locator("#status").inner_text().startswith("1.1 ")
        for ply in plays[1:]:
            page.keyboard.press("ArrowRight")
            until(page, f"{PLY} === '{ply}'")
        page.keyboard.press("ArrowRight")
        until(page, f"!{LOOKING}")
        assert page.evaluate(PIPS) == now
        assert len(seat.get("/plies")["plies"]) == len(plays)
        page.locator("#log .to-ply").nth(1).click()
        until(page, f"{PLY} === '{plays[1]}'")
        page.locator("[data-act=now]").click()
        until(page, f"!{LOOKING}")


def test_the_own_turn_ends_a_look_back(browser: Any, client: httpx.Client) -> None:
    """What the other player does is said meanwhile; when one is to act, the game is there."""
    ann, bob = friends(client)
    seats = {"X": ann, "O": bob}
    play_on(seats, 1)
    if ann.state["turn"] == "X":
        play_on(seats, 1)
    with window(browser) as page:
        sit(page, ann)
        page.keyboard.press("ArrowLeft")
        until(page, LOOKING)
        shown = page.evaluate(PLY)
        bob.does("roll")
        page.get_by_text("The game has gone on.").wait_for()
        assert page.evaluate(PLY) == shown
        if ann.state["turn"] != "X":
            play_on({"O": bob}, 1)
        until(page, f"!{LOOKING}")


def test_a_lost_connection_ends_no_look_back(browser: Any, client: httpx.Client) -> None:
    """The game is sent whole when the connection is back: it has gone on only if it has more events."""
    seat, _ = create(client, opponent="screen")
    plays = play_on({"X": seat}, 2)
    lines: list[Any] = []

    def connect(line: Any) -> None:
        line.connect_to_server()
        lines.append(line)

    with window(browser) as page:
        page.route_web_socket("**/live", connect)
        sit(page, seat)
        page.keyboard.press("ArrowLeft")
        until(page, f"{PLY} === '{plays[-1]}'")
        lines[0].close()
        until(page, "document.body.classList.contains('offline')")
        until(page, "!document.body.classList.contains('offline')")
        page.keyboard.press("ArrowLeft")
        until(page, f"{PLY} === '{plays[0]}'")
        lines[1].close()
        until(page, "document.body.classList.contains('offline')")
        seat.does("roll")
        until(page, f"!{LOOKING}")
    assert len(lines) == 3


def test_a_finished_game_is_gone_through_by_the_wheel(browser: Any, client: httpx.Client) -> None:
    seat, _ = create(client, opponent="screen", rules={"length": 1})
    plays = play_on({"X": seat}, 2)
    seat.does("resign 1")
    seat.does("accept")
    with window(browser) as page:
        sit(page, seat)
        page.locator("#plies").wait_for(state="attached")  # the module that listens to the wheel has come
        box = page.locator("#board .board").bounding_box()
        page.mouse.move(box["x"] + 100, box["y"] + 100)
        for shown in ("Accept", "Resign", *reversed(plays)):
            page.mouse.wheel(0, -120)
            until(page, f"{PLY} === '{shown}'")
        assert page.locator("#outcome").is_hidden()
        page.keyboard.press("End")
        page.locator("#outcome").wait_for()
