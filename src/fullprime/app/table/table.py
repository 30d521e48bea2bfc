"""A table: a game session in play, the bots in its seats, and the place where it is kept.

What may be done is decided by ``fullprime.play``; a table has the bots act and keeps the checker moves of a play that
is not complete. ``TableSession`` stores each event before it is told, and puts it into words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fullprime.app.table.entering import moves_entered, written
from fullprime.app.table.events import SIDES
from fullprime.app.table.happenings import Happening, info
from fullprime.app.table.table_session import TableSession, side_of
from fullprime.play import rulings
from fullprime.play.commands import Act, BeginNextGame, Continue, SessionCommand, TakeBack, ThrowDice, WithdrawRoll
from fullprime.play.decide import decide
from fullprime.play.draft import Draft
from fullprime.play.events import (
    GameBegun,
    GameForfeited,
    Seat,
    SessionEvent,
)
from fullprime.play.evolve import from_record
from fullprime.play.session import GameSession
from fullprime.play.terms import HUMAN
from fullprime.rules import game as acts
from fullprime.rules.errors import IllegalAction, RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.record import Setup
from fullprime.rules.score import Player
from fullprime.store.times import utc_now

if TYPE_CHECKING:
    from fullprime.engine.bots.bots import Bot


class Table(TableSession):
    """A match in play. Methods that act give the events in words, in order, and raise before anything changes."""

    takes_back = False
    """``undo`` goes back over confirmed decisions too: nobody plays here who could mind."""
    bots_wait = False
    """Stop before every choice of a bot: somebody else asks the bot and hands its choice to :meth:`answer`."""

    # -- bots ---------------------------------------------------------------------------------------------
    @property
    def bot_is_due(self) -> bool:
        """True if nothing happens until a bot has chosen."""
        return self.session.is_bot_due

    @property
    def bot(self) -> Bot:
        """The bot whose turn it is; raises IllegalAction while it is nobody's."""
        from fullprime.engine.bots.bots import bot_named

        player = self.turn
        if player is None:
            raise IllegalAction("nobody has to act now, and so no bot")
        if self.bot_seed is not None:
            return bot_named(self.seats[player], f"{self.bot_seed}:{self.actions_kept}")
        if player not in self._bots:
            seed = f"{self.dice.seed or ''}:{player.name}:{self.actions_kept}"
            self._bots[player] = bot_named(self.seats[player], seed)
        return self._bots[player]

    def answer(self, action: Action) -> list[Happening]:
        """Carry out the choice of the bot whose turn it is, and everything that follows from it without a decision."""
        turn = self.turn
        if turn is None:
            raise IllegalAction("nobody has to act now, and so no bot")
        return self._give(ThrowDice() if action.kind is ActionKind.ROLL else Act(action), SIDES[turn])

    # -- what people do -----------------------------------------------------------------------------------
    def go_on(self) -> list[Happening]:
        """Do everything that needs no decision of a person; gives the events."""
        return self._give(Continue(), None)

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
            raise IllegalAction(f"there is no roll to play as {text!r}")
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
        what = "type done, or undo" if complete else f"{left} left to play" if left else ""
        return [Happening({
            "kind": "step", "player": side_of(game.turn), "text": f"{format_play(made)} ... {what}",
            "moves": [str(move) for move in made], "left": list(state.dice), "complete": complete,
        })]  # fmt: skip

    def finish_play(self) -> list[Happening]:
        """Confirm a play entered checker by checker; raises IllegalPlay while more must be played."""
        if not self.moves:
            raise IllegalAction("there is no play to confirm")
        return self._give(Act(acts.play(self.moves)))

    def undo(self) -> list[Happening]:
        """Take back the last checker move of an unfinished play, or dice that were typed wrongly.

        Where :attr:`takes_back` allows it, the last decision goes back otherwise; raises IllegalAction if nothing does.
        """
        if self.moves:
            self.moves = self.moves[:-1]
            done = format_play(self.moves) + " ..." if self.moves else "nothing played yet"
            left = [str(move) for move in self.moves]
            side = side_of(self.turn)
            return [Happening({"kind": "undo", "player": side, "text": f"Taken back: {done}", "moves": left})]
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

    def rule(self, setup: Setup) -> list[Happening]:
        """Carry out an event of ``rulings``: take back (the same dice then come again), or end the game."""
        self._add(from_record(setup))
        return self.go_on()

    def leave(self, loser: Player) -> list[Happening]:
        """Somebody leaves and loses: a match, or the game on the board of a session; between two games the next one."""
        if self.game.is_over:
            if self.is_over:
                raise IllegalAction("the match is over")
            self._add(GameBegun(self.game_number + 1))
        self._add(GameForfeited(loser, rulings.BY_LEAVING))
        return self.go_on()

    def throw_alone(self) -> list[Happening]:
        """Throw without the links that are missing, and go on."""
        draft = Draft(self.session, utc_now(), self._inputs)
        draft.throw_if_possible(alone=True)
        draft.go_on()
        return self._take_all(draft.steps)

    # -- inside -------------------------------------------------------------------------------------------
    def _check_turn(self) -> None:
        turn = self.turn
        if turn is not None and not self.is_human(turn):
            raise IllegalAction(f"it is {self.names[turn]} who must act now")

    @property
    def _seat(self) -> Seat:
        """The seat from which the people at the table act."""
        opponent = self.session.terms.opponent
        if opponent == "screen":
            return "both"
        if opponent == "friend":
            return SIDES[self.turn or Player.X]
        return next((side for side in SIDES if self.is_human(Player[side])), "X")

    def _give(self, command: SessionCommand, seat: Seat | None = None) -> list[Happening]:
        """Have a command decided, and everything that the bots do after it; gives the events in words."""
        actor = seat if seat is not None or isinstance(command, Continue) else self._seat
        self._take(decide(self.session, command, actor, utc_now(), self._inputs).steps)
        while not self.bots_wait and self.bot_is_due and self.turn is not None:
            action, bots_side = self.bot.choose(self.game), SIDES[self.turn]
            bots_command = ThrowDice() if action.kind is ActionKind.ROLL else Act(action)
            self._take(decide(self.session, bots_command, bots_side, utc_now(), self._inputs).steps)
        return self._told()

    def _take_all(self, steps: Sequence[tuple[SessionEvent, GameSession]]) -> list[Happening]:
        self._take(steps)
        return self._told()

    def _already_played(self, text: str, before: Game) -> Happening:
        if before.dice is None:
            raise IllegalAction(f"there was no roll to play as {text!r}")
        shown = format_play(read_play(text, before.position, before.dice, self.settings.variant))
        return info(f"{shown} was the only legal play and has been played already", side_of(before.turn))


__all__ = ["HUMAN", "Table"]
