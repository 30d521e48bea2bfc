"""Numba kernels of the exact bear-off databases: arrays in, arrays out.

One side's checkers on its six home points are a *code*, six fields of five bits (point 1 lowest), and a *rank*,
the place of its counts in lexicographic order (point 6 counted first) among all positions of at most ``limit``
checkers. A play only ever lowers the rank, so tables are filled in the order of the ranks.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.jit import kernel

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int8]

POINTS = 6
LIMIT = 15
COLUMNS = 32
"""Columns of the tables of rolls: 0 to 31. No home position can need more than 30."""

_FIELD = 5
_MASK = 31
_MOST = 2048
"""Room for all positions met while one roll is played out."""

CHOOSE: Ints = np.array(
    [[math.comb(room + points, points) for room in range(LIMIT + 1)] for points in range(POINTS + 1)], dtype=np.int64
)
"""``CHOOSE[p, r]``: how many ways up to ``r`` checkers stand on ``p`` points."""

HIGH: Ints = np.array([high for high in range(1, 7) for _ in range(high)], dtype=np.int64)
LOW: Ints = np.array([low for high in range(1, 7) for low in range(1, high + 1)], dtype=np.int64)
WEIGHT: Floats = np.where(HIGH == LOW, 1.0, 2.0) / 36.0


@kernel
def rank_of_code(code: int, limit: int) -> int:
    """The rank of a position among those of at most ``limit`` checkers; the caller sees to it that it is one."""
    room = limit
    rank = 0
    for point in range(POINTS, 0, -1):
        count = (code >> (_FIELD * (point - 1))) & _MASK
        rank += CHOOSE[point, room] - CHOOSE[point, room - count]
        room -= count
    return rank


@kernel
def all_codes(limit: int) -> Ints:
    """The codes of every position of at most ``limit`` checkers in the order of their ranks, int64[n]."""
    codes = np.empty(CHOOSE[POINTS, limit], dtype=np.int64)
    counts = np.zeros(POINTS, dtype=np.int64)
    total = 0
    for index in range(codes.size):
        code = 0
        for point in range(POINTS):
            code |= counts[point] << (_FIELD * point)
        codes[index] = code
        point = 0
        while point < POINTS:  # an odometer whose lowest wheel is point 1
            if total < limit:
                counts[point] += 1
                total += 1
                break
            total -= counts[point]
            counts[point] = 0
            point += 1
    return codes


@kernel
def _count_checkers(code: int) -> int:
    total = 0
    for point in range(POINTS):
        total += (code >> (_FIELD * point)) & _MASK
    return total


@kernel
def _add_if_new(positions: Ints, start: int, count: int, code: int) -> int:
    for index in range(start, count):
        if positions[index] == code:
            return count
    positions[count] = code
    return count + 1


@kernel
def _play_die(positions: Ints, first: int, last: int, die: int, free: bool, start: int, count: int) -> int:
    """Play one die from ``positions[first:last]``; new positions are added at ``count``, compared from ``start`` on."""
    for index in range(first, last):
        code = positions[index]
        if code == 0:
            count = _add_if_new(positions, start, count, code)
            continue
        highest = True
        for point in range(POINTS, 0, -1):
            if (code >> (_FIELD * (point - 1))) & _MASK == 0:
                continue
            lifted = code - (1 << (_FIELD * (point - 1)))
            if point > die:
                count = _add_if_new(positions, start, count, lifted + (1 << (_FIELD * (point - die - 1))))
            elif point == die or highest or free:
                count = _add_if_new(positions, start, count, lifted)
            highest = False
    return count


@kernel
def find_successors(code: int, high: int, low: int, free: bool, positions: Ints) -> tuple[int, int]:
    """Fill ``positions`` with the distinct positions a roll leads to; returns (first, last) of the filled part.

    ``free``: a die larger than needed takes off any checker, not only the rearmost (leaving a quadrant, not the
    board). Within a bear-off both dice can always be played while checkers are left.
    """
    positions[0] = code
    if high == low:
        first, last = 0, 1
        for _ in range(4):
            count = _play_die(positions, first, last, high, free, last, last)
            first, last = last, count
        return first, last
    one = _play_die(positions, 0, 1, high, free, 1, 1)
    two = _play_die(positions, 0, 1, low, free, one, one)
    count = _play_die(positions, 1, one, low, free, two, two)
    count = _play_die(positions, one, two, high, free, two, count)
    return two, count


@kernel
def solve_one_sided(codes: Ints, limit: int, first_only: bool, free: bool) -> tuple[Floats, Floats]:
    """Solve the number of rolls until every checker is off: mean and distribution, float64[n] and float64[n, COLUMNS].

    Plays minimise the mean. ``first_only``: until the first checker is off; ``free``: see :func:`find_successors`.
    Row 0 (no checker) takes 0 rolls.
    """
    size = codes.size
    mean = np.zeros(size)
    rolls = np.zeros((size, COLUMNS))
    rolls[0, 0] = 1.0
    positions = np.empty(_MOST, dtype=np.int64)
    for index in range(1, size):
        code = codes[index]
        checkers = _count_checkers(code)
        total = 1.0
        for roll in range(HIGH.size):
            first, last = find_successors(code, HIGH[roll], LOW[roll], free, positions)
            best = -1
            least = np.inf
            for place in range(first, last):
                rank = 0
                if not (first_only and _count_checkers(positions[place]) < checkers):
                    rank = rank_of_code(positions[place], limit)
                if mean[rank] < least:
                    least = mean[rank]
                    best = rank
            weight = WEIGHT[roll]
            total += weight * least
            for column in range(1, COLUMNS):
                rolls[index, column] += weight * rolls[best, column - 1]
        mean[index] = total
    return mean, rolls


@kernel
def list_successors(codes: Ints, limit: int) -> tuple[Ints, Ints]:
    """List for each position and roll the ranks it leads to: (int64[21 n + 1] starts, int64[...] ranks)."""
    starts = np.zeros(codes.size * HIGH.size + 1, dtype=np.int64)
    ranks = np.empty(64 * codes.size * HIGH.size, dtype=np.int64)
    positions = np.empty(_MOST, dtype=np.int64)
    filled = 0
    for index in range(codes.size):
        for roll in range(HIGH.size):
            first, last = find_successors(codes[index], HIGH[roll], LOW[roll], False, positions)
            for place in range(first, last):
                ranks[filled] = rank_of_code(positions[place], limit)
                filled += 1
            starts[index * HIGH.size + roll + 1] = filled
    return starts, ranks[:filled].copy()


@kernel
def solve_two_sided_rows(equities: Floats, starts: Ints, ranks: Ints, first: int, last: int) -> None:
    """Fill all pairs whose higher rank lies in ``first <= rank < last``; ``equities`` is float64[n, n, 4].

    ``equities[a, b]`` belongs to the player on roll with position ``a`` against ``b`` and a cube at 1: cubeless, no
    redouble with the cube on the own side, no double with the cube centred, cube on the other side. Calls must
    follow each other from rank 0 upwards.
    """
    for high in range(first, last):
        for low in range(high + 1):
            _solve_pair(equities, starts, ranks, low, high)
            if low != high:
                _solve_pair(equities, starts, ranks, high, low)


@kernel
def _solve_pair(equities: Floats, starts: Ints, ranks: Ints, own: int, other: int) -> None:
    """Fill in the four equities of one pair, from those of all pairs of lower ranks."""
    if own == 0 or other == 0:
        equities[own, other, :] = 1.0 if own == 0 else -1.0
        return
    cubeless = owned = centred = unavailable = 0.0
    for roll in range(HIGH.size):
        best_cubeless = best_owned = best_centred = best_unavailable = -np.inf
        slot = own * HIGH.size + roll
        for place in range(starts[slot], starts[slot + 1]):
            # The other player is on roll next: his cube is ours that is unavailable, and the reverse.
            their = equities[other, ranks[place]]
            turned = min(1.0, 2.0 * their[3])
            best_cubeless = max(best_cubeless, -their[0])
            best_owned = max(best_owned, -their[3])
            best_centred = max(best_centred, -max(their[2], turned))
            best_unavailable = max(best_unavailable, -max(their[1], turned))
        weight = WEIGHT[roll]
        cubeless += weight * best_cubeless
        owned += weight * best_owned
        centred += weight * best_centred
        unavailable += weight * best_unavailable
    equities[own, other, 0] = cubeless
    equities[own, other, 1] = owned
    equities[own, other, 2] = centred
    equities[own, other, 3] = unavailable


@kernel
def home_codes(row: Rows) -> tuple[int, int]:
    """(own code, opponent's code) of a packed row, or (-1, -1) unless every checker is home or off."""
    own = 0
    other = 0
    for point in range(1, 19):
        count = row[point]
        if count > 0:
            if point > POINTS:
                return -1, -1
            own |= int(count) << (_FIELD * (point - 1))
        elif count < 0:
            return -1, -1
    for point in range(19, 25):
        count = row[point]
        if count > 0:
            return -1, -1
        other |= int(-count) << (_FIELD * (24 - point))
    if row[0] != 0 or row[25] != 0 or row[28] != 0 or row[29] != 0:
        return -1, -1
    if _count_checkers(own) > LIMIT or _count_checkers(other) > LIMIT:
        return -1, -1
    return own, other


@kernel
def home_probabilities(
    rows: Rows, rolls: Singles, first_off: Singles, exact: Singles, limit: int, covered: Bools, out: Singles | Floats
) -> None:
    """Probabilities of the rows in which both sides are home; the others are left as they are.

    ``rolls``, ``first_off``: float32[n, COLUMNS]; ``exact``: float32[m, m, 4] of at most ``limit`` checkers a side,
    whose cubeless equity gives the win where it covers a row. ``covered``: bool[n], ``out``: [n, 5], both written.
    """
    for index in range(rows.shape[0]):
        own, other = home_codes(rows[index])
        covered[index] = own >= 0
        if own < 0:
            continue
        mine = rolls[rank_of_code(own, LIMIT)]
        theirs = rolls[rank_of_code(other, LIMIT)]
        if own == 0 or other == 0:
            win = 1.0 if own == 0 else 0.0
        elif _count_checkers(own) <= limit and _count_checkers(other) <= limit:
            win = 0.5 + 0.5 * exact[rank_of_code(own, limit), rank_of_code(other, limit), 0]
        else:
            win = _chance_not_later(mine, theirs, 0)
        out[index, 0] = win
        out[index, 1] = 0.0
        out[index, 2] = 0.0
        out[index, 3] = 0.0
        out[index, 4] = 0.0
        if rows[index, 27] == 0:
            out[index, 1] = min(win, _chance_not_later(mine, first_off[rank_of_code(other, LIMIT)], 0))
        if rows[index, 26] == 0:
            out[index, 3] = min(1.0 - win, _chance_not_later(theirs, first_off[rank_of_code(own, LIMIT)], 1))


@kernel
def _chance_not_later(mine: Singles, theirs: Singles, ahead: int) -> float:
    """Chance that ``mine`` ends while the other, who has had ``ahead`` rolls more than mine less one, has not ended.

    With ``ahead`` 0 the side of ``mine`` rolls first: it ends at its roll k before the other's roll k.
    """
    total = 0.0
    left = 1.0
    seen = 0
    for column in range(COLUMNS):
        while seen < column + ahead:
            left -= theirs[seen]
            seen += 1
        if left <= 0.0:
            break
        total += mine[column] * left
    return total


@kernel
def race_backgammons(rows: Rows, rolls: Singles, escape: Singles, covered: Bools, out: Floats) -> None:
    """Chances to win and to lose a backgammon (``out``: [n, 2]) of the rows that are races; others are left.

    In a race a side with a checker in the other's home has every checker of the other behind it, at home, so
    that one distribution of rolls to bear off and one of rolls to leave the quadrant say it all.
    """
    for index in range(rows.shape[0]):
        row = rows[index]
        own_last = 0
        other_last = 0
        for point in range(1, 25):
            if row[point] > 0:
                own_last = point
        for point in range(24, 0, -1):
            if row[point] < 0:
                other_last = 25 - point
        race = row[0] == 0 and row[25] == 0 and row[28] == 0 and row[29] == 0 and own_last + other_last <= 24
        covered[index] = race
        if not race:
            continue
        out[index, 0] = 0.0
        out[index, 1] = 0.0
        if other_last > 18 and row[27] == 0:
            winner = 0
            loser = 0
            for point in range(1, POINTS + 1):
                if row[point] > 0:
                    winner |= int(row[point]) << (_FIELD * (point - 1))
                else:
                    loser |= int(-row[point]) << (_FIELD * (POINTS - point))
            out[index, 0] = _chance_not_later(rolls[rank_of_code(winner, LIMIT)], escape[rank_of_code(loser, LIMIT)], 0)
        if own_last > 18 and row[26] == 0:
            winner = 0
            loser = 0
            for point in range(19, 25):
                if row[point] < 0:
                    winner |= int(-row[point]) << (_FIELD * (24 - point))
                else:
                    loser |= int(row[point]) << (_FIELD * (point - 19))
            out[index, 1] = _chance_not_later(rolls[rank_of_code(winner, LIMIT)], escape[rank_of_code(loser, LIMIT)], 1)


@kernel
def home_equities(rows: Rows, exact: Singles, limit: int, covered: Bools, out: Floats) -> None:
    """Two-sided equities (``out``: [n, 4], see :func:`solve_two_sided_rows`) of rows within ``limit`` checkers a side.

    A row in which a side has borne nothing off could still be a gammon and is not covered.
    """
    for index in range(rows.shape[0]):
        own, other = home_codes(rows[index])
        inside = own > 0 and other > 0 and rows[index, 26] > 0 and rows[index, 27] > 0
        if inside:
            inside = _count_checkers(own) <= limit and _count_checkers(other) <= limit
        covered[index] = inside
        if inside:
            out[index] = exact[rank_of_code(own, limit), rank_of_code(other, limit)]


@kernel
def mean_rolls(rows: Rows, mean: Floats, covered: Bools, out: Floats) -> None:
    """Mean rolls to bear off (``out``: [n, 2], player on roll and opponent) of the rows in which both are home."""
    for index in range(rows.shape[0]):
        own, other = home_codes(rows[index])
        covered[index] = own >= 0
        if own >= 0:
            out[index, 0] = mean[rank_of_code(own, LIMIT)]
            out[index, 1] = mean[rank_of_code(other, LIMIT)]
