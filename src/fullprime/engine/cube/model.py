"""From cubeless to cubeful: live and dead cubes, for any way of scoring.

The method is Janowski's ("Take-Points in Money Games", 1993). With a *dead* cube nobody doubles again, and the
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

LATE = 0.25
"""The power of the efficiency that says how much of a double is left that must be made and is made a roll late.
``docs/equity.md`` has the measurement.
"""


@dataclass(frozen=True, slots=True)
class Rung:
    """One value of the cube: the results' values to the mover with it, and the sides that have a use for turning it.

    ``win`` and ``lose``: values of a single game, a gammon, a backgammon, to the mover, in any unit.
    ``mover_dead``: turning the cube from this value can gain the mover nothing (or is forbidden); ``other_dead``
    likewise. ``mover_forced``: losing a single game at this value already loses everything, so that the mover
    turns the cube as soon as he may; ``other_forced`` likewise.
    """

    win: tuple[float, float, float]
    lose: tuple[float, float, float]
    mover_dead: bool = False
    other_dead: bool = False
    mover_forced: bool = False
    other_forced: bool = False


@dataclass(frozen=True, slots=True)
class Ladder:
    """The cube values from the present one upwards.

    ``endless``: money without a limit, where every rung is the first one doubled and two of them say it all; else
    the last rung is dead for both sides.
    """

    rungs: tuple[Rung, ...]
    endless: bool = False


class CubeModel:
    """The values of a batch of positions, given as probabilities (n, 5), on a ladder.

    ``efficiency``: 0 (dead) to 1 (live): one number, n of them, or (n, 3) for a cube in the middle, with the player
    on roll, with the opponent.
    """

    def __init__(self, probabilities: Floats, ladder: Ladder, efficiency: float | Floats) -> None:
        self.ladder = ladder
        self.efficiency = efficiency
        self.win = probabilities[:, 0]
        wins = _shares(probabilities[:, 0], probabilities[:, 1], probabilities[:, 2])
        losses = _shares(1.0 - probabilities[:, 0], probabilities[:, 3], probabilities[:, 4])
        self._top = [_mean(wins, rung.win) for rung in ladder.rungs]
        self._bottom = [_mean(losses, rung.lose) for rung in ladder.rungs]
        self._cash, self._take = self._points()

    # -- values to the mover ------------------------------------------------------------------------------
    def dead(self, level: int = 0) -> Floats:
        """Nobody turns the cube any more."""
        return np.asarray(self.win * self._top[level] + (1.0 - self.win) * self._bottom[level])

    def no_double(self, mover_may: bool, other_may: bool, gammons: bool = True) -> Floats:
        """The mover rolls with the cube as it is. It may be turned later by the mover, the other, both (centred).

        ``gammons`` is False under the Jacoby rule while the cube is centred.
        """
        rung = self.ladder.rungs[0]
        top = self._top[0] if gammons else np.full_like(self.win, rung.win[0])
        bottom = self._bottom[0] if gammons else np.full_like(self.win, rung.lose[0])
        dead = self.win * top + (1.0 - self.win) * bottom
        place = (_MIDDLE if other_may else _MINE) if mover_may else _THEIRS
        mover_may = mover_may and not rung.mover_dead
        other_may = other_may and not rung.other_dead
        if other_may and rung.other_forced:
            return self._other_forced(0)
        if mover_may and rung.mover_forced:
            # He gets to double a roll late: most of the double is left by then.
            forced = np.maximum(dead, np.minimum(rung.win[0], self.dead(1)))
            late = dead + np.clip(self._share(place), 0.0, 1.0) ** LATE * (forced - dead)
            return self._bounded(late, 0, mover_may, other_may, top, bottom)
        mixed = self._mix(dead, self._live(0, mover_may, other_may, top, bottom), place)
        return self._bounded(mixed, 0, mover_may, other_may, top, bottom)

    def double_take(self) -> Floats:
        """The mover doubles, the other takes and owns the cube."""
        return self._other_owns(1)

    def beaver(self) -> Floats:
        """The mover doubles, the other beavers: four times the cube, on the other's side."""
        return 2.0 * self._other_owns(1) if self.ladder.endless else self._other_owns(2)

    def _other_owns(self, level: int) -> Floats:
        rung = self.ladder.rungs[level]
        if rung.other_dead:
            return self.dead(level)
        if rung.other_forced:
            return self._other_forced(level)
        top, bottom = self._top[level], self._bottom[level]
        mixed = self._mix(self.dead(level), self._live(level, False, True, top, bottom), _THEIRS)
        return self._bounded(mixed, level, False, True, top, bottom)

    def _other_forced(self, level: int) -> Floats:
        """The other doubles at his next turn unless too good; the mover takes or drops; the cube is dead then."""
        rung = self.ladder.rungs[level]
        return np.minimum(self.dead(level), np.maximum(rung.lose[0], self.dead(level + 1)))

    def _mix(self, dead: Floats, live: Floats, place: int) -> Floats:
        return np.asarray(dead + self._share(place) * (live - dead))

    def _share(self, place: int) -> Floats:
        found = self.efficiency[:, place] if np.ndim(self.efficiency) == 2 else self.efficiency  # type: ignore[index]
        return np.asarray(found)

    def _bounded(
        self, value: Floats, level: int, mover_may: bool, other_may: bool, top: Floats, bottom: Floats
    ) -> Floats:
        """No more than cashing gives, but for the gammons: efficiencies over 1 would go beyond what a cube can give."""
        rung = self.ladder.rungs[level]
        if mover_may:
            value = np.minimum(value, (1.0 - self.win) * rung.win[0] + self.win * top)
        if other_may:
            value = np.maximum(value, self.win * rung.lose[0] + (1.0 - self.win) * bottom)
        return np.asarray(value)

    def _live(self, level: int, mover_may: bool, other_may: bool, top: Floats, bottom: Floats) -> Floats:
        """The broken line through the points at which each side that may turn the cube cashes."""
        rung = self.ladder.rungs[level]
        zero, one = np.zeros_like(self.win), np.ones_like(self.win)
        left, low = (self._take[level], np.full_like(zero, rung.lose[0])) if other_may else (zero, bottom)
        right, high = (self._cash[level], np.full_like(zero, rung.win[0])) if mover_may else (one, top)
        value = _between(self.win, left, low, right, high)
        if other_may:
            value = np.where(self.win < left, _between(self.win, zero, bottom, left, low), value)
        if mover_may:
            value = np.where(self.win > right, _between(self.win, right, high, one, top), value)
        return value

    # -- the points of indifference -----------------------------------------------------------------------
    def _points(self) -> tuple[list[Floats], list[Floats]]:
        """For every rung the winning chance at which the other is indifferent to the mover's double, and the
        chance at which the mover is indifferent to the other's, with live cubes.
        """
        rungs = self.ladder.rungs
        if self.ladder.endless:
            # Janowski's closed forms; W and L are the mean points of a won and of a lost game.
            wins, losses = self._top[0] / rungs[0].win[0], -self._bottom[0] / rungs[0].win[0]
            width = wins + losses + 0.5
            return [(losses + 1.0) / width] * len(rungs), [(losses - 0.5) / width] * len(rungs)
        nothing = np.full_like(self.win, np.nan)
        cash, take = [nothing] * len(rungs), [nothing] * len(rungs)
        for level in range(len(rungs) - 2, -1, -1):
            rung, above = rungs[level], rungs[level + 1]
            top, bottom = self._top[level + 1], self._bottom[level + 1]
            if not rung.mover_dead:
                if above.other_dead:
                    cash[level] = _where(rung.win[0], bottom, top)
                elif above.other_forced:
                    cash[level] = _where(rung.win[0], self._bottom[level + 2], self._top[level + 2])
                else:
                    start = take[level + 1]
                    cash[level] = start + (1.0 - start) * _where(rung.win[0], above.lose[0], top)
            if not rung.other_dead:
                if above.mover_dead:
                    take[level] = _where(rung.lose[0], bottom, top)
                elif above.mover_forced:
                    take[level] = _where(rung.lose[0], self._bottom[level + 2], self._top[level + 2])
                else:
                    take[level] = cash[level + 1] * _where(rung.lose[0], bottom, above.win[0])
        return cash, take


def _shares(any_win: Floats, gammon: Floats, backgammon: Floats) -> Floats:
    """Shares of single games, gammons and backgammons among the games won, (n, 3)."""
    total = np.maximum(any_win, 1e-300)
    gammons = np.clip(gammon / total, 0.0, 1.0)
    backgammons = np.clip(backgammon / total, 0.0, gammons)
    return np.stack([1.0 - gammons, gammons - backgammons, backgammons], axis=1)


def _mean(shares: Floats, results: tuple[float, float, float]) -> Floats:
    """The average worth of results; summed in one order, so that a row has the same bits in any batch."""
    single, gammon, backgammon = results
    return np.asarray(shares[:, 0] * single + shares[:, 1] * gammon + shares[:, 2] * backgammon)


def _between(at: Floats, left: Floats, low: Floats, right: Floats, high: Floats) -> Floats:
    """The straight line from (left, low) to (right, high); its left end where the two points coincide."""
    width = right - left
    return low + (high - low) * np.where(width > 0.0, (at - left) / np.where(width > 0.0, width, 1.0), 0.0)


def _where(value: float, low: Floats | float, high: Floats | float) -> Floats:
    """The share of the way from ``low`` to ``high`` at which ``value`` lies."""
    span = np.asarray(high, dtype=np.float64) - low
    return np.where(span > 0.0, (value - low) / np.where(span > 0.0, span, 1.0), 0.0)
