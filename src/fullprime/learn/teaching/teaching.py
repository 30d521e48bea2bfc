"""Lessons for pages and the terminal: their texts with figures, judged answers, and solutions."""

from __future__ import annotations

import re
from functools import lru_cache

from fullprime.analysis.setups import BoardScene, scene
from fullprime.learn.lessons import (
    Board,
    Course,
    Do,
    Lesson,
    LessonError,
    LessonStep,
    StepFigures,
    course,
    grade,
    read_course,
)
from fullprime.learn.lessons.course import UnknownLesson
from fullprime.learn.lessons.figures import FiguresError
from fullprime.learn.lessons.grading import cube_words
from fullprime.learn.lessons.grading import solution as solution_of
from fullprime.learn.lessons.texts import Paragraphs, paragraphs, to_plain_text
from fullprime.learn.teaching.computing import game_at
from fullprime.learn.teaching.hints import hint_of, reason
from fullprime.learn.teaching.model import LessonAnswer, LessonTask, WholeLesson
from fullprime.play.table.board import cube_state
from fullprime.play.table.fields import CubeState
from fullprime.rules.actions import Action, ActionKind, choose
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction

_LONGEST = 200
"""The most letters of an answer."""


def find_lesson(name: str) -> None:
    """Raise UnknownLesson where the package's course has no lesson of that name."""
    course().get_lesson(name)


@lru_cache(64)
def read_one(name: str) -> WholeLesson:
    """A lesson of the package's course, ready to be shown. Raises UnknownLesson, FiguresError."""
    lesson = course().get_lesson(name)
    figures = course().get_figures(lesson)
    lessons = list(course())
    at = lessons.index(lesson)
    return WholeLesson(
        lesson=lesson,
        part=lesson.part,
        tasks=tuple(_task(step, step_figures) for step, step_figures in zip(lesson.steps, figures.steps, strict=True)),
        leads_to=lesson.leads_to,
        following=lessons[at + 1].name if at + 1 < len(lessons) else None,
    )


def answer(name: str, number: int, text: str) -> LessonAnswer:
    """Judge an answer to a step, 1 for the first. Raises UnknownLesson, LessonError for a step that is not there."""
    step, figures = find_step(course(), course().get_lesson(name), number)
    return judge_answer(step, figures, text)


def judge_answer(step: LessonStep, figures: StepFigures, text: str) -> LessonAnswer:
    """Judge an answer to a step."""
    if len(text) > _LONGEST:
        raise LessonError(f"an answer has at most {_LONGEST} letters, not {len(text)}")
    verdict = grade(step, figures, text, reason)
    if step.do is not Do.TURN or step.board is None or not verdict.right:
        return LessonAnswer(verdict, paragraphs(verdict.words, figures.values))
    cube, dice, refusal = _turn_board(step, step.board)
    return LessonAnswer(verdict, paragraphs(f"{refusal}\n\n{verdict.words}", figures.values), cube, dice)


def _turn_board(step: LessonStep, board: Board) -> tuple[CubeState | None, Roll | None, str]:
    """The cube or the dice after a turn that was to be made, and the reason where the rules refuse it."""
    if board.throw is not None:
        return None, board.throw, ""
    game = game_at(board)
    try:
        if board.choose:
            return None, game.act(choose(int(step.line[0]))).dice, ""
        return cube_state(game.act(Action(ActionKind(step.line)))), None, ""
    except IllegalAction as error:
        # The learner is X in every lesson, and does not know the letter.
        words = re.sub(r"\bO\b", "your opponent", str(error))
        return None, None, f"{words[:1].upper()}{words[1:].rstrip('.')}."


def solution(name: str, number: int) -> LessonAnswer:
    """The right answer to a step, judged as if the learner had given it."""
    step, figures = find_step(course(), course().get_lesson(name), number)
    return judge_answer(step, figures, solution_of(step, figures))


def find_step(of_course: Course, lesson: Lesson, number: int) -> tuple[LessonStep, StepFigures]:
    """A step that asks something, with its figures; raises LessonError, FiguresError."""
    if not 1 <= number <= len(lesson.steps):
        raise LessonError(f"{lesson.title} has steps from 1 to {len(lesson.steps)}, and no step {number}")
    step = lesson.steps[number - 1]
    if not step.asks:
        raise LessonError(f"step {number} of {lesson.title} asks nothing")
    return step, of_course.get_figures(lesson).steps[number - 1]


def hint(step: LessonStep, figures: StepFigures) -> Paragraphs:
    """A hint as paragraphs, with the terms that the author has marked; none where there is nothing to say."""
    words = hint_of(step, figures)
    return paragraphs(words, figures.values) if words else ()


def words_of(step: LessonStep) -> tuple[str, ...]:
    """The answers that a step offers: its choices, or the words of its cube decision."""
    if step.do is Do.TURN:
        return step.turns
    return cube_words(step) if step.do is Do.CUBE and step.board is not None else step.choices


def _task(step: LessonStep, figures: StepFigures) -> LessonTask:
    try:
        return LessonTask(
            do=step.do,
            quiz=step.quiz,
            say=paragraphs(step.say, figures.values),
            hint=hint(step, figures),
            board=_scene(step),
            marks=() if step.board is None else step.board.marks,
            choices=tuple(to_plain_text(choice, figures.values) for choice in words_of(step)),
            rolls=figures.rolls,
        )
    except LookupError as error:
        raise FiguresError(f"a figure is missing: {error}") from error


def _scene(step: LessonStep) -> BoardScene | None:
    """The board as pages draw it; the ways to play are left out where nothing is to be played."""
    if step.board is None:
        return None
    return scene(game_at(step.board), tree=step.do in (Do.PLAY, Do.TRY))


__all__ = [
    "Course",
    "Do",
    "Lesson",
    "LessonStep",
    "StepFigures",
    "UnknownLesson",
    "answer",
    "course",
    "find_lesson",
    "find_step",
    "hint",
    "judge_answer",
    "paragraphs",
    "read_course",
    "read_one",
    "solution",
    "solution_of",
    "to_plain_text",
    "words_of",
]
