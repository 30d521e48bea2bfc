"""Trainers, and what learners do in them: values, and their fields in JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

from fullprime.analysis.setups import BoardScene
from fullprime.common.json_values import MERGED, JsonFields, json_names
from fullprime.learn.trainers.match_scores import Scores
from fullprime.learn.trainers.question import MarkedAnswer, TrainerQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Trainer:
    """A trainer of one skill."""

    __json__: ClassVar[JsonFields] = json_names(
        "name", "title", "about", "teaches", "unit", "digits", "farthest", "cubes"
    )

    name: str
    """Its name in addresses."""
    title: str
    """Its title."""
    about: str
    """The skill, in a sentence."""
    unit: str
    """The unit of errors: ``pips``, ``points`` (of equity), ``percent``, ``rolls``."""
    digits: int
    """Digits after the point with which errors are shown."""
    teaches: tuple[str, ...]
    """The method, a paragraph each."""
    ask: Callable[[int], TrainerQuestion] = field(repr=False)
    mark: Callable[[TrainerQuestion, str], MarkedAnswer] = field(repr=False)
    scores: Scores | None = None
    """The scores among which the learner may choose; None for a trainer that asks about none."""
    has_board: bool = True
    """False for questions that are words alone."""

    @property
    def farthest(self) -> int:
        """Points that a side needs at most where a score may be chosen; 0 where the questions are about none."""
        return self.scores.farthest if self.scores else 0

    @property
    def cubes(self) -> tuple[int, ...]:
        """The cubes that may be chosen with a score; empty where the questions are about none."""
        return tuple(self.scores.cubes) if self.scores else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainerTotals:
    """All answers of a learner to one trainer's questions."""

    tries: int = 0
    """Questions answered."""
    right: int = 0
    """Those answered right."""
    seconds: float | None = None
    """Mean seconds an answer; null before the first."""
    error: float | None = None
    """Mean error in the unit; null before the first."""


@dataclass(frozen=True, slots=True)
class TrainerProgress:
    """A trainer, with what the learner has done in it."""

    trainer: Trainer = field(metadata=MERGED)
    totals: TrainerTotals = field(metadata=MERGED)


@dataclass(frozen=True, slots=True)
class TrainerList:
    """All trainers."""

    trainers: tuple[TrainerProgress, ...]
    """In order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainerTry:
    """One answer of the past."""

    __json__: ClassVar[JsonFields] = json_names("at", "seconds", "right", "error")

    trainer: str
    """The name of the trainer."""
    seed: int
    """The number of the question."""
    at: datetime
    """Its time, in seconds since 1970."""
    seconds: float
    """The seconds it took."""
    right: bool
    """True if it was right."""
    error: float
    """Its error, in the trainer's unit."""


@dataclass(frozen=True, slots=True)
class TrainerHistory:
    """The last answers to a trainer's questions."""

    trainer: TrainerProgress
    """The trainer."""
    tries: tuple[TrainerTry, ...] = ()
    """The answers, the oldest first."""


@dataclass(frozen=True, slots=True)
class DrillQuestion:
    """A question of a trainer. Its answer is not told."""

    trainer: str
    """The name of the trainer."""
    question: TrainerQuestion = field(metadata=MERGED)
    board: BoardScene | None
    """The board, the learner being ``X``; null for a question without one."""


@dataclass(frozen=True, slots=True)
class DrillAnswer:
    """An answer, marked and stored."""

    marked: MarkedAnswer = field(metadata=MERGED)
    counted: bool
    """False if this question had been answered before."""
    trainer: TrainerProgress
    """The trainer, with what the learner has done by now."""
