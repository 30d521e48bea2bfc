"""Streams with keys of one's own guest games, more than there are places; WebSockets that do not say whose they are.

Other players must get their live lines all the while, and other visitors their pages.
"""

from __future__ import annotations

import asyncio
from typing import Any

from tests.attack.client import HOST, Target, request

WEIGHT = 2.0
MEMORY = 192.0
ADDRESSES, GAMES = 16, 15
"""Attackers, and the games of each: with four lines a seat, more than there are places."""
_UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


async def _game(target: Target, attacker: int) -> tuple[str, dict[str, str]]:
    """A game of an attacker that has begun: its path, and the header with the key."""
    while target.goes_on:
        status, created = await target.ask(
            "POST", "/api/games", {"opponent": "bot", "bot": "heuristic"}, attacker=attacker
        )
        if status == 201:
            key = {"Authorization": f"Bearer {created['key']}"}
            await target.ask("POST", f"/api/games/{created['id']}/seed", {"seed": "ab"}, attacker=attacker, **key)
            return f"/api/games/{created['id']}", key
        await asyncio.sleep(0.5)
    raise ConnectionError


async def attack(target: Target) -> None:
    games: dict[int, tuple[str, dict[str, str]]] = {}

    async def stream(number: int) -> None:
        attacker, game = number % ADDRESSES, number % (ADDRESSES * GAMES)
        if game not in games:
            if number >= ADDRESSES * GAMES:
                await asyncio.sleep(0.5)
                return
            games[game] = await _game(target, attacker)
        path, key = games[game]
        reader, writer = await target.connect(attacker)
        try:
            writer.write(request(target.port, "GET", f"{path}/stream", **key))
            head = await reader.readline()
            target.seen[f"stream {head[9:12].decode('latin-1')}"] += 1
            await target.hold(reader)
        finally:
            writer.close()
        await target.rest(1)

    async def silent(number: int) -> None:
        reader, writer = await target.connect(number % ADDRESSES)
        try:
            writer.write(f"GET /api/games/x/live HTTP/1.1\r\nHost: {HOST}:{target.port}\r\n{_UPGRADE}".encode())
            await target.hold(reader)
        finally:
            writer.close()
        await target.rest(0.2)

    async def player(number: int) -> None:
        """One who plays: a new live line, a look at the game, and a visitor's page."""
        address = ADDRESSES + 1 + number
        path, key = await _game(target, address)
        while target.goes_on:
            await _line(target, address, path, key)
            for what, headers in ((path, key), ("/api/options", {})):
                status, answer = await target.ask("GET", what, attacker=address, timeout=10, **headers)
                assert status == 200 or target.left < 0, f"{what} was answered with {status}: {answer}"
            await asyncio.sleep(0.5)

    async def one(number: int) -> None:
        await (player(number) if number < 3 else silent(number) if number < 300 else stream(number - 300))

    await target.flood(1260, one)


async def _line(target: Target, address: int, path: str, key: dict[str, str]) -> None:
    reader: Any = None
    writer: Any = None
    try:
        async with asyncio.timeout(10):
            reader, writer = await target.connect(address)
            writer.write(request(target.port, "GET", f"{path}/stream", **key))
            head = await reader.readline()
        assert b" 200 " in head or target.left < 0, f"a player's live line was refused: {head!r}"
        target.seen["player's line"] += 1
    except (OSError, TimeoutError) as error:
        raise AssertionError("a player's live line was not answered") from error
    finally:
        if writer is not None:
            writer.close()
