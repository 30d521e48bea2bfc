"""Everything that waits for the lock of one game, many times at once: reviews, streams, actions and their proofs."""

from __future__ import annotations

from tests.attack.client import Target

MEMORY = 128.0


async def attack(target: Target) -> None:
    options = {"opponent": "screen", "automatic": False}
    status, game = await target.ask("POST", "/api/games", options, attacker=230)
    assert status == 201, f"no game: {status}"
    path, key = f"/api/games/{game['id']}", {"Authorization": f"Bearer {game['key']}"}
    await target.ask("POST", f"{path}/seed", {"seed": "ab"}, attacker=230, **key)
    kinds = (
        ("POST", "/review", {"level": "fast"}),
        ("POST", "/act", {"line": "board"}),
        ("POST", "/act", {"line": "roll"}),
        ("GET", "", None),
        ("GET", "/proof", None),
        ("GET", "/card", None),
    )

    async def one(number: int) -> None:
        method, what, body = kinds[number % len(kinds)]
        await target.ask(method, path + what, body, attacker=230 + number, **key)

    await target.flood(24, one)
