"""Questions of trainers and their marking, as values. A question is a function of the trainer and a number."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.notation import read_play
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import Variant

if TYPE_CHECKING:
    from fullprime.learn.trainers.match_scores import Scores

LARGEST_SEED = 10**9
"""Questions are numbered from 0 up to this."""


class DrillError(FullprimeError):
    """A trainer that is not there, or an answer that is none."""


class Ask(StrEnum):
    """The form of an answer."""

    NUMBER = "number"
    PLAY = "play"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question. The learner is the player on roll of ``position``."""

    seed: int
    ask: Ask
    words: str
    position: Position | None = None
    dice: Roll | None = None
    choices: tuple[str, ...] = ()
    cube: int = 1
    mine: bool | None = None
    """True if the learner has the cube, False if the opponent has it; None for the middle."""
    variant: Variant = BACKGAMMON


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """An answer, marked."""

    right: bool
    answer: str
    """The answer as it was understood."""
    error: float
    """Its distance from the right one, in the trainer's unit; 0 or more."""
    best: str
    """The right answer."""
    lines: tuple[str, ...] = ()
    """The reasons, a line each."""
    moves: tuple[str, ...] = ()
    """The checker moves of the answer, where it is a play."""
    best_moves: tuple[str, ...] = ()
    """The checker moves of the best play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trainer:
    """A trainer of one skill."""

    name: str
    title: str
    about: str
    """One sentence."""
    unit: str
    """The unit of errors: ``pips``, ``points`` (of equity), ``percent``, ``rolls``."""
    digits: int
    """Digits after the point with which errors are shown."""
    teaches: tuple[str, ...]
    """The method, a paragraph each."""
    ask: Callable[[int], Question] = field(repr=False)
    mark: Callable[[Question, str], Marked] = field(repr=False)
    scores: Scores | None = None
    """The scores among which the learner may choose; None for a trainer that asks about none."""
    has_board: bool = True
    """False for questions that are words alone."""


def dice_of(trainer: str, seed: int) -> random.Random:
    """The source of chance for a question."""
    return random.Random(f"drill:{trainer}:{seed}")


def number_in(answer: str, least: float, most: float) -> float:
    """The number in an answer; a sign of per cent may stand behind it. Raises DrillError."""
    found = re.fullmatch(r"\s*([+-]?\d{1,6}(?:[.,]\d{1,6})?)\s*%?\s*", answer)
    if found is None:
        raise DrillError(f"{answer.strip()[:40]!r} is no number")
    value = float(found[1].replace(",", "."))
    if not least <= value <= most:
        raise DrillError(f"{answer.strip()[:40]} is not between {least:g} and {most:g}")
    return value


def choice_in(answer: str, choices: tuple[str, ...]) -> str:
    """The choice that is meant, by its words or its number from 1. Raises DrillError."""
    text = " ".join(answer.lower().replace(",", " ").split())
    if text.isdecimal() and 1 <= int(text) <= len(choices):
        return choices[int(text) - 1]
    for choice in choices:
        if text == choice.replace(",", ""):
            return choice
    raise DrillError(f"{answer.strip()[:40]!r} is none of: {'; '.join(choices)}")


def play_in(answer: str, question: Question) -> Play:
    """The play that is meant; raises an error of the rules for one that is not possible."""
    if question.position is None or question.dice is None:
        raise DrillError("there is no roll to play")
    return read_play(answer, question.position, question.dice, question.variant)


def moves_of(play: Play) -> tuple[str, ...]:
    """The checker moves of a play, each in notation."""
    return tuple(map(str, play.moves))
