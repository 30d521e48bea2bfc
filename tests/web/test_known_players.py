"""Who counts as a player among the connections: somebody in a game that has begun, or with an account."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.types import Receive, Scope, Send
from tests.web.inside import TestClient
from tests.web.test_guard import application, at

from fullprime.web.connections.limits import ConnectionLimits
from fullprime.web.connections.registry import CONNECTION, ConnectionRegistry, OpenConnection


class Visited:
    """An application whose requests come through connections of one registry, each through one of its own."""

    def __init__(self, app: Any) -> None:
        self.app, self.registry = app, ConnectionRegistry(ConnectionLimits())
        self.last: OpenConnection | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self.last = self.registry.register(str(scope["client"][0]), lambda: None, lambda: None)
            scope.setdefault("state", {})[CONNECTION] = self.last
        await self.app(scope, receive, send)

    def knows(self, client: TestClient, path: str, key: str) -> bool:
        assert client.get(path, headers={"Authorization": f"Bearer {key}"}).status_code == 200
        assert self.last is not None
        return self.last.is_known


def test_the_key_of_a_game_that_has_not_begun_makes_nobody_a_player(tmp_path: Path) -> None:
    visited = Visited(application(tmp_path))
    with at(visited) as client:
        created = client.post("/api/games", json={"opponent": "friend", "name": "Ann"}).json()
        path, key = f"/api/games/{created['id']}", created["key"]
        assert not visited.knows(client, path, key)
        joined = client.post(f"{path}/join", json={"invitation": created["invitation"], "name": "Bob"}).json()
        for seat in (key, joined["key"]):
            assert not visited.knows(client, path, seat)
            body = {"seed": "ab"}
            client.post(f"{path}/seed", json=body, headers={"Authorization": f"Bearer {seat}"}).raise_for_status()
        assert visited.knows(client, path, key)
        assert visited.knows(client, path, joined["key"])


def test_an_account_makes_a_player(tmp_path: Path) -> None:
    visited = Visited(application(tmp_path))
    with at(visited) as client:
        assert client.post("/api/account/sign-up", json={"name": "cleo", "password": "a long password 1"}).is_success
        assert client.get("/api/account").is_success
        assert visited.last is not None
        assert visited.last.is_known
