"""Maps of rolls: the value of each of the 21 rolls.

>>> from fullprime.engine.engine import Engine
>>> from fullprime.rules.variants import BACKGAMMON
>>> rolls = roll_map(Engine.open(level="0-ply"), BACKGAMMON.starting_position).rolls
>>> len(rolls), abs(sum(roll.weight * roll.gain for roll in rolls)) < 1e-6
(21, True)
"""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.context import CUBELESS, context_of
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.engine import Engine
from fullprime.reviews.judge import WEIGHTS, Judge
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.game import Game
from fullprime.rules.notation import format_play
from fullprime.rules.position import Position
from fullprime.rules.words import format_signed


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
        return next(roll for roll in self.rolls if roll.dice == dice)

    @property
    def text(self) -> str:
        """A table of six by six, and the best and the worst rolls."""
        lines = ["      " + "".join(f"{low:>8}" for low in range(1, 7))]
        for high in range(1, 7):
            cells = "".join(f"{format_signed(self.of(Roll(high, low)).equity):>8}" for low in range(1, 7))
            lines.append(f"{high:>6}{cells}")
        ranked = sorted(self.rolls, key=lambda roll: -roll.equity)
        lines.append(f"mean {format_signed(self.mean)}")
        lines += [
            f"{roll.dice}: {roll.play} {format_signed(roll.equity)} ({format_signed(roll.gain)})" for roll in ranked
        ]
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
