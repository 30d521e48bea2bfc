"""Players who give links for the dice of a room, and play it to its end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from tests.play.seen import frame_of
from tests.web.seat import some_line

from fullprime.play.server.bot_moves import choose_for_bot
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.play.table.table_events import SIDES, Side
from fullprime.rules.links import LinkChain
from fullprime.rules.score import Player


def secret(number: int) -> str:
    return f"{number:064x}"


def rest_bots(game_server: GameServer) -> None:
    """From now on no bot moves by itself: `move_bots` does it."""
    game_server.bots.close()


def move_bots(handle: SessionHandle) -> None:
    """Have the bot of a room move until a person must act."""
    while handle.session.is_bot_due:
        session = handle.session
        assert session.turn is not None
        handle.perform(choose_for_bot(session), SIDES[session.turn])


class Time:
    """The clock on the wall, which the test sets forward."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 12)  # noqa: DTZ001 - as it is stored

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Page:
    """A page of a side at a table; while no page is open the side is away at once."""

    def __init__(self, game_server: GameServer, handle: SessionHandle, side: Player) -> None:
        self._game_server, self._room, self._side = game_server, handle, side
        self._presence: Any = None
        game_server.presence._away_seconds = 0.0

    def open(self) -> None:
        self._presence = self._room.track_presence(SIDES[self._side])
        self._game_server.call(self._presence.__aenter__())

    def close(self, *, is_away: bool = True) -> None:
        """Close it, and wait until that is stored; ``is_away`` says whether the side has no page open then."""
        place, presence = (self._room.id, self._side), self._game_server.presence

        async def leave() -> None:
            await self._presence.__aexit__(None, None, None)
            while place in presence._present or (self._side in self._room.live.absent) is not is_away:  # noqa: ASYNC110 - no event is set for what is waited for
                await asyncio.sleep(0.005)

        self._game_server.call(leave())

    def store_heartbeat(self) -> None:
        """Store a heartbeat of the process, as it does itself every few seconds."""
        self._game_server.call(self._game_server.presence.store_heartbeat())


def read_again(game_server: GameServer, handle: SessionHandle) -> None:
    """Take over what another server of the same file has stored."""
    game_server.call(game_server.service.refresh(handle.live, always=True))


class Players:
    """Whoever gives links in a room: their chains by side, and a chance of their own to choose plays."""

    def __init__(self, handle: SessionHandle, chains: Mapping[Side, LinkChain], chance: int = 1) -> None:
        self.handle, self.chains, self.chance = handle, dict(chains), random.Random(chance)

    def state(self, seat: Any = "X") -> Any:
        return frame_of(self.handle, seat, [])["state"]

    def link(self, side: Side, number: int) -> str | None:
        chain = self.chains.get(side)
        return None if chain is None else chain.link(number)

    def step(self) -> bool:
        """Do the next thing; False when nothing more is played."""
        move_bots(self.handle)
        state = self.state()
        links, both = state["links"], state["you"] == "both"
        if state["status"] == "over":
            return False
        if state["game_over"]:
            self.handle.act("X", "next")
        elif links["awaits"]:
            side = links["awaits"][0]
            link = self.link(side, links["number"])
            assert link is not None
            self.handle.give_link(side, links["number"], link)
        else:
            turn = state["turn"]
            line = some_line(self.state("both" if both else turn), self.chance)
            giver = links["needed"][0] if links["needed"] else turn
            link = self.link(giver, links["number"]) if line == "roll" and links["needed"] else None
            self.handle.act(turn, line, sequence=state["sequence"], link=link)
        return True

    def play(self, most: int = 5000) -> None:
        for _ in range(most):
            if not self.step():
                return
        raise AssertionError("the game does not end")


def between(game_server: GameServer, x: int | None, o: int | None, **options: Any) -> Players:
    """A game of two people; those with a number promise links of a chain made from it."""
    rules = {"length": 1, **options.pop("rules", {})}
    handle, _, invitation = game_server.create(
        opponent="friend", name="Ann", variant="hypergammon", rules=rules, **options
    )
    assert invitation is not None
    handle.join(invitation, "Bob")
    return seated(handle, {"X": x, "O": o})


def against_bot(game_server: GameServer, x: int | None, bot: str = "random", **options: Any) -> Players:
    rules = {"length": 1, **options.pop("rules", {})}
    rest_bots(game_server)
    handle, _, _ = game_server.create(opponent="bot", bot=bot, variant="hypergammon", rules=rules, **options)
    return seated(handle, {"X": x})


def seated(handle: SessionHandle, numbers: Mapping[Side, int | None]) -> Players:
    chains: dict[Side, LinkChain] = {}
    for side, number in numbers.items():
        if number is None:
            handle.add_seed(side, "ab")
        else:
            chains[side] = LinkChain(secret(number))
            handle.add_seed(side, chains[side].anchor, links=True)
    return Players(handle, chains)
