"""1,100 requests that are begun and not finished, from a few addresses; what the server ends is begun anew."""

from __future__ import annotations

import asyncio
import time

from tests.attack.client import Target, held

WEIGHT = 2.5
KEPT = 14.0
"""Seconds for which the server keeps such a connection at most."""


async def attack(target: Target) -> None:
    async def one(attacker: int) -> None:
        begun = time.monotonic()
        async with asyncio.timeout(10):
            reader, writer = await target.connect(attacker % 8)
        try:
            writer.write(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Le")
            await held(target, reader, begun)
        finally:
            writer.close()
        await target.rest(0.5)

    await target.flood(1100, one)
