"""The pages as an app: a manifest with our own icons, and what opens without a connection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.broadly import broadly
from tests.web.browsing import until, window
from tests.web.conftest import Server, chromium

from fullprime.web.pages import STATIC_VERSION


def test_the_manifest_names_icons_that_are_there(shared_server: Server) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        manifest = client.get("/static/parts/manifest.webmanifest").json()
        assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
        assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
        for icon in manifest["icons"]:
            answer = client.get(icon["src"])
            assert (answer.status_code, answer.headers["content-type"]) == (200, icon["type"])
        script = client.get("/service-worker.js")
        assert script.headers["content-type"].startswith("text/javascript")
        assert script.headers["cache-control"] == "no-cache"


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_without_a_connection_it_opens_shows_what_is_stored_and_says_what_needs_the_server(
    shared_server: Server, browser: Any
) -> None:
    with window(browser, service_workers="allow") as page:
        page.goto(shared_server.url)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        until(page, "navigator.serviceWorker.controller")
        page.goto(f"{shared_server.url}/learn/primes")
        page.locator(".checker").first.wait_for()
        page.goto(shared_server.url)
        page.locator(".spot.source").first.wait_for()
        page.context.set_offline(True)
        page.goto(shared_server.url)
        page.get_by_text("No connection: you see what is stored").wait_for()
        page.locator(".spot.source").first.wait_for()
        page.goto(f"{shared_server.url}/learn/primes")
        page.locator(".checker").first.wait_for()
        page.goto(f"{shared_server.url}/account/never-seen")
        page.get_by_role("heading", name="No connection to the server").wait_for()
        page.context.set_offline(False)


KEPT_BEFORE = """async () => {
  const cache = await caches.open('fullprime-before');
  for (const path of ['/learn/primes', '/api/learn/lessons/primes', '/static/before/parts/page.js'])
    await cache.put(path, new Response('as it was before'));
}"""
KEPT = """caches.keys().then(async (names) =>
  Promise.all(names.map(async (name) => [name, (await (await caches.open(name)).keys()).map(({url}) => url)])))"""


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_when_the_server_is_gone_pages_that_were_never_opened_work_and_every_page_says_so(
    tmp_path: Path, browser: Any
) -> None:
    """The device has a network all the time: it is the server that does not answer, as on a boat with a router.

    What an older version has kept is there as the newest has it, and nothing else of the older one.
    """
    server = Server(tmp_path / "games.db")
    try:
        with window(browser, service_workers="allow") as page:
            page.goto(f"{server.url}/static/parts/icon.svg")
            page.evaluate(KEPT_BEFORE)
            page.goto(f"{server.url}/learn")
            page.evaluate("navigator.serviceWorker.ready.then(() => true)")
            until(page, "navigator.serviceWorker.controller")
            assert page.locator("#offline").count() == 0
            ((name, addresses),) = page.evaluate(KEPT)
            assert name == f"fullprime-{STATIC_VERSION}"
            assert [url for url in addresses if "/static/" in url and STATIC_VERSION not in url] == []
            server.close()
            page.goto(f"{server.url}/learn/primes")
            page.locator(".checker").first.wait_for()
            page.goto(f"{server.url}/real")
            page.get_by_text("No connection: you see what is stored").wait_for()
            page.locator("#start:enabled").click()
            page.get_by_role("button", name="Throw for the opening").click()
            page.goto(f"{server.url}/house")
            page.get_by_text("The server does not answer.").wait_for()
            page.goto(server.url)
            page.locator(".spot.source").first.wait_for()
            page.get_by_text("No connection: you see what is stored").wait_for()
    finally:
        server.close()


@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
@pytest.mark.parametrize("lost", broadly(["options", "clocks"], "options"))
def test_the_first_page_says_when_the_server_does_not_answer(shared_server: Server, browser: Any, lost: str) -> None:
    """As when the connection goes while it is fetched; `window` fails where a script only raises an error."""
    with window(browser) as page:
        page.route(f"**/api/{lost}", lambda route: route.abort())
        page.goto(shared_server.url)
        page.get_by_text("The server does not answer.").wait_for()
        page.locator(".spot.source").first.wait_for()
