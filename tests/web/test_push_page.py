"""Push messages in a real browser: a tap asks for them, the worker shows them unless they are seen, a tap ends them.

Without a network Chromium has no push service: the page gets a subscription at that of the tests, and what comes there
is handed to the worker as the browser would.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.browsing import chromium_running, sit, wait_until, window
from tests.web.conftest import Server, whole_chromium
from tests.web.pushing import push_server
from tests.web.seat import Seat, friends

pytestmark = pytest.mark.skipif(whole_chromium() is None, reason="there is no chromium that shows notifications")
SUBSCRIBED = """
const made = {json};
let kept = null;
PushManager.prototype.subscribe = async (options) => {{
  const key = new Uint8Array(options.applicationServerKey);
  const unsubscribe = async () => {{ kept = null; }};
  kept = {{options: {{applicationServerKey: key.buffer}}, toJSON: () => made, unsubscribe}};
  return kept;
}};
PushManager.prototype.getSubscription = async () => kept;
"""
SHOWN = "navigator.serviceWorker.ready.then((at) => at.getNotifications()).then((all) => all.map((each) => each.title))"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium_running(whole_chromium()) as running:
        yield running


def turn_to(seats: dict[str, Seat], side: str) -> None:
    """Play until it is the turn of that side, by a play of the other."""
    for _ in range(12):
        turn = str(seats["X"].state["turn"])
        mine = seats[turn].state
        seats[turn].does(mine["plays"][0] if mine["phase"] == "play" else "roll")
        if turn != side and seats["X"].state["turn"] == side:
            return
    raise AssertionError("it does not become that turn")


@pytest.mark.broad
def test_a_tap_asks_for_messages_which_are_shown_once_unless_the_game_is_seen_and_a_tap_ends_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Any
) -> None:
    with push_server(tmp_path) as service:
        monkeypatch.setenv("SSL_CERT_FILE", str(service.file))
        server = Server(tmp_path / "games.db", "--push-host", service.host)
        phone = service.browser()
        try:
            with (
                httpx.Client(base_url=server.url, timeout=60) as client,
                window(browser, "phone", service_workers="allow", permissions=["notifications"]) as page,
            ):
                page.add_init_script(SUBSCRIBED.format(json=json.dumps(phone.json)))
                ann, bob = friends(client, clock="3d", rules={"length": 5})
                sit(page, ann)
                button = page.get_by_role("button", name="Tell me when it is my turn")
                button.click()
                page.get_by_text("This browser is told, also while no page is open.").wait_for()
                assert button.get_attribute("aria-pressed") == "true"
                turn_to({"X": ann, "O": bob}, "X")
                _, message = phone.next()
                assert (message["title"], message["path"]) == ("Your turn against Bob", f"/game/{ann.game}")
                worker = page.context.new_cdp_session(page)
                registrations: list[dict[str, Any]] = []
                worker.on(
                    "ServiceWorker.workerRegistrationUpdated",
                    lambda event: registrations.extend(event["registrations"]),
                )
                worker.send("ServiceWorker.enable")

                def deliver(message: dict[str, Any]) -> None:
                    wait_until(page, lambda: registrations, lambda: "no service worker is registered")
                    number = registrations[-1]["registrationId"]
                    pushed = {"origin": server.url, "registrationId": number, "data": json.dumps(message)}
                    worker.send("ServiceWorker.deliverPushMessage", pushed)

                def shown_after(*messages: dict[str, Any]) -> list[str]:
                    """The notifications after messages of which the last one must be shown."""
                    for message in messages:
                        deliver(message)
                    while messages[-1]["title"] not in (shown := page.evaluate(SHOWN)):
                        page.wait_for_timeout(20)
                    return sorted(shown)

                called = {**message, "title": "Eve challenges you", "tag": "challenge-1", "path": "/lobby"}
                assert shown_after(message, called) == ["Eve challenges you"]  # the game is seen
                page.goto(f"{server.url}/offline")
                assert shown_after(message, message) == ["Eve challenges you", "Your turn against Bob"]
                page.goto(f"{server.url}/game/{ann.game}")
                page.get_by_role("button", name="Tell me when it is my turn").click()
                page.get_by_text("This browser is told, also while no page is open.").wait_for()
                page.get_by_role("button", name="Tell me when it is my turn").click()
                page.get_by_text("This browser is told nothing more.").wait_for()
                subscription = {"browser": phone.json, "game": ann.game}
                assert ann.client.post("/api/push/state", json=subscription, headers=ann.headers).json() == {
                    "on": False
                }
        finally:
            server.close()


@pytest.mark.broad
def test_where_messages_cannot_be_the_page_says_what_is_missing(shared_server: Server, browser: Any) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        ann, _ = friends(client, clock="3d")
        for script, words in (
            ("delete window.PushManager", "This browser has no push messages."),
            ("Object.defineProperty(window, 'isSecureContext', {value: false})", "Messages need a safe address"),
        ):
            with window(browser) as page:
                page.add_init_script(script)
                sit(page, ann)
                page.get_by_text(words).wait_for()
