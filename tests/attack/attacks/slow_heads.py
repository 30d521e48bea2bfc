"""Slow loris: heads that come a line a second, from many addresses."""

from __future__ import annotations

from tests.attack.client import Target

WEIGHT = 2.0
KEPT = 14.0


async def attack(target: Target) -> None:
    await target.drip(400, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-A: b\r\n")
