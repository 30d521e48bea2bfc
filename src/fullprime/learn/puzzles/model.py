"""Puzzles as pages and programs get them: values, and their fields in JSON."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.analysis.setups import BoardScene


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleStanding:
    """A learner's standing at the puzzles of one game."""

    variant: str
    """The game."""
    title: str
    """Its name in words."""
    puzzles: int
    """Puzzles in the stock."""
    themes: tuple[str, ...]
    """Their themes."""
    rating: int
    """The rating (Glicko-2)."""
    deviation: int
    """Its uncertainty: one standard deviation."""
    tries: int
    """Rated puzzles tried."""
    right: int
    """Those solved."""
    best_streak: int
    """The most puzzles solved in one streak."""
    best_storm: int
    """The most puzzles solved in one storm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleStandings:
    """The standing at the puzzles of every game."""

    games: tuple[PuzzleStanding, ...]
    """Those games of which there are puzzles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleQuestion:
    """A puzzle. Its solution is not told."""

    name: str
    """Its name."""
    variant: str
    """The game."""
    theme: str
    """Its theme."""
    rating: int
    """Its rating."""
    tried: bool
    """True if the learner has tried it before, so that it does not count."""
    board: BoardScene
    """The board, the learner being ``X``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleAnswer:
    """An answer to a puzzle, graded and stored."""

    right: bool
    """True if the play is as good as the best."""
    answer: str
    """The play that was understood."""
    loss: float
    """The loss, in the game's unit."""
    best: str
    """The best play."""
    trap: str
    """The play that tempts."""
    trap_loss: float
    """Its loss."""
    why: str
    """Why the best play is better than a wrong answer, or than the play that tempts; empty where nothing is sure."""
    moves: tuple[str, ...]
    """The checker moves of the answer."""
    best_moves: tuple[str, ...]
    """The checker moves of the best play."""
    counted: bool
    """False if the puzzle had been tried before."""
    change: int | None
    """The change of the learner's rating; null where it is not rated."""
    puzzle_rating: int
    """The puzzle's rating now."""
    score: int
    """Puzzles solved in this streak or storm; 0 for rated ones."""
    over: bool
    """True if the streak or the storm is over."""
    seconds_left: int | None
    """Seconds until a storm is over; null for every other mode."""
    standing: PuzzleStanding
    """The learner's standing now."""
