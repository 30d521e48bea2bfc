"""Attacks on clocks by offers to resign, at a real server: an offer stands beside the game and touches no clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from typing import Any

import httpx
import pytest
from tests.web.conftest import Server
from tests.web.people import guest
from tests.web.seat import Seat, friends

CLOCK = "5+600"


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with guest(shared_server) as client:
        yield client


def in_turn(client: httpx.Client, **agreed: Any) -> tuple[Seat, Seat]:
    """The player on turn and the one who waits, in a game with a clock."""
    host, other = friends(client, clock=CLOCK, rules={"length": 5}, **agreed)
    return (host, other) if host.state["turn"] == "X" else (other, host)


def test_thirteen_offers_in_a_turn_do_not_renew_the_clock(client: httpx.Client) -> None:
    thinker, other = in_turn(client)
    before = thinker.state
    levels = cycle("nnggbb")
    statuses = []
    for _ in range(13):
        statuses.append(thinker.act(f"resign {next(levels)}", sequence=before["sequence"]).status_code)
        other.act("refuse", sequence=before["sequence"])
    assert statuses.count(200) == 3, "one offer of a level"
    assert set(statuses) == {200, 400}
    now = thinker.state
    assert (now["clock"], now["sequence"], now["phase"]) == (before["clock"], before["sequence"], before["phase"])


def test_offers_cost_the_other_player_no_time(client: httpx.Client) -> None:
    """Eight offers took 16 seconds of the reserve of the player who had to answer each."""
    thinker, other = in_turn(client)
    before = other.state["clock"]
    for level in "ngbngbng":
        with suppress(AssertionError):
            thinker.does(f"resign {level}")
        now = other.state["clock"]
        assert (now["running"], now["left"]) == (thinker.state["you"], before["left"])
        other.act("refuse")


def test_nobody_loses_on_time_in_a_turn_that_is_not_theirs(client: httpx.Client) -> None:
    """The player on turn resigned; the other one looked away, and lost the match."""
    loser, away = in_turn(client)
    clock = loser.state["clock"]
    loser.does("resign")
    assert away.state["clock"] == clock
    assert away.state["clock"]["running"] == loser.state["you"]
    assert away.state["beside_actions"] == ["accept", "refuse"]
    loser.does(loser.state["plays"][0])
    state = away.state
    assert (state["resigning"], state["clock"]["left"]) == (None, clock["left"])
    assert away.act("accept").status_code == 400, "the offer has lapsed"


def test_one_resigns_in_a_turn_of_the_other(client: httpx.Client) -> None:
    thinker, waiter = in_turn(client)
    waiter.does("resign g")
    assert thinker.state["resigning"] == {"by": waiter.state["you"], "level": 2}
    events = thinker.does("accept")["events"]
    assert [event["kind"] for event in events] == ["accept", "game_over"]
    assert thinker.state["result"] | {"money": None} == {
        "winner": thinker.state["you"], "points": 2, "level": 2, "how": "resignation", "money": None,
    }  # fmt: skip
    record = client.get(f"/api/games/{thinker.game}/record?format=mat", headers=thinker.headers)
    assert record.status_code == 200
    assert "Wins 2 points" in record.text
