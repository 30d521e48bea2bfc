"""The verbs of a game: a method for each action of the players, in their own words."""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

from fullprime.rules import actions
from fullprime.rules.actions import Action
from fullprime.rules.dice import AnyRoll
from fullprime.rules.errors import IllegalAction
from fullprime.rules.notation import read_play
from fullprime.rules.plays import CheckerMove, Play, RollPlays
from fullprime.rules.taking import short_value


class Acting:
    """The base of values that take actions one by one. Each verb gives the next state and changes nothing here.

    Each raises IllegalAction (a play IllegalPlay or NotationError) with the reason where it is not possible now.
    """

    __slots__ = ()

    @abstractmethod
    def act(self, action: Action) -> Self:
        """The state after an action."""

    @property
    @abstractmethod
    def roll_plays(self) -> RollPlays:
        """The ways to play the roll; raises IllegalAction when there is none to play."""

    def opening(self, x_die: int, o_die: int) -> Self:
        """Both throw one die for the first turn; the higher one begins with both."""
        return self.act(actions.opening(x_die, o_die))

    def roll(self, dice: AnyRoll) -> Self:
        """The player on roll throws ``31``, ``(3, 1)`` or a ``Roll``."""
        return self.act(actions.roll(dice))

    def play(self, play: Play | str | tuple[CheckerMove, ...]) -> Self:
        """The player on roll moves: a play, or text in any notation such as ``8/5 6/5``, ``bar/21*``, ``fan``."""
        if isinstance(play, str):
            roll_plays = self.roll_plays
            play = read_play(play, roll_plays.start.position, roll_plays.roll, roll_plays.variant)
        elif not isinstance(play, Play | tuple):
            raise IllegalAction(f"{short_value(play)} is no play; write one such as '8/5 6/5'")
        return self.act(actions.play(play))

    def double(self) -> Self:
        """The player on roll offers the cube."""
        return self.act(actions.DOUBLE)

    def take(self) -> Self:
        """The cube that was offered is accepted."""
        return self.act(actions.TAKE)

    def drop(self) -> Self:
        """The cube that was offered is refused: the game is lost."""
        return self.act(actions.DROP)

    def beaver(self) -> Self:
        """The cube is accepted and turned once more at once."""
        return self.act(actions.BEAVER)

    def raccoon(self) -> Self:
        """A beaver is accepted and turned once more at once."""
        return self.act(actions.RACCOON)

    def choose(self, number: int) -> Self:
        """The player names a double (Acey Deucey)."""
        return self.act(actions.choose(number))

    def resign(self, level: int | str = 1) -> Self:
        """The player to act offers to lose a single game (1), a ``"gammon"`` (2) or a ``"backgammon"`` (3)."""
        return self.act(actions.resign(level))

    def accept(self) -> Self:
        """The resignation is accepted."""
        return self.act(actions.ACCEPT)

    def refuse(self) -> Self:
        """The resignation is refused: the game goes on."""
        return self.act(actions.REFUSE)
