"""Large JSON at paths below those that take files."""

from __future__ import annotations

from tests.attack.client import Target

_PATHS = ("/api/reviews/x/1/again", "/api/library/files/1", "/api/drills/cards/import/x", "/api/real/record/x")
_BODY = b"[" + b"[]," * 2_700_000 + b"[]]"


async def attack(target: Target) -> None:
    async def one(attacker: int) -> None:
        path = _PATHS[attacker % len(_PATHS)]
        await target.ask("POST", path, _BODY, attacker=attacker, Content_Type="application/json")

    await target.flood(8, one)
