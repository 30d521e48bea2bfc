"""Dice from links: nobody foresees them, nothing but the promised link is taken, and a restart changes nothing."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.play.dicing import Players, Time, against_bot, between, secret

from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreError
from fullprime.play import dice, proof
from fullprime.play.events import ActionTaken
from fullprime.play.head import LINK_GIVEN_UP
from fullprime.play.server import service
from fullprime.play.server.rooms import Rooms
from fullprime.play.writer import Append
from fullprime.rules.dice import SeededDice
from fullprime.rules.errors import IllegalAction, RulesError, SettingsError
from fullprime.rules.links import LENGTH, LinkChain, ToldChain, hashed, is_link, linked_dice, new_secret
from fullprime.rules.score import Player


@pytest.fixture(autouse=True)
def _the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server draws its secrets and the names of games from a row."""
    secrets, names = count(1000), count(1)
    monkeypatch.setattr(service, "new_secret", lambda: secret(next(secrets)))
    monkeypatch.setattr(service, "new_id", lambda: f"room{next(names)}")


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def rooms(time: Time) -> Iterator[Rooms]:
    with closing(Rooms(":memory:", clock=time)) as found:
        yield found


def throws(players: Players) -> list[Any]:
    links = players.room.proof["links"]
    assert links is not None
    return list(links["throws"])


# -- chains -----------------------------------------------------------------------------------------------------
def test_a_chain_gives_each_link_once_and_the_anchor_checks_them_all() -> None:
    chain = LinkChain(secret(1), first=5, length=200)
    links = [chain.link(number) for number in range(5, 205)]
    assert links[-1] == chain.secret
    assert [hashed(after) for after in links] == [chain.anchor, *links[:-1]]
    assert chain.last == 204
    for number in (4, 205):
        with pytest.raises(RulesError):
            chain.link(number)
    shuffled = list(range(5, 205))
    random.Random(1).shuffle(shuffled)
    assert all(chain.link(number) == links[number - 5] for number in shuffled)


def test_a_told_chain_takes_nothing_but_the_promised_link() -> None:
    chain, other = LinkChain(secret(1)), LinkChain(secret(2))
    told = ToldChain(chain.anchor)
    for number, link in (
        (1, other.link(1)),
        (1, chain.link(2)),
        (2, chain.link(1)),
        (1, chain.anchor),
        (0, chain.anchor),
        (1, "ab"),
        (1, chain.link(1).upper()),
        (LENGTH + 1, chain.link(1)),
    ):
        with pytest.raises(IllegalAction):
            told.tell(number, link)
    assert told.top == 0
    told.tell(3, chain.link(3))
    assert [told.at(number) for number in range(5)] == [chain.anchor, *map(chain.link, (1, 2, 3)), None]
    told.tell(2, chain.link(2))
    assert told.top == 3


def test_the_dice_are_uniform_and_their_order_is_that_of_the_formula() -> None:
    server, x = LinkChain(secret(3)), LinkChain(secret(4))
    found = Counter(linked_dice(number, server.link(number), x.link(number), "") for number in range(1, LENGTH + 1))
    expected = LENGTH / 36
    assert len(found) == 36
    assert sum((count - expected) ** 2 / expected for count in found.values()) < 66.6, "chi square, 35 degrees, 0.1 %"
    source = SeededDice(f"fullprime-2:7:{server.link(7)}:{x.link(7)}:ab")
    assert linked_dice(7, server.link(7), x.link(7), "ab") == (source.die(), source.die())


def test_every_part_of_a_throw_changes_it_and_none_leaves_a_die_impossible() -> None:
    """Whoever knows all but one link knows nothing: over the unknown one all 36 throws come."""
    server, x, o = (LinkChain(secret(number)).link(1) for number in (5, 6, 7))
    for place in range(3):
        parts = [server, x, o]
        seen = set()
        for number in range(600):
            parts[place] = hashed(secret(number))
            seen.add(linked_dice(1, *parts))
        assert len(seen) == 36


# -- games ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("given", [(1, 2), (1, None), (None, 2), (None, None)])
def test_a_game_is_proved_and_marks_who_gave_no_links(rooms: Rooms, given: tuple[int | None, int | None]) -> None:
    players = between(rooms, *given)
    players.play()
    found = rooms.verify(players.room.id)
    assert found.faults == ()
    sides = {side for side, number in zip("XO", given, strict=True) if number is not None}
    for each in throws(players):
        assert set(each["links"]) == ({"X", "O"} if each["by"] == "both" else {each["by"]}) & sides
        assert each["without"] == []
    assert found.without_link == sum(not each["links"] for each in throws(players))
    told = players.room.proof
    assert told["throws"] == [each["dice"] for each in throws(players)]
    assert LinkChain(str(told["secret"])).anchor == told["commitment"]


def test_a_bots_throws_need_the_persons_link(rooms: Rooms) -> None:
    players = against_bot(rooms, 1)
    while players.step():
        pass
    found = throws(players)
    assert {each["by"] for each in found} == {"X", "O", "both"}
    assert all(each["links"] == ["X"] for each in found)
    proved = players.room.proof["links"]
    assert proved is not None
    assert (proved["givers"], proved["seats"]) == (["X", "X"], ["human", "random"])
    assert rooms.verify(players.room.id).faults == ()


def test_nothing_is_thrown_before_both_have_told_their_links(rooms: Rooms) -> None:
    players = between(rooms, 1, 2)
    room, state = players.room, players.state()
    assert (state["links"]["awaits"], state["links"]["number"]) == (["X", "O"], 1)
    assert players.state("O")["legal_actions"] == state["legal_actions"]
    with pytest.raises(IllegalAction, match="needs the next link of Ann and Bob"):
        room.act("X", "roll")
    with pytest.raises(Refusal, match="number 1, not 2"):
        room.give_link("X", 2, str(players.link("X", 2)))
    with pytest.raises(Refusal, match="watching"):
        room.give_link(None, 1, str(players.link("X", 1)))
    with pytest.raises(IllegalAction, match="not the link that was promised"):
        room.give_link("X", 1, str(players.link("O", 1)))
    assert room.give_link("X", 1, str(players.link("X", 1))) == []
    assert players.state()["links"]["awaits"] == ["O"]
    assert players.link("X", 1) not in json.dumps(room.frame("O")), "the other one does not see it before"
    with pytest.raises(IllegalAction, match="no link of yours is awaited"):
        room.give_link("X", 1, str(players.link("X", 1)))
    events = room.give_link("O", 1, str(players.link("O", 1)))
    assert events[0]["kind"] in ("opening", "tie")
    with pytest.raises(Refusal, match="number 2, not 1"):
        room.give_link("O", 1, str(players.link("O", 1)))


def to_a_roll(players: Players) -> Any:
    """Play on to a cube decision; gives the state of the player who has it."""
    for _ in range(200):
        state = players.state()
        if state["phase"] == "cube_decision" and not state["links"]["awaits"]:
            return players.state(state["turn"])
        players.step()
    raise AssertionError("nobody may double")


def test_a_link_goes_with_the_roll_alone_and_fits_or_nothing_happens(rooms: Rooms) -> None:
    players = between(rooms, 1, 2, rules={"length": 3})
    state = to_a_roll(players)
    side, number = state["turn"], state["links"]["number"]
    link, room = players.link(side, number), players.room
    for line, told, fault in (
        ("roll", None, "needs the next link"),
        ("double", link, "with the roll that needs it"),
        ("pip", link, "with the roll that needs it"),
        ("roll", players.link(side, number + 1), "not the link that was promised"),
        ("roll", secret(99), "not the link that was promised"),
    ):
        with pytest.raises(IllegalAction, match=fault):
            room.act(side, line, sequence=state["sequence"], link=told)
    assert players.state()["sequence"] == state["sequence"]
    with pytest.raises(IllegalAction, match="no link of yours is awaited"):
        room.give_link(side, number, str(link))
    room.act(side, "roll", sequence=state["sequence"], link=link)
    with pytest.raises(Refusal, match="gone on"):
        room.act(side, "roll", sequence=state["sequence"], link=link)


def test_an_anchor_is_ones_own(rooms: Rooms) -> None:
    room, _, invitation = rooms.create(opponent="friend", name="Ann")
    room.join(str(invitation), "Bob")
    mine = LinkChain(secret(1)).anchor
    for bad, fault in (("ab", "64 hexadecimal digits"), (room.commitment, "anchor already"), ("Z" * 64, "hexadecimal")):
        with pytest.raises(SettingsError, match=fault):
            room.add_seed("X", bad, links=True)
    room.add_seed("X", mine, links=True)
    with pytest.raises(SettingsError, match="anchor already"):
        room.add_seed("O", mine, links=True)


# -- takebacks, new chains --------------------------------------------------------------------------------------
def test_after_a_takeback_the_same_throws_come_again_without_new_links(rooms: Rooms) -> None:
    players = against_bot(rooms, 1, rules={"length": 15})
    for _ in range(40):
        players.step()
    before = throws(players)
    while True:
        try:
            players.room.take_back("X", 3)
            break
        except IllegalAction:
            players.step()
            before = throws(players)
    players.play()
    found = throws(players)
    again = [each for each in found[len(before) :] if each["number"] <= len(before)]
    assert again
    known = {(each["number"], each["by"]): each["dice"] for each in before}
    assert all(known.get((each["number"], each["by"]), each["dice"]) == each["dice"] for each in again)
    assert rooms.verify(players.room.id).faults == ()


def test_another_device_begins_a_chain_that_the_proof_shows(rooms: Rooms) -> None:
    players = between(rooms, 1, 2, rules={"length": 3})
    state = to_a_roll(players)
    side, number, room = state["turn"], state["links"]["number"], players.room
    new = LinkChain(secret(50), number)
    with pytest.raises(Refusal, match=f"number {number}, not {number + 1}"):
        room.begin_chain(side, number + 1, new.anchor)
    with pytest.raises(Refusal, match="watching"):
        room.begin_chain(None, number, new.anchor)
    old = players.link(side, number)
    room.begin_chain(side, number, new.anchor)
    with pytest.raises(IllegalAction):
        room.act(side, "roll", link=old)
    players.chains[side] = new
    players.play()
    proved = room.proof["links"]
    assert proved is not None
    assert proved["chains"][-1] == {"whose": side, "first": number, "anchor": new.anchor}
    assert rooms.verify(room.id).faults == ()


def test_the_server_begins_a_new_chain_before_a_game_when_few_links_are_left(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice, "SPARE", LENGTH - 10)
    monkeypatch.setattr(proof, "SPARE", LENGTH - 10)
    players = between(rooms, 1, 2, rules={"length": 7, "cube": False})
    players.play()
    proved = players.room.proof["links"]
    assert proved is not None
    mine = [each for each in proved["chains"] if each["whose"] == "server"]
    assert len(mine) > 1
    assert rooms.verify(players.room.id).faults == ()
    monkeypatch.undo()
    assert "had no reason" in rooms.verify(players.room.id).faults[0], "it may not begin one when it likes"


def test_no_other_dice_by_a_takeback_and_a_new_chain(rooms: Rooms) -> None:
    """Who takes back a throw knows the server's link of it: with a chain made for it the dice could be chosen."""
    for given in (None, 1):
        players = against_bot(rooms, given, rules={"length": 15})
        room = players.room
        for _ in range(40):
            players.step()
        before = throws(players)
        while True:
            try:
                room.take_back("X", 2)
                break
            except IllegalAction:
                players.step()
                before = throws(players)
        number = players.state()["links"]["number"]
        assert number <= len(before)
        assert players.state()["links"]["needed"] == []
        with pytest.raises(IllegalAction, match=r"same dice|told already|promised no"):
            room.begin_chain("X", number, LinkChain(secret(77), number).anchor)
        while players.state()["links"]["number"] <= len(before):
            players.step()
        players.step()
        known = {each["number"]: each["dice"] for each in before}
        assert all(known.get(each["number"], each["dice"]) == each["dice"] for each in throws(players))


def test_who_has_added_a_seed_promises_no_links_later(rooms: Rooms) -> None:
    """The throws so far would no longer follow from the seed: the proof of an honest game failed."""
    players = against_bot(rooms, None, rules={"length": 3})
    for _ in range(10):
        players.step()
    number = players.state()["links"]["number"]
    with pytest.raises(IllegalAction, match="promised no links"):
        players.room.begin_chain("X", number, LinkChain(secret(5), number).anchor)
    players.play()
    assert rooms.verify(players.room.id).faults == ()


def test_nobody_makes_a_state_long_by_chains(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    players = between(rooms, 1, 2, rules={"length": 3})
    for each in range(dice.CHAINS_AT_ONCE - 1):
        players.room.begin_chain("X", 1, LinkChain(secret(20 + each), 1).anchor)
    with pytest.raises(IllegalAction, match="too many chains"):
        players.room.begin_chain("X", 1, LinkChain(secret(30), 1).anchor)
    players.room.begin_chain("O", 1, LinkChain(secret(31), 1).anchor)
    players.chains = {"X": LinkChain(secret(20 + dice.CHAINS_AT_ONCE - 2)), "O": LinkChain(secret(31))}
    players.step()
    players.step()
    number = players.state()["links"]["number"]
    assert number > 1
    monkeypatch.setattr(dice, "CHAINS", dice.CHAINS_AT_ONCE + 1)
    players.room.begin_chain("X", number, LinkChain(secret(32), number).anchor)
    with pytest.raises(IllegalAction, match="too many chains"):
        players.room.begin_chain("X", number, LinkChain(secret(33), number).anchor)


# -- restarts ---------------------------------------------------------------------------------------------------
@pytest.mark.broad
def test_a_restart_between_any_two_steps_changes_no_throw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same links and the same choices give the same game, although every step is by another server."""
    monkeypatch.setattr(service, "new_secret", lambda: secret(1000))
    database = str(tmp_path / "games.db")
    with closing(Rooms(database)) as rooms:
        players = between(rooms, 1, 2, rules={"length": 2})
        name = players.room.id
    for _ in range(400):
        with closing(Rooms(database)) as rooms:
            players.room = rooms.room(name)
            if not players.step():
                break
    with closing(Rooms(database)) as rooms:
        assert rooms.verify(name).faults == ()
        broken = throws(Players(rooms.room(name), {}))
    with closing(Rooms(":memory:")) as rooms:
        again = between(rooms, 1, 2, rules={"length": 2})
        again.play()
        assert throws(again) == broken


def test_a_throw_that_was_not_stored_comes_again_with_the_same_dice(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = between(rooms, 1, 2, rules={"length": 3})
    state = to_a_roll(players)
    side, number, room = state["turn"], state["links"]["number"], players.room
    written: list[Append] = []

    async def fail(item: Append) -> None:
        written.append(item)
        raise StoreError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(rooms.service._writer, "append", fail)
        with pytest.raises(StoreError):
            room.act(side, "roll", link=players.link(side, number))
    wanted = players.state()["links"]["needed"]
    assert wanted == [side], "another process, which has heard nothing, would refuse a roll without it"
    events, _ = room.act(side, "roll", link=players.link(side, number))
    lost = written[0].entries[0].event
    assert isinstance(lost, ActionTaken)
    assert sorted(events[0]["dice"]) == sorted(lost.action.dice or ())  # type: ignore[typeddict-item]
    assert lost.links == {Player[side]: players.link(side, number)}


# -- links that are withheld ------------------------------------------------------------------------------------
def test_who_withholds_a_link_loses_when_the_other_claims(rooms: Rooms, time: Time) -> None:
    players = between(rooms, 1, 2, grace=100)
    room = players.room
    room.give_link("X", 1, str(players.link("X", 1)))
    assert players.state()["links"]["since"] is not None
    with pytest.raises(IllegalAction):
        room.claim("X")
    time.pass_by(101)
    with pytest.raises(IllegalAction):
        room.claim("O")
    room.claim("X")
    assert players.state()["match_winner"] == "X"
    assert rooms.verify(room.id).faults == ()


def test_in_a_game_by_days_the_server_throws_without_the_link_of_who_is_away(rooms: Rooms, time: Time) -> None:
    players = between(rooms, 1, 2, clock="3d")
    room = players.room
    room.give_link("X", 1, str(players.link("X", 1)))
    assert not room.enforce()
    assert players.state()["links"]["awaits"] == ["O"]
    time.pass_by(LINK_GIVEN_UP.total_seconds() + 1)
    assert room.enforce()
    (first, *_) = throws(players)
    assert (first["links"], first["without"], first["o"]) == (["X"], ["O"], players.chains["O"].anchor)
    players.play()
    assert rooms.verify(room.id).faults == ()


# -- databases that were changed -----------------------------------------------------------------------------------
def test_a_change_of_any_stored_link_is_found(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with closing(Rooms(str(database))) as rooms:
        players = between(rooms, 1, 2)
        players.play()
        name = players.room.id
    with closing(sqlite3.connect(database)) as kept:
        rows = kept.execute(
            "SELECT sequence, data FROM session_events WHERE kind = 'action_taken' AND data LIKE '%\"links\"%'"
        ).fetchall()
        assert len(rows) > 6
        for sequence, text in rows[:: len(rows) // 6]:
            event = json.loads(text)
            side = next(iter(event["links"]))
            event["links"][side] = hashed(event["links"][side])
            for changed in (json.dumps(event), json.dumps({k: v for k, v in event.items() if k != "links"})):
                with kept:
                    kept.execute("UPDATE session_events SET data = ? WHERE sequence = ?", (changed, sequence))
                with closing(Rooms(str(database))) as rooms:
                    try:
                        found = rooms.verify(name)
                        assert found.faults or found.without_link, changed
                    except (RulesError, StoreError):
                        pass
            with kept:
                kept.execute("UPDATE session_events SET data = ? WHERE sequence = ?", (text, sequence))


def test_secrets_are_links() -> None:
    assert is_link(new_secret())
