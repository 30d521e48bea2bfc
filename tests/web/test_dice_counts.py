"""The counts of the dice: of a game over HTTP, of an account over all its games, and on the pages that show them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.browsing import AXE, window
from tests.web.conftest import Server, chromium
from tests.web.people import Browser, guest, person, play_on, rated_match, resign
from tests.web.seat import create

from fullprime.rules.dice import Roll

needs_browser = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
LOOKS: dict[str, dict[str, Any]] = {
    "narrow": {"viewport": {"width": 320, "height": 568}},
    "phone": {"viewport": {"width": 390, "height": 844}},
    "landscape": {"viewport": {"width": 844, "height": 390}},
    "desktop": {"viewport": {"width": 1366, "height": 768}, "color_scheme": "dark"},
}


def rolls_of(browser: Browser, game: str, side: str) -> list[Roll]:
    """The rolls of a side after the opening, out of what has happened."""
    events = browser.seat(game).get()["events"]
    return [Roll(*event["dice"]) for event in events if event["kind"] == "roll" and event["player"] == side]


def test_the_counts_of_a_game_are_those_of_its_throws(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, guest(shared_server) as stranger:
        game = rated_match(ann, bob)
        play_on(game, ann, bob, 4)
        counts = ann.read(f"/api/games/{game}/dice")
        for side in "XO":
            rolls = rolls_of(ann, game, side)
            mine = counts["game"][side]
            assert mine["rolls"] == len(rolls)
            assert mine["doubles"]["count"] == sum(roll.is_double for roll in rolls)
            assert mine["pips"]["count"] == sum(sum(roll.dice) for roll in rolls)
            assert mine["pips"]["expected"] == pytest.approx(len(rolls) * 49 / 6, abs=1e-3)
            assert mine["hits"] <= mine["hitting"]["count"] <= len(rolls)
        assert counts["match"] == counts["game"]
        assert stranger.read(f"/api/games/{game}/dice") == counts


def test_before_the_first_throw_nothing_is_counted(shared_server: Server) -> None:
    with guest(shared_server) as ann:
        seat, _ = create(ann, begin=False)
        counts = seat.get("/dice")
        assert counts["game"] == counts["match"]
        assert [counts["game"][side]["rolls"] for side in "XO"] == [0, 0]


def test_spectators_who_see_a_game_late_have_no_counts_of_it(shared_server: Server) -> None:
    with guest(shared_server) as ann, guest(shared_server) as stranger:
        late, _ = create(ann, late=60)
        private, _ = create(ann, spectators=False)
        status, reason = refusal(stranger, late.game)
        assert status == 403
        assert "they have the counts of its dice when it is over" in reason
        assert refusal(stranger, private.game)[0] == 403
        for seat in (late, private):
            assert set(seat.get("/dice")) == {"game", "match"}


def refusal(browser: Browser, game: str) -> tuple[int, str]:
    answer = browser.get(f"/api/games/{game}/dice")
    return answer.status_code, str(answer.json().get("error"))


def test_an_account_keeps_the_counts_of_its_finished_games(shared_server: Server) -> None:
    """Both profiles have the same game, each with the own side first; a game under way is not in it."""
    with person(shared_server) as ann, person(shared_server) as bob:
        nothing = ann.read(f"/api/users/{ann.name}")["dice"]
        assert (nothing["games"], nothing["own"]["rolls"]) == (0, 0)
        games = [rated_match(ann, bob), rated_match(ann, bob)]
        resign(games[0], ann, bob)
        play_on(games[1], ann, bob, 2)
        match = ann.read(f"/api/games/{games[0]}/dice")["match"]
        of_ann, of_bob = (person.read(f"/api/users/{person.name}")["dice"] for person in (ann, bob))
        assert of_ann == {"games": 1, "own": match["X"], "opponents": match["O"]}
        assert of_bob == {"games": 1, "own": match["O"], "opponents": match["X"]}
        assert match["X"]["rolls"] + match["O"]["rolls"] > 10


@pytest.mark.broad
@needs_browser
@pytest.mark.parametrize("look", LOOKS)
def test_the_counts_stand_in_the_dialog_and_on_the_profile(browser: Any, shared_server: Server, look: str) -> None:
    """A table that a screen reader knows by its caption and heads; nothing is cut off, and axe finds nothing."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    with person(shared_server) as ann, person(shared_server) as bob:
        game = rated_match(ann, bob)
        resign(game, ann, bob)
        counts = ann.read(f"/api/games/{game}/dice")["game"]
        with window(browser, **LOOKS[look]) as page:
            page.goto(f"{shared_server.url}/game/{game}")
            page.locator(".checker").first.wait_for()
            page.evaluate("document.querySelector('#open-proof').click()")
            table = page.get_by_role("table", name="The dice of this game")
            holds_counts(page, table, [ann.name, bob.name], counts["X"])
            assert axe.run(page, options=AXE).violations_count == 0
            page.goto(f"{shared_server.url}/profile?name={bob.name}")
            table = page.get_by_role("table", name="The dice of 1 finished match or session")
            holds_counts(page, table, [bob.name, "Opponents"], counts["O"])
            assert axe.run(page, options=AXE).violations_count == 0


def holds_counts(page: Any, table: Any, heads: list[str | None], mine: dict[str, Any]) -> None:
    table.wait_for()
    assert table.get_by_role("columnheader").all_inner_texts() == heads
    rows = table.locator("tbody").get_by_role("row")
    assert rows.get_by_role("rowheader").all_inner_texts() == [
        "Rolls", "Doubles", "Pips", "Rolls that could hit", "Hits made",
    ]  # fmt: skip
    first = [rows.nth(number).get_by_role("cell").first.inner_text() for number in range(5)]
    assert first[0] == str(mine["rolls"])
    assert first[2].startswith(str(mine["pips"]["count"]))
    assert f"chance: {mine['pips']['expected']:.1f} ± " in first[2]
    assert first[4] == str(mine["hits"])
    assert (
        page.locator(".dice-counts + p").first.inner_text().startswith(("All of it is within", "1 of", "2 of", "3 of"))
    )
    assert table.evaluate("(table) => table.scrollWidth <= table.parentElement.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
