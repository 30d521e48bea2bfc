"""Actions on the event loop: what is under way is finished, and nobody is let in between."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")

from tests.web.seat import some_line

from fullprime.app.live.room import Room
from fullprime.app.live.rooms import Rooms, StoreError
from fullprime.common.refusals import Refusal
from fullprime.play.rulings import ON_TIME, forfeit
from fullprime.rules.score import Player
from fullprime.store.errors import StoreConflict
from fullprime.web.fast import lane
from fullprime.web.fast.batches import EventBatches
from fullprime.web.fast.pausing import PausingWriter
from fullprime.web.models.common import Line


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    with closing(Rooms(str(tmp_path / "games.db"), writer=PausingWriter)) as made:
        yield made


def game(rooms: Rooms) -> Room:
    room, _, _ = rooms.create(opponent="screen", rules={"length": 0}, automatic=False)
    room.add_seed("X", "ab")
    while room.frame("both")["state"]["phase"] == "opening_roll":
        room.act("both", "roll")  # for an opening the links are stored with the room, which may take its time
    return room


def due(room: Room, chance: random.Random) -> Line:
    state = room.frame("both")["state"]
    return Line(line=some_line(state, chance), sequence=state["sequence"])


def stored(rooms: Rooms, room: Room) -> int:
    assert room.saved.number is not None
    return rooms._games.load(room.saved.number).events


def test_what_is_confirmed_is_stored(rooms: Rooms) -> None:
    playing = [game(rooms) for _ in range(5)]
    chance = random.Random(1)

    async def play() -> None:
        for _ in range(12):
            await asyncio.gather(*(lane._done(room, "both", due(room, chance)) for room in playing))
            for room in playing:
                assert stored(rooms, room) == room.frame("both")["state"]["sequence"]

    asyncio.run(play())
    assert all(stored(rooms, room) >= 12 for room in playing)


def test_of_two_who_act_if_free_one_is_first(rooms: Rooms) -> None:
    room, chance = game(rooms), random.Random(2)

    async def both() -> list[Any]:
        asked = due(room, chance)
        return await asyncio.gather(*(lane._done(room, "both", asked) for _ in range(2)), return_exceptions=True)

    for _ in range(6):
        before = stored(rooms, room)
        done, late = asyncio.run(both())
        assert isinstance(done, bytes)
        assert isinstance(late, Refusal)
        assert late.code == "stale"
        assert stored(rooms, room) == before + 1


def test_who_is_cancelled_has_acted_all_the_same(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    room, chance = game(rooms), random.Random(3)

    async def cancelled() -> None:
        handed = asyncio.Event()
        submit = EventBatches.submit

        def watched(*given: Any) -> None:
            submit(*given)
            handed.set()

        with monkeypatch.context() as watching:
            watching.setattr(EventBatches, "submit", watched)
            acting = asyncio.ensure_future(lane._done(room, "both", due(room, chance)))
            await handed.wait()
            assert not room.is_taken or room.act_if_free("both", "roll") is None, "nobody comes in between"
            acting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await acting

    before = stored(rooms, room)
    asyncio.run(cancelled())
    assert stored(rooms, room) == before + 1 == room.frame("both")["state"]["sequence"]
    assert not room.is_taken


@pytest.mark.parametrize("error", [StoreConflict("another process was first"), StoreError("the connection broke")])
def test_what_is_not_stored_has_not_happened(rooms: Rooms, monkeypatch: pytest.MonkeyPatch, error: StoreError) -> None:
    room, chance = game(rooms), random.Random(4)
    asked = due(room, chance)
    before = room.frame("both")["state"]
    with monkeypatch.context() as broken:
        broken.setattr(EventBatches, "store", lambda _self, rows: [error] * len(rows))
        if isinstance(error, StoreConflict):
            # It is done once more by the long way, on what is stored: that is free here.
            assert asyncio.run(lane._done(room, "both", asked))
        else:
            with pytest.raises(StoreError, match="connection broke"):
                asyncio.run(lane._done(room, "both", asked))
            room.refresh()
            assert room.frame("both")["state"] == before
    assert stored(rooms, room) == room.frame("both")["state"]["sequence"]


def test_a_flag_that_has_fallen_comes_first(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    room, chance = game(rooms), random.Random(5)
    asked = due(room, chance)
    assert room.table is not None
    lost = forfeit(room.table.game, Player.X, ON_TIME)
    monkeypatch.setattr(room.parts[0], "due", lambda: lost)
    with pytest.raises(Refusal, match="too late"):
        asyncio.run(lane._done(room, "both", Line(line=asked.line)))
    state = room.frame("both")["state"]
    assert (state["game_over"], state["result"]["winner"]) == (True, "O")
    assert stored(rooms, room) == state["sequence"] == (asked.sequence or 0) + 1


def test_a_question_is_left_to_a_thread(rooms: Rooms) -> None:
    room = game(rooms)
    assert room.act_if_free("both", "pip") is None
    assert room.act_if_free("both", "hint") is None
    assert b"Pips" in asyncio.run(lane._done(room, "both", Line(line="pip")))
