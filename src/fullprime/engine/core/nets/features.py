"""What a net sees of a position: rows of the first layer's table, and hand-made features.

Arrays in, arrays out; `fullprime.engine.nets.encoding` describes the same inputs in words.
A side is looked at in its own numbering throughout: bit ``p`` of a mask is its point ``p``, bit 25 its bar.
"""

import numpy as np

from fullprime.engine.core.jit import bare_kernel, highest_bit, lowest_bit
from fullprime.engine.core.lanes.board_vector import count_ones, places

SLOTS = 27
COUNTS = 16
"""Rows of a slot, one for each count of checkers: row & 15 is the count, row >> 4 the slot."""
LICENCE = 2 * SLOTS
TABLE_ROWS = (LICENCE + 2) * COUNTS
HAND_FEATURES = 68
HALF = HAND_FEATURES // 2
MAX_ROWS = 40

_POINTS = 0x1FFFFFE
_MIXED = np.array([(high, low, 2) for high in range(2, 7) for low in range(1, high)] + [(1, 1, 0)], np.int64).T.copy()
_DOUBLES = np.array([(number, 1) for number in range(1, 7)] + [(1, 0)] * 2, np.int64).T.copy()
"""Rolls by column: the higher number and the lower one (or the double's), and how many of the 36 they are; then rolls
of none, so that there are as many as fit into vectors."""
_ONE = np.float32(1.0)
_ZERO = np.float32(0.0)


def _escape_table() -> np.ndarray:
    """Rolls out of 36 that one checker can play alone; bit k-1 is set where the k-th point ahead of it is blocked.

    The point at the sum of the dice must be open, and so must one of the two points on the way.
    """
    blocked = (np.arange(4096)[:, None] >> np.arange(12)) & 1
    rolls = np.zeros(4096, np.int64)
    for first in range(6):
        for second in range(6):
            lands = blocked[:, first + second + 1] == 0
            rolls += lands & ((blocked[:, first] == 0) | (blocked[:, second] == 0))
    return rolls.astype(np.uint8)


def _densest_table() -> np.ndarray:
    """Most bits set in any six in a row of twelve."""
    return np.array([max(bin(word >> start & 63).count("1") for start in range(7)) for word in range(4096)], np.uint8)


def _sums_table() -> np.ndarray:
    """What ``count`` checkers on a point add to six sums, which lie side by side in one word: row point, column count.

    From the lowest bits on: checkers (8 bits), pips that spare checkers in the home board have left (8), checkers on
    points held in the opponent's home board (8), pips to the home board (12), of these without the held points' first
    two checkers (12), pips (12).
    """
    table = np.zeros((26, COUNTS), np.int64)
    for point in range(1, 26):
        for count in range(1, COUNTS):
            outside = max(point - 6, 0)
            held = point > 18 and count > 1
            spare = (count - 2) * point if point < 7 and count > 2 else 0
            back = count if held and point < 25 else 0
            timing = outside * (count - 2 if held else count)
            parts = ((count, 0), (spare, 8), (back, 16), (outside * count, 24), (timing, 36), (point * count, 48))
            table[point, count] = sum(value << shift for value, shift in parts)
    return table.reshape(-1)


ESCAPES = _escape_table()
SUMS = _sums_table()
DENSEST = _densest_table()


@bare_kernel
def mirror(mask):
    """A mask in the other side's numbering: bit p becomes bit 25 - p."""
    mask = ((mask & 0x55555555) << 1) | ((mask >> 1) & 0x55555555)
    mask = ((mask & 0x33333333) << 2) | ((mask >> 2) & 0x33333333)
    mask = ((mask & 0x0F0F0F0F) << 4) | ((mask >> 4) & 0x0F0F0F0F)
    mask = ((mask & 0x00FF00FF) << 8) | ((mask >> 8) & 0x00FF00FF)
    mask = ((mask & 0xFFFF) << 16) | (mask >> 16)
    return mask >> 6


@bare_kernel
def masks_of(boards, at):
    """Four masks of a packed position, ``boards[at]``: own and other checkers, own and other made points.

    Bits are places 0 to 25 of the row: the mover's numbering for both sides.
    """
    return places(boards, at)


@bare_kernel
def escapes(blocks, place):
    """Chance to escape for a checker on ``place`` that moves up through ``blocks`` (both in the blocker's numbers)."""
    return np.float32(ESCAPES[(blocks >> (place + 1)) & 4095]) * np.float32(1 / 36)


@bare_kernel
def list_table_rows(boards, at, own, other, rows):
    """List the row indices of the first layer's table for ``boards[at]``; returns how many (at most MAX_ROWS).

    ``own`` and ``other`` are masks of places in the mover's numbering.
    """
    k = 0
    while own:
        place = lowest_bit(own)
        own &= own - 1
        rows[k] = place * COUNTS + np.int64(boards[at, place])
        k += 1
    while other:
        place = lowest_bit(other)
        other &= other - 1
        rows[k] = (SLOTS + 25 - place) * COUNTS - np.int64(boards[at, place])
        k += 1
    if boards[at, 26] > 0:
        rows[k] = np.int64(boards[at, 26])
        k += 1
    if boards[at, 27] > 0:
        rows[k] = SLOTS * COUNTS + np.int64(boards[at, 27])
        k += 1
    if boards[at, 28] > 0:
        rows[k] = 26 * COUNTS + np.int64(boards[at, 28])
        k += 1
    if boards[at, 29] > 0:
        rows[k] = (SLOTS + 26) * COUNTS + np.int64(boards[at, 29])
        k += 1
    if boards[at, 30] > 0:
        rows[k] = LICENCE * COUNTS + 1
        k += 1
    if boards[at, 31] > 0:
        rows[k] = (LICENCE + 1) * COUNTS + 1
        k += 1
    return k


@bare_kernel
def _write_shots(occupied, bar, blocked, blots, out, row, at):
    """Write the shares of rolls that hit one blot and two, and the pips they cost; all in the hitter's numbering."""
    hit_one = 0
    hit_two = 0
    pips = 0
    if blots and occupied:
        free = ~blocked & _POINTS
        field = occupied & _POINTS
        source = (1 << 25) if bar else field  # what must move first
        waiting = field if bar == 1 else 0  # what may move once the bar is empty
        onward = -1 if bar < 2 else 0
        # All rolls in step with one another, without a branch: made vectors of.
        for roll in range(_MIXED.shape[1]):
            high, low, ways = _MIXED[0, roll], _MIXED[1, roll], _MIXED[2, roll]
            first = (source >> high) & free
            second = (source >> low) & free
            after = ((first | (waiting if first else 0)) >> low) | ((second | (waiting if second else 0)) >> high)
            hits = (first | second | (after & onward)) & blots
            hit_one += ways if hits else 0
            hit_two += ways if hits & (hits - 1) else 0
            pips += ways * (highest_bit(2 * hits + 1) - (1 if hits else 0))
        further = 4 - bar if bar else 3  # steps after the first
        for roll in range(_DOUBLES.shape[1]):
            high, ways = _DOUBLES[0, roll], _DOUBLES[1, roll]
            first = (source >> high) & free
            hits = first
            reach = first | (field if bar and first else 0)
            for step in range(3):
                reach = (reach >> high) & free
                hits |= reach if step < further else 0
            hits &= blots
            hit_one += ways if hits else 0
            hit_two += ways if hits & (hits - 1) else 0
            pips += ways * (highest_bit(2 * hits + 1) - (1 if hits else 0))
    out[row, at] = np.float32(hit_one) * np.float32(1 / 36)
    out[row, at + 1] = np.float32(hit_two) * np.float32(1 / 36)
    out[row, at + 2] = np.float32(pips) * np.float32(1 / 432)


@bare_kernel
def _longest_run(mask):
    """Most bits set in a row, as far as fifteen checkers reach; without a branch."""
    length = 0
    for _ in range(7):
        length += 1 if mask else 0
        mask &= mask >> 1
    return length


@bare_kernel
def _sum_up_points(points, ahead, other_made):
    """Sum up the points of a side.

    ``points`` (rows, start, stop, first): ``rows[start:stop]`` of `list_table_rows` are this side's, and ``first`` is
    its row 0. Returns the sums of `_sums_table`; those of the points above ``ahead`` alone; a mask of the points that
    do not have just two checkers; the tallest stack; and how freely all may move on, weighted by their way home.
    """
    rows, start, stop, first = points
    sums = 0
    behind_sums = 0
    spare = 0
    tallest = 0
    mobility = 0
    for j in range(start, stop):
        row = rows[j] - first
        point, count = row >> 4, row & 15
        entry = SUMS[row]
        sums += entry
        behind_sums += entry if point > ahead else 0
        spare |= (1 if count != 2 else 0) << point
        tallest = max(tallest, count)
        mobility += max(point - 6, 0) * count * np.int64(ESCAPES[(other_made >> (26 - point)) & 4095])
    return sums, behind_sums, spare, tallest, mobility


@bare_kernel
def _moment(rows, start, stop, first, pips, mass):
    """Mean squared distance from their mean of the checkers behind it, over a hundred; 0 when there are none.

    The mean of all is ``pips / mass``. Whole numbers, so that the order of the rows changes no bit.
    """
    moment = 0
    late = 0
    for j in range(start, stop):
        row = rows[j] - first
        distance = max((row >> 4) * mass - pips, 0)
        moment += (row & 15) * distance * distance
        late += row & 15 if distance else 0
    return np.float32(moment) / np.float32(100 * late * mass * mass) if late else _ZERO


@bare_kernel
def _chance_to_make(spare, taken, blots, point):
    """Rough share of rolls with which a side makes ``point``: both dice bring a spare, or one covers the blot there."""
    if (taken >> point) & 1:
        return _ZERO
    ready = count_ones((spare >> (point + 1)) & 63)
    if (blots >> point) & 1:
        return np.float32(36 - (6 - ready) * (6 - ready)) * np.float32(1 / 36)
    return np.float32(ready * (ready - 1)) * np.float32(1 / 36)


@bare_kernel
def _fill_side(points, summary, checkers, enemy, pips, other_pips, out, row, at):
    """Write the features of one side.

    ``points`` are the arguments of `_sum_up_points`, ``summary`` what it gives. ``checkers``: those on the bar, masks
    of all places and of made points, in the side's own numbering: bits 1-24 and 25 for the bar. ``enemy``: checkers
    and made points in the enemy's numbering, then both in this side's.
    """
    rows, start, stop, first = points
    sums, behind_sums, spare, tallest, mobility = summary
    bar, occupied, made = checkers
    other_all, other_made, here, blocked = enemy
    blots = occupied & ~made & _POINTS
    targets = here & ~blocked & _POINTS
    front = 25 - (highest_bit(other_all) if other_all else 0)  # the opponent's rearmost, in this side's numbering
    back = highest_bit(occupied) if occupied else 0
    second = back
    alone = bar == 1 if back == 25 else (made >> back) & 1 == 0
    if occupied and alone:
        rest = occupied & ~(1 << back)
        second = highest_bit(rest) if rest else 0
    anchors = made & 0x1FFE000
    anchor = highest_bit(anchors) if anchors else 0
    back_points = count_ones((made >> 19) & 63)
    mass = sums & 255
    inside = (sums >> 8) & 255
    back_men = (sums >> 16) & 255
    gammon_pips = (sums >> 24) & 4095
    timing = (sums >> 36) & 4095
    on_points = (sums >> 48) & 4095
    behind_pips = (behind_sums >> 48) & 4095
    behind = behind_pips - front * (behind_sums & 255)
    clear = on_points - behind_pips
    moment = _moment(rows, start, stop, first, on_points, mass)

    tightest = 36
    for place in range(9):
        tightest = min(tightest, int(ESCAPES[(made >> (place + 1)) & 4095]))
    wall = _ONE - np.float32(tightest) * np.float32(1 / 36)
    closed = count_ones((made >> 1) & 63)
    prime = _longest_run(made)
    block = np.int64(max(DENSEST[(made >> 1) & 4095], DENSEST[(made >> 8) & 4095], DENSEST[(made >> 13) & 4095]))
    other_closed = count_ones((other_made >> 1) & 63)
    taken = made | blocked

    k = at
    out[row, k] = np.float32(back) * np.float32(1 / 24)
    out[row, k + 1] = np.float32(anchor) * np.float32(1 / 24)
    out[row, k + 2] = np.float32(back_points) * np.float32(1 / 3)
    out[row, k + 3] = escapes(other_made, 25 - back) if back else _ONE
    out[row, k + 4] = escapes(other_made, 25 - second) if second else _ONE
    out[row, k + 5] = escapes(other_made, 25 - anchor) if anchor else _ONE
    out[row, k + 6] = np.float32(mobility) * np.float32(1 / 3600)
    out[row, k + 7] = moment
    out[row, k + 8] = np.float32(pips) * np.float32(1 / 167)
    out[row, k + 9] = np.float32(2 * timing + inside) * np.float32(1 / 200)
    out[row, k + 10] = np.float32(behind) * np.float32(1 / 152)
    out[row, k + 11] = np.float32(clear) * np.float32(1 / 100)
    out[row, k + 12] = wall
    out[row, k + 13] = wall * wall
    out[row, k + 14] = np.float32(closed) * np.float32(1 / 6)
    out[row, k + 15] = np.float32(closed * closed) * np.float32(1 / 36)
    out[row, k + 16] = np.float32(back_men - 3) * np.float32(1 / 4) if back_points > 1 else _ZERO
    out[row, k + 17] = np.float32(back_men) * np.float32(1 / 8) if back_points == 1 else _ZERO
    out[row, k + 18] = np.float32(prime) * np.float32(1 / 6)
    out[row, k + 19] = np.float32(block) * np.float32(1 / 6)
    _write_shots(occupied, bar, blocked, targets, out, row, k + 20)
    out[row, k + 23] = np.float32(count_ones(blots)) * np.float32(1 / 6)
    out[row, k + 24] = np.float32(count_ones((blots >> 1) & 63)) * np.float32(1 / 3)
    out[row, k + 25] = np.float32(tallest - 3) * np.float32(1 / 8) if tallest > 3 else _ZERO
    out[row, k + 26] = np.float32(gammon_pips) * np.float32(1 / 100)
    out[row, k + 27] = np.float32(other_closed * other_closed * min(bar, 2)) * np.float32(1 / 36)
    lead = np.float32(other_pips - pips + 4) / np.sqrt(np.float32(pips + other_pips + 16)) * np.float32(0.25)
    out[row, k + 28] = min(max(lead, -_ONE), _ONE)
    out[row, k + 29] = np.float32(count_ones(occupied)) * np.float32(1 / 10)
    out[row, k + 30] = _chance_to_make(spare, taken, blots, 4)
    out[row, k + 31] = _chance_to_make(spare, taken, blots, 5)
    out[row, k + 32] = _chance_to_make(spare, taken, blots, 7)
    out[row, k + 33] = _chance_to_make(spare, taken, blots, 20)


@bare_kernel
def write_hand_features(boards, at, own, other, own_made, other_made, rows, out, row):
    """Write the HAND_FEATURES of ``boards[at]`` into ``out[row]``, the player on roll first.

    The masks are those of `masks_of`; ``rows`` are those of `list_table_rows`, the points of both sides first.
    """
    theirs, theirs_made = mirror(other), mirror(other_made)
    mine, mine_made = mirror(own), mirror(own_made)
    between = count_ones(own)
    points = (rows, 0, between, 0)
    other_points = (rows, between, between + count_ones(other), SLOTS * COUNTS)
    summary = _sum_up_points(points, 25 - (highest_bit(theirs) if theirs else 0), theirs_made)
    other_summary = _sum_up_points(other_points, 25 - (highest_bit(own) if own else 0), own_made)
    pips = ((summary[0] >> 48) & 4095) + 25 * np.int64(boards[at, 28])
    other_pips = ((other_summary[0] >> 48) & 4095) + 25 * np.int64(boards[at, 29])
    checkers = (np.int64(boards[at, 25]), own, own_made)
    enemy = (theirs, theirs_made, other, other_made)
    _fill_side(points, summary, checkers, enemy, pips, other_pips, out, row, 0)
    checkers = (-np.int64(boards[at, 0]), theirs, theirs_made)
    enemy = (own, own_made, mine, mine_made)
    _fill_side(other_points, other_summary, checkers, enemy, other_pips, pips, out, row, HALF)
