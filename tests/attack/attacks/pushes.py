"""Push messages of guests, one each, to many services that never answer, and to made-up names below one domain.

A player whose push service answers must be told within seconds all the while.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from pathlib import Path
from typing import Any

from tests.attack.client import Target
from tests.attack.server import PUSH_HOSTS
from tests.web.pushing import PushedBrowser, PushServer, push_server

WEIGHT = 2.0
SLOW = 200
"""Services that take a connection and do not answer, at ports of several hosts."""
FIRST = 20
"""Messages that go to them before players are told again."""
WITHIN = 5.0
"""Seconds within which a player is told."""


async def attack(target: Target) -> None:
    slow = [socket.create_server((PUSH_HOSTS[1 + number % 2], 0)) for number in range(SLOW)]
    with push_server(Path(os.environ["ATTACK_FOLDER"])) as service:
        try:
            await _tell(target, service, 0)
            target.begun = time.monotonic()
            await target.flood(5, lambda number: _one(target, service, slow, number))
            await _tell(target, service, 0)
        finally:
            for deaf in slow:
                deaf.close()


async def _one(target: Target, service: PushServer, slow: list[socket.socket], number: int) -> None:
    if number == 0 and target.seen["slow"] < FIRST:
        await asyncio.sleep(0.1)
        return
    if number == 0:
        await _tell(target, service, 0)
        await asyncio.sleep(0.5)
        return
    host, port = slow[target.seen["slow"] % SLOW].getsockname()
    if target.seen["slow"] % 4 == 3:
        host, port = f"{target.seen['slow']}.made-up.example", 443
    browser = service.browser().json | {"endpoint": f"https://{host}:{port}/push/{target.seen['slow']}"}
    target.seen["slow"] += 1
    if not await _join(target, browser, number):
        await asyncio.sleep(0.5)


async def _tell(target: Target, service: PushServer, attacker: int) -> None:
    """Have a player told that somebody has joined; raises AssertionError when the message does not come."""
    phone = service.browser()
    if await _join(target, phone.json, attacker):
        assert await asyncio.to_thread(_comes, phone), f"a player was not told within {WITHIN:.0f} s"
        target.seen["told"] += 1


def _comes(phone: PushedBrowser) -> bool:
    with phone.changed:
        return phone.changed.wait_for(lambda: phone.tries > 0, WITHIN)


async def _join(target: Target, browser: dict[str, Any], attacker: int) -> bool:
    """A guest makes a game and asks to be told, and another guest joins it; False where the rates forbid it."""
    options = {"opponent": "friend", "name": "Ann", "rules": {"length": 3}}
    status, created = await target.ask("POST", "/api/games", options, attacker=10 + attacker)
    if status != 201:
        return False
    key = {"Authorization": f"Bearer {created['key']}"}
    subscription = {"browser": browser, "game": created["id"]}
    status, _ = await target.ask("POST", "/api/push/subscribe", subscription, attacker=10 + attacker, **key)
    joining = {"invitation": created["invitation"], "name": "Bob"}
    joined, _ = await target.ask("POST", f"/api/games/{created['id']}/join", joining, attacker=10 + attacker)
    return 200 <= status < 300 and 200 <= joined < 300
