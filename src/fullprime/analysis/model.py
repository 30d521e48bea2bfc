"""The engine's answers on the analysis board and at a board in play: values, and their fields in JSON.

Equities are those of the player who makes the play or is on roll, in units of the present cube (in games settled by
checkers: checkers). ``probabilities`` are five: win, win a gammon or better, win a backgammon, lose a gammon or worse,
lose a backgammon. ``depth`` is the number of plies looked ahead, 0 for the static judgement. A ``value`` is the equity
in points of the stake, or in a match the chance to win it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import ClassVar, Literal

from fullprime.common.json_values import LEFT_OUT, MERGED, JsonFields, json_names
from fullprime.drawing.svg import play_arrows
from fullprime.engine.cube.action import CubeAnswer, CubeDecision
from fullprime.engine.cube.probabilities import Probabilities
from fullprime.engine.rollouts.result import Rollout
from fullprime.engine.search.results import Evaluation, RankedPlay, Ranking
from fullprime.reviews.decision import THRESHOLDS
from fullprime.reviews.maps import RollMap
from fullprime.reviews.reasons.reason import Reason
from fullprime.reviews.score_maps import ScoreMap
from fullprime.rules.dice import Roll
from fullprime.rules.plays import CheckerMove


# -- plays on a board -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class PlayOnBoard:
    """A play as it is drawn on the board."""

    arrows: tuple[tuple[int, int], ...]
    """One for each checker that moves: from, to, in the numbers of the player."""
    mark: str
    """The size of its error: ``best``, ``fine``, ``error`` or ``blunder``; ``neutral`` where that is not known."""


def play_on_board(moves: Sequence[CheckerMove], loss: float | None) -> PlayOnBoard:
    """The arrows of a play as [from, to] in its player's numbers, and their colour."""
    arrows = play_arrows(moves, loss)
    mark = arrows[0].severity if arrows else "neutral"
    return PlayOnBoard(tuple((arrow.source, arrow.target) for arrow in arrows), mark)


@dataclass(frozen=True, slots=True)
class BoardPlay(RankedPlay):
    """One play of a ranking, ready to be drawn and to be made checker by checker."""

    __json__: ClassVar[JsonFields] = (
        *RankedPlay.__json__,
        *json_names("moves", "verdict", "arrows", "mark", "after"),
    )

    @classmethod
    def of(cls, ranked: RankedPlay) -> BoardPlay:
        """The same play, ready to be drawn."""
        return cls(**{field.name: getattr(ranked, field.name) for field in fields(ranked)})

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves, checker by checker."""
        return tuple(map(str, self.play.moves))

    @property
    def verdict(self) -> str:
        """The name of the loss by the thresholds of eXtreme Gammon: ``doubtful``, ``error``, ``blunder`` …"""
        return str(THRESHOLDS["xg"].verdict(self.loss))

    @property
    def arrows(self) -> tuple[tuple[int, int], ...]:
        """One for each checker that moves: from, to, in the numbers of the player."""
        return play_on_board(self.play.moves, self.loss).arrows

    @property
    def mark(self) -> str:
        """The size of its error: ``best``, ``fine``, ``error`` or ``blunder``; ``neutral`` where that is not known."""
        return play_on_board(self.play.moves, self.loss).mark

    @property
    def after(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The row of the player, and then of the opponent, after it: 0 off, 1-24, 25 bar, 26 hand, each in its
        numbers.
        """
        return self.play.after.player, self.play.after.opponent


# -- the analysis board -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class BoardRanking(Ranking):
    """All legal plays of a roll, ready to be drawn."""

    plays: tuple[BoardPlay, ...]
    """The plays, the best first."""

    @classmethod
    def of(cls, ranking: Ranking) -> BoardRanking:
        """The same ranking, ready to be drawn."""
        same = {field.name: getattr(ranking, field.name) for field in fields(ranking) if field.name != "plays"}
        return cls(**same, plays=tuple(map(BoardPlay.of, ranking.plays)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaysAnswer:
    """The engine's answer about a roll."""

    kind: Literal["plays"] = "plays"
    """The kind of this answer."""
    level: str
    """The level of the engine that was asked for."""
    ranking: BoardRanking = field(metadata=MERGED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceAnswer:
    """The advice on the double to name (Acey Deucey)."""

    kind: Literal["choice"] = "choice"
    """The kind of this answer."""
    level: str
    """The level of the engine that was asked for."""
    choose: int | None
    """The number on both dice of the best double."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionAnswer:
    """The engine's answer before the roll."""

    kind: Literal["position"] = "position"
    """The kind of this answer."""
    level: str
    """The level of the engine that was asked for."""
    per_checker: bool
    """True if equities are checkers, in a game that settles by them."""
    evaluation: Evaluation
    """The worth of the position."""
    cube: CubeDecision | None = field(default=None, metadata=LEFT_OUT)
    """The cube decision; left out where there is no cube, and where a beaver or a raccoon waits."""
    answer: CubeAnswer | None = field(default=None, metadata=LEFT_OUT)
    """The answer to the double, the beaver or the raccoon that waits; left out where none does."""


RolloutProgress = Rollout
"""A rollout that goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutAnswer:
    """A rollout that is over, or was stopped."""

    kind: Literal["rollout"] = "rollout"
    """The kind of this answer."""
    rollout: Rollout = field(metadata=MERGED)


@dataclass(frozen=True, slots=True)
class ComparedRoll:
    """One roll of the opponent, after either of two plays."""

    dice: Roll
    """The roll, the higher die first."""
    weight: int
    """The number of the 36 throws that give it: 1 or 2."""
    equities: tuple[float, float]
    """The worth of each play to the player who made it, when the opponent plays this roll best."""
    difference: float
    """The first play's equity less the second's."""
    replies: tuple[str, str]
    """The opponent's best play after each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareAnswer:
    """Two plays, roll by roll of the opponent."""

    kind: Literal["compare"] = "compare"
    """The kind of this answer."""
    plays: tuple[str, str]
    """The two plays."""
    means: tuple[float, float]
    """The worth of each play over all rolls, to the player who makes it."""
    difference: float
    """The first's mean less the second's."""
    rolls: tuple[ComparedRoll, ...]
    """The 21 rolls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollsAnswer:
    """The worth of every roll."""

    kind: Literal["rolls"] = "rolls"
    """The kind of this answer."""
    map: RollMap = field(metadata=MERGED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresAnswer:
    """The best play, or the right cube action, at every score; what is known of it where the work was stopped."""

    kind: Literal["scores"] = "scores"
    """The kind of this answer."""
    map: ScoreMap = field(metadata=MERGED)


BoardAnswer = PlaysAnswer | ChoiceAnswer | PositionAnswer | RolloutAnswer | CompareAnswer | RollsAnswer | ScoresAnswer
"""An answer of the engine on the analysis board; ``kind`` says which."""


# -- a board in play --------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class WordsAdvice:
    """Advice in words alone, where the engine has no numbers."""

    kind: Literal["words"] = "words"
    """The kind of this advice."""
    level: str
    """The adviser: a level of the engine, or a bot."""
    text: str
    """The advice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _NumberedAdvice:
    """Advice that rests on numbers."""

    level: str
    """The level of the engine that was asked for."""
    text: str
    """The advice as a table."""
    short: str
    """The advice in a word or two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayAdvice(_NumberedAdvice):
    """Advice about a roll."""

    kind: Literal["play"] = "play"
    """The kind of this advice."""
    plays: tuple[BoardPlay, ...]
    """The plays, the best first."""
    why: str = ""
    """A sentence with the reason why the best is better than another; empty where none is clearly worse."""
    reasons: tuple[Reason, ...] = ()
    """The facts and figures that this sentence names, with their numbers; empty where there is none."""


@dataclass(frozen=True, slots=True)
class AdvisedAction:
    """An action with the cube, and its worth."""

    action: str
    """``no double``, ``double, take`` or ``double, drop``; of an answer ``take``, ``beaver`` or ``drop``."""
    equity: float
    """The worth to the player who decides, in units of the cube before the double."""
    loss: float
    """The loss of the player who decides against his right action; 0 for what the other player would do wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeAdvice(_NumberedAdvice):
    """Advice about the cube."""

    kind: Literal["cube"] = "cube"
    """The kind of this advice."""
    actions: tuple[AdvisedAction, ...]
    """The actions that the rules allow."""
    verdict: str
    """The right action of both players; of an answer that of the player who answers."""
    cubeless: float
    """Equity without a cube, for the player who decides."""
    probabilities: Probabilities
    """The chances of each end of the game, for the player who decides."""
    depth: int
    """The depth of the search."""
    why: str = ""
    """A sentence with the reason; empty where the other choice is hardly worse."""
    reasons: tuple[Reason, ...] = ()
    """The facts and figures that this sentence names, with their numbers; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleAdvice(_NumberedAdvice):
    """Advice on the double to name (Acey Deucey)."""

    kind: Literal["choose"] = "choose"
    """The kind of this advice."""
    number: int | None
    """The number on both dice."""


TableAdvice = PlayAdvice | CubeAdvice | DoubleAdvice | WordsAdvice
"""Advice on the best choice now; ``kind`` says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedChoice:
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
    reasons: tuple[Reason, ...]
    """The facts and figures that this sentence names, with their numbers; empty where there is none."""
    more: tuple[str, ...]
    """Further sentences, for those who want more."""
    level: str
    """The level of the engine that was asked for."""
    moves: tuple[str, ...] | None = field(default=None, metadata=LEFT_OUT)
    """The moves of the best play, checker by checker; left out for the cube."""
