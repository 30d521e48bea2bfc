"""Tokens and their scopes: every route of the API's document, asked with a token of every scope."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from tests.web.conftest import Server
from tests.web.people import PASSWORD
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from fullprime.accounts.service import SCOPES, Accounts

EVERY = frozenset(SCOPES)
PLAY = frozenset({"play"})
"""Stands for ``board:play``, and for ``bot:play`` where the account is that of a program."""
READ = PLAY | {"games:read"}
OPEN: dict[str, frozenset[str]] = {
    # What everybody reads and does, with or without an account.
    **dict.fromkeys(
        (
            "GET /api/health", "GET /api/options", "GET /api/clocks", "GET /api/glossary", "GET /api/glossary/words",
            "GET /api/glossary/{word}", "GET /api/glossary/{word}/board.svg",
            "GET /api/ratings", "GET /api/lobby", "GET /api/lobby/stream", "GET /api/lobby/pools", "GET /api/lobby/now",
            "POST /api/lobby/seek/{game}/renew",
            "GET /api/push", "POST /api/push/unsubscribe", "POST /api/push/renew",
            "POST /api/analysis/read", "POST /api/analysis/board", "POST /api/analysis/act",
            "POST /api/analysis/picture", "POST /api/analysis/jobs", "GET /api/analysis/jobs/{job}",
            "POST /api/analysis/jobs/{job}/stop", "GET /api/analysis/jobs/{job}/stream",
            "POST /api/reviews", "GET /api/reviews/{job}", "GET /api/reviews/{job}/{match}",
            "GET /api/reviews/{job}/{match}/lessons", "GET /api/reviews/{job}/{match}/file",
            "GET /api/reviews/{job}/{match}/plies", "GET /api/reviews/{job}/{match}/plies/{game}/{event}",
            "POST /api/account/sign-up", "POST /api/account/sign-in",
            "GET /api/learn", "GET /api/learn/lessons/{lesson}",
            "GET /api/learn/lessons/{lesson}/steps/{step}/solution",
            "POST /api/learn/lessons/{lesson}/steps/{step}/answer",
            "GET /api/drills/trainers/{trainer}/question",
            "GET /api/daily", "GET /api/rules", "GET /api/share",
            "POST /api/share/code", "GET /picture/position.png",
            # A server for its own user alone, as here, shows the machine's library to every caller.
            "GET /api/openings/{game}", "GET /api/openings/{game}/mine", "GET /api/reference",
            "POST /api/reviews/{job}/{match}/again",
            "GET /api/house", "POST /api/house/lab", "POST /api/real/record", "POST /api/real/boards",
            "GET /api/openings/{game}", "GET /api/reference",
            "GET /api/studies/{link}", "POST /api/studies/{link}/answer",
        ),
        EVERY,
    ),
    # A token may always ask whose it is.
    "GET /api/account": EVERY,
    # For browsers.
    **dict.fromkeys(
        (
            "POST /api/account/sign-out", "POST /api/account/password", "POST /api/account/profile",
            "POST /api/push/subscribe", "POST /api/push/state",
            "POST /api/account/bot", "POST /api/account/remove", "GET /api/account/tokens",
            "POST /api/account/tokens", "POST /api/account/tokens/{token}/revoke", "POST /api/account/claim",
            "GET /api/learn/progress", "POST /api/learn/progress",
            "GET /api/drills/trainers", "GET /api/drills/trainers/{trainer}",
            "POST /api/drills/trainers/{trainer}/answer",
            "GET /api/drills/cards", "POST /api/drills/cards/{card}/answer", "POST /api/drills/cards/{card}/remove",
            "POST /api/drills/reviews/{job}/{match}/cards", "GET /api/drills/cards/file",
            "POST /api/drills/lessons/{lesson}/steps/{step}/card",
            "POST /api/daily/answer", "POST /api/daily/solution", "GET /api/daily/record",
            "POST /api/drills/cards/import", "GET /api/drills/puzzles", "GET /api/drills/puzzles/{variant}/next",
            "POST /api/drills/puzzles/{puzzle}/answer",
            # A library is for browsers: it is of the session's account.
            "GET /api/openings/{game}/mine",
            "GET /api/library", "GET /api/library/matches", "GET /api/library/boards",
            "GET /api/library/matches/{match}", "GET /api/library/matches/{match}/judges",
            "GET /api/library/matches/{match}/plies", "GET /api/library/matches/{match}/plies/{game}/{event}",
            "POST /api/library/matches/remove", "GET /api/library/players",
            "POST /api/library/players/merge", "POST /api/library/players/split", "GET /api/library/statistics",
            "POST /api/library/cards", "POST /api/library/cards/latest", "POST /api/library/files",
            "POST /api/library/review",
            "GET /api/library/matches/{match}/file", "GET /api/library/files/{source}", "GET /api/library/marks",
            "POST /api/library/marks", "POST /api/library/marks/at", "GET /api/library/collections",
            "POST /api/library/collections", "GET /api/library/collection", "POST /api/library/collections/change",
            "POST /api/library/collections/remove", "POST /api/library/collections/add",
            "POST /api/library/collections/position", "POST /api/library/searches",
            # Pictures are for those who have no key: of a private game there is none.
            "GET /picture/game/{game}.png",
        ),
        frozenset(),
    ),
    # What only the account sees.
    **dict.fromkeys(("GET /api/users/{name}", "GET /api/users/{name}/games"), frozenset({"games:read"})),
    **dict.fromkeys(
        (
            "GET /api/games/{game}", "GET /api/games/{game}/proof", "GET /api/games/{game}/dice",
            "GET /api/games/{game}/people",
            "GET /api/games/{game}/record", "GET /api/games/{game}/plies",
            "GET /api/games/{game}/queue", "GET /api/games/{game}/card", "GET /api/games/{game}/rules",
            "GET /api/games/{game}/stream", "GET /api/games/{game}/chat", "POST /api/games/{game}/review",
        ),
        READ,
    ),
    # Challenges, and games that are made or joined.
    **dict.fromkeys(("GET /api/challenge", "GET /api/stream/event"), frozenset({"challenge:read"})),
    # Friends.
    "GET /api/friends": frozenset({"follow:read"}),
    **dict.fromkeys(
        ("POST /api/friends/{name}/follow", "POST /api/friends/{name}/unfollow"), frozenset({"follow:write"})
    ),
    **dict.fromkeys(
        (
            "POST /api/lobby", "POST /api/lobby/seek", "POST /api/challenge/{name}",
            "POST /api/challenge/{challenge}/accept",
            "POST /api/challenge/{challenge}/decline", "POST /api/challenge/{challenge}/cancel", "POST /api/games",
            "POST /api/games/{game}/join",
        ),
        frozenset({"challenge:write"}),
    ),
    # Playing.
    "GET /api/board/playing": PLAY | {"challenge:read"},
    **dict.fromkeys(
        (
            *(
                f"POST /api/games/{{game}}/{action}"
                for action in (
                    "seed", "act", "close", "takeback", "hint", "judge", "claim", "chat", "report", "rematch", "link",
                    "chain", "look", "meaning",
                )
            ),
            "GET /api/board/game/stream/{game}", "POST /api/board/game/{game}/seed",
            "POST /api/board/game/{game}/link", "POST /api/board/game/{game}/chain",
            "POST /api/board/game/{game}/act", "POST /api/board/game/{game}/resign/{level}",
        ),
        PLAY,
    ),
}  # fmt: skip
"""The scopes with which a token gets more than a refusal."""
BODIES: dict[str, dict[str, Any]] = {
    "seek": {"length": 5, "clock": "fast"},
    "seed": {"seed": "ab"}, "act": {"line": "pip"}, "judge": {"line": "roll"}, "chat": {"phrase": "hello"},
    "join": {"invitation": "none", "name": "Ann"}, "password": {"old": "x", "new": "y"}, "profile": {"public": True},
    "remove": {"password": "x"}, "tokens": {"name": "more", "scopes": ["games:read"]},
    "link": {"number": 1, "link": "0" * 64}, "chain": {"number": 1, "anchor": "0" * 64}, "answer": {"answer": "0"},
    "progress": {"lessons": {}}, "claim": {"game": "none", "key": "none"},
    "sign-in": {"password": "x"}, "meaning": {"line": "roll"},
    "sign-up": {"password": "x"}, "report": {"reason": "a test"},
}  # fmt: skip


class Person:
    """An account with a token for each scope."""

    def __init__(self, people: Accounts, name: str, *, bot: bool) -> None:
        account = people.sign_up(name, PASSWORD)
        if bot:
            people.mark_as_bot(account)
        people.store.set_public(account.id, public=False)
        self.name, self.bot = name, bot
        self.session = people.open_session(account)
        account = people.get_by_name(name)
        scopes = [scope for scope in SCOPES if bot or scope != "bot:play"]
        self.tokens = {scope: people.create_token(account, scope, [scope])[1] for scope in scopes}

    def opened(self, scopes: frozenset[str]) -> set[str]:
        """Those of its scopes, with the one for playing instead of ``play``."""
        play = "bot:play" if self.bot else "board:play"
        return {play if scope == "play" else scope for scope in scopes} & self.tokens.keys()


class Table:
    """A private game between a person and a program, in which something has been said."""

    def __init__(self, server: Server) -> None:
        people = Accounts(str(server.database), PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        self.url = server.url
        name = f"Scoped{secrets.token_hex(4)}"  # a module's tests may be set up more than once beside one server
        self.people = (Person(people, name, bot=False), Person(people, f"{name}Bot", bot=True))
        people.close()
        with httpx.Client(base_url=server.url, timeout=60) as client:

            def ask(person: Person, path: str, body: dict[str, Any]) -> Any:
                headers = {"Cookie": f"fullprime_session={person.session}"}
                answer = client.post(f"/api/games{path}", json=body, headers=headers)
                assert answer.is_success, answer.text
                return answer.json() if answer.content else None

            host, guest = self.people
            created = ask(host, "", {"opponent": "friend", "spectators": False, "rules": {"length": 3}})
            self.game = created["id"]
            ask(guest, f"/{self.game}/join", {"invitation": created["invitation"], "name": "ignored"})
            for person in self.people:
                ask(person, f"/{self.game}/seed", {"seed": "ab"})
            ask(host, f"/{self.game}/chat", {"text": "for your ears only"})

    def asked(self, client: httpx.Client, route: str, person: Person, scope: str) -> tuple[int, str]:
        """The status, and the reason of a refusal."""
        method, path = route.split()
        names = {"game": self.game, "name": person.name, "word": "prime", "level": "1", "token": "0"}
        address = path.format_map(
            {
                **dict.fromkeys(
                    (
                        "job",
                        "match",
                        "challenge",
                        "lesson",
                        "step",
                        "trainer",
                        "card",
                        "variant",
                        "event",
                        "puzzle",
                        "source",
                        "link",
                    ),
                    "0",
                ),
                **names,
            }
        )
        body = BODIES.get(path.split("/")[-1], {}) if method == "POST" else None
        if path.startswith("/api/account/sign-"):
            body = {**(body or {}), "name": f"{person.name} {scope}"}  # tries are counted by name
        # Each token has an address of its own, whose rate all its requests are within.
        address_number = 16 * self.people.index(person) + list(person.tokens).index(scope) + 1
        headers = {
            "Authorization": f"Bearer {person.tokens[scope]}",
            "X-Forwarded-For": f"192.0.2.{address_number}",
        }
        with client.stream(method, address, json=body, headers=headers) as answer:
            if answer.is_success:
                return answer.status_code, ""
            answer.read()
            error = answer.json()["error"]
            return answer.status_code, str(error)


@pytest.fixture(scope="module")
def private(shared_server: Server) -> Table:
    return Table(shared_server)


def test_every_route_has_its_scopes_here(make_app: Callable[..., Any]) -> None:
    paths = make_app().openapi()["paths"]
    routes = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert routes == OPEN.keys()


@pytest.mark.broad
@pytest.mark.parametrize("number", [0, 1], ids=["a person", "a program"])
def test_a_token_opens_what_its_scope_says_and_nothing_else(private: Table, number: int) -> None:
    person = private.people[number]
    wrong = []
    with httpx.Client(base_url=private.url, timeout=60) as client:
        for route, scopes in OPEN.items():
            for scope in person.tokens:
                status, why = private.asked(client, route, person, scope)
                refused = status == 403 and (route.startswith("GET") or "token" in why)
                assert status != 401 or "password" in why, (route, scope, why)
                if (
                    refused != (scope not in person.opened(scopes))
                    or status == 500
                    or (status == 429 and "under way" not in why)
                ):
                    wrong.append((route, scope, status, why))
    assert wrong == []


def test_a_live_line_has_the_scopes_of_reading(private: Table) -> None:
    person = private.people[0]
    for scope, token in person.tokens.items():
        headers = {"Authorization": f"Bearer {token}"}
        url = f"{private.url.replace('http', 'ws')}/api/games/{private.game}/live"
        with connect(url, additional_headers=headers) as line:
            line.send('{"key": null}')
            if scope in person.opened(READ):
                assert json.loads(line.recv())["state"]["you"] == "X", scope
            else:
                with pytest.raises(ConnectionClosed, match="token"):
                    line.recv()
