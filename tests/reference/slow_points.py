"""Take points, points of doubling and worths of gammons at a score: Janowski's reasoning in plain numbers, one chance
at a time, with a match equity table read cell by cell; slow and obvious.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import fullprime.engine

Line = list[tuple[float, float]]
STEPS = 1000


@cache
def table() -> tuple[list[list[float]], list[float]]:
    """The chances before the Crawford game, and those of the trailer after it."""
    text = Path(str(fullprime.engine.__file__)).parent.joinpath("data/met/kazaross-xg2.csv").read_text("utf-8")
    rows = [line.split(",")[1:] for line in text.splitlines() if line and not line.startswith("#")][1:]
    cells = [[float(cell) for cell in row if cell] for row in rows]
    return cells[:-1], cells[-1]


def match_chance(mine: int, theirs: int, *, crawford_played: bool) -> float:
    """The chance of a side that needs ``mine`` points."""
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    before, after = table()
    if crawford_played and 1 in (mine, theirs):
        return after[mine - 1] if theirs == 1 else 1 - after[theirs - 1]
    return before[mine - 1][theirs - 1]


@dataclass(frozen=True)
class Score:
    """What a cube decision depends on; ``away`` is None for money. All is seen by the player who could double."""

    cube: int
    owned: bool
    """The player who could double owns the cube; else it lies in the middle."""
    away: tuple[int, int] | None
    gammons: float
    """The share of gammons among the games won."""
    gammons_lost: float
    efficiency: float
    jacoby: bool = False

    def worth(self, points: int) -> float:
        """The worth of winning, or below 0 of losing, so many points."""
        if self.away is None:
            return points
        mine, theirs = self.away
        played = 1 in self.away
        if points > 0:
            return match_chance(mine - points, theirs, crawford_played=played)
        return match_chance(mine, theirs + points, crawford_played=played)

    def top(self, cube: int) -> float:
        """The mean worth of a game won."""
        return (1 - self.gammons) * self.worth(cube) + self.gammons * self.worth(2 * cube)

    def bottom(self, cube: int) -> float:
        """The mean worth of a game lost."""
        return (1 - self.gammons_lost) * self.worth(-cube) + self.gammons_lost * self.worth(-2 * cube)

    def played_out(self, cube: int, win: float) -> float:
        """Nobody turns the cube any more."""
        return win * self.top(cube) + (1 - win) * self.bottom(cube)

    def idle(self, cube: int, side: int) -> bool:
        """True if a side (0: the player, 1: the opponent) has no use for turning this cube."""
        return self.away is not None and cube >= self.away[side]

    def forced(self, cube: int, side: int) -> bool:
        """True if a side loses the match with this cube anyway, so that it doubles at once."""
        return self.away is not None and not self.idle(cube, side) and cube >= self.away[1 - side]

    def points(self, cube: int) -> tuple[float, float]:
        """With live cubes: from the first the player loses a double's worth, from the second the opponent does."""
        return _points_of(self, cube)

    def live(self, cube: int, *, mine: bool, theirs: bool, win: float, flat: bool = False) -> float:
        """The value with a live cube that the sides named may turn; ``flat``: gammons do not count now."""
        low, high = (self.worth(-cube), self.worth(cube)) if flat else (self.bottom(cube), self.top(cube))
        take, cash = self.points(cube)
        line: Line = [(0.0, low)]
        if theirs:
            line.append((take, self.worth(-cube)))
        if mine:
            line.append((cash, self.worth(cube)))
        return _on([*line, (1.0, high)], win)

    def taken(self, cube: int, win: float, *, live: bool = False) -> float:
        """The opponent owns the cube."""
        dead = self.played_out(cube, win)
        if self.idle(cube, 1):
            return dead
        if self.forced(cube, 1):
            return min(dead, max(self.worth(-cube), self.played_out(2 * cube, win)))
        alive = self.live(cube, mine=False, theirs=True, win=win)
        return alive if live else dead + self.efficiency * (alive - dead)

    def given(self, cube: int, win: float) -> float:
        """The player owns the cube, which is live."""
        if self.idle(cube, 0):
            return self.played_out(cube, win)
        if self.forced(cube, 0):
            return max(self.played_out(cube, win), min(self.worth(cube), self.played_out(2 * cube, win)))
        return self.live(cube, mine=True, theirs=False, win=win)

    def waiting(self, win: float) -> float:
        """The player rolls with the cube where it is."""
        cube, theirs = self.cube, not self.owned
        flat = self.jacoby and theirs
        dead = win * self.worth(cube) + (1 - win) * self.worth(-cube) if flat else self.played_out(cube, win)
        if theirs and self.forced(cube, 1):
            return min(self.played_out(cube, win), max(self.worth(-cube), self.played_out(2 * cube, win)))
        if self.forced(cube, 0):
            alive = max(dead, min(self.worth(cube), self.played_out(2 * cube, win)))
        else:
            mine = not self.idle(cube, 0)
            alive = self.live(cube, mine=mine, theirs=theirs and not self.idle(cube, 1), win=win, flat=flat)
        return dead + self.efficiency * (alive - dead)

    def doubles_from(self) -> float | None:
        """The least chance from which a double is right."""
        return _first(lambda win: min(self.taken(2 * self.cube, win), self.worth(self.cube)) - self.waiting(win) + 1e-9)

    def take_point(self) -> float | None:
        """The chance that the opponent needs to take."""
        cash = _first(lambda win: self.taken(2 * self.cube, win) - self.worth(self.cube))
        return None if cash is None else 1 - cash

    def gammon_value(self, cube: int, sign: int = 1) -> float:
        """What a gammon won (-1: lost) adds to a game with this cube, as a share of the swing of a game."""
        swing = self.worth(cube) - self.worth(-cube)
        return abs(self.worth(sign * 2 * cube) - self.worth(sign * cube)) / swing


@cache
def _points_of(score: Score, cube: int) -> tuple[float, float]:
    if score.away is None:
        take, cash = 0.2, 0.8
        for _ in range(30):  # each point follows from the other; money is the same at every cube
            cash = _solve(lambda win, at=take: _on([(at, -2.0), (1.0, score.top(2))], win), 1.0)
            take = _solve(lambda win, at=cash: _on([(0.0, score.bottom(2)), (at, 2.0)], win), -1.0)
        return take, cash
    take, cash = 0.0, 1.0
    if not score.idle(cube, 0):
        cash = _solve(lambda win: score.taken(2 * cube, win, live=True), score.worth(cube))
    if not score.idle(cube, 1):
        take = _solve(lambda win: score.given(2 * cube, win), score.worth(-cube))
    return take, cash


def _on(line: Line, at: float) -> float:
    """The height of a broken line."""
    for (left, low), (right, high) in pairwise(line):
        if at <= right or right == line[-1][0]:
            return low if right <= left else low + (high - low) * (at - left) / (right - left)
    return line[-1][1]


def _solve(value: Callable[[float], float], target: float) -> float:
    """The chance at which a rising value is the target, by halving."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) < target else (low, middle)
    return (low + high) / 2


def _first(value: Callable[[float], float]) -> float | None:
    """The first chance at which a value is above 0, to a tenth of a percent."""
    return next((step / STEPS for step in range(STEPS + 1) if value(step / STEPS) > 1e-9), None)
