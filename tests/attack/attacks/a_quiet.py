"""No attack: the same measures, to compare with."""

from __future__ import annotations

import asyncio

from tests.attack.client import Target

WEIGHT = 0.5


async def attack(target: Target) -> None:
    await asyncio.sleep(target.seconds)
