"""Lessons from the errors of a reviewed match: values, whose fields are their JSON."""

from __future__ import annotations

from dataclasses import dataclass, field

from fullprime.analysis.model import PlayOnBoard
from fullprime.analysis.setups import AnalysisBoard, BoardScene
from fullprime.common.json_values import LEFT_OUT, MERGED
from fullprime.reviews.matches.reviewing import MatchSummary
from fullprime.reviews.reasons.reason import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonOption:
    """One option of a decision."""

    text: str
    """The option as players write it."""
    equity: float
    """The equity to the player who decides."""
    loss: float
    """The equity that it loses against the best."""
    value: float
    """The equity as points of the stake, or as a chance to win the match."""
    verdict: str
    """The name of the loss."""
    chances: tuple[float, ...] | None
    """Win, win a gammon or better, win a backgammon, lose a gammon or worse, lose a backgammon; None for the cube."""
    depth: int
    """The plies of look-ahead behind these numbers: two options of different depth are compared with care."""
    deviation: float | None
    """The standard error of an equity that was rolled out; None for one that was not."""
    drawn: PlayOnBoard = field(metadata=MERGED)
    after: tuple[tuple[int, ...], tuple[int, ...]] | None = field(default=None, metadata=LEFT_OUT)
    """The rows of the player, and of the opponent, after a play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonDecision:
    """A decision of a match: the choices, the cost of each, and the reasons."""

    game: int
    """The number of the game, from 1."""
    event: int
    """The number of the event in the game, from 1."""
    number: str
    """The number of the decision as the report has it: game and roll, such as ``2.16``."""
    anchor: str
    """The name of the decision on the page of the report."""
    player: str
    """The player who decided: ``X`` or ``O``."""
    name: str
    """The player's name."""
    kind: str
    """The kind: ``play``, ``double``, ``take``, ``choice`` or ``resignation``."""
    verdict: str
    """The name of the loss: ``doubtful``, ``error`` or ``blunder``."""
    words: str
    """The decision in words."""
    reason: str
    """The reason why the best option is best, in a sentence; empty where there is nothing to say."""
    reasons: tuple[Reason, ...]
    """The facts and figures that this sentence names, with their numbers; empty where there is none."""
    more: tuple[str, ...]
    """Further sentences, for those who want more."""
    mistake: str
    """The kind of a cube error; empty for none."""
    proper: str | None
    """The right action with the cube; None for a play."""
    chosen: int
    """The number of the option that was taken."""
    choices: tuple[str, ...]
    """The choices on offer, in a fixed order; empty for a play."""
    legal: int
    """The number of possible plays."""
    options: tuple[LessonOption, ...]
    """The best first."""


@dataclass(frozen=True, slots=True)
class MatchLesson:
    """One error: the board, the choices, the cost of each, and the reasons."""

    decision: LessonDecision = field(metadata=MERGED)
    board: AnalysisBoard | BoardScene
    """The board before the decision, with its setup where the analysis board has a place for it."""


@dataclass(frozen=True, slots=True)
class MatchLessons:
    """The errors of a match."""

    match: MatchSummary = field(metadata=MERGED)
    """The match in a few values."""
    lessons: list[MatchLesson]
    """The errors in the order in which they were made."""
