"""Accounts that are made to lose rated matches at once, so that another one comes first in the list."""

from __future__ import annotations

from typing import Any

from tests.attack.client import Target

WEIGHT = 2.0
MEMORY = 192.0
_ACCOUNTS = 12
_MATCHES = 3
"""Of each account."""
_ASKED = {"rated": True, "clock": "usbgf", "rules": {"length": 1}}


async def attack(target: Target) -> None:
    farmer = await _account(target, 0)
    for number in range(1, _ACCOUNTS + 1):
        if _is_done(target):
            break
        loser = await _account(target, number)
        for _ in range(_MATCHES):
            if _is_done(target):
                break
            await _lost_at_once(target, farmer, loser)
    assert target.seen["left at once"], "no match was left"
    name = _name(0)
    _, profile = await target.ask("GET", f"/api/users/{name}")
    if (rating := profile["ratings"].get("backgammon:single")) is not None:
        raise AssertionError(f"matches that were left at once made a rating of {rating['rating']}")
    _, listed = await target.ask("GET", "/api/ratings?kind=backgammon:single")
    if name in [row["name"] for row in listed["best"]]:
        raise AssertionError("an account that others lost to at once stands in the list of the best")


def _is_done(target: Target) -> bool:
    """True when the time is up; on a busy machine the first account takes longer than that."""
    return not target.goes_on and target.seen["left at once"] > 0


def _name(number: int) -> str:
    return f"farm{number}"


async def _account(target: Target, number: int) -> dict[str, str]:
    """Sign up, each from an address of its own, and take a token; gives its header."""
    who = {"name": _name(number), "password": "a long enough password 33"}
    status, _ = await target.ask("POST", "/api/account/sign-up", who, attacker=number)
    assert status == 201, f"no account: {status}"
    cookie = await target.cookie("/api/account/sign-in", who, attacker=number)
    return {"Cookie": cookie}


async def _lost_at_once(target: Target, winner: dict[str, str], loser: dict[str, str]) -> None:
    status, created = await target.ask("POST", "/api/lobby", _ASKED, attacker=0, **winner)
    assert status == 201, f"no challenge: {status} {created}"
    _, accepted = await target.ask("POST", f"/api/challenge/{created['challenge']['id']}/accept", {}, **loser)
    for key, seed in ((created["key"], "ab"), (accepted["key"], "cd")):
        await _at(target, accepted["game"], "seed", {"seed": seed}, key)
    status = await _at(target, accepted["game"], "close", {"how": "leave"}, accepted["key"])
    target.seen["left at once"] += status == 204


async def _at(target: Target, game: str, path: str, body: dict[str, Any], key: str) -> int:
    status, _ = await target.ask("POST", f"/api/games/{game}/{path}", body, Authorization=f"Bearer {key}")
    return status
