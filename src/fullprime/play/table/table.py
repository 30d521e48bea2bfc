"""A table: a game session at one screen or against a bot, and the place where it is kept.

``fullprime.play`` decides what may be done. A table has the bots act, stores each event before it is shown, and puts it
into words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from fullprime.db.times import utc_now
from fullprime.play.commands import Continue, SessionCommand, command_for
from fullprime.play.decide import decide
from fullprime.play.draft import SessionInputs
from fullprime.play.events import BOARD_CHANGES, GameBegun, LogEntry, Seat, SessionEvent, SessionOpened
from fullprime.play.evolve import evolve, from_record
from fullprime.play.naming import names_for_seat
from fullprime.play.session import GameSession
from fullprime.play.table.board import board_facts, possible_words
from fullprime.play.table.dice import TableDice
from fullprime.play.table.event_texts import render_in_game
from fullprime.play.table.fields import PossibleActions, ScriptReply, TableState
from fullprime.play.table.table_actions import TableActions
from fullprime.play.table.table_events import SIDES, Event
from fullprime.play.terms import HUMAN, Terms
from fullprime.rules.errors import IllegalAction, RulesError
from fullprime.rules.game import Phase
from fullprime.rules.links import new_secret
from fullprime.rules.record import Match, Setup
from fullprime.rules.score import Player

if TYPE_CHECKING:
    from fullprime.engine.bots.bots import NamedBot
    from fullprime.play.table.games import GameStore, SavedMatch


class Table(TableActions):
    """A match in play. Methods that act give the events in words, in order, and raise before anything changes."""

    def __init__(
        self,
        match: Match,
        *,
        seats: tuple[str, str] = (HUMAN, HUMAN),
        dice: TableDice | None = None,
        store: GameStore | None = None,
        number: int | None = None,
        automatic: bool = True,
        confirm: bool = False,
    ) -> None:
        if not match.games:
            match = match.next_game()
        self.dice = dice if dice is not None else TableDice()
        if self.dice.kind == "seed" and self.dice.seed is None:
            self.dice.seed = new_secret()
        self.seats = seats
        """The players, X's first: ``human`` or the name of a bot."""
        self.automatic = automatic
        """True: throw without a decision, and play forced plays."""
        super().__init__(self._fold(match), confirm=confirm)
        self.number = number
        self.on_change: Callable[[Any], None] | None = None
        """Called with the table whenever an event has been added; it may look at :attr:`news`."""
        self._info, self._store, self._inputs = match.info, store, SessionInputs(self.dice.seed or "")
        self._bots: dict[Player, NamedBot] = {}
        self._news: list[Event] = []
        if store is not None and number is None:
            if any(record.events for record in match.games):
                raise RulesError("a match is stored from its first event on")
            self.number = store.create(match, seats, self.dice.text)

    @classmethod
    def resume(cls, saved: SavedMatch, store: GameStore, *, automatic: bool = True, confirm: bool = False) -> Self:
        """The table at which a stored match was left."""
        dice, number = TableDice.from_text(saved.dice, saved.drawn), saved.number
        return cls(
            saved.match, seats=saved.seats, dice=dice, store=store, number=number, automatic=automatic, confirm=confirm
        )

    def _fold(self, match: Match) -> GameSession:
        """The session of a match so far."""
        terms = Terms(
            settings=match.settings,
            opponent="screen" if HUMAN == self.seats[0] == self.seats[1] else "bot",
            dice=self.dice.kind,
            automatic=self.automatic,
            start=match.games[0].start,
        )
        session = evolve(None, LogEntry(1, utc_now(), SessionOpened("", terms, match.names, self.seats)))
        for number, record in enumerate(match.games, 1):
            events = [GameBegun(number), *map(from_record, record.events)]
            for event in events:
                session = evolve(session, LogEntry(session.sequence + 1, utc_now(), event))
        return session

    def show_to_the_only_person(self) -> None:
        """Word events for the only person at the table from now on, where there is only one."""
        people = [side for side, seat in zip(SIDES, self.seats, strict=True) if seat == HUMAN]
        if len(people) == 1:
            self.names = names_for_seat(self.session.names, people[0])

    @property
    def match(self) -> Match:
        """All games and events so far."""
        return replace(self.session.match, info=self._info)

    @property
    def news(self) -> tuple[Event, ...]:
        """The news that the current action has led to so far; for :attr:`on_change`."""
        return tuple(self._news)

    def close(self) -> None:
        """Let go of the place where the game is stored."""
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
            seed = f"{self.dice.seed or ''}:{player.name}:{self.actions_kept}"
            self._bots[player] = bot_named(self.seats[player], seed)
        return self._bots[player]

    # -- acting -------------------------------------------------------------------------------------------
    def advance(self) -> list[Event]:
        """Advance the game as far as it needs no decision of a person; gives the events."""
        return self._give(Continue(), None)

    def rule(self, setup: Setup) -> list[Event]:
        """Carry out an event of ``rulings``: take back (the same dice then come again), or end the game."""
        event, before = from_record(setup), self.session
        self._add(event, evolve(before, LogEntry(before.sequence + 1, utc_now(), event)))
        return self.advance()

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
        for step in decide(self.session, command, seat, utc_now(), self._inputs).steps:
            self._add(step.entry.event, step.after)

    def _add(self, event: SessionEvent, after: GameSession) -> None:
        """Add an event; an event of the board is stored first."""
        before = self.session
        if isinstance(event, BOARD_CHANGES):
            if not self.dice.manual:
                self.dice.drawn = 2 * after.throws
            self._keep(before, after)
        self.session, self.moves, self._roll = after, (), None
        if isinstance(event, GameBegun) and before.game is not None:
            self._bots = {}
        self._news += render_in_game(before, event, after, self.names)
        if self.on_change is not None and isinstance(event, BOARD_CHANGES):
            self.on_change(self)

    def _keep(self, before: GameSession, after: GameSession) -> None:
        if self._store is None:
            return
        if self.number is None:
            raise RulesError("a match that is stored has a number, and this one has none")
        number, event = before.game_number, after.record[-1]
        self._store.append(self.number, after.board_version, number, event, self.dice.drawn, over=after.is_won)


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


__all__ = ["HUMAN", "Table", "reply", "table_state"]
