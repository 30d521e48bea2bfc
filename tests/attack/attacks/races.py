"""Limits met by many requests at once: tokens of an account, and rated matches that it aborts."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.attack.client import Target

WEIGHT = 2.0
MEMORY = 192.0
_TOKENS, _TOO_MANY = 20, 30
_ABORTS, _MATCHES = 3, 9
_ASKED = {"rated": True, "clock": "usbgf", "rules": {"length": 3}, "automatic": False}


async def attack(target: Target) -> None:
    host, guest = await _account(target, 1), await _account(target, 2)
    wanted = {"name": "at once", "scopes": ["games:read"]}
    statuses = await _at_once(
        target.ask("POST", "/api/account/tokens", wanted, attacker=number, **host) for number in range(_TOO_MANY)
    )
    _check("tokens", statuses.count(201), _TOKENS)
    matches = [await _match(target, host, guest) for _ in range(_MATCHES)]
    aborted = await _at_once(
        target.ask("POST", f"/api/games/{game}/close", {"how": "abort"}, attacker=number, Authorization=f"Bearer {key}")
        for number, (game, key) in enumerate(matches)
    )
    _check("aborts", aborted.count(204), _ABORTS)


def _check(subject: str, done: int, most: int) -> None:
    if not 0 < done <= most:
        raise AssertionError(f"{done} {subject} at once, where {most} are allowed")


async def _at_once(requests: Any) -> list[int]:
    return [status for status, _ in await asyncio.gather(*requests)]


async def _account(target: Target, number: int) -> dict[str, str]:
    who = {"name": f"racer{number}", "password": "a long enough password 33"}
    status, _ = await target.ask("POST", "/api/account/sign-up", who, attacker=200 + number)
    assert status == 201, f"no account: {status}"
    return {"Cookie": await target.cookie("/api/account/sign-in", who, attacker=200 + number)}


async def _match(target: Target, host: dict[str, str], guest: dict[str, str]) -> tuple[str, str]:
    """A rated match that has begun, and the key of its host."""
    status, created = await target.ask("POST", "/api/lobby", _ASKED, attacker=201, **host)
    assert status == 201, f"no challenge: {status} {created}"
    path = f"/api/challenge/{created['challenge']['id']}/accept"
    _, accepted = await target.ask("POST", path, {}, attacker=202, **guest)
    for key, seed in ((created["key"], "ab"), (accepted["key"], "cd")):
        path = f"/api/games/{accepted['game']}/seed"
        await target.ask("POST", path, {"seed": seed}, attacker=201, Authorization=f"Bearer {key}")
    return accepted["game"], created["key"]
