"""Challenges of guests, for as long as they may stand: one visitor, and then many, would fill the lobby."""

from __future__ import annotations

from tests.attack.client import Target

MEMORY = 192.0
_ONE = 700
"""The attacker that comes from one address alone."""
_HONEST = 701
_WEEK = 7 * 24 * 60
_ASKED = {"name": "Filler", "rules": {"length": 1}}


async def attack(target: Target) -> None:
    status, _ = await target.ask("POST", "/api/lobby", {**_ASKED, "minutes": _WEEK}, attacker=_ONE)
    assert status == 400, f"a guest's challenge stands for a week: {status}"
    await target.flood(8, lambda _: _challenge(target, _ONE))
    _, listed = await target.ask("GET", "/api/lobby")
    stands = sum(challenge["name"] == "Filler" for challenge in listed["challenges"])
    assert stands <= 10, f"{stands} challenges of one address"
    status, created = await target.ask("POST", "/api/lobby", {**_ASKED, "name": "Honest"}, attacker=_HONEST)
    assert status == 201, f"the lobby is closed to others: {status} {created}"


async def _challenge(target: Target, attacker: int) -> None:
    await target.ask("POST", "/api/lobby", {**_ASKED, "minutes": 60}, attacker=attacker)
