"""The JSON values of the errors of a reviewed match, to be gone through one by one."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from fullprime.analysis.model import PlayOnBoard
from fullprime.analysis.setups import BoardJson, SceneJson
from fullprime.common.documented import documented
from fullprime.reviews.matches.fields import MatchSummary


@documented
class LessonOption(PlayOnBoard):
    """One option of a decision."""

    text: str
    """The option as players write it."""
    equity: float
    """The equity to the player who decides."""
    loss: float
    """The equity that it loses against the best."""
    value: float
    """The equity as points of the stake, or as the chance to win the match."""
    verdict: str
    """The name of the loss."""
    chances: list[float] | None
    """Win, win a gammon or better, win a backgammon, lose a gammon or worse, lose a backgammon; None for the cube."""
    depth: int
    """The plies of look-ahead behind these numbers: two options of different depth are compared with care."""
    deviation: float | None
    """The standard error of an equity that was rolled out; None for one that was not."""
    after: NotRequired[list[list[int]]]
    """The rows of the player, and of the opponent, after a play."""


@documented
class LessonJson(TypedDict):
    """One error: the board, the choices, the cost of each, and the reasons."""

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
    more: list[str]
    """Further sentences, for those who want more."""
    mistake: str
    """The kind of a cube error; empty for none."""
    proper: str | None
    """The right action with the cube; None for a play."""
    chosen: int
    """The number of the option that was taken."""
    choices: list[str]
    """The choices on offer, in a fixed order; empty for a play."""
    legal: int
    """The number of possible plays."""
    options: list[LessonOption]
    """The best first."""
    board: BoardJson | SceneJson
    """The board before the decision, with its setup where the analysis board has a place for it."""


@documented
class LessonsJson(MatchSummary):
    """The errors of a match."""

    lessons: list[LessonJson]
    """The errors in the order in which they were made."""
