"""Legal plays over packed positions: the accelerated twin of ``fullprime.rules.plays``.

**A position** is one row of int8[32] seen by the player on roll: [0] minus the opponent's checkers on the bar, [1-24]
signed counts by the mover's points (+ own, - opponent's), [25] own bar, [26] own off, [27] opponent's off, [28] own
hand, [29] opponent's hand, [30] own licence to hit, [31] opponent's licence (flags only where not implied, as in
``Position``). It is read as four 64-bit words, so that moving a checker is one addition of a constant row.

**Why no board is ever stored twice, without comparing boards.** A blot on the target is always hit, so the board after
a play depends only on which places the dice are played *from* (and, for one checker that plays two different dice, on
what stands on the stop between). Counting checkers from the highest place down, two different sets of sources cannot
give the same board, apart from three coincidences of two different dice that ``_two_dice`` names and leaves out.

- Doubles: sources are taken in one order (bar, hand, then points downwards). Whatever can be played in some order can
  be played in that order, unless the right to hit has yet to be earned: see ``_doubles_unlicensed``.
- Two different dice: both orders are tried; the second leaves out what the first has found.

Every board is one way of giving at most four steps to at most 15 checkers, hence there are at most
C(18, 4) = 3060 (``MAX_PLAYS``). Kernels have no bounds checks: Python goes through ``fullprime.engine.core.pack``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fullprime.engine.core.jit import highest_bit, kernel, lowest_bit, widened

Array = Any
"""A NumPy array; docstrings give type and shape."""

ROW = 32
MAX_PLAYS = 3060
"""Rows that an ``out`` must have: no roll has more distinct results with 15 checkers a side."""
SCRATCH = 64
"""int64 words of working memory that ``legal_plays_into`` needs."""

# Bytes of a row that are not points.
THEIR_BAR, BAR, OFF, THEIR_OFF, HAND, THEIR_HAND, LICENCE, THEIR_LICENCE = 0, 25, 26, 27, 28, 29, 30, 31

# Fields of the array of rules (``pack.rules_array`` makes it from a variant).
RULES = 5
RULE_ENTER_ALL_FIRST, RULE_BAR_PRIORITY, RULE_HIT_LICENCE, RULE_ENTERING_MOVE_MAY_HIT, RULE_EXACT_BEAROFF = range(RULES)
LICENCE_FREE, LICENCE_PERMANENT, LICENCE_CURRENT = range(3)

# Sets of places are masks: bits 1-24 are the mover's points, 25 the bar, 26 the hand.
_BAR_SOURCE, _HAND_SOURCE, _SOURCES = 25, 26, 27
_BAR_BIT, _HAND_BIT = 1 << _BAR_SOURCE, 1 << _HAND_SOURCE
_ENTERING = _BAR_BIT | _HAND_BIT
_POINTS_AND_BAR = (1 << 26) - 1
_HOME = 0b1111110

# The scratch: boards after 0-4 dice, four words each; then lists by level (doubles) or by source (two dice).
_TODO, _OCCUPIED, _BLOTS, _SOURCE, _HITS = 20, 25, 30, 35, 40
_FOLLOWERS = 20


def _later_sources() -> Array:
    """By source: where the next checker of a double may come from (bar, then hand, then points downwards)."""
    later = np.array([(2 << source) - 1 for source in range(_SOURCES)], np.int64)
    later[_BAR_SOURCE] |= _HAND_BIT
    later[_HAND_SOURCE] &= ~_BAR_BIT
    return later


def _moves() -> Array:
    """``[hit, die, source]``: what to add to the four words of a row to move one checker.

    No byte overflows into the next: a source holds 1 or more, a target 0 to 14, and a blot (0xFF, that is -1) loses
    0xFE to become 1. The opponent's bar is not in it, since a byte of 0 would borrow on its way to -1.
    """
    moves = np.zeros((2, 7, _SOURCES, 4), np.int64)
    for hit in range(2):
        for die in range(1, 7):
            for source in range(1, _SOURCES):
                target = min(source, _BAR_SOURCE) - die
                change = [0] * ROW
                change[HAND if source == _HAND_SOURCE else source] = -1
                change[target if target >= 1 else OFF] = -0xFE if hit and target >= 1 else 1
                for word in range(4):
                    total = sum(value << 8 * byte for byte, value in enumerate(change[8 * word : 8 * word + 8]))
                    moves[hit, die, source, word] = (total + (1 << 63)) % (1 << 64) - (1 << 63)
    return moves


_LATER = _later_sources()
_MOVES = _moves()


# -- single checkers ------------------------------------------------------------------------------------------
@kernel
def _landing(source: int, die: int) -> int:
    """The point a checker comes to; 0 and less is off. The hand enters like the bar."""
    return min(source, _BAR_SOURCE) - die


@kernel
def _sources(occupied: int, open_points: int, die: int, rules: Array) -> int:
    """The places from which this die can be played: ``occupied`` and ``open_points`` are masks of the mover's."""
    if occupied >> _BAR_SOURCE:
        movable = occupied
        if occupied & _BAR_BIT and rules[RULE_BAR_PRIORITY]:
            movable = occupied & (_ENTERING if rules[RULE_ENTER_ALL_FIRST] else _BAR_BIT)
        elif occupied & _HAND_BIT and rules[RULE_ENTER_ALL_FIRST]:
            movable = occupied & _ENTERING
        shifted = open_points << die
        playable = movable & shifted & _POINTS_AND_BAR
        if shifted & _BAR_BIT:
            playable |= movable & _HAND_BIT
        return playable
    playable = occupied & (open_points << die)
    if occupied and occupied >> 7 == 0:
        playable |= occupied & (1 << die)
        if occupied >> die == 0 and not rules[RULE_EXACT_BEAROFF]:
            playable |= 1 << highest_bit(occupied)
    return playable


@kernel
def _step(words: Array, board: int, die: int, source: int, blots: int, to_words: Array, to: int) -> None:
    """Write the board after one checker move: from number ``board`` of one array of words to ``to`` of another."""
    target = _landing(source, die)
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


@kernel
def _count_at(words: Array, board: int, source: int) -> int:
    """Own checkers on a place that is not the opponent's."""
    byte = HAND if source == _HAND_SOURCE else source
    count: int = words[4 * board + (byte >> 3)] >> 8 * (byte & 7) & 0xFF
    return count


@kernel
def _occupied_after(occupied: int, words: Array, board: int, source: int, die: int) -> int:
    """The mask of own places on ``board``, which one checker move has made from a board with ``occupied``."""
    if _count_at(words, board, source) == 0:
        occupied &= ~(1 << source)
    target = _landing(source, die)
    return occupied | 1 << target if target >= 1 else occupied


@kernel
def _blots_after(blots: int, source: int, die: int) -> int:
    """The mask of the opponent's blots after a move."""
    target = _landing(source, die)
    return blots & ~(1 << target) if target >= 1 else blots


@kernel
def _copy(words: Array, board: int, to_words: Array, to: int) -> None:
    for word in range(4):
        to_words[4 * to + word] = words[4 * board + word]


# -- a double -------------------------------------------------------------------------------------------------
@kernel
def _doubles(
    die: int, occupied: int, open_points: int, blots: int, rules: Array, out_words: Array, scratch: Array
) -> int:
    """All results of a double; the board is the first of the scratch. Returns their number, 0 for none."""
    scratch[_TODO] = _sources(occupied, open_points, die, rules)
    scratch[_OCCUPIED] = occupied
    scratch[_BLOTS] = blots
    level = best = count = 0
    while level >= 0:
        todo = scratch[_TODO + level]
        if todo == 0:
            level -= 1
            continue
        source = highest_bit(todo)
        scratch[_TODO + level] = todo & ~(1 << source)
        played = level + 1
        _step(scratch, level, die, source, scratch[_BLOTS + level], scratch, played)
        now_occupied = _occupied_after(scratch[_OCCUPIED + level], scratch, played, source, die)
        now_blots = _blots_after(scratch[_BLOTS + level], source, die)
        more = _sources(now_occupied, open_points, die, rules) & _LATER[source]
        if more == 0:
            if played > best:
                best = played
                count = 0
            if played == best:
                _copy(scratch, played, out_words, count)
                count += 1
        elif played == 3:
            if best < 4:
                best = 4
                count = 0
            while more:
                _step(scratch, played, die, lowest_bit(more), now_blots, out_words, count)
                more &= more - 1
                count += 1
        else:
            level = played
            scratch[_TODO + level] = more
            scratch[_OCCUPIED + level] = now_occupied
            scratch[_BLOTS + level] = now_blots
    return count


@kernel
def _doubles_unlicensed(
    die: int, occupied: int, open_points: int, blots: int, rules: Array, out_words: Array, scratch: Array
) -> int:
    """All results of a double for a side that has yet to earn the right to hit.

    Sources are enumerated as if hits were free. A set of sources with hits counts when its moves can be made in some
    order in which one that earns the licence comes before the first hit; what comes after it is free, and so can be
    played in the usual order.
    """
    scratch[_TODO] = _sources(occupied, open_points, die, rules)
    scratch[_OCCUPIED] = occupied
    scratch[_BLOTS] = blots
    scratch[_HITS] = 0
    level = best = count = 0
    while level >= 0:
        todo = scratch[_TODO + level]
        if todo == 0:
            level -= 1
            continue
        source = highest_bit(todo)
        scratch[_TODO + level] = todo & ~(1 << source)
        played = level + 1
        scratch[_SOURCE + level] = source
        _step(scratch, level, die, source, scratch[_BLOTS + level], scratch, played)
        now_blots = _blots_after(scratch[_BLOTS + level], source, die)
        hits = scratch[_HITS + level] | (1 if now_blots != scratch[_BLOTS + level] else 0)
        if played >= best and (hits == 0 or _earns_licence_first(die, played, blots, rules, scratch)):
            if played > best:
                best = played
                count = 0
            _copy(scratch, played, out_words, count)
            count += 1
        if played < 4:
            now_occupied = _occupied_after(scratch[_OCCUPIED + level], scratch, played, source, die)
            level = played
            scratch[_TODO + level] = _sources(now_occupied, open_points, die, rules) & _LATER[source]
            scratch[_OCCUPIED + level] = now_occupied
            scratch[_BLOTS + level] = now_blots
            scratch[_HITS + level] = hits
    return count


@kernel
def _earns_licence_first(die: int, moves: int, blots: int, rules: Array, scratch: Array) -> bool:
    """Whether some of these moves, none of them a hit, can be made up to one that earns the licence.

    Making a move never forbids another one of the list, so any that can be made is made.
    """
    made = 0
    progress = True
    while progress:
        progress = False
        for i in range(moves):
            source = scratch[_SOURCE + i]
            target = _landing(source, die)
            earns = target <= 6
            if made >> i & 1 or target <= 0:
                continue
            if blots >> target & 1 and not (earns and rules[RULE_ENTERING_MOVE_MAY_HIT]):
                continue
            bar, hand = _count_at(scratch, 0, _BAR_SOURCE), _count_at(scratch, 0, _HAND_SOURCE)
            here = _count_at(scratch, 0, source)
            if here > 15:  # the opponent's, a negative count
                here = 0
            for j in range(moves):
                if made >> j & 1:
                    other = scratch[_SOURCE + j]
                    bar -= int(other == _BAR_SOURCE)
                    hand -= int(other == _HAND_SOURCE)
                    here += int(_landing(other, die) == source) - int(other == source)
            waits_for_bar = bar > 0 and rules[RULE_BAR_PRIORITY] and source != _BAR_SOURCE
            if source == _HAND_SOURCE:
                waits_for_bar = waits_for_bar and not rules[RULE_ENTER_ALL_FIRST]
            waits_for_hand = hand > 0 and rules[RULE_ENTER_ALL_FIRST] and source < _BAR_SOURCE
            if here <= 0 or waits_for_bar or waits_for_hand:
                continue
            if earns:
                return True
            made |= 1 << i
            progress = True
    return False


# -- two different dice ---------------------------------------------------------------------------------------
@kernel
def _high_first(
    high: int,
    low: int,
    occupied: int,
    open_points: int,
    quiet_points: int,
    blots: int,
    rules: Array,
    out_words: Array,
    scratch: Array,
) -> int:
    """All results that play the higher die first; fills the followers in the scratch. Returns their number.

    The followers of a source are the places that play the lower die after it has played the higher one.
    """
    count = 0
    for source in range(1, _SOURCES):
        scratch[_FOLLOWERS + source] = 0
    todo = _sources(occupied, quiet_points, high, rules)
    while todo:
        source = highest_bit(todo)
        todo &= ~(1 << source)
        _step(scratch, 0, high, source, blots, scratch, 1)
        now_blots = _blots_after(blots, source, high)
        now_open = open_points if _landing(source, high) <= 6 else quiet_points
        more = _sources(_occupied_after(occupied, scratch, 1, source, high), now_open, low, rules)
        scratch[_FOLLOWERS + source] = more
        if source == _HAND_SOURCE:
            more &= ~_BAR_BIT  # coincidence 1
        behind = source + low
        other_stop = behind - high
        if behind <= _BAR_SOURCE and other_stop >= 1 and not blots >> other_stop & 1:  # coincidence 2
            if scratch[_FOLLOWERS + behind] >> other_stop & 1:
                more &= ~(1 << behind)
            if behind == _BAR_SOURCE and scratch[_FOLLOWERS + _HAND_SOURCE] >> other_stop & 1:
                more &= ~_HAND_BIT
        while more:
            _step(scratch, 1, low, lowest_bit(more), now_blots, out_words, count)
            more &= more - 1
            count += 1
    return count


@kernel
def _low_first(
    high: int,
    low: int,
    occupied: int,
    open_points: int,
    quiet_points: int,
    blots: int,
    rules: Array,
    out_words: Array,
    scratch: Array,
    count: int,
) -> int:
    """Add what only playing the lower die first can reach; returns the number of all results."""
    todo = _sources(occupied, quiet_points, low, rules)
    while todo:
        source = lowest_bit(todo)
        todo &= todo - 1
        _step(scratch, 0, low, source, blots, scratch, 1)
        now_blots = _blots_after(blots, source, low)
        stop, other_stop = _landing(source, low), _landing(source, high)
        now_open = open_points if stop <= 6 else quiet_points
        more = _sources(_occupied_after(occupied, scratch, 1, source, low), now_open, high, rules)
        followers = scratch[_FOLLOWERS + source]
        if source == _BAR_SOURCE:
            more &= ~_HAND_BIT  # coincidence 1
        if other_stop >= 1 and followers >> other_stop & 1 and not (blots >> other_stop | blots >> stop) & 1:
            more &= ~(1 << stop)  # coincidence 2
        if stop <= 0:
            more &= ~(followers & ((2 << low) - 1))  # coincidence 3
        while more:
            second = lowest_bit(more)
            more &= more - 1
            if not scratch[_FOLLOWERS + second] >> source & 1:
                _step(scratch, 1, high, second, now_blots, out_words, count)
                count += 1
    return count


@kernel
def _two_dice(
    high: int,
    low: int,
    occupied: int,
    open_points: int,
    quiet_points: int,
    blots: int,
    rules: Array,
    out_words: Array,
    scratch: Array,
) -> int:
    """All results of two different dice; the board is the first of the scratch. Returns their number.

    ``quiet_points`` are the targets open before the licence to hit is earned, the same as ``open_points`` when it is.
    Besides the same two moves in the other order, these are the ways to reach a board twice:

    1. The bar and the hand enter on the same points. Bar by the higher die stands for both ways.
    2. One checker plays both dice, and neither stop on its way is a hit; it may also push on a checker that stands on
       a stop. The way over the higher die stands for all.
    3. Either die bears off either of two checkers.
    """
    count = _high_first(high, low, occupied, open_points, quiet_points, blots, rules, out_words, scratch)
    count = _low_first(high, low, occupied, open_points, quiet_points, blots, rules, out_words, scratch, count)
    if count == 0:
        # Only one die can be played: the higher one if that is possible.
        die = high
        todo = _sources(occupied, quiet_points, high, rules)
        if todo == 0:
            die = low
            todo = _sources(occupied, quiet_points, low, rules)
        while todo:
            _step(scratch, 0, die, lowest_bit(todo), blots, out_words, count)
            todo &= todo - 1
            count += 1
    return count


# -- the licence to hit ---------------------------------------------------------------------------------------
@kernel
def _they_are_home(board: Array) -> bool:
    """Whether the opponent has a checker home or off, which is licence enough."""
    home: bool = board[THEIR_OFF] > 0
    for point in range(19, 25):
        home |= board[point] < 0
    return home


@kernel
def _keep_licences(position: Array, rules: Array, out: Array, count: int) -> None:
    """Set the flags of the results: a licence stays, and is flagged where the checkers do not prove it."""
    if position[LICENCE]:
        for i in range(count):
            home = out[i, OFF] > 0
            for point in range(1, 7):
                home |= out[i, point] > 0
            out[i, LICENCE] = 0 if home else 1
    if rules[RULE_HIT_LICENCE] == LICENCE_PERMANENT and _they_are_home(position):
        for i in range(count):
            out[i, THEIR_LICENCE] = 0 if _they_are_home(out[i]) else 1


# -- the entry points -----------------------------------------------------------------------------------------
@kernel
def legal_plays_into(position: Array, die1: int, die2: int, rules: Array, out: Array, scratch: Array) -> int:
    """Every distinct result of a roll, still seen by the player who made it; returns how many there are.

    ``position`` int8[32], dice 1-6 in any order, ``rules`` int64[5] (``pack.rules_array``), ``out`` int8[n, 32] with
    n >= MAX_PLAYS, ``scratch`` int64[SCRATCH]; all C-contiguous. When nothing can be played the only result is the
    position itself (no play leads back to it, so it can be told apart). Raises ValueError when ``out`` is too small.
    """
    if out.shape[0] < MAX_PLAYS:
        raise ValueError("out has fewer than MAX_PLAYS rows")
    high, low = widened(max(die1, die2)), widened(min(die1, die2))
    out_words = out.reshape(-1).view(np.int64)
    words = position.view(np.int64)
    for word in range(4):
        scratch[word] = words[word]

    occupied = open_points = blots = 0
    for point in range(1, 25):
        checkers = position[point]
        occupied |= (1 if checkers > 0 else 0) << point
        open_points |= (1 if checkers >= -1 else 0) << point
        blots |= (1 if checkers == -1 else 0) << point
    occupied |= (_BAR_BIT if position[BAR] > 0 else 0) | (_HAND_BIT if position[HAND] > 0 else 0)

    licence = rules[RULE_HIT_LICENCE]
    licensed = (
        licence == LICENCE_FREE
        or occupied & _HOME != 0
        or position[OFF] > 0
        or (licence == LICENCE_PERMANENT and position[LICENCE] != 0)
    )
    if high == low:
        if licensed or blots == 0:
            count = _doubles(high, occupied, open_points, blots, rules, out_words, scratch)
        else:
            count = _doubles_unlicensed(high, occupied, open_points, blots, rules, out_words, scratch)
    else:
        quiet_points = open_points
        if not licensed:
            quiet_points &= ~(blots & ~_HOME) if rules[RULE_ENTERING_MOVE_MAY_HIT] else ~blots
        count = _two_dice(high, low, occupied, open_points, quiet_points, blots, rules, out_words, scratch)
    if count == 0:
        _copy(scratch, 0, out_words, 0)
        return 1
    if licence == LICENCE_PERMANENT or position[LICENCE]:
        _keep_licences(position, rules, out, count)
    return count


@kernel
def legal_plays_batch(positions: Array, dice: Array, rules: Array, first: int, out: Array, ends: Array) -> int:
    """The results of many rolls, one after the other from row 0 of ``out``.

    ``positions`` int8[n, 32], ``dice`` int8[n, 2], ``ends`` int64[n]: where the results of each position end. Starts
    at position ``first`` and stops when ``out`` may be too small for the next one; returns the position to go on with.
    """
    scratch = np.empty(SCRATCH, np.int64)
    filled = 0
    for i in range(first, positions.shape[0]):
        if out.shape[0] - filled < MAX_PLAYS:
            return i
        filled += legal_plays_into(positions[i], dice[i, 0], dice[i, 1], rules, out[filled:], scratch)
        ends[i] = filled
    last: int = positions.shape[0]
    return last


@kernel
def swap_into(position: Array, out: Array) -> None:
    """The same board seen by the other player: int8[32] into another int8[32]."""
    for place in range(26):
        out[place] = -position[25 - place]
    out[OFF], out[THEIR_OFF] = position[THEIR_OFF], position[OFF]
    out[HAND], out[THEIR_HAND] = position[THEIR_HAND], position[HAND]
    out[LICENCE], out[THEIR_LICENCE] = position[THEIR_LICENCE], position[LICENCE]


@kernel
def swap_rows(positions: Array, out: Array) -> None:
    """``swap_into`` for every row of int8[n, 32]."""
    for i in range(positions.shape[0]):
        swap_into(positions[i], out[i])
