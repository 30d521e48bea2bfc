"""The JSON values of the engine's answers on the analysis board and at a board in play, field by field.

Figures are as in :mod:`fullprime.engine.fields`.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from fullprime.common.documented import documented
from fullprime.engine.fields import (
    CubeDecisionJson,
    EvaluationJson,
    RankedPlayJson,
    RankedRoll,
    RolloutJson,
)


# -- the analysis board ----------------------------------------------------------------------------------------------
@documented
class PlayOnBoard(TypedDict):
    """A play as it is drawn on the board."""

    arrows: list[list[int]]
    """One for each checker that moves: from, to, in the numbers of the player."""
    mark: str
    """The size of its error: ``best``, ``fine``, ``error`` or ``blunder``; ``neutral`` where that is not known."""


@documented
class DeskPlay(RankedPlayJson, PlayOnBoard):
    """One play of a ranking, ready to be drawn."""

    after: list[list[int]]
    """The row of the player, and then of the opponent, after it: 0 off, 1-24, 25 bar, 26 hand, each in its numbers."""


@documented
class DeskRanking(RankedRoll):
    """All plays of a roll, ready to be drawn."""

    plays: list[DeskPlay]
    """The best first."""
    per_checker: bool
    """True if equities are checkers, in a game that settles by them."""


@documented
class PlaysAnswer(DeskRanking):
    """The engine's answer about a roll."""

    kind: Literal["plays"]
    """The kind of this answer."""
    level: str
    """The level of the engine that was asked for."""


@documented
class ChoiceAnswer(TypedDict):
    """The advice on the double to name (Acey Deucey)."""

    kind: Literal["choice"]
    """The kind of this answer."""
    level: str
    """The level of the engine that was asked for."""
    choose: int | None
    """The number on both dice of the best double."""


@documented
class PositionAnswer(TypedDict):
    """The engine's answer before the roll."""

    kind: Literal["position"]
    """The kind of this answer."""
    level: str
    """The level of the engine that was asked for."""
    per_checker: bool
    """True if equities are checkers, in a game that settles by them."""
    evaluation: EvaluationJson
    """The worth of the position."""
    cube: NotRequired[CubeDecisionJson]
    """The cube decision; left out where there is no cube."""


@documented
class RolloutAnswer(RolloutJson):
    """A rollout that is over, or was stopped."""

    kind: Literal["rollout"]
    """The kind of this answer."""


@documented
class ComparedRoll(TypedDict):
    """One roll of the opponent, after either of two plays."""

    dice: list[int]
    """The roll, the higher die first."""
    weight: int
    """The number of the 36 throws that give it: 1 or 2."""
    equities: list[float]
    """The worth of each play to the player who made it, when the opponent plays this roll best."""
    difference: float
    """The first play's equity less the second's."""
    replies: list[str]
    """The opponent's best play after each."""


@documented
class CompareAnswer(TypedDict):
    """Two plays, roll by roll of the opponent."""

    kind: Literal["compare"]
    """The kind of this answer."""
    plays: list[str]
    """The two plays."""
    means: list[float]
    """The worth of each play over all rolls, to the player who makes it."""
    difference: float
    """The first's mean less the second's."""
    rolls: list[ComparedRoll]
    """The 21 rolls."""


@documented
class WorthOfRoll(TypedDict):
    """The worth of one roll to the player who throws it."""

    dice: list[int]
    """The roll, the higher die first."""
    weight: int
    """The number of the 36 throws that give it: 1 or 2."""
    equity: float
    """The worth of the roll with its best play."""
    gain: float
    """The difference to the mean of all rolls."""
    play: str
    """The best play."""


@documented
class RollsAnswer(TypedDict):
    """The worth of every roll."""

    kind: Literal["rolls"]
    """The kind of this answer."""
    mean: float
    """Equity before the roll: the mean of all 36 throws."""
    rolls: list[WorthOfRoll]
    """The 21 rolls."""


@documented
class ScoresAnswer(TypedDict):
    """The right action with a cube in the middle, at every score."""

    kind: Literal["scores"]
    """The kind of this answer."""
    length: int
    """Points of the match."""
    money: str
    """The right action for money."""
    actions: list[list[str]]
    """In words: a row for each number of points that the player on roll needs, in it one for each of the opponent's."""


DeskAnswer = PlaysAnswer | ChoiceAnswer | PositionAnswer | RolloutAnswer | CompareAnswer | RollsAnswer | ScoresAnswer
"""An answer of the engine on the analysis board; ``kind`` says which."""


# -- a board in play -------------------------------------------------------------------------------------------------
@documented
class WordsAdvice(TypedDict):
    """Advice in words alone, where the engine has no numbers."""

    kind: Literal["words"]
    """The kind of this advice."""
    level: str
    """The adviser: a level of the engine, or a bot."""
    text: str
    """The advice."""


@documented
class _Numbered(TypedDict):
    """Advice that rests on numbers."""

    level: str
    """The level of the engine that was asked for."""
    text: str
    """The advice as a table."""
    short: str
    """The advice in a word or two."""


@documented
class AdvisedPlay(TypedDict):
    """A play as it is advised; figures have four digits after the point."""

    rank: int
    """1 for the best."""
    play: str
    """The play as players write it."""
    moves: list[str]
    """The moves, checker by checker."""
    equity: float
    """The equity of the play."""
    loss: float
    """The equity that it loses against the best play."""
    verdict: str
    """The name of that loss by the thresholds of eXtreme Gammon: ``doubtful``, ``error``, ``blunder`` …"""
    probabilities: list[float]
    """The chances of each end of the game after it."""
    depth: int
    """The depth of the search."""


@documented
class PlayAdvice(_Numbered):
    """Advice about a roll."""

    kind: Literal["play"]
    """The kind of this advice."""
    plays: list[AdvisedPlay]
    """The best first."""


@documented
class AdvisedAction(TypedDict):
    """An action with the cube, and its worth."""

    action: str
    """``no double``, ``double, take`` or ``double, drop``; of an answer ``take``, ``beaver`` or ``drop``."""
    equity: float
    """The worth to the player who decides, in units of the cube before the double."""
    loss: float
    """The loss of the player who decides against his right action; 0 for what the other player would do wrong."""


@documented
class CubeAdvice(_Numbered):
    """Advice about the cube; figures have four digits after the point."""

    kind: Literal["cube"]
    """The kind of this advice."""
    actions: list[AdvisedAction]
    """The actions that the rules allow."""
    verdict: str
    """The right action of both players; of an answer that of the player who answers."""
    cubeless: float
    """Equity without a cube, for the player who decides."""
    probabilities: list[float]
    """The chances of each end of the game, for the player who decides."""
    depth: int
    """The depth of the search."""


@documented
class DoubleAdvice(_Numbered):
    """Advice on the double to name (Acey Deucey)."""

    kind: Literal["choose"]
    """The kind of this advice."""
    number: int | None
    """The number on both dice."""


AdviceJson = PlayAdvice | CubeAdvice | DoubleAdvice | WordsAdvice
"""Advice on the best choice now; ``kind`` says which."""


@documented
class ChoiceJudged(TypedDict):
    """The loss of a choice."""

    choice: str
    """The choice in words."""
    best: str
    """The best one."""
    loss: float
    """The loss in points of equity."""
    verdict: str
    """The name of that loss by the thresholds of eXtreme Gammon."""
    blunder: bool
    """True if the choice is a blunder."""
    why: str
    """A sentence; empty where there is nothing to say."""
    more: list[str]
    """Further sentences, for those who want more."""
    level: str
    """The level of the engine that was asked for."""
    moves: NotRequired[list[str]]
    """The moves of the best play, checker by checker; left out for the cube."""
