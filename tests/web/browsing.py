"""Browsers for tests of the pages, and people who use them: by mouse or finger, by keys, by a screen reader."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from tests.web.conftest import chromium
from tests.web.seat import Seat

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    # A page with Cross-Origin-Opener-Policy goes on in the process of the empty page before it: a sixth less work.
    "--renderer-process-limit=1",
]
SURELY_WON = "6:2 5 off:12 / 13:15"
"""Three checkers left, no contact, and a bot that has far to go: at most six turns to a win, whatever is thrown."""
SECONDS = 60
"""How long a page may take for anything before the test says what it waits for; no test is about this time."""
LINES = "['status', 'problem', 'connection'].map((id) => document.getElementById(id)?.textContent)"
MOVED = "[...document.querySelectorAll('.spot.moved, .die.used')].map((part) => part.dataset.spot ?? 'die').join(' ')"
"""The points and dice of the moves made on the board: a checker that moves on leaves their number as it is."""
AXE = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
"""Options of axe: it also looks at the size of what is pressed (WCAG 2.5.8), which it leaves out by itself.

That counts 24 pixels, or so much handle to the next target, and excepts links in a sentence, as terms in a lesson are.
It tells violations alone: a selector for each element that is sound would take half of its time.
"""

HELD = """(movable) => [...document.querySelectorAll('.board, .board *')]
  .filter((part) => part.checkVisibility() && getComputedStyle(part).touchAction === 'none')
  .filter((part) => !part.closest(movable)).map((part) => part.outerHTML.slice(0, 80))"""
"""The parts of boards under which a finger does not scroll, but for those that are meant to be dragged."""
MOVABLE = ".spot.source, .spot.moved"
PASTE = """text => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}));
}"""


class SharedBrowser:
    """One Chromium for all modules of a process: to begin Playwright and a browser takes as long as several pages.

    Playwright's event loop runs in the thread of the tests as long as it is open, where no other loop could run then.
    It counts as running only while :meth:`lend` is open.
    """

    def __init__(self) -> None:
        self._opened = ExitStack()
        self._running: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @contextmanager
    def lend(self) -> Iterator[Any]:
        """The browser, begun anew if it has crashed."""
        asyncio._set_running_loop(self._loop)
        try:
            if self._running is None or not self._running.is_connected():
                self._opened.close()
                self._running = self._opened.enter_context(chromium_running())
            yield self._running
        finally:
            self._loop = asyncio._get_running_loop()
            asyncio._set_running_loop(None)

    def close(self) -> None:
        """End it; it must not be lent then."""
        asyncio._set_running_loop(self._loop)
        self._opened.close()


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
    page.on(
        "console", lambda message: wrong.append(message.text) if "Content Security Policy" in message.text else None
    )
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


def play_friend(page: Any) -> None:
    """Begin a game with a friend from the first page, as the dialog offers it."""
    page.locator("#play-friend:enabled").click()
    page.get_by_role("button", name="Get the link").click()


def at_table(page: Any) -> None:
    """Wait for the board of a game: the first page has one of its own."""
    page.wait_for_url("**/game/**")
    page.locator(".checker").first.wait_for()


def point(page: Any, slot: int, side: str = "X") -> Any:
    return page.locator(f'[data-spot="{side}{slot}"]')


def until(page: Any, condition: str) -> None:
    """Wait for something; the pages' policy forbids what Playwright's own waiting would use.

    A condition that throws does not hold yet: after a link, the page before is still there, or nothing at all.
    """
    answer: object = None

    def holds() -> bool:
        nonlocal answer
        answer = evaluate_or_reason(page, f"Boolean({condition})")
        return answer is True

    wait_until(page, holds, lambda: f"{condition}; the page says: {answer or evaluate_or_reason(page, LINES)!r}")


def wait_until(page: Any, holds: Callable[[], object], describe: Callable[[], str] | None = None) -> None:
    """Wait for what is not in a page, such as a request that was held; ``describe`` says what did not come.

    Meanwhile Playwright hands on what the page does: each look at the condition is followed by a moment for it.
    """
    end = time.monotonic() + SECONDS
    while not holds():
        if time.monotonic() >= end:
            pytest.fail("what is waited for does not come" if describe is None else describe())
        page.wait_for_timeout(20)


def evaluate_or_reason(page: Any, expression: str) -> Any:
    """The value of an expression in a page, or the first line of why there is none."""
    try:
        return page.evaluate(expression)
    except pytest.importorskip("playwright.sync_api").Error as error:
        return error.message.partition("\n")[0]


class Person:
    """Somebody at the page who sees it, and how they touch it. What they cannot do fails."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def use(self, control: str) -> None:
        """Press the thing that a selector names."""
        raise NotImplementedError

    def write(self, control: str, text: str) -> None:
        raise NotImplementedError

    def move(self) -> None:
        """Move a checker that can move to a place where it can go."""
        raise NotImplementedError


class Pointer(Person):
    """A mouse, or at a touch screen a finger: points of the screen and nothing else."""

    def __init__(self, page: Any, *, touch: bool) -> None:
        super().__init__(page)
        self.touch = touch
        self.tap = page.touchscreen.tap if touch else page.mouse.click

    def use(self, control: str) -> None:
        element = self.page.locator(control).first
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        self.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def write(self, control: str, text: str) -> None:
        self.use(control)
        # As if pasted from a menu: no key is pressed.
        self.page.keyboard.insert_text(text)

    def drag(self, checker: str, to: str) -> None:
        """Pull the middle of something to the middle of another with a finger."""
        session = self.page.context.new_cdp_session(self.page)
        ends = [self.page.locator(place).first.bounding_box() for place in (checker, to)]
        start, end = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in ends]
        ways = [start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end]
        for kind, (x, y) in zip(("touchStart", "touchMove", "touchMove"), ways, strict=True):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()

    def move(self) -> None:
        if self.touch:
            # One tap is enough; the board is drawn when it has been made.
            before = self.page.evaluate(MOVED)
            self.use(".spot.source")
            until(self.page, f"{MOVED} !== {before!r}")
            return
        chosen = self.page.locator(".spot.source").first.get_attribute("data-spot")
        self.use(".spot.source")
        wait_until(
            self.page,
            lambda: self.page.locator(".spot.target").count(),
            lambda: (
                f"{chosen} was pressed, and nothing is chosen: {self.page.inner_text('#status')!r},"
                f" {self.page.locator('.spot.source').count()} may move, {self.page.inner_text('#problem')!r}"
            ),
        )
        self.use(".spot.target")
        until(self.page, "!document.querySelector('.spot.target')")


class Keys(Person):
    """A keyboard: Tab from one thing to the next, arrows on the board, Enter."""

    def use(self, control: str) -> None:
        self._reach(control)
        self.page.keyboard.press("Enter" if not self._is("[type=checkbox], [type=radio]") else "Space")

    def write(self, control: str, text: str) -> None:
        self._reach(control)
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
        before = self.page.evaluate(MOVED)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Enter")
        until(self.page, f"{MOVED} !== {before!r}")

    def _is(self, control: str) -> bool:
        return bool(self.page.evaluate("what => document.activeElement?.matches(what)", control))

    def _reach(self, control: str) -> None:
        for _ in range(90):
            if self._is(control):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{control} is not reached by Tab")


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
        element = self.find(role, name).first
        element.wait_for()
        assert element.is_enabled()
        # Assistive technology activates with a click that no pointer made.
        element.evaluate(
            "node => { node.focus(); node.dispatchEvent(new MouseEvent('click', {bubbles: true, detail: 0})); }"
        )

    def write(self, role: str, name: str, text: str) -> None:
        self.find(role, name).first.fill(text)
