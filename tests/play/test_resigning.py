"""Offers to resign between people stand beside the game: they touch no clock, and no record but that of their end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.play.dicing import Players, between, secret
from tests.play.test_retelling import friends, seen

from fullprime.analysis import at_table
from fullprime.common.refusals import Refusal
from fullprime.db import times
from fullprime.db.times import SteadyClock, utc_now
from fullprime.play.clocks import Clock
from fullprime.play.server.rooms import Room, Rooms
from fullprime.rules.errors import FullprimeError, IllegalAction
from fullprime.rules.game import ActionKind
from fullprime.rules.links import LinkChain
from fullprime.rules.record import Setup

DELAY, RESERVE = 5.0, 10.0
OTHER = {"X": "O", "O": "X"}


class Watch:
    """A clock that the test sets forward; the whole program goes by it while it is worn."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    @contextmanager
    def worn(self) -> Iterator[None]:
        kept, times._clock = times._clock, SteadyClock(lambda: self.now, lambda: self.now, ahead=0.0)
        try:
            yield
        finally:
            times._clock = kept


@pytest.fixture
def watch() -> Iterator[Watch]:
    found = Watch()
    with found.worn():
        yield found


@pytest.fixture
def rooms() -> Iterator[Rooms]:
    with closing(Rooms(":memory:")) as found:
        yield found


def clock_of(room: Room) -> Clock:
    clock = room.session.clock
    assert clock is not None
    return clock


def state(room: Room, seat: Any = "X") -> Any:
    return room.frame(seat, [])["state"]


def turn_of(room: Room) -> Any:
    return state(room)["turn"]


def some_play(room: Room) -> None:
    """The player on turn goes on: by the first play, or by a throw."""
    side = turn_of(room)
    now = state(room, side)
    room.act(side, now["plays"][0] if now["phase"] == "play" else "roll")


# -- clocks -----------------------------------------------------------------------------------------------------
SEATS = st.sampled_from(("X", "O"))
DEEDS = st.one_of(
    st.tuples(st.just("resign"), SEATS, st.sampled_from(("", "n", "g", "b", "4"))),
    st.tuples(st.just("refuse"), SEATS, st.just("")),
    st.tuples(st.sampled_from(("pip", "score", "plays", "board", "hint", "save", "quit")), SEATS, st.just("")),
    st.tuples(st.sampled_from(("talk", "chain", "link", "end", "claim", "nonsense")), SEATS, st.just("")),
)
"""Everything that players may do, or try, without the board's leave."""


def does(players: Players, deed: str, seat: Any, more: str) -> None:
    room, number = players.room, state(players.room)["links"]["number"]
    match deed:
        case "talk":
            at_table.say(room, seat, phrase="hello")
        case "chain":
            room.begin_chain(seat, number, LinkChain(secret(number), number, 8).anchor)
        case "link":
            room.give_link(seat, number + 1, secret(number))
        case "end":
            with suppress(FullprimeError):
                room.take_back(seat)
            if not room.session.end_offers:
                room.close(seat, "agree")
        case "claim":
            room.claim(seat)
        case "nonsense":
            room.act(seat, "accept twice")
        case _:
            room.act(seat, f"{deed} {more}".strip())


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 7),
    st.lists(st.tuples(DEEDS, st.floats(0.0, 1.0)), min_size=1, max_size=25),
)
def test_nothing_but_the_board_changes_what_time_is_left_to_anybody(
    steps: int, deeds: list[tuple[tuple[str, str, str], float]]
) -> None:
    watch = Watch()
    with watch.worn(), closing(Rooms(":memory:")) as rooms:
        players = between(rooms, 1, 2, clock=f"{DELAY:g}+{RESERVE:g}", rules={"length": 9})
        for _ in range(steps):
            watch.now += 1.0
            players.step()
        room = players.room
        clock, known = clock_of(room), room.session.board_version
        if clock.running is None or clock.falls is None or room.is_closed:
            return
        waits, cube_waits = clock.running.other, state(room)["cube"]["offered"]
        for (deed, seat, more), seconds in deeds:
            if cube_waits and deed == "refuse":
                continue  # it answers the cube
            watch.now += seconds * (DELAY + RESERVE - 2.0) / len(deeds)
            with suppress(FullprimeError):
                does(players, deed, seat, more)
            now = clock_of(room)
            assert room.session.board_version == known, f"{deed} of {seat} is no event of the match"
            assert now.falls == clock.falls, f"{deed} of {seat} moved the flag"
            assert now.left_at(utc_now())[waits] == clock.left[waits], f"{deed} of {seat} cost the other one time"
            assert room.session.turn is clock.running


def test_refused_offers_give_no_time_to_think(rooms: Rooms, watch: Watch) -> None:
    """Thirteen refused offers in one turn gave 42 seconds at 5+10, and the reserve was whole."""
    room = friends(rooms, clock="5+10", rules={"length": 5})
    thinker = turn_of(room)
    falls = clock_of(room).falls
    for number in range(13):
        watch.now += 1.0
        with suppress(FullprimeError):
            room.act(thinker, f"resign {number % 3 + 1}")
            room.act(OTHER[thinker], "refuse")
    assert clock_of(room).falls == falls
    watch.now += 3.0
    assert room.enforce(), "15 seconds are all there is"
    assert state(room)["match_winner"] == OTHER[thinker]


def test_who_resigns_loses_on_time_and_not_the_one_who_looks_away(rooms: Rooms, watch: Watch) -> None:
    room = friends(rooms, clock="2+4", rules={"length": 5})
    loser = turn_of(room)
    room.act(loser, "resign")
    watch.now += 60.0
    assert rooms.drop_flags() == 1
    assert state(room)["match_winner"] == OTHER[loser]


# -- offers -----------------------------------------------------------------------------------------------------
def test_the_player_on_turn_plays_on_and_the_offer_lapses(rooms: Rooms) -> None:
    room = friends(rooms, rules={"length": 5})
    side, other = turn_of(room), OTHER[turn_of(room)]
    before = state(room)["sequence"]
    told = room.act(side, "resign g", sequence=before)[0]
    assert [(event["kind"], event["player"]) for event in told] == [("resignation_offered", side)]
    mine, theirs = state(room, side), state(room, other)
    assert (mine["phase"], mine["turn"], mine["sequence"]) == ("play", side, before)
    assert mine["resigning"] == theirs["resigning"] == {"by": side, "level": 2}
    assert (mine["legal_actions"], theirs["legal_actions"]) == (["move"], []), "a program acts in its turn as before"
    assert (mine["beside_actions"], theirs["beside_actions"]) == ([], ["accept", "refuse"])
    assert state(room, None)["beside_actions"] == []
    some_play(room)
    assert state(room)["resigning"] is None
    for seat in (side, other):
        with pytest.raises(IllegalAction, match="no resignation waits"):
            room.act(seat, "accept")


def test_one_resigns_in_the_other_ones_turn(rooms: Rooms) -> None:
    room = friends(rooms, rules={"length": 1})
    turn, waiter = turn_of(room), OTHER[turn_of(room)]
    assert state(room, waiter)["beside_actions"] == ["resign"]
    room.act(waiter, "resign")
    now = state(room, turn)
    assert (now["legal_actions"], now["beside_actions"]) == (["move"], ["accept", "refuse"])
    with pytest.raises(Refusal, match="who answers your offer"):
        room.act(waiter, "accept")
    kinds = [event["kind"] for event in room.act(turn, "accept")[0]]
    assert kinds == ["accept", "game_over", "match_over"]
    now = state(room)
    assert (now["match_winner"], now["result"]["how"], now["ending"]["how"]) == (turn, "resignation", "played")
    assert room.match.games[0].result is not None
    assert not any(isinstance(event, Setup) for event in room.match.games[0].events), "the result is stated"


def test_one_offer_of_a_level_a_turn(rooms: Rooms) -> None:
    room = friends(rooms, rules={"length": 5})
    side, other = turn_of(room), OTHER[turn_of(room)]
    room.act(side, "resign")
    with pytest.raises(IllegalAction, match="waits for its answer"):
        room.act(side, "resign g")
    with pytest.raises(IllegalAction, match="accept or refuse that first"):
        room.act(other, "resign")
    room.act(other, "refuse")
    with pytest.raises(IllegalAction, match="once in a turn"):
        room.act(side, "resign")
    room.act(other, "resign")
    room.act(side, "refuse")
    room.act(side, "resign g")
    room.act(other, "no")
    for seat, line in ((side, "resign n"), (side, "resign g"), (other, "resign")):
        with pytest.raises(IllegalAction, match="once in a turn"):
            room.act(seat, line)
    some_play(room)
    assert turn_of(room) == other
    room.act(side, "resign")
    room.act(other, "refuse")
    some_play(room)  # a throw: the turn goes on
    with pytest.raises(IllegalAction, match="once in a turn"):
        room.act(side, "resign")


def test_what_was_done_is_done_by_a_repeated_request(rooms: Rooms) -> None:
    """An answer may be lost: the same words again are no second offer, and no error."""
    room = friends(rooms, rules={"length": 5})
    side, other = turn_of(room), OTHER[turn_of(room)]
    assert room.act(side, "resign") == room.act(side, "resign")
    assert room.act(other, "refuse") == room.act(other, "refuse")
    with pytest.raises(IllegalAction, match="has been refused"):
        room.act(other, "accept")
    kinds = [event["kind"] for event in room.frame("X")["events"]]
    assert (kinds.count("resignation_offered"), kinds.count("resignation_refused")) == (1, 1)


def test_nothing_is_offered_while_the_cube_waits_or_the_game_is_over(rooms: Rooms) -> None:
    room = friends(rooms, rules={"length": 5})
    some_play(room)
    doubler = turn_of(room)
    room.act(doubler, "double")
    for seat in ("X", "O"):
        with pytest.raises(IllegalAction, match="double waits"):
            room.act(seat, "resign")
        assert state(room, seat)["beside_actions"] == []
    room.act(OTHER[doubler], "refuse")
    with pytest.raises(IllegalAction, match="the game is over"):
        room.act("X", "resign")


@pytest.mark.parametrize("on_turn", [True, False])
@pytest.mark.parametrize("name", ["mat", "json", "sgf", "xg"])
def test_records_have_what_the_field_writes(rooms: Rooms, name: str, on_turn: bool) -> None:
    from fullprime.formats import read

    room = friends(rooms, rules={"length": 5})
    turn = turn_of(room)
    loser = turn if on_turn else OTHER[turn]
    room.act(loser, "resign g")
    room.act(OTHER[loser], "refuse")
    room.act(loser, "resign b")
    room.act(OTHER[loser], "accept")
    kinds = [event.kind for event in room.match.games[0].events if not isinstance(event, Setup)]
    assert (kinds[-2:] == [ActionKind.RESIGN, ActionKind.ACCEPT]) is on_turn
    assert ActionKind.REFUSE not in kinds
    document = read(room.record(name)[0]).documents[0]
    result = document.match.games[0].result
    assert result is not None
    assert (result.winner.name, result.points) == (OTHER[loser], 3)


def test_an_offer_is_known_after_a_start_and_told_in_its_place(tmp_path: Path) -> None:
    url = str(tmp_path / "games.db")
    with closing(Rooms(url)) as rooms:
        room = friends(rooms, rules={"length": 5})
        side, other = turn_of(room), OTHER[turn_of(room)]
        room.act(side, "resign")
        room.act(other, "refuse")
        some_play(room)
        room.act(side, "resign g")
        before = seen(room)
        with closing(Rooms(url)) as again:
            there = again.room(room.id)
            assert seen(there) == before
            there.act(other, "accept")
            over = seen(there)
        with closing(Rooms(url)) as again:
            assert seen(again.room(room.id)) == over
            assert again.verify(room.id).faults == ()
    texts = [event["text"] for event in over["X"]["events"]]
    names = {"X": "Ann", "O": "Bob"}
    offered = texts.index(f"{names[side]} offers to resign a single game")
    assert texts[offered + 1] == f"{names[other]} refuses the resignation"
    assert texts[-3:-1] == [f"{names[side]} offers to resign a gammon", f"{names[other]} accepts the resignation"]


def test_at_one_screen_a_resignation_waits_for_its_answer_as_before(rooms: Rooms) -> None:
    room, _, _ = rooms.create(opponent="screen", name="Ann", other_name="Bob", rules={"length": 3})
    room.add_seed("both", "ab")
    room.act("both", "resign g")
    now = state(room, "both")
    assert (now["phase"], now["legal_actions"]) == ("resignation_offered", ["accept", "refuse"])
    assert now["resigning"] == {"by": now["on_roll"], "level": 2}
    room.act("both", "accept")
    assert state(room, "both")["result"]["level"] == 2
