"""New accounts that fill their libraries: one of a day keeps little, however much it sends."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from tests.attack.client import Target

WEIGHT = 2.0
MEMORY = 256.0
_MOST = 32 << 20
"""Bytes that a library keeps on the first day of its account."""
_PADDING = (b"; " + b"a" * 1_500 + b"\n") * 4_900


async def attack(target: Target) -> None:
    accounts = [await _account(target, number) for number in range(2)]
    counts: Counter[int] = Counter()
    sent: Counter[int] = Counter()

    async def one(attacker: int) -> None:
        sent[attacker] += 1
        text = f"\n 1 point match\n\n Game 1\n A{attacker}-{sent[attacker]} : 0   B : 0\n  1) 31: 8/5 6/5   Drops\n"
        data = _PADDING + text.encode()
        path, who = "/api/library/files?name=a.mat", accounts[attacker]
        status, job = await target.job(path, data, attacker=215 + attacker, timeout=60, **who)
        result: Any = job["result"] if status in (200, 202) and job["state"] == "done" else None
        for file in [] if result is None else result["files"]:
            target.seen[file["status"]] += 1
            counts[attacker] += len(data) if file["status"] == "new" else 0
        if status == 429:
            await asyncio.sleep(0.5)

    await target.flood(len(accounts), one)
    if max(counts.values(), default=0) > _MOST:
        raise AssertionError(f"an account of a day keeps {max(counts.values())} bytes")


async def _account(target: Target, number: int) -> dict[str, str]:
    who = {"name": f"hoarder{number}", "password": "a long enough password 33"}
    status, _ = await target.ask("POST", "/api/account/sign-up", who, attacker=215 + number)
    assert status == 201, f"no account: {status}"
    return {"Cookie": await target.cookie("/api/account/sign-in", who, attacker=215 + number)}
