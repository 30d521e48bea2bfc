"""A lock of one game that is held for long: requests about that game wait in threads, and no other request does."""

from __future__ import annotations

import asyncio
import json
import threading
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message
from tests.web.test_guard import application

from fullprime.app.live.room import Room
from fullprime.store.people.people import Account

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
    "/api/board/game/{game}/seed": {"seed": "beef"},
    "/api/board/game/{game}/link": {"number": 1, "link": LINK},
    "/api/board/game/{game}/chain": {"number": 1, "anchor": LINK},
    "/api/board/game/{game}/act": {"line": "roll"},
    "/api/board/game/{game}/resign/{level}": {},
}
"""A body that each route takes, so that its code is reached."""
OTHERS = ("/openings/", "/api/openings/", "/library/")
"""Beginnings of paths in which ``game`` is no game that is played here."""


class WatchedLock:
    """A lock of a room that keeps where an event loop waited for it, and tells when a thread has to wait."""

    on_loop: list[str]

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.has_waiter = threading.Event()

    def acquire(self, blocking: bool = True) -> bool:
        if self._lock.acquire(blocking=False):
            is_had = True
        elif not blocking:
            return False
        else:
            is_had = False
        if blocking and asyncio._get_running_loop() is not None:
            WatchedLock.on_loop.append("".join(traceback.format_stack(limit=6)))
            if not is_had:
                raise AssertionError("the event loop would wait for the lock of a room")
        if not is_had:
            self.has_waiter.set()
            self._lock.acquire()
        return True

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


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
async def serving(tmp_path: Path) -> AsyncIterator[tuple[Any, Ask]]:
    app = application(tmp_path)
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

        yield app, ask


def routes_of_a_game(app: Any) -> list[tuple[str, str]]:
    found = []
    for route in app.routes:
        path = getattr(route, "path", "")
        if "{game}" in path and not path.startswith(OTHERS):
            methods = getattr(route, "methods", None) or {"WEBSOCKET"}
            found += [(method, path) for method in sorted(methods - {"HEAD"})]
    return found


def account(app: Any) -> tuple[Account, str]:
    """An account, and a token with which it plays."""
    people = app.state.people
    made = people.sign_up("Ann", "a long enough password")
    return made, people.new_token(made, "plays", ["board:play", "challenge:write"])[1]


def begun(app: Any, host: Account) -> tuple[Room, str]:
    """A game under way between an account and a guest, with the key of the account's seat."""
    lobby = app.state.lobby
    room, key, invitation = lobby.create(host, opponent="friend", name=host.name, automatic=False)
    lobby.join(room, None, invitation, "Guest")
    room.add_seed("X", "ab")
    room.add_seed("O", "cd")
    return room, key


async def _asks_while_held(ask: Ask, room: Room, request: Callable[[], Asked]) -> None:
    """Ask while a thread has the lock of a room; another request is answered before the thread lets go."""
    lock = room.lock
    assert isinstance(lock, WatchedLock)
    taken, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            taken.set()
            let_go.wait()

    lock.has_waiter.clear()
    holder = threading.Thread(target=hold)
    holder.start()
    try:
        await asyncio.to_thread(taken.wait)
        asked = request()
        waits = asyncio.create_task(asyncio.to_thread(lock.has_waiter.wait))
        begins = asyncio.create_task(asked.begun.wait())
        await asyncio.wait({waits, begins}, return_when=asyncio.FIRST_COMPLETED)
        other = ask("GET", "/api/clocks")
        await other.begun.wait()
        assert other.status == 200
        await other.end()
    finally:
        let_go.set()
        lock.has_waiter.set()
        await asyncio.to_thread(holder.join)
    await waits
    await begins
    await asked.end()


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every room a watched lock."""
    make = Room.__init__

    def make_watched(room: Room, *given: Any) -> None:
        make(room, *given)
        room.lock = WatchedLock()  # type: ignore[assignment]

    monkeypatch.setattr(Room, "__init__", make_watched)
    monkeypatch.setattr(WatchedLock, "on_loop", [], raising=False)


@pytest.mark.broad
@pytest.mark.usefixtures("watched")
def test_a_held_lock_of_a_game_delays_no_other_request(tmp_path: Path) -> None:
    async def every_route() -> list[str]:
        reached = []
        async with serving(tmp_path) as (app, ask):
            host, token = await asyncio.to_thread(account, app)
            for method, path in routes_of_a_game(app):
                body = BODIES[path] if method == "POST" else None
                room, key = await asyncio.to_thread(begun, app, host)
                where = path.replace("{game}", room.id).replace("{level}", "1")
                who = token if path.startswith("/api/board/") else key
                await _asks_while_held(ask, room, partial(ask, method, where, who, body))
                reached.append(path)
        return reached

    reached = asyncio.run(every_route())
    assert set(BODIES) <= set(reached)
    assert "/api/games/{game}/live" in reached
    assert WatchedLock.on_loop == []


@pytest.mark.usefixtures("watched")
def test_no_lock_of_a_game_is_taken_on_the_event_loop(tmp_path: Path) -> None:
    async def answered(asked: Asked, status: int) -> None:
        await asked.begun.wait()
        await asked.end()
        assert asked.status == status

    async def requests() -> None:
        async with serving(tmp_path) as (app, ask):
            host, token = await asyncio.to_thread(account, app)
            room, key = await asyncio.to_thread(begun, app, host)
            room.stale = True
            for path in (f"/api/games/{room.id}", f"/api/games/{room.id}/stream", f"/api/board/game/stream/{room.id}"):
                await answered(ask("GET", path, token if "board" in path else key), 200)
            await asyncio.to_thread(room.close, "X", "leave")
            await answered(ask("POST", f"/api/games/{room.id}/review", key, {"level": "fast"}), 202)
            await answered(ask("POST", "/api/lobby", token, {}), 201)

    asyncio.run(requests())
    assert WatchedLock.on_loop == []
