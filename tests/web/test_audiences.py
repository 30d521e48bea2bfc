"""What the server sends of a game to each of its audiences: nothing of an event that is not for them, by any way."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Message
from tests.play.sessions import PRIVATE_WORDS, RandomSession, random_terms

from fullprime.play import off_board
from fullprime.play.commands import Say, SessionCommand
from fullprime.play.events import (
    EndOffered,
    LogEntry,
    LookChosen,
    RematchOffered,
    ResignationOffered,
    ResignationRefused,
    SessionEvent,
    is_in,
)
from fullprime.play.evolve import fold
from fullprime.play.server.handle import SessionHandle
from fullprime.play.server.rendering import render_log
from fullprime.play.server.view import SessionView
from fullprime.play.viewers import Viewer
from fullprime.web.rate_limits import NO_LIMITS
from fullprime.web.server import create_app
from fullprime.web.streams import encode_value

STEPS = 40
DOCUMENTS = ("", "/card", "/chat", "/dice", "/plies", "/proof", *(f"/record?format={name}" for name in ("mat", "json")))
"""Everything that is read of a game, below its address."""
PRESENCE = ("away", "back")
PLAYERS_ALONE = (ResignationOffered, ResignationRefused, EndOffered, RematchOffered, LookChosen)
"""Events that are for all, and move neither the board nor the dice: one day they might be for fewer."""
Keys = dict[Viewer, str | None]
"""The key of each seat; a spectator has none."""


@dataclass
class Served(RandomSession):
    """A session by chance that a server serves."""

    handle: SessionHandle = field(default=None)  # type: ignore[assignment]

    def give(self, command: SessionCommand, seat: Any, **options: Any) -> tuple[SessionEvent, ...]:
        """Have the server carry out a command."""
        self.handle.perform(command, seat, options.get("board_version"))
        self.session = self.handle.session
        return ()

    def play(self, steps: int) -> None:
        """Play on by chance, with much talk."""
        for _ in range(steps):
            self.step()
            if self.session.is_between_people and self.chance.random() < 0.3:
                self.give(Say(self.chance.choice(PRIVATE_WORDS)), self.chance.choice("XO"))


@dataclass
class Follower:
    """A reader of the stream or the WebSocket of a game, who keeps what comes."""

    app: Any
    path: str
    key: str | None
    frames: list[Any] = field(default_factory=list)
    _hello: list[Message] = field(default_factory=list)

    @property
    def events(self) -> list[Any]:
        """The events of all frames."""
        return [event for frame in self.frames for event in frame["events"]]

    async def follow(self) -> None:
        """Read until the task is cancelled."""
        is_socket = self.path.endswith("/live")
        headers = [(b"host", b"localhost")]
        if self.key is not None and not is_socket:
            headers.append((b"authorization", f"Bearer {self.key}".encode()))
        scope = {
            "path": self.path, "raw_path": self.path.encode(), "query_string": b"", "headers": headers,
            "root_path": "", "client": ("127.0.0.1", 5), "server": ("localhost", 80), "state": {},
        }  # fmt: skip
        if is_socket:
            scope |= {"type": "websocket", "scheme": "ws"}
            self._hello = [{"type": "websocket.connect"}]
            self._hello += [{"type": "websocket.receive", "text": json.dumps({"key": self.key})}]
        else:
            scope |= {"type": "http", "http_version": "1.1", "scheme": "http", "method": "GET"}
            self._hello = [{"type": "http.request", "body": b""}]
        await self.app(scope, self._receive, self._send)

    async def _receive(self) -> Message:
        if not self._hello:
            await asyncio.Event().wait()
        return self._hello.pop(0)

    async def _send(self, message: Message) -> None:
        sent = message.get("text") or message.get("body", b"").decode()
        self.frames += [json.loads(line) for line in sent.splitlines() if line]


def visible_log(log: tuple[LogEntry, ...], viewer: Viewer) -> list[LogEntry]:
    """The events that a viewer may know, numbered anew."""
    visible = [entry for entry in log if is_in(viewer, entry.event.audience)]
    return [replace(entry, sequence=number) for number, entry in enumerate(visible, 1)]


def expected(log: tuple[LogEntry, ...], viewer: Viewer) -> tuple[Any, Any]:
    """The state and the events of a session in which nothing but what a viewer may know has happened."""
    visible = visible_log(log, viewer)
    message = json.loads(encode_value(SessionView(fold(visible)).message(render_log(visible), viewer), "en"))
    return without_time(message["state"]), without_numbers(message["events"])


def without_time(state: Any) -> Any:
    """A state without what depends on the moment at which it is read."""
    return {name: value for name, value in state.items() if name != "away"}


def without_numbers(events: list[Any]) -> list[Any]:
    """Events without the numbers of lines of talk, and without the comings and goings, which no log has."""
    return [
        {name: value for name, value in event.items() if name != "number"}
        for event in events
        if event["kind"] not in PRESENCE
    ]


@asynccontextmanager
async def served(
    tmp_path: Path, seed: str, **terms: Any
) -> AsyncIterator[tuple[Any, Served, dict[Viewer, str | None]]]:
    """An application, a game on it between two people (or at one screen), and the keys of those who may see it."""
    app = create_app(str(tmp_path / "games.db"), limits=NO_LIMITS)
    chance = random.Random(seed)
    agreed = replace(random_terms(chance), rated=False, clock=None, **terms)
    async with app.router.lifespan_context(app):
        game_server = app.state.game_server
        opened = await game_server.service.open(agreed, ("Ann", "Bob"), ("human", "human"))
        handle = SessionHandle(game_server, opened.live)
        if opened.invitation is None:
            keys: Keys = {"both": opened.key, None: None}
        else:
            joined = await asyncio.to_thread(handle.join, opened.invitation, "Bob")
            keys = {"X": opened.key, "O": joined, None: None}
        yield app, Served(chance, handle.session, [], handle.live.secret, handle=handle), keys


async def check_audiences(tmp_path: Path, seed: str, **terms: Any) -> None:
    """Play a game by chance, and look at all that each audience gets of it."""
    async with served(tmp_path, seed, **terms) as (app, game, keys):
        path = f"/api/games/{game.handle.id}"
        ways = (f"{path}/stream", f"{path}/live")
        followers = {viewer: [Follower(app, way, key) for way in ways] for viewer, key in keys.items()}
        readers = [follower for both in followers.values() for follower in both]
        live = game.handle.live
        await until(lambda: live.take_snapshot(None).version == live.version)  # who is late is told of nothing earlier
        tasks = [asyncio.create_task(follower.follow()) for follower in readers]
        await until(lambda: all(follower.frames for follower in readers))
        await asyncio.to_thread(game.play, STEPS)
        log = await asyncio.to_thread(lambda: game.handle.log)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
            for viewer, key in keys.items():
                state, events = expected(log, viewer)
                for follower in followers[viewer]:
                    await until(lambda: len(without_numbers(follower.events)) >= len(events))  # noqa: B023
                    assert without_numbers(follower.events) == events
                    assert without_time(follower.frames[-1]["state"]) == state
                headers = {} if key is None else {"Authorization": f"Bearer {key}"}
                answers = {part: await client.get(path + part, headers=headers) for part in DOCUMENTS}
                read = answers[""].json()
                assert without_time(read["state"]) == state
                assert without_numbers(read["events"]) == events[-300:]
                sent = [json.dumps(follower.frames) for follower in followers[viewer]]
                sent += [answer.text for answer in answers.values()]
                hears = viewer is not None and any(is_talk(event) for event in events)
                assert [any(words in text for words in PRIVATE_WORDS) for text in sent[:2]] == [hears, hears]
                assert hears or not any(words in text for text in sent for words in PRIVATE_WORDS)
                assert not any('"audience"' in text or '"own"' in text for text in sent)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def is_talk(event: Any) -> bool:
    return bool(event["kind"] == "chat")


async def until(is_true: Any) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(120):
        while not is_true():  # noqa: ASYNC110 - what it waits for has no event
            await asyncio.sleep(0.005)


@pytest.fixture(autouse=True)
def much_talk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(off_board, "TALK_WITHIN", timedelta(0))


@pytest.mark.parametrize("seed", range(3))
def test_each_audience_gets_what_it_may_know_and_nothing_else(tmp_path: Path, seed: int) -> None:
    asyncio.run(check_audiences(tmp_path, f"audiences {seed}", opponent="friend", late=0))


def test_two_at_one_screen_and_who_watches_them(tmp_path: Path) -> None:
    asyncio.run(check_audiences(tmp_path, "one screen", opponent="screen", late=0))


def test_who_watches_late_gets_the_same_later(tmp_path: Path) -> None:
    asyncio.run(check_audiences(tmp_path, "late", opponent="friend", late=1))


@pytest.mark.parametrize("audience", ["players", "X"])
def test_an_event_that_is_no_longer_for_all_reaches_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, audience: str
) -> None:
    """The audience of its class is all that says so: its words, and what the state would show of it, stay away."""
    for kind in PLAYERS_ALONE:
        monkeypatch.setattr(kind, "audience", audience)
    asyncio.run(check_audiences(tmp_path, f"trial {audience}", opponent="friend", late=0))
