"""The pure pair by itself: any commands, in any order, by anybody."""

from __future__ import annotations

import json
import random
from collections import Counter
from datetime import timedelta
from functools import lru_cache
from typing import get_args

import pytest
from tests.play.sessions import PRIVATE_WORDS, Play

from fullprime.play.clocks import Clock
from fullprime.play.codec import event_from_json, event_to_json, kind_of
from fullprime.play.events import BOARD_CHANGES, LineSaid, LogEntry, SessionEvent, visible_to
from fullprime.play.evolve import evolve, fold
from fullprime.play.links import server_chain
from fullprime.play.session import GameSession
from fullprime.rules.game import Game
from fullprime.rules.links import hashed
from fullprime.rules.score import Player

SEEDS = range(40)
STEPS = 160


@lru_cache(64)
def played(seed: int, steps: int = STEPS) -> Play:
    """A session after so many commands by chance."""
    play = Play.begin(random.Random(f"session {seed}"))
    for _ in range(steps):
        play.step()
    return play


@pytest.mark.parametrize("seed", SEEDS)
def test_any_command_is_carried_out_or_refused_and_the_log_folds_to_the_session(seed: int) -> None:
    play = played(seed)
    stored = [(entry.at, kind_of(entry.event), json.dumps(event_to_json(entry.event))) for entry in play.log]
    read = [
        LogEntry(number, at, event_from_json(kind, json.loads(data)))
        for number, (at, kind, data) in enumerate(stored, 1)
    ]
    assert read == play.log
    assert fold(read) == play.session
    assert play.session.board_version == sum(isinstance(entry.event, BOARD_CHANGES) for entry in play.log)


def test_the_sample_has_every_kind_of_event() -> None:
    """Else the properties above and below say little."""
    met = Counter(type(entry.event) for seed in SEEDS for entry in played(seed).log)
    assert set(met) == set(get_args(SessionEvent))
    assert sum(played(seed).refusals for seed in SEEDS) > len(SEEDS) * STEPS / 5


@pytest.mark.slow
def test_a_million_commands_are_carried_out_or_refused() -> None:
    for seed in range(5000):
        play = played.__wrapped__(seed + 1000, 200)
        assert fold(play.log) == play.session


@pytest.mark.parametrize("seed", SEEDS)
def test_the_board_of_a_session_is_that_of_its_record(seed: int) -> None:
    """By the rules alone, from the start of each game: the slow way."""
    session = played(seed).session
    match = session.match
    for record in match.games:
        for _ in record.entries():
            pass
    if session.game is not None:
        assert match.games[-1].final == session.game


@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_sees_what_is_not_for_them(seed: int) -> None:
    """No secret stands in any log; spectators see neither talk nor help; no link of the server is told early."""
    play = played(seed)
    texts = {seat: visible_text(play, seat) for seat in ("X", "O", "both", None)}
    for text in texts.values():
        assert play.secret not in text
        if play.session.terms.dice == "links":
            for first in play.session.links.server:
                chain = server_chain(play.secret, first)
                ahead = play.session.throws + 1
                assert not any(
                    chain.link(number) in text for number in range(max(first, ahead), min(first + 40, chain.last))
                )
    assert not any(words in texts[None] for words in PRIVATE_WORDS)
    assert "help_used" not in texts[None]
    said = [entry for entry in play.log if isinstance(entry.event, LineSaid)]
    assert all(entry.event.text in texts["X"] for entry in said)  # type: ignore[union-attr]


def visible_text(play: Play, seat: str | None) -> str:
    """Everything that somebody in a seat may know, as text."""
    seen = [entry.event for entry in play.log if visible_to(seat, entry.event)]  # type: ignore[arg-type]
    return "\n".join(f"{kind_of(event)} {json.dumps(event_to_json(event))}" for event in seen)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_watches_late_folds_an_earlier_session(seed: int) -> None:
    """A spectator's session is the fold of what was to be seen some time ago, and holds nothing of later."""
    play = played(seed)
    moment = play.now - timedelta(seconds=60)
    earlier = [entry for entry in play.log if entry.at <= moment and visible_to(None, entry.event)]
    renumbered = [LogEntry(number, entry.at, entry.event) for number, entry in enumerate(earlier, 1)]
    seen = fold(renumbered)
    later = [entry for entry in play.log if entry.at > moment]
    assert seen.board_version == play.session.board_version - sum(
        isinstance(entry.event, BOARD_CHANGES) for entry in later
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_clocks_are_a_function_of_the_events_of_the_board(seed: int) -> None:
    """By an own count over the log: offers, talk and claims that fail cost nobody a second."""
    play = played(seed)
    control = play.session.terms.time_control
    if control is None:
        assert play.session.clock is None
        return
    clock, session = Clock.start(control), None
    for entry in play.log:
        before: GameSession | None = session
        session = evolve(session, entry)
        if isinstance(entry.event, BOARD_CHANGES):
            assert before is not None
            assert isinstance(session.game, Game)
            is_first = len(session.record) == 1
            clock = clock.renewed() if is_first and not session.terms.settings.is_match else clock
            clock = clock.pressed(entry.at, session.game.turn)
        else:
            assert before is None or session.clock == before.clock
    assert play.session.clock == clock


@pytest.mark.parametrize("seed", SEEDS)
def test_an_offer_to_resign_lapses_with_the_next_event_of_the_board(seed: int) -> None:
    play = played(seed)
    session = None
    for entry in play.log:
        session = evolve(session, entry)
        if isinstance(entry.event, BOARD_CHANGES):
            assert session.resignation is None


@pytest.mark.parametrize("seed", SEEDS)
def test_every_link_of_a_side_leads_to_the_anchor_it_has_promised(seed: int) -> None:
    """By hashing each link down to the anchor, without the session's own chains."""
    play = played(seed)
    session, number = None, 0
    for entry in play.log:
        before = session
        session = evolve(session, entry)
        links = getattr(entry.event, "links", {})
        for side, link in links.items():
            assert before is not None
            number = before.throws + 1
            chain = next(chain for chain in reversed(before.chains) if chain.whose is side and chain.first <= number)
            assert hashed(link, number - chain.first + 1) == chain.anchor
            assert side in (Player.X, Player.O)
