"""One person at one screen who plays a game without end, takes decisions back, and asks for proofs of all of it."""

from __future__ import annotations

from typing import Any

from tests.attack.client import Target

WEIGHT = 2.0
MEMORY = 128.0
_GROWN = 300
"""Actions that the game has before decisions are taken back, where half of the time suffices for them."""
_OWNER = 240


async def attack(target: Target) -> None:
    body = {"opponent": "screen", "automatic": False, "late": 3600}
    status, game = await target.ask("POST", "/api/games", body, attacker=_OWNER)
    assert status == 201, f"no game: {status}"
    path, key = f"/api/games/{game['id']}", {"Authorization": f"Bearer {game['key']}"}
    await target.ask("POST", f"{path}/seed", {"seed": "ab"}, attacker=_OWNER, **key)
    for _ in range(_GROWN):
        if target.left < target.seconds / 2:
            break
        await _act(target, path, key)
    target.seen["grown"] += 1

    async def one(number: int) -> None:
        if number % 2:
            await target.ask("GET", f"{path}/proof", attacker=_OWNER, **key)
        elif (await target.ask("POST", f"{path}/takeback", {}, attacker=_OWNER, **key))[0] != 200:
            await _act(target, path, key)

    await target.flood(24, one)


async def _act(target: Target, path: str, key: dict[str, Any]) -> None:
    """The play that keeps most checkers back, or a throw."""
    _, message = await target.ask("GET", path, attacker=_OWNER, **key)
    plays = [] if message is None else message["state"].get("plays") or []
    line = max(plays, key=lambda play: ("*" in play, play), default="roll")
    await target.ask("POST", f"{path}/act", {"line": line}, attacker=_OWNER, **key)
