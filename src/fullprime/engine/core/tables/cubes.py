"""Kernels of live cubes in bear-offs: which positions the two sides can come to, and their values with every cube.

All checkers of both sides are home, so that each side's way is its own: the positions that A can come to and those
that B can come to are found apart, and every pair of them is a state, with A or B on roll. Values are A's. A play
only ever lowers the pips, so that pairs are solved in the order of A's pips, sixteen of A's positions at once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.jit import kernel
from fullprime.engine.core.tables.bearoff import HIGH, LIMIT, LOW, POINTS, WEIGHT, rank_of_code, successors

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]

_FIELD = 5
_MASK = 31
_MOST = 4096
_ROLLS = HIGH.size
_LANES = 16
"""Positions of A that are solved together: those of one block have equal pips."""
_STRIP = 256
"""Positions of B in one piece of work, so that what it reads stays in the nearest memory."""


@kernel
def counted(code: int) -> tuple[int, int]:
    """(checkers, pips) of a position."""
    checkers = 0
    pips = 0
    for point in range(POINTS):
        count = (code >> (_FIELD * point)) & _MASK
        checkers += count
        pips += count * (point + 1)
    return checkers, pips


@kernel
def _visited(
    roots: Ints, mean: Floats, codes: Ints, total: int, near: Floats, rare: float, most: int
) -> tuple[Ints, Floats, Ints, Places]:
    """Ranks (n,) of the positions on the way home, the highest first, the chance of every rank, starts of the plays
    of each position and roll (21 n + 1), and the plays themselves as ranks. Empty where there are more than ``most``.
    """
    chance = np.zeros(mean.size)
    kept = np.empty(most + 1, np.int64)
    starts = np.empty((most + 1) * _ROLLS + 1, np.int64)
    plays = np.empty(1 << 14, np.int32)
    found = np.empty(_MOST, np.int64)
    count = filled = 0
    for code in roots:
        chance[rank_of_code(code, LIMIT)] += 1.0
    for rank in range(mean.size - 1, 0, -1):
        if chance[rank] <= 0.0:
            continue
        if chance[rank] < rare:
            chance[rank] = -1.0
            continue
        if count == most:
            return kept[:0].copy(), chance, starts[:0].copy(), plays[:0].copy()
        checkers = counted(codes[rank])[0]
        for roll in range(_ROLLS):
            starts[count * _ROLLS + roll] = filled
            first, last = successors(codes[rank], HIGH[roll], LOW[roll], False, found)
            if filled + last - first > plays.size:
                larger = np.empty(2 * plays.size, np.int32)
                larger[:filled] = plays[:filled]
                plays = larger
            least = np.inf
            saving = -1
            for place in range(first, last):
                to = rank_of_code(found[place], LIMIT)
                # A side with nothing off can lose a gammon: the best play that bears off is looked at in any case.
                saves = checkers == total and counted(found[place])[0] < total
                if saves and (saving < 0 or mean[to] < mean[saving]):
                    saving = to
                least = min(least, mean[to])
                found[place] = to
            for place in range(first, last):
                to = found[place]
                if mean[to] <= least + near[checkers] or to == saving:
                    plays[filled] = to
                    filled += 1
                    chance[to] += chance[rank] * WEIGHT[roll]
        kept[count] = rank
        count += 1
    starts[count * _ROLLS] = filled
    return kept[:count].copy(), chance, starts[: count * _ROLLS + 1].copy(), plays[:filled].copy()


@kernel
def reach(
    roots: Ints, mean: Floats, codes: Ints, total: int, near: Floats, rare: float, most: int
) -> tuple[Ints, Ints, Places, Places]:
    """The positions that one side can come to from ``roots`` (codes), and its plays among them.

    Of each roll those plays count whose mean rolls are within ``near[checkers]`` of the fewest; positions that come
    up less often than ``rare`` are replaced by the one of most similar mean. ``total``: the checkers of a side with
    none off. Returns codes (n,) in the order of their pips, the first with no checker left; pips (n,); starts of the
    plays of each position and roll (21 n + 1), and the plays as places among the n. All empty where more than
    ``most`` positions would be needed.
    """
    kept, _, begins, ways = _visited(roots, mean, codes, total, near, rare, most)
    count = kept.size + 1
    pips = np.zeros(count, np.int64)
    for index in range(1, count):
        pips[index] = counted(codes[kept[index - 1]])[1]
    order = np.argsort(pips, kind="mergesort")
    pips = pips[order]
    ranks = np.zeros(count, np.int64)
    place_of = np.full(mean.size, -1, np.int32)
    for index in range(1, count):
        ranks[index] = kept[order[index] - 1]
    for index in range(count):
        place_of[ranks[index]] = index
    means = mean[ranks]
    by_mean = np.argsort(means, kind="mergesort")
    sorted_means = means[by_mean]
    starts = np.zeros(count * _ROLLS + 1, np.int32)
    plays = np.empty(ways.size + count * _ROLLS, np.int32)
    filled = 0
    for index in range(1, count):
        for roll in range(_ROLLS):
            slot = index * _ROLLS + roll
            starts[slot] = filled
            origin = (order[index] - 1) * _ROLLS + roll
            best = -1
            for way in range(begins[origin], begins[origin + 1]):
                to = ways[way]
                if place_of[to] >= 0:
                    plays[filled] = place_of[to]
                    filled += 1
                elif best < 0 or mean[to] < mean[best]:
                    best = to
            if filled == starts[slot]:
                plays[filled] = _most_similar(mean[best], pips[index], sorted_means, by_mean, pips)
                filled += 1
    starts[count * _ROLLS] = filled
    found = np.empty(count, np.int64)
    for index in range(count):
        found[index] = codes[ranks[index]]
    if kept.size == 0:
        found = found[:0].copy()
    return found, pips, starts, plays[:filled].copy()


@kernel
def _most_similar(mean: float, below: int, sorted_means: Floats, by_mean: Ints, pips: Ints) -> int:
    """The place of the position with fewer pips than ``below`` whose mean rolls are nearest; no checkers if none."""
    high = int(np.searchsorted(sorted_means, mean))
    low = high - 1
    while low >= 0 or high < by_mean.size:
        if high < by_mean.size and (low < 0 or sorted_means[high] - mean < mean - sorted_means[low]):
            if pips[by_mean[high]] < below:
                return int(by_mean[high])
            high += 1
        else:
            if pips[by_mean[low]] < below:
                return int(by_mean[low])
            low -= 1
    return 0


@kernel
def _add(total: Singles, values: Singles, weight: np.float32) -> None:
    for index in range(total.size):
        total[index] += weight * values[index]


@kernel
def _greater(out: Singles, one: Singles, two: Singles) -> None:
    for index in range(out.size):
        first, second = one[index], two[index]
        out[index] = first if first > second else second


@kernel
def _lesser(out: Singles, one: Singles, two: Singles) -> None:
    for index in range(out.size):
        first, second = one[index], two[index]
        out[index] = first if first < second else second


@kernel
def _rolled(
    total: Singles, best: Singles, values: Singles, starts: Places, plays: Places, place: int, first: int, last: int
) -> None:
    """The mean over A's rolls of the best play's value, for columns ``first`` to ``last`` of ``values``."""
    total[:] = 0.0
    for roll in range(_ROLLS):
        weight = np.float32(WEIGHT[roll])
        begin, end = starts[place * _ROLLS + roll], starts[place * _ROLLS + roll + 1]
        if end == begin + 1:
            _add(total, values[plays[begin], first:last], weight)
        else:
            _greater(best, values[plays[begin], first:last], values[plays[begin + 1], first:last])
            for way in range(begin + 2, end):
                _greater(best, best, values[plays[way], first:last])
            _add(total, best, weight)


@kernel
def solve(
    pips: Ints,
    starts: Places,
    plays: Places,
    full: Ints,
    other_starts: Places,
    other_plays: Places,
    other_full: Ints,
    ends: Singles,
    turned: Ints,
    factors: Singles,
    cash: Singles,
    asked: Ints,
    asked_other: Ints,
) -> Singles:
    """Values to A of rolling now with every cube, (asked, states), for the pairs that are asked: A is on roll.

    ``pips``, ``starts``, ``plays`` of A and of B as :func:`reach` gives them; ``full`` (n,): 1 where nothing is off.
    Of every state of the cube: ``ends[winner, gammon, state]`` (A is 0, B is 1); ``turned[side, way, state]`` the
    state after that side's double, taken (way 0) or beavered (1), -1 where there is none; ``factors`` of the values
    there; ``cash[side, state]`` the value when the double is dropped. ``asked`` (places of A) must not fall.
    """
    states = cash.shape[1]
    count, others = pips.size, other_full.size
    values = np.empty((count, states * others), np.float32)  # B on roll, after the best cube action: [a, state, b]
    block = np.zeros((others, states * _LANES), np.float32)  # A on roll, after the best cube action: [b, state, a]
    strip = np.empty((states, _STRIP), np.float32)
    spare = np.empty(_STRIP, np.float32)
    found = np.zeros((asked.size, states), np.float32)
    for state in range(states):
        for other in range(others):
            values[0, state * others + other] = ends[0, other_full[other], state]
    next_asked = 0
    first = 1
    while first < count:
        last = first
        while last < count and last < first + _LANES and pips[last] == pips[first]:
            last += 1
        until = next_asked
        while until < asked.size and asked[until] < last:
            until += 1
        for begin in range(0, others, _STRIP):
            size = min(others - begin, _STRIP)
            for place in range(first, last):
                for state in range(states):
                    low = state * others + begin
                    _rolled(strip[state, :size], spare[:size], values, starts, plays, place, low, low + size)
                for index in range(next_asked, until):
                    if asked[index] == place and begin <= asked_other[index] < begin + size:
                        found[index] = strip[:, asked_other[index] - begin]
                _decide(strip, spare, size, begin, turned[0], factors[0], cash[0], place - first, block)
        next_asked = until
        for place in range(first, last):
            for state in range(states):
                block[0, state * _LANES + place - first] = ends[1, full[place], state]
        _answer(values, block, first, last, other_starts, other_plays, turned[1], factors[1], cash[1])
        first = last
    return found


@kernel
def _decide(
    rolled: Singles,
    best: Singles,
    size: int,
    begin: int,
    turned: Ints,
    factors: Singles,
    cash: Singles,
    lane: int,
    block: Singles,
) -> None:
    """A's best cube action on a strip of B's positions, written into the block."""
    for state in range(cash.size):
        up, raised = turned[0, state], turned[1, state]
        for index in range(size):
            best[index] = rolled[state, index]
        if up >= 0:
            factor, dropped = factors[0, state], cash[state]
            raised_factor = factors[1, state]
            for index in range(size):
                doubled = factor * rolled[up, index]
                doubled = doubled if doubled < dropped else dropped
                if raised >= 0:
                    doubled = min(doubled, raised_factor * rolled[raised, index])
                best[index] = best[index] if best[index] > doubled else doubled
        for index in range(size):
            block[begin + index, state * _LANES + lane] = best[index]


@kernel
def _answer(
    values: Singles,
    block: Singles,
    first: int,
    last: int,
    starts: Places,
    plays: Places,
    turned: Ints,
    factors: Singles,
    cash: Singles,
) -> None:
    """B on roll against the positions of a block: his best plays and cube actions, written into ``values``."""
    others, width = block.shape
    states = cash.size
    total = np.empty(width, np.float32)
    best = np.empty(width, np.float32)
    for other in range(1, others):
        total[:] = 0.0
        for roll in range(_ROLLS):
            weight = np.float32(WEIGHT[roll])
            begin, end = starts[other * _ROLLS + roll], starts[other * _ROLLS + roll + 1]
            if end == begin + 1:
                _add(total, block[plays[begin]], weight)
            else:
                _lesser(best, block[plays[begin]], block[plays[begin + 1]])
                for way in range(begin + 2, end):
                    _lesser(best, best, block[plays[way]])
                _add(total, best, weight)
        for state in range(states):
            up, raised = turned[0, state], turned[1, state]
            for lane in range(last - first):
                value = total[state * _LANES + lane]
                if up >= 0:
                    doubled = max(factors[0, state] * total[up * _LANES + lane], cash[state])
                    if raised >= 0:
                        doubled = max(doubled, factors[1, state] * total[raised * _LANES + lane])
                    value = min(value, doubled)
                values[first + lane, state * others + other] = value
    for place in range(first, last):
        for state in range(states):
            values[place, state * others] = 0.0  # B has finished: never asked for
