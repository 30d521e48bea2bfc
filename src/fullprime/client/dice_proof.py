"""The verdict about the dice of a game, and what a client itself knows of them (``links_proof`` has the check)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fullprime.rules.score import Player
from fullprime.rules.words import format_dice

Throw = tuple[int, ...]
"""Two dice."""


@dataclass(frozen=True, slots=True)
class DiceVerdict:
    """The verdict of a check of the dice."""

    throws: int
    """The number of throws that follow from the links."""
    is_own: bool
    """True if this client knew the commitment and then added to the dice itself. Without that only the
    server's word says that the secret was not chosen to suit the dice."""
    faults: tuple[str, ...] = ()
    """The faults; empty when everything follows from the links."""
    without: int = 0
    """Throws that the server knew of before, since no player gave a link for them."""

    @property
    def holds(self) -> bool:
        """True if everything follows from the links."""
        return not self.faults

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if self.faults:
            return "\n".join(self.faults)
        whose = "yours among them" if self.is_own else "none of them added by this client"
        alone = f" {self.without} of them were made without a link of a player." if self.without else ""
        return f"{self.throws} throws follow from the links, {whose}.{alone}"


@dataclass(frozen=True, slots=True)
class OwnShare:
    """The commitment that a client knew before a game, its own seed, and the throws that it has seen."""

    commitment: str
    """The commitment that the server sent first."""
    player: Player | None
    seed: str | None
    """The seed that this client added after it had seen the commitment; None when it did not."""
    thrown: Sequence[tuple[str, Throw]]
    """The latest throws without a gap: ``opening``, ``tie`` or ``roll``, and the dice in their order."""
    takebacks: int = 0
    """The number of takebacks meanwhile: the same dice come again."""


def format_throw(dice: Throw) -> str:
    """A throw as people read it; ``nothing`` for none."""
    return format_dice(dice) or "nothing"
