"""A database of an older version: what is played there goes on, by the rules of this one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from fullprime.app.live import at_table
from fullprime.app.live.room import Room
from fullprime.app.live.rooms import Rooms
from fullprime.app.people.lobby import Lobby
from fullprime.app.people.people import People
from fullprime.app.people.ratings import Results
from fullprime.store import database

NEW = ("rated", "notices", "helped", "ended", "ends", "game")
"""Options of a room that older versions do not write."""


def older(url: str) -> None:
    """Make a database one as version 0007 had it."""
    engine = database.open_database(url)
    config = Config()
    folder = Path(database.__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0007")
        for room, options in connection.execute(text("SELECT id, options FROM rooms")).all():
            kept = {name: value for name, value in json.loads(options).items() if name not in NEW}
            connection.execute(
                text("UPDATE rooms SET options = :options WHERE id = :room"),
                {"options": json.dumps(kept), "room": room},
            )
    engine.dispose()


def play(room: Room, seats: Any, plays: int) -> None:
    """So many plays, each the first that there is."""
    while plays:
        for seat in seats:
            state = room.frame(seat)["state"]
            if "move" in state["legal_actions"] and plays:
                room.act(seat, state["plays"][0] or "no play")
                plays -= 1
            elif "roll" in state["legal_actions"]:
                room.act(seat, "roll")


def test_games_of_an_older_database_go_on_and_end_by_the_new_rules(any_database: str) -> None:
    url = any_database
    people, rooms = People(url), Rooms(url)
    results = Results(people)
    ann, bob = (people.store.create(name, "hash") for name in ("Ann", "Bob"))
    rated, _, invitation = rooms.create(opponent="friend", name="Ann", rules={"length": 5})
    results.played.sit(rated.saved, "X", ann.id, rated=True)
    rated.join(str(invitation), "Bob")
    results.played.sit(rated.saved, "O", bob.id)
    screen, _, _ = rooms.create(opponent="screen", name="Ann", other_name="Friend", rules={"length": 1})
    results.played.sit(screen.saved, "X", ann.id)
    for room, seats in ((rated, ("X", "O")), (screen, ("both",))):
        for seat in seats:
            room.add_seed(seat, "ab")
        play(room, seats, 3)
    at_table.take_back(screen, "both")
    states = [room.frame("X")["state"] for room in (rated, screen)]
    people.close(), rooms.close()
    older(url)

    people, rooms = People(url), Rooms(url)
    lobby = Lobby(rooms, people, Results(people))
    again = [rooms.room(room.id) for room in (rated, screen)]
    now = [room.frame("X")["state"] for room in again]
    assert [state["rated"] for state in now] == [True, False]
    assert [state["overdue"] is None for state in now] == [False, True], "without a clock nobody stalls what is rated"
    known = {"rated": None, "overdue": None, "number": None}
    for state, before in zip(now, states, strict=True):
        assert {**state, **known} == {**before, **known}
    with people.engine.begin() as connection:
        helped = dict(connection.execute(text("SELECT room_id, helped FROM played")).all())  # type: ignore[arg-type]
    assert {room: bool(value) for room, value in helped.items()} == {rated.id: False, screen.id: True}
    play(again[0], ("X", "O"), 2)
    again[0].close("X", "agree")
    assert again[0].frame("O")["state"]["ending"]["offered"] == ["X"]
    again[0].close("X", "leave")
    lobby.settle()
    assert lobby._results.played.ratings(ann.id)["backgammon:short"].rating < 1500
    assert rooms.verify(rated.id).faults == ()
    lobby.close(), people.close(), rooms.close()
