"""Match equity tables: the chance to win a match from the points each side still needs.

Three published tables come with the package; beyond their size :class:`MatchEquityTable` goes on by itself (see
``docs/equity.md``). Values are those before a game begins, the sides being equally strong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.model import CubeLevel, CubeLevels, CubeModel
from fullprime.rules.errors import FullprimeError

Floats = npt.NDArray[np.float64]

TABLES = {
    "Kazaross-XG2": "kazaross-xg2.csv",
    "Rockwell-Kazaross": "rockwell-kazaross.csv",
    "Woolsey": "woolsey.csv",
}
"""The tables that come with the package and their files."""

DEFAULT = "Kazaross-XG2"

USUAL_POINTS = (1, 2, 3)
"""What a single game, a gammon and a backgammon count."""

LONGEST = 128
"""The longest match a table is continued to."""

GAMMON_SHARE = 0.26
"""Gammons among the games won at an ordinary score, used to continue a table (Snowie's figure)."""

EFFICIENCY = 0.85
"""Efficiency of the cube over a whole game, used to continue a table. With these two figures and the chances after
the Crawford game alone the first 15 points of Kazaross-XG2 come out within 0.0014 on average, 0.0076 at most.
"""


class MatchEquityError(FullprimeError):
    """A score or a table that does not exist."""


class MatchEquityTable:
    """Chances to win a match by the points both sides need.

    ``before``: float64[n, n], chance of the side that needs i + 1 points against one that needs j + 1, in which
    needing one point means that the Crawford game is about to be played; ``after``: float64[m], chance of the
    trailer who needs k + 1 points when the Crawford game has been played.
    """

    def __init__(self, name: str, before: Floats, after: Floats) -> None:
        self.name = name
        self.size = len(before)
        """Points up to which the table is the published one."""
        self._before = np.array(before)
        self._after = np.array(after)
        self._check()

    @classmethod
    def named(cls, name: str = DEFAULT) -> MatchEquityTable:
        """Load a table of :data:`TABLES` by name, in any case. Raises MatchEquityError for an unknown one."""
        titles = {title.lower(): title for title in TABLES}
        if name.lower() not in titles:
            raise MatchEquityError(f"{name!r}: no such match equity table; there are {', '.join(TABLES)}")
        return _load_shipped(titles[name.lower()])

    @classmethod
    def from_csv(cls, name: str, text: str) -> MatchEquityTable:
        """Read a table: a header, one row per number of points needed, then the chances after the Crawford game.

        Lines that begin with ``#`` are notes. Raises MatchEquityError for anything that is not such a table.
        """
        rows = [line.split(",") for line in text.splitlines() if line.strip() and not line.startswith("#")]
        try:
            before = np.array([[float(cell) for cell in row[1:]] for row in rows[1:-1]])
            after = np.array([float(cell) for cell in rows[-1][1:]])
        except (ValueError, IndexError) as error:
            raise MatchEquityError(f"{name}: not a match equity table ({error})") from None
        return cls(name, before, after)

    def __repr__(self) -> str:
        return f"MatchEquityTable.named({self.name!r})"

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, MatchEquityTable):
            return self is other
        same = np.array_equal(self._before, other._before) and np.array_equal(self._after, other._after)
        return self.name == other.name and same

    def __hash__(self) -> int:
        return hash((self.name, self.size))

    def chance(self, away: int, other_away: int, *, crawford_played: bool = False) -> float:
        """The chance to win the match of a side that needs ``away`` points against one that needs ``other_away``.

        0 or less means that the side has won. ``crawford_played``: the Crawford game lies behind; else a side
        that needs one point is about to play it. Raises MatchEquityError when both have won or the match is too
        long.

        >>> MatchEquityTable.named().chance(3, 5)
        0.64795
        """
        if away <= 0 or other_away <= 0:
            if away <= 0 and other_away <= 0:
                raise MatchEquityError(f"{away} and {other_away} points away: both cannot have won")
            return 1.0 if away <= 0 else 0.0
        if crawford_played:
            if away == 1:
                return 0.5 if other_away == 1 else 1.0 - self._trailer(other_away)
            if other_away == 1:
                return self._trailer(away)
            raise MatchEquityError(f"{away} and {other_away} points away: there was no Crawford game at this score")
        self._grow(max(away, other_away))
        return float(self._before[away - 1, other_away - 1])

    def cube_levels(
        self,
        away: int,
        other_away: int,
        cube: int = 1,
        *,
        crawford: bool = False,
        cap: int | None = None,
        points: tuple[int, ...] = USUAL_POINTS,
    ) -> CubeLevels:
        """The value of each result to the mover at this score with the cube at ``cube``, twice that, and so on.

        ``crawford``: this is the Crawford game (no player may double). The game is past it when a side needs one
        point and this is not it. ``cap``: the cube goes no higher. ``points``: what the results count.
        """
        played = crawford or min(away, other_away) == 1

        def win_chance(points: int) -> float:
            """Chance after the mover has won ``points`` (or, if negative, lost them)."""
            if points > 0:
                left, right = away - points, other_away
            else:
                left, right = away, other_away + points
            return self.chance(left, right, crawford_played=played and left > 0 and right > 0)

        limit = cube if crawford else cap or max(away, other_away) * 2 * cube
        return CubeLevels(tuple(_levels_from(away, other_away, cube, limit, win_chance, points)))

    # -- inside -------------------------------------------------------------------------------------------
    def _check(self) -> None:
        before, after = self._before, self._after
        if before.ndim != 2 or before.shape[0] != before.shape[1] or not before.size or after.ndim != 1:
            raise MatchEquityError(f"{self.name}: the table is not square: {before.shape}")
        if not np.all(np.abs(before + before.T - 1.0) < 1e-6):
            raise MatchEquityError(f"{self.name}: two chances of one score do not add up to 1")
        if len(after) < 2 or after[0] != 0.5 or np.any(np.diff(after) > 0.0):
            raise MatchEquityError(f"{self.name}: the chances after the Crawford game must fall from 0.5")
        if np.any(np.diff(before, axis=1) < 0.0):
            raise MatchEquityError(f"{self.name}: the more the opponent needs the better")

    def _trailer(self, away: int) -> float:
        """After the Crawford game the trailer has the cube turned at once: two points a game, four a gammon."""
        if away > LONGEST:
            raise MatchEquityError(f"{away} points away: matches go up to {LONGEST} points")
        while len(self._after) < away:
            chances = self._after
            single, gammon = chances[-2], chances[-4] if len(chances) >= 4 else 1.0
            grown = 0.5 * ((1.0 - GAMMON_SHARE) * single + GAMMON_SHARE * gammon)
            self._after = np.append(chances, min(grown, chances[-1]))
        return float(self._after[away - 1])

    def _grow(self, size: int) -> None:
        """Continue the table cell by cell: an even game with the cube of :mod:`~fullprime.engine.cube.model`."""
        if size > LONGEST:
            raise MatchEquityError(f"{size} points away: matches go up to {LONGEST} points")
        if size <= len(self._before):
            return
        old_size = len(self._before)
        grown = np.full((size, size), np.nan)
        grown[:old_size, :old_size] = self._before
        longer_table = MatchEquityTable(self.name, self._before, self._after)  # readers never see half a table
        longer_table._before = grown
        even = np.array([[0.5, 0.5 * GAMMON_SHARE, 0.0, 0.5 * GAMMON_SHARE, 0.0]])
        for longer in range(old_size + 1, size + 1):
            for shorter in range(1, longer + 1):
                value = 0.5
                if shorter < longer:
                    model = CubeModel(
                        even, longer_table.cube_levels(shorter, longer, crawford=shorter == 1), EFFICIENCY
                    )
                    may = shorter > 1
                    value = float(model.no_double(may, may)[0])
                    # Rounded tables leave steps at the seam: no value may fall below a shorter match's.
                    value = max(value, float(grown[shorter - 1, longer - 2]))
                    if shorter > 1:
                        value = min(value, float(grown[shorter - 2, longer - 1]))
                grown[shorter - 1, longer - 1] = value
                grown[longer - 1, shorter - 1] = 1.0 - value
        self._before = grown


def _levels_from(
    away: int, other_away: int, cube: int, limit: int, win_chance: Callable[[int], float], points: tuple[int, ...]
) -> Iterator[CubeLevel]:
    value = cube
    while True:
        mover_dead, other_dead = value >= min(away, limit), value >= min(other_away, limit)
        yield CubeLevel(
            win=tuple(win_chance(won * value) for won in points),
            lose=tuple(win_chance(-lost * value) for lost in points),
            mover_dead=mover_dead,
            other_dead=other_dead,
            # A player who loses the match with this cube anyway has nothing to lose by turning it.
            mover_forced=not mover_dead and value >= other_away,
            other_forced=not other_dead and value >= away,
        )
        # The level after a useless double is there, too: it says what that double costs.
        if mover_dead and other_dead and (value > cube or value >= limit):
            return
        value *= 2


@cache
def _load_shipped(title: str) -> MatchEquityTable:
    text = resources.files("fullprime.engine").joinpath("data", "met", TABLES[title]).read_text("utf-8")
    return MatchEquityTable.from_csv(title, text)
