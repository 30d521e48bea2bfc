"""Effects of a score and of the gammons on a game: gammon values and the points at which cube actions change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.equity import CubeContext, EquityError, cube_equities
from fullprime.engine.cube.model import CONTACT_EFFICIENCY, mean_backgammon

Floats = npt.NDArray[np.float64]

_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class GammonValues:
    """The extra that a gammon or backgammon adds to a game, as a share of the swing between winning and losing it.

    For money a gammon won is worth 0.5. All are the mover's.
    """

    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float


def gammon_values(context: CubeContext) -> GammonValues:
    """The gammon values of the present cube; zero for a money game under Jacoby with the cube in the middle."""
    if context.jacoby and context.owner is None:
        return GammonValues(0.0, 0.0, 0.0, 0.0)
    cube_level = context.cube_levels.levels[0]
    swing = cube_level.win[0] - cube_level.lose[0]
    won, lost = mean_backgammon(cube_level.win), mean_backgammon(cube_level.lose)
    return GammonValues(
        (cube_level.win[1] - cube_level.win[0]) / swing,
        (won - cube_level.win[1]) / swing,
        (cube_level.lose[0] - cube_level.lose[1]) / swing,
        (cube_level.lose[1] - lost) / swing,
    )


def cubeful_gammon_value(context: CubeContext, efficiency: float = CONTACT_EFFICIENCY) -> float:
    """The worth of one more gammon, in wins, to the mover of an even game without gammons, with the cube in play.

    ``efficiency`` 0 is a dead cube, 1 a live one. Where he doubles at once, the gammon is one with the doubled cube.
    """
    step = 1e-4
    win = np.array([0.5, 0.5 - step, 0.5])
    gammon = np.array([0.0, 0.0, step])
    nothing = np.zeros_like(win)
    batch = np.stack([win, gammon, nothing, nothing, nothing], axis=1)
    rolled, take, drop = cube_equities(batch, context, efficiency).T[:3]
    # Which action is right is judged by the even game itself; the neighbours show only what it is worth.
    best = rolled
    if context.may_double and not context.is_dead and min(take[0], drop[0]) > rolled[0] + _TIE:
        best = take if take[0] <= drop[0] + _TIE else drop
    swing = best[0] - best[1]
    return float((best[2] - best[0]) / swing) if swing > _TIE else 0.0


@dataclass(frozen=True, slots=True)
class CubeWindow:
    """Chances of the mover to win at which the right cube action changes; None where there is no such point.

    From ``double`` on he doubles, from ``cash`` on the opponent drops, from ``too_good`` on he plays for the gammon.
    """

    double: float | None
    cash: float | None
    too_good: float | None

    @property
    def take_point(self) -> float | None:
        """The chance of winning the opponent needs to take: ``rules.cube.take_point`` where the cube is dead."""
        return None if self.cash is None else 1.0 - self.cash


def cube_window(
    context: CubeContext, gammons: float = 0.0, gammons_lost: float = 0.0, efficiency: float = CONTACT_EFFICIENCY
) -> CubeWindow:
    """The points where cube actions change when a share ``gammons`` of the games won, and of those lost, are gammons.

    ``efficiency`` 0 gives dead-cube points, 1 live-cube points. Raises EquityError where the mover may not double.
    """
    if not context.may_double:
        raise EquityError(f"no double: {context.why_not}")
    win = np.linspace(0.0, 1.0, 2049)
    nothing = np.zeros_like(win)
    batch = np.stack([win, gammons * win, nothing, gammons_lost * (1.0 - win), nothing], axis=1)
    rolled, take, drop = cube_equities(batch, context, efficiency).T[:3]
    return CubeWindow(
        double=None if context.is_dead else _crossing(win, np.fmin(take, drop) - rolled + 2 * _TIE),
        cash=_crossing(win, take - drop),
        too_good=_crossing(win, rolled - drop),
    )


def _crossing(at: Floats, value: Floats) -> float | None:
    """The place where a curve first rises above zero, on a straight line between the two points around it."""
    above = np.flatnonzero(value > _TIE)
    if not above.size:
        return None
    last = int(above[0])
    if last == 0:
        return float(at[0])
    low, high = value[last - 1], value[last]
    return float(at[last - 1] + (at[last] - at[last - 1]) * (-low / (high - low)))
