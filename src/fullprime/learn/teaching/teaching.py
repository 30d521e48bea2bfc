"""Lessons for a page or a terminal: rendered with their figures; answers judged; solutions."""

from __future__ import annotations

from functools import lru_cache

from fullprime.analysis.setups import SceneJson, scene
from fullprime.learn.lessons import (
    Course,
    Do,
    Lesson,
    LessonError,
    Step,
    StepFigures,
    course,
    grade,
    read_course,
)
from fullprime.learn.lessons.course import UnknownLesson
from fullprime.learn.lessons.figures import FiguresError
from fullprime.learn.lessons.grading import Verdict, cube_words
from fullprime.learn.lessons.grading import solution as solution_of
from fullprime.learn.lessons.texts import Values, paragraphs, plain
from fullprime.learn.teaching.computing import game_at
from fullprime.learn.teaching.fields import (
    CourseJson,
    LessonEntry,
    LessonJson,
    LessonStep,
    SchoolAnswer,
    TextPiece,
    TurnedCube,
)
from fullprime.learn.teaching.hints import hint_of, reason
from fullprime.rules.actions import Action, ActionKind, choose
from fullprime.rules.errors import IllegalAction

_LONGEST = 200
"""Letters of an answer."""


def read_whole() -> CourseJson:
    """The course: its parts and their lessons."""
    return {
        "parts": [
            {"name": part.name, "title": part.title, "lessons": [entry(each) for each in part.lessons]}
            for part in course().parts
        ]
    }


def entry(lesson: Lesson) -> LessonEntry:
    """A lesson for the list."""
    return {
        "name": lesson.name,
        "title": lesson.title,
        "about": lesson.about,
        "minutes": lesson.minutes,
        "steps": len(lesson.steps),
        "quizzes": lesson.quizzes,
    }


def find_lesson(name: str) -> None:
    """Raise UnknownLesson where the package's course has no lesson of that name."""
    course().lesson(name)


@lru_cache(64)
def read_one(name: str) -> LessonJson:
    """A lesson of the package's course, ready to be shown. Raises UnknownLesson, FiguresError."""
    found = course().lesson(name)
    figures = course().figures(found)
    lessons = list(course())
    at = lessons.index(found)
    tasks = [_step(step, known) for step, known in zip(found.steps, figures.steps, strict=True)]
    return {
        **entry(found),
        "part": found.part,
        "tasks": tasks,
        "leads_to": found.leads_to,
        "following": lessons[at + 1].name if at + 1 < len(lessons) else None,
    }


def answer(name: str, number: int, text: str) -> SchoolAnswer:
    """Judge an answer to a step, 1 for the first. Raises UnknownLesson, LessonError for a step that is not there."""
    step, known = at_step(course(), course().lesson(name), number)
    return judged(step, known, text)


def judged(step: Step, known: StepFigures, text: str) -> SchoolAnswer:
    """Judge an answer to a step."""
    if len(text) > _LONGEST:
        raise LessonError(f"an answer has at most {_LONGEST} letters, not {len(text)}")
    verdict = grade(step, known, text, reason)
    turned, refusal = _turned(step, verdict)
    return {
        "right": verdict.right,
        "refused": verdict.refused,
        "words": told(f"{refusal}\n\n{verdict.words}" if refusal else verdict.words, known.values),
        "play": verdict.play,
        "moves": list(verdict.moves),
        "loss": verdict.loss,
        "best": verdict.best,
        "best_moves": list(verdict.best_moves),
        **turned,
    }


def _turned(step: Step, verdict: Verdict) -> tuple[TurnedCube, str]:
    """The cube or the dice after a turn that was to be made, and the reason where the rules refuse it."""
    if step.do is not Do.TURN or step.board is None or not verdict.right:
        return {}, ""
    if step.board.throw is not None:
        return {"dice": [step.board.throw.high, step.board.throw.low]}, ""
    game = game_at(step.board)
    try:
        if step.board.choose:
            return {"dice": scene(game.act(choose(int(step.line[0]))))["dice"] or []}, ""
        return {"cube": scene(game.act(Action(ActionKind(step.line))))["cube"]}, ""
    except IllegalAction as error:
        words = str(error)
        return {}, f"{words[:1].upper()}{words[1:].rstrip('.')}."


def solution(name: str, number: int) -> SchoolAnswer:
    """The right answer to a step, judged as if the learner had given it."""
    step, known = at_step(course(), course().lesson(name), number)
    return judged(step, known, solution_of(step, known))


def at_step(whole: Course, lesson: Lesson, number: int) -> tuple[Step, StepFigures]:
    """A step that asks something, with its figures; raises LessonError, FiguresError."""
    if not 1 <= number <= len(lesson.steps):
        raise LessonError(f"{lesson.title} has steps from 1 to {len(lesson.steps)}, and no step {number}")
    step = lesson.steps[number - 1]
    if not step.asks:
        raise LessonError(f"step {number} of {lesson.title} asks nothing")
    return step, whole.figures(lesson).steps[number - 1]


def told(text: str, values: Values) -> list[list[TextPiece]]:
    """A text as paragraphs of pieces."""
    return [[{"text": piece.text, "term": piece.term} for piece in each] for each in paragraphs(text, values)]


def hint(step: Step, known: StepFigures) -> list[list[TextPiece]]:
    """A hint as paragraphs, with the terms that the author has marked; none where there is nothing to say."""
    words = hint_of(step, known)
    return told(words, known.values) if words else []


def words_of(step: Step) -> tuple[str, ...]:
    """The answers that a step offers: its choices, or the words of its cube decision."""
    if step.do is Do.TURN:
        return step.turns
    return cube_words(step) if step.do is Do.CUBE and step.board is not None else step.choices


def _step(step: Step, known: StepFigures) -> LessonStep:
    try:
        return {
            "do": str(step.do),
            "quiz": step.quiz,
            "say": told(step.say, known.values),
            "hint": hint(step, known),
            "board": _scene(step),
            "marks": [] if step.board is None else list(step.board.marks),
            "choices": [plain(each, known.values) for each in words_of(step)],
            "rolls": list(known.rolls),
        }
    except LookupError as error:
        raise FiguresError(f"a figure is missing: {error}") from error


def _scene(step: Step) -> SceneJson | None:
    """The board as pages draw it; the ways to play are left out where nothing is to be played."""
    if step.board is None:
        return None
    found = scene(game_at(step.board))
    if step.do not in (Do.PLAY, Do.TRY):
        found.pop("tree", None)
    return found


__all__ = [
    "Course",
    "Do",
    "Lesson",
    "Step",
    "StepFigures",
    "UnknownLesson",
    "answer",
    "at_step",
    "course",
    "entry",
    "find_lesson",
    "hint",
    "judged",
    "plain",
    "read_course",
    "read_one",
    "read_whole",
    "solution",
    "solution_of",
    "told",
    "words_of",
]
