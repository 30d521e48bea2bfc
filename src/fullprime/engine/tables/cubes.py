"""Live cubes in bear-offs: equities of every cube, money or match, by dynamic programming over both sides.

Where all checkers of both sides are home the ways of the two sides are independent, and every pair of positions that
they can come to is solved for every cube that can still lie on the table: perfect cube actions, and the plays that
are best for that cube. ``docs/bearoff.md`` says what is left out and what that costs.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.tables.bearoff import Bearoff
from fullprime.engine.tables.occupied import find_occupied

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

WORK = 30_000_000
"""The most work at once: pairs of positions, times cubes, times plays of a roll. About a second, and 120 MB."""
WORK_A_SECOND = 20_000_000
"""About the work of one second; for searches with a limit of time."""

_FEW_WORK = 6_000_000
"""The most work of one position up to ``_FEW`` checkers a side: some tenths of a second."""

REMEMBERED = 1 << 16
"""Equities that are kept, the most recently used: some 20 MB."""

LEAF_CHECKERS = 8
"""Boards inside a tree are solved up to this number of checkers a side."""

_FEW = 8
"""Up to this number of checkers more plays count: there they depend most on the opponent."""

Key = tuple[int, int, CubeContext]
"""The codes of both sides, and the cube."""


@dataclass(frozen=True, slots=True)
class SolverPrecision:
    """How much is looked at: plays within ``near`` mean rolls of the fewest, by the checkers that are left, and how
    rare positions are left out. Where none are, an equity does not depend on what else is asked at the same time.
    """

    near: float
    near_few: float
    rare: float = 0.0

    @property
    def by_checkers(self) -> Floats:
        """The margin by the number of checkers left, (16,)."""
        return np.array([self.near_few if count <= _FEW else self.near for count in range(16)])


_LESS = (SolverPrecision(0.0, 0.05), SolverPrecision(0.0, 0.0, 1e-4), SolverPrecision(0.0, 0.0, 1e-3))
_PRECISIONS = {
    6: (SolverPrecision(99.0, 99.0), SolverPrecision(0.20, 0.20), *_LESS),
    8: (SolverPrecision(0.20, 0.20), SolverPrecision(0.10, 0.10), *_LESS),
    13: (SolverPrecision(0.05, 0.20), SolverPrecision(0.0, 0.15), *_LESS),
    15: (SolverPrecision(0.0, 0.15), *_LESS),
}
"""By the checkers of the larger side, from the most careful: the first whose work is within the limit is taken."""
_LEAF_PRECISIONS = (SolverPrecision(0.0, 0.10), *_LESS)


@dataclass(frozen=True, slots=True, eq=False)
class CubePlan:
    """The cubes that can come up from one, as arrays for the kernel; A is on roll in the positions asked for.

    ``contexts``: each as A sees it, at a cube of 1 where that says the same.
    """

    contexts: tuple[CubeContext, ...]
    scales: Floats
    ends: Singles
    turned: Ints
    factors: Singles
    cash: Singles


class LiveCubes:
    """Equities of rolling with a live cube, of positions in which both sides are home; remembers what it has solved.

    For the games that the bear-off tables serve. One object serves many threads.
    """

    def __init__(self, bearoff: Bearoff, checkers: int) -> None:
        self.bearoff = bearoff
        self.checkers = checkers
        self._solved: OrderedDict[Key, float] = OrderedDict()
        self._known_leaves: OrderedDict[Key, float] = OrderedDict()
        self._lock = threading.Lock()

    def equities(self, boards: Boards, context: CubeContext, *, leaves: bool = False, most: int = WORK) -> Floats:
        """Equities (n,) of rolling with the cube where it is, as ``cube.equity.no_double_equities`` gives them.

        NaN where the tables hold no such position (n, 32), where neither side can turn the cube, or where it would be
        more than ``most`` work. ``leaves``: boards inside a tree; they are solved up to ``LEAF_CHECKERS`` a side only.
        An equity depends on the position and the cube alone, not on what else is asked, now or before.
        """
        equities = np.full(len(boards), np.nan)
        if not len(boards) or not is_live(context):
            return equities
        context = canonical(context)
        open_keys: dict[Key, list[int]] = {}
        cache = self._known_leaves if leaves else self._solved
        for index, key in self._keys(boards, context, LEAF_CHECKERS if leaves else 15):
            with self._lock:
                equity = cache.get(key)
                if equity is not None:
                    cache.move_to_end(key)
                    equities[index] = equity
                    continue
            open_keys.setdefault(key, []).append(index)
        groups: dict[tuple[tuple[SolverPrecision, ...], bool], list[Key]] = {}
        for key in open_keys:
            size = next(size for size in _PRECISIONS if _larger(key) <= size)
            groups.setdefault((_LEAF_PRECISIONS if leaves else _PRECISIONS[size], size <= _FEW), []).append(key)
        for (cares, few), keys in groups.items():
            solved = self._solve(keys, context, cares, min(most, _FEW_WORK) if few else most)
            for key in keys:
                if key in solved:
                    equities[open_keys[key]] = solved[key]
            if most >= WORK:
                self._remember(cache, solved)
        return equities

    # -- inside -------------------------------------------------------------------------------------------
    def _keys(self, boards: Boards, context: CubeContext, most: int) -> Iterator[tuple[int, Key]]:
        """The positions that can be solved: their indexes and names."""
        from fullprime.engine.core.tables import bearoff as core

        occupation = find_occupied(boards)
        for index in np.flatnonzero(occupation.home & occupation.they_are_home).tolist():
            row = np.ascontiguousarray(boards[index])
            own, other = (int(code) for code in core.home_codes(row))
            # A board that lacks checkers, where nothing is off, has gammons that the number of checkers does not tell.
            complete = all(
                (row[26 + side] == 0) == (_count(code) == self.checkers) for side, code in enumerate((own, other))
            )
            if own > 0 and other > 0 and complete and max(_count(own), _count(other)) <= most:
                yield index, (own, other, context)

    def _remember(self, cache: OrderedDict[Key, float], solved: dict[Key, float]) -> None:
        with self._lock:
            cache.update(solved)
            while len(cache) > REMEMBERED:
                cache.popitem(last=False)

    def _solve(
        self, keys: list[Key], context: CubeContext, cares: tuple[SolverPrecision, ...], most: int
    ) -> dict[Key, float]:
        """Equities of positions with this cube, and with every other that can follow.

        Together with the first care, where that is within the work; else in halves, and each alone with less care.
        With less care only this cube counts: of another, which means less work, more might be looked at.
        """
        for precision in cares if len(keys) == 1 else cares[:1]:
            reachable = self._find_reachable(keys, context, precision, most)
            if reachable is not None:
                values = self._values(reachable, keys, context)
                return values if precision is cares[0] else {key: values[key] for key in keys}
        if len(keys) == 1:
            return {}
        middle = len(keys) // 2
        return {
            **self._solve(keys[:middle], context, cares, most),
            **self._solve(keys[middle:], context, cares, most),
        }

    def _find_reachable(
        self, keys: list[Key], context: CubeContext, precision: SolverPrecision, most: int
    ) -> _Reachable | None:
        """The positions and plays of both sides; None where they are too many."""
        from fullprime.engine.core.tables import cubes as core

        states = len(plan_of(context).contexts)
        room = min(len(self._codes), most // states)
        sides = []
        for side in (0, 1):
            roots = np.array(sorted({_codes(key)[side] for key in keys}))
            reachable = core.find_reachable(
                roots, self._mean, self._codes, self.checkers, precision.by_checkers, precision.rare, room
            )
            if not len(reachable[0]):
                return None
            sides.append(reachable)
            room = min(len(self._codes), most // (states * len(reachable[0])) + 1)
        both = _Reachable(*sides)
        return both if both.work * states <= most else None

    def _values(self, reachable: _Reachable, keys: list[Key], context: CubeContext) -> dict[Key, float]:
        from fullprime.engine.core.tables import cubes as core

        plan = plan_of(context)
        places = [
            {code: place for place, code in enumerate(side[0].tolist())} for side in (reachable.own, reachable.other)
        ]
        keys = sorted(keys, key=lambda key: places[0][key[0]])
        own_places, other_places = (np.array([places[side][_codes(key)[side]] for key in keys]) for side in (0, 1))
        codes, pips, starts, plays = reachable.own
        other_codes, _, other_starts, other_plays = reachable.other
        values = core.solve(
            pips,
            starts,
            plays,
            self._full(codes),
            other_starts,
            other_plays,
            self._full(other_codes),
            plan.ends,
            plan.turned,
            plan.factors,
            plan.cash,
            own_places,
            other_places,
        ).astype(np.float64)
        solved: dict[Key, float] = {}
        for state, cube in enumerate(plan.contexts):
            equities = values[:, state] * plan.scales[state]
            if cube.is_match:
                equities = np.asarray(cube.equity(equities))
            for key, equity in zip(keys, equities.tolist(), strict=True):
                solved[key[0], key[1], cube] = equity
        return solved

    def _full(self, codes: Ints) -> Ints:
        from fullprime.engine.core.tables import cubes as core

        return np.array([core.count_checkers_and_pips(code)[0] == self.checkers for code in codes.tolist()], np.int64)

    @cached_property
    def _codes(self) -> Ints:
        from fullprime.engine.core.tables import bearoff as core

        return core.all_codes(core.LIMIT)

    @cached_property
    def _mean(self) -> Floats:
        return np.array(self.bearoff.mean)


@dataclass(frozen=True, slots=True, eq=False)
class _Reachable:
    """Codes, pips, starts and plays of both sides (see ``core.tables.cubes.find_reachable``)."""

    own: tuple[Ints, Ints, npt.NDArray[np.int32], npt.NDArray[np.int32]]
    other: tuple[Ints, Ints, npt.NDArray[np.int32], npt.NDArray[np.int32]]

    @property
    def work(self) -> float:
        """Pairs of positions, times the mean number of plays of a roll."""
        sizes = [len(side[0]) for side in (self.own, self.other)]
        plays = sum(len(side[3]) for side in (self.own, self.other)) / (21 * max(1, sum(sizes)))
        return sizes[0] * sizes[1] * max(1.0, plays)


def _codes(key: Key) -> tuple[int, int]:
    return key[0], key[1]


def _larger(key: Key) -> int:
    """The checkers of the side that has more left."""
    return max(_count(code) for code in _codes(key))


def _count(code: int) -> int:
    return sum((code >> (5 * point)) & 31 for point in range(6))


# -- cubes --------------------------------------------------------------------------------------------------------
def is_live(context: CubeContext) -> bool:
    """True if a player has a use for turning the cube, now or later."""
    plan = plan_of(canonical(context))
    return bool((plan.turned >= 0).any())


def canonical(context: CubeContext) -> CubeContext:
    """The context that has the same equities in units of its cube: for money the cube at 1 and a stake of 1."""
    if context.is_match:
        return context
    cap = None if context.cap is None else context.cap // context.cube
    return replace(context, cube=1, cap=cap, stake=1, jacoby=context.jacoby and context.owner is None)


@lru_cache(maxsize=1024)
def plan_of(context: CubeContext) -> CubePlan:
    """The cubes that can come up from ``context`` (canonical), itself first, and after a double that is useless."""
    owner = context.owner
    start = (0, owner)
    states: list[tuple[int, CubeOwner | None]] = [start]
    links: list[list[tuple[int, CubeOwner | None] | None]] = []
    for state in states:  # grows on the way
        links.append([_turn_cube(context, state, side, way) for side in (0, 1) for way in (0, 1)])
        nexts = [*links[-1]]
        if state == start and context.may_double:
            nexts.append(_level(context, 1, CubeOwner.OPPONENT))
        for after in nexts:
            if after is not None and after not in states:
                states.append(after)
    place = {state: index for index, state in enumerate(states)}
    count = len(states)
    turned = np.full((2, 2, count), -1, np.int64)
    factors = np.ones((2, 2, count), np.float32)
    ends = np.empty((2, 2, count), np.float32)
    cash = np.empty((2, count), np.float32)
    endless = context.cube_levels.endless
    for index, (level, holder) in enumerate(states):
        cube_level = context.cube_levels.levels[level]
        single = context.jacoby and holder is None
        ends[0, :, index] = cube_level.win[0], cube_level.win[0 if single else 1]
        ends[1, :, index] = cube_level.lose[0], cube_level.lose[0 if single else 1]
        cash[:, index] = cube_level.win[0], cube_level.lose[0]
        for link, after in enumerate(links[index]):
            if after is not None:
                side, way = divmod(link, 2)
                turned[side, way, index] = place[after]
                factors[side, way, index] = 2.0 ** (1 + way) if endless else 1.0
    contexts = tuple(canonical(replace(context, cube=context.cube << level, owner=owner)) for level, owner in states)
    scales = np.array([1.0 if context.is_match else 0.5**level for level, _ in states])
    return CubePlan(contexts, scales, ends, turned, factors, cash)


def _level(context: CubeContext, level: int, owner: CubeOwner) -> tuple[int, CubeOwner] | None:
    """A cube that has been turned so often; for endless money all are the first, in units of their own."""
    if context.cube_levels.endless:
        return 0, owner
    return (level, owner) if level < len(context.cube_levels.levels) else None


def _turn_cube(
    context: CubeContext, state: tuple[int, CubeOwner | None], side: int, way: int
) -> tuple[int, CubeOwner] | None:
    """The cube after a double of a side (0 is A) that is taken (way 0) or beavered (1); None where there is none."""
    level, holder = state
    own, other = (CubeOwner.MOVER, CubeOwner.OPPONENT) if side == 0 else (CubeOwner.OPPONENT, CubeOwner.MOVER)
    cube_level = context.cube_levels.levels[level]
    useless = cube_level.mover_dead if side == 0 else cube_level.other_dead
    if context.crawford or holder is other or useless or (way == 1 and not context.beavers):
        return None
    if _level(context, level + 1, own) is None:
        return None
    return _level(context, level + 1 + way, other)
