"""A session that is held for long: requests about it wait, no other request does, and the event loop never waits.

A request that asked the database on the event loop, or called a method that is for other threads, would keep every
other one waiting.
"""

from __future__ import annotations

import asyncio
import json
import threading
import traceback
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event
from starlette.types import Message
from tests.web.test_guard import application

from fullprime.accounts.store.accounts import Account
from fullprime.common.refusals import Refusal
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle

LINK = "ab" * 32
BODIES: dict[str, dict[str, Any]] = {
    "/api/games/{game}/join": {"invitation": "none", "name": "Cid"},
    "/api/games/{game}/seed": {"seed": "beef"},
    "/api/games/{game}/act": {"line": "roll"},
    "/api/games/{game}/close": {"how": "end"},
    "/api/games/{game}/takeback": {},
    "/api/games/{game}/hint": {"level": "0-ply"},
    "/api/games/{game}/meaning": {"line": "roll"},
    "/api/games/{game}/judge": {"line": "roll", "level": "0-ply"},
    "/api/games/{game}/look": {"colour": "light", "home": "right"},
    "/api/games/{game}/link": {"number": 1, "link": LINK},
    "/api/games/{game}/chain": {"number": 1, "anchor": LINK},
    "/api/games/{game}/claim": {},
    "/api/games/{game}/chat": {"phrase": "hi"},
    "/api/games/{game}/report": {"reason": "none"},
    "/api/games/{game}/rematch": {},
    "/api/games/{game}/review": {"level": "fast"},
    "/api/lobby/seek/{game}/renew": {},
    "/api/board/game/{game}/seed": {"seed": "beef"},
    "/api/board/game/{game}/link": {"number": 1, "link": LINK},
    "/api/board/game/{game}/chain": {"number": 1, "anchor": LINK},
    "/api/board/game/{game}/act": {"line": "roll"},
    "/api/board/game/{game}/resign/{level}": {},
}
"""A body that each route takes, so that its code is reached."""
OTHERS = ("/openings/", "/api/openings/", "/library/")
"""Beginnings of paths in which ``game`` is no game that is played here."""


class Asked:
    """A request to the application, which its asker gives up when told to."""

    def __init__(self, app: Any, scope: dict[str, Any], first: list[Message]) -> None:
        self._app, self._scope, self._first = app, scope, first
        self._gives_up = asyncio.Event()
        self.status: int | None = None
        self.begun = asyncio.Event()
        self.task = asyncio.create_task(self._ask())

    async def _ask(self) -> None:
        try:
            await self._app(self._scope, self._receive, self._send)
        finally:
            self.begun.set()

    async def _receive(self) -> Message:
        if self._first:
            return self._first.pop(0)
        await self._gives_up.wait()
        kind = self._scope["type"]
        return {"type": f"{kind}.disconnect", **({"code": 1000} if kind == "websocket" else {})}

    async def _send(self, message: Message) -> None:
        self.status = message.get("status", self.status)
        if message["type"] in ("http.response.body", "websocket.send", "websocket.close"):
            self.begun.set()

    async def end(self) -> None:
        """Give up, and wait until the application is done with it."""
        self._gives_up.set()
        await self.task


Ask = Callable[..., Asked]


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[Ask]:
    async with app.router.lifespan_context(app) as state:

        def ask(method: str, path: str, key: str | None = None, body: dict[str, Any] | None = None) -> Asked:
            sent = b"" if body is None else json.dumps(body).encode()
            headers = [(b"host", b"localhost"), (b"content-length", str(len(sent)).encode())]
            headers += [(b"content-type", b"application/json")] * (body is not None)
            headers += [(b"authorization", f"Bearer {key}".encode())] * (key is not None)
            about = {"path": path, "raw_path": path.encode(), "query_string": b"", "headers": headers}
            common = {**about, "root_path": "", "client": ("127.0.0.1", 5), "server": ("localhost", 80)}
            common["state"] = dict(state)
            if method == "WEBSOCKET":
                hello = {"type": "websocket.receive", "text": json.dumps({"key": key})}
                scope = {"type": "websocket", "scheme": "ws", **common}
                return Asked(app, scope, [{"type": "websocket.connect"}, hello])
            scope = {"type": "http", "http_version": "1.1", "scheme": "http", "method": method, **common}
            return Asked(app, scope, [{"type": "http.request", "body": sent}])

        yield ask


def routes_of_a_game(app: Any) -> list[tuple[str, str]]:
    answers = []
    for route in app.routes:
        path = getattr(route, "path", "")
        if "{game}" in path and not path.startswith(OTHERS):
            methods = getattr(route, "methods", None) or {"WEBSOCKET"}
            answers += [(method, path) for method in sorted(methods - {"HEAD"})]
    return answers


def account(app: Any) -> tuple[Account, str]:
    """An account, and a token with which it plays."""
    people = app.state.accounts
    account = people.sign_up("Ann", "a long enough password")
    return account, people.create_token(account, "plays", ["board:play", "challenge:write"])[1]


def begun(app: Any, host: Account) -> tuple[SessionHandle, str]:
    """A game under way between an account and a guest, with the key of the account's seat."""
    lobby = app.state.lobby
    handle, key, invitation = lobby.create_session(host, opponent="friend", name=host.name, automatic=False)
    lobby.join(handle, None, invitation, "Guest")
    handle.add_seed("X", "ab")
    handle.add_seed("O", "cd")
    return handle, key


async def _asks_while_held(ask: Ask, handle: SessionHandle, request: Callable[[], Asked]) -> None:
    """Ask while the session of a room is held; another request is answered before it is let go."""
    async with handle.live.lock:
        request_sent = request()
        other = ask("GET", "/api/clocks")
        await other.begun.wait()
        assert other.status == 200
        await other.end()
    await request_sent.begun.wait()
    await request_sent.end()


@pytest.fixture
def waits_on_loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The places at which an event loop has waited: for the database, or for itself."""
    waits: list[str] = []

    def is_on_loop() -> bool:
        if asyncio._get_running_loop() is None:
            return False
        waits.append("".join(traceback.format_stack(limit=12)))
        return True

    def watch(*_given: Any) -> None:
        is_on_loop()

    call = GameServer.call

    def watched_call(game_server: GameServer, work: Coroutine[Any, Any, Any]) -> Any:
        if is_on_loop():
            work.close()
            raise AssertionError("the event loop would wait for itself")
        return call(game_server, work)

    monkeypatch.setattr(GameServer, "call", watched_call)
    event.listen(Engine, "before_cursor_execute", watch)
    yield waits
    event.remove(Engine, "before_cursor_execute", watch)


SOME = ("/api/games/{game}", "/api/games/{game}/act", "/api/games/{game}/live", "/api/board/game/{game}/seed")
"""A few of the routes of a game: one of each kind."""


@pytest.mark.parametrize("paths", [SOME, pytest.param((), marks=pytest.mark.broad)], ids=["some", "all"])
def test_a_held_session_delays_no_other_request(
    tmp_path: Path, waits_on_loop: list[str], paths: tuple[str, ...]
) -> None:
    app = application(tmp_path)

    async def ask_all() -> set[str]:
        reached = set()
        async with serving(app) as ask:
            host, token = await asyncio.to_thread(account, app)
            for method, path in routes_of_a_game(app):
                if paths and path not in paths:
                    continue
                body = BODIES[path] if method == "POST" else None
                handle, key = await asyncio.to_thread(begun, app, host)
                where = path.replace("{game}", handle.id).replace("{level}", "1")
                who = token if path.startswith("/api/board/") else key
                await _asks_while_held(ask, handle, partial(ask, method, where, who, body))
                reached.add(path)
        return reached

    assert asyncio.run(ask_all()) >= set(paths or (*BODIES, "/api/games/{game}/live"))
    assert waits_on_loop == []


def test_the_event_loop_does_not_wait_for_the_database(tmp_path: Path, waits_on_loop: list[str]) -> None:
    app = application(tmp_path)

    async def answered(request_sent: Asked, status: int) -> None:
        await request_sent.begun.wait()
        await request_sent.end()
        assert request_sent.status == status

    async def requests() -> None:
        async with serving(app) as ask:
            host, token = await asyncio.to_thread(account, app)
            handle, key = await asyncio.to_thread(begun, app, host)
            handle.live.is_behind = True
            for path in (
                f"/api/games/{handle.id}",
                f"/api/games/{handle.id}/stream",
                f"/api/board/game/stream/{handle.id}",
            ):
                await answered(ask("GET", path, token if "board" in path else key), 200)
            await asyncio.to_thread(handle.close, "X", "leave")
            await answered(ask("POST", f"/api/games/{handle.id}/review", key, {"level": "fast"}), 202)
            await answered(ask("POST", "/api/lobby", token, {}), 201)

    asyncio.run(requests())
    assert waits_on_loop == []


def test_one_address_that_reads_whole_games_leaves_the_threads_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To follow a long game takes seconds: forty proofs of it at once took all threads, and nobody else had one."""
    app, reading, go_on = application(tmp_path), list[str](), threading.Event()

    def whole(name: str) -> property:
        def read(_handle: SessionHandle) -> Any:
            reading.append(name)
            go_on.wait(60)
            raise Refusal("that is enough", "missing")

        return property(read)

    for name in ("proof", "dice", "plies", "card", "log"):
        monkeypatch.setattr(SessionHandle, name, whole(name))
    monkeypatch.setattr(SessionHandle, "record", lambda handle, _format: whole("record").__get__(handle))
    ways = [("GET", path, None) for path in ("proof", "dice", "plies", "card", "record", "chat")]
    ways += [("POST", "report", {"reason": "none"})]

    async def read() -> None:
        async with serving(app) as ask:
            host, _ = await asyncio.to_thread(account, app)
            handle, key = await asyncio.to_thread(begun, app, host)
            readings = [ask(method, f"/api/games/{handle.id}/{path}", key, body) for method, path, body in 7 * ways]
            while not reading:  # noqa: ASYNC110 - a thread is what begins
                await asyncio.sleep(0.001)
            other = ask("GET", "/api/lobby")
            await other.begun.wait()
            assert (other.status, len(reading)) == (200, 1)
            go_on.set()
            for request in (*readings, other):
                await request.begun.wait()
                await request.end()
            assert {request.status for request in readings} == {404}

    asyncio.run(read())
    assert len(reading) == 7 * len(ways)
    assert set(reading) == {"proof", "dice", "plies", "card", "record", "log"}
