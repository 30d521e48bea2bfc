"""Analyses found in a file: plain facts about another program's opinion, keyed to the events of the match.

Nothing here is computed. Probabilities are five cumulative numbers of the player on roll: win, win gammon or better,
win backgammon, lose gammon or worse, lose backgammon. A figure that a file does not give is None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fullprime.rules.frozen_mapping import FrozenMapping
from fullprime.rules.plays import CheckerMove

Chances = tuple[float, float, float, float, float]
"""win, win gammon+, win backgammon, lose gammon+, lose backgammon of the player on roll."""


@dataclass(frozen=True, slots=True)
class CandidatePlay:
    """One play that the program looked at."""

    moves: tuple[CheckerMove, ...] | None
    """The play; None when it could not be understood as a play of this roll."""
    text: str
    """The play as the file writes it, or in our notation when the file is binary."""
    equity: float | None
    """Cubeful, in the unit of the ``PlayAnalysis``."""
    chances: Chances | None = None
    level: str = ""
    """The method of evaluation: ``2-ply``, ``XG Roller++``, ``rollout 1296`` …"""
    deviation: float | None = None
    """Standard error of a rolled out equity."""


@dataclass(frozen=True, slots=True)
class PlayAnalysis:
    """Candidates, best first as the file ranks them, and which of them was played."""

    candidates: tuple[CandidatePlay, ...]
    played: int | None
    """Index of the play made among the candidates; None when it is not one of them."""
    unit: str = "points"
    """``points`` or ``mwc``, as in ``CubeAnalysis``."""


@dataclass(frozen=True, slots=True)
class CubeAnalysis:
    """Equities of the player who could double.

    ``unit`` is ``points`` (of the cube before doubling, normalised in a match) or ``mwc`` (match winning chances).
    """

    no_double: float | None
    double_take: float | None
    double_pass: float | None
    chances: Chances | None = None
    """Without a double."""
    double_chances: Chances | None = None
    """After double and take."""
    cubeless: float | None = None
    level: str = ""
    unit: str = "points"
    deviation: float | None = None
    """Standard error of a rolled out equity without a double."""


@dataclass(frozen=True, slots=True)
class EventAnalysis:
    """A file's analysis of one event of a game.

    ``play`` belongs to a ``PLAY``; ``cube`` to the ``ROLL`` or ``DOUBLE`` that decided about the cube, or to the
    ``TAKE`` or ``DROP`` that answered; ``luck``, in points, to a ``ROLL`` or ``OPENING``. ``error`` is the loss in
    points that the file itself states (never negative).
    """

    play: PlayAnalysis | None = None
    cube: CubeAnalysis | None = None
    luck: float | None = None
    error: float | None = None


@dataclass(frozen=True, slots=True)
class FileAnalysis:
    """All analyses of a match: ``events[game, event]``, both counted from 0."""

    program: str
    events: Mapping[tuple[int, int], EventAnalysis] = field(default_factory=FrozenMapping)
    figures: Mapping[str, str] = field(default_factory=FrozenMapping)
    """Further figures of the file as it writes them (statistics, ratings), by their name there."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", FrozenMapping(self.events))
        object.__setattr__(self, "figures", FrozenMapping(self.figures))
