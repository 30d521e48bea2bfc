"""Lessons and the position of the day as pages show them: values, and their fields in JSON."""

from __future__ import annotations

from dataclasses import dataclass, field

from fullprime.analysis.setups import BoardScene
from fullprime.common.json_values import LEFT_OUT, MERGED
from fullprime.learn.lessons import Do, Lesson
from fullprime.learn.lessons.grading import StepVerdict
from fullprime.learn.lessons.texts import Paragraphs
from fullprime.play.table.fields import CubeState
from fullprime.rules.dice import Roll


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonTask:
    """A step of a lesson. Its answer is not told."""

    do: Do
    """The task: ``read``, ``try`` (a play that is refused), ``play``, ``cube``, ``turn`` (of the cube, by
    the rules), ``choose`` or ``count``.
    """
    quiz: bool
    """True if the first answer counts."""
    say: Paragraphs
    """Paragraphs."""
    hint: Paragraphs
    """Paragraphs to be shown on request; empty for none."""
    board: BoardScene | None
    """The board; null for a text without one."""
    marks: tuple[int, ...]
    """Points to point at, in the learner's numbers. The learner is ``X``."""
    choices: tuple[str, ...]
    """The answers to choose from, or the words of a cube decision or turn; empty where there are none."""
    rolls: tuple[str, ...]
    """The rolls of a map, such as ``31``; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeLesson:
    """A whole lesson."""

    lesson: Lesson = field(metadata=MERGED)
    part: str
    """The name of its part."""
    tasks: tuple[LessonTask, ...]
    """Its steps."""
    leads_to: str
    """``game`` if a whole game follows; empty otherwise."""
    following: str | None
    """The name of the next lesson; null after the last."""


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """What comes of an answer."""

    verdict: StepVerdict = field(metadata=MERGED)
    words: Paragraphs
    """Paragraphs."""
    cube: CubeState | None = field(default=None, metadata=LEFT_OUT)
    """The cube after a turn that was to be made; left out for any other answer."""
    dice: Roll | None = field(default=None, metadata=LEFT_OUT)
    """The dice after a throw, or the double that was named; left out for any other answer."""


@dataclass(frozen=True, slots=True)
class PositionOfDay:
    """The position of a day. Its answer is not told."""

    day: str
    """The date, as ``2026-11-22``."""
    question: str
    """The score and the task in words."""
    board: BoardScene
    """The board with the ways to play its roll. The learner is ``X``."""


@dataclass(frozen=True, slots=True)
class DailyPlay:
    """A play of the position of a day, and how many have made it."""

    play: str
    """The play."""
    count: int
    """The other learners whose first answer it was."""


@dataclass(frozen=True, slots=True)
class DailyAnswered:
    """What comes of an answer to the position of a day."""

    answer: LessonAnswer = field(metadata=MERGED)
    counted: bool = False
    """True for the caller's first answer to this day, which alone counts."""
    others: int = 0
    """The other learners who have answered; 0 for a play that the rules refuse."""
    plays: tuple[DailyPlay, ...] = ()
    """What most of them played, the most frequent play first."""


@dataclass(frozen=True, slots=True)
class DailyOutcome:
    """A day whose position the caller has answered."""

    day: str
    """The date, as ``2026-11-22``."""
    answer: str
    """The first play; empty where the best play was shown."""
    right: bool
    """True if it was right."""


@dataclass(frozen=True, slots=True)
class DailyRecord:
    """What the caller has made of the positions of the days."""

    streak: int
    """Days in a row with a play made on that day, up to today or yesterday."""
    answered: int
    """Days with a play of the caller."""
    right: int
    """Those of them whose play was right."""
    days: tuple[DailyOutcome, ...]
    """The days that were answered, the latest first."""
