"""The dice of a table: their source, in a form that can be stored and continued."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from fullprime.rules.dice import DiceSource, SeededDice, SystemDice
from fullprime.rules.errors import SettingsError


@dataclass(slots=True)
class TableDice:
    """Dice thrown by the program (from a seed, or from the system's generator), or real dice that people type in."""

    seed: str | None = None
    """Reproducible dice; None for the system's generator."""
    manual: bool = False
    """True if people throw real dice and type the numbers."""
    drawn: int = 0
    """Dice thrown so far; those of a seed go on after them."""
    linked: bool = False
    """True if each throw needs links of the server and of the players (``links``); nothing is thrown from here."""
    _source: DiceSource | None = field(default=None, init=False, repr=False, compare=False)
    _first: int = field(default=0, init=False, repr=False, compare=False)
    """The number of dice thrown before those in ``_thrown``."""
    _thrown: list[int] = field(default_factory=list, init=False, repr=False, compare=False)
    """Dice of the system's generator, as they were thrown here."""

    def __post_init__(self) -> None:
        self._first = self.drawn
        if self.linked or (self.manual and self.seed is not None):
            # A seed then serves the bots alone.
            return
        self._source = SystemDice() if self.seed is None else SeededDice(self.seed, self.drawn)

    def die(self) -> int:
        """The next die; raises SettingsError when people throw the dice."""
        if self.linked:
            raise SettingsError("these dice need links: the game goes on through the server where it was begun")
        if self._source is None:
            self._source = SystemDice()
        if self.manual:
            raise SettingsError("these dice are typed in, not thrown by the program")
        self.drawn += 1
        if self.seed is not None:
            return self._source.die()
        place = self.drawn - 1 - self._first
        if place == len(self._thrown):
            self._thrown.append(self._source.die())
        return self._thrown[place]

    def go_to(self, drawn: int) -> None:
        """Go on after so many dice, as if no more had been thrown: the same dice come again.

        Dice without a seed come again as far as they were thrown since the table was opened, and real dice never.
        """
        if self.linked:
            self.drawn = drawn
        elif self.manual:
            return
        elif self.seed is not None:
            self._source, self.drawn = SeededDice(self.seed, drawn), drawn
        elif drawn >= self._first:
            self.drawn = drawn
        else:
            self._first, self.drawn = drawn, drawn
            self._thrown.clear()

    @property
    def text(self) -> str:
        """The part that must be stored besides ``drawn``."""
        return json.dumps({"seed": self.seed, "manual": self.manual, **({"linked": True} if self.linked else {})})

    @classmethod
    def from_text(cls, text: str, drawn: int = 0) -> TableDice:
        """The inverse of :attr:`text`."""
        data = json.loads(text)
        return cls(data["seed"], bool(data["manual"]), drawn, bool(data.get("linked", False)))
