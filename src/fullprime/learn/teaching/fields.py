"""The JSON values of the school, field by field: the course, its lessons, answers, and a learner's progress."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from fullprime.analysis.setups import DeskCube, SceneJson
from fullprime.common.documented import documented


@documented
class TextPiece(TypedDict):
    """A run of text."""

    text: str
    """The words."""
    term: str | None
    """The glossary's name for them; null for plain text."""


@documented
class LessonEntry(TypedDict):
    """A lesson in the list."""

    name: str
    """Its name in addresses."""
    title: str
    """Its title."""
    about: str
    """What it teaches, in a sentence."""
    minutes: int
    """The time that it takes."""
    steps: int
    """The number of its steps."""
    quizzes: int
    """The number of steps whose first answer counts."""


@documented
class CoursePart(TypedDict):
    """A part of the course."""

    name: str
    """Its name."""
    title: str
    """Its title."""
    lessons: list[LessonEntry]
    """Its lessons, in order."""


@documented
class CourseJson(TypedDict):
    """The course."""

    parts: list[CoursePart]
    """Its parts, in order."""


@documented
class LessonStep(TypedDict):
    """A step of a lesson. Its answer is not told."""

    do: str
    """The task: ``read``, ``try`` (a play that is refused), ``play``, ``cube``, ``turn`` (of the cube, by
    the rules), ``choose`` or ``count``.
    """
    quiz: bool
    """True if the first answer counts."""
    say: list[list[TextPiece]]
    """Paragraphs."""
    hint: list[list[TextPiece]]
    """Paragraphs to be shown on request; empty for none."""
    board: SceneJson | None
    """The board; null for a text without one."""
    marks: list[int]
    """Points to point at, in the learner's numbers. The learner is ``X``."""
    choices: list[str]
    """The answers to choose from, or the words of a cube decision or turn; empty where there are none."""
    rolls: list[str]
    """The rolls of a map, such as ``31``; empty for none."""


@documented
class LessonJson(LessonEntry):
    """A whole lesson."""

    part: str
    """The name of its part."""
    tasks: list[LessonStep]
    """Its steps."""
    leads_to: str
    """``game`` if a whole game follows; empty otherwise."""
    following: str | None
    """The name of the next lesson; null after the last."""


class TurnedCube(TypedDict):
    """The cube after a turn."""

    cube: NotRequired[DeskCube]
    """The cube after a turn that was to be made; left out for any other answer."""
    dice: NotRequired[list[int]]
    """The dice after a throw, or the double that was named; left out for any other answer."""


@documented
class SchoolAnswer(TurnedCube):
    """What comes of an answer."""

    right: bool
    """True if the step is done."""
    refused: bool
    """True if the rules do not allow it or it is no answer: then it does not count."""
    words: list[list[TextPiece]]
    """Paragraphs."""
    play: str
    """The play or the word that was understood."""
    moves: list[str]
    """The checker moves of the play."""
    loss: float | None
    """The equity that it costs; null where nobody judged it."""
    best: str
    """The best play or the right answer; empty where there is no single one."""
    best_moves: list[str]
    """The checker moves of the best play."""


@documented
class LessonMark(TypedDict):
    """A learner's progress in one lesson."""

    step: int
    """The number of steps done."""
    done: bool
    """True once the lesson was finished."""
    right: int
    """Quiz questions answered right at the first try, in the best run."""
    asked: int
    """Quiz questions of that run; 0 before the first."""


@documented
class ProgressJson(TypedDict):
    """A learner's progress."""

    lessons: dict[str, LessonMark]
    """By the name of the lesson."""


@documented
class DailyJson(TypedDict):
    """The position of a day. Its answer is not told."""

    day: str
    """The date, as ``2026-11-22``."""
    question: str
    """The score and the task in words."""
    board: SceneJson
    """The board with the ways to play its roll. The learner is ``X``."""
