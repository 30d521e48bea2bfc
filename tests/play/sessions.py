"""Sessions and commands by chance, for properties of the pure pair."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from fullprime.play.commands import (
    Act,
    AnswerResignation,
    BeginChain,
    BeginNextGame,
    ChooseLook,
    ClaimWin,
    CloseSession,
    Continue,
    GiveLink,
    GiveSeed,
    OfferRematch,
    OfferResignation,
    Say,
    SessionCommand,
    TakeBack,
    TakeSeat,
    ThrowDice,
    UseHelp,
    WithdrawRoll,
)
from fullprime.play.decide import decide
from fullprime.play.draft import SessionInputs
from fullprime.play.events import ChainBegun, LogEntry, SessionEvent, SessionOpened
from fullprime.play.evolve import evolve
from fullprime.play.session import GameSession
from fullprime.play.terms import Terms
from fullprime.rules import game as acts
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import ActionKind, Phase
from fullprime.rules.links import LinkChain
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import VARIANTS

BEGUN_AT = datetime.fromisoformat("2026-11-27T12:00:00")
PRIVATE_WORDS = ("the swan flies at night", "nobody hears this")


def random_terms(chance: random.Random) -> Terms:
    """Terms of any kind."""
    variant = VARIANTS[chance.choice(sorted(VARIANTS))]
    length = chance.choice([0, 1, 2, 3, 5])
    is_checkers = not variant.cube
    opponent = chance.choice(["bot", "friend", "friend", "screen"])
    return Terms(
        settings=Settings(variant=variant, length=0 if is_checkers and chance.random() < 0.5 else length),
        opponent=opponent,  # type: ignore[arg-type]
        dice=chance.choice(["links", "links", "links", "seed", "typed"]),  # type: ignore[arg-type]
        automatic=chance.random() < 0.7,
        clock=chance.choice([None, "12+600", "2+5", "3d"]) if opponent == "friend" else None,
        grace=chance.choice([0, 30, 180]),
        rated=chance.random() < 0.3,
        late=chance.choice([0, 0, 60]),
    )


@dataclass
class RandomSession:
    """A session with what the world around it knows: the time, the secrets, and its log."""

    chance: random.Random
    session: GameSession
    log: list[LogEntry]
    secret: str
    now: datetime = BEGUN_AT
    chains: dict[Player, list[LinkChain]] = field(default_factory=lambda: {Player.X: [], Player.O: []})
    refusals: int = 0
    commands: frozenset[str] | None = None
    """The names of the commands that may be given; None for all."""

    @classmethod
    def begin(
        cls, chance: random.Random, terms: Terms | None = None, commands: frozenset[str] | None = None
    ) -> RandomSession:
        """A session that has just been opened."""
        terms = terms or random_terms(chance)
        secret = f"{chance.getrandbits(256):064x}"
        bot = "heuristic" if terms.opponent == "bot" else "human"
        is_apart = terms.opponent == "friend"
        opened = SessionOpened("session", terms, ("Ann", "Bob"), ("human", bot), is_seat_free=is_apart)
        log = [LogEntry(1, BEGUN_AT, opened)]
        session = evolve(None, log[0])
        if terms.dice == "links":
            log.append(LogEntry(2, BEGUN_AT, ChainBegun(None, 1, LinkChain(secret).anchor)))
            session = evolve(session, log[1])
        return cls(chance, session, log, secret, commands=commands)

    def give(self, command: SessionCommand, seat: Any, **options: Any) -> tuple[SessionEvent, ...]:
        """Give a command; the events are added to the log. Raises what ``decide`` raises."""
        absent = {side: self.now - timedelta(minutes=4) for side in Player if self.chance.random() < 0.2}
        inputs = SessionInputs(self.secret, absent, "next-session")
        decision = decide(self.session, command, seat, self.now, inputs, **options)
        for event in decision.events:
            self.log.append(LogEntry(len(self.log) + 1, self.now, event))
        self.session = decision.session
        return decision.events

    def gives(self, command: type[SessionCommand]) -> bool:
        """True if this command may be given. Ask before you draw a number for one that is new.

        The sessions of test_live_answers.py know the commands that there were when its file was written: they stay as
        they are when a command is added.
        """
        return self.commands is None or command.__name__ in self.commands

    def step(self, *, is_sensible: bool | None = None) -> None:
        """Some time passes, and somebody gives a command, sensible or not unless ``is_sensible`` says which."""
        self.now += timedelta(seconds=self.chance.choice([0, 1, 5, 20, 100, 4000 if self.chance.random() < 0.1 else 2]))
        if is_sensible is None:
            is_sensible = self.chance.random() < 0.75
        command, seat = next(self._sensible()) if is_sensible else (self._any(), self._seat())
        version = self.session.board_version - self.chance.choice([0, 0, 0, 1]) if self.chance.random() < 0.3 else None
        try:
            self.give(command, seat, board_version=version)
        except FullprimeError:
            self.refusals += 1

    def _seat(self) -> Any:
        """Somebody who is there: at one screen one seat is both."""
        is_one_screen = self.session.terms.opponent == "screen"
        return self.chance.choice(["both", None] if is_one_screen else ["X", "O", None])

    def own_seat(self, side: Player) -> Any:
        """The seat from which a person acts for a side."""
        return "both" if self.session.terms.opponent == "screen" else side.name

    def link(self, side: Player) -> str | None:
        """The link that a side would give for the next throw; None without a chain for it."""
        number = self.session.throws + 1
        for chain in reversed(self.chains[side]):
            if chain.first <= number <= chain.last:
                return chain.link(number)
        return None

    def new_chain(self, side: Player, first: int) -> LinkChain:
        """A chain of a side that nobody knows yet."""
        chain = LinkChain(f"{self.chance.getrandbits(256):064x}", first)
        self.chains[side].append(chain)
        return chain

    def _sensible(self) -> Iterator[tuple[SessionCommand, Any]]:
        """What somebody would do now who wants the game to go on."""
        session, game, chance = self.session, self.session.game, self.chance
        if session.is_over:
            yield OfferRematch(), self._seat()
        if session.is_seat_free and chance.random() < 0.8:
            yield TakeSeat("Bob", chance.random() < 0.5), None
        if game is None:
            side = (*session.missing_seeds, Player.X)[0]
            promises = session.terms.dice == "links" and chance.random() < 0.8
            seed = self.new_chain(side, 1).anchor if promises else f"{chance.getrandbits(64):x}"
            yield GiveSeed(seed, promises), self.own_seat(side)
            return
        if chance.random() < 0.3:
            yield from self._answers()
        if session.awaited:
            side = chance.choice(session.awaited)
            yield GiveLink(session.throws + 1, self.link(side) or "0" * 64), self.own_seat(side)
        if game.is_over:
            yield BeginNextGame(), self._seat()
        turn = game.turn
        seat = self.own_seat(Player.X if turn is None else turn) if session.is_human(turn) else turn.name
        typed = (chance.randint(1, 6), chance.randint(1, 6)) if session.terms.dice == "typed" else None
        if game.phase is Phase.PLAY:
            yield Act(acts.play(chance.choice(game.legal_plays))), seat
        if game.phase is Phase.CHOOSE_DOUBLE:
            yield Act(acts.choose(chance.randint(1, 6))), seat
        kind = chance.choice(game.actions())
        if kind in (ActionKind.ROLL, ActionKind.OPENING):
            giver = session.givers[turn or Player.X]
            link = self.link(giver) if giver in session.needed and session.is_human(turn) else None
            yield ThrowDice(typed, link), seat
        if kind is ActionKind.RESIGN:
            yield OfferResignation(1), seat
        if kind in (ActionKind.ACCEPT, ActionKind.REFUSE):
            yield AnswerResignation(kind is ActionKind.ACCEPT), seat
        yield Act(acts.Action(kind)), seat

    def _answers(self) -> Iterator[tuple[SessionCommand, Any]]:
        """An answer to what is offered, or what may be done beside the game just now."""
        session, game, chance = self.session, self.session.game, self.chance
        assert game is not None
        if session.resignation is not None and not session.resignation.is_refused:
            yield AnswerResignation(chance.random() < 0.5), session.resignation.side.other.name
        if session.end_offers and chance.random() < 0.2:
            yield CloseSession("agree"), next(iter(session.end_offers)).other.name
        chooser = session.chooser
        if chooser is not None:
            yield ChooseLook(chance.choice(["light", "dark"]), "left"), self.own_seat(chooser)
        if session.terms.dice == "typed" and chance.random() < 0.3:
            yield WithdrawRoll(), self.own_seat(Player.X)
        if session.is_between_people and chance.random() < 0.2:
            yield CloseSession("agree"), "X"

    def _any(self) -> SessionCommand:
        """A command that may be nonsense now."""
        chance, number = self.chance, self.session.throws + self.chance.choice([0, 1, 2])
        anchor = f"{chance.getrandbits(256):064x}"
        commands: list[SessionCommand] = [
            TakeSeat("Eve"), GiveSeed(anchor, chance.random() < 0.5), GiveSeed("no seed"), BeginChain(number, anchor),
            GiveLink(number, anchor), GiveLink(number, "x"), ThrowDice(), ThrowDice((1, 2)), ThrowDice(link=anchor),
            Act(acts.DOUBLE), Act(acts.TAKE), Act(acts.DROP), Act(acts.ACCEPT), Act(acts.REFUSE), Act(acts.resign(3)),
            Act(acts.choose(4)), Act(acts.play(())), BeginNextGame(), Continue(), TakeBack(), TakeBack(40),
            TakeBack(-1), WithdrawRoll(), OfferResignation(chance.randint(1, 4)), AnswerResignation(accepts=False),
            CloseSession("end" if chance.random() < 0.8 else chance.choice(["abort", "agree", "leave"])),
            ClaimWin(), OfferRematch(), ChooseLook("dark", "left"), UseHelp(), Say(chance.choice(PRIVATE_WORDS)),
        ]  # fmt: skip
        return chance.choice([command for command in commands if self.gives(type(command))])
