"""A game that plays on while the server is attacked, and the times of its answers."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from tests.attack.client import Target, answer, request

_PAUSE = 0.1
"""Seconds between two requests."""
_AFRESH = 5
"""Every so many requests a player comes with a new connection, as a page that is opened."""
PLAYER = 240
"""The number of the players' address, which no attacker has."""


@dataclass(frozen=True)
class Asked:
    """A request of the players: when, how long until the answer, and its status (0 for none)."""

    at: float
    seconds: float
    status: int


@dataclass
class Probe:
    """Two people at a table. They play by chance, in a thread, until they are told to end."""

    port: int
    asked: list[Asked] = field(default_factory=list)
    actions: int = 0
    fault: str = ""
    _ended: threading.Event = field(default_factory=threading.Event)
    _ready: threading.Event = field(default_factory=threading.Event)

    def begin(self) -> None:
        """Sit down and play."""
        self._thread = threading.Thread(target=self._run, name="the game that plays on", daemon=True)
        self._thread.start()
        assert self._ready.wait(60), "the players cannot sit down"

    def end(self) -> None:
        """Get up."""
        self._ended.set()
        self._thread.join(60)

    def between(self, begin: float, end: float) -> list[Asked]:
        """The requests that were begun in that time."""
        return [request for request in list(self.asked) if begin <= request.at < end]

    def _run(self) -> None:
        try:
            asyncio.run(self._play())
        except Exception as error:  # noqa: BLE001 - told in the table
            self.fault = repr(error)
            self._ready.set()

    async def _play(self) -> None:
        people = [_Player(self), _Player(self)]
        created = await people[0].ask("POST", "", {"opponent": "friend", "name": "Ann", "rules": {"length": 0}})
        game = f"/{created['id']}"
        joined = await people[1].ask("POST", f"{game}/join", {"invitation": created["invitation"], "name": "Bob"})
        for person, key in zip(people, (created["key"], joined["key"]), strict=True):
            person.key = key
            await person.ask("POST", f"{game}/seed", {"seed": "ab"})
        chance = random.Random(15)
        self.asked.clear()
        self._ready.set()
        while not self._ended.is_set():
            for person in people:
                answer = await person.ask("GET", game)
                await asyncio.sleep(_PAUSE)
                line = None if answer is None else _line(answer["state"], chance)
                if line is not None:
                    acted = await person.ask(
                        "POST", f"{game}/act", {"line": line, "sequence": answer["state"]["sequence"]}
                    )
                    self.actions += acted is not None
                    await asyncio.sleep(_PAUSE)


class _Player:
    def __init__(self, probe: Probe) -> None:
        self._probe, self._target = probe, Target(probe.port, 1e9)
        self._open: Any = None
        self._number = 0
        self.key = ""

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask, and note how long it took; None if it was refused or not answered."""
        import json

        self._number += 1
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        sent = request(self._probe.port, method, f"/api/games{path}", body, **headers)
        begun, status, content = time.monotonic(), 0, b""
        try:
            async with asyncio.timeout(20):
                if self._open is not None and self._number % _AFRESH == 0:
                    self._close()
                if self._open is None:
                    self._open = await self._target.connect(PLAYER)
                self._open[1].write(sent)
                status, content = await answer(self._open[0])
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            self._close()
        self._probe.asked.append(Asked(begun, time.monotonic() - begun, status))
        return json.loads(content) if 200 <= status < 300 and content else None

    def _close(self) -> None:
        if self._open is not None:
            self._open[1].close()
            self._open = None


def _line(state: dict[str, Any], chance: random.Random) -> str | None:
    words = [word for word in state["legal_actions"] if word not in ("resign", "drop", "double", "beaver")]
    if not words:
        return None
    if words[0] != "move":
        return str(words[0])
    return str(chance.choice(state["plays"])) if state["plays"] else "no play"
