"""The events of a decision while they are made, with the session after them, and what follows without a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play import rulings
from fullprime.play.events import (
    NO_LINKS,
    ActionTaken,
    GameForfeited,
    LogEntry,
    SessionEvent,
    ThrowDecided,
)
from fullprime.play.evolve import evolve
from fullprime.play.head import link_given_up_at
from fullprime.play.session import GameSession, SessionStep
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll, SeededDice
from fullprime.rules.errors import IllegalAction, SettingsError
from fullprime.rules.game import Game, Phase
from fullprime.rules.plays import Play
from fullprime.rules.score import Player


@dataclass(frozen=True, slots=True)
class SessionInputs:
    """What a decision needs and does not make itself."""

    secret: str = ""
    """The server's secret of the links, or the seed of the dice."""
    absent: Mapping[Player, datetime] = field(default_factory=lambda: MappingProxyType({}))
    """The sides that have no page open, each with the time since when."""
    new_session_id: str = ""
    """The id of the session of a rematch."""


class Draft:
    """The events of one decision so far, each with the session after it."""

    def __init__(self, session: GameSession, now: datetime, inputs: SessionInputs) -> None:
        self.session, self.now, self.inputs = session, now, inputs
        self.steps: list[SessionStep] = []

    def add(self, event: SessionEvent, play: Play | None = None) -> None:
        """Add an event; ``play`` is the play of an action, where it was found among the legal ones already."""
        before, entry = self.session, LogEntry(self.session.sequence + 1, self.now, event)
        self.session = evolve(before, entry, play=play)
        self.steps.append(SessionStep(before, entry, self.session))

    @property
    def game(self) -> Game:
        """The game on the board; raises Refusal before the first."""
        self.check_begun()
        assert self.session.game is not None
        return self.session.game

    def check_begun(self) -> None:
        """Raise Refusal before the first game."""
        if self.session.game is None:
            raise Refusal(Message("the game has not begun"), "stale")

    def hold_link(self, side: Player, link: str) -> None:
        """Keep a link for the next throw, which must follow: its event stores the link.

        Raises IllegalAction where the link does not fit.
        """
        session = self.session
        self.session = replace(session, links=session.links.with_link(side, session.throws + 1, link))

    # -- throws -------------------------------------------------------------------------------------------
    def throw(self, dice: tuple[int, int], links: Mapping[Player, str] = NO_LINKS) -> None:
        """Add a throw with these dice; in the opening the first is X's."""
        is_opening = self.game.phase is Phase.OPENING_ROLL
        self.add(ActionTaken(acts.opening(*dice) if is_opening else acts.roll(Roll(*dice)), links=links))

    def throw_if_possible(self, *, alone: bool = False) -> bool:
        """Throw the program's dice; False while people type them, or while a link is missing.

        ``alone``: the server throws without the links that are missing.
        """
        session = self.session
        number = session.throws + 1
        if session.terms.dice == "links" and not session.links.server:
            raise SettingsError(
                Message("these dice need links: the game goes on through the server where it was begun")
            )
        if session.terms.dice == "typed" or (session.missing and not alone):
            return False
        if session.terms.dice == "seed":
            source = SeededDice(self.inputs.secret, 2 * session.throws)
            self.throw((source.die(), source.die()))
            return True
        links = {side: link for side in session.needed if (link := session.links.link_of(side, number)) is not None}
        self.throw(session.links.dice(self.inputs.secret, number, links), links)
        return True

    def throw_for_bot(self) -> None:
        """Throw for a bot that has decided to, or note that its throw waits for a person."""
        if not self.throw_if_possible():
            self.add(ThrowDecided())

    # -- what follows by itself ---------------------------------------------------------------------------
    def go_on(self) -> None:
        """Add everything that needs no decision: throws without a choice, and forced plays."""
        while not self.game.is_over and self._step():
            pass

    def _step(self) -> bool:
        session, game = self.session, self.game
        is_automatic = session.terms.automatic
        if game.phase is Phase.OPENING_ROLL:
            return is_automatic and self.throw_if_possible()
        if game.phase is Phase.PLAY and is_automatic:
            play = game.ways.forced
            if play is not None:
                self.add(ActionTaken(acts.play(play), automatic=True), play)
                return True
        if session.is_human(game.turn):
            return is_automatic and game.phase is Phase.ROLL and self.throw_if_possible()
        return session.is_throw_decided and self.throw_if_possible()

    def settle_overdue(self) -> Refusal | None:
        """Do what was due before the command came: end the game of a flag that has fallen, throw without a link that
        was given up. Gives the reason why the command comes too late; None if nothing was overdue.
        """
        session, game = self.session, self.session.game
        if game is None or game.is_over or session.is_over:
            return None
        loser = None if session.clock is None else session.clock.loser(self.now)
        if loser is not None:
            self.add(GameForfeited(loser, rulings.ON_TIME))
            return Refusal(Message("it is too late: the game is over"), "stale")
        given_up_at = link_given_up_at(session)
        if given_up_at is not None and self.now >= given_up_at:
            self.throw_if_possible(alone=True)
            self.go_on()
            return Refusal(Message("it is too late: the server has thrown without the link"), "stale")
        return None

    # -- checks -------------------------------------------------------------------------------------------
    def may_act(self, seat: str, *, in_turn: bool = True) -> None:
        """Raises IllegalAction in a session that is closed, Refusal before the first game, or for a seat that has not
        the turn.
        """
        session, turn = self.session, self.game.turn
        if session.closed is not None:
            raise IllegalAction(Message("the session is over"))
        if in_turn and turn is not None and seat not in ("both", turn.name):
            raise Refusal(Message("it is {name} who must act now", name=session.names[turn]), "forbidden")
