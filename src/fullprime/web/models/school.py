"""The requests about lessons."""

from __future__ import annotations

from pydantic import Field

from fullprime.learn.teaching import fields
from fullprime.web.models.common import Strict
from fullprime.web.models.described import described

described(fields.CourseJson, fields.LessonJson, fields.SchoolAnswer, fields.ProgressJson, fields.DailyJson)


class StepAnswer(Strict):
    """An answer to a step of a lesson."""

    answer: str = Field(max_length=200, description="a play, a word, a number, or the number of a choice")


class DailyAnswer(Strict):
    """A play of the position of a day."""

    answer: str = Field(max_length=200, description="the play as players write it: `13/7 8/7`")


class Mark(Strict):
    """A learner's progress in one lesson."""

    step: int = Field(ge=0, le=60, description="steps done")
    done: bool = Field(description="whether the lesson was finished")
    right: int = Field(ge=0, le=60, description="quiz questions answered right at the first try, in the best run")
    asked: int = Field(ge=0, le=60, description="quiz questions of that run")


class Marks(Strict):
    """A learner's progress."""

    lessons: dict[str, Mark] = Field(max_length=200, description="by the name of the lesson")
