"""Browsers for tests of the pages, and people who use them: by mouse or finger, by keys, by a screen reader."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.web.conftest import chromium
from tests.web.seat import Seat

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
SURELY_WON = "6:2 5 off:12 / 13:15"
"""Three checkers left, no contact, and a bot that has far to go: at most six turns to a win, whatever is thrown."""
SECONDS = 30
AXE = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
"""Options of axe: it also looks at the size of what is pressed (WCAG 2.5.8), which it leaves out by itself.

That counts 24 pixels, or so much room to the next target, and excepts links in a sentence, as terms in a lesson are.
It tells violations alone: a selector for each element that is sound would take half of its time.
"""


@contextmanager
def chromium_running(executable: str | None = None) -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable or chromium(), args=ARGUMENTS)
        yield running
        running.close()


@contextmanager
def window(browser: Any, size: str = "desktop", **more: Any) -> Iterator[Any]:
    """A page of a browser of its own; what goes wrong in its scripts, or against the policy of the pages, fails."""
    context = browser.new_context(
        has_touch=size == "phone",
        **{"viewport": SIZES[size], "reduced_motion": "reduce", "service_workers": "block", **more},
    )
    page = context.new_page()
    page.set_default_timeout(SECONDS * 1000)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
    yield page
    context.close()
    assert wrong == []


def sit(page: Any, seat: Seat) -> None:
    """Open the seat of a game that was made by the API."""
    page.goto(f"{str(seat.client.base_url).rstrip('/')}/game/{seat.game}#key={seat.key}")
    page.locator(".checker").first.wait_for()


def open_form(page: Any, address: str) -> None:
    """The first page with the form that has every option."""
    page.goto(address)
    page.locator("#start:enabled").wait_for(state="attached")  # the script of the page may still lay it out anew
    page.locator("#custom > summary").click()
    page.locator("#start:enabled").wait_for()


def at_table(page: Any) -> None:
    """Wait for the board of a game: the first page has one of its own."""
    page.wait_for_url("**/game/**")
    page.locator(".checker").first.wait_for()


def point(page: Any, slot: int, side: str = "X") -> Any:
    return page.locator(f'[data-spot="{side}{slot}"]')


def until(page: Any, condition: str) -> None:
    """Wait for something; the pages' policy forbids what Playwright's own waiting would use."""
    end = time.monotonic() + SECONDS
    while not page.evaluate(f"Boolean({condition})"):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(20)


class Person:
    """Somebody at the page who sees it, and how they touch it. What they cannot do fails."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def use(self, thing: str) -> None:
        """Press the thing that a selector names."""
        raise NotImplementedError

    def write(self, thing: str, text: str) -> None:
        raise NotImplementedError

    def move(self) -> None:
        """Move a checker that can move to a place where it can go."""
        raise NotImplementedError


class Pointer(Person):
    """A mouse, or at a touch screen a finger: points of the screen and nothing else."""

    def __init__(self, page: Any, *, touch: bool) -> None:
        super().__init__(page)
        self.tap = page.touchscreen.tap if touch else page.mouse.click

    def use(self, thing: str) -> None:
        found = self.page.locator(thing).first
        found.scroll_into_view_if_needed()
        box = found.bounding_box()
        self.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def write(self, thing: str, text: str) -> None:
        self.use(thing)
        # As if pasted from a menu: no key is pressed.
        self.page.keyboard.insert_text(text)

    def move(self) -> None:
        chosen = self.page.locator(".spot.source").first.get_attribute("data-spot")
        self.use(".spot.source")
        end = time.monotonic() + SECONDS
        while not self.page.locator(".spot.target").count():
            assert time.monotonic() < end, (
                f"{chosen} was pressed, and nothing is chosen: {self.page.inner_text('#status')!r},"
                f" {self.page.locator('.spot.source').count()} may move, {self.page.inner_text('#problem')!r}"
            )
            self.page.wait_for_timeout(20)
        self.use(".spot.target")
        until(self.page, "!document.querySelector('.spot.target')")


class Keys(Person):
    """A keyboard: Tab from one thing to the next, arrows on the board, Enter."""

    def use(self, thing: str) -> None:
        self._reach(thing)
        self.page.keyboard.press("Enter" if not self._is("[type=checkbox], [type=radio]") else "Space")

    def write(self, thing: str, text: str) -> None:
        self._reach(thing)
        self.page.keyboard.type(text)

    def move(self) -> None:
        self._reach(".spot")
        # Along one row and back, then along the other: wherever the last move has left the focus.
        along = [*["ArrowRight"] * 14, *["ArrowLeft"] * 14]
        for key in ("ArrowDown", *along, "ArrowUp", *along):
            if self._is(".source"):
                break
            self.page.keyboard.press(key)
        assert self._is(".source"), "no checker that can move is reached"
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Enter")

    def _is(self, thing: str) -> bool:
        return bool(self.page.evaluate("what => document.activeElement?.matches(what)", thing))

    def _reach(self, thing: str) -> None:
        for _ in range(90):
            if self._is(thing):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{thing} is not reached by Tab")


def listen_for_other_ways(page: Any, *kinds: str) -> None:
    """Remember events that a person with this way of playing cannot make."""
    page.context.add_init_script(
        f"""window.otherWays = [];
        for (const kind of {list(kinds)!r})
          addEventListener(kind, (event) => {{ if (event.isTrusted) window.otherWays.push(kind); }}, true);"""
    )


class Reader:
    """A screen reader: roles and names, and the activation of what it has found. It has neither pointer nor board."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def find(self, role: str, name: str) -> Any:
        return self.page.get_by_role(role, name=re.compile(name))

    def use(self, role: str, name: str) -> None:
        found = self.find(role, name).first
        found.wait_for()
        assert found.is_enabled()
        # Assistive technology activates with a click that no pointer made.
        found.evaluate(
            "node => { node.focus(); node.dispatchEvent(new MouseEvent('click', {bubbles: true, detail: 0})); }"
        )

    def write(self, role: str, name: str, text: str) -> None:
        self.find(role, name).first.fill(text)
