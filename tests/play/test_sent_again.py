"""A command that was stored and is sent again, because its answer was lost: stale, or the same answer; never twice."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import lru_cache
from typing import Any, get_args

import pytest
from tests.play.sessions import RandomSession, random_terms

from fullprime.common.refusals import Refusal
from fullprime.play.commands import (
    AnswerResignation,
    BeginChain,
    BeginNextGame,
    ClaimWin,
    Continue,
    GiveLink,
    GiveSeed,
    OfferResignation,
    Say,
    SessionCommand,
    TakeSeat,
    ThrowDice,
    WithdrawRoll,
)
from fullprime.play.decide import decide
from fullprime.play.draft import SessionInputs
from fullprime.play.events import SessionEvent
from fullprime.play.terms import Terms
from fullprime.rules.errors import FullprimeError
from fullprime.rules.score import Player, Settings

SEEDS, STEPS = range(24), 80
NAMES_NO_STATE = (TakeSeat, Say)
"""A seat is taken with an invitation, which is good for once, and a line that is said twice is said twice."""


@dataclass
class Repeating(RandomSession):
    """A session whose clients get no answer, and send each command again."""

    answers: list[tuple[SessionCommand, FullprimeError | int]] = field(default_factory=list)
    """Every command that was stored, with the refusal when it came again, or the number of events that followed."""

    def give(self, command: SessionCommand, seat: Any, **options: Any) -> tuple[SessionEvent, ...]:
        """Give a command, and once more where it was stored."""
        if isinstance(command, ThrowDice) and not self.session.is_human(self.session.turn):
            command = ThrowDice()  # a bot decides to throw; a person types its dice afterwards
        version = self.session.board_version
        events = super().give(command, seat, **options)
        if events:
            self.answers.append((command, self._answer_again(command, seat, version)))
        return events

    def _answer_again(self, command: SessionCommand, seat: Any, version: int) -> FullprimeError | int:
        try:
            outcome = decide(self.session, command, seat, self.now, SessionInputs(self.secret), board_version=version)
        except FullprimeError as error:
            return error
        return outcome.refusal or len(outcome.events)

    def give_seldom(self) -> None:
        """Give one of the commands that are seldom stored in a session by chance."""
        side, kind = self.chance.choice(list(Player)), self.chance.randrange(4)
        self.now += timedelta(seconds=self.chance.choice([0, 0, 0, 300, 4000]))
        if kind == 0:
            self._begin_chain(side)
            return
        with suppress(FullprimeError):
            self.give((Continue(), ClaimWin(), WithdrawRoll())[kind - 1], self.own_seat(side))

    def _begin_chain(self, side: Player) -> None:
        chain = self.new_chain(side, self.session.throws + 1)
        try:
            self.give(BeginChain(chain.first, chain.anchor), self.own_seat(side))
        except FullprimeError:
            self.chains[side].remove(chain)


@lru_cache(1)
def answers() -> list[tuple[SessionCommand, FullprimeError | int]]:
    """What sessions by chance answer to commands that come again."""
    answers = []
    for seed in SEEDS:
        chance = random.Random(f"again {seed}")
        terms = random_terms(chance)
        if terms.dice == "typed" and terms.opponent == "bot":  # a person, not the bot, types the dice of its throw
            terms = replace(terms, opponent="screen")
        play = Repeating.begin(chance, terms)
        assert isinstance(play, Repeating)
        for _ in range(STEPS):
            play.step(is_sensible=chance.random() < 0.9)
            if chance.random() < 0.25:
                play.give_seldom()
        answers += play.answers
    return answers


def is_stale(answer: FullprimeError | int) -> bool:
    return isinstance(answer, Refusal) and answer.code == "stale"


def test_a_command_that_comes_again_is_stale_or_changes_nothing() -> None:
    wrong = {
        f"{command}: {answer}"
        for command, answer in answers()
        if not isinstance(command, NAMES_NO_STATE) and answer != 0 and not is_stale(answer)
    }
    assert wrong == set()


def test_a_seat_is_not_taken_twice() -> None:
    again = [answer for command, answer in answers() if isinstance(command, TakeSeat)]
    assert again
    assert all(isinstance(answer, FullprimeError) for answer in again)


def test_the_sample_has_every_kind_of_command() -> None:
    """Else the property says little."""
    met = Counter(type(command) for command, _ in answers())
    assert set(met) == set(get_args(SessionCommand))


def test_the_next_game_that_comes_again_before_its_opening_is_stale() -> None:
    """The board version does not move with it, because the opening waits for the links."""
    play = RandomSession.begin(random.Random("next"), Terms(settings=Settings(length=3), opponent="friend"))
    play.give(TakeSeat("Bob"), None)
    for side in Player:
        play.give(GiveSeed(play.new_chain(side, 1).anchor, has_links=True), side.name)
    while play.session.turn is None:
        side = play.session.awaited[0]
        play.give(GiveLink(play.session.throws + 1, str(play.link(side))), side.name)
    play.give(OfferResignation(1), "X")
    play.give(AnswerResignation(accepts=True), "O")
    version = play.session.board_version
    for _ in range(2):
        with pytest.raises(Refusal, match="has begun already") if play.session.finished else nullcontext():
            play.give(BeginNextGame(), "X", board_version=version)
    assert (play.session.game_number, play.session.board_version) == (2, version)
    play.give(GiveLink(play.session.throws + 1, str(play.link(Player.X))), "X")
    with pytest.raises(Refusal, match="has begun already") as refused:
        play.give(BeginNextGame(), "O", board_version=version)
    assert refused.value.code == "stale"
