"""The requests about lessons."""

from __future__ import annotations

from pydantic import Field

from fullprime.web.models.common import Strict


class StepAnswer(Strict):
    """An answer to a step of a lesson."""

    answer: str = Field(max_length=200, description="a play, a word, a number, or the number of a choice")


class DailyAnswer(Strict):
    """A play of the position of a day."""

    answer: str = Field(max_length=200, description="the play as players write it: `13/7 8/7`")
