"""The processor time that the server takes for an action, without sockets and without other programs' clients.

    python benchmarks/action_cost.py
    python benchmarks/action_cost.py --against ../other-checkout
    python benchmarks/action_cost.py --profile
    python benchmarks/action_cost.py --calls

Serves games in this process, on SQLite, by the server's own protocols over transports that only note what is written.
Games of two people go on in turns, each side with a stream. All requests of a turn are made beforehand. Only the time
until the last answer and the last stream has been written counts (``time.process_time``, so that the writer's thread is
in it). Dice, keys and choices come from a seed, so that two checkouts, and all rounds, do the same in each turn: of
every turn the least time of all rounds counts. ``--against`` measures another checkout and this one in turn, each in
processes of its own. ``--calls`` counts calls of Python functions on the event loop instead, which does not depend on
what else the machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import json
import os
import pstats
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import uvicorn
from uvicorn.lifespan.on import LifespanOn
from uvicorn.server import ServerState

ROOT = Path(__file__).resolve().parents[1]
WARM = 10
"""Turns before the first that counts."""
SETTLED = 6
"""Turns of the loop without anything written, after which nothing is on its way."""


def seed_secrets(seed: int) -> None:
    """Make keys, ids and dice the same in every run; before anything of ours is imported."""
    chance = random.Random(seed)
    secrets.token_bytes = lambda size=32: chance.randbytes(size or 32)  # type: ignore[assignment]
    secrets.token_hex = lambda size=32: chance.randbytes(size or 32).hex()  # type: ignore[assignment]
    secrets.token_urlsafe = lambda size=32: chance.randbytes(size or 32).hex()[: size or 32]  # type: ignore[assignment]


class Wire(asyncio.Transport):
    """A transport that notes what is written to its client."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 5), "sockname": ("127.0.0.1", 8000)})
        self.written: list[bytes] = []
        self.protocol: asyncio.Protocol | None = None
        self._is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def close(self) -> None:
        self._is_closed = True
        self.written.append(b"")

    abort = close

    def is_closing(self) -> bool:
        return self._is_closed

    def is_reading(self) -> bool:
        return True

    def pause_reading(self) -> None:
        pass

    resume_reading = pause_reading

    def get_protocol(self) -> asyncio.Protocol | None:  # type: ignore[override]
        return self.protocol

    def take(self) -> bytes:
        """What has been written since the last time."""
        content = b"".join(self.written)
        self.written.clear()
        return content


@dataclass
class Side:
    """A player of one game, with a connection for requests and one for the stream."""

    game: str
    key: str
    chain: Any
    wire: Wire
    stream: Wire | None = None
    state: dict[str, Any] = field(default_factory=dict)

    def request(self, method: str, path: str, body: Any = None) -> bytes:
        data = b"" if body is None else orjson.dumps(body)
        lines = [f"{method} /api/games/{self.game}{path} HTTP/1.1", "Host: 127.0.0.1:8000"]
        lines += [f"Content-Length: {len(data)}", f"Authorization: Bearer {self.key}"]
        lines += ["Content-Type: application/json"] if data else []
        return "\r\n".join([*lines, "", ""]).encode() + data

    def read_stream(self) -> None:
        """Take over the last state of the stream."""
        assert self.stream is not None
        for line in self.stream.take().split(b"\n"):
            if line.startswith(b"{"):
                self.state = orjson.loads(line)["state"]


class Bench:
    """An application and its clients in one process."""

    def __init__(self, folder: str, games: int, turns: int) -> None:
        self._folder, self._games, self._turns = folder, games, turns
        self._chance = random.Random(7)
        self._wires: list[Wire] = []
        self.actions = 0

    async def run(self, begin: Callable[[], None], end: Callable[[], None]) -> None:
        """Play; ``begin`` and ``end`` are called around what counts."""
        from fullprime.web.connections import protocol
        from fullprime.web.connections.limits import UNLIMITED
        from fullprime.web.connections.protocol import HttpConnection
        from fullprime.web.connections.websocket import WebSocketConnection
        from fullprime.web.rate_limits import NO_LIMITS
        from fullprime.web.readiness import tune_garbage_collection
        from fullprime.web.server import create_app

        app = create_app(f"{self._folder}/games.db", limits=NO_LIMITS, connections=UNLIMITED)
        settings: dict[str, Any] = {"log_config": None, "log_level": "error", "access_log": False}
        settings["timeout_keep_alive"] = protocol._REST = 600.0  # clients that rest are not ended
        config = uvicorn.Config(app, http=HttpConnection, ws=WebSocketConnection, server_header=False, **settings)
        config.load()
        lifespan, state = LifespanOn(config), ServerState()
        await lifespan.startup()
        state.default_headers = [(b"date", b"Sun, 29 Nov 2026 12:00:00 GMT")]

        def connect() -> Wire:
            wire = Wire()
            wire.protocol = HttpConnection(config, state, lifespan.state)
            wire.protocol.connection_made(wire)
            self._wires.append(wire)
            return wire

        self._connect = connect
        tables = [await self._sit_down() for _ in range(self._games)]
        tune_garbage_collection()
        for _ in range(WARM):
            await self._take_turn(tables)
        gc.collect()
        self.actions = 0
        for _ in range(self._turns - WARM):
            await self._take_turn(tables, begin, end)
        for wire in self._wires:
            assert wire.protocol is not None
            wire.protocol.connection_lost(None)
        await lifespan.shutdown()

    async def _take_turn(
        self,
        tables: list[tuple[Side, Side]],
        begin: Callable[[], None] = lambda: None,
        end: Callable[[], None] = lambda: None,
    ) -> None:
        """One action, or link, in every game."""
        requests = [request for sides in tables for request in self._choose(sides)]
        begin()
        for side, data in requests:
            assert side.wire.protocol is not None
            side.wire.protocol.data_received(data)
        await self._settle([side.wire for side, _ in requests])
        end()
        self.actions += len(requests)
        for side, data in requests:
            answer = side.wire.take()
            assert b" 200 OK" in answer[:40], (data, answer)
        for sides in tables:
            for side in sides:
                side.read_stream()

    async def _ask(self, side: Side, method: str, path: str, body: Any) -> Any:
        assert side.wire.protocol is not None
        side.wire.protocol.data_received(side.request(method, path, body))
        await self._settle([side.wire])
        content = side.wire.take().split(b"\r\n\r\n", 1)[1]
        return orjson.loads(content) if content else None

    async def _settle(self, asked: list[Wire]) -> None:
        """Wait until all requests are answered and nothing more is written."""
        while not all(wire.written for wire in asked):  # noqa: ASYNC110 - the server knows of no event of ours
            await asyncio.sleep(0.0005)
        for _ in range(SETTLED):
            await asyncio.sleep(0)

    async def _sit_down(self) -> tuple[Side, Side]:
        from fullprime.rules.links import LinkChain, new_secret

        host = Side("", "", LinkChain(new_secret()), self._connect())
        rules = {"opponent": "friend", "name": "Ann", "rules": {"length": 0}}
        data = orjson.dumps(rules)
        head = f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nContent-Length: {len(data)}\r\n"
        assert host.wire.protocol is not None
        host.wire.protocol.data_received(f"{head}Content-Type: application/json\r\n\r\n".encode() + data)
        await self._settle([host.wire])
        created = orjson.loads(host.wire.take().split(b"\r\n\r\n", 1)[1])
        host.game, host.key = created["id"], created["key"]
        guest = Side(host.game, "", LinkChain(new_secret()), self._connect())
        joined = await self._ask(guest, "POST", "/join", {"invitation": created["invitation"], "name": "Bob"})
        guest.key = joined["key"]
        for side in (host, guest):
            await self._ask(side, "POST", "/seed", {"seed": side.chain.anchor, "links": True})
        for side in (host, guest):
            side.stream = self._connect()
            assert side.stream.protocol is not None
            side.stream.protocol.data_received(side.request("GET", "/stream?tree=false"))
            while not any(b'"state"' in part for part in side.stream.written):  # noqa: ASYNC110 - the same
                await asyncio.sleep(0.0005)
            side.read_stream()
        return host, guest

    def _choose(self, sides: tuple[Side, Side]) -> list[tuple[Side, bytes]]:
        """The next requests of a game: a link for each side that is awaited, or one action."""
        links = sides[0].state["links"]
        if links["awaits"]:
            number = links["number"]
            return [
                (side, side.request("POST", "/link", {"number": number, "link": side.chain.link(number)}))
                for name, side in zip("XO", sides, strict=True)
                if name in links["awaits"]
            ][:1]
        for side in sides:
            state = side.state
            words = [word for word in state["legal_actions"] if word not in ("resign", "drop", "double", "beaver")]
            if not words or (side is sides[1] and state["turn"] is None):
                continue
            line = words[0]
            if line == "move":
                line = self._chance.choice(state["plays"]) if state["plays"] else "no play"
            body = {"line": line, "sequence": state["sequence"]}
            if line == "roll":
                body["link"] = side.chain.link(state["links"]["number"])
            return [(side, side.request("POST", "/act", body))]
        return []


def measure(games: int, turns: int, how: str) -> dict[str, Any]:
    """The processor time of each turn in milliseconds, or calls of functions an action."""
    seed_secrets(1)
    times: list[float] = []
    on_loop: list[float] = []
    counts = {"calls": 0, "ours": 0}
    profile = cProfile.Profile(time.process_time) if how == "profile" else None
    ours = f"{os.sep}fullprime{os.sep}"

    def note(frame: Any, event: str, _argument: Any) -> None:
        if event == "call":
            counts["calls"] += 1
            counts["ours"] += ours in frame.f_code.co_filename

    def begin() -> None:
        if profile is not None:
            profile.enable()
        elif how == "calls":
            sys.setprofile(note)
        else:
            times.append(-time.process_time())
            on_loop.append(-time.thread_time())

    def end() -> None:
        if profile is not None:
            profile.disable()
        elif how == "calls":
            sys.setprofile(None)
        else:
            times[-1] += time.process_time()
            on_loop[-1] += time.thread_time()

    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, games, turns)
        asyncio.run(bench.run(begin, end))
    if profile is not None:
        pstats.Stats(profile).sort_stats("tottime").print_stats(70)
        pstats.Stats(profile).sort_stats("cumtime").print_stats(110)
        return {"actions": bench.actions}
    if how == "calls":
        return {"actions": bench.actions, **{name: count / bench.actions for name, count in counts.items()}}
    return {"actions": bench.actions, "turns": [1000 * seconds for seconds in times], "loop": 1000 * sum(on_loop)}


def run_apart(source: Path, arguments: argparse.Namespace, how: str) -> dict[str, Any]:
    """Measure a checkout in a process of its own."""
    command = [sys.executable, __file__, "--alone", how, "--games", str(arguments.games)]
    command += ["--turns", str(arguments.turns)]
    environment = {**os.environ, "PYTHONPATH": str(source / "src"), "PYTHONHASHSEED": "0"}
    answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    if how == "profile":
        print(answer)
        return {}
    figures: dict[str, Any] = json.loads(answer)
    return figures


def compare(sources: list[Path], arguments: argparse.Namespace) -> None:
    """Measure checkouts in turn, and print the milliseconds an action of each."""
    rounds: dict[Path, list[list[float]]] = {source: [] for source in sources}
    actions = 0
    for _ in range(arguments.rounds):
        for source in sources:
            figures = run_apart(source, arguments, "time")
            assert actions in (0, figures["actions"]), "they have not done the same"
            actions = figures["actions"]
            rounds[source].append(figures["turns"])
    least = {source: sum(map(min, zip(*turns, strict=True))) / actions for source, turns in rounds.items()}
    for source, turns in rounds.items():
        means = ", ".join(f"{sum(times) / actions:.3f}" for times in turns)
        print(f"{source.name}: {least[source]:.3f} ms an action, of {actions} ({means})")
    if len(sources) == 2:
        print(f"this one takes {least[sources[1]] / least[sources[0]]:.3f} of the other")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games at once (default 40)")
    parser.add_argument("--turns", type=int, default=50, help="actions of each game, of which ten do not count")
    parser.add_argument("--rounds", type=int, default=5, help="processes of each checkout (default 5)")
    parser.add_argument("--against", type=Path, help="another checkout, measured in turn with this one")
    parser.add_argument("--profile", action="store_true", help="print a profile of this checkout")
    parser.add_argument("--calls", action="store_true", help="count calls of functions instead of time")
    parser.add_argument("--alone", choices=("time", "profile", "calls"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    sources = [ROOT] if arguments.against is None else [arguments.against.resolve(), ROOT]
    if arguments.alone:
        print(json.dumps(measure(arguments.games, arguments.turns, arguments.alone)))
    elif arguments.profile:
        run_apart(ROOT, arguments, "profile")
    elif arguments.calls:
        for source in sources:
            print(f"{source.name}: {run_apart(source, arguments, 'calls')}")
    else:
        compare(sources, arguments)


if __name__ == "__main__":
    main()
