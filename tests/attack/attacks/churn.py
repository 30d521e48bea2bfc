"""A day at a club, in little time: games against bots, analyses, reviews of files, pages; all of it sent by many."""

from __future__ import annotations

import asyncio
import random

from tests.attack.client import Target

WEIGHT = 3.0
MEMORY = 300.0
GROWTH = 48.0
"""MiB that may be missing when memory has come back."""
_MATCH = b""" 1 point match

 Game 1
 Ann : 0                            Bob : 0
  1) 31: 8/5 6/5                     42: 8/4 6/4
  2) 61: 13/7 8/7                    53: 8/3 6/3
  3) 65: 24/18 18/13                 64: 24/18 18/14
"""
_PAGES = ("/", "/lobby", "/analysis", "/docs", "/api/options", "/api/openapi.json", "/static/game/game.js", "/review")


async def attack(target: Target) -> None:
    async def one(visitor: int) -> None:
        chance = random.Random(visitor + len(target.seen))
        kind = visitor % 4
        if kind == 0:
            await target.ask("GET", chance.choice(_PAGES), attacker=visitor)
            await asyncio.sleep(0.2)
        elif kind == 1:
            await _play(target, visitor, chance)
        else:
            await _job(target, visitor, chance, upload=kind == 3)

    await target.flood(12, one)


async def _play(target: Target, visitor: int, chance: random.Random) -> None:
    status, created = await target.ask("POST", "/api/games", {"opponent": "bot", "bot": "heuristic"}, attacker=visitor)
    if status != 201:
        await asyncio.sleep(1)
        return
    key, path = {"Authorization": f"Bearer {created['key']}"}, f"/api/games/{created['id']}"
    await target.ask("POST", f"{path}/seed", {"seed": "ab"}, attacker=visitor, **key)
    for _ in range(20):
        _, answer = await target.ask("GET", path, attacker=visitor, **key)
        words = [word for word in answer["state"]["legal_actions"] if word not in ("resign", "drop")] if answer else []
        if not words or not target.goes_on:
            return
        line = words[0] if words[0] != "move" else chance.choice(answer["state"]["plays"] or ["no play"])
        await target.ask("POST", f"{path}/act", {"line": line}, attacker=visitor, **key)
        await asyncio.sleep(0.1)


async def _job(target: Target, visitor: int, chance: random.Random, *, upload: bool) -> None:
    if upload:
        path, body = "/api/reviews?name=a.mat&level=fast", _MATCH
    else:
        dice = [chance.randint(1, 6), chance.randint(1, 6)]
        path, body = "/api/analysis/jobs", {"kind": "analyse", "setup": {"dice": dice}, "level": "1-ply"}
    status, _ = await target.job(path, body, attacker=visitor)
    await asyncio.sleep(0.2 if status == 200 else 1)
