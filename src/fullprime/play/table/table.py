"""A table: a game session at one screen or against a bot, and the place where it is kept.

``fullprime.play`` decides what may be done. A table has the bots act, stores each event before it is shown, and puts it
into words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from fullprime.db.times import utc_now
from fullprime.play.commands import Continue, SessionCommand, command_for
from fullprime.play.decide import decide
from fullprime.play.draft import SessionInputs
from fullprime.play.events import BOARD_CHANGES, GameBegun, LogEntry, Seat, SessionOpened
from fullprime.play.evolve import fold
from fullprime.play.keys import new_id
from fullprime.play.naming import names_for_seat
from fullprime.play.session import GameSession, SessionStep
from fullprime.play.table.board import board_facts, possible_words
from fullprime.play.table.event_texts import render_in_game
from fullprime.play.table.fields import PossibleActions, ScriptReply, TableState
from fullprime.play.table.table_actions import TableActions
from fullprime.play.table.table_events import SIDES, Event
from fullprime.play.terms import HUMAN, Terms
from fullprime.rules.errors import IllegalAction, RulesError
from fullprime.rules.game import Phase
from fullprime.rules.links import new_secret
from fullprime.rules.score import Player

if TYPE_CHECKING:
    from fullprime.engine.bots.bots import NamedBot
    from fullprime.play.table.terminal_store import TerminalStore


class Table(TableActions):
    """A match in play. Methods that act give the events in words, in order, and raise before anything changes."""

    def __init__(
        self,
        session: GameSession,
        secret: str,
        *,
        store: TerminalStore | None = None,
        number: int | None = None,
        confirm: bool = False,
    ) -> None:
        """``secret`` is the seed of the dice; ``number`` is that of the session in the ``store``."""
        super().__init__(session, confirm=confirm)
        self.number = number
        self.on_change: Callable[[Table], None] | None = None
        """Called with the table whenever an event of the board has been added; it may look at :attr:`news`."""
        self.seed = secret
        """The seed of the dice and of the bots."""
        self._store, self._inputs = store, SessionInputs(secret)
        self._bots: dict[Player, NamedBot] = {}
        self._news: list[Event] = []

    @classmethod
    def open(
        cls,
        terms: Terms,
        names: tuple[str, str],
        seats: tuple[str, str],
        *,
        seed: str | None = None,
        store: TerminalStore | None = None,
        confirm: bool = False,
    ) -> Self:
        """Open a session and begin its first game; ``seats`` are ``human`` or the names of bots, X's first."""
        secret, now = new_secret() if seed is None else seed, utc_now()
        opened = SessionOpened(new_id(), terms, names, seats)
        log = (LogEntry(1, now, opened), LogEntry(2, now, GameBegun(1)))
        number = None if store is None else store.create(log, secret)
        return cls(fold(log), secret, store=store, number=number, confirm=confirm)

    def show_to_the_only_person(self) -> None:
        """Word events for the only person at the table from now on, where there is only one."""
        people = [side for side, seat in zip(SIDES, self.session.seats, strict=True) if seat == HUMAN]
        if len(people) == 1:
            self.names = names_for_seat(self.session.names, people[0])

    @property
    def news(self) -> tuple[Event, ...]:
        """The news that the current action has led to so far; for :attr:`on_change`."""
        return tuple(self._news)

    def close(self) -> None:
        """Let go of the store."""
        if self._store is not None:
            self._store.close()

    # -- bots ---------------------------------------------------------------------------------------------
    @property
    def bot_is_due(self) -> bool:
        """True if the table waits for a bot's choice."""
        return self.session.is_bot_due

    @property
    def bot(self) -> NamedBot:
        """The bot whose turn it is; raises IllegalAction while it is no bot's turn."""
        from fullprime.engine.bots.bots import bot_named

        player = self.turn
        if player is None:
            raise IllegalAction("nobody has to act now, and so no bot")
        if player not in self._bots:
            seed = f"{self.seed}:{player.name}:{self.actions_kept}"
            self._bots[player] = bot_named(self.session.seats[player], seed)
        return self._bots[player]

    # -- acting -------------------------------------------------------------------------------------------
    def advance(self) -> list[Event]:
        """Advance the game as far as it needs no decision of a person; gives the events."""
        return self._give(Continue(), None)

    @property
    def _seat(self) -> Seat:
        """The seat from which the people at the table act."""
        if self.session.terms.opponent == "screen":
            return "both"
        return next((side for side in SIDES if self.is_human(Player[side])), "X")

    def _give(self, command: SessionCommand, seat: Seat | None = None) -> list[Event]:
        """Carry out a command and the actions of bots that follow; gives the events in words."""
        actor = seat if seat is not None or isinstance(command, Continue) else self._seat
        self._take(command, actor)
        while self.bot_is_due and self.turn is not None:
            self._take(command_for(self.bot.choose(self.game)), SIDES[self.turn])
        news, self._news = self._news, []
        return news

    def _take(self, command: SessionCommand, seat: Seat | None) -> None:
        """Decide about a command, store the events that follow, and add them."""
        steps = decide(self.session, command, seat, utc_now(), self._inputs).steps
        if steps and self._store is not None:
            if self.number is None:
                raise RulesError("a match that is stored has a number, and this one has none")
            self._store.append(self.number, steps[-1].after, [step.entry for step in steps])
        for step in steps:
            self._add(step)

    def _add(self, step: SessionStep) -> None:
        before, event = step.before, step.entry.event
        self.session, self.moves, self._roll = step.after, (), None
        if isinstance(event, GameBegun):
            self._bots = {}
        self._news += render_in_game(before, event, step.after, self.names)
        if self.on_change is not None and isinstance(event, BOARD_CHANGES):
            self.on_change(self)


def table_state(table: Table) -> TableState:
    """The state of the game on the board, with the plays of a roll. The position is seen by the player on roll."""
    game, actions = table.game, PossibleActions(legal_actions=possible_words(table.session))
    if game.phase is Phase.PLAY:
        actions = replace(actions, plays=tuple(table.plays), moves=tuple(map(str, table.moves)))
    facts = board_facts(table.session, is_stored=table.number is not None)
    return TableState(facts=facts, actions=actions, pips=game.position.pips)


def reply(table: Table, events: Sequence[Event], before: Sequence[Event] = ()) -> ScriptReply:
    """The state after a line was carried out, with the line's own event and all events, those ``before`` it first."""
    return ScriptReply(state=table_state(table), event=events[0] if events else None, events=(*before, *events))
