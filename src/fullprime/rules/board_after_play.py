"""The text of a play and the board after it, for values that hold a play: in a list of plays, in a ranking."""

from __future__ import annotations

from fullprime.rules.ids import find_gnu_position_id
from fullprime.rules.notation import format_play
from fullprime.rules.plays import Play
from fullprime.rules.position import Position


class BoardAfterPlay:
    """A play as text, and the board after it, of a value that has a ``play``."""

    __slots__ = ()
    play: Play

    @property
    def text(self) -> str:
        """The play in notation."""
        return format_play(self.play)

    @property
    def position(self) -> Position:
        """The board after the play, seen by the other player, who is then on roll."""
        return self.play.position

    @property
    def position_id(self) -> str | None:
        """The Position ID of the board after the play; None where the ID cannot carry the board."""
        return find_gnu_position_id(self.position)
