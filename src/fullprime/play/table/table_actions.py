"""Actions of people at a table: a play as text or checker by checker, a throw, a takeback. Each is one command.

The subclass carries the command out: a table decides and stores it, a server hands it to the service of its
sessions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from fullprime.messages import Message
from fullprime.play.checks import turn_words
from fullprime.play.commands import Act, BeginNextGame, SessionCommand, TakeBack, ThrowDice, WithdrawRoll
from fullprime.play.events import Seat
from fullprime.play.session import GameSession
from fullprime.play.table.board import PlaysByText
from fullprime.play.table.entering import complete_moves, format_moves, no_roll
from fullprime.play.table.event_texts import info_event
from fullprime.play.table.table_events import SIDES, Event, StepEvent, UndoEvent
from fullprime.rules import game as acts
from fullprime.rules.errors import IllegalAction, RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import CheckerMove, RollPlays, RollState
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Score, Settings

if TYPE_CHECKING:
    from fullprime.engine.api import Hint


class HintReason(Protocol):
    """Gives the reason for a hint in one sentence. A protocol, because the packages that find reasons use this one."""

    def __call__(self, game: Game, hint: Hint, level: str) -> str:
        """The sentence; empty where there is none."""
        ...


class TableActions:
    """A session with the checker moves of a play that is not complete, and the actions of the people at it.

    Methods that act give the events in words, and raise before anything changes.
    """

    takes_back = False
    """True where ``undo`` takes back confirmed decisions too, because no opponent could object."""
    why_hint: HintReason | None = None
    """Gives the reason that goes with a hint; hints have no reason where it is None."""
    number: int | None = None
    """The number under which the game is stored; None when it is not."""

    def __init__(self, session: GameSession, *, confirm: bool) -> None:
        self.session = session
        """The session that is played here."""
        self.settings: Settings = session.terms.settings
        self.names = session.names
        """The names, X's first; those of the session, unless one person alone sees them."""
        self.confirm = confirm
        """A play entered checker by checker waits for :meth:`finish_play`."""
        self.moves: tuple[CheckerMove, ...] = ()
        """Checker moves entered of a play that is not complete yet."""
        self._roll: PlaysByText | None = None

    def _give(self, command: SessionCommand, seat: Seat | None = None) -> list[Event]:
        """Carry out a command of the people at the table, or of a ``seat``; gives the events in words."""
        raise NotImplementedError

    # -- reading ------------------------------------------------------------------------------------------
    @property
    def game(self) -> Game:
        """The game on the board."""
        game = self.session.game
        assert game is not None  # a table begins with its first game
        return game

    @property
    def score(self) -> Score:
        """The score, with the game that has just ended in it."""
        return self.session.score

    @property
    def is_over(self) -> bool:
        """True when the match has been won; a money session never ends by itself."""
        return self.session.is_won

    @property
    def game_number(self) -> int:
        """The number of the game on the board, from 1."""
        return self.session.game_number

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
    def ways(self) -> RollPlays:
        """The ways to play the roll."""
        return self.game.ways

    @property
    def plays(self) -> Mapping[str, tuple[CheckerMove, ...]]:
        """The moves of the legal plays by their texts, found once; empty while there is nothing to play."""
        return self.roll.all

    @property
    def roll(self) -> PlaysByText:
        """The plays of the roll of the game as it stands now; later events do not change them."""
        if self._roll is None:
            self._roll = PlaysByText(self.game)
        return self._roll

    @property
    def state(self) -> RollState:
        """The board and the dice after the moves entered so far; raises IllegalAction when nothing is to play."""
        ways = self.game.ways
        state = ways.start
        for move in self.moves:
            state = ways.step(state, move)
        return state

    @property
    def actions_kept(self) -> int:
        """The number of events of the match so far; they are stored where the match is stored."""
        return self.session.board_version

    def is_human(self, player: Player | None) -> bool:
        """True if a person sits there; None counts as one."""
        return self.session.is_human(player)

    # -- acting -------------------------------------------------------------------------------------------
    def act(self, action: Action) -> list[Event]:
        """Carry out an action, and all that follows from it without a decision."""
        self._check_turn()
        return self._give(Act(action))

    def throw(self, dice: tuple[int, int] | None = None) -> list[Event]:
        """Throw: with the dice of the program, or those that a person has thrown and typed.

        In the opening the first is X's die and the second O's. Raises IllegalAction where no throw is due, for typed
        dice where the program throws, and without dice where it does not.
        """
        if not self.session.is_throw_decided:
            self._check_turn()
        return self._give(ThrowDice(dice), SIDES[self.turn] if self.waits_for_dice and self.turn is not None else None)

    def play(self, text: str) -> list[Event]:
        """Make a play given as text; moves of it entered already may be left out or repeated.

        Raises NotationError or IllegalPlay with the rule that it breaks.
        """
        game, dice, variant = self.game, self.game.dice, self.settings.variant
        if game.phase is not Phase.PLAY or dice is None:
            if self.session.before_forced_play is not None:
                return [self._find_already_played(text, self.session.before_forced_play)]
            game.act(Action(ActionKind.PLAY))  # raises with the reason
            raise no_roll(text)
        self._check_turn()
        if not self.moves:
            legal = self.roll.find(text)
            return self._give(Act(acts.play(legal or read_play(text, game.position, dice, variant)), legal))
        try:
            play = read_play(f"{format_moves(self.moves)} {text}", game.position, dice, variant)
        except RulesError:
            play = read_play(text, game.position, dice, variant)
        return self._give(Act(acts.play(play)))

    def step(self, text: str) -> list[Event]:
        """Make some checker moves of a play; when they complete it, it is played (or waits for confirmation)."""
        game = self.game
        ways = game.ways
        self._check_turn()
        moves = complete_moves(game, self.moves, text)
        self.moves = moves
        state = self.state
        left = "".join(map(str, state.dice))
        complete = not ways.steps(state)
        if complete and not self.confirm:
            return self._give(Act(acts.play(moves)))
        words: str = f"{format_play(moves)} ... "
        if complete:
            words = Message("{play} ... type done, or undo", play=format_play(moves))
        elif left:
            words = Message("{play} ... {left} left to play", play=format_play(moves), left=left)
        written_moves = tuple(map(str, moves))
        return [StepEvent(player=game.turn, text=words, moves=written_moves, left=state.dice, complete=complete)]

    def finish_play(self) -> list[Event]:
        """Confirm a play entered checker by checker; raises IllegalPlay while more must be played."""
        if not self.moves:
            raise IllegalAction(Message("there is no play to confirm"))
        return self._give(Act(acts.play(self.moves)))

    def undo(self) -> list[Event]:
        """Take back the last checker move of an unfinished play, or dice that were typed wrongly.

        Where there are none and :attr:`takes_back` allows it, take back the last decision. Raises IllegalAction where
        there is nothing to take back.
        """
        if self.moves:
            self.moves = self.moves[:-1]
            text = Message("Taken back: nothing played yet")
            if self.moves:
                text = Message("Taken back: {play} ...", play=format_play(self.moves))
            return [UndoEvent(player=self.turn, text=text, moves=tuple(map(str, self.moves)))]
        if self.takes_back and not self.session.has_typed_roll:
            return self.take_back()
        return self._give(WithdrawRoll())

    def take_back(self, steps: int = 1) -> list[Event]:
        """Go back to before the last decision of the people at this table, or an earlier one of the same game.

        Raises IllegalAction when there were fewer.
        """
        return self._give(TakeBack(steps))

    def next_game(self) -> list[Event]:
        """Begin the next game; raises IllegalAction when one is in play or the match is over."""
        return self._give(BeginNextGame())

    # -- inside -------------------------------------------------------------------------------------------
    def _check_turn(self) -> None:
        turn = self.turn
        if turn is not None and not self.is_human(turn):
            raise IllegalAction(turn_words(self.names[turn]))

    @property
    def _seat(self) -> Seat:
        """The seat from which the people at the table act."""
        opponent = self.session.terms.opponent
        if opponent == "screen":
            return "both"
        if opponent == "friend":
            return SIDES[self.turn or Player.X]
        return next((side for side in SIDES if self.is_human(Player[side])), "X")

    def _find_already_played(self, text: str, before: Game) -> Event:
        if before.dice is None:
            raise IllegalAction(Message("there was no roll to play as {text}", text=repr(text)))
        play = format_play(read_play(text, before.position, before.dice, self.settings.variant))
        text = Message("{play} was the only legal play and has been played already", play=play)
        return info_event(text, before.turn)
