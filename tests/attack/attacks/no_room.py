"""Servers of one's own without room: above the budget of all, on a full disk, and with a file that is gone."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from tests.attack.client import STRANGER, Target
from tests.attack.server import Served

WEIGHT = 0.5
_POSITION = {"dice": [3, 1]}
_STORED = {
    "/api/library/marks": {"position": _POSITION, "note": "a note"},
    "/api/library/collections": {"name": "Endings"},
    "/api/library/searches": {"name": "Doubles", "question": {"kind": "double"}},
    "/api/library/files?name=a.mat": b"no match",
    "/api/reviews?name=a.mat": b"no match",
    "/api/drills/cards/import": b"{}",
    "/api/daily/solution": {},
}


async def attack(target: Target) -> None:
    kinds = {"budget": ("--storage", "0.00001"), "disk": ("--keep-free", "99")}
    await asyncio.gather(*(_serve_and_attack(target, name, options) for name, options in kinds.items()))


async def _serve_and_attack(target: Target, name: str, options: tuple[str, ...]) -> None:
    folder = Path(tempfile.mkdtemp(prefix=name, dir=os.environ["ATTACK_FOLDER"]))
    served = await asyncio.to_thread(Served, folder, Path(os.environ["ATTACK_SOURCE"]), options=options)
    try:
        attacked = Target(served.port, 60.0, target.seen)
        await _without_room(attacked, name)
        if name == "disk":
            await _without_file(attacked, folder / "games.db")
    finally:
        await asyncio.to_thread(served.stop)


async def _without_room(target: Target, name: str) -> None:
    """Nothing is stored but games, which go on."""
    who = {"name": "hoarder", "password": "a long enough password 33"}
    status, _ = await target.ask("POST", "/api/account/sign-up", who)
    assert status == 201, f"no account: {status}"
    signed_in = STRANGER | {"Cookie": await target.cookie("/api/account/sign-in", who)}
    for path, body in _STORED.items():
        status, answer = await target.ask("POST", path, body, **signed_in)
        if status != 503:
            raise AssertionError(f"{name}: {path} was answered {status}: {answer}")
    game, key = await _begin_game(target)
    status = await _act(target, game, key)
    assert status == 200, f"{name}: a roll was answered {status}"


async def _without_file(target: Target, database: Path) -> None:
    """No action is confirmed once the file of the database is gone, and health says so."""
    game, key = await _begin_game(target)
    for file in (database, *database.parent.glob("games.db-*")):
        file.unlink()
    status = await _act(target, game, key)
    if status == 200:
        raise AssertionError("an action was confirmed though the file of the database is gone")
    status, _ = await target.ask("GET", "/api/health")
    if status != 503:
        raise AssertionError(f"the health of a server without a file is {status}")


async def _begin_game(target: Target) -> tuple[str, str]:
    """A game for two at one screen, at whose beginning a roll is owed."""
    terms = {"opponent": "screen", "name": "Ann", "rules": {"length": 0}, "automatic": False}
    status, created = await target.ask("POST", "/api/games", terms)
    assert status == 201, f"no game: {status} {created}"
    game, key = created["id"], created["key"]
    await target.ask("POST", f"/api/games/{game}/seed", {"seed": "0123abcd"}, Authorization=f"Bearer {key}")
    return game, key


async def _act(target: Target, game: str, key: str) -> int:
    """The status of a roll."""
    status, _ = await target.ask("POST", f"/api/games/{game}/act", {"line": "roll"}, Authorization=f"Bearer {key}")
    return status
