"""Large answers that are asked for again and again and not read."""

from __future__ import annotations

import asyncio

from tests.attack.client import Target, request


async def attack(target: Target) -> None:
    async def one(attacker: int) -> None:
        reader, writer = await target.connect(attacker)
        try:
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            while target.goes_on and not reader.at_eof():
                writer.write(request(target.port, "GET", "/api/openapi.json"))
                await writer.drain()
                target.seen["asked"] += 1
                await asyncio.sleep(0.1)
        finally:
            writer.close()

    await target.flood(100, one)
