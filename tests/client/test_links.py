"""The links of a client: one that comes back with its seed goes on with its chain, and a false server is found out."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from tests.client.playing import choice
from tests.web.conftest import Server

import fullprime.client as client
from fullprime.client.dice_proof import OwnShare
from fullprime.client.errors import ClientError
from fullprime.client.links_proof import OwnChains, check_links
from fullprime.client.wire import JsonFields, get
from fullprime.rules.game import Phase
from fullprime.rules.score import Player


def some_turns(game: Any, chance: random.Random, turns: int) -> None:
    """So many decisions of a player, or all that are left."""
    for state in game.decisions():
        game.act(choice(state, chance))
        turns -= 1
        if not turns:
            return


def chains(game: Any) -> list[str]:
    links = game.read().links
    assert links is not None
    return [whose for whose, _, _ in links.chains]


@pytest.mark.broad
@pytest.mark.parametrize(("again", "begun"), [("a secret", ["server", "X"]), (None, ["server", "X", "X"])])
def test_a_program_that_comes_back(running: Server, again: str | None, begun: list[str]) -> None:
    chance = random.Random(4)
    with client.connect(running.url, name="Ann", seed="a secret") as ann:
        game = ann.create(bot="random", variant="hypergammon", length=3)
        some_turns(game, chance, 3)
        assert chains(game) == ["server", "X"]
    with client.connect(running.url, name="Ann", seed=again) as ann:
        game = ann.game(game.id, game.key)
        some_turns(game, chance, 10_000)
        assert chains(game) == begun
        verdict = game.verify()
        assert (verdict.holds, verdict.without) == (True, 0), str(verdict)


def test_after_the_link_has_been_told_nothing_but_the_roll_is_left(running: Server) -> None:
    """Else a server could refuse the roll, look at the dice, and have the cube turned."""
    with client.connect(running.url, name="Ann") as ann:
        game = ann.create(bot="random", length=3)
        for state in game.decisions():
            if state.phase is Phase.CUBE_DECISION:
                break
            game.act(choice(state, random.Random(1)))
        assert state.links is not None
        game._steps._links.given[state.links.number] = "told"
        with pytest.raises(ClientError, match="only the roll is left"):
            game.act("double")


def test_a_server_that_tells_otherwise_is_found_out(running: Server) -> None:
    with client.connect(running.url, name="Ann") as ann:
        game = ann.create(bot="random", variant="hypergammon", length=1)
        for state in game.decisions():
            game.act(choice(state, random.Random(2)))
        assert game.verify().holds
        steps = game._steps
        answer = ann.transport._do(get(f"{steps.path}/proof", steps.key))
        assert answer is not None
        links, links_told = steps._links, dict(steps._links.given)
        share = OwnShare(str(state.commitment), Player.X, None, ())
        proof = answer.json
        assert check_links(proof, share, OwnChains(Player.X, tuple(links.begun), links_told)).holds
        other = check_links(proof, share, OwnChains(Player.X, ("ab" * 32,), links_told))
        assert "no chain of X was begun by this client" in str(other)
        false = OwnShare("ab" * 32, Player.X, None, ())
        assert "not the one that it committed to" in str(check_links(proof, false, OwnChains(Player.X, (), {})))
        seen = OwnShare(str(state.commitment), Player.X, None, [("roll", (6, 6))] * 500)
        assert "500 throws were seen" in str(check_links(proof, seen, OwnChains(Player.X, (), {})))
        assert isinstance(proof, JsonFields)


def test_a_server_asks_for_no_link_of_a_later_throw(running: Server) -> None:
    """A link gives away all those before it."""
    with client.connect(running.url, name="Ann") as ann:
        game = ann.create(bot="random", length=1)
        state = next(iter(game.decisions()))
        assert state.links is not None
        steps = game._steps
        with pytest.raises(ClientError, match="asks for the link of throw 4096"):
            next(steps._link(replace(state.links, number=4096), takes_over=True))
        assert 4096 not in steps._links.given


def test_links_that_were_told_must_stand_in_the_proof(running: Server) -> None:
    """A server in league with the other side would name that one as who threw, and throw with its links alone."""
    with client.connect(running.url, name="Ann") as ann:
        game = ann.create(bot="random", variant="hypergammon", length=1)
        for state in game.decisions():
            game.act(choice(state, random.Random(2)))
        steps = game._steps
        answer = ann.transport._do(get(f"{steps.path}/proof", steps.key))
        assert answer is not None
    anchors, share = tuple(steps._links.begun), OwnShare(str(state.commitment), None, None, ())
    links_told = dict(steps._links.given)
    last = max(links_told)
    later = check_links(answer.json, share, OwnChains(Player.X, anchors, {**links_told, last + 5: "told"}))
    assert f"asked for the link of throw {last + 5}" in str(later)
    as_o = check_links(answer.json, share, OwnChains(Player.O, anchors, links_told))
    assert "says that O gives no links" in str(as_o)
    assert "as if this client had told no link" in str(as_o)
