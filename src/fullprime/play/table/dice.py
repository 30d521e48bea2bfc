"""The dice of a table: their source, in a form that can be stored and continued."""

from __future__ import annotations

import json
from dataclasses import dataclass

from fullprime.play.terms import DiceKind


@dataclass(slots=True)
class TableDice:
    """Dice thrown by the program from a seed, or real dice that people type in."""

    seed: str | None = None
    """The seed of the dice; None for one that a new table draws."""
    manual: bool = False
    """True if people throw real dice and type the numbers; a seed then serves the bots alone."""
    drawn: int = 0
    """Dice thrown by the program so far."""
    linked: bool = False
    """True if each throw needs links of the server and of the players (docs/dice.md)."""

    @property
    def kind(self) -> DiceKind:
        """The origin of the throws."""
        return "links" if self.linked else "typed" if self.manual else "seed"

    @property
    def text(self) -> str:
        """The part that must be stored besides ``drawn``."""
        return json.dumps({"seed": self.seed, "manual": self.manual, **({"linked": True} if self.linked else {})})

    @classmethod
    def from_text(cls, text: str, drawn: int = 0) -> TableDice:
        """The inverse of :attr:`text`."""
        data = json.loads(text)
        return cls(data["seed"], bool(data["manual"]), drawn, bool(data.get("linked", False)))
