"""Questions of trainers and their marking, as values. A question is a function of the trainer and a number."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from fullprime.common.json_values import JsonFields, json_names
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.notation import read_play
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import Variant

LARGEST_SEED = 10**9
"""The largest number of a question; the first is 0."""


class DrillError(FullprimeError):
    """An unknown trainer, or an answer that cannot be read."""


class Ask(StrEnum):
    """The form of an answer."""

    NUMBER = "number"
    PLAY = "play"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainerQuestion:
    """A question. The learner is the player on roll of ``position``."""

    __json__: ClassVar[JsonFields] = json_names("seed", "ask", "words", "choices")

    seed: int
    """The number of the question: it is sent back with the answer."""
    ask: Ask
    """The form of the answer: ``number``, ``play`` or ``choice``."""
    words: str
    """The question."""
    position: Position | None = None
    dice: Roll | None = None
    choices: tuple[str, ...] = ()
    """The answers to choose from; empty where there are none."""
    cube: int = 1
    mine: bool | None = None
    """True if the learner has the cube, False if the opponent has it; None for the middle."""
    variant: Variant = BACKGAMMON


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedAnswer:
    """An answer, marked."""

    right: bool
    """True if it is right."""
    answer: str
    """The answer as it was understood."""
    error: float
    """Its distance from the right one, in the trainer's unit."""
    best: str
    """The right answer."""
    lines: tuple[str, ...] = ()
    """The reasons."""
    moves: tuple[str, ...] = ()
    """The checker moves of the answer, where it is a play."""
    best_moves: tuple[str, ...] = ()
    """The checker moves of the best play."""


def dice_of(trainer: str, seed: int) -> random.Random:
    """The source of chance for a question."""
    return random.Random(f"drill:{trainer}:{seed}")


def number_in(answer: str, least: float, most: float) -> float:
    """Read the number in an answer, which may have a per cent sign. Raises DrillError."""
    match = re.fullmatch(r"\s*([+-]?\d{1,6}(?:[.,]\d{1,6})?)\s*%?\s*", answer)
    if match is None:
        raise DrillError(f"{answer.strip()[:40]!r} is no number")
    value = float(match[1].replace(",", "."))
    if not least <= value <= most:
        raise DrillError(f"{answer.strip()[:40]} is not between {least:g} and {most:g}")
    return value


def choice_in(answer: str, choices: tuple[str, ...]) -> str:
    """Read an answer as one of the choices, by its words or its number from 1. Raises DrillError."""
    text = " ".join(answer.lower().replace(",", " ").split())
    if text.isdecimal() and 1 <= int(text) <= len(choices):
        return choices[int(text) - 1]
    for choice in choices:
        if text == choice.replace(",", ""):
            return choice
    raise DrillError(f"{answer.strip()[:40]!r} is none of: {'; '.join(choices)}")


def play_in(answer: str, question: TrainerQuestion) -> Play:
    """Read an answer as a play; raises an error of the rules for an impossible one."""
    if question.position is None or question.dice is None:
        raise DrillError("there is no roll to play")
    return read_play(answer, question.position, question.dice, question.variant)


def moves_of(play: Play) -> tuple[str, ...]:
    """The checker moves of a play, each in notation."""
    return tuple(map(str, play.moves))
