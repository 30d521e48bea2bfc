"""A table: a game session at one screen or against a bot, and the place where it is kept.

``fullprime.play`` decides what may be done. A table has the bots act, stores each event before it is shown, and puts it
into words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from fullprime.db.times import utc_now
from fullprime.play.checks import check_turn, game_of
from fullprime.play.commands import Continue, SessionCommand, ThrowDice, command_for
from fullprime.play.decide import decide
from fullprime.play.draft import SessionInputs
from fullprime.play.events import BOARD_CHANGES, GameBegun, LogEntry, Seat, SessionOpened
from fullprime.play.evolve import fold
from fullprime.play.keys import new_id
from fullprime.play.naming import names_for_seat
from fullprime.play.session import GameSession, SessionStep
from fullprime.play.table.board import PlaysByText, board_facts, possible_words
from fullprime.play.table.event_texts import render_in_game
from fullprime.play.table.fields import PossibleActions, ScriptReply, TableState
from fullprime.play.table.line_reader import LineReader
from fullprime.play.table.questions import Asker, HintReason, answer_question
from fullprime.play.table.table_events import SIDES, Event
from fullprime.play.table.words import WORDS, read_words
from fullprime.play.terms import HUMAN, Terms
from fullprime.rules.errors import RulesError
from fullprime.rules.game import Game, Phase
from fullprime.rules.links import new_secret
from fullprime.rules.plays import CheckerMove
from fullprime.rules.record import Match
from fullprime.rules.score import Player

if TYPE_CHECKING:
    from fullprime.engine.bots.bots import NamedBot
    from fullprime.play.table.terminal_store import TerminalStore


class Table:
    """A match in play. Methods that act give the events in words, in order, and raise before anything changes."""

    takes_back = False
    """True where ``undo`` takes back confirmed decisions too, because no opponent could object."""
    why_hint: HintReason | None = None
    """Gives the reason that goes with a hint; hints have no reason where it is None."""

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
        self.session = session
        """The session that is played here."""
        self.names = session.names
        """The names, X's first; those of the session, unless one person alone sees them."""
        self.number = number
        """The number under which the game is stored; None when it is not."""
        self.confirm = confirm
        """A play entered checker by checker waits for ``done``."""
        self.moves: tuple[CheckerMove, ...] = ()
        """Checker moves entered of a play that is not complete yet."""
        self._plays: PlaysByText | None = None
        self.on_change: Callable[[Table], None] | None = None
        """Called with the table whenever an event of the board has been added."""
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

    def close(self) -> None:
        """Let go of the store."""
        if self._store is not None:
            self._store.close()

    # -- reading ------------------------------------------------------------------------------------------
    @property
    def game(self) -> Game:
        """The game on the board."""
        return game_of(self.session)

    @property
    def is_over(self) -> bool:
        """True when the match has been won; a money session never ends by itself."""
        return self.session.is_won

    @property
    def match(self) -> Match:
        """All games so far as they were played, without what was taken back."""
        return self.session.match

    @property
    def turn(self) -> Player | None:
        """The player who must decide; None for the opening roll and between games."""
        return self.session.turn

    @property
    def types_dice(self) -> bool:
        """True if people throw real dice and type the numbers."""
        return self.session.terms.dice == "typed"

    @property
    def waits_for_dice(self) -> bool:
        """True when a bot wants to throw and a person must type its dice."""
        return self.types_dice and self.session.is_throw_decided

    @property
    def plays(self) -> PlaysByText:
        """The plays of the roll of the game as it stands now, found once; later events do not change them."""
        if self._plays is None:
            self._plays = PlaysByText(self.game)
        return self._plays

    @property
    def reader(self) -> LineReader:
        """The reader of the lines that people type here."""
        return LineReader(self.session, self.moves, self.plays, self.confirm, self.takes_back)

    @property
    def asker(self) -> Asker:
        """The people at the table, as those who ask questions."""
        return Asker(self.session, self.names, self.number, self.why_hint)

    @property
    def actions_kept(self) -> int:
        """The number of events of the board so far; they are stored where the match is stored."""
        return self.session.board_version

    # -- acting -------------------------------------------------------------------------------------------
    def advance(self) -> list[Event]:
        """Advance the game as far as it needs no decision of a person; gives the events."""
        return self.perform(Continue())

    def run_command(self, text: str) -> list[Event]:
        """Carry out a line of the people at the table, or answer it; gives the events.

        Raises a FullprimeError with the reason for a line that means nothing or is not allowed; the table is as before.
        """
        word, rest = read_words(self.session, text)
        when = WORDS[word].when
        if when == "always":
            return answer_question(self.asker, word, rest)
        if when == "turn" and not (word == "roll" and self.session.is_throw_decided):
            check_turn(self.session, self._seat)
        meaning = self.reader.read(word, rest)
        if meaning.command is not None:
            return self.perform(meaning.command)
        self.moves = meaning.moves
        return list(meaning.events)

    @property
    def _seat(self) -> Seat:
        """The seat from which the people at the table act."""
        if self.session.terms.opponent == "screen":
            return "both"
        return next((side for side in SIDES if self.session.is_human(Player[side])), "X")

    def perform(self, command: SessionCommand) -> list[Event]:
        """Carry out a command of the people at the table and the actions of bots that follow; gives the events."""
        seat = self._seat
        if isinstance(command, ThrowDice) and self.waits_for_dice and self.turn is not None:
            seat = SIDES[self.turn]  # the people type the dice of a bot
        self._take(command, seat)
        while self.session.is_bot_due and self.turn is not None:
            self._take(command_for(self._bot_of(self.turn).choose(self.game)), SIDES[self.turn])
        news, self._news = self._news, []
        return news

    def _bot_of(self, side: Player) -> NamedBot:
        """The bot at that side, the same one for a whole game."""
        from fullprime.engine.bots.bots import bot_named

        if side not in self._bots:
            seed = f"{self.seed}:{side.name}:{self.actions_kept}"
            self._bots[side] = bot_named(self.session.seats[side], seed)
        return self._bots[side]

    def _take(self, command: SessionCommand, seat: Seat) -> None:
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
        self.session, self.moves, self._plays = step.after, (), None
        if isinstance(event, GameBegun):
            self._bots = {}
        self._news += render_in_game(before, event, step.after, self.names)
        if self.on_change is not None and isinstance(event, BOARD_CHANGES):
            self.on_change(self)


def table_state(table: Table) -> TableState:
    """The state of the game on the board, with the plays of a roll. The position is seen by the player on roll."""
    game, actions = table.game, PossibleActions(legal_actions=possible_words(table.session))
    if game.phase is Phase.PLAY:
        actions = replace(actions, plays=tuple(table.plays.all), moves=tuple(map(str, table.moves)))
    facts = board_facts(table.session, is_stored=table.number is not None)
    return TableState(facts=facts, actions=actions, pips=game.position.pips)


def reply(table: Table, events: Sequence[Event], before: Sequence[Event] = ()) -> ScriptReply:
    """The state after a line was carried out, with the line's own event and all events, those ``before`` it first."""
    return ScriptReply(state=table_state(table), event=events[0] if events else None, events=(*before, *events))
