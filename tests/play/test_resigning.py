"""Offers to resign between people stand beside the game: they touch no clock, and no record but that of their end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.play.dicing import Players, between, secret
from tests.play.seen import frame_of
from tests.play.test_retelling import friends, seen

from fullprime.analysis import at_table
from fullprime.common.refusals import Refusal
from fullprime.db import times
from fullprime.db.times import SteadyClock, utc_now
from fullprime.play.clocks import Clock
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.rules.errors import FullprimeError, IllegalAction
from fullprime.rules.game import ActionKind
from fullprime.rules.links import LinkChain
from fullprime.rules.record import Setup
from fullprime.rules.score import Player

DELAY, RESERVE = 5.0, 10.0
OTHER = {"X": "O", "O": "X"}


class Watch:
    """A clock that the test sets forward; the whole program goes by it while it is worn."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    @contextmanager
    def worn(self) -> Iterator[None]:
        usual_clock, times._clock = times._clock, SteadyClock(lambda: self.now, lambda: self.now, ahead=0.0)
        try:
            yield
        finally:
            times._clock = usual_clock


@pytest.fixture
def watch() -> Iterator[Watch]:
    watcher = Watch()
    with watcher.worn():
        yield watcher


@pytest.fixture
def game_server() -> Iterator[GameServer]:
    with closing(GameServer(":memory:")) as game_server:
        yield game_server


def clock_of(handle: SessionHandle) -> Clock:
    clock = handle.session.clock
    assert clock is not None
    return clock


def state(handle: SessionHandle, seat: Any = "X") -> Any:
    return frame_of(handle, seat, [])["state"]


def turn_of(handle: SessionHandle) -> Any:
    return state(handle)["turn"]


def some_play(handle: SessionHandle) -> None:
    """The player on turn goes on: by the first play, or by a throw."""
    side = turn_of(handle)
    now = state(handle, side)
    handle.act(side, now["plays"][0] if now["phase"] == "play" else "roll")


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
    handle, number = players.handle, state(players.handle)["links"]["number"]
    match deed:
        case "talk":
            at_table.say(handle, seat, phrase="hello")
        case "chain":
            handle.begin_chain(seat, number, LinkChain(secret(number), number, 8).anchor)
        case "link":
            handle.give_link(seat, number + 1, secret(number))
        case "end":
            with suppress(FullprimeError):
                handle.take_back(seat)
            if not handle.session.end_offers:
                handle.close(seat, "agree")
        case "claim":
            handle.claim(seat)
        case "nonsense":
            handle.act(seat, "accept twice")
        case _:
            handle.act(seat, f"{deed} {more}".strip())


# One server for all examples: each has a game of its own on it, and to open a database takes longer than to play.
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.integers(0, 7),
    deeds=st.lists(st.tuples(DEEDS, st.floats(0.0, 1.0)), min_size=1, max_size=25),
)
def test_nothing_but_the_board_changes_what_time_is_left_to_anybody(
    game_server: GameServer, watch: Watch, steps: int, deeds: list[tuple[tuple[str, str, str], float]]
) -> None:
    players = between(game_server, 1, 2, clock=f"{DELAY:g}+{RESERVE:g}", rules={"length": 9})
    for _ in range(steps):
        watch.now += 1.0
        players.step()
    handle = players.handle
    clock, version = clock_of(handle), handle.session.board_version
    if clock.running is None or clock.falls is None or handle.is_closed:
        return
    waits, cube_waits = clock.running.other, state(handle)["cube"]["offered"]
    for (deed, seat, more), seconds in deeds:
        if cube_waits and deed == "refuse":
            continue  # it answers the cube
        watch.now += seconds * (DELAY + RESERVE - 2.0) / len(deeds)
        with suppress(FullprimeError):
            does(players, deed, seat, more)
        now = clock_of(handle)
        assert handle.session.board_version == version, f"{deed} of {seat} is no event of the match"
        assert now.falls == clock.falls, f"{deed} of {seat} moved the flag"
        assert now.reserves_at(utc_now())[waits] == clock.left[waits], f"{deed} of {seat} cost the other one time"
        assert handle.session.turn is clock.running


def test_refused_offers_give_no_time_to_think(game_server: GameServer, watch: Watch) -> None:
    """Thirteen refused offers in one turn gave 42 seconds at 5+10, and the reserve was whole."""
    handle = friends(game_server, clock="5+10", rules={"length": 5})
    thinker = turn_of(handle)
    falls = clock_of(handle).falls
    for number in range(13):
        watch.now += 1.0
        with suppress(FullprimeError):
            handle.act(thinker, f"resign {number % 3 + 1}")
            handle.act(OTHER[thinker], "refuse")
    assert clock_of(handle).falls == falls
    watch.now += 3.0
    assert handle.enforce_deadline(), "15 seconds are all there is"
    assert state(handle)["match_winner"] == OTHER[thinker]


def test_who_resigns_loses_on_time_and_not_the_one_who_looks_away(game_server: GameServer, watch: Watch) -> None:
    handle = friends(game_server, clock="2+4", rules={"length": 5})
    loser = turn_of(handle)
    handle.act(loser, "resign")
    watch.now += 60.0
    assert game_server.enforce_deadlines() == 1
    assert state(handle)["match_winner"] == OTHER[loser]


# -- offers -----------------------------------------------------------------------------------------------------
def test_the_player_on_turn_plays_on_and_the_offer_lapses(game_server: GameServer) -> None:
    handle = friends(game_server, rules={"length": 5})
    side, other = turn_of(handle), OTHER[turn_of(handle)]
    before = state(handle)["sequence"]
    event = handle.act(side, "resign g", sequence=before)[0]
    assert [(event.kind, event.player) for event in event] == [("resignation_offered", Player[side])]
    mine, theirs = state(handle, side), state(handle, other)
    assert (mine["phase"], mine["turn"], mine["sequence"]) == ("play", side, before)
    assert mine["resigning"] == theirs["resigning"] == {"by": side, "level": 2}
    assert (mine["legal_actions"], theirs["legal_actions"]) == (["move"], []), "a program acts in its turn as before"
    assert (mine["beside_actions"], theirs["beside_actions"]) == ([], ["accept", "refuse"])
    assert state(handle, None)["beside_actions"] == []
    some_play(handle)
    assert state(handle)["resigning"] is None
    for seat in (side, other):
        with pytest.raises(IllegalAction, match="no resignation waits"):
            handle.act(seat, "accept")


def test_one_resigns_in_the_other_ones_turn(game_server: GameServer) -> None:
    handle = friends(game_server, rules={"length": 1})
    turn, waiter = turn_of(handle), OTHER[turn_of(handle)]
    assert state(handle, waiter)["beside_actions"] == ["resign"]
    handle.act(waiter, "resign")
    now = state(handle, turn)
    assert (now["legal_actions"], now["beside_actions"]) == (["move"], ["accept", "refuse"])
    with pytest.raises(Refusal, match="who answers your offer"):
        handle.act(waiter, "accept")
    kinds = [event.kind for event in handle.act(turn, "accept")[0]]
    assert kinds == ["accept", "game_over", "match_over"]
    now = state(handle)
    assert (now["match_winner"], now["result"]["how"], now["ending"]["how"]) == (turn, "resignation", "played")
    assert handle.match.games[0].result is not None
    assert not any(isinstance(event, Setup) for event in handle.match.games[0].events), "the result is stated"


def test_one_offer_of_a_level_a_turn(game_server: GameServer) -> None:
    handle = friends(game_server, rules={"length": 5})
    side, other = turn_of(handle), OTHER[turn_of(handle)]
    handle.act(side, "resign")
    with pytest.raises(IllegalAction, match="waits for its answer"):
        handle.act(side, "resign g")
    with pytest.raises(IllegalAction, match="accept or refuse that first"):
        handle.act(other, "resign")
    handle.act(other, "refuse")
    with pytest.raises(IllegalAction, match="once in a turn"):
        handle.act(side, "resign")
    handle.act(other, "resign")
    handle.act(side, "refuse")
    handle.act(side, "resign g")
    handle.act(other, "no")
    for seat, line in ((side, "resign n"), (side, "resign g"), (other, "resign")):
        with pytest.raises(IllegalAction, match="once in a turn"):
            handle.act(seat, line)
    some_play(handle)
    assert turn_of(handle) == other
    handle.act(side, "resign")
    handle.act(other, "refuse")
    some_play(handle)  # a throw: the turn goes on
    with pytest.raises(IllegalAction, match="once in a turn"):
        handle.act(side, "resign")


def test_what_was_done_is_done_by_a_repeated_request(game_server: GameServer) -> None:
    """An answer may be lost: the same words again are no second offer, and no error."""
    handle = friends(game_server, rules={"length": 5})
    side, other = turn_of(handle), OTHER[turn_of(handle)]
    assert handle.act(side, "resign") == handle.act(side, "resign")
    assert handle.act(other, "refuse") == handle.act(other, "refuse")
    with pytest.raises(IllegalAction, match="has been refused"):
        handle.act(other, "accept")
    kinds = [event["kind"] for event in frame_of(handle, "X")["events"]]
    assert (kinds.count("resignation_offered"), kinds.count("resignation_refused")) == (1, 1)


def test_nothing_is_offered_while_the_cube_waits_or_the_game_is_over(game_server: GameServer) -> None:
    handle = friends(game_server, rules={"length": 5})
    some_play(handle)
    doubler = turn_of(handle)
    handle.act(doubler, "double")
    for seat in ("X", "O"):
        with pytest.raises(IllegalAction, match="double waits"):
            handle.act(seat, "resign")
        assert state(handle, seat)["beside_actions"] == []
    handle.act(OTHER[doubler], "refuse")
    with pytest.raises(IllegalAction, match="the game is over"):
        handle.act("X", "resign")


@pytest.mark.parametrize("on_turn", [True, False])
@pytest.mark.parametrize("name", ["mat", "json", "sgf", "xg"])
def test_records_have_what_the_field_writes(game_server: GameServer, name: str, on_turn: bool) -> None:
    from fullprime.formats import read

    handle = friends(game_server, rules={"length": 5})
    turn = turn_of(handle)
    loser = turn if on_turn else OTHER[turn]
    handle.act(loser, "resign g")
    handle.act(OTHER[loser], "refuse")
    handle.act(loser, "resign b")
    handle.act(OTHER[loser], "accept")
    kinds = [event.kind for event in handle.match.games[0].events if not isinstance(event, Setup)]
    assert (kinds[-2:] == [ActionKind.RESIGN, ActionKind.ACCEPT]) is on_turn
    assert ActionKind.REFUSE not in kinds
    document = read(handle.record(name)[0]).documents[0]
    result = document.match.games[0].result
    assert result is not None
    assert (result.winner.name, result.points) == (OTHER[loser], 3)


def test_an_offer_is_known_after_a_start_and_told_in_its_place(tmp_path: Path) -> None:
    url = str(tmp_path / "games.db")
    with closing(GameServer(url)) as game_server:
        handle = friends(game_server, rules={"length": 5})
        side, other = turn_of(handle), OTHER[turn_of(handle)]
        handle.act(side, "resign")
        handle.act(other, "refuse")
        some_play(handle)
        handle.act(side, "resign g")
        before = seen(handle)
        with closing(GameServer(url)) as again:
            there = again.get_handle(handle.id)
            assert seen(there) == before
            there.act(other, "accept")
            over = seen(there)
        with closing(GameServer(url)) as again:
            assert seen(again.get_handle(handle.id)) == over
            assert again.verify(handle.id).faults == ()
    texts = [event["text"] for event in over["X"]["events"]]
    names = {"X": "Ann", "O": "Bob"}
    offered = texts.index(f"{names[side]} offers to resign a single game")
    assert texts[offered + 1] == f"{names[other]} refuses the resignation"
    assert texts[-3:-1] == [f"{names[side]} offers to resign a gammon", f"{names[other]} accepts the resignation"]


def test_at_one_screen_a_resignation_waits_for_its_answer_as_before(game_server: GameServer) -> None:
    handle, _, _ = game_server.create(opponent="screen", name="Ann", other_name="Bob", rules={"length": 3})
    handle.add_seed("both", "ab")
    handle.act("both", "resign g")
    now = state(handle, "both")
    assert (now["phase"], now["legal_actions"]) == ("resignation_offered", ["accept", "refuse"])
    assert now["resigning"] == {"by": now["on_roll"], "level": 2}
    handle.act("both", "accept")
    assert state(handle, "both")["result"]["level"] == 2
