"""The requests about drills."""

from __future__ import annotations

from pydantic import Field

from fullprime.learn.flashcards import fields as card_fields
from fullprime.learn.puzzles import fields as puzzle_fields
from fullprime.learn.trainers import fields
from fullprime.web.models.common import Strict
from fullprime.web.models.described import described

described(fields.TrainersJson, fields.HistoryJson, fields.DrillQuestion, fields.DrillAnswer)
described(card_fields.CardsJson, card_fields.CardAnswer, card_fields.CardsAdded, card_fields.DeckJson)
described(puzzle_fields.PuzzleStandings, puzzle_fields.PuzzleJson, puzzle_fields.PuzzleAnswer)


class TrainerAnswer(Strict):
    """An answer to a question of a trainer."""

    seed: int = Field(ge=0, lt=10**9, description="the number of the question")
    answer: str = Field(max_length=200, description="a play, a number, or a choice by its words or its number")
    seconds: float = Field(ge=0, le=1e6, description="the seconds it took")


class CardsWanted(Strict):
    """The errors of a review that become cards."""

    player: str | None = Field(default=None, pattern="^[XO]$", description="whose: `X` or `O`; left out for both")
    least: float = Field(default=0.05, ge=0, le=10, description="the equity that an error costs at least")
    kinds: list[str] = Field(
        default=["play", "double", "take"], min_length=1, max_length=3, description="`play`, `double`, `take`"
    )


class CardReply(Strict):
    """An answer to a card."""

    answer: str = Field(max_length=200, description="a play, or an action by its words or its number")
    seconds: float = Field(ge=0, le=1e6, description="the seconds it took")
    answered: int | None = Field(
        default=None, ge=0, le=2**31 - 1, description="that of the question: sent twice, an answer is stored once"
    )


class PuzzleReply(Strict):
    """An answer to a puzzle."""

    answer: str = Field(max_length=200, description="a play")
    seconds: float = Field(ge=0, le=1e6, description="the seconds it took")
    mode: str = Field(default="rated", max_length=10, description="`rated`, `day`, `streak` or `storm`")
    run: str = Field(default="", max_length=32, description="the name of the streak or the storm")
