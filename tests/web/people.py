"""People with accounts, over the HTTP API: each has a browser of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import httpx
from argon2 import PasswordHasher
from tests.web.conftest import Server
from tests.web.seat import Seat

from fullprime.accounts.ratings import PLAYS
from fullprime.accounts.service import Accounts
from fullprime.web.routes.callers import COOKIE

PASSWORD = "tiger lilies"
NEARLY_WON = "5 3 off:13 / 24:15"
"""Two checkers left, and an opponent who still has everything on our ace point."""
_NUMBERS = count(1)


class Browser(httpx.Client):
    """A browser that keeps its cookies; ``name`` is that of its account."""

    name: str | None = None

    def ok(self, method: str, path: str, body: dict[str, Any] | None = None, **more: Any) -> Any:
        answer = self.request(method, path, json=body, **more)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def read(self, path: str, **more: Any) -> Any:
        return self.ok("GET", path, **more)

    def asks(self, path: str, body: dict[str, Any] | None = None) -> Any:
        return self.ok("POST", path, body if body is not None else {})

    def refusal(self, path: str, body: dict[str, Any] | None = None) -> tuple[int, str]:
        """The code and the reason with which something is refused."""
        answer = self.post(path, json=body if body is not None else {})
        assert not answer.is_success, answer.text
        return answer.status_code, str(answer.json()["error"])

    def seat(self, game: str) -> Seat:
        """The seat of the account, without a key."""
        return Seat(self, game, None)


@contextmanager
def guest(server: Server) -> Iterator[Browser]:
    with Browser(base_url=server.url, timeout=60) as browser:
        yield browser


@contextmanager
def person(server: Server, name: str | None = None) -> Iterator[Browser]:
    """Somebody with a new account, who is signed in.

    The account is made in the database, by a hash that takes no time: so many would not be let in by the page.
    """
    people = Accounts(str(server.database), PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    with guest(server) as browser:
        browser.name = name if name is not None else f"Person{next(_NUMBERS)}"
        session = people.open_session(people.sign_up(browser.name, PASSWORD))
        people.close()
        browser.cookies.set(COOKIE, session, domain="127.0.0.1")
        yield browser


def rated_match(one: Browser, other: Browser, **options: Any) -> str:
    """A match between two accounts, by a challenge in the lobby; both seeds are added."""
    challenge = one.asks("/api/lobby", {"rated": True, "clock": "usbgf", "rules": {"length": 1}, **options})
    game = str(one_accepts(other, challenge)["game"])
    for browser, seed in ((one, "ab"), (other, "cd")):
        browser.asks(f"/api/games/{game}/seed", {"seed": seed})
    return game


def one_accepts(browser: Browser, challenge: dict[str, Any]) -> dict[str, Any]:
    return dict(browser.asks(f"/api/challenge/{challenge['challenge']['id']}/accept"))


def play_on(game: str, one: Browser, other: Browser, plays: int) -> None:
    """Play until each side has made so many plays; nobody doubles or gives up."""
    for _ in range(20 * plays):
        events = one.seat(game).get()["events"]
        if min([event["player"] for event in events if event["kind"] == "play"].count(side) for side in "XO") >= plays:
            return
        for browser in (one, other):
            state = browser.seat(game).state
            if [word for word in state["legal_actions"] if word != "resign"]:
                line = (state["plays"] or ["no play"])[0] if state["phase"] == "play" else "roll"
                browser.seat(game).does(line)
    raise AssertionError("the game does not go on")


def resign(game: str, loser: Browser, winner: Browser, plays: int = PLAYS) -> None:
    """Play until the loser has lost to some purpose and may resign the match to 1 point, and have it accepted."""
    play_on(game, loser, winner, plays)
    for _ in range(20):
        for browser in (loser, winner):
            state = browser.seat(game).state
            if browser is loser and "resign" in state["legal_actions"]:
                browser.seat(game).does("resign")
                winner.seat(game).does("accept")
                return
            if [word for word in state["legal_actions"] if word != "resign"]:
                line = (state["plays"] or ["no play"])[0] if state["phase"] == "play" else "roll"
                browser.seat(game).does(line)
    raise AssertionError("nobody could resign")
