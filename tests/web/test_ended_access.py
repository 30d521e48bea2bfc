"""Streams end with the right to them: with the session that was signed out, the token that was revoked, the account."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from tests.web.conftest import Server
from tests.web.people import PASSWORD, Browser, guest, person
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from fullprime.accounts.service import Accounts
from fullprime.web.routes.callers import COOKIE

NEWS = "/api/stream/event"
ENDINGS = {
    "signed out": ("/api/account/sign-out", {}),
    "signed out everywhere": ("/api/account/sign-out", {"everywhere": True}),
    "a new password elsewhere": ("/api/account/password", {"old": PASSWORD, "new": "another one"}),
    "removed": ("/api/account/remove", {"password": PASSWORD}),
}


def read_messages(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Read the messages of a stream until it ends."""
    return (json.loads(line) for line in lines if line)


def challenges(messages: Iterator[dict[str, Any]]) -> list[str]:
    """The names of those who challenge, until the stream ends or its first challenge comes."""
    return [message["challenge"]["name"] for message in messages if message["type"] == "challenge"][:1]


@contextmanager
def same_account(server: Server, ann: Browser) -> Iterator[Browser]:
    """Another browser in which that account is signed in; by the database, because signing in has a rate."""
    people = Accounts(str(server.database))
    with guest(server) as browser:
        browser.cookies.set(COOKIE, people.open_session(people.get_by_name(str(ann.name))), domain="127.0.0.1")
        people.close()
        yield browser


def begin(ann: Browser) -> str:
    """Begin a game at one screen, without spectators."""
    created = ann.asks("/api/games", {"opponent": "screen", "rules": {"length": 1}, "spectators": False})
    ann.seat(created["id"]).post("seed", {"seed": "ab"})
    return str(created["id"])


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=list(ENDINGS))
def test_streams_of_a_browser_end_with_its_session(shared_server: Server, ending: tuple[str, dict[str, Any]]) -> None:
    path, body = ending
    with person(shared_server) as ann, same_account(shared_server, ann) as there, ExitStack() as open_streams:
        game = begin(ann)
        streams = [
            open_streams.enter_context(there.stream("GET", address)).iter_lines()
            for address in (NEWS, f"/api/games/{game}/stream", f"/api/board/game/stream/{game}")
        ]
        first = [next(read_messages(lines)) for lines in streams]
        assert first[1]["state"]["you"] == "both"
        socket = open_streams.enter_context(
            connect(
                f"{shared_server.url.replace('http', 'ws')}/api/games/{game}/live",
                additional_headers={"Cookie": f"{COOKIE}={there.cookies[COOKIE]}"},
            )
        )
        socket.send('{"key": null}')
        assert json.loads(socket.recv())["state"]["you"] == "both"
        (there if path.endswith("sign-out") and not body else ann).asks(path, body)
        for lines in streams:
            assert list(read_messages(lines)) == []
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=60)


def test_what_is_signed_in_still_goes_on_being_told(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, same_account(shared_server, ann) as there:
        tokens = [
            ann.asks("/api/account/tokens", {"name": "a program", "scopes": ["challenge:read"]}) for _ in range(2)
        ]
        with ExitStack() as streams:

            def messages(headers: dict[str, str]) -> Iterator[dict[str, Any]]:
                program = streams.enter_context(guest(shared_server))
                return read_messages(streams.enter_context(program.stream("GET", NEWS, headers=headers)).iter_lines())

            kept, revoked = (messages({"Authorization": f"Bearer {token['token']}"}) for token in tokens)
            own, other = (messages({"Cookie": f"{COOKIE}={browser.cookies[COOKIE]}"}) for browser in (ann, there))
            ann.asks(f"/api/account/tokens/{tokens[1]['id']}/revoke")
            ann.asks("/api/account/password", {"old": PASSWORD, "new": "another one"})
            assert challenges(revoked) == challenges(other) == []
            bob.asks(f"/api/challenge/{ann.name}", {"rules": {"length": 1}})
            assert [next(stream)["challenge"]["name"] for stream in (kept, own)] == [bob.name] * 2
