"""Single checker moves on packed positions: masks of places, and one addition for a move.

A row is read as four 64-bit words, so that moving a checker is adding a constant row. Sets of places are masks: bits
1-24 are the mover's points, 25 the bar, 26 the hand.
"""

from __future__ import annotations

import sys

import numpy as np

from fullprime.engine.core.jit import bare_kernel, highest_bit
from fullprime.engine.core.layout import (
    HAND,
    OFF,
    ROW,
    RULE_BAR_PRIORITY,
    RULE_ENTER_ALL_FIRST,
    RULE_EXACT_BEAROFF,
    Array,
)

if sys.byteorder != "little":
    raise ImportError("the kernels read bytes as words and need a little-endian processor")

BAR_SOURCE, HAND_SOURCE, SOURCES = 25, 26, 27
BAR_BIT, HAND_BIT = 1 << BAR_SOURCE, 1 << HAND_SOURCE
_ENTERING = BAR_BIT | HAND_BIT
_POINTS_AND_BAR = (1 << 26) - 1
HOME_BITS = 0b1111110

# The scratch of a roll: boards after 0-4 dice, four words each; then lists by level of a double.
TODO, OCCUPIED, BLOTS = 20, 25, 30


def _later_sources() -> Array:
    """By source: where the next checker of a double may come from (bar, then hand, then points downwards)."""
    later = np.array([(2 << source) - 1 for source in range(SOURCES)], np.int64)
    later[BAR_SOURCE] |= HAND_BIT
    later[HAND_SOURCE] &= ~BAR_BIT
    return later


def _moves() -> Array:
    """``[hit, die, source]``: what to add to the four words of a row to move one checker.

    No byte overflows into the next: a source holds 1 or more, a target 0 to 14, and a blot (0xFF, that is -1) loses
    0xFE to become 1. The opponent's bar is not in it, since a byte of 0 would borrow on its way to -1.
    """
    moves = np.zeros((2, 7, SOURCES, 4), np.int64)
    for hit in range(2):
        for die in range(1, 7):
            for source in range(1, SOURCES):
                target = min(source, BAR_SOURCE) - die
                change = [0] * ROW
                change[HAND if source == HAND_SOURCE else source] = -1
                change[target if target >= 1 else OFF] = -0xFE if hit and target >= 1 else 1
                for word in range(4):
                    total = sum(value << 8 * byte for byte, value in enumerate(change[8 * word : 8 * word + 8]))
                    moves[hit, die, source, word] = (total + (1 << 63)) % (1 << 64) - (1 << 63)
    return moves


LATER_SOURCES = _later_sources()
_MOVES = _moves()


@bare_kernel
def landing(source: int, die: int) -> int:
    """The point a checker comes to; 0 and less is off. The hand enters like the bar."""
    return min(source, BAR_SOURCE) - die


@bare_kernel
def playable_sources(occupied: int, open_points: int, die: int, rules: Array) -> int:
    """The places from which this die can be played: ``occupied`` and ``open_points`` are masks of the mover's."""
    if occupied >> BAR_SOURCE:
        movable = occupied
        if occupied & BAR_BIT and rules[RULE_BAR_PRIORITY]:
            movable = occupied & (_ENTERING if rules[RULE_ENTER_ALL_FIRST] else BAR_BIT)
        elif occupied & HAND_BIT and rules[RULE_ENTER_ALL_FIRST]:
            movable = occupied & _ENTERING
        shifted = open_points << die
        playable = movable & shifted & _POINTS_AND_BAR
        if shifted & BAR_BIT:
            playable |= movable & HAND_BIT
        return playable
    playable = occupied & (open_points << die)
    if occupied and occupied >> 7 == 0:
        playable |= occupied & (1 << die)
        if occupied >> die == 0 and not rules[RULE_EXACT_BEAROFF]:
            playable |= 1 << highest_bit(occupied)
    return playable


@bare_kernel
def move_checker(words: Array, board: int, die: int, source: int, blots: int, to_words: Array, to: int) -> None:
    """Write the board after one checker move: from number ``board`` of one array of words to ``to`` of another."""
    target = landing(source, die)
    hit = blots >> target & 1 if target >= 1 else 0
    first = words[4 * board] + _MOVES[hit, die, source, 0]
    second = words[4 * board + 1] + _MOVES[hit, die, source, 1]
    third = words[4 * board + 2] + _MOVES[hit, die, source, 2]
    fourth = words[4 * board + 3] + _MOVES[hit, die, source, 3]
    if hit:  # one more on the opponent's bar, byte 0
        first = (first & ~0xFF) | (first - 1 & 0xFF)
    to_words[4 * to] = first
    to_words[4 * to + 1] = second
    to_words[4 * to + 2] = third
    to_words[4 * to + 3] = fourth


@bare_kernel
def count_at(words: Array, board: int, source: int) -> int:
    """Own checkers on a place that is not the opponent's."""
    byte = HAND if source == HAND_SOURCE else source
    count: int = words[4 * board + (byte >> 3)] >> 8 * (byte & 7) & 0xFF
    return count


@bare_kernel
def occupied_after(occupied: int, words: Array, board: int, source: int, die: int) -> int:
    """The mask of own places on ``board``, which one checker move has made from a board with ``occupied``."""
    if count_at(words, board, source) == 0:
        occupied &= ~(1 << source)
    target = landing(source, die)
    return occupied | 1 << target if target >= 1 else occupied


@bare_kernel
def blots_after(blots: int, source: int, die: int) -> int:
    """The mask of the opponent's blots after a move."""
    target = landing(source, die)
    return blots & ~(1 << target) if target >= 1 else blots


@bare_kernel
def copy_board(words: Array, board: int, to_words: Array, to: int) -> None:
    """Copy a board from one array of words to another."""
    for word in range(4):
        to_words[4 * to + word] = words[4 * board + word]
