"""The proof of a session's dice: what was thrown follows from the links, and whatever was changed is found."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

import pytest
from tests.play.sessions import RandomSession

from fullprime.play import dice, proof
from fullprime.play.commands import TakeBack
from fullprime.play.events import ActionTaken, ChainBegun, LogEntry, SeedGiven, SessionOpened
from fullprime.play.evolve import fold
from fullprime.play.proof import linked_throws, verify_log
from fullprime.play.server.bot_moves import check_bot_choice, choose_for_bot
from fullprime.play.terms import Terms
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import ActionKind
from fullprime.rules.links import LENGTH, LinkChain, linked_dice
from fullprime.rules.score import Settings
from fullprime.rules.variants import VARIANTS

THROWS = (ActionKind.OPENING, ActionKind.ROLL)
QUICK = Settings(variant=VARIANTS["hypergammon"], length=3)


@lru_cache(64)
def played(seed: int, opponent: str = "friend") -> RandomSession:
    """A session by chance, of which some events are throws."""
    terms = Terms(settings=QUICK, opponent=opponent, automatic=seed % 3 > 0)  # type: ignore[arg-type]
    play = RandomSession.begin(random.Random(f"proof {seed}"), terms)
    for _ in range(150):
        play.step(is_sensible=None if seed % 2 else True)
    return play


def is_throw(entry: LogEntry) -> bool:
    return isinstance(entry.event, ActionTaken) and entry.event.action.kind in THROWS


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("opponent", ["friend", "screen"])
def test_every_throw_follows_from_its_links(seed: int, opponent: str) -> None:
    play = played(seed, opponent)
    verdict = verify_log(play.log, play.secret, lambda _session, _action: "there is no bot here")
    assert verdict.faults == ()
    assert verdict.throws == sum(map(is_throw, play.log))
    assert verdict.choices == 0


def test_the_throws_are_those_of_the_formula() -> None:
    """The formula of docs/dice.md, by the links alone."""
    checked = 0
    for seed in range(20):
        play = played(seed)
        actions = [entry.event for entry in play.log if is_throw(entry)]
        for throw, event in zip(linked_throws(play.log, play.secret), actions, strict=True):
            assert isinstance(event, ActionTaken)
            assert throw.dice == throw.due == linked_dice(throw.number, throw.server, *throw.parts)
            dice_of_action = event.action.dice
            assert dice_of_action is not None
            assert sorted(dice_of_action) == sorted(throw.dice)
            for side, link in throw.links.items():
                assert throw.parts[side] == link
            checked += 1
    assert checked > 100


def test_the_server_needs_no_secret_of_players_to_be_caught() -> None:
    """Another die than that of the links is found, wherever it stands."""
    caught = 0
    for seed in range(12):
        play = played(seed)
        places = [place for place, entry in enumerate(play.log) if is_throw(entry)]
        for place in random.Random(seed).sample(places, min(4, len(places))):
            entry = play.log[place]
            assert isinstance(entry.event, ActionTaken)
            before = entry.event.action.dice
            assert before is not None
            other = (before[0] % 6 + 1, before[1])
            roll, is_roll = Roll(*other), entry.event.action.kind is ActionKind.ROLL
            action = replace(entry.event.action, dice=(roll.high, roll.low) if is_roll else other)
            log = [*play.log[:place], replace(entry, event=replace(entry.event, action=action)), *play.log[place + 1 :]]
            verdict = verify_log(log, play.secret, lambda _session, _action: None)
            assert any("but the links give" in fault for fault in verdict.faults), verdict
            caught += 1
    assert caught > 20


def test_another_secret_is_found() -> None:
    play = played(2)
    verdict = verify_log(play.log, f"{7:064x}", lambda _session, _action: None)
    assert "the server's secret does not give the chain that it has promised" in verdict.faults


def test_a_link_that_was_not_promised_is_found() -> None:
    play = next(played(seed) for seed in range(20) if any(link_of(entry) for entry in played(seed).log))
    place = next(place for place, entry in enumerate(play.log) if link_of(entry))
    entry = play.log[place]
    assert isinstance(entry.event, ActionTaken)
    changed = replace(entry.event, links=dict.fromkeys(entry.event.links, "0" * 64))
    verdict = verify_log(
        [*play.log[:place], replace(entry, event=changed)], play.secret, lambda _session, _action: None
    )
    assert "is not the link that was promised" in verdict.faults[0]


def link_of(entry: LogEntry) -> object:
    return isinstance(entry.event, ActionTaken) and entry.event.links


def test_a_seed_that_was_changed_is_found() -> None:
    for seed in range(20):
        play = played(seed)
        chains = {entry.event.anchor for entry in play.log if isinstance(entry.event, ChainBegun)}
        for place, entry in enumerate(play.log):
            if not isinstance(entry.event, SeedGiven) or entry.event.seed in chains:
                continue
            log = [*play.log[:place], replace(entry, event=replace(entry.event, seed="f0")), *play.log[place + 1 :]]
            if sum(map(is_throw, log)) > 3:
                assert verify_log(log, play.secret, lambda _session, _action: None).faults
                return
    raise AssertionError("no session has a seed alone")


def test_the_choices_of_bots_are_made_again() -> None:
    """A bot at a table without a server: what it did is what its level and seed give, and nothing else is."""
    chance, secret = random.Random(4), f"{12:064x}"
    terms = Terms(settings=QUICK, opponent="bot")
    play = RandomSession.begin(chance, terms)
    play.secret = secret
    opened = play.log[0].event
    assert isinstance(opened, SessionOpened)
    play.log[0] = replace(play.log[0], event=replace(opened, seats=("human", "random")))
    play.log[1] = replace(play.log[1], event=ChainBegun(None, 1, LinkChain(secret).anchor))
    play.session = fold(play.log)
    for _ in range(200):
        if play.session.is_bot_due:
            assert play.session.turn is not None
            play.give(choose_for_bot(play.session), play.session.turn.name)
        else:
            play.step(is_sensible=True)
    verdict = verify_log(play.log, secret, check_bot_choice)
    assert verdict.faults == ()
    assert verdict.choices > 10
    seats = replace(play.log[0], event=replace(play.log[0].event, seats=("human", "heuristic")))  # type: ignore[call-arg]
    other = verify_log([seats, *play.log[1:]], secret, check_bot_choice)
    assert any("heuristic did" in fault for fault in other.faults)


def test_the_server_begins_no_chain_when_it_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice, "SPARE", LENGTH - 10)
    monkeypatch.setattr(proof, "SPARE", LENGTH - 10)
    play = RandomSession.begin(random.Random(11), Terms(settings=replace(QUICK, length=25), opponent="screen"))
    for _ in range(400):
        play.step(is_sensible=True)
    begun = [entry.event for entry in play.log if isinstance(entry.event, ChainBegun) and entry.event.whose is None]
    assert len(begun) > 1
    assert verify_log(play.log, play.secret, lambda _session, _action: None).faults == ()
    monkeypatch.undo()
    assert "had no reason" in verify_log(play.log, play.secret, lambda _session, _action: None).faults[0]


def test_a_takeback_brings_the_same_throws_again() -> None:
    play = RandomSession.begin(random.Random(3), Terms(settings=replace(QUICK, length=0), opponent="screen"))
    while play.session.throws < 8:
        play.step(is_sensible=True)
    for _ in range(6):
        with suppress(FullprimeError):
            play.give(TakeBack(2), "both")
        for _ in range(5):
            play.step(is_sensible=True)
    by_number: dict[int, list[tuple[int, int]]] = {}
    for throw in linked_throws(play.log, play.secret):
        by_number.setdefault(throw.number, []).append(throw.dice)
    assert any(len(thrown) > 1 for thrown in by_number.values())
    assert all(len(set(thrown)) == 1 for thrown in by_number.values())
