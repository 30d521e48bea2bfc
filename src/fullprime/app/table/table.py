"""A table: one match or session in play, the players in its seats, its dice, and the place where it is kept.

Every action is stored before it is told. Between two decisions of a person the table goes on by itself: it throws when
there is nothing to decide, makes forced plays, and lets the bots act. ``record`` has the events so far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullprime.app.table.entering import moves_entered, written
from fullprime.app.table.events import SIDES, Side
from fullprime.app.table.happenings import Happening, info
from fullprime.app.table.links import NO_LINKS, Links, ThrowLinks
from fullprime.app.table.record import HUMAN, TableRecord
from fullprime.play import rulings
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction, RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.record import GameRecord, Setup
from fullprime.rules.score import Player

if TYPE_CHECKING:
    from fullprime.engine.bots.bots import Bot

_THROWN_IN = (Phase.OPENING_ROLL, Phase.CUBE_DECISION, Phase.ROLL)


class Table(TableRecord):
    """A match in play. Methods that act give the events, in order, and raise before anything changes."""

    # -- going on -----------------------------------------------------------------------------------------
    def go_on(self) -> list[Happening]:
        """Do everything that needs no decision of a person; gives the events."""
        while not self.game.is_over and self._automatic_step():
            pass
        return self._told()

    def _automatic_step(self) -> bool:
        game = self.game
        if game.phase is Phase.OPENING_ROLL:
            return self.automatic and self._throw_unless_typed()
        if game.phase is Phase.PLAY and self.automatic and not self.moves:
            play = self.roll.forced
            if play is not None:
                self._do(acts.play(play), automatic=True, play=play)
                self._forced = game
                return True
        if self.is_human(game.turn):
            return self.automatic and game.phase is Phase.ROLL and self._throw_unless_typed()
        if self._waiting_for_link:
            return self._throw_unless_typed()
        if self._waiting_for_dice or self.bots_wait:
            return False
        return self._bot_does(self.bot.choose(game))

    @property
    def bot_is_due(self) -> bool:
        """True if nothing happens until a bot has chosen."""
        game = self.game
        waits = self._waiting_for_dice or self._waiting_for_link
        return not (game.is_over or self.is_human(game.turn) or waits)

    @property
    def bot(self) -> Bot:
        """The bot whose turn it is; raises IllegalAction while it is nobody's."""
        player = self.game.turn
        if player is None:
            raise IllegalAction("nobody has to act now, and so no bot")
        return self._bot(player)

    def answer(self, action: Action) -> list[Happening]:
        """Carry out the choice of the bot whose turn it is, and everything that follows from it without a decision."""
        self._bot_does(action)
        return self.go_on()

    def _bot_does(self, action: Action) -> bool:
        if action.kind is not ActionKind.ROLL:
            self._do(action)
            return True
        self._waiting_for_dice = self.dice.manual
        self._waiting_for_link = self.links is not None
        return self._throw_unless_typed()

    def _throw_unless_typed(self) -> bool:
        if self.dice.manual:
            return False
        if self.links is not None:
            return self._throw_linked(self.links)
        self._throw(self.dice.die(), self.dice.die())
        return True

    # -- links --------------------------------------------------------------------------------------------
    @property
    def awaited(self) -> tuple[Side, ...]:
        """The sides whose link is awaited for a throw about which nobody has anything to decide."""
        links, game = self.links, self.game
        if links is None or game.is_over:
            return ()
        number = self.throws + 1
        if game.phase is Phase.OPENING_ROLL:
            due = self.automatic or any(links.has_told(side, number) for side in links.needed(game))
        elif self.is_human(game.turn):
            due = self.automatic and game.phase is Phase.ROLL
        else:
            due = self._waiting_for_link
        return links.missing(number, game) if due else ()

    def expect_link(self) -> None:
        """A bot has decided to throw, elsewhere: its throw waits for a link."""
        self._waiting_for_link = not self.game.is_over and not self.is_human(self.game.turn)

    def _throw_linked(self, links: ThrowLinks) -> bool:
        """Throw, if all links are there that the throw needs."""
        thrown = links.throw(self.throws + 1, self.game)
        if thrown is None:
            return False
        self.dice.drawn = 2 * thrown.number
        self._throw(*thrown.dice, thrown.links)
        links.made(thrown.number, thrown.links)
        return True

    def _bot(self, player: Player) -> Bot:
        from fullprime.engine.bots.bots import bot_named

        if self.bot_seed is not None:
            return bot_named(self.seats[player], f"{self.bot_seed}:{self._stored}")
        if player not in self._bots:
            self._bots[player] = bot_named(self.seats[player], f"{self.dice.seed or ''}:{player.name}:{self._stored}")
        return self._bots[player]

    # -- what people do -----------------------------------------------------------------------------------
    def act(self, action: Action) -> list[Happening]:
        """Do one thing and everything that follows from it without a decision."""
        self._mine()
        self._do(action)
        return self.go_on()

    def throw(self, dice: tuple[int, int] | None = None) -> list[Happening]:
        """Throw: with the dice of the program, or those that a person has thrown and typed.

        In the opening the first is X's die and the second O's. Raises IllegalAction when it is not the time, and for
        typed dice where the program throws (or none where it does not).
        """
        if self.game.is_over:
            if self.is_over:
                raise IllegalAction("the match is over")
            self._begin_next()
        if self.game.phase not in _THROWN_IN:
            self.game.act(Action(ActionKind.ROLL))  # raises with the reason
        if not self._waiting_for_dice:
            self._mine()
        if dice is None and self.links is not None:
            lacking = self.links.missing(self.throws + 1, self.game)
            if not self._throw_linked(self.links):
                missing = " and ".join(self.names[SIDES.index(side)] for side in lacking)
                raise IllegalAction(f"this throw needs the next link of {missing}")
            return self.go_on()
        if dice is None:
            if self.dice.manual:
                raise IllegalAction("type the dice you have thrown, for example: roll 31")
            dice = (self.dice.die(), self.dice.die())
        elif not self.dice.manual:
            raise IllegalAction("the program throws the dice here: type roll alone (--dice manual is for real dice)")
        self._throw(*dice)
        return self.go_on()

    def play(self, text: str) -> list[Happening]:
        """Make a play given as text; moves of it entered already may be left out or repeated.

        Raises NotationError or IllegalPlay with the rule that it breaks.
        """
        game, dice = self.game, self.game.dice
        if game.phase is not Phase.PLAY or dice is None:
            if self._forced is not None:
                return [self._already_played(text, self._forced)]
            game.act(Action(ActionKind.PLAY))  # raises with the reason
            raise IllegalAction(f"there is no roll to play as {text!r}")
        self._mine()
        variant = self.settings.variant
        known = None if self.moves else self.roll.known(text)
        if known is not None:
            self._do(acts.play(known), play=known)
            return self.go_on()
        if self.moves:
            try:
                play = read_play(f"{written(self.moves)} {text}", game.position, dice, variant)
            except RulesError:
                play = read_play(text, game.position, dice, variant)
        else:
            play = read_play(text, game.position, dice, variant)
        self._do(acts.play(play))
        return self.go_on()

    def step(self, text: str) -> list[Happening]:
        """Make some checker moves of a play; when they complete it, it is played (or waits for confirmation)."""
        game = self.game
        ways = game.ways
        self._mine()
        made = moves_entered(game, self.moves, text)
        self.moves = made
        state = self.state
        left = "".join(map(str, state.dice))
        complete = not ways.steps(state)
        if complete and not self.confirm:
            self._do(acts.play(made))
            return self.go_on()
        what = "type done, or undo" if complete else f"{left} left to play" if left else ""
        return [Happening({
            "kind": "step", "player": _side(game.turn), "text": f"{format_play(made)} ... {what}",
            "moves": [str(move) for move in made], "left": list(state.dice), "complete": complete,
        })]  # fmt: skip

    def finish_play(self) -> list[Happening]:
        """Confirm a play entered checker by checker; raises IllegalPlay while more must be played."""
        if not self.moves:
            raise IllegalAction("there is no play to confirm")
        self._do(acts.play(self.moves))
        return self.go_on()

    def undo(self) -> list[Happening]:
        """Take back the last checker move of an unfinished play, or dice that were typed wrongly.

        Where :attr:`takes_back` allows it, the last decision goes back otherwise; raises IllegalAction if nothing does.
        """
        if self.moves:
            self.moves = self.moves[:-1]
            done = format_play(self.moves) + " ..." if self.moves else "nothing played yet"
            left = [str(move) for move in self.moves]
            side = _side(self.turn)
            return [Happening({"kind": "undo", "player": side, "text": f"Taken back: {done}", "moves": left})]
        before = self._before_typed_dice()
        if before is None and self.takes_back:
            return self.take_back()
        if before is None:
            raise IllegalAction("there is nothing to take back: a confirmed play stands, and so do dice")
        game = self.game
        self._do(Setup(before, f"the dice {game.dice} were typed wrongly"))
        self._waiting_for_dice = not self.is_human(before.turn)
        dice = "" if game.dice is None else f" {game.dice.words}"
        text = f"Taken back: the dice{dice}"
        return [Happening({"kind": "undo", "player": _side(game.turn), "text": text})]

    def take_back(self, steps: int = 1) -> list[Happening]:
        """Back to before the last decision of the people at this table, or an earlier one of the same game.

        Raises IllegalAction when there were fewer.
        """
        people = [side for side in Player if self.is_human(side)]
        return self.rule(rulings.takeback(GameRecord(self._start, tuple(self._events)), people, steps))

    def next_game(self) -> list[Happening]:
        """Begin the next game; raises IllegalAction when one is in play or the match is over."""
        if not self.game.is_over:
            raise IllegalAction("the game is not over yet")
        if self.is_over:
            raise IllegalAction("the match is over")
        self._begin_next()
        return self.go_on()

    def rule(self, setup: Setup) -> list[Happening]:
        """Carry out an event of ``rulings``: take back (the same dice then come again), or end the game."""
        if rulings.kept_by(setup) is not None:
            record = GameRecord(self._start, (*self._events, setup))
            self.dice.go_to(2 * sum(rulings.throws(each.events) for each in (*self._finished, record)))
        self._do(setup)
        return self.go_on()

    def leave(self, loser: Player) -> list[Happening]:
        """Somebody leaves and loses: a match, or the game on the board of a session; between two games the next one."""
        if self.game.is_over:
            if self.is_over:
                raise IllegalAction("the match is over")
            self._begin_next()
        return self.rule(rulings.forfeit(self.game, loser, rulings.BY_LEAVING))

    # -- inside -------------------------------------------------------------------------------------------
    def _mine(self) -> None:
        turn = self.game.turn
        if turn is not None and not self.is_human(turn):
            raise IllegalAction(f"it is {self.names[turn]} who must act now")

    def _throw(self, first: int, second: int, links: Links = NO_LINKS) -> None:
        if self.game.phase is Phase.OPENING_ROLL:
            self._do(acts.opening(first, second), links=links)
        else:
            self._do(acts.roll(Roll(first, second)), links=links)

    def _already_played(self, text: str, before: Game) -> Happening:
        if before.dice is None:
            raise IllegalAction(f"there was no roll to play as {text!r}")
        shown = format_play(read_play(text, before.position, before.dice, self.settings.variant))
        return info(f"{shown} was the only legal play and has been played already", _side(before.turn))

    def _before_typed_dice(self) -> Game | None:
        """The game before dice that a person typed, while their roll is still to be played."""
        last = self._events[-1] if self._events else None
        typed = isinstance(last, Action) and last.kind in (ActionKind.ROLL, ActionKind.OPENING)
        if not (self.dice.manual and typed and self.game.phase is Phase.PLAY):
            return None
        return GameRecord(self._start, tuple(self._events[:-1])).final


def _side(player: Player | None) -> Side | None:
    return None if player is None else SIDES[player]


__all__ = ["HUMAN", "Table"]
