"""A slow oracle of live cubes in bear-offs: plain recursion over positions, cubes and scores, nothing solved at once.

Plays come from the readable rules (``bearoff_solver.after``), chances to win a match from the table of the context.
"""

from __future__ import annotations

from dataclasses import replace

from tests.reference.bearoff_solver import OVER, Home, after

from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.rules.dice import ALL_ROLLS


class LiveBearoff:
    """Equities of a player on roll with a cube, in units of that cube; ``total`` checkers a side are none off."""

    def __init__(self, total: int = 15) -> None:
        self.total = total
        self._known: dict[tuple[Home, Home, CubeContext], float] = {}

    def equity(self, own: Home, other: Home, context: CubeContext) -> float:
        """Rolling with the cube where it is."""
        return float(context.equity(self.rolling(own, other, context)))

    def rolling(self, own: Home, other: Home, context: CubeContext) -> float:
        """The value of rolling: points, or the chance to win the match."""
        key = own, other, context
        if key not in self._known:
            total = 0.0
            for roll in ALL_ROLLS:
                best = -(10.0**9)
                for home in after(own, roll):
                    if home == OVER:
                        value = self._won(other, context)
                    else:
                        value = self._turn_round(self.value(other, home, context.swapped), context)
                    best = max(best, value)
                total += roll.weight * best
            self._known[key] = total / 36
        return self._known[key]

    def value(self, own: Home, other: Home, context: CubeContext) -> float:
        """The value after the best cube action of both sides."""
        rolling = self.rolling(own, other, context)
        if not context.may_double or context.is_dead:
            return rolling
        doubled = min(self._doubled(own, other, context), self._points(1, context))
        if context.beavers and (context.cap is None or 4 * context.cube <= context.cap):
            doubled = min(doubled, self._raised(own, other, context, 4))
        return max(rolling, doubled)

    def _doubled(self, own: Home, other: Home, context: CubeContext) -> float:
        return self._raised(own, other, context, 2)

    def _raised(self, own: Home, other: Home, context: CubeContext, factor: int) -> float:
        turned = replace(context, cube=factor * context.cube, owner=CubeOwner.OPPONENT)
        if context.is_match or context.cap is not None:
            return self.rolling(own, other, turned)
        # Money without a limit has no last cube: the same cube at another value.
        return factor * self.rolling(own, other, replace(turned, cube=context.cube))

    def _won(self, other: Home, context: CubeContext) -> float:
        gammon = sum(other) == self.total and not (context.jacoby and context.owner is None)
        return self._points(2 if gammon else 1, context)

    def _points(self, games: int, context: CubeContext) -> float:
        points = games * context.cube
        if context.away is None:
            return float(points * context.stake)
        mine, theirs = context.away[0] - points, context.away[1]
        played = context.crawford or min(context.away) == 1
        return context.table.chance(mine, theirs, crawford_played=played and mine > 0)

    def _turn_round(self, value: float, context: CubeContext) -> float:
        return 1.0 - value if context.is_match else -value
