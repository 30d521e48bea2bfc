"""Accounts that are made to lose rated matches at once, also by dropped doubles, so that another comes first."""

from __future__ import annotations

from typing import Any

from tests.attack.client import Target

WEIGHT = 2.0
MEMORY = 192.0
_ACCOUNTS = 12
_MATCHES = 3
"""Of each account."""
_ASKED = {"rated": True, "clock": "usbgf", "rules": {"length": 3}}
_TURNS = 8
"""Turns within which a double is dropped."""


async def attack(target: Target) -> None:
    farmer = await _account(target, 0)
    for number in range(1, _ACCOUNTS + 1):
        if _is_done(target):
            break
        loser = await _account(target, number)
        for count in range(_MATCHES):
            if _is_done(target):
                break
            await _give_away(target, farmer, loser, by_drop=count % 2 == 0)
    for way in ("left at once", "dropped and left"):
        assert target.seen[way], f"no match was {way}"
    name = _name(0)
    _, profile = await target.ask("GET", f"/api/users/{name}")
    if (rating := profile["ratings"].get("backgammon:short")) is not None:
        raise AssertionError(f"matches that were given away made a rating of {rating['rating']}")
    _, listed = await target.ask("GET", "/api/ratings?kind=backgammon:short")
    if name in [row["name"] for row in listed["best"]]:
        raise AssertionError("an account that others lost to at once stands in the list of the best")


def _is_done(target: Target) -> bool:
    """True when the time is up; on a busy machine the first account takes longer than that."""
    return not target.goes_on and min(target.seen["left at once"], target.seen["dropped and left"]) > 0


def _name(number: int) -> str:
    return f"farm{number}"


async def _account(target: Target, number: int) -> dict[str, str]:
    """Sign up, each from an address of its own, and take a token; gives its header."""
    who = {"name": _name(number), "password": "a long enough password 33"}
    status, _ = await target.ask("POST", "/api/account/sign-up", who, attacker=number)
    assert status == 201, f"no account: {status}"
    cookie = await target.cookie("/api/account/sign-in", who, attacker=number)
    return {"Cookie": cookie}


async def _give_away(target: Target, winner: dict[str, str], loser: dict[str, str], *, by_drop: bool) -> None:
    """Have an account lose a match: it leaves at once, or once it has dropped a double."""
    status, created = await target.ask("POST", "/api/lobby", _ASKED, attacker=0, **winner)
    assert status == 201, f"no challenge: {status} {created}"
    _, accepted = await target.ask("POST", f"/api/challenge/{created['challenge']['id']}/accept", {}, **loser)
    for key, seed in ((created["key"], "ab"), (accepted["key"], "cd")):
        await _at(target, accepted["game"], "seed", {"seed": seed}, key)
    if by_drop:
        await _drop_a_double(target, accepted["game"], created["key"], accepted["key"])
    status = await _at(target, accepted["game"], "close", {"how": "leave"}, accepted["key"])
    target.seen["dropped and left" if by_drop else "left at once"] += status == 204


async def _drop_a_double(target: Target, game: str, winner: str, loser: str) -> None:
    """Have the winner double as soon as that is allowed, and the loser drop."""
    for _ in range(_TURNS):
        for key in (winner, loser):
            _, frame = await target.ask("GET", f"/api/games/{game}", Authorization=f"Bearer {key}")
            words, plays = frame["state"]["legal_actions"], frame["state"].get("plays")
            if key == winner and "double" in words:
                for side, line in ((winner, "double"), (loser, "drop")):
                    assert await _at(target, game, "act", {"line": line}, side) == 200, f"no {line}"
                return
            if "roll" in words:
                await _at(target, game, "act", {"line": "roll"}, key)
            elif "move" in words:
                await _at(target, game, "act", {"line": plays[0] if plays else "no play"}, key)
    raise AssertionError("no double was dropped")


async def _at(target: Target, game: str, path: str, body: dict[str, Any], key: str) -> int:
    status, _ = await target.ask("POST", f"/api/games/{game}/{path}", body, Authorization=f"Bearer {key}")
    return status
