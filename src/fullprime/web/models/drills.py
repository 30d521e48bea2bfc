"""The requests about drills."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fullprime.web.models.common import Strict

Seconds = Annotated[float, Field(ge=0, le=1e6, description="the seconds it took")]
CardAnswerText = Annotated[str, Field(max_length=200, description="a play, or an action by its words or its number")]


class ErrorChoice(Strict):
    """Which errors become cards."""

    least: float = Field(default=0.05, ge=0, le=10, description="the equity that an error costs at least")
    kinds: list[Literal["play", "double", "take"]] = Field(
        default=["play", "double", "take"], min_length=1, max_length=3, description="`play`, `double`, `take`"
    )


class TrainerAnswer(Strict):
    """An answer to a question of a trainer."""

    seed: int = Field(ge=0, lt=10**9, description="the number of the question")
    answer: str = Field(max_length=200, description="a play, a number, or a choice by its words or its number")
    seconds: Seconds


class CardsWanted(ErrorChoice):
    """The errors of a review that become cards."""

    player: str | None = Field(default=None, pattern="^[XO]$", description="whose: `X` or `O`; left out for both")


class CardReply(Strict):
    """An answer to a card."""

    answer: CardAnswerText
    seconds: Seconds
    answered: int | None = Field(
        default=None, ge=0, le=2**31 - 1, description="that of the question: sent twice, an answer is stored once"
    )


class PuzzleReply(Strict):
    """An answer to a puzzle."""

    answer: str = Field(max_length=200, description="a play")
    seconds: Seconds
    mode: str = Field(default="rated", max_length=10, description="`rated`, `day`, `streak` or `storm`")
    run: str = Field(default="", max_length=32, description="the name of the streak or the storm")
    skill: str = Field(default="club", max_length=10, description="how strong a learner without a rating is")
