"""Kernels of live cubes in bear-offs: which positions the two sides can come to, and their values with every cube.

All checkers of both sides are home, so that each side's way is its own: the positions that A can come to and those
that B can come to are found apart, and every pair of them is a state, with A or B on roll. Values are A's. A play
only ever lowers the pips, so that pairs are solved in the order of A's pips, sixteen of A's positions at once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.jit import kernel
from fullprime.engine.core.tables.bearoff import HIGH, LIMIT, LOW, POINTS, WEIGHT, find_successors, rank_of_code

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
def count_checkers_and_pips(code: int) -> tuple[int, int]:
    """(checkers, pips) of a position."""
    checkers = 0
    pips = 0
    for point in range(POINTS):
        count = (code >> (_FIELD * point)) & _MASK
        checkers += count
        pips += count * (point + 1)
    return checkers, pips


@kernel
def _find_reachable_ranks(
    roots: Ints, mean: Floats, codes: Ints, total: int, near: Floats, rare: float, most: int
) -> tuple[Ints, Floats, Ints, Places]:
    """Find the ranks of the positions on the way home, and the plays among them.

    Returns the ranks (n,), the highest first; the chance of every rank; starts of the plays of each position and roll
    (21 n + 1), and the plays themselves as ranks. All empty where there are more than ``most``.
    """
    chance = np.zeros(mean.size)
    kept = np.empty(most + 1, np.int64)
    starts = np.empty((most + 1) * _ROLLS + 1, np.int64)
    plays = np.empty(1 << 14, np.int32)
    positions = np.empty(_MOST, np.int64)
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
        checkers = count_checkers_and_pips(codes[rank])[0]
        for roll in range(_ROLLS):
            starts[count * _ROLLS + roll] = filled
            first, last = find_successors(codes[rank], HIGH[roll], LOW[roll], False, positions)
            if filled + last - first > plays.size:
                larger = np.empty(2 * plays.size, np.int32)
                larger[:filled] = plays[:filled]
                plays = larger
            least = np.inf
            saving = -1
            for place in range(first, last):
                to = rank_of_code(positions[place], LIMIT)
                # A side with nothing off can lose a gammon: the best play that bears off is looked at in any case.
                saves = checkers == total and count_checkers_and_pips(positions[place])[0] < total
                if saves and (saving < 0 or mean[to] < mean[saving]):
                    saving = to
                least = min(least, mean[to])
                positions[place] = to
            for place in range(first, last):
                to = positions[place]
                if mean[to] <= least + near[checkers] or to == saving:
                    plays[filled] = to
                    filled += 1
                    chance[to] += chance[rank] * WEIGHT[roll]
        kept[count] = rank
        count += 1
    starts[count * _ROLLS] = filled
    return kept[:count].copy(), chance, starts[: count * _ROLLS + 1].copy(), plays[:filled].copy()


@kernel
def find_reachable(
    roots: Ints, mean: Floats, codes: Ints, total: int, near: Floats, rare: float, most: int
) -> tuple[Ints, Ints, Places, Places]:
    """Find the positions that one side can come to from ``roots`` (codes), and its plays among them.

    Of each roll those plays count whose mean rolls are within ``near[checkers]`` of the fewest; positions that come
    up less often than ``rare`` are replaced by the one of most similar mean. ``total``: the checkers of a side with
    none off. Returns codes (n,) in the order of their pips, the first with no checker left; pips (n,); starts of the
    plays of each position and roll (21 n + 1), and the plays as places among the n. All empty where more than
    ``most`` positions would be needed.
    """
    kept, _, begins, ways = _find_reachable_ranks(roots, mean, codes, total, near, rare, most)
    count = kept.size + 1
    pips = np.zeros(count, np.int64)
    for index in range(1, count):
        pips[index] = count_checkers_and_pips(codes[kept[index - 1]])[1]
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
    reachable = np.empty(count, np.int64)
    for index in range(count):
        reachable[index] = codes[ranks[index]]
    if kept.size == 0:
        reachable = reachable[:0].copy()
    return reachable, pips, starts, plays[:filled].copy()


@kernel
def _most_similar(mean: float, below: int, sorted_means: Floats, by_mean: Ints, pips: Ints) -> int:
    """Find the position with fewer pips than ``below`` whose mean rolls are nearest; that without checkers if none."""
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
def _add_weighted(total: Singles, values: Singles, weight: np.float32) -> None:
    for index in range(total.size):
        total[index] += weight * values[index]


@kernel
def _maximum(out: Singles, one: Singles, two: Singles) -> None:
    for index in range(out.size):
        first, second = one[index], two[index]
        out[index] = first if first > second else second


@kernel
def _minimum(out: Singles, one: Singles, two: Singles) -> None:
    for index in range(out.size):
        first, second = one[index], two[index]
        out[index] = first if first < second else second


@kernel
def _average_over_rolls(
    total: Singles, best: Singles, values: Singles, starts: Places, plays: Places, place: int, first: int, last: int
) -> None:
    """Average the best play's value over A's rolls, for columns ``first`` to ``last`` of ``values``."""
    total[:] = 0.0
    for roll in range(_ROLLS):
        weight = np.float32(WEIGHT[roll])
        begin, end = starts[place * _ROLLS + roll], starts[place * _ROLLS + roll + 1]
        if end == begin + 1:
            _add_weighted(total, values[plays[begin], first:last], weight)
        else:
            _maximum(best, values[plays[begin], first:last], values[plays[begin + 1], first:last])
            for way in range(begin + 2, end):
                _maximum(best, best, values[plays[way], first:last])
            _add_weighted(total, best, weight)


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
    queries: Ints,
    other_queries: Ints,
) -> Singles:
    """Solve the values to A of rolling now with every cube, (queries, states), for the pairs of ``queries``.

    A is on roll there. ``pips``, ``starts``, ``plays`` of A and of B as :func:`find_reachable` gives them; ``full``
    (n,): 1 where nothing is off. Of every state of the cube: ``ends[winner, gammon, state]`` (A is 0, B is 1);
    ``turned[side, way, state]`` the state after that side's double, taken (way 0) or beavered (1), -1 where there is
    none; ``factors`` of the values there; ``cash[side, state]`` the value when the double is dropped. ``queries``
    (places of A, with those of B in ``other_queries``) must not fall.
    """
    states = cash.shape[1]
    count, others = pips.size, other_full.size
    values = np.empty((count, states * others), np.float32)  # B on roll, after the best cube action: [a, state, b]
    block = np.zeros((others, states * _LANES), np.float32)  # A on roll, after the best cube action: [b, state, a]
    strip = np.empty((states, _STRIP), np.float32)
    spare = np.empty(_STRIP, np.float32)
    answers = np.zeros((queries.size, states), np.float32)
    for state in range(states):
        for other in range(others):
            values[0, state * others + other] = ends[0, other_full[other], state]
    next_query = 0
    first = 1
    while first < count:
        last = first
        while last < count and last < first + _LANES and pips[last] == pips[first]:
            last += 1
        until = next_query
        while until < queries.size and queries[until] < last:
            until += 1
        for begin in range(0, others, _STRIP):
            size = min(others - begin, _STRIP)
            for place in range(first, last):
                for state in range(states):
                    low = state * others + begin
                    _average_over_rolls(
                        strip[state, :size], spare[:size], values, starts, plays, place, low, low + size
                    )
                for index in range(next_query, until):
                    if queries[index] == place and begin <= other_queries[index] < begin + size:
                        answers[index] = strip[:, other_queries[index] - begin]
                _take_cube_action(strip, spare, size, begin, turned[0], factors[0], cash[0], place - first, block)
        next_query = until
        for place in range(first, last):
            for state in range(states):
                block[0, state * _LANES + place - first] = ends[1, full[place], state]
        _average_other_side(values, block, first, last, other_starts, other_plays, turned[1], factors[1], cash[1])
        first = last
    return answers


@kernel
def _take_cube_action(
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
    """Write A's value after the best cube action on a strip of B's positions into the block."""
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
def _average_other_side(
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
    """Write the values of B on roll against the positions of a block, after his best plays and cube actions."""
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
                _add_weighted(total, block[plays[begin]], weight)
            else:
                _minimum(best, block[plays[begin]], block[plays[begin + 1]])
                for way in range(begin + 2, end):
                    _minimum(best, best, block[plays[way]])
                _add_weighted(total, best, weight)
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
            values[place, state * others] = 0.0  # B has finished: no query is for it
