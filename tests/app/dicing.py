"""Players who give links for the dice of a room, and play it to its end."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from tests.web.seat import some_line

from fullprime.app.live.room import Room
from fullprime.app.live.rooms import Rooms
from fullprime.app.table.events import Side
from fullprime.rules.links import LinkChain


def secret(number: int) -> str:
    return f"{number:064x}"


class Players:
    """Whoever gives links in a room: their chains by side, and a chance of their own to choose plays."""

    def __init__(self, room: Room, chains: Mapping[Side, LinkChain], chance: int = 1) -> None:
        self.room, self.chains, self.chance = room, dict(chains), random.Random(chance)

    def state(self, seat: Any = "X") -> Any:
        return self.room.frame(seat, [])["state"]

    def link(self, side: Side, number: int) -> str | None:
        chain = self.chains.get(side)
        return None if chain is None else chain.link(number)

    def step(self) -> bool:
        """Do the next thing; False when nothing more is played."""
        while self.room.bot_is_due:
            self.room.bot_acts()
        state = self.state()
        links, both = state["links"], state["you"] == "both"
        if state["status"] == "over":
            return False
        if state["game_over"]:
            self.room.act("X", "next")
        elif links["awaits"]:
            side = links["awaits"][0]
            told = self.link(side, links["number"])
            assert told is not None
            self.room.give_link(side, links["number"], told)
        else:
            turn = state["turn"]
            line = some_line(self.state("both" if both else turn), self.chance)
            giver = links["needed"][0] if links["needed"] else turn
            told = self.link(giver, links["number"]) if line == "roll" and links["needed"] else None
            self.room.act(turn, line, sequence=state["sequence"], link=told)
        return True

    def play(self, most: int = 5000) -> None:
        for _ in range(most):
            if not self.step():
                return
        raise AssertionError("the game does not end")


def between(rooms: Rooms, x: int | None, o: int | None, **options: Any) -> Players:
    """A game of two people; those with a number promise links of a chain made from it."""
    rules = {"length": 1, **options.pop("rules", {})}
    room, _, invitation = rooms.create(opponent="friend", name="Ann", variant="hypergammon", rules=rules, **options)
    assert invitation is not None
    room.join(invitation, "Bob")
    return seated(room, {"X": x, "O": o})


def against_bot(rooms: Rooms, x: int | None, bot: str = "random", **options: Any) -> Players:
    rules = {"length": 1, **options.pop("rules", {})}
    room, _, _ = rooms.create(opponent="bot", bot=bot, variant="hypergammon", rules=rules, **options)
    object.__setattr__(rooms._home, "ask_bot", lambda _room: None)
    room._call_bot = lambda _room: None
    return seated(room, {"X": x})


def seated(room: Room, numbers: Mapping[Side, int | None]) -> Players:
    chains: dict[Side, LinkChain] = {}
    for side, number in numbers.items():
        if number is None:
            room.add_seed(side, "ab")
        else:
            chains[side] = LinkChain(secret(number))
            room.add_seed(side, chains[side].anchor, links=True)
    return Players(room, chains)
