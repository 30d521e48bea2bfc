"""What the players of a session have agreed on before it begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from fullprime.play.clocks import TimeControl, time_control
from fullprime.rules.game import Game
from fullprime.rules.score import Settings

Opponent: TypeAlias = Literal["bot", "friend", "screen"]
"""The kind of opponent: a bot, a person elsewhere, or a person at the same screen."""
DiceKind: TypeAlias = Literal["links", "seed", "typed"]
"""The origin of throws: links of the server and of players (docs/dice.md), one secret seed, or real dice that people
type."""

HUMAN = "human"
"""The seat of a person, beside the names of bots."""
GRACE = 180
"""Seconds after which the player who waits for an absent one may claim the win, unless another time was agreed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The agreement; it holds for a rematch as well."""

    settings: Settings
    opponent: Opponent = "friend"
    dice: DiceKind = "links"
    automatic: bool = True
    """True: what needs no decision is thrown and played by itself."""
    clock: str | None = None
    """A text that :func:`fullprime.play.clocks.time_control` reads; None plays without a clock."""
    grace: int = GRACE
    """Seconds of absence after which the win may be claimed; 0 is never."""
    rated: bool = False
    spectators: bool = True
    late: int = 0
    """Seconds after which spectators see an event."""
    house: str | None = None
    """The name of the house whose rules are played."""
    start: Game | None = None
    """The position to begin with; None is the opening roll of a new match."""

    @property
    def time_control(self) -> TimeControl | None:
        """The clock's delay and reserve; None without a clock."""
        return None if self.clock is None else time_control(self.clock, self.settings)

    @property
    def is_correspondence(self) -> bool:
        """True where each turn may take days."""
        control = self.time_control
        return control is not None and control.days is not None
