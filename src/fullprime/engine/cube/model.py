"""From cubeless to cubeful: live and dead cubes, for any way of scoring.

The method is Janowski's ("Take-Points in Money Games", 1993). With a *dead* cube no player doubles again, and the
value of a position is a straight line in the chance of winning. With a fully *live* cube both sides double at
the very point where the other is indifferent between taking and dropping, and the value is a broken line through
those points. A real cube lies between: ``(1 - x) dead + x live``, x being its efficiency. For money the points have
the closed forms of the article; for a match the same reasoning runs down the ladder of cube values from the
highest that matters, on match winning chances instead of points. ``docs/equity.md`` has the derivation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_MIDDLE, _MINE, _THEIRS = range(3)
"""Columns of efficiencies."""

CONTACT_EFFICIENCY = 0.68
"""The efficiency of the cube while there is contact, where no net says more; docs/equity.md has others beside it."""
LATE = 0.25
"""The power of the efficiency that gives the share of a forced double that is left when it comes a roll late.
``docs/equity.md`` has the measurement.
"""


USUAL_SHARE = 0.06
"""The share of backgammons that end with a checker on the bar, over all of them (``cube/bar_share.py``)."""


@dataclass(frozen=True, slots=True)
class CubeLevel:
    """One value of the cube: what each result is worth to the mover, and which sides have a use for turning it.

    ``win`` and ``lose``: values of a single game, a gammon, a backgammon, to the mover, in any unit; where a checker on
    the bar counts, of a backgammon without and with one.
    ``mover_dead``: turning the cube from this value can gain the mover nothing (or is forbidden); ``other_dead``
    likewise. ``mover_forced``: losing a single game at this value already loses everything, so that the mover
    turns the cube as soon as he may; ``other_forced`` likewise.
    """

    win: tuple[float, ...]
    lose: tuple[float, ...]
    mover_dead: bool = False
    other_dead: bool = False
    mover_forced: bool = False
    other_forced: bool = False


@dataclass(frozen=True, slots=True)
class CubeLevels:
    """The cube values from the present one upwards.

    ``endless``: money without a limit, where every level is the first one doubled and two of them say it all; else
    the last level is dead for both sides.
    """

    levels: tuple[CubeLevel, ...]
    endless: bool = False


class CubeModel:
    """The cubeful values of a batch of positions, given as probabilities (n, 5), at the cube levels of a score.

    Where a checker on the bar counts they are (n, 7), with the chances to win and to lose a backgammon with one behind;
    of five alone the share is taken that is usual.
    ``efficiency``: 0 (dead) to 1 (live): one number, n of them, or (n, 3) for a cube in the middle, with the player
    on roll, with the opponent.
    """

    def __init__(self, probabilities: Floats, cube_levels: CubeLevels, efficiency: float | Floats) -> None:
        self.cube_levels = cube_levels
        self.efficiency = efficiency
        self.win = probabilities[:, 0]
        wins = _shares(probabilities[:, 0], probabilities[:, 1], probabilities[:, 2])
        losses = _shares(1.0 - probabilities[:, 0], probabilities[:, 3], probabilities[:, 4])
        if len(cube_levels.levels[0].win) > wins.shape[1]:
            on_bar = USUAL_SHARE * probabilities[:, [2, 4]] if probabilities.shape[1] == 5 else probabilities[:, 5:]
            wins = _with_bar(wins, self.win, on_bar[:, 0])
            losses = _with_bar(losses, 1.0 - self.win, on_bar[:, 1])
        self._top = [_mean(wins, cube_level.win) for cube_level in cube_levels.levels]
        self._bottom = [_mean(losses, cube_level.lose) for cube_level in cube_levels.levels]
        self._cash, self._take = self._points()

    # -- values to the mover ------------------------------------------------------------------------------
    def dead(self, level: int = 0) -> Floats:
        """The value when neither player turns the cube any more."""
        return np.asarray(self.win * self._top[level] + (1.0 - self.win) * self._bottom[level])

    def no_double(self, mover_may: bool, other_may: bool, gammons: bool = True) -> Floats:
        """The value of rolling with the cube as it is, which the mover, the other or both may turn later.

        ``gammons`` is False under the Jacoby rule while the cube is centred.
        """
        cube_level = self.cube_levels.levels[0]
        top = self._top[0] if gammons else np.full_like(self.win, cube_level.win[0])
        bottom = self._bottom[0] if gammons else np.full_like(self.win, cube_level.lose[0])
        dead = self.win * top + (1.0 - self.win) * bottom
        place = (_MIDDLE if other_may else _MINE) if mover_may else _THEIRS
        mover_may = mover_may and not cube_level.mover_dead
        other_may = other_may and not cube_level.other_dead
        if other_may and cube_level.other_forced:
            return self._value_of_forced_double(0)
        if mover_may and cube_level.mover_forced:
            # He gets to double a roll late: most of the double is left by then.
            forced = np.maximum(dead, np.minimum(cube_level.win[0], self.dead(1)))
            late = dead + np.clip(self._share(place), 0.0, 1.0) ** LATE * (forced - dead)
            return self._cap_at_cash(late, 0, mover_may, other_may, top, bottom)
        mixed = self._mix(dead, self._live(0, mover_may, other_may, top, bottom), place)
        return self._cap_at_cash(mixed, 0, mover_may, other_may, top, bottom)

    def double_take(self) -> Floats:
        """The value of a double that the other takes, who then owns the cube."""
        return self._other_owns(1)

    def beaver(self) -> Floats:
        """The value of a double and a beaver: four times the cube, on the other's side."""
        return 2.0 * self._other_owns(1) if self.cube_levels.endless else self._other_owns(2)

    def raccoon(self) -> Floats:
        """The value of a double, a beaver and a raccoon: eight times the cube, on the other's side."""
        return 4.0 * self._other_owns(1) if self.cube_levels.endless else self._other_owns(3)

    def _other_owns(self, level: int) -> Floats:
        cube_level = self.cube_levels.levels[level]
        if cube_level.other_dead:
            return self.dead(level)
        if cube_level.other_forced:
            return self._value_of_forced_double(level)
        top, bottom = self._top[level], self._bottom[level]
        mixed = self._mix(self.dead(level), self._live(level, False, True, top, bottom), _THEIRS)
        return self._cap_at_cash(mixed, level, False, True, top, bottom)

    def _value_of_forced_double(self, level: int) -> Floats:
        """The other doubles at his next turn unless too good; the mover takes or drops; the cube is dead then."""
        cube_level = self.cube_levels.levels[level]
        return np.minimum(self.dead(level), np.maximum(cube_level.lose[0], self.dead(level + 1)))

    def _mix(self, dead: Floats, live: Floats, place: int) -> Floats:
        return np.asarray(dead + self._share(place) * (live - dead))

    def _share(self, place: int) -> Floats:
        efficiency = self.efficiency
        return np.asarray(efficiency[:, place] if np.ndim(efficiency) == 2 else efficiency)  # type: ignore[index]

    def _cap_at_cash(
        self, value: Floats, level: int, mover_may: bool, other_may: bool, top: Floats, bottom: Floats
    ) -> Floats:
        """No more than cashing gives, but for the gammons: efficiencies over 1 would go beyond what a cube can give."""
        cube_level = self.cube_levels.levels[level]
        if mover_may:
            value = np.minimum(value, (1.0 - self.win) * cube_level.win[0] + self.win * top)
        if other_may:
            value = np.maximum(value, self.win * cube_level.lose[0] + (1.0 - self.win) * bottom)
        return np.asarray(value)

    def _live(self, level: int, mover_may: bool, other_may: bool, top: Floats, bottom: Floats) -> Floats:
        """The broken line through the points at which each side that may turn the cube cashes."""
        cube_level = self.cube_levels.levels[level]
        zero, one = np.zeros_like(self.win), np.ones_like(self.win)
        left, low = (self._take[level], np.full_like(zero, cube_level.lose[0])) if other_may else (zero, bottom)
        right, high = (self._cash[level], np.full_like(zero, cube_level.win[0])) if mover_may else (one, top)
        value = _interpolate(self.win, left, low, right, high)
        if other_may:
            value = np.where(self.win < left, _interpolate(self.win, zero, bottom, left, low), value)
        if mover_may:
            value = np.where(self.win > right, _interpolate(self.win, right, high, one, top), value)
        return value

    # -- the points of indifference -----------------------------------------------------------------------
    def _points(self) -> tuple[list[Floats], list[Floats]]:
        """For every level the winning chance at which the other is indifferent to the mover's double, and the
        chance at which the mover is indifferent to the other's, with live cubes.
        """
        levels = self.cube_levels.levels
        if self.cube_levels.endless:
            # Janowski's closed forms; W and L are the mean points of a won and of a lost game.
            wins, losses = self._top[0] / levels[0].win[0], -self._bottom[0] / levels[0].win[0]
            width = wins + losses + 0.5
            return [(losses + 1.0) / width] * len(levels), [(losses - 0.5) / width] * len(levels)
        nothing = np.full_like(self.win, np.nan)
        cash, take = [nothing] * len(levels), [nothing] * len(levels)
        for level in range(len(levels) - 2, -1, -1):
            cube_level, above = levels[level], levels[level + 1]
            top, bottom = self._top[level + 1], self._bottom[level + 1]
            if not cube_level.mover_dead:
                if above.other_dead:
                    cash[level] = _where(cube_level.win[0], bottom, top)
                elif above.other_forced:
                    cash[level] = _where(cube_level.win[0], self._bottom[level + 2], self._top[level + 2])
                else:
                    start = take[level + 1]
                    cash[level] = start + (1.0 - start) * _where(cube_level.win[0], above.lose[0], top)
            if not cube_level.other_dead:
                if above.mover_dead:
                    take[level] = _where(cube_level.lose[0], bottom, top)
                elif above.mover_forced:
                    take[level] = _where(cube_level.lose[0], self._bottom[level + 2], self._top[level + 2])
                else:
                    take[level] = cash[level + 1] * _where(cube_level.lose[0], bottom, above.win[0])
        return cash, take


def _shares(any_win: Floats, gammon: Floats, backgammon: Floats) -> Floats:
    """Shares of single games, gammons and backgammons among the games won, (n, 3)."""
    total = np.maximum(any_win, 1e-300)
    gammons = np.clip(gammon / total, 0.0, 1.0)
    backgammons = np.clip(backgammon / total, 0.0, gammons)
    return np.stack([1.0 - gammons, gammons - backgammons, backgammons], axis=1)


def mean_backgammon(results: tuple[float, ...]) -> float:
    """The worth of a backgammon among results, where a checker on the bar counts by the usual share of them."""
    return results[2] if len(results) == 3 else (1.0 - USUAL_SHARE) * results[2] + USUAL_SHARE * results[3]


def _with_bar(shares: Floats, total: Floats, on_bar: Floats) -> Floats:
    """Shares (n, 4): the backgammons apart that end with a checker on the bar, which have the chance ``on_bar``."""
    part = np.clip(on_bar / np.maximum(total, 1e-300), 0.0, shares[:, 2])
    return np.column_stack([shares[:, :2], shares[:, 2] - part, part])


def _mean(shares: Floats, results: tuple[float, ...]) -> Floats:
    """The average worth of results; summed in one order, so that a row has the same bits in any batch."""
    total = shares[:, 0] * results[0]
    for column, result in enumerate(results[1:], start=1):
        total = total + shares[:, column] * result
    return np.asarray(total)


def _interpolate(at: Floats, left: Floats, low: Floats, right: Floats, high: Floats) -> Floats:
    """The straight line from (left, low) to (right, high); its left end where the two points coincide."""
    width = right - left
    return low + (high - low) * np.where(width > 0.0, (at - left) / np.where(width > 0.0, width, 1.0), 0.0)


def _where(value: float, low: Floats | float, high: Floats | float) -> Floats:
    """The share of the way from ``low`` to ``high`` at which ``value`` lies."""
    span = np.asarray(high, dtype=np.float64) - low
    return np.where(span > 0.0, (value - low) / np.where(span > 0.0, span, 1.0), 0.0)
