"""Lessons as data, the answers to their steps, and the progress of a learner. Standard library only.

>>> [part.name for part in course().parts]
['first', 'strategy', 'tours', 'sources']
"""

from __future__ import annotations

from fullprime.learn.lessons.course import Course, CoursePart, course, read_course
from fullprime.learn.lessons.figures import FiguresError, LessonFigures, StepFigures
from fullprime.learn.lessons.grading import StepVerdict, grade
from fullprime.learn.lessons.lesson import Board, Do, Lesson, LessonError, LessonStep
from fullprime.learn.lessons.progress import LessonProgress, Progress, merge_progress
from fullprime.learn.lessons.reading import read_lesson

__all__ = [
    "Board",
    "Course",
    "CoursePart",
    "Do",
    "FiguresError",
    "Lesson",
    "LessonError",
    "LessonFigures",
    "LessonProgress",
    "LessonStep",
    "Progress",
    "StepFigures",
    "StepVerdict",
    "course",
    "grade",
    "merge_progress",
    "read_course",
    "read_lesson",
]
