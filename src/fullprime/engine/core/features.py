"""What a net sees of a position: rows of the first layer's table, and hand-made features.

Arrays in, arrays out; `fullprime.engine.encoding` describes the same inputs in words.
A side is looked at in its own numbering throughout: bit ``p`` of a mask is its point ``p``, bit 25 its bar.
"""

import numpy as np

from fullprime.engine.core.board_vector import ones, places
from fullprime.engine.core.jit import bare_kernel, highest_bit, lowest_bit

SLOTS = 27
COUNTS = 16
LICENCE = 2 * SLOTS
TABLE_ROWS = (LICENCE + 2) * COUNTS
HAND_FEATURES = 68
HALF = HAND_FEATURES // 2
MAX_ROWS = 40

_POINTS = 0x1FFFFFE
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
def mirrored(mask):
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
def table_rows(boards, at, own, other, rows):
    """Row indices of the first layer's table for ``boards[at]``; returns how many (at most MAX_ROWS).

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
def shots(occupied, bar, blocked, blots, out, row, at):
    """Rolls of 36 that hit one blot, that hit two, and the pips they cost; everything in the hitter's numbering."""
    hit_one = 0
    hit_two = 0
    pips = 0
    if blots and occupied:
        free = ~blocked & _POINTS
        field = occupied & _POINTS
        for high in range(1, 7):
            if bar:
                first = ((1 << 25) >> high) & free
            else:
                first = (field >> high) & free
            # a double: up to four steps of one number
            hits = first
            reach = first
            steps = 3
            if bar:
                reach = field | first if first else 0
                steps = 4 - bar
            for _ in range(steps):
                reach = (reach >> high) & free
                hits |= reach
            hits &= blots
            hit_one += 1 if hits else 0
            hit_two += 1 if hits & (hits - 1) else 0
            pips += highest_bit(2 * hits + 1) - (1 if hits else 0)
            for low in range(1, high):
                if bar == 0:
                    second = (field >> low) & free
                    hits = first | second | (first >> low) | (second >> high)
                else:
                    second = ((1 << 25) >> low) & free
                    hits = first | second
                    if bar == 1:
                        hits |= ((field | first) >> low) if first else 0
                        hits |= ((field | second) >> high) if second else 0
                hits &= blots
                hit_one += 2 if hits else 0
                hit_two += 2 if hits & (hits - 1) else 0
                pips += 2 * (highest_bit(2 * hits + 1) - (1 if hits else 0))
    out[row, at] = np.float32(hit_one) * np.float32(1 / 36)
    out[row, at + 1] = np.float32(hit_two) * np.float32(1 / 36)
    out[row, at + 2] = np.float32(pips) * np.float32(1 / 432)


@bare_kernel
def _making(spare, taken, blots, point):
    """Rough share of rolls with which a side makes ``point``: both dice bring a spare, or one covers the blot there."""
    if (taken >> point) & 1:
        return _ZERO
    ready = ones((spare >> (point + 1)) & 63)
    if (blots >> point) & 1:
        return np.float32(36 - (6 - ready) * (6 - ready)) * np.float32(1 / 36)
    return np.float32(ready * (ready - 1)) * np.float32(1 / 36)


@bare_kernel
def _half(counts, side, occupied, made, other_all, other_made, here, blocked, pips, other_pips, out, row, at):
    """The features of one side.

    ``counts`` are 27 a side, each in its own numbering, as are the masks: bits 1-24 and 25 for the bar. ``here`` and
    ``blocked`` are the other side's checkers and made points in this side's numbering.
    """
    bar = counts[side, 25]
    blots = occupied & ~made & _POINTS
    targets = here & ~blocked & _POINTS
    front = 25 - (highest_bit(other_all) if other_all else 0)  # the opponent's rearmost, in this side's numbering
    back = highest_bit(occupied) if occupied else 0
    second = back
    if occupied and counts[side, back] == 1:
        rest = occupied & ~(1 << back)
        second = highest_bit(rest) if rest else 0
    anchors = made & 0x1FFE000
    anchor = highest_bit(anchors) if anchors else 0
    back_points = ones((made >> 19) & 63)

    # What a point adds to the plain sums is one word of a table; those behind the opponent's rearmost come first.
    tallest = 0
    spare = 0
    mobility = 0
    sums = 0
    behind_sums = 0
    ahead = (2 << front) - 1
    for part in range(2):
        word = occupied & ahead if part else occupied & ~ahead
        while word:
            point = lowest_bit(word)
            word &= word - 1
            count = counts[side, point]
            sums += SUMS[point * COUNTS + count]
            spare |= (1 if count != 2 else 0) << point
            tallest = max(tallest, count)
            mobility += max(point - 6, 0) * count * np.int64(ESCAPES[(other_made >> (26 - point)) & 4095])
        if part == 0:
            behind_sums = sums
    mass = sums & 255
    inside = (sums >> 8) & 255
    back_men = (sums >> 16) & 255
    gammon_pips = (sums >> 24) & 4095
    timing = (sums >> 36) & 4095
    on_points = (sums >> 48) & 4095
    behind_pips = (behind_sums >> 48) & 4095
    behind = behind_pips - front * (behind_sums & 255)
    clear = on_points - behind_pips
    moment = _ZERO
    late = 0
    if mass:
        mean = np.float32(pips - 25 * counts[side, 26]) / np.float32(mass)
        word = occupied
        while word:
            point = highest_bit(word)
            if point <= mean:
                break
            word &= ~(1 << point)
            count = counts[side, point]
            moment += np.float32(count) * (np.float32(point) - mean) * (np.float32(point) - mean)
            late += count

    tightest = 36
    for place in range(9):
        tightest = min(tightest, int(ESCAPES[(made >> (place + 1)) & 4095]))
    wall = _ONE - np.float32(tightest) * np.float32(1 / 36)
    closed = ones((made >> 1) & 63)
    prime = 0
    run = made
    while run:
        prime += 1
        run &= run >> 1
    block = np.int64(max(DENSEST[(made >> 1) & 4095], DENSEST[(made >> 8) & 4095], DENSEST[(made >> 13) & 4095]))
    other_closed = ones((other_made >> 1) & 63)
    taken = made | blocked

    k = at
    out[row, k] = np.float32(back) * np.float32(1 / 24)
    out[row, k + 1] = np.float32(anchor) * np.float32(1 / 24)
    out[row, k + 2] = np.float32(back_points) * np.float32(1 / 3)
    out[row, k + 3] = escapes(other_made, 25 - back) if back else _ONE
    out[row, k + 4] = escapes(other_made, 25 - second) if second else _ONE
    out[row, k + 5] = escapes(other_made, 25 - anchor) if anchor else _ONE
    out[row, k + 6] = np.float32(mobility) * np.float32(1 / 3600)
    out[row, k + 7] = moment / np.float32(late * 100) if late else _ZERO
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
    shots(occupied, bar, blocked, targets, out, row, k + 20)
    out[row, k + 23] = np.float32(ones(blots)) * np.float32(1 / 6)
    out[row, k + 24] = np.float32(ones((blots >> 1) & 63)) * np.float32(1 / 3)
    out[row, k + 25] = np.float32(tallest - 3) * np.float32(1 / 8) if tallest > 3 else _ZERO
    out[row, k + 26] = np.float32(gammon_pips) * np.float32(1 / 100)
    out[row, k + 27] = np.float32(other_closed * other_closed * min(bar, 2)) * np.float32(1 / 36)
    lead = np.float32(other_pips - pips + 4) / np.sqrt(np.float32(pips + other_pips + 16)) * np.float32(0.25)
    out[row, k + 28] = min(max(lead, -_ONE), _ONE)
    out[row, k + 29] = np.float32(ones(occupied)) * np.float32(1 / 10)
    out[row, k + 30] = _making(spare, taken, blots, 4)
    out[row, k + 31] = _making(spare, taken, blots, 5)
    out[row, k + 32] = _making(spare, taken, blots, 7)
    out[row, k + 33] = _making(spare, taken, blots, 20)


@bare_kernel
def hand_features(boards, at, own, other, own_made, other_made, counts, out, row):
    """The HAND_FEATURES of ``boards[at]`` into ``out[row]``, the player on roll first.

    The masks are those of `masks_of`; ``counts`` is int64 (2, 27) of scratch.
    """
    pips = 0
    word = own
    while word:
        place = lowest_bit(word)
        word &= word - 1
        counts[0, place] = boards[at, place]
        pips += place * counts[0, place]
    other_pips = 0
    word = other
    while word:
        place = lowest_bit(word)
        word &= word - 1
        counts[1, 25 - place] = -np.int64(boards[at, place])
        other_pips += (25 - place) * counts[1, 25 - place]
    counts[0, 25] = boards[at, 25]
    counts[1, 25] = -np.int64(boards[at, 0])
    counts[0, 26] = boards[at, 28]
    counts[1, 26] = boards[at, 29]
    pips += 25 * counts[0, 26]
    other_pips += 25 * counts[1, 26]
    theirs = mirrored(other)
    theirs_made = mirrored(other_made)
    _half(counts, 0, own, own_made, theirs, theirs_made, other, other_made, pips, other_pips, out, row, 0)
    mine, mine_made = mirrored(own), mirrored(own_made)
    _half(counts, 1, theirs, theirs_made, own, own_made, mine, mine_made, other_pips, pips, out, row, HALF)
