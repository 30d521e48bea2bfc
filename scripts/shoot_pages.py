"""Take the pictures of the pages for the documentation again: scripts/shoot_pages.py (needs Chromium)."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

import httpx
from playwright.sync_api import Browser, sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
MIDDLE = "24:2 13:3 10 8:3 7 6:4 4 / 24 20 16 13:4 8:3 6:5"
SHOTS = (
    ("web-board", "club", {"width": 1280, "height": 800}),
    ("web-phone", "midnight", {"width": 390, "height": 844}),
)


def main() -> None:
    """Serve a position from a database of its own and look at it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from fullprime.cli.main import main; main()", "serve", "--port", "0"]
        database = f"{folder}/games.db"
        server = subprocess.Popen([*command, "--db", database], stdout=subprocess.PIPE, text=True)  # noqa: S603
        try:
            assert server.stdout is not None
            found = re.search(r"http://[\d.]+:\d+", server.stdout.readline())
            assert found is not None
            shoot(found[0])
        finally:
            server.terminate()
            server.wait()


def shoot(url: str) -> None:
    """The same position in each window."""
    made = httpx.post(f"{url}/api/games", json={"position": MIDDLE, "rules": {"length": 7}}).json()
    game, headers = f"{url}/api/games/{made['id']}", {"Authorization": f"Bearer {made['key']}"}
    httpx.post(f"{game}/seed", json={"seed": "1"}, headers=headers)
    httpx.post(f"{game}/act", json={"line": "roll"}, headers=headers)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, theme, size in SHOTS:
            page = browser.new_page(viewport=size, reduced_motion="reduce")
            page.goto(url)
            page.evaluate(f"localStorage.setItem('fullprime.settings', JSON.stringify({{theme: '{theme}'}}))")
            page.goto(f"{url}/game/{made['id']}#key={made['key']}")
            page.locator(".checker").first.wait_for()
            page.locator(".spot.source").first.press("Enter")
            page.screenshot(path=IMAGES / f"{name}.png")
            print(IMAGES / f"{name}.png")
            page.close()
        analysis_board(browser, url)
        browser.close()


def analysis_board(browser: Browser, url: str) -> None:
    """The analysis board with the plays of a roll, one of them looked at, and two compared."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page.set_default_timeout(300_000)  # the first answer waits until the engine is compiled
    page.goto(f"{url}/analysis?{urlencode({'position': MIDDLE, 'dice': '42', 'rule.length': 7})}")
    page.locator("#answer button.play").nth(2).click()
    for number in (0, 2):
        page.locator("#answer input[type=checkbox]").nth(number).check()
    page.screenshot(path=IMAGES / "web-analysis.png")
    print(IMAGES / "web-analysis.png")
    page.close()


if __name__ == "__main__":
    main()
