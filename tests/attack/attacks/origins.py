"""Headers that lie about where a request comes from, and those that cannot be read."""

from __future__ import annotations

import itertools

from tests.attack.client import HOST, Target

_ORIGINS = (
    "http://[",
    "http://[::1",
    "null",
    "",
    "http://evil.example",
    "//",
    "http://a:b:c",
    "\xff",
    "http://[x]:99999",
)
_HOSTS = ("evil.example", "[", "[::1", "", "a" * 5000, "127.0.0.1:8000@evil.example")


async def attack(target: Target) -> None:
    lies = itertools.cycle([("Origin", each) for each in _ORIGINS] + [("Host", each) for each in _HOSTS])

    async def one(attacker: int) -> None:
        name, value = next(lies)
        status, _ = await target.ask("POST", "/api/games", {"opponent": "bot"}, attacker=attacker, **{name: value})
        if status == 201:
            raise AssertionError(f"a game was created with {name}: {value}")
        await target.ask(
            "GET", "/", attacker=attacker, X_Forwarded_For="::ffff:1.2.3.4, [", Forwarded="for=x", **{name: value}
        )

    assert HOST
    await target.flood(8, one)
