"""Passwords tried from many addresses, at accounts that are there and that are not."""

from __future__ import annotations

from tests.attack.client import Target

MEMORY = 192.0


async def attack(target: Target) -> None:
    name = "owner15"
    await target.ask("POST", "/api/account/sign-up", {"name": name, "password": "a long enough password 15"})

    async def one(attacker: int) -> None:
        tried = {"name": name if attacker % 2 else f"nobody{attacker}", "password": f"wrong password {attacker}"}
        await target.ask("POST", "/api/account/sign-in", tried, attacker=attacker)

    await target.flood(60, one)
