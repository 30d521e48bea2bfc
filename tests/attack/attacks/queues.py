"""Shared queues (sign-in, new games, pages of strangers) filled by few addresses, with slow and with whole requests.

Visitors at other addresses must be served all the while.
"""

from __future__ import annotations

import asyncio

from tests.attack.client import UNDER_WAY, Target, answer, request

WEIGHT = 2.0
MEMORY = 192.0
CROWD = 3
"""Addresses of attackers; the visitors have others."""
_GUESS = {"name": "owner", "password": "a wrong password 15"}
_BOT = {"opponent": "bot", "bot": "heuristic"}


async def attack(target: Target) -> None:
    async def slow(attacker: int, path: str) -> None:
        _, writer = await target.connect(attacker % CROWD)
        try:
            head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{target.port}\r\nContent-Length: 9000\r\n"
            writer.write(head.encode() + b"Content-Type: application/json\r\n\r\n{")
            while target.goes_on:
                writer.write(b" ")
                await writer.drain()
                await target.rest(1)
        finally:
            writer.close()

    async def quick(attacker: int) -> None:
        reader, writer = await target.connect(attacker % CROWD)
        try:
            path, body = (("/api/account/sign-in", _GUESS), ("/api/games", _BOT))[attacker % 2]
            writer.write(request(target.port, "POST", path, body))
            status, _ = await answer(reader)
            target.seen[f"crowd {status}"] += 1
        finally:
            writer.close()
        await asyncio.sleep(0.05)

    async def visit(visitor: int) -> None:
        attacker = CROWD + 1 + visitor
        for method, path, body, expected in (
            ("POST", "/api/account/sign-in", {**_GUESS, "name": f"visitor{visitor}"}, (401,)),
            ("POST", "/api/games", _BOT, (201,)),
            ("GET", "/api/options", None, (200,)),
        ):
            status, _ = await target.ask(method, path, body, attacker=attacker)
            if target.left > -UNDER_WAY:
                assert status in (*expected, 429), f"a visitor's {method} {path} was answered with {status}"
        await target.rest(1)

    async def one(number: int) -> None:
        if number < 8:
            await visit(number)
        elif number < 100:
            await slow(number, ("/api/account/sign-in", "/api/games", "/api/lobby")[number % 3])
        else:
            await quick(number)

    await target.flood(150, one)
