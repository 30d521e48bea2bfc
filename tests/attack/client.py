"""As little HTTP as an attacker needs: raw connections from addresses of one's own choice."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

HOST = "127.0.0.1"
LOOPBACK = sys.platform == "linux"
"""On Linux all of 127.0.0.0/8 is this machine: each attacker has an address of its own."""
STRANGER = {"Via": "1.1 elsewhere"}
"""Headers of an attacker who is not the user of the server's machine, as everybody on it is without them."""
UNDER_WAY = 2.0
"""Seconds after the end of an attack in which what is under way may still be answered."""
_STATUS = re.compile(rb"HTTP/1\.1 (\d\d\d)")

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Target:
    """The server that is attacked, for so long."""

    port: int
    seconds: float
    seen: Counter[str] = field(default_factory=Counter)
    """Statuses of answers, and what became of connections."""
    longest: float = 0.0
    """The longest time for which the server let an attacker wait, or kept what it should not keep."""
    begun: float = field(default_factory=time.monotonic)
    poll_seconds: float = 0.3
    """Seconds between two questions about a job."""

    @property
    def goes_on(self) -> bool:
        """True until the time is up."""
        return self.left > 0

    @property
    def left(self) -> float:
        """Seconds left."""
        return self.begun + self.seconds - time.monotonic()

    async def connect(self, attacker: int = 1) -> Connection:
        """A connection from the address of an attacker, by its number."""
        source = f"127.0.{1 + attacker // 250}.{2 + attacker % 250}" if LOOPBACK else HOST
        return await asyncio.open_connection(HOST, self.port, local_addr=(source, 0), limit=1 << 22)

    async def ask(
        self, method: str, path: str, body: Any = None, *, attacker: int = 1, timeout: float = 30, **headers: str
    ) -> tuple[int, Any]:
        """One request on a connection of its own; (0, None) when no answer came."""
        writer = None
        try:
            async with asyncio.timeout(timeout):
                reader, writer = await self.connect(attacker)
                writer.write(request(self.port, method, path, body, **headers))
                status, content = await answer(reader)
        except (OSError, asyncio.IncompleteReadError, TimeoutError, asyncio.LimitOverrunError):
            status, content = 0, b""
        finally:
            if writer is not None:
                writer.close()
        self.seen[str(status) if status else "no answer"] += 1
        try:
            return status, json.loads(content)
        except ValueError:
            return status, None

    async def job(
        self, path: str, body: Any, *, attacker: int = 1, timeout: float = 30, **headers: str
    ) -> tuple[int, Any]:
        """Send what makes a job, and ask about it until it has ended or the time is up; the last answer."""
        status, job = await self.ask("POST", path, body, attacker=attacker, timeout=timeout, **headers)
        while self.goes_on and status in (200, 202) and job["state"] in ("waiting", "running"):
            await asyncio.sleep(self.poll_seconds)
            status, job = await self.ask("GET", f"/api/analysis/jobs/{job['id']}", attacker=attacker)
        if status in (200, 202):
            self.seen[f"job {job['state']}"] += 1
        return status, job

    async def cookie(self, path: str, body: Any, *, attacker: int = 1) -> str:
        """The cookies that an answer sets, as the value of a header; raises OSError without an answer."""
        reader, writer = await self.connect(attacker)
        try:
            writer.write(request(self.port, "POST", path, body))
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        finally:
            writer.close()
        return "; ".join(re.findall(r"^set-cookie: ([^;\r]+)", head, re.IGNORECASE | re.MULTILINE))

    async def hold(self, reader: asyncio.StreamReader) -> None:
        """Keep a connection, and read what comes, until the server ends it or the time is up."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, self.left)):
                while await reader.read(65_536):
                    pass

    async def rest(self, seconds: float) -> None:
        """Wait, and no longer than the time is up."""
        await asyncio.sleep(max(0.0, min(seconds, self.left)))

    async def drip(self, number: int, head: bytes, drop: bytes) -> None:
        """Begin so many requests at once with a head, each from an address of its own, and go on a drop a second."""

        async def one(attacker: int) -> None:
            begun = time.monotonic()
            reader, writer = await self.connect(attacker)
            try:
                writer.write(head)
                while self.goes_on and not reader.at_eof():
                    writer.write(drop)
                    await writer.drain()
                    await self.rest(1)
                    self.longest = max(self.longest, time.monotonic() - begun)
            finally:
                writer.close()

        await self.flood(number, one)

    async def flood(self, number: int, one: Any) -> None:
        """Do ``one(k)`` again and again, for so many k at once, until the time is up; what fails begins anew."""

        async def again(k: int) -> None:
            while self.goes_on:
                try:
                    await one(k)
                except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                    self.seen["ended by the server"] += 1
                    await asyncio.sleep(0.05)

        tasks = [asyncio.create_task(again(k)) for k in range(number)]
        _, unfinished = await asyncio.wait(tasks, timeout=max(0.0, self.left) + UNDER_WAY)
        for task in unfinished:
            task.cancel()
        faults = [error for task in tasks if task not in unfinished and (error := task.exception()) is not None]
        if faults:
            raise faults[0]


def request(port: int, method: str, path: str, body: Any = None, **headers: str) -> bytes:
    """The bytes of a request; underscores of a header's name stand for hyphens."""
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = {"Host": f"{HOST}:{port}", "Content-Length": str(len(data))}
    if data and not isinstance(body, bytes):
        lines["Content-Type"] = "application/json"
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + data


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The status and the content of an answer that says its length."""
    head = await reader.readuntil(b"\r\n\r\n")
    match = _STATUS.match(head)
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    content = await reader.readexactly(int(length[1])) if length else b""
    return int(match[1]) if match else 0, content


async def held(target: Target, reader: asyncio.StreamReader, since: float) -> None:
    """Wait until the server ends a connection; notes for how long it was kept."""
    try:
        async with asyncio.timeout(max(0.1, target.left)):
            data = await reader.read(65_536)
            match = _STATUS.match(data)
            target.seen[match[1].decode() if match else "ended by the server"] += 1
    except TimeoutError:
        target.seen["still open"] += 1
    except OSError:
        target.seen["ended by the server"] += 1
    target.longest = max(target.longest, time.monotonic() - since)
