"""The school: lessons as data, the answers to their steps, and the progress of a learner. Standard library only.

>>> [part.name for part in course().parts]
['first', 'tours', 'strategy', 'sources']
"""

from __future__ import annotations

from fullprime.learn.lessons.course import Course, Part, course, read_course
from fullprime.learn.lessons.figures import Figures, FiguresError, StepFigures
from fullprime.learn.lessons.grading import Verdict, grade
from fullprime.learn.lessons.lesson import Board, Do, Lesson, LessonError, Step
from fullprime.learn.lessons.progress import LessonProgress, Progress, merged
from fullprime.learn.lessons.reading import read_lesson

__all__ = [
    "Board",
    "Course",
    "Do",
    "Figures",
    "FiguresError",
    "Lesson",
    "LessonError",
    "LessonProgress",
    "Part",
    "Progress",
    "Step",
    "StepFigures",
    "Verdict",
    "course",
    "grade",
    "merged",
    "read_course",
    "read_lesson",
]
