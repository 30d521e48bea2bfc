"""What is no HTTP, hardly HTTP, or too much of it at once."""

from __future__ import annotations

import asyncio
import random

from tests.attack.client import Target

_GET = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
_SAID = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    b"GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /%00%ff%fe/..%2f..%2fetc HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nfffffffffffff\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nHTTP2-Settings: AA\r\n\r\n",
    b"GET /api/games/x/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"POST /api/games/x/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a:\r\n" * 9000 + b"\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    _GET * 5000,
)


async def attack(target: Target) -> None:
    chance = random.Random(1)

    async def one(attacker: int) -> None:
        data = chance.choice(_SAID)
        if chance.random() < 0.5:
            cut = bytearray(data[:2000])
            for _ in range(3):
                cut[chance.randrange(len(cut))] = chance.randrange(256)
            data = bytes(cut)
        reader, writer = await target.connect(attacker)
        try:
            writer.write(data)
            async with asyncio.timeout(1):
                head = await reader.readline()
            target.seen[head[9:12].decode("latin-1") or "ended by the server"] += 1
        except TimeoutError:
            target.seen["no answer in a second"] += 1
        finally:
            writer.close()

    await target.flood(30, one)
