"""The JSON values of drills, field by field."""

from __future__ import annotations

from typing_extensions import TypedDict

from fullprime.analysis.setups import SceneJson
from fullprime.common.documented import documented


@documented
class TrainerJson(TypedDict):
    """A trainer, with what the learner has done in it."""

    name: str
    """Its name in addresses."""
    title: str
    """Its title."""
    about: str
    """The skill, in a sentence."""
    teaches: list[str]
    """The method, a paragraph each."""
    unit: str
    """The unit of errors."""
    digits: int
    """Digits after the point with which errors are shown."""
    tries: int
    """Questions answered."""
    right: int
    """Those answered right."""
    seconds: float | None
    """Mean seconds an answer; null before the first."""
    error: float | None
    """Mean error in the unit; null before the first."""
    farthest: int
    """Points that a side needs at most where a score may be chosen; 0 where the questions are about none."""
    cubes: list[int]
    """The cubes that may be chosen with a score; empty where the questions are about none."""


@documented
class TrainersJson(TypedDict):
    """All trainers."""

    trainers: list[TrainerJson]
    """In order."""


@documented
class TryJson(TypedDict):
    """One answer of the past."""

    at: str
    """Its time (UTC, ISO 8601)."""
    seconds: float
    """The seconds it took."""
    right: bool
    """True if it was right."""
    error: float
    """Its error, in the trainer's unit."""


@documented
class HistoryJson(TypedDict):
    """The last answers to a trainer's questions."""

    trainer: TrainerJson
    """The trainer."""
    tries: list[TryJson]
    """The answers, the oldest first."""


@documented
class DrillQuestion(TypedDict):
    """A question of a trainer. Its answer is not told."""

    trainer: str
    """The name of the trainer."""
    seed: int
    """The number of the question: it is sent back with the answer."""
    ask: str
    """The form of the answer: ``number``, ``play`` or ``choice``."""
    words: str
    """The question."""
    choices: list[str]
    """The answers to choose from; empty where there are none."""
    board: SceneJson | None
    """The board, the learner being ``X``; null for a question without one."""


@documented
class DrillAnswer(TypedDict):
    """An answer, marked and stored."""

    right: bool
    """True if it is right."""
    answer: str
    """The answer as it was understood."""
    error: float
    """Its distance from the right one, in the trainer's unit."""
    best: str
    """The right answer."""
    lines: list[str]
    """The reasons."""
    moves: list[str]
    """The checker moves of the answer, where it is a play."""
    best_moves: list[str]
    """The checker moves of the best play."""
    counted: bool
    """False if this question had been answered before."""
    trainer: TrainerJson
    """The trainer, with what the learner has done by now."""
