"""People who play on while servers are killed: each remembers what was confirmed."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from tests.web.seat import some_line

from fullprime.play.server.rooms import Rooms
from fullprime.rules.game import Action
from fullprime.rules.links import LinkChain, new_secret
from fullprime.rules.notation import format_play

_TRIES = 20_000
"""Requests of one player, at most: a test ends."""


@dataclass
class Crowd:
    """Players at games of their own, each in a thread, who ask any of these servers."""

    urls: Callable[[], Sequence[str]]
    may_be_refused: bool = False
    """If servers may answer 503, after which one asks again; no other error of theirs is allowed in any case."""
    players: list[Player] = field(default_factory=list)
    confirmed: int = 0
    refused: int = 0
    told: threading.Condition = field(default_factory=threading.Condition)
    ended: threading.Event = field(default_factory=threading.Event)

    def sit(self, opponents: Sequence[dict[str, Any]]) -> None:
        """A game for each of these, begun."""
        for number, asked in enumerate(opponents):
            self.players.append(Player(self, number, asked))
        for player in self.players:
            player.thread.start()

    def wait_for(self, actions: int, timeout: float = 240) -> None:
        """Until so many more actions have been confirmed."""
        with self.told:
            wanted = self.confirmed + actions
            done = self.told.wait_for(lambda: self.confirmed >= wanted or self._faults, timeout)
        assert done, "nothing is confirmed any more"
        assert not self._faults, self._faults

    def wait_for_each(self, actions: int, timeout: float = 240) -> None:
        """Until every player has had so many more actions confirmed: every game goes on."""
        with self.told:
            wanted = {player: len(player.confirmed) + actions for player in self.players}
            done = self.told.wait_for(
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
        with self.told:
            return {player.name: len(player.confirmed) for player in self.players}

    def check(self, rooms: Rooms, first: Mapping[str, int] | None = None) -> int:
        """Every action that was confirmed is stored, once and in its place; gives how many were.

        With ``first`` so many of each player's.
        """
        found = 0
        for player in self.players:
            events = [event for record in rooms.room(player.game).match.games for event in record.events]
            confirmed = player.confirmed if first is None else player.confirmed[: first[player.name]]
            found += len(confirmed)
            for sequence, line in confirmed:
                event = events[sequence]
                assert isinstance(event, Action)
                said = (format_play(event.moves),) if event.moves else (str(event.kind), "no play", "fan")
                assert line in (*said, "roll", f"choose {event.number}"), (player.name, sequence, line, said)
        return found

    @property
    def _faults(self) -> list[str]:
        return [player.fault for player in self.players if player.fault]


class Player:
    """Plays both sides of a game (or one, against a bot) by chance, whatever becomes of the servers."""

    def __init__(self, crowd: Crowd, number: int, asked: dict[str, Any]) -> None:
        self.crowd, self.name = crowd, f"{number} {asked['opponent']}"
        self.confirmed: list[tuple[int, str]] = []
        """(Events before it, what was said), of every action that was confirmed."""
        self.fault = ""
        self.game = ""
        self._asked, self._chance = asked, random.Random(number)
        self._has_links = number % 2 == 0
        self._chains: dict[str, LinkChain] = {}
        self._keys: list[str] = []
        self.thread = threading.Thread(target=self._play, name=f"player {number}", daemon=True)

    def _play(self) -> None:
        try:
            with httpx.Client(timeout=60) as client:
                self._sit_down(client)
                for _ in range(_TRIES):
                    if self.crowd.ended.is_set():
                        return
                    self._act(client, self._chance.choice(self._keys))
                raise AssertionError("the game does not go on")
        except Exception as error:  # noqa: BLE001 - told by the test
            self.fault = f"{self.name}: {error!r}"
            with self.crowd.told:
                self.crowd.told.notify_all()

    def _ask(self, client: httpx.Client, method: str, path: str, key: str | None = None, **more: Any) -> httpx.Response:
        """Ask one server after the other until one answers."""
        for _ in range(_TRIES):
            url = self._chance.choice(self.crowd.urls())
            try:
                headers = {"Authorization": f"Bearer {key}"} if key else {}
                answer = client.request(method, f"{url}/api/games{path}", headers=headers, **more)
            except httpx.TransportError:
                if self.crowd.ended.wait(0.02):
                    break
                continue
            if answer.status_code == 503 and self.crowd.may_be_refused:
                assert answer.headers["Retry-After"]
                self.crowd.refused += 1
                if self.crowd.ended.wait(0.1):
                    break
                continue
            assert answer.status_code < 500, answer.text
            return answer
        raise AssertionError("nobody answers")

    def _sit_down(self, client: httpx.Client) -> None:
        made = self._ask(client, "POST", "", json=self._asked).json()
        self.game, self._keys = made["id"], [made["key"]]
        if made["invitation"]:
            body = {"invitation": made["invitation"], "name": "Bob"}
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
            return  # the next game, or a link for an opening (thrown again after a tie), is stored with the room
        with self.crowd.told:
            self.confirmed.append((state["sequence"], line))
            self.crowd.confirmed += 1
            self.crowd.told.notify_all()
