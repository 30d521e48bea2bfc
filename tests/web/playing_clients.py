"""Clients that play on while servers are killed; each remembers the actions that were confirmed."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from tests.web.seat import some_line

from fullprime.play.server.game_server import GameServer
from fullprime.rules.game import Action
from fullprime.rules.links import LinkChain, new_secret
from fullprime.rules.notation import format_play

_TRIES = 20_000
"""Requests of one player, at most: a test ends."""


@dataclass
class PlayingClients:
    """Players of separate games, each in a thread; each request goes to any of the servers."""

    urls: Callable[[], Sequence[str]]
    may_be_refused: bool = False
    """True if servers may answer 503, after which a client asks again; no other server error is allowed."""
    players: list[Player] = field(default_factory=list)
    confirmed: int = 0
    refused: int = 0
    changed: threading.Condition = field(default_factory=threading.Condition)
    ended: threading.Event = field(default_factory=threading.Event)

    def sit(self, opponents: Sequence[dict[str, Any]]) -> None:
        """Begin a game against each of these opponents."""
        for number, options in enumerate(opponents):
            self.players.append(Player(self, number, options))
        for player in self.players:
            player.thread.start()

    def wait_for(self, actions: int, timeout: float = 240) -> None:
        """Wait until that number of further actions has been confirmed."""
        with self.changed:
            wanted = self.confirmed + actions
            done = self.changed.wait_for(lambda: self.confirmed >= wanted or self._faults, timeout)
        assert done, "nothing is confirmed any more"
        assert not self._faults, self._faults

    def wait_for_each(self, actions: int, timeout: float = 240) -> None:
        """Wait until each player has had that number of further actions confirmed."""
        with self.changed:
            wanted = {player: len(player.confirmed) + actions for player in self.players}
            done = self.changed.wait_for(
                lambda: self._faults or all(len(player.confirmed) >= wanted[player] for player in self.players), timeout
            )
        assert done, [player.name for player in self.players if len(player.confirmed) < wanted[player]]
        assert not self._faults, self._faults

    def leave(self) -> None:
        """Stop playing."""
        self.ended.set()
        for player in self.players:
            player.thread.join(60)

    def so_far(self) -> dict[str, int]:
        """The number of actions that have been confirmed to each player by now."""
        with self.changed:
            return {player.name: len(player.confirmed) for player in self.players}

    def check(self, game_server: GameServer, first: Mapping[str, int] | None = None) -> int:
        """Check that every confirmed action is stored, once and in its place; gives their number.

        With ``first`` only that number of each player's actions is checked.
        """
        confirmed_turns = 0
        for player in self.players:
            events = [event for record in game_server.get_handle(player.game).match.games for event in record.events]
            confirmed = player.confirmed if first is None else player.confirmed[: first[player.name]]
            confirmed_turns += len(confirmed)
            for sequence, line in confirmed:
                event = events[sequence]
                assert isinstance(event, Action)
                words = (format_play(event.moves),) if event.moves else (str(event.kind), "no play", "fan")
                assert line in (*words, "roll", f"choose {event.number}"), (player.name, sequence, line, words)
        return confirmed_turns

    @property
    def _faults(self) -> list[str]:
        return [player.fault for player in self.players if player.fault]


class Player:
    """Plays both sides of a game (or one, against a bot) by chance, whether servers live or not."""

    def __init__(self, clients: PlayingClients, number: int, options: dict[str, Any]) -> None:
        self.clients, self.name = clients, f"{number} {options['opponent']}"
        self.confirmed: list[tuple[int, str]] = []
        """Of every confirmed action, the number of events before it and its line."""
        self.fault = ""
        self.game = ""
        self._options, self._chance = options, random.Random(number)
        self._has_links = number % 2 == 0
        self._chains: dict[str, LinkChain] = {}
        self._keys: list[str] = []
        self.thread = threading.Thread(target=self._play, name=f"player {number}", daemon=True)

    def _play(self) -> None:
        try:
            with httpx.Client(timeout=60) as client:
                self._sit_down(client)
                for _ in range(_TRIES):
                    if self.clients.ended.is_set():
                        return
                    self._act(client, self._chance.choice(self._keys))
                raise AssertionError("the game does not go on")
        except Exception as error:  # noqa: BLE001 - the test reports it
            self.fault = f"{self.name}: {error!r}"
            with self.clients.changed:
                self.clients.changed.notify_all()

    def _ask(self, client: httpx.Client, method: str, path: str, key: str | None = None, **more: Any) -> httpx.Response:
        """Ask one server after the other until one answers."""
        for _ in range(_TRIES):
            url = self._chance.choice(self.clients.urls())
            try:
                headers = {"Authorization": f"Bearer {key}"} if key else {}
                answer = client.request(method, f"{url}/api/games{path}", headers=headers, **more)
            except httpx.TransportError:
                if self.clients.ended.wait(0.02):
                    break
                continue
            if answer.status_code == 503 and self.clients.may_be_refused:
                assert answer.headers["Retry-After"]
                self.clients.refused += 1
                if self.clients.ended.wait(0.1):
                    break
                continue
            assert answer.status_code < 500, answer.text
            return answer
        raise AssertionError("nobody answers")

    def _sit_down(self, client: httpx.Client) -> None:
        created = self._ask(client, "POST", "", json=self._options).json()
        self.game, self._keys = created["id"], [created["key"]]
        if created["invitation"]:
            body = {"invitation": created["invitation"], "name": "Bob"}
            self._keys.append(self._ask(client, "POST", f"/{self.game}/join", json=body).json()["key"])
        for side, key in zip("XO", self._keys, strict=False):
            body: dict[str, Any] = {"seed": "ab"}
            if self._has_links:
                self._chains[side] = LinkChain(new_secret())
                body = {"seed": self._chains[side].anchor, "links": True}
            self._ask(client, "POST", f"/{self.game}/seed", key, json=body)

    def _act(self, client: httpx.Client, key: str) -> None:
        state = self._ask(client, "GET", f"/{self.game}", key).json()["state"]
        assert state["sequence"] > max((sequence for sequence, _ in self.confirmed), default=-1), "something was lost"
        links, side = state["links"], "X" if state["you"] == "both" else state["you"]
        if self._has_links and side in links["awaits"]:
            body = {"number": links["number"], "link": self._chains[side].link(links["number"])}
            answer = self._ask(client, "POST", f"/{self.game}/link", key, json=body)
            assert answer.status_code in (200, 400, 409), answer.text
            return
        if not [word for word in state["legal_actions"] if word != "resign"]:
            return
        line = some_line(state, self._chance)
        body: dict[str, Any] = {"line": line, "sequence": state["sequence"]}
        if self._has_links and line == "roll" and side in links["needed"] and not state["game_over"]:
            body["link"] = self._chains[side].link(links["number"])
        answer = self._ask(client, "POST", f"/{self.game}/act", key, json=body)
        if answer.status_code == 409:
            return  # it was stored before, and the answer was lost, or the other side was first
        assert answer.status_code == 200, (line, answer.text)
        if line == "next" or state["phase"] == "opening_roll":
            return  # the next game, or a link for an opening (thrown again after a tie), is stored with the handle
        with self.clients.changed:
            self.confirmed.append((state["sequence"], line))
            self.clients.confirmed += 1
            self.clients.changed.notify_all()
