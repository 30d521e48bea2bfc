"""The doubling cube: its value, its owner, and the pending offer."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Player, to_player
from fullprime.rules.taking import make_plain, short_value, whole_number


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube. ``owner``: None while it lies in the middle; ``offered``: the value that waits for an answer.

    A beaver or a raccoon first accepts the offer and then offers twice as much; so ``value`` is always
    the loss of the side that would decline now, and the beaverer keeps the cube (source 001, line 45).
    Raises SettingsError for a number that no cube shows.
    """

    value: int = 1
    owner: Player | None = None
    offered: int | None = None

    def __post_init__(self) -> None:
        numbers = (self.value,) if self.offered is None else (self.value, self.offered)
        for value in numbers:
            number = whole_number(value)
            if number is None or number < 1 or number & (number - 1):
                raise SettingsError(f"a cube shows 1, 2, 4, 8 or another power of two, not {short_value(value)}")
        make_plain(self, "value", "offered")
        if self.owner is not None:
            object.__setattr__(self, "owner", to_player(self.owner))

    @property
    def turned(self) -> bool:
        """True once a double has been accepted in this game (automatic doubles do not turn the cube)."""
        return self.owner is not None

    def __str__(self) -> str:
        """The cube in words: ``cube at 2, held by X``."""
        place = f"offered at {self.offered}" if self.offered else f"held by {self.owner}" if self.turned else "centred"
        return f"cube at {self.value}, {place}"

    def double(self) -> Cube:
        """The cube offered at twice its value."""
        return Cube(self.value, self.owner, self.value * 2)

    def redouble_by(self, owner: Player) -> Cube:
        """A beaver or raccoon: the offer is accepted, twice as much is offered, ``owner`` holds the cube."""
        accepted = self.offered or self.value
        return Cube(accepted, owner, accepted * 2)

    def take_by(self, owner: Player) -> Cube:
        """The offered value accepted; ``owner`` holds the cube now."""
        return Cube(self.offered or self.value, owner)


def take_point(drop: float, win: float, lose: float) -> float:
    """The share of the games that a player must win to take a cube which is not turned again.

    The arguments are the worth to him of dropping, and of winning and of losing the game with the doubled cube, in any
    unit: it is the risk divided by the risk and the gain together.
    """
    return (drop - lose) / (win - lose)
