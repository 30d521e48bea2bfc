"""Bodies that come a byte a second."""

from __future__ import annotations

import asyncio
import time

from tests.attack.client import Target

WEIGHT = 2.5
KEPT = 24.0


async def attack(target: Target) -> None:
    async def one(attacker: int) -> None:
        begun = time.monotonic()
        reader, writer = await target.connect(attacker)
        try:
            writer.write(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n")
            while target.goes_on and not reader.at_eof():
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(1)
                target.longest = max(target.longest, time.monotonic() - begun)
        finally:
            writer.close()

    await target.flood(300, one)
