"""Offers to resign, refused and made again, to gain time for one player or to take it from the other."""

from __future__ import annotations

from itertools import cycle
from typing import Any

from tests.attack.client import Target

_LEVELS = cycle("ngb")
_OFFERS = 13
"""In each turn, of which three are an offer of a level that has not been made."""
_TURNS = 4


async def attack(target: Target) -> None:
    options = {"opponent": "friend", "clock": "5+600", "rules": {"length": 5}}
    status, created = await target.ask("POST", "/api/games", options)
    assert status == 201, f"no game: {status} {created}"
    path, invited = f"/api/games/{created['id']}", {"invitation": created["invitation"], "name": "Victim"}
    _, joined = await target.ask("POST", f"{path}/join", invited, attacker=1)
    keys = {"X": created["key"], "O": joined["key"]}
    for key, seed in zip(keys.values(), ("ab", "cd"), strict=True):
        await _post(target, path, key, "seed", {"seed": seed})
    for _ in range(_TURNS):
        if not target.goes_on:
            break
        before = await _state(target, path, keys["X"])
        thinker, other = keys[before["turn"]], keys["O" if before["turn"] == "X" else "X"]
        for _ in range(_OFFERS):
            taken = await _post(target, path, thinker, "act", {"line": f"resign {next(_LEVELS)}"}) == 200
            target.seen["offers"] += taken
            await _post(target, path, other, "act", {"line": "refuse"})
        now = await _state(target, path, thinker)
        if now["clock"] != before["clock"]:
            raise AssertionError(f"offers changed the clock from {before['clock']} to {now['clock']}")
        await _post(target, path, thinker, "act", {"line": (now.get("plays") or ["roll"])[0]})
    assert target.seen["offers"], "no offer was taken"


async def _state(target: Target, path: str, key: str) -> dict[str, Any]:
    status, answer = await target.ask("GET", path, None, Authorization=f"Bearer {key}")
    assert status == 200, f"no game: {status}"
    return dict(answer["state"])


async def _post(target: Target, path: str, key: str, path_end: str, body: dict[str, Any]) -> int:
    status, _ = await target.ask("POST", f"{path}/{path_end}", body, Authorization=f"Bearer {key}")
    return status
