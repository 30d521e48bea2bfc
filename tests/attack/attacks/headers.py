"""One unfinished header after the other, as large as the server takes them."""

from __future__ import annotations

from tests.attack.client import Target

MOST = 150 << 20
_PIECE = b"a" * 65_536


async def attack(target: Target) -> None:
    async def one(attacker: int) -> None:
        _, writer = await target.connect(attacker)
        try:
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
            for _ in range(MOST // len(_PIECE)):
                writer.write(_PIECE)
                await writer.drain()
                target.seen["64 KiB"] += 1
                if not target.goes_on:
                    return
        finally:
            writer.close()

    await target.flood(4, one)
