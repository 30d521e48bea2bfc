"""Take the pictures of the pages: scripts/shoot_pages.py [sheet | docs] (needs Chromium), both unless said.

`sheet` takes every place at four looks into build/shots, with a page of all of them; `docs` takes the pictures of the
README and of the documentation again, as WebP. Names, boards, rolls and the day are fixed, so that only a change of the
pages changes a picture.
"""

from __future__ import annotations

import base64
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.web.browsing import chromium_running  # noqa: E402 - the tests are found from the root alone
from tests.web.conftest import Server  # noqa: E402
from tests.web.sample_server import PLACES, fill_server  # noqa: E402

IMAGES = ROOT / "docs" / "images"
SHEET = ROOT / "build" / "shots"
DAY = datetime(2026, 11, 22, 12, tzinfo=UTC)
"""The day of the pages, which chooses their position of the day."""
SECONDS = 120
QUALITY = 88
LARGEST = 300_000
"""Bytes of a picture of the documentation."""


@dataclass(frozen=True, slots=True)
class Look:
    """A window: its size in CSS pixels, and whether it is dark."""

    width: int
    height: int
    dark: bool = False


LOOKS = {
    "phone": Look(390, 844),
    "landscape": Look(844, 390),
    "desktop": Look(1366, 768),
    "dark": Look(1366, 768, dark=True),
}


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of the documentation: a place of `PLACES`, its window and its settings."""

    place: str
    look: Look
    settings: dict[str, str] = field(default_factory=dict)
    presses: tuple[str, ...] = ()
    """Things that are pressed before, by their selectors."""


WIDE = Look(1280, 800)
DOCS = {
    "home": Shot("home", Look(1280, 890)),
    "web-board": Shot("game", WIDE, presses=(".spot.source",)),
    "web-phone": Shot("game", LOOKS["phone"], {"theme": "midnight"}, (".spot.source",)),
    "web-analysis": Shot("analysis", Look(1280, 900), presses=("#answer tr:nth-child(3) button.play",)),
    "report": Shot("report", Look(1280, 900)),
    "lesson": Shot("lesson", WIDE),
    "library": Shot("library-player", WIDE),
    "real-board": Shot("real", LOOKS["phone"]),
}


def main() -> None:
    """Serve a server with sample data, and look at it."""
    wanted = set(sys.argv[1:]) or {"sheet", "docs"}
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "shots.db")
        try:
            with chromium_running() as browser:
                values = fill_server(server.url)
                if "docs" in wanted:
                    draw_docs(browser, server.url, values)
                if "sheet" in wanted:
                    draw_sheet(browser, server.url, values)
        finally:
            server.close()


@contextmanager
def window(browser: Browser, look: Look, settings: dict[str, str]) -> Iterator[Page]:
    """A page at the fixed day, without motion and without a question about sounds."""
    context = browser.new_context(
        viewport={"width": look.width, "height": look.height},
        color_scheme="dark" if look.dark else "light",
        reduced_motion="reduce",
        service_workers="block",
        locale="en-GB",
        timezone_id="UTC",
    )
    page = context.new_page()
    page.set_default_timeout(1000 * SECONDS)
    page.clock.set_fixed_time(DAY)
    stored = json.dumps(json.dumps({"asked": True, **settings}))
    page.add_init_script(f"localStorage.setItem('fullprime.preferences', {stored})")
    yield page
    context.close()


def visit(page: Page, url: str, name: str, values: dict[str, str]) -> None:
    """Open a place and wait until it is whole."""
    place = next(candidate for candidate in PLACES if candidate.name == name)
    page.goto("about:blank")
    page.goto(url + place.address.format(**values))
    place.wait(page)
    page.evaluate("document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => done())))")


def draw_docs(browser: Browser, url: str, values: dict[str, str]) -> None:
    """The pictures of the documentation."""
    for name, shot in DOCS.items():
        with window(browser, shot.look, shot.settings) as page:
            visit(page, url, shot.place, values)
            for selector in shot.presses:
                page.locator(selector).first.press("Enter")
            page.mouse.move(1, 1)
            options = {"format": "webp", "quality": QUALITY}
            taken = page.context.new_cdp_session(page).send("Page.captureScreenshot", options)
        path = IMAGES / f"{name}.webp"
        path.write_bytes(base64.b64decode(taken["data"]))
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")
        if path.stat().st_size > LARGEST:
            raise SystemExit(f"{path} is larger than {LARGEST} bytes")


def draw_sheet(browser: Browser, url: str, values: dict[str, str]) -> None:
    """Every place at every look, and a page of them all."""
    SHEET.mkdir(parents=True, exist_ok=True)
    for look_name, look in LOOKS.items():
        with window(browser, look, {}) as page:
            for place in PLACES:
                visit(page, url, place.name, values)
                page.screenshot(path=SHEET / f"{place.name}-{look_name}.png")
        print(f"{len(PLACES)} places, {look_name}", flush=True)
    (SHEET / "index.html").write_text(sheet(), encoding="utf-8")
    print(SHEET / "index.html")


def sheet() -> str:
    """The page of all pictures, a row a place."""
    rows = []
    for place in PLACES:
        shots = "".join(
            f'<a href="{place.name}-{look}.png"><img src="{place.name}-{look}.png" alt="{escape(place.name)}, {look}" '
            f'loading="lazy" height="320"></a>'
            for look in LOOKS
        )
        rows.append(f"<h2>{escape(place.name)} <small>{escape(place.address)}</small></h2><p>{shots}</p>")
    style = "body{font:16px sans-serif;margin:1rem;background:#777}p{display:flex;gap:.6rem;overflow-x:auto}"
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Fullprime: every place</title><style>{style}'
    return f"{head}</style><h1>Every place of Fullprime, {DAY:%Y-%m-%d}</h1>{''.join(rows)}</html>\n"


if __name__ == "__main__":
    main()
