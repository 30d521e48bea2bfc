"""What people do at a table, in their words: a play as text, checker by checker, taken back. Each is one command.

What becomes of the command is for the class that has it: a table decides and stores it, a server hands it to the
service of its sessions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fullprime.messages import Message
from fullprime.play.commands import Act, BeginNextGame, SessionCommand, TakeBack, ThrowDice, WithdrawRoll
from fullprime.play.events import Seat
from fullprime.play.session import GameSession
from fullprime.play.table.entering import moves_entered, written
from fullprime.play.table.events import SIDES, Side
from fullprime.play.table.happenings import Happening, info
from fullprime.play.table.roll_plays import PlaysByText
from fullprime.rules import game as acts
from fullprime.rules.errors import IllegalAction, RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import CheckerMove, RollPlays, RollState
from fullprime.rules.record import Event
from fullprime.rules.score import Player, Score, Settings


class TableActions:
    """A session with the checker moves of a play that is not complete, and the actions of the people at it.

    Methods that act give what there is to tell, and raise before anything changes.
    """

    takes_back = False
    """``undo`` goes back over confirmed decisions too: no opponent is there who could mind."""
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

    def _give(self, command: SessionCommand, seat: Seat | None = None) -> list[Happening]:
        """Carry out a command of the people at the table, or of a ``seat``; gives what there is to tell."""
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
    def events(self) -> Sequence[Event]:
        """The events of the game on the board; ``match`` puts the whole record together, which takes longer."""
        return self.session.record

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
        """The moves of the legal plays by their texts, worked out once; none while there is nothing to play."""
        return self.roll.all

    @property
    def roll(self) -> PlaysByText:
        """The plays of the roll, which stay those of the game as it stands now."""
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
    def act(self, action: Action) -> list[Happening]:
        """Do one thing and everything that follows from it without a decision."""
        self._check_turn()
        return self._give(Act(action))

    def throw(self, dice: tuple[int, int] | None = None) -> list[Happening]:
        """Throw: with the dice of the program, or those that a person has thrown and typed.

        In the opening the first is X's die and the second O's. Raises IllegalAction when it is not the time, and for
        typed dice where the program throws (or none where it does not).
        """
        if not self.session.is_throw_decided:
            self._check_turn()
        return self._give(ThrowDice(dice), SIDES[self.turn] if self.waits_for_dice and self.turn is not None else None)

    def play(self, text: str) -> list[Happening]:
        """Make a play given as text; moves of it entered already may be left out or repeated.

        Raises NotationError or IllegalPlay with the rule that it breaks.
        """
        game, dice, variant = self.game, self.game.dice, self.settings.variant
        if game.phase is not Phase.PLAY or dice is None:
            if self.session.before_forced_play is not None:
                return [self._already_played(text, self.session.before_forced_play)]
            game.act(Action(ActionKind.PLAY))  # raises with the reason
            raise IllegalAction(Message("there is no roll to play as {text}", text=repr(text)))
        self._check_turn()
        known = None if self.moves else self.roll.known(text)
        if known is not None:
            return self._give(Act(acts.play(known), known))
        if self.moves:
            try:
                play = read_play(f"{written(self.moves)} {text}", game.position, dice, variant)
            except RulesError:
                play = read_play(text, game.position, dice, variant)
        else:
            play = read_play(text, game.position, dice, variant)
        return self._give(Act(acts.play(play)))

    def step(self, text: str) -> list[Happening]:
        """Make some checker moves of a play; when they complete it, it is played (or waits for confirmation)."""
        game = self.game
        ways = game.ways
        self._check_turn()
        made = moves_entered(game, self.moves, text)
        self.moves = made
        state = self.state
        left = "".join(map(str, state.dice))
        complete = not ways.steps(state)
        if complete and not self.confirm:
            return self._give(Act(acts.play(made)))
        told: str = f"{format_play(made)} ... "
        if complete:
            told = Message("{play} ... type done, or undo", play=format_play(made))
        elif left:
            told = Message("{play} ... {left} left to play", play=format_play(made), left=left)
        return [Happening({
            "kind": "step", "player": side_of(game.turn), "text": told,
            "moves": [str(move) for move in made], "left": list(state.dice), "complete": complete,
        })]  # fmt: skip

    def finish_play(self) -> list[Happening]:
        """Confirm a play entered checker by checker; raises IllegalPlay while more must be played."""
        if not self.moves:
            raise IllegalAction(Message("there is no play to confirm"))
        return self._give(Act(acts.play(self.moves)))

    def undo(self) -> list[Happening]:
        """Take back the last checker move of an unfinished play, or dice that were typed wrongly.

        Where :attr:`takes_back` allows it, the last decision goes back otherwise; raises IllegalAction if nothing does.
        """
        if self.moves:
            self.moves = self.moves[:-1]
            text = Message("Taken back: nothing played yet")
            if self.moves:
                text = Message("Taken back: {play} ...", play=format_play(self.moves))
            left = [str(move) for move in self.moves]
            side = side_of(self.turn)
            return [Happening({"kind": "undo", "player": side, "text": text, "moves": left})]
        if self.takes_back and not self.session.has_typed_roll:
            return self.take_back()
        return self._give(WithdrawRoll())

    def take_back(self, steps: int = 1) -> list[Happening]:
        """Back to before the last decision of the people at this table, or an earlier one of the same game.

        Raises IllegalAction when there were fewer.
        """
        return self._give(TakeBack(steps))

    def next_game(self) -> list[Happening]:
        """Begin the next game; raises IllegalAction when one is in play or the match is over."""
        return self._give(BeginNextGame())

    # -- inside -------------------------------------------------------------------------------------------
    def _check_turn(self) -> None:
        turn = self.turn
        if turn is not None and not self.is_human(turn):
            raise IllegalAction(Message("it is {name} who must act now", name=self.names[turn]))

    @property
    def _seat(self) -> Seat:
        """The seat from which the people at the table act."""
        opponent = self.session.terms.opponent
        if opponent == "screen":
            return "both"
        if opponent == "friend":
            return SIDES[self.turn or Player.X]
        return next((side for side in SIDES if self.is_human(Player[side])), "X")

    def _already_played(self, text: str, before: Game) -> Happening:
        if before.dice is None:
            raise IllegalAction(Message("there was no roll to play as {text}", text=repr(text)))
        shown = format_play(read_play(text, before.position, before.dice, self.settings.variant))
        text = Message("{play} was the only legal play and has been played already", play=shown)
        return info(text, side_of(before.turn))


def side_of(player: Player | None) -> Side | None:
    """The name of a side; None for no player."""
    return None if player is None else SIDES[player]
