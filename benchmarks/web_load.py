"""How many live games one machine carries: bots at both sides of each game, moving every two seconds on average.

    python benchmarks/web_load.py --games 1000 --seconds 60 --workers 2
    python benchmarks/web_load.py --series

Starts a PostgreSQL server of its own (commits wait for the disk) and ``fullprime serve``, on this machine only, plays
for so long, tells what it measured, and ends everything it started. Each side of each game follows the game's stream
and chooses among the plays that the server names, without the tree that a board needs; the time to confirm is from
sending an action to having its answer, by which time it is stored. The throws need links of both sides (docs/dice.md),
and a link that is asked for by itself counts as an action; with ``--seeds`` the sides promise none. With ``--sqlite``
one process on SQLite is measured instead. ``--series`` measures one game, 100 and 1,000 on both databases with one
worker, as a table; ``--source`` is another checkout, so that an older server is measured by the same program.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import http.client
import multiprocessing
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as PipeEnd
from pathlib import Path
from typing import Any

import orjson

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests import postgres  # noqa: E402
from tests.attack.server import family  # noqa: E402

from fullprime.rules.links import LinkChain, new_secret  # noqa: E402

MOST_GAMES, MOST_SECONDS = 5000, 900
HOST = "127.0.0.1"
CONNECTIONS = 256
"""For the actions of all: enough that none waits for one. A player has a connection of his own."""


@dataclass
class Measures:
    """What the bots have seen."""

    confirmed: list[float] = field(default_factory=list)
    refused: int = 0
    games_over: int = 0
    links: int = 0

    def forget(self) -> None:
        """Begin anew."""
        self.confirmed.clear()
        self.refused = self.games_over = self.links = 0


class Connection:
    """HTTP/1.1 over one connection that stays open: as little as a client can do."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, key: str | None = None, body: Any = None) -> tuple[int, Any]:
        await self.send(method, path, key, body)
        assert self._reader is not None
        try:
            head = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        except (asyncio.IncompleteReadError, ConnectionError):
            # The server lets go of connections that rest; what is asked again does no harm, for it has its sequence.
            self.close()
            await self.send(method, path, key, body)
            head = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        content = await self._reader.readexactly(int(length[1])) if length else b""
        return int(head.split(" ", 2)[1]), orjson.loads(content) if content else None

    async def send(self, method: str, path: str, key: str | None, body: Any = None) -> None:
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(HOST, self._port, limit=1 << 20)
        data = b"" if body is None else orjson.dumps(body)
        lines = [f"{method} /api/games{path} HTTP/1.1", f"Host: {HOST}:{self._port}", f"Content-Length: {len(data)}"]
        lines += [f"Authorization: Bearer {key}"] if key else []
        lines += ["Content-Type: application/json"] if data else []
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + data)

    async def lines(self) -> Any:
        """The lines of a stream that has been asked for, chunk by chunk."""
        assert self._reader is not None
        await self._reader.readuntil(b"\r\n\r\n")
        left = b""
        while size := int((await self._reader.readline()) or b"0", 16):
            left += (await self._reader.readexactly(size + 2))[:-2]
            while b"\n" in left:
                line, left = left.split(b"\n", 1)
                if line.strip():
                    yield orjson.loads(line)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer = None


class Table:
    """One game and its two bots."""

    def __init__(
        self, port: int, number: int, pause: float, pool: asyncio.Queue[Connection], measures: Measures, links: bool
    ) -> None:
        self._port, self._pool, self._pause, self._measures = port, pool, pause, measures
        self._chains = {side: LinkChain(new_secret()) for side in "XO"} if links else {}
        self._answered = {"X": 0, "O": 0}
        self._chance = random.Random(number)
        self._keys: dict[str, str] = {}
        self._states: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
        self._done = self._latest = -1
        self._game = ""
        self.followers: list[asyncio.Task[None]] = []

    async def _ask(self, method: str, path: str, key: str | None = None, body: Any = None) -> tuple[int, Any]:
        connection = await self._pool.get()
        try:
            return await connection.ask(method, path, key, body)
        finally:
            self._pool.put_nowait(connection)

    async def sit_down(self) -> None:
        request = {"opponent": "friend", "name": "Ann", "rules": {"length": 0}}
        status, game = await self._ask("POST", "", None, request)
        assert status == 201, game
        self._game = f"/{game['id']}"
        _, joined = await self._ask(
            "POST", f"{self._game}/join", None, {"invitation": game["invitation"], "name": "Bob"}
        )
        self._keys = {"X": game["key"], "O": joined["key"]}
        for side, key in self._keys.items():
            chain = self._chains.get(side)
            body = {"seed": "ab"} if chain is None else {"seed": chain.anchor, "links": True}
            await self._ask("POST", f"{self._game}/seed", key, body)
            self.followers.append(asyncio.create_task(self._follow(side, key)))

    async def _follow(self, side: str, key: str) -> None:
        connection = Connection(self._port)
        try:
            await connection.send("GET", f"{self._game}/stream?tree=false", key)
            async for message in connection.lines():
                state = message["state"]
                await self._give_link(side, key, state["links"])
                self._latest = max(self._latest, state["sequence"])
                if state["status"] == "playing" and state["turn"] in (side, None) and (side == "X" or state["turn"]):
                    self._states.put_nowait((side, state))
        finally:
            connection.close()

    async def _give_link(self, side: str, key: str, links: dict[str, Any]) -> None:
        number = links["number"]
        if side in links["awaits"] and self._answered[side] < number:
            self._answered[side], begun = number, time.perf_counter()
            body = {"number": number, "link": self._chains[side].link(number)}
            status, _ = await self._ask("POST", f"{self._game}/link", key, body)
            self._measures.confirmed.append(time.perf_counter() - begun)
            self._measures.links += 1
            self._measures.refused += status != 200

    async def play(self, until: float) -> None:
        await asyncio.sleep(self._chance.uniform(0, self._pause))
        while time.monotonic() < until:
            try:
                side, state = await asyncio.wait_for(self._states.get(), max(0.1, until - time.monotonic()))
            except TimeoutError:
                return
            if state["sequence"] <= self._done or not self._states.empty():
                continue
            line = self._line(state)
            if line is None:
                continue
            await asyncio.sleep(self._chance.uniform(0.5, 1.5) * self._pause)
            # The two streams may tell in another order than it happened.
            if not self._states.empty() or state["sequence"] < self._latest:
                continue
            body = {"line": line, "sequence": state["sequence"]}
            if line == "roll" and self._chains:
                body["link"] = self._chains[side].link(state["links"]["number"])
            begun = time.perf_counter()
            status, _ = await self._ask("POST", f"{self._game}/act", self._keys[side], body)
            taken = time.perf_counter() - begun
            if status == 200:
                self._measures.confirmed.append(taken)
                self._done = state["sequence"] if line != "next" else self._done
            else:
                self._measures.refused += 1

    def _line(self, state: dict[str, Any]) -> str | None:
        if state["links"]["awaits"]:
            return None
        words = [word for word in state["legal_actions"] if word not in ("resign", "drop", "double", "beaver")]
        if not words:
            return None
        self._measures.games_over += words[0] == "next"
        if words[0] != "move":
            return str(words[0])
        return str(self._chance.choice(state["plays"])) if state["plays"] else "no play"


# -- the server -------------------------------------------------------------------------------------------------
@contextmanager
def serving(database: str, workers: int, source: Path) -> Iterator[tuple[int, int]]:
    """The port and the process of a server without limits."""
    command = [sys.executable, "-c", "from fullprime.cli.main import main; main()", "serve", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(source / "src")}
    process = subprocess.Popen(
        [*command, "--database", database, "--workers", str(workers), "--no-limits"],
        stdout=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        match = re.search(r"http://127\.0\.0\.1:(\d+)", process.stdout.readline())
        assert match is not None, "the server has not started"
        yield int(match[1]), process.pid
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


def processor_time(processes: list[int]) -> float:
    """Seconds of processor time that these have used, and those of their children that have ended."""
    total = 0
    for process in processes:
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def memory(processes: list[int]) -> float:
    """Their own memory in MiB, shared pages counted in parts."""
    total = 0
    for process in processes:
        try:
            match = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text(), re.MULTILINE)
        except OSError:
            continue
        total += int(match[1]) if match else 0
    return total / 1024


def postgres_processes(folder: str | None) -> list[int]:
    """The processes of the database server that keeps its data in that folder."""
    for path in Path("/proc").glob("[0-9]*/cmdline") if folder else ():
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith((b"postgres", b"postmaster")) and f"{folder}/data".encode() in words:
            return family(int(path.parent.name))
    return []


@dataclass(frozen=True)
class Load:
    """What was measured of some games that were played at once."""

    games: int
    seconds: float
    actions: int
    links: int
    """Actions that were links alone."""
    refused: int
    confirmed: tuple[float, float, float, float]
    """Milliseconds until an action is confirmed: the median, 90 %, 99 % and the longest."""
    processor: tuple[float, float, float]
    """Milliseconds of processor time an action: of the server, the database and the bots.

    The requests of the probe, twenty a second, are counted with the server's, and so is the API's document, which a
    server makes after its start: with few actions they weigh more than the game.
    """
    memory: tuple[float, float]
    """MiB of the server without games and at the end."""
    stall: float
    """Milliseconds of the longest answer to a client that asks for nothing but the server's health."""

    def __str__(self) -> str:
        median, most, nearly_all, longest = self.confirmed
        server, database, bots = self.processor
        empty, full = self.memory
        return "\n".join([
            f"{self.actions} actions in {self.seconds:.1f} s: {self.actions / self.seconds:.0f} a second",
            f"{self.links} of them links alone; {self.refused} refused",
            f"confirmed after (ms): median {median:.1f}, 90 % {most:.1f}, 99 % {nearly_all:.1f}, most {longest:.1f}",
            f"processor time an action (ms): server {server:.2f}, database {database:.2f}, bots {bots:.2f}",
            f"memory of the server: {empty:.0f} MiB empty, {full:.0f} MiB full: {self.memory_of_a_game:.0f} KiB a game",
            f"longest stall: {self.stall:.0f} ms",
            f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors",
        ])  # fmt: skip

    @property
    def memory_of_a_game(self) -> float:
        """KiB."""
        return 1024 * (self.memory[1] - self.memory[0]) / self.games


BETWEEN_PROBES = 0.05
"""Seconds: a longer stall of the server meets at least one request."""


def ask_for_health(port: int, seconds: float, longest: PipeEnd) -> None:
    """In a process of its own, so that nothing of the bots keeps it waiting: the longest answer, in milliseconds."""
    connection, most = http.client.HTTPConnection(HOST, port), 0.0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.perf_counter()
        connection.request("GET", "/api/health")
        connection.getresponse().read()
        most = max(most, time.perf_counter() - begun)
        time.sleep(BETWEEN_PROBES)
    longest.send(1000 * most)


async def measure(
    port: int, root: int, games: int, seconds: float, pause: float, links: bool, folder: str | None = None
) -> Load:
    """Play; ``root`` is the server's process and ``folder`` that of the database server."""
    measures = Measures()
    pool: asyncio.Queue[Connection] = asyncio.Queue()
    connections = [Connection(port) for _ in range(min(CONNECTIONS, games))]
    for connection in connections:
        pool.put_nowait(connection)
    server = family(root)
    empty = memory(server)
    tables = [Table(port, number, pause, pool, measures, links) for number in range(games)]
    begun = time.monotonic()
    for first in range(0, games, 32):
        await asyncio.gather(*(table.sit_down() for table in tables[first : first + 32]))
    print(f"{games} games begun in {time.monotonic() - begun:.1f} s", flush=True)
    measures.forget()  # the links of the first throws were given while games were still made
    # A collection in the process of all the bots stops them for 0.15 s, which would be counted as the server's.
    gc.collect()
    gc.disable()
    longest, sender = multiprocessing.Pipe(duplex=False)
    probe = multiprocessing.get_context("spawn").Process(target=ask_for_health, args=(port, seconds, sender))
    probe.start()
    before = [processor_time(processes) for processes in (server, postgres_processes(folder), [os.getpid()])]
    begun = time.monotonic()
    await asyncio.gather(*(table.play(begun + seconds) for table in tables))
    taken = time.monotonic() - begun
    after = [processor_time(processes) for processes in (server, postgres_processes(folder), [os.getpid()])]
    full = memory(server)
    stall = float(longest.recv())
    probe.join()
    gc.enable()
    for table in tables:
        for follower in table.followers:
            follower.cancel()
    for connection in connections:
        connection.close()
    times = sorted(delay * 1000 for delay in measures.confirmed)
    assert times, "nothing was confirmed"
    cuts = statistics.quantiles(times, n=100) if len(times) > 1 else times * 99
    used = [1000 * (now - was) / len(times) for was, now in zip(before, after, strict=True)]
    return Load(
        games, taken, len(times), measures.links, measures.refused,
        confirmed=(cuts[49], cuts[89], cuts[98], times[-1]),
        processor=(used[0], used[1], used[2]), memory=(empty, full), stall=stall,
    )  # fmt: skip


def play_games(
    games: int,
    seconds: float,
    pause: float,
    source: Path,
    *,
    workers: int = 1,
    sqlite: bool = False,
    links: bool = True,
) -> Load:
    """Start a server and its database, play, and end both."""
    if sqlite:
        with tempfile.TemporaryDirectory() as folder, serving(f"{folder}/games.db", 1, source) as (port, root):
            return asyncio.run(measure(port, root, games, seconds, pause, links))
    why_not = postgres.why_not()
    if why_not is not None:
        sys.exit(why_not)
    with postgres.server(durable=True) as url, serving(url.format("postgres"), workers, source) as (port, root):
        folder = url.partition("host=")[2]
        return asyncio.run(measure(port, root, games, seconds, pause, links, folder))


SERIES = ((1, 0.02), (100, 2.0), (1000, 2.0))
"""Games, and seconds between two actions of each: one game is played as fast as its bots can."""


def print_series(seconds: float, source: Path) -> None:
    """A row for each number of games and each database."""
    columns = (
        "games, database", "actions a second", "confirmed: median, 90 %, 99 %, most",
        "processor time an action: server, database, bots", "memory a game", "longest stall",
    )  # fmt: skip
    rows = [f"| {' | '.join(columns)} |", "|---|---|---|---|---|---|"]
    for sqlite in (True, False):
        for games, pause in SERIES:
            load = play_games(games, seconds, pause, source, sqlite=sqlite)
            confirmed = ", ".join(f"{time:.1f}" for time in load.confirmed)
            processor = ", ".join(f"{time:.2f}" for time in load.processor)
            rows.append(
                f"| {games}, {'SQLite' if sqlite else 'PostgreSQL'} | {load.actions / load.seconds:.0f} "
                f"| {confirmed} ms | {processor} ms | {load.memory_of_a_game:.0f} KiB | {load.stall:.0f} ms |"
            )
    print("\n".join(rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between two actions of a game, on average")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sqlite", action="store_true", help="one process on SQLite")
    parser.add_argument("--seeds", action="store_true", help="without links")
    parser.add_argument("--series", action="store_true", help="1, 100 and 1,000 games on both databases, as a table")
    parser.add_argument("--source", type=Path, default=ROOT, help="the checkout whose server is measured")
    options = parser.parse_args()
    if not (0 < options.games <= MOST_GAMES and 0 < options.seconds <= MOST_SECONDS and options.pause > 0):
        sys.exit(f"at most {MOST_GAMES} games and {MOST_SECONDS} seconds")
    if options.series:
        print_series(options.seconds, options.source.resolve())
        return
    print(
        play_games(
            options.games,
            options.seconds,
            options.pause,
            options.source.resolve(),
            workers=options.workers,
            sqlite=options.sqlite,
            links=not options.seeds,
        )
    )


if __name__ == "__main__":
    main()
