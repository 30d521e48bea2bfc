"""A reviewed match ply by ply, to be replayed on a board: values, whose fields are their JSON."""

from __future__ import annotations

from dataclasses import dataclass, field

from fullprime.analysis.setups import AnalysisBoard, BoardScene
from fullprime.common.json_values import MERGED
from fullprime.learn.match_lesson import MatchLesson
from fullprime.play.plies import PlyGame, RecordPly
from fullprime.reviews.matches.reviewing import MatchSummary
from fullprime.reviews.rating import PlayerRating


@dataclass(frozen=True, slots=True)
class MatchPly:
    """One action of a player, with the board before it; forced plays and dances are actions, too."""

    ply: RecordPly = field(metadata=MERGED)
    """The ply as the record has it."""
    verdict: str | None
    """The name of the loss: ``ok``, ``unclear``, ``doubtful``, ``error``, ``blunder``; None where none was judged."""
    loss: float | None
    """The equity that was given away; None where nothing was judged."""
    luck: float | None
    """The luck of the roll, in points of equity; None where it was not judged."""
    standing: float | None
    """Before the roll X's chance to win the match, or X's points of the stake for money; None where it is not known."""


@dataclass(frozen=True, slots=True)
class MatchPlies:
    """A reviewed match, ply by ply."""

    match: MatchSummary = field(metadata=MERGED)
    """The match in a few values."""
    cube: bool
    """True if the match is played with a cube."""
    hand: bool
    """True if checkers begin in hand."""
    ratings: dict[str, PlayerRating]
    """The ratings of both sides, by ``X`` and ``O``."""
    rounds: tuple[PlyGame, ...]
    """The games that were reviewed."""
    plies: tuple[MatchPly, ...]
    """All plies of them, in the order of the record."""


@dataclass(frozen=True, slots=True)
class PlyBoard:
    """One ply with its board and its judgement."""

    board: AnalysisBoard | BoardScene
    """The board before it, with the ways to play its roll, and the setup where the analysis board has room for it."""
    decision: MatchLesson | None
    """The judgement of it; None where it was forced or left out."""
