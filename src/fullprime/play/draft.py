"""The events of a decision as they are added, the session after them, and the events that need no decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play import checks
from fullprime.play.events import (
    NO_LINKS,
    ActionTaken,
    GameForfeited,
    LogEntry,
    SessionEvent,
    ThrowDecided,
)
from fullprime.play.evolve import evolve
from fullprime.play.session import GameSession, SessionStep
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll, SeededDice
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Game, Phase
from fullprime.rules.plays import Play
from fullprime.rules.score import Player


@dataclass(frozen=True, slots=True)
class SessionInputs:
    """The secrets, times and ids that a decision needs and must not make itself."""

    secret: str = ""
    """The server's secret of the links, or the seed of the dice."""
    absent: Mapping[Player, datetime] = field(default_factory=lambda: MappingProxyType({}))
    """The sides that have no page open, each with the time since when."""
    new_session_id: str = ""
    """The id of the session of a rematch."""


@dataclass(slots=True)
class Draft:
    """The events of one decision so far, each with the session after it."""

    session: GameSession
    now: datetime
    inputs: SessionInputs
    steps: list[SessionStep] = field(default_factory=list)
    held_links: dict[Player, str] = field(default_factory=dict)
    """The links that came with the command, for a throw that follows in the same draft: its event stores them."""

    def add(self, event: SessionEvent, play: Play | None = None) -> None:
        """Add an event; ``play`` is the play of an action, where it was found among the legal ones already."""
        before, entry = self.session, LogEntry(self.session.sequence + 1, self.now, event)
        self.session = evolve(before, entry, play=play)
        self.steps.append(SessionStep(before, entry, self.session))

    @property
    def game(self) -> Game:
        """The game on the board; raises Refusal before the first."""
        return checks.game_of(self.session)

    @property
    def missing(self) -> tuple[Player, ...]:
        """The sides whose link the next throw needs and has neither in the session nor here."""
        return tuple([side for side in self.session.missing if side not in self.held_links])

    def hold_link(self, side: Player, link: str) -> None:
        """Keep a link of a side for the next throw, which must follow in the same draft.

        Raises IllegalAction where the link does not fit.
        """
        self.session.links.with_link(side, self.session.throws + 1, link)
        self.held_links[side] = link

    # -- throws -------------------------------------------------------------------------------------------
    def throw(self, dice: tuple[int, int], links: Mapping[Player, str] = NO_LINKS) -> None:
        """Add a throw with these dice; in the opening the first is X's."""
        is_opening = self.game.phase is Phase.OPENING_ROLL
        self.add(ActionTaken(acts.opening(*dice) if is_opening else acts.roll(Roll(*dice)), links=links))

    def throw_if_possible(self, *, alone: bool = False) -> bool:
        """Throw the program's dice; False while people type them, or while a link is missing.

        ``alone``: the server throws without the links that are missing. Raises SettingsError where dice need links and
        no server gives them.
        """
        session = self.session
        number = session.throws + 1
        if session.terms.dice == "links" and not session.links.server:
            raise SettingsError(
                Message("these dice need links: the game goes on through the server where it was begun")
            )
        if session.terms.dice == "typed" or (self.missing and not alone):
            return False
        if session.terms.dice == "seed":
            source = SeededDice(self.inputs.secret, 2 * session.throws)
            self.throw((source.die(), source.die()))
            return True
        links = {
            side: link
            for side in session.needed
            if (link := self.held_links.get(side) or session.links.link_of(side, number)) is not None
        }
        self.held_links.clear()
        self.throw(session.links.dice(self.inputs.secret, number, links), links)
        return True

    def throw_for_bot(self) -> None:
        """Throw for a bot that has decided to throw, or note that its throw waits for a person."""
        if not self.throw_if_possible():
            self.add(ThrowDecided())

    # -- what follows by itself ---------------------------------------------------------------------------
    def advance(self) -> None:
        """Advance the game as far as it needs no decision.

        A throw on which a bot has decided is always added; throws without a choice and forced plays are where the terms
        are ``automatic``.
        """
        is_automatic = self.session.terms.automatic
        while not (game := self.game).is_over:
            if is_automatic and game.phase is Phase.PLAY and (play := game.roll_plays.forced) is not None:
                self.add(ActionTaken(acts.play(play), automatic=True), play)
                continue
            if self.session.is_human(game.turn):  # so it is in the opening, when neither has the turn
                is_due = is_automatic and game.phase in (Phase.OPENING_ROLL, Phase.ROLL)
            else:
                is_due = self.session.is_throw_decided
            if not (is_due and self.throw_if_possible()):
                return

    def settle_overdue(self) -> Refusal | None:
        """Do what was due before the command came: end the game of a flag that has fallen, throw without a link that
        was given up. Gives the reason why the command comes too late; None where nothing was overdue.
        """
        session, game = self.session, self.session.game
        if session.clock is None or game is None or game.is_over or session.is_over:
            return None
        loser = session.clock.loser(self.now)
        if loser is not None:
            self.add(GameForfeited(loser, "on time"))
            return Refusal(Message("it is too late: the game is over"), "stale")
        given_up_at = session.link_given_up_at
        if given_up_at is not None and self.now >= given_up_at:
            self.throw_if_possible(alone=True)
            self.advance()
            return Refusal(Message("it is too late: the server has thrown without the link"), "stale")
        return None
