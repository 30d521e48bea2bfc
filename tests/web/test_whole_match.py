"""A whole match from the first page to its end: by keys alone, and by the accessibility tree alone.

With three checkers a side a game has a quarter of the turns, and all that is pressed in a match: cube, plays, next
game.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.web.accessible import Heard, Tree
from tests.web.browsing import Keys, at_table, listen_for_other_ways, until, window
from tests.web.conftest import Server, chromium

pytestmark = [
    pytest.mark.broad,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine"),
]

with_few_or_many_checkers = pytest.mark.parametrize(
    "variant", ["Hypergammon", pytest.param("Backgammon", marks=pytest.mark.slow)]
)
POINTERS = ("pointerdown", "mousedown", "touchstart")
MOST = 2000
"""Things done in a match to three, far more than there are."""


# -- by keys ----------------------------------------------------------------------------------------------------
class Typist(Keys):
    """Tab, arrows and Enter, and the keys that the table has for what is done often."""

    KEYS = (("take", "t"), ("next", "n"), ("roll", "r"), ("done", "f"))

    def choose(self, select: str, word: str) -> None:
        """An option of a list, by the letters that it begins with."""
        self._reach(select)
        self.page.keyboard.type(word)
        assert self.page.eval_on_selector(select, "list => list.selectedOptions[0].text").startswith(word)

    def step(self) -> bool:
        """One thing at the table; False when the match is over."""
        acts = [f"[data-act={action}]:enabled" for action in ("rematch", "accept", *dict(self.KEYS))]
        until(self.page, f"document.querySelector('{', '.join(['.spot.source', *acts])}')")
        here = self.page.locator("#main-action")
        if here.locator("[data-act=rematch]").count():
            return False
        if here.locator("[data-act=accept]").count():
            self.use("[data-act=accept]")
        elif self.page.locator(".spot.source").count():
            self.move()
        else:
            key = next((key for name, key in self.KEYS if here.locator(f"[data-act={name}]:enabled").count()), "Tab")
            self.page.keyboard.press(key)
        return True


@with_few_or_many_checkers
def test_a_match_is_played_with_the_keyboard_alone(browser: Any, shared_server: Server, variant: str) -> None:
    with window(browser) as page:
        listen_for_other_ways(page, *POINTERS)
        page.goto(shared_server.url)
        page.locator("#start:enabled").wait_for(state="attached")
        person = Typist(page)
        person.use("#custom > summary")
        person.choose("#variant", variant)
        person.choose("#bot", "Pippa")
        person.choose("#length", "a match to 3")
        person.use("#start")
        at_table(page)
        steps = 0
        while person.step():
            steps += 1
            assert steps < MOST

        ended = r"^(You win|Pippa wins) the match \d\u2013\d( with a (back)?gammon)?$"
        assert re.search(ended, page.inner_text("#end .result"))
        # The same person goes on: the card of the match, and a rematch.
        person.use("#to-card")
        page.wait_for_url("**/card")
        page.get_by_role("heading", name=re.compile("core card")).first.wait_for()
        assert page.evaluate("window.otherWays") == []


# -- by the accessibility tree ----------------------------------------------------------------------------------
WANTED = (
    ("button", "^Accept$"),
    ("button", "^Next game$"),
    ("button", "^Take$"),
    ("button", "^Roll$"),
    ("button", "^Done$"),
    ("button", "can move here$"),
    ("button", ", can move$"),
    ("button", "^New game$"),
)


class Listener:
    """Somebody who hears the page, and decides by nothing else."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.doubled = False

    def begin(self, variant: str) -> None:
        """From the first page to a match to three."""
        self.use("DisclosureTriangle", "^Every option")
        for option in (variant, "Pippa (heuristic)", "a match to 3"):
            self.tree.choose(self.tree.until(("option", f"^{re.escape(option)}$")))
        self.use("button", "^Start$")
        self.tree.until(("log", "^What happened$"))

    def use(self, role: str, name: str) -> None:
        self.tree.use(self.tree.until((role, name)))

    def step(self) -> bool:
        """One thing at the table; False when the match is over."""
        tree = self.tree
        node = tree.until(*WANTED)
        if node.name == "New game":
            return False
        if node.name.endswith("can move"):
            self.knows_the_roll()
        if node.name == "Roll" and not self.doubled and tree.all("button", "^Double$"):
            self.double()
            return True
        tree.use(node)
        return True

    def knows_the_roll(self) -> None:
        """What is to be played is said in the status, and who moves last in the log."""
        assert re.search(r"^Play [1-6](-[1-6])*\.", self.tree.text("status")), self.tree.text("status")

    def double(self) -> None:
        """The cube is offered once in the match: a dialog asks, and nothing else is heard meanwhile."""
        self.doubled = True
        self.use("button", "^Double$")
        self.tree.until(("dialog", "^Double to 2"))
        assert not self.tree.all("button", "^Roll$"), "the page behind a dialog is not heard"
        yes: Heard = self.tree.all("button", "^Double$", "dialog")[0]
        self.tree.use(yes)
        self.tree.until(("log", ""))
        assert self.tree.until(*WANTED).name, "the other has answered, and may have played and doubled again"


@with_few_or_many_checkers
def test_a_match_is_played_through_the_accessibility_tree_alone(
    browser: Any, shared_server: Server, variant: str
) -> None:
    """Roles, names, values and states decide what is done. The focus never falls back to the top of the page."""
    with window(browser) as page:
        listen_for_other_ways(page, "keydown", *POINTERS)
        page.goto(shared_server.url)
        tree = Tree(page)
        person = Listener(tree)
        person.begin(variant)
        steps = 0
        person.step()
        while person.step():
            steps += 1
            assert steps < MOST
            assert tree.listen().focused() is not None, f"the focus is lost: {tree.text('status')}"
        log, end = tree.text("log What happened"), tree.text("region The end of the game")
        won = re.search(r"(You win|Pippa wins) the match (\d)\u2013(\d)", end)
        assert won is not None, end
        assert f"the match {won[2]}\u2013{won[3]}" in log
        assert "You double to 2" in log or not person.doubled
        # Each throw and play of both is told: nobody needs to see the board.
        for who in ("You", "Pippa"):
            rolls = re.findall(rf"{who} (?:roll|rolls|play|plays) [1-6]-[1-6]", log)
            assert len(rolls) > 4, who
        assert page.evaluate("window.otherWays") == []
