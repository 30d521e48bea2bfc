"""Hints asked for by many visitors, behind a proxy, each at a game of its own against a bot."""

from __future__ import annotations

import asyncio
import random

from tests.attack.client import Target

WEIGHT = 2.0
VISITORS = 60
MEMORY = 192.0


async def attack(target: Target) -> None:
    chance = random.Random(5)

    async def one(visitor: int) -> None:
        options = {"opponent": "bot", "bot": "heuristic", "name": f"Visitor {visitor}"}
        status, created = await target.ask("POST", "/api/games", options, attacker=visitor)
        if status != 201:
            await asyncio.sleep(1)
            return
        key = {"Authorization": f"Bearer {created['key']}"}
        path = f"/api/games/{created['id']}"
        await target.ask("POST", f"{path}/seed", {"seed": "ab"}, attacker=visitor, **key)
        while target.goes_on:
            _, answer = await target.ask("GET", path, attacker=visitor, **key)
            state = answer["state"] if answer else {"legal_actions": []}
            words = [word for word in state["legal_actions"] if word not in ("resign", "drop", "double", "beaver")]
            if not words:
                return
            hints = (
                target.ask("POST", f"{path}/hint", {"level": "2-ply"}, attacker=visitor, **key)
                for _ in range(chance.randint(1, 12))
            )
            await asyncio.gather(*hints)
            line = words[0] if words[0] != "move" else chance.choice(state["plays"] or ["no play"])
            await target.ask("POST", f"{path}/act", {"line": line}, attacker=visitor, **key)

    await target.flood(VISITORS, one)
