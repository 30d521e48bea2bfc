"""Whole games in a real browser: won by mouse, keys and screen reader; every variant; a match between two browsers."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from tests.broadly import broadly
from tests.web.browsing import (
    SURELY_WON,
    Keys,
    Person,
    Pointer,
    Reader,
    at_table,
    listen_for_other_ways,
    open_form,
    until,
    wait_until,
    window,
)
from tests.web.conftest import Server, chromium

from fullprime.rules.variants import VARIANTS

pytestmark = pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")

MAY_ACT = "document.querySelector('#log .game_over, .spot.source, [data-act=roll]:enabled')"
"""The game is over, or something is expected of the person."""


@pytest.fixture
def address(shared_server: Server) -> str:
    return shared_server.url


# -- a game is won, from the first page to the end -------------------------------------------------------------------
def begin(person: Person, address: str, position: str) -> None:
    """From the first page: a position, nothing done by itself, against the bot that needs no compiled engine."""
    person.page.goto(address)
    person.page.locator("#start:enabled").wait_for(state="attached")
    person.use("#custom > summary")
    usual = person.page.evaluate("fetch('/api/options').then((answer) => answer.json()).then((options) => options.bot)")
    assert person.page.input_value("#bot") in {usual, "heuristic"}, "a level of the engine as soon as it is compiled"
    person.page.select_option("#bot", "heuristic")
    person.use("#more > summary")
    person.write("#position", position)
    person.use("#automatic")
    assert not person.page.locator("#automatic").is_checked()
    person.use("#start")
    at_table(person.page)


def win(person: Person) -> None:
    """Play until the game is over: at most six turns."""
    page, turns = person.page, 0
    until(page, MAY_ACT)
    while not page.locator("#log .game_over").count():
        turns += 1
        assert turns < 20
        if page.locator("[data-act=roll]:enabled").count():
            person.use("[data-act=roll]")
            until(page, "document.querySelector('.spot.source, [data-act=done]:enabled')")
        for _ in range(4):
            if not page.locator(".spot.source").count():
                break
            person.move()
        person.use("[data-act=done]")
        until(page, "!document.querySelector('[data-act=done]')")
        until(page, MAY_ACT)
    assert turns >= 1
    assert re.search(r"You win", page.inner_text("#log .game_over"))


@pytest.mark.broad
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_game_is_won_with_the_mouse_alone(browser: Any, address: str, size: str) -> None:
    """At a phone with a finger."""
    with window(browser, size) as page:
        listen_for_other_ways(page, "keydown")
        person = Pointer(page, touch=size == "phone")
        begin(person, address, SURELY_WON)
        win(person)
        assert page.evaluate("window.otherWays") == []


@pytest.mark.broad
def test_a_refusal_that_comes_after_the_game_has_gone_on_moves_no_checker(browser: Any, address: str) -> None:
    """The play is stored and told by the live line before the answer to it says no: the board stays as it was told."""
    with window(browser) as page:
        person = Pointer(page, touch=False)
        begin(person, address, "6 5 4 3 2 1 off:9 / 6:5 5:5 4:5")
        until(page, MAY_ACT)
        person.use("[data-act=roll]")
        until(page, "document.querySelector('.spot.source')")
        held: list[Any] = []
        page.route(re.compile(r"/api/games/\w+/act$"), lambda route: held.append(route))
        while page.locator(".spot.source").count():
            person.move()
        before = page.locator("#log .play").count()
        person.use("[data-act=done]")
        wait_until(page, lambda: held)
        assert held[0].fetch().status == 200
        until(page, f"document.querySelectorAll('#log .play').length > {before}")
        held[0].fulfill(status=400, content_type="application/json", body='{"error": "far too late"}')
        until(page, "document.body.innerText.includes('Far too late')")
        assert page.locator(".checker").count() == 30


@pytest.mark.parametrize("size", ["desktop", pytest.param("phone", marks=pytest.mark.broad)])
def test_a_game_is_won_with_the_keyboard_alone(browser: Any, address: str, size: str) -> None:
    with window(browser, size) as page:
        listen_for_other_ways(page, "pointerdown", "mousedown", "touchstart")
        person = Keys(page)
        begin(person, address, SURELY_WON)
        win(person)
        assert page.evaluate("window.otherWays") == []


@pytest.mark.broad
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_game_is_won_through_the_accessibility_tree_alone(browser: Any, address: str, size: str) -> None:
    """Only roles and names, as a screen reader has them; where the checkers stand is read from the names."""
    with window(browser, size) as page:
        listen_for_other_ways(page, "keydown", "pointerdown", "mousedown", "touchstart")
        page.goto(address)
        reader = Reader(page)
        page.locator("#start:enabled").wait_for(state="attached")
        page.get_by_text("Every option").first.dispatch_event("click")
        page.get_by_text("Rules of the house").first.dispatch_event("click")
        reader.write("textbox", "Begin with a position", SURELY_WON)
        reader.use("checkbox", "by itself")
        reader.use("button", "^Start$")
        reader.find("log", "What happened").wait_for()
        roll, finish = reader.find("button", "^Roll$"), reader.find("button", "^Done$")
        mine = reader.find("button", "checkers?, can move$")
        over = reader.find("log", "What happened").get_by_text(re.compile(r"^You win"))
        for _ in range(20):
            roll.or_(mine).or_(over).first.wait_for()
            if over.count():
                break
            if roll.count():
                reader.use("button", "^Roll$")
                mine.first.wait_for()
                focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
                assert (focused or "").endswith("can move"), "the focus goes to a checker, not to the page"
            for _ in range(4):
                if not mine.count():
                    break
                reader.use("button", "checkers?, can move$")
                reader.use("button", "can move here$")
            reader.use("button", "^Done$")
            finish.wait_for(state="detached")
        assert over.count() == 1
        assert page.evaluate("window.otherWays") == []


# -- every variant ----------------------------------------------------------------------------------------------
def play_whole(page: Any, most: int) -> None:
    """Play by what the page offers until the game is over: the first checker that can move, the first place."""
    can_act = "[data-act=roll]:enabled, [data-act^=choose]:enabled, [data-act=take]:enabled"
    waiting = f"document.querySelector('#log .game_over, .spot.source, [data-act=done]:enabled, {can_act}')"
    for _ in range(most):
        until(page, waiting)
        done = page.evaluate(
            """() => {
              if (document.querySelector('#log .game_over')) return true;
              const key = (node) => {
                node.focus();
                node.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true}));
              };
              const act = (name) => document.querySelector(`[data-act${name}]:enabled`);
              for (let steps = 0; steps < 8; steps++) {
                const from = document.querySelector('.spot.source');
                if (!from) break;
                key(from);
                const to = document.querySelector('.spot.target');
                if (to) key(to);
              }
              (act('=done') ?? act('^=choose') ?? act('=take') ?? act('=roll'))?.click();
              return false;
            }"""
        )
        if done:
            return
        page.wait_for_timeout(10)
    raise AssertionError(f"no end after {most} steps: {page.inner_text('#status')}")


def start(page: Any, address: str, variant: str, position: str = "") -> None:
    open_form(page, address)
    page.select_option("#variant", variant)
    if page.locator("#length").is_enabled():  # a game that is settled by checkers is no match
        page.select_option("#length", "0")
    page.select_option("#bot", "random")
    if position:
        page.locator("#more > summary").click()
        page.fill("#position", position)
    page.get_by_role("button", name="Start", exact=True).click()
    at_table(page)


def finished(page: Any, address: str) -> dict[str, Any]:
    """What the server says of the game on the page."""
    key = page.evaluate("Object.values(JSON.parse(localStorage.getItem('fullprime.games')))[0].key")
    game = page.url.rsplit("/", 1)[1]
    answer = httpx.get(f"{address}/api/games/{game}", headers={"Authorization": f"Bearer {key}"}, timeout=60)
    return dict(answer.json()["state"])


@pytest.mark.parametrize("variant", broadly(VARIANTS, "hypergammon"))
def test_every_variant_is_begun_and_finished_in_the_browser(browser: Any, address: str, variant: str) -> None:
    """From a position near the end, where the last checkers of both are borne off."""
    borne_off = VARIANTS[variant].checkers - 2
    with window(browser, "phone") as page:
        start(page, address, variant, f"4 2 off:{borne_off} / 3 1 off:{borne_off}")
        play_whole(page, 400)
        state = finished(page, address)
        assert (state["variant"], state["game_over"]) == (variant, True)
        assert state["result"]["points"] > 0
        # The next game of the session begins from the beginning, with all that this variant has.
        page.locator("[data-act=next]").click()
        until(page, "document.querySelectorAll('#log .opening').length")
        assert page.locator(".checker").count() == 2 * VARIANTS[variant].checkers


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_played_whole_in_the_browser(browser: Any, address: str, variant: str) -> None:
    with window(browser) as page:
        start(page, address, variant)
        play_whole(page, 4000)
        assert finished(page, address)["game_over"]


# -- two browsers -----------------------------------------------------------------------------------------------
FACTS = (
    "opening",
    "roll",
    "play",
    "double",
    "take",
    "drop",
    "resignation_offered",
    "accept",
    "game_over",
    "match_over",
)


class Line:
    """The way from a browser to the server, which can be cut, and can lose an answer on its way back."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.is_cut = False
        self.lost_answers = 0
        self._sockets: list[Any] = []
        page.route_web_socket(re.compile(r"/live$"), self._connect)
        page.route(re.compile(r"/api/games/\w+/act$"), self._act)

    def cut(self) -> None:
        self.is_cut = True
        for socket in self._sockets:
            socket.close(code=4000)
        self._sockets.clear()
        until(self.page, "document.body.classList.contains('offline')")

    def mend(self) -> None:
        self.is_cut = False
        until(self.page, "!document.body.classList.contains('offline')")

    def _connect(self, socket: Any) -> None:
        if self.is_cut:
            socket.close(code=4000)
            return
        socket.connect_to_server()
        self._sockets.append(socket)

    def _act(self, route: Any) -> None:
        if self.is_cut:
            route.abort()
        elif self.lost_answers:
            self.lost_answers -= 1
            assert route.fetch().status == 200
            route.abort()
        else:
            route.continue_()


class Player:
    """Somebody at a page, who presses what it offers."""

    def __init__(self, page: Any, name: str) -> None:
        self.page, self.name, self.line = page, name, Line(page)

    def act(self, name: str, *, sure: str | None = None, rare: bool = False) -> None:
        """Press a button of the row; what is `rare` stands in the menu behind *More*."""
        if rare:
            assert not self.page.locator(f"[data-act={name}]").is_visible(), "it waits in the menu"
            self.act("more")
        self.page.locator(f"[data-act={name}]:enabled").click()
        if sure is not None:
            self.page.get_by_role("dialog").get_by_role("button", name=sure, exact=True).click()

    @property
    def on_turn(self) -> bool:
        return bool(self.page.locator("#player-bottom.turn").count())

    def play(self) -> None:
        """Roll if need be and play; the turn passes to the other."""
        until(self.page, "document.querySelector('.spot.source, [data-act=roll]:enabled')")
        if self.page.locator("[data-act=roll]:enabled").count():
            self.act("roll")
            until(self.page, "document.querySelector('.spot.source, #player-top.turn')")
        while self.page.locator(".spot.source").count():
            self.page.locator(".spot.source").first.press("Enter")
            self.page.locator(".spot.target").first.press("Enter")
        if self.page.locator("[data-act=done]:enabled").count():
            self.act("done")
        until(self.page, "document.querySelector('#player-top.turn')")

    def told(self) -> list[list[str]]:
        """The facts of the log, as [kind, text]."""
        lines = self.page.eval_on_selector_all(
            "#log .event", "all => all.map(line => [line.className.split(' ')[1], line.textContent])"
        )
        return [line for line in lines if line[0] in FACTS]

    def games_over(self, count: int) -> None:
        until(self.page, f"document.querySelectorAll('#log .game_over').length === {count}")


def on_turn(*players: Player) -> tuple[Player, Player]:
    """Who is to act, and the other, when both pages agree."""
    ann, bob = players
    wait_until(ann.page, lambda: ann.on_turn != bob.on_turn, lambda: "the pages do not agree whose turn it is")
    return (ann, bob) if ann.on_turn else (bob, ann)


@pytest.mark.broad
def test_two_browsers_play_a_match_by_link(browser: Any, server: Server) -> None:
    """Doubling, resigning, a Crawford game, a reload, a cut line, a lost answer, a killed server: all is told once."""
    with window(browser) as first, window(browser, "phone") as second:
        ann, bob = Player(first, "Ann"), Player(second, "Bob")
        open_form(first, server.url)
        first.get_by_label("a friend, by a link").check()
        first.select_option("#length", "3")
        first.fill("#name", "Ann")
        first.get_by_role("button", name="Start", exact=True).click()
        link = first.locator("#invite").input_value()
        second.goto(link)
        second.get_by_label("Your name").fill("Bob")
        second.get_by_role("button", name="Join", exact=True).click()
        for page in (first, second):
            page.locator(".checker").first.wait_for()
        assert "#" not in second.url, "the invitation does not stay in the address"
        address = second.url

        # The first game: the line of one is cut while the other plays, an answer is lost, a double is dropped.
        mover, other = on_turn(ann, bob)
        other.line.cut()
        mover.play()
        other.line.mend()
        until(other.page, "document.querySelector('#player-bottom.turn')")
        other.line.lost_answers = 1
        other.play()
        assert other.line.lost_answers == 0
        on_turn(ann, bob)
        mover.act("double", sure="Double")
        other.act("drop", sure="Drop")
        winner, loser = mover, other
        for player in (ann, bob):
            player.games_over(1)

        # The server dies between two games, and one browser loads the page again.
        server.kill()
        until(first, "document.body.classList.contains('offline')")
        server.start()
        for page in (first, second):
            until(page, "!document.body.classList.contains('offline')")
        second.reload()
        for player in (ann, bob):
            player.games_over(1)

        # The second game: it is given up. The third is the Crawford game, without a cube; it ends the match.
        for number in (2, 3):
            winner.act("next")
            until(loser.page, f"document.querySelectorAll('#log .opening').length >= {number}")
            mover, other = on_turn(ann, bob)
            if number == 3:
                for page in (first, second):
                    page.get_by_text("Crawford game", exact=True).wait_for()
                    assert page.locator("[data-act=double]").count() == 0
            if mover is not loser:
                mover.play()
                on_turn(ann, bob)
            loser.act("resign", sure="a single game", rare=True)
            winner.act("accept")
            for player in (ann, bob):
                player.games_over(number)
        for page in (first, second):
            page.locator("#log .match_over").wait_for()
            assert "won the match" in page.inner_text("#status")
            page.get_by_role("button", name="Dice", exact=True).click()
            page.get_by_text("throws follow from the links").wait_for()

        game = httpx.get(f"{server.url}/api/games/{address.rsplit('/', 1)[1]}", timeout=60).json()
        facts = [[event["kind"], event["text"]] for event in game["events"] if event["kind"] in FACTS]
        assert game["state"]["score"] in ([3, 0], [0, 3])
        assert len([kind for kind, _ in facts if kind == "game_over"]) == 3
        assert ann.told() == facts
        assert bob.told() == facts
    verdict = server.verify(address.rsplit("/", 1)[1])
    assert verdict.faults == ()
