"""Links for others: what works only here is said, the network's address, a code to scan, and plain http elsewhere."""

from __future__ import annotations

import io
import re
from typing import Any

import httpx
import pytest
from tests.web.browsing import play_friend, until, window
from tests.web.conftest import Server, chromium
from tests.web.inside import TestClient
from tests.web.seat import create

from fullprime.cli.play.serving import serve
from fullprime.rules.errors import SettingsError
from fullprime.web.server import create_app
from fullprime.web.sharing import addresses_of_this_machine, code_of, works_only_here

needs_chromium = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
OWN = "http://192.168.1.7:8000"


@pytest.mark.parametrize(
    ("host", "only"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("192.168.1.7", False), ("club.example.org", False)],
)
def test_an_address_that_nobody_else_can_use_is_known(host: str, only: bool) -> None:
    assert works_only_here(host) is only


def test_only_links_to_this_server_become_a_code() -> None:
    drawn = code_of(f"{OWN}/game/abc#invite=xyz", [OWN])
    assert drawn.startswith("<svg")
    assert "<script" not in drawn
    for link in ("https://elsewhere.example/game/abc", f"{OWN}.evil.example/", f"{OWN}/{'a' * 300}", f"{OWN}/ä"):
        with pytest.raises(SettingsError, match="only links to this server"):
            code_of(link, [OWN])


def test_the_addresses_of_the_network_are_told_where_it_is_let_in() -> None:
    with TestClient(create_app(":memory:", hosts=None, network=[OWN]), base_url="http://127.0.0.1:8000") as client:
        assert client.get("/api/share").json() == {"only_here": True, "addresses": [OWN]}
        code = client.post("/api/share/code", json={"link": f"{OWN}/game/a#invite=b"})
        assert (code.status_code, code.headers["content-type"]) == (200, "image/svg+xml")
        assert client.post("/api/share/code", json={"link": "http://elsewhere/"}).status_code == 400


def test_the_network_is_let_in_only_after_a_clear_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(SettingsError, match="say --yes"):
        serve(lan=True)


@pytest.mark.broad
@needs_chromium
def test_the_page_says_that_its_link_works_here_alone(shared_server: Server, browser: Any) -> None:
    with window(browser) as page:
        page.goto(shared_server.url)
        play_friend(page)
        page.wait_for_url("**/game/**")
        page.get_by_text("This address works on this computer alone").wait_for()
        assert page.get_by_text("fullprime serve --lan").is_visible()


@pytest.mark.broad
@needs_chromium
def test_whoever_waits_for_a_friend_warms_up_at_the_board(shared_server: Server, browser: Any) -> None:
    """The position of the day stands where the game will, and is judged; on a phone the link comes first."""
    with window(browser, "phone") as page, httpx.Client(base_url=shared_server.url, timeout=60) as client:
        page.goto(shared_server.url)
        play_friend(page)
        page.wait_for_url("**/game/**")
        page.locator("#warm .spot.source").first.wait_for()
        link, board = page.locator("#waiting input").bounding_box(), page.locator("#warm").bounding_box()
        assert link["y"] + link["height"] < min(board["y"], 844), "the link is in the first screen"
        until(page, "document.querySelector('.share-more > *')")
        note = page.locator(".share-more > *").first.bounding_box()
        assert note["y"] >= link["y"] + link["height"] + 8, "what is said about the link stands apart from it"
        task = page.inner_text("#warm-words")
        assert "position of the day" in task
        while page.locator("#warm .spot.source").count() and page.inner_text("#warm-words") == task:
            page.locator("#warm .spot.source").first.press("Enter")
            page.locator("#warm .spot.target").first.press("Enter")
        until(page, f"document.getElementById('warm-words').textContent !== {task!r}")
        game, invitation = re.search(r"/game/(\w+)#invite=(.+)", page.locator("#waiting input").input_value()).groups()
        joined = client.post(f"/api/games/{game}/join", json={"invitation": invitation, "name": "Bob"})
        assert joined.status_code == 200
        headers = {"Authorization": f"Bearer {joined.json()['key']}"}
        assert client.post(f"/api/games/{game}/seed", json={"seed": "beef"}, headers=headers).status_code == 204
        page.locator("#board .checker").first.wait_for()
        until(page, "document.getElementById('warm').hidden && !document.querySelector('#warm *')")


@pytest.mark.broad
@needs_chromium
def test_whoever_opens_an_invitation_is_told_of_what_and_whoever_watches_has_a_board(
    shared_server: Server, browser: Any
) -> None:
    url = shared_server.url
    with httpx.Client(base_url=url, timeout=60) as client:
        seat, created = create(client, begin=False, opponent="friend", name="Ann", rules={"length": 7}, clock="fast")
        private, other = create(client, begin=False, opponent="friend", name="Ann", spectators=False)
        money, third = create(client, begin=False, opponent="friend", name="Ann", rules={"length": 0}, clock="fast")
    with window(browser, "phone") as page:
        page.goto(f"{url}/game/{money.game}#invite={third['invitation']}")
        page.get_by_text("8 s delay in each turn, and a reserve of 1:40 minutes for each game.").wait_for()
    with window(browser, "phone") as page:
        page.goto(f"{url}/game/{private.game}#invite={other['invitation']}")
        page.get_by_role("dialog", name="Join the game").wait_for()
        assert page.locator("dialog").get_by_text("invites you").count() == 0, "it is told to those who have joined"
    with window(browser, "phone") as page:
        page.goto(f"{url}/game/{seat.game}#invite={created['invitation']}")
        page.get_by_text("Ann invites you: Backgammon, a match to 7 points.").wait_for()
        page.get_by_text("8 s delay in each turn, and a reserve of 2:20 minutes for the match.").wait_for()
        page.get_by_role("button", name="Only watch").click()
        page.get_by_text("Ann waits for a second player.").wait_for()
        page.locator("#warm .spot.source").first.wait_for()
        assert page.get_by_role("button", name="Call the game off").count() == 0
        page.goto(f"{url}/game/{seat.game}#key={seat.key}")
        page.reload()
        page.get_by_text("The link for your friend is in the browser in which you began this game.").wait_for()
        page.locator("#warm .spot.source").first.wait_for()
        assert page.get_by_role("button", name="Call the game off").count() == 1


@pytest.mark.broad
@needs_chromium
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1280, 600), (844, 390)])
def test_whoever_waits_sees_the_way_out_without_scrolling(
    shared_server: Server, browser: Any, width: int, height: int
) -> None:
    with window(browser, viewport={"width": width, "height": height}) as page:
        page.goto(shared_server.url)
        play_friend(page)
        page.locator("#invite").wait_for()
        page.locator("#warm-words:not(:has(a))").wait_for()
        out = page.get_by_role("button", name="Call the game off").bounding_box()
        assert out["y"] + out["height"] <= height


@pytest.mark.broad
@needs_chromium
@pytest.mark.skipif(not addresses_of_this_machine(), reason="this machine is in no network")
def test_at_an_address_of_the_network_over_plain_http_everything_else_works(tmp_path: Any, browser: Any) -> None:
    """Not a safe address for the browser: no clipboard, no share sheet, no service worker; and still a whole game."""
    server = Server(tmp_path / "games.db", "--lan", "--yes")
    try:
        host = addresses_of_this_machine()[0]
        with window(browser, "phone") as page:
            page.goto(f"http://127.0.0.1:{server.port}")
            play_friend(page)
            page.get_by_role("img", name="The link as a code to scan").wait_for()
            link = page.locator("#invite").input_value()
            assert link.startswith(f"http://{host}:{server.port}/game/")
        with window(browser, "phone") as page:
            page.goto(f"http://{host}:{server.port}")
            assert page.evaluate("isSecureContext") is False
            play_friend(page)
            page.wait_for_url("**/game/**")
            page.get_by_text("Over plain http").wait_for()
            page.get_by_role("button", name="Copy", exact=True).click()
            page.get_by_text("Copied.").wait_for()
            page.get_by_text("Messages need a safe address").wait_for()
            page.set_viewport_size({"width": 1366, "height": 768})
            until(page, "document.getElementById('side').scrollHeight <= document.getElementById('side').clientHeight")
            with window(browser) as friend:
                friend.goto(page.locator("#invite").input_value())
                friend.get_by_role("button", name="Join", exact=True).click()
                friend.locator(".checker").first.wait_for()
                page.locator(".checker").first.wait_for()
    finally:
        server.close()
