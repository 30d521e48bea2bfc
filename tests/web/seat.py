"""A person at a table, over the HTTP API."""

from __future__ import annotations

import random
from typing import Any

import httpx

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
"""The board of backgammon before the first throw, with which a game begins without an opening roll."""


class Seat:
    def __init__(self, client: httpx.Client, game: str, key: str | None) -> None:
        self.client, self.game, self.key = client, game, key

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return self.client.post(f"/api/games/{self.game}/{path}", json=body, headers=self.headers)

    def get(self, path: str = "") -> Any:
        answer = self.client.get(f"/api/games/{self.game}{path}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    @property
    def state(self) -> dict[str, Any]:
        return dict(self.get()["state"])

    def act(self, line: str, **more: Any) -> httpx.Response:
        return self.post("act", {"line": line, **more})

    def does(self, line: str, **more: Any) -> dict[str, Any]:
        answer = self.act(line, **more)
        assert answer.status_code == 200, f"{line}: {answer.text}"
        return dict(answer.json())


def create(client: httpx.Client, *, begin: bool = True, **options: Any) -> tuple[Seat, dict[str, Any]]:
    """A new game and its creator's seat; with ``begin`` the creator's seed is added."""
    answer = client.post("/api/games", json={"bot": "heuristic", **options})
    assert answer.status_code == 201, answer.text
    created = answer.json()
    seat = Seat(client, created["id"], created["key"])
    if begin:
        assert seat.post("seed", {"seed": "0123abcd"}).status_code == 204
    return seat, created


def friends(client: httpx.Client, names: tuple[str, str] = ("Ann", "Bob"), **options: Any) -> tuple[Seat, Seat]:
    """Two people at a table."""
    host, created = create(client, opponent="friend", name=names[0], **options)
    guest = Seat(client, host.game, None)
    joined = guest.post("join", {"invitation": created["invitation"], "name": names[1]})
    assert joined.status_code == 200, joined.text
    guest.key = joined.json()["key"]
    assert guest.post("seed", {"seed": "beef"}).status_code == 204
    return host, guest


def some_line(state: dict[str, Any], chance: random.Random) -> str:
    """Something that may be said now; plays are taken by chance, and nobody gives up."""
    words = [word for word in state["legal_actions"] if word not in ("resign", "drop")]
    word = chance.choice(words)
    if word == "move":
        return str(chance.choice(state["plays"])) if state["plays"] else "no play"
    return f"choose {chance.randint(1, 6)}" if word == "choose" else str(word)
