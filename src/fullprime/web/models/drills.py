"""The requests about drills."""

from __future__ import annotations

from pydantic import Field

from fullprime.app.drills import fields
from fullprime.web.models.common import Strict
from fullprime.web.models.described import described

described(fields.TrainersJson, fields.HistoryJson, fields.DrillQuestion, fields.DrillAnswer)


class TrainerAnswer(Strict):
    """An answer to a question of a trainer."""

    seed: int = Field(ge=0, lt=10**9, description="the number of the question")
    answer: str = Field(max_length=200, description="a play, a number, or a choice by its words or its number")
    seconds: float = Field(ge=0, le=1e6, description="the seconds it took")
