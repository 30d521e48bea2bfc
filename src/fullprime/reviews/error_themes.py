"""Themes of errors: the sort of thing that went wrong, and its cost. Importing this loads no engine."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar


class ErrorTheme(StrEnum):
    """The sort of an error, in words that follow a player's name."""

    ANCHOR_BROKEN = "breaks an anchor too early"
    ANCHOR_MISSED = "misses an anchor"
    POINT_BROKEN = "breaks a point"
    POINT_MISSED = "misses a point"
    PRIME = "gives up a prime"
    HIT_MISSED = "misses a hit"
    HIT_LOOSE = "hits when it costs too much"
    SHOTS = "leaves too many shots"
    SAFE = "plays too safely"
    BURIED = "buries checkers"
    STACKED = "stacks checkers"
    BACK = "leaves checkers back"
    BUILDERS = "brings too few builders"
    RETURNS = "leaves too few return shots"
    CLEARING = "clears badly"
    TIMING = "runs out of time"
    RACE = "races badly"
    OTHER_PLAY = "other plays"
    DOUBLES_LATE = "doubles too late"
    CASH_MISSED = "misses a cash"
    DOUBLES_EARLY = "doubles too early"
    TOO_GOOD = "doubles when too good"
    TAKES = "takes what is a drop"
    DROPS = "drops what is a take"
    OTHER_CUBE = "other cube actions"
    RESIGNATION = "resignations"


@dataclass(frozen=True, slots=True)
class ThemeTotal:
    """The errors of one theme: how many, and the equity that they cost."""

    __json_digits__: ClassVar[int] = 4

    theme: ErrorTheme
    """The theme in words, such as ``breaks an anchor too early``."""
    times: int
    """How often it was made."""
    cost: float
    """Its cost, in points of equity."""

    def __str__(self) -> str:
        times = "once" if self.times == 1 else f"{self.times} times"
        return f"{self.theme}: {times}, {self.cost:.3f}"
