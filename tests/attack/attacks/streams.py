"""Streams that are asked for and not read: of a game that everybody may watch, and of the lobby."""

from __future__ import annotations

from tests.attack.client import Target, request

WEIGHT = 1.5


async def attack(target: Target) -> None:
    _, created = await target.ask("POST", "/api/games", {"opponent": "bot"})
    paths = [f"/api/games/{created['id']}/stream" if created else "/api/lobby/stream", "/api/lobby/stream"]

    async def one(attacker: int) -> None:
        reader, writer = await target.connect(attacker % 20)
        try:
            writer.write(request(target.port, "GET", paths[attacker % 2]))
            head = await reader.readline()
            target.seen[head[9:12].decode("latin-1") or "ended by the server"] += 1
            if b" 200 " in head:
                writer.transport.pause_reading()  # type: ignore[attr-defined]
                await target.rest(target.left)
        finally:
            writer.close()
        await target.rest(2)

    await target.flood(1100, one)
