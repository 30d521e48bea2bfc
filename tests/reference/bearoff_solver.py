"""Slow oracles of the bear-off tables: the readable rules, plain Python, nothing of the engine.

``TwoSided`` solves small endings with the cube by recursion over positions; ``one_sided`` finds distributions of
rolls by recursion over one side. Both play with ``rules.plays.legal_plays``.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position

Home = tuple[int, ...]
"""Checkers of one side on its points 1 to 6."""

OVER: Home = (0,) * 6


def homes(most: int) -> list[Home]:
    """Every way of having up to ``most`` checkers on the home points."""
    return [counts for counts in product(range(most + 1), repeat=6) if sum(counts) <= most]


@cache
def after(home: Home, roll: Roll) -> tuple[Home, ...]:
    """Where a roll can lead; the opponent stands far away with all checkers on his ace point."""
    if home == OVER:
        return (OVER,)
    own = {point: count for point, count in enumerate(home, start=1) if count}
    position = Position.of(own, {1: 1})
    return tuple({play.after.player[1:7] for play in legal_plays(position, roll)})


class TwoSided:
    """Equities of the player on roll with a cube at 1 before he decides whether to double.

    ``value(own, other, owner)``: owner "mover", "other" or None (centred) with perfect play and cube action, or
    "nobody" for a cube that is never turned. ``rolling`` is the same without a double at this turn.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Home, Home, str | None], float] = {}

    def value(self, own: Home, other: Home, owner: str | None) -> float:
        """After the best cube action."""
        rolling = self.rolling(own, other, owner)
        if owner in ("other", "nobody"):
            return rolling
        return max(rolling, min(1.0, 2.0 * self.rolling(own, other, "other")))

    def rolling(self, own: Home, other: Home, owner: str | None) -> float:
        """The roll is thrown with the cube where it is."""
        if other == OVER:
            return -1.0
        key = own, other, owner
        if key not in self._known:
            theirs = {"mover": "other", "other": "mover"}.get(owner or "", owner)
            total = 0.0
            for roll in ALL_ROLLS:
                total += roll.weight * max(
                    1.0 if home == OVER else -self.value(other, home, theirs) for home in after(own, roll)
                )
            self._known[key] = total / 36
        return self._known[key]


@cache
def mean_rolls(home: Home, first_only: bool = False) -> float:
    """Fewest expected rolls until all checkers, or the first of them, are off."""
    return _one_sided(home, first_only)[0]


@cache
def distribution(home: Home, first_only: bool = False) -> tuple[float, ...]:
    """The chance of each number of rolls when the mean is made as small as possible."""
    return _one_sided(home, first_only)[1]


@cache
def _one_sided(home: Home, first_only: bool) -> tuple[float, tuple[float, ...]]:
    if home == OVER:
        return 0.0, (1.0,)
    mean, chances = 1.0, [0.0] * 40
    for roll in ALL_ROLLS:
        ends = [
            (0.0, (1.0,)) if first_only and sum(nxt) < sum(home) else _one_sided(nxt, first_only)
            for nxt in after(home, roll)
        ]
        best_mean, best = min(ends, key=lambda end: end[0])
        mean += roll.weight / 36 * best_mean
        for count, chance in enumerate(best):
            if chance:
                chances[count + 1] += roll.weight / 36 * chance
    return mean, tuple(chances)
