"""Luck: the value of a roll to its player, less the average over all rolls that he could have had.

The luck of a roll is the value of the board after its best play less the mean over the 21 rolls by their weights, all
judged statically with cube and score. The roll that opens a game is compared with the 30 openings, either player
first. By construction luck is zero on average, however weak the judgement, so that a result less the luck in it has
the same mean and far less noise (variance reduction, as in rollouts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from fullprime.engine.boards.conversion import row_of
from fullprime.engine.boards.follow_ups import evaluate_plays, follow_ups_of, has_follow_ups
from fullprime.engine.cube.context import context_of
from fullprime.engine.nets.evaluator import Boards
from fullprime.reviews.decision import JSON_DIGITS
from fullprime.reviews.judge import WEIGHTS, Judge
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.game import Game, Phase
from fullprime.rules.score import Player
from fullprime.rules.variants.variant import OpeningDice

Floats = npt.NDArray[np.float64]

INDEX = {roll: number for number, roll in enumerate(ALL_ROLLS)}

LUCKY, VERY_LUCKY = 0.3, 0.6
"""The least luck for each name of a roll (GNU Backgammon); 0.3 is also eXtreme Gammon's joker."""


@dataclass(frozen=True, slots=True)
class RollLuck:
    """The luck of one roll, to the player who threw it."""

    __json_digits__: ClassVar[int] = JSON_DIGITS

    game: int
    """The number of the game in the match."""
    event: int
    """The number of the event in the game."""
    player: Player
    """The player who threw."""
    dice: Roll
    """The roll, the higher die first."""
    luck: float
    """In points of equity (units of the cube)."""
    value: float
    """In points of the stake, or in chances to win the match."""
    before: float
    """The game's value to the player before the roll: points of the stake, or the chance to win the match."""

    @property
    def words(self) -> str:
        """``joker``, ``lucky`` and their opposites, or nothing."""
        if abs(self.luck) < LUCKY:
            return ""
        much = "very " if abs(self.luck) >= VERY_LUCKY else ""
        return f"{much}{'lucky' if self.luck > 0 else 'unlucky'}"


@dataclass(frozen=True, slots=True)
class Thrown:
    """A roll of the record: the game before it and the dice."""

    event: int
    before: Game
    after: Game
    dice: Roll


def luck_of(judge: Judge, game: int, throws: Sequence[Thrown]) -> list[RollLuck]:
    """The luck of every roll of a game that is asked about."""
    plain = [throw for throw in throws if throw.before.phase is not Phase.OPENING_ROLL]
    variant = judge.engine.variant
    rolls = (
        [_special(judge, game, throw) for throw in plain] if has_follow_ups(variant) else _ordinary(judge, game, plain)
    )
    rolls += [_opening(judge, game, throw) for throw in throws if throw.before.phase is Phase.OPENING_ROLL]
    return sorted(rolls, key=lambda roll: roll.event)


def _ordinary(judge: Judge, game: int, throws: Sequence[Thrown]) -> list[RollLuck]:
    if not throws:
        return []
    contexts = [context_of(throw.before) for throw in throws]
    rows = np.concatenate([row_of(throw.before.position) for throw in throws])
    values = judge.rolls(rows, contexts)
    return [_roll_luck(judge, game, throw, values[number]) for number, throw in enumerate(throws)]


def _special(judge: Judge, game: int, thrown: Thrown) -> RollLuck:
    """In games in which some rolls give more than two dice, each roll is worth all that it gives."""
    return _roll_luck(judge, game, thrown, _turn_values(judge, thrown.before))


def _turn_values(judge: Judge, before: Game) -> Floats:
    context, variant = context_of(before), judge.engine.variant

    def values(rows: Boards) -> Floats:
        return np.asarray(
            judge.searcher.tree(rows, 0, judge.worth(context)).evaluate_decision(context, judge.searcher.efficiency)
        )

    row = row_of(before.position)
    return np.array(
        [np.max(evaluate_plays(values, row, roll, follow_ups_of(roll, variant), variant).values) for roll in ALL_ROLLS]
    )


def _roll_luck(judge: Judge, game: int, thrown: Thrown, values: Floats) -> RollLuck:
    context = context_of(thrown.before)
    mean, value = float(values @ WEIGHTS), float(values[INDEX[thrown.dice]])
    luck = judge.equity(context, value) - judge.equity(context, mean)
    return RollLuck(game, thrown.event, thrown.before.on_roll, thrown.dice, luck, value - mean, mean)


def _opening(judge: Judge, game: int, thrown: Thrown) -> RollLuck:
    """The opening roll: against the 30 that are no ties, seen by the player who won it."""
    before, winner = thrown.before, thrown.after.on_roll
    variant = before.settings.variant
    values: dict[Player, Floats] = {}
    games = {}
    for player in Player:
        first = games[player] = _with_first(before, player)
        context = context_of(first)
        if has_follow_ups(variant):
            values[player] = _turn_values(judge, first)
        else:
            values[player] = judge.rolls(row_of(first.position), [context])[0]
    context = context_of(games[winner])
    mine, theirs = values[winner], context.flip(values[winner.other])
    if variant.opening_dice is OpeningDice.REROLL:
        # Only the player who begins has been decided; the dice to play are thrown afterwards.
        value = float(mine @ WEIGHTS)
        mean = (value + float(theirs @ WEIGHTS)) / 2
    else:
        openings = [
            number
            for number, roll in enumerate(ALL_ROLLS)
            if not roll.is_double and not (roll.is_acey_deucey and variant.reroll_opening_acey_deucey)
        ]
        value = float(mine[INDEX[thrown.dice]])
        mean = float((mine[openings] + theirs[openings]).mean()) / 2
    luck = judge.equity(context, value) - judge.equity(context, mean)
    return RollLuck(game, thrown.event, winner, thrown.dice, luck, value - mean, mean)


def _with_first(before: Game, player: Player) -> Game:
    return replace(before, on_roll=player, phase=Phase.ROLL)
