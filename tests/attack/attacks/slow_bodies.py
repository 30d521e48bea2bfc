"""Bodies that come a byte a second."""

from __future__ import annotations

from tests.attack.client import Target

WEIGHT = 2.5
KEPT = 24.0


async def attack(target: Target) -> None:
    await target.drip(300, b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n", b" ")
