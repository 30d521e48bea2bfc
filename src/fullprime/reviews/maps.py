"""Maps: the value of each of the 21 rolls, and the right cube action at every score.

>>> from fullprime.engine.engine import Engine
>>> from fullprime.rules.variants import BACKGAMMON
>>> found = roll_map(Engine.open(level="0-ply"), BACKGAMMON.starting_position)
>>> len(found.rolls), abs(sum(each.weight * each.gain for each in found.rolls)) < 1e-6
(21, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fullprime.common.json_values import JsonFields, json_names
from fullprime.engine.boards.edge import row_of
from fullprime.engine.cube.action import CubeDecision
from fullprime.engine.cube.context import CUBELESS, context_of
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.engine import Engine
from fullprime.engine.search.cube_search import judge_cubes
from fullprime.engine.search.levels import level_named
from fullprime.reviews.judge import WEIGHTS, Judge
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.notation import format_play
from fullprime.rules.position import Position
from fullprime.rules.words import signed


class MapError(FullprimeError):
    """A map that cannot be drawn."""


@dataclass(frozen=True, slots=True)
class RollWorth:
    """One roll of the player on roll: the best play, and his equity after it."""

    dice: Roll
    """The roll, the higher die first."""
    weight: int
    """The number of the 36 throws that give it: 1 or 2."""
    play: str
    """The best play."""
    equity: float
    """The worth of the roll with its best play."""
    gain: float
    """The difference to the mean of all rolls: the luck of throwing it."""


@dataclass(frozen=True, slots=True)
class RollMap:
    """The values of all rolls, in the order of ``ALL_ROLLS``; the "temperature map" of GNU Backgammon."""

    mean: float
    """Equity before the roll: the mean of all 36 throws."""
    rolls: tuple[RollWorth, ...]
    """The 21 rolls."""

    def of(self, dice: Roll) -> RollWorth:
        """One roll of the map."""
        return next(each for each in self.rolls if each.dice == dice)

    @property
    def text(self) -> str:
        """A table of six by six, and the best and the worst rolls."""
        lines = ["      " + "".join(f"{low:>8}" for low in range(1, 7))]
        for high in range(1, 7):
            cells = "".join(f"{signed(self.of(Roll(high, low)).equity):>8}" for low in range(1, 7))
            lines.append(f"{high:>6}{cells}")
        ranked = sorted(self.rolls, key=lambda each: -each.equity)
        lines.append(f"mean {signed(self.mean)}")
        lines += [f"{each.dice}: {each.play} {signed(each.equity)} ({signed(each.gain)})" for each in ranked]
        return "\n".join(lines)


def roll_map(engine: Engine, position: Position | Game, context: CubeContext | None = None) -> RollMap:
    """The value of each roll to the player on roll, played statically best with all that it gives; equities of the
    present cube.
    """
    board = position.position if isinstance(position, Game) else position
    if context is None:
        context = context_of(position) if isinstance(position, Game) else CUBELESS
    judge = Judge(engine)
    values = judge.rolls(row_of(board), [context])[0]
    mean = judge.equity(context, float(values @ WEIGHTS))
    rolls = []
    for roll, value in zip(ALL_ROLLS, values.tolist(), strict=True):
        equity = judge.equity(context, value)
        best = engine.best_play(board, roll, context, cubeful=False, level="fast")
        rolls.append(RollWorth(roll, roll.weight, format_play(best), equity, equity - mean))
    return RollMap(mean, tuple(rolls))


@dataclass(frozen=True, slots=True)
class ScoreMap:
    """The right cube action at every score: ``decisions[mine - 1][theirs - 1]``, both in points away."""

    __json__: ClassVar[JsonFields] = json_names("length", "actions", money="money_action")

    length: int
    """Points of the match."""
    money: CubeDecision
    decisions: tuple[tuple[CubeDecision, ...], ...]

    @property
    def money_action(self) -> str:
        """The right action for money."""
        return self.money.verdict

    @property
    def actions(self) -> tuple[tuple[str, ...], ...]:
        """In words: a row for each number of points that the player on roll needs, in it one for each of the
        opponent's.
        """
        return tuple(tuple(decision.verdict for decision in row) for row in self.decisions)

    @property
    def text(self) -> str:
        """A table of letters: ``-`` no double, ``DT`` double and take, ``DP`` double and drop, ``TG`` too good."""
        lines = [f"money: {self.money.verdict}", "rows: points the doubler needs; columns: the opponent"]
        lines.append("    " + "".join(f"{theirs:>4}" for theirs in range(1, self.length + 1)))
        for mine, row in enumerate(self.decisions, 1):
            lines.append(f"{mine:>4}" + "".join(f"{_letters(each):>4}" for each in row))
        return "\n".join(lines)


def score_map(engine: Engine, position: Position | Game, length: int = 7, level: str = "1-ply") -> ScoreMap:
    """The right cube action, cube in the middle, at every score of a match; one point away is after the Crawford game.

    Raises MapError for a game without a cube, or a length that is none.
    """
    if engine.per_checker:
        raise MapError(f"{engine.variant.title} is played without a cube")
    if not 1 <= length <= 25:
        raise MapError(f"a map of scores is for matches of 1 to 25 points, not {length}")
    board = position.position if isinstance(position, Game) else position
    contexts = [CubeContext()]
    contexts += [CubeContext(away=(mine, theirs)) for mine in range(1, length + 1) for theirs in range(1, length + 1)]
    depth = level_named(level).ply
    rows = np.repeat(row_of(board), len(contexts), axis=0)
    found = [values.decision for values in judge_cubes(engine.judging, rows, contexts, depth)]
    decisions = tuple(tuple(found[1 + mine * length : 1 + (mine + 1) * length]) for mine in range(length))
    return ScoreMap(length, found[0], decisions)


def _letters(decision: CubeDecision) -> str:
    words = decision.action.value
    if words.startswith("too good"):
        return "TG"
    if decision.should_double:
        return "DP" if words.endswith("drop") else "DT"
    return "=" if words.startswith("optional") else "-"
