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
from tests.play.seen import frame_of

from fullprime.common.json_values import to_json
from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreError
from fullprime.play import dice, proof
from fullprime.play.events import ActionTaken
from fullprime.play.server import service
from fullprime.play.server.game_server import GameServer
from fullprime.play.session import LINK_GIVEN_UP
from fullprime.play.writer import Append
from fullprime.rules.dice import SeededDice
from fullprime.rules.errors import IllegalAction, RulesError, SettingsError
from fullprime.rules.links import LENGTH, LinkChain, RevealedChain, hash_link, is_link, linked_dice, new_secret
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
def game_server(time: Time) -> Iterator[GameServer]:
    with closing(GameServer(":memory:", clock=time)) as server_at_time:
        yield server_at_time


def throws(players: Players) -> list[Any]:
    links = to_json(players.handle.proof)["links"]
    assert links is not None
    return list(links["throws"])


# -- chains -----------------------------------------------------------------------------------------------------
def test_a_chain_gives_each_link_once_and_the_anchor_checks_them_all() -> None:
    chain = LinkChain(secret(1), first=5, length=200)
    links = [chain.link(number) for number in range(5, 205)]
    assert links[-1] == chain.secret
    assert [hash_link(after) for after in links] == [chain.anchor, *links[:-1]]
    assert chain.last == 204
    for number in (4, 205):
        with pytest.raises(RulesError):
            chain.link(number)
    shuffled = list(range(5, 205))
    random.Random(1).shuffle(shuffled)
    assert all(chain.link(number) == links[number - 5] for number in shuffled)


def test_a_told_chain_takes_nothing_but_the_promised_link() -> None:
    chain, other = LinkChain(secret(1)), LinkChain(secret(2))
    own_chain = RevealedChain(chain.anchor)
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
            own_chain.reveal(number, link)
    assert own_chain.top == 0
    own_chain.reveal(3, chain.link(3))
    assert [own_chain.at(number) for number in range(5)] == [chain.anchor, *map(chain.link, (1, 2, 3)), None]
    own_chain.reveal(2, chain.link(2))
    assert own_chain.top == 3


def test_the_dice_are_uniform_and_their_order_is_that_of_the_formula() -> None:
    server, x = LinkChain(secret(3)), LinkChain(secret(4))
    counts = Counter(linked_dice(number, server.link(number), x.link(number), "") for number in range(1, LENGTH + 1))
    expected = LENGTH / 36
    assert len(counts) == 36
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 66.6, "chi square, 35 degrees, 0.1 %"
    source = SeededDice(f"fullprime-2:7:{server.link(7)}:{x.link(7)}:ab")
    assert linked_dice(7, server.link(7), x.link(7), "ab") == (source.die(), source.die())


def test_every_part_of_a_throw_changes_it_and_none_leaves_a_die_impossible() -> None:
    """Whoever knows all but one link knows nothing: over the unknown one all 36 throws come."""
    server, x, o = (LinkChain(secret(number)).link(1) for number in (5, 6, 7))
    for place in range(3):
        parts = [server, x, o]
        links_seen = set()
        for number in range(600):
            parts[place] = hash_link(secret(number))
            links_seen.add(linked_dice(1, *parts))
        assert len(links_seen) == 36


# -- games ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("link_seeds", [(1, 2), (1, None), (None, 2), (None, None)])
def test_a_game_is_proved_and_marks_who_gave_no_links(
    game_server: GameServer, link_seeds: tuple[int | None, int | None]
) -> None:
    players = between(game_server, *link_seeds)
    players.play()
    verdict = game_server.verify(players.handle.id)
    assert verdict.faults == ()
    sides = {side for side, number in zip("XO", link_seeds, strict=True) if number is not None}
    for throw in throws(players):
        assert set(throw["links"]) == ({"X", "O"} if throw["by"] == "both" else {throw["by"]}) & sides
        assert throw["without"] == []
    assert verdict.without_link == sum(not throw["links"] for throw in throws(players))
    proof = to_json(players.handle.proof)
    assert proof["throws"] == [throw["dice"] for throw in throws(players)]
    assert LinkChain(str(proof["secret"])).anchor == proof["commitment"]


def test_a_bots_throws_need_the_persons_link(game_server: GameServer) -> None:
    players = against_bot(game_server, 1)
    while players.step():
        pass
    proved_throws = throws(players)
    assert {throw["by"] for throw in proved_throws} == {"X", "O", "both"}
    assert all(throw["links"] == ["X"] for throw in proved_throws)
    proved = to_json(players.handle.proof)["links"]
    assert proved is not None
    assert (proved["givers"], proved["seats"]) == (["X", "X"], ["human", "random"])
    assert game_server.verify(players.handle.id).faults == ()


def test_nothing_is_thrown_before_both_have_told_their_links(game_server: GameServer) -> None:
    players = between(game_server, 1, 2)
    handle, state = players.handle, players.state()
    assert (state["links"]["awaits"], state["links"]["number"]) == (["X", "O"], 1)
    assert players.state("O")["legal_actions"] == state["legal_actions"]
    with pytest.raises(IllegalAction, match="needs the next links of Ann and Bob"):
        handle.act("X", "roll")
    with pytest.raises(Refusal, match="number 1, not 2"):
        handle.give_link("X", 2, str(players.link("X", 2)))
    with pytest.raises(Refusal, match="watching"):
        handle.give_link(None, 1, str(players.link("X", 1)))
    with pytest.raises(IllegalAction, match="not the link that was promised"):
        handle.give_link("X", 1, str(players.link("O", 1)))
    assert handle.give_link("X", 1, str(players.link("X", 1))) == []
    assert players.state()["links"]["awaits"] == ["O"]
    assert players.link("X", 1) not in json.dumps(frame_of(handle, "O")), "the other one does not see it before"
    assert handle.give_link("X", 1, str(players.link("X", 1))) == [], "the same once more, as after a lost answer"
    with pytest.raises(IllegalAction, match="no link of yours is awaited"):
        handle.give_link("X", 1, str(players.link("X", 2)))
    events = handle.give_link("O", 1, str(players.link("O", 1)))
    assert events[0].kind in ("opening", "tie")
    with pytest.raises(Refusal, match="number 2, not 1"):
        handle.give_link("O", 1, str(players.link("O", 1)))


def to_a_roll(players: Players) -> Any:
    """Play on to a cube decision; gives the state of the player who has it."""
    for _ in range(200):
        state = players.state()
        if state["phase"] == "cube_decision" and not state["links"]["awaits"]:
            return players.state(state["turn"])
        players.step()
    raise AssertionError("nobody may double")


def test_a_link_goes_with_the_roll_alone_and_fits_or_nothing_happens(game_server: GameServer) -> None:
    players = between(game_server, 1, 2, rules={"length": 3})
    state = to_a_roll(players)
    side, number = state["turn"], state["links"]["number"]
    link, handle = players.link(side, number), players.handle
    for line, link_told, fault in (
        ("roll", None, "needs the next link"),
        ("double", link, "with the roll that needs it"),
        ("pip", link, "with the roll that needs it"),
        ("roll", players.link(side, number + 1), "not the link that was promised"),
        ("roll", secret(99), "not the link that was promised"),
    ):
        with pytest.raises(IllegalAction, match=fault):
            handle.act(side, line, sequence=state["sequence"], link=link_told)
    assert players.state()["sequence"] == state["sequence"]
    with pytest.raises(IllegalAction, match="no link of yours is awaited"):
        handle.give_link(side, number, str(link))
    handle.act(side, "roll", sequence=state["sequence"], link=link)
    with pytest.raises(Refusal, match="gone on"):
        handle.act(side, "roll", sequence=state["sequence"], link=link)


def test_an_anchor_is_ones_own(game_server: GameServer) -> None:
    handle, _, invitation = game_server.create(opponent="friend", name="Ann")
    handle.join(str(invitation), "Bob")
    mine = LinkChain(secret(1)).anchor
    for bad, fault in (
        ("ab", "64 hexadecimal digits"),
        (handle.commitment, "anchor already"),
        ("Z" * 64, "hexadecimal"),
    ):
        with pytest.raises(SettingsError, match=fault):
            handle.add_seed("X", bad, links=True)
    handle.add_seed("X", mine, links=True)
    with pytest.raises(SettingsError, match="anchor already"):
        handle.add_seed("O", mine, links=True)


# -- takebacks, new chains --------------------------------------------------------------------------------------
def test_after_a_takeback_the_same_throws_come_again_without_new_links(game_server: GameServer) -> None:
    players = against_bot(game_server, 1, rules={"length": 15})
    for _ in range(40):
        players.step()
    before = throws(players)
    while True:
        try:
            players.handle.take_back("X", 3)
            break
        except IllegalAction:
            players.step()
            before = throws(players)
    players.play()
    proved_throws = throws(players)
    again = [throw for throw in proved_throws[len(before) :] if throw["number"] <= len(before)]
    assert again
    dice_by_number = {(throw["number"], throw["by"]): throw["dice"] for throw in before}
    assert all(dice_by_number.get((throw["number"], throw["by"]), throw["dice"]) == throw["dice"] for throw in again)
    assert game_server.verify(players.handle.id).faults == ()


def test_another_device_begins_a_chain_that_the_proof_shows(game_server: GameServer) -> None:
    players = between(game_server, 1, 2, rules={"length": 3})
    state = to_a_roll(players)
    side, number, handle = state["turn"], state["links"]["number"], players.handle
    new = LinkChain(secret(50), number)
    with pytest.raises(Refusal, match=f"number {number}, not {number + 1}"):
        handle.begin_chain(side, number + 1, new.anchor)
    with pytest.raises(Refusal, match="watching"):
        handle.begin_chain(None, number, new.anchor)
    old = players.link(side, number)
    handle.begin_chain(side, number, new.anchor)
    with pytest.raises(IllegalAction):
        handle.act(side, "roll", link=old)
    players.chains[side] = new
    players.play()
    proved = to_json(handle.proof)["links"]
    assert proved is not None
    assert proved["chains"][-1] == {"whose": side, "first": number, "anchor": new.anchor}
    assert game_server.verify(handle.id).faults == ()


def test_the_server_begins_a_new_chain_before_a_game_when_few_links_are_left(
    game_server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice, "SPARE", LENGTH - 10)
    monkeypatch.setattr(proof, "SPARE", LENGTH - 10)
    players = between(game_server, 1, 2, rules={"length": 7, "cube": False})
    players.play()
    proved = to_json(players.handle.proof)["links"]
    assert proved is not None
    mine = [chain for chain in proved["chains"] if chain["whose"] == "server"]
    assert len(mine) > 1
    assert game_server.verify(players.handle.id).faults == ()
    monkeypatch.undo()
    assert "had no reason" in game_server.verify(players.handle.id).faults[0], "it may not begin one when it likes"


def test_no_other_dice_by_a_takeback_and_a_new_chain(game_server: GameServer) -> None:
    """Who takes back a throw knows the server's link of it: with a chain made for it the dice could be chosen."""
    for link_seeds in (None, 1):
        players = against_bot(game_server, link_seeds, rules={"length": 15})
        handle = players.handle
        for _ in range(40):
            players.step()
        before = throws(players)
        while True:
            try:
                handle.take_back("X", 2)
                break
            except IllegalAction:
                players.step()
                before = throws(players)
        number = players.state()["links"]["number"]
        assert number <= len(before)
        assert players.state()["links"]["needed"] == []
        with pytest.raises(IllegalAction, match=r"same dice|told already|promised no"):
            handle.begin_chain("X", number, LinkChain(secret(77), number).anchor)
        while players.state()["links"]["number"] <= len(before):
            players.step()
        players.step()
        dice_by_number = {throw["number"]: throw["dice"] for throw in before}
        assert all(dice_by_number.get(throw["number"], throw["dice"]) == throw["dice"] for throw in throws(players))


def test_who_has_added_a_seed_promises_no_links_later(game_server: GameServer) -> None:
    """The throws so far would no longer follow from the seed: the proof of an honest game failed."""
    players = against_bot(game_server, None, rules={"length": 3})
    for _ in range(10):
        players.step()
    number = players.state()["links"]["number"]
    with pytest.raises(IllegalAction, match="promised no links"):
        players.handle.begin_chain("X", number, LinkChain(secret(5), number).anchor)
    players.play()
    assert game_server.verify(players.handle.id).faults == ()


def test_nobody_makes_a_state_long_by_chains(game_server: GameServer, monkeypatch: pytest.MonkeyPatch) -> None:
    players = between(game_server, 1, 2, rules={"length": 3})
    for seed in range(dice.CHAINS_AT_ONCE - 1):
        players.handle.begin_chain("X", 1, LinkChain(secret(20 + seed), 1).anchor)
    with pytest.raises(IllegalAction, match="too many chains"):
        players.handle.begin_chain("X", 1, LinkChain(secret(30), 1).anchor)
    players.handle.begin_chain("O", 1, LinkChain(secret(31), 1).anchor)
    players.chains = {"X": LinkChain(secret(20 + dice.CHAINS_AT_ONCE - 2)), "O": LinkChain(secret(31))}
    players.step()
    players.step()
    number = players.state()["links"]["number"]
    assert number > 1
    monkeypatch.setattr(dice, "CHAINS", dice.CHAINS_AT_ONCE + 1)
    players.handle.begin_chain("X", number, LinkChain(secret(32), number).anchor)
    with pytest.raises(IllegalAction, match="too many chains"):
        players.handle.begin_chain("X", number, LinkChain(secret(33), number).anchor)


# -- restarts ---------------------------------------------------------------------------------------------------
@pytest.mark.broad
def test_a_restart_between_any_two_steps_changes_no_throw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same links and the same choices give the same game, although every step is by another server."""
    monkeypatch.setattr(service, "new_secret", lambda: secret(1000))
    database = str(tmp_path / "games.db")
    with closing(GameServer(database)) as game_server:
        players = between(game_server, 1, 2, rules={"length": 2})
        name = players.handle.id
    for _ in range(400):
        with closing(GameServer(database)) as game_server:
            players.handle = game_server.get_handle(name)
            if not players.step():
                break
    with closing(GameServer(database)) as game_server:
        assert game_server.verify(name).faults == ()
        broken = throws(Players(game_server.get_handle(name), {}))
    with closing(GameServer(":memory:")) as game_server:
        again = between(game_server, 1, 2, rules={"length": 2})
        again.play()
        assert throws(again) == broken


def test_a_throw_that_was_not_stored_comes_again_with_the_same_dice(
    game_server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = between(game_server, 1, 2, rules={"length": 3})
    state = to_a_roll(players)
    side, number, handle = state["turn"], state["links"]["number"], players.handle
    written: list[Append] = []

    async def fail(item: Append) -> None:
        written.append(item)
        raise StoreError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(game_server.service._writer, "append", fail)
        with pytest.raises(StoreError):
            handle.act(side, "roll", link=players.link(side, number))
    wanted = players.state()["links"]["needed"]
    assert wanted == [side], "another process, which has heard nothing, would refuse a roll without it"
    events, _ = handle.act(side, "roll", link=players.link(side, number))
    lost = written[0].entries[0].event
    assert isinstance(lost, ActionTaken)
    assert sorted(to_json(events[0])["dice"]) == sorted(lost.action.dice or ())
    assert lost.links == {Player[side]: players.link(side, number)}


# -- links that are withheld ------------------------------------------------------------------------------------
def test_who_withholds_a_link_loses_when_the_other_claims(game_server: GameServer, time: Time) -> None:
    players = between(game_server, 1, 2, grace=100)
    handle = players.handle
    handle.give_link("X", 1, str(players.link("X", 1)))
    assert players.state()["links"]["since"] is not None
    with pytest.raises(IllegalAction):
        handle.claim("X")
    time.pass_by(101)
    with pytest.raises(IllegalAction):
        handle.claim("O")
    handle.claim("X")
    assert players.state()["match_winner"] == "X"
    assert game_server.verify(handle.id).faults == ()


def test_in_a_game_by_days_the_server_throws_without_the_link_of_who_is_away(
    game_server: GameServer, time: Time
) -> None:
    players = between(game_server, 1, 2, clock="3d")
    handle = players.handle
    handle.give_link("X", 1, str(players.link("X", 1)))
    assert not handle.enforce_deadline()
    assert players.state()["links"]["awaits"] == ["O"]
    time.pass_by(LINK_GIVEN_UP.total_seconds() + 1)
    assert handle.enforce_deadline()
    (first, *_) = throws(players)
    assert (first["links"], first["without"], first["o"]) == (["X"], ["O"], players.chains["O"].anchor)
    players.play()
    assert game_server.verify(handle.id).faults == ()


# -- databases that were changed -----------------------------------------------------------------------------------
def test_a_change_of_any_stored_link_is_found(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with closing(GameServer(str(database))) as game_server:
        players = between(game_server, 1, 2)
        players.play()
        name = players.handle.id
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute(
            "SELECT sequence, data FROM session_events WHERE kind = 'action_taken' AND data LIKE '%\"links\"%'"
        ).fetchall()
        assert len(rows) > 6
        for sequence, text in rows[:: len(rows) // 6]:
            event = json.loads(text)
            side = next(iter(event["links"]))
            event["links"][side] = hash_link(event["links"][side])
            for changed in (json.dumps(event), json.dumps({k: v for k, v in event.items() if k != "links"})):
                with connection:
                    connection.execute("UPDATE session_events SET data = ? WHERE sequence = ?", (changed, sequence))
                with closing(GameServer(str(database))) as game_server:
                    try:
                        verdict = game_server.verify(name)
                        assert verdict.faults or verdict.without_link, changed
                    except (RulesError, StoreError):
                        pass
            with connection:
                connection.execute("UPDATE session_events SET data = ? WHERE sequence = ?", (text, sequence))


def test_secrets_are_links() -> None:
    assert is_link(new_secret())
