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
    """Seeded dice thrown so far."""
    linked: bool = False
    """True if each throw needs links of the server and of the players (``links``); nothing is thrown from here."""
    _source: DiceSource | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
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
        return self._source.die()

    def go_to(self, drawn: int) -> None:
        """Go on after so many dice of the seed, as if no more had been thrown; dice without a seed stay as they are."""
        if self.linked:
            self.drawn = drawn
        if self.seed is not None and not self.manual:
            self._source, self.drawn = SeededDice(self.seed, drawn), drawn

    @property
    def text(self) -> str:
        """The part that must be stored besides ``drawn``."""
        return json.dumps({"seed": self.seed, "manual": self.manual, **({"linked": True} if self.linked else {})})

    @classmethod
    def from_text(cls, text: str, drawn: int = 0) -> TableDice:
        """The inverse of :attr:`text`."""
        data = json.loads(text)
        return cls(data["seed"], bool(data["manual"]), drawn, bool(data.get("linked", False)))
