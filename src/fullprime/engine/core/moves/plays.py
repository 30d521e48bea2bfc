"""Legal plays over packed positions: the accelerated twin of ``fullprime.rules.plays``.

Positions are rows of 32 bytes (``layout``), a move of a checker is an addition (``steps``).

**Why no board is ever stored twice, without comparing boards.** A blot on the target is always hit, so the board after
a play depends only on which places the dice are played *from* (and, for one checker that plays two different dice, on
what stands on the stop between). Counting checkers from the highest place down, two different sets of sources cannot
give the same board, apart from three coincidences of two different dice that `_list_two_dice` names and leaves out.

- Doubles: sources are taken in one order (bar, hand, then points downwards). Whatever can be played in some order can
  be played in that order, unless the right to hit has yet to be earned: see ``licence``.
- Two different dice: both orders are tried; the second leaves out what the first has found.

Every board is one way of giving at most four steps to at most 15 checkers, hence there are at most
C(18, 4) = 3060 (``MAX_PLAYS``). Kernels have no bounds checks: Python goes through ``fullprime.engine.core.pack``.
"""

from __future__ import annotations

import numpy as np

from fullprime.engine.core.jit import bare_kernel, highest_bit, kernel, lowest_bit, to_int64
from fullprime.engine.core.lanes.board_vector import turn_round
from fullprime.engine.core.layout import (
    BAR,
    HAND,
    LICENCE,
    LICENCE_FREE,
    LICENCE_PERMANENT,
    OFF,
    RULE_ENTERING_MOVE_MAY_HIT,
    RULE_HIT_LICENCE,
    Array,
)
from fullprime.engine.core.moves.licence import list_unlicensed_doubles, set_licences
from fullprime.engine.core.moves.steps import (
    BAR_BIT,
    BAR_SOURCE,
    BLOTS,
    HAND_BIT,
    HAND_SOURCE,
    HOME_BITS,
    LATER_SOURCES,
    OCCUPIED,
    SOURCES,
    TODO,
    blots_after,
    copy_board,
    landing,
    move_checker,
    occupied_after,
    playable_sources,
)

MAX_PLAYS = 3060
"""Rows that an ``out`` must have: no roll has more distinct results with 15 checkers a side."""
SCRATCH = 64
"""int64 words of working memory that ``legal_plays_into`` needs."""

_FOLLOWERS = 20
"""Where the scratch keeps a mask by source when two different dice are played."""


# -- a double -------------------------------------------------------------------------------------------------
@bare_kernel
def _list_doubles(
    die: int, occupied: int, open_points: int, blots: int, rules: Array, out_words: Array, scratch: Array
) -> int:
    """List all results of a double; the board is the first of the scratch. Returns their number, 0 for none."""
    scratch[TODO] = playable_sources(occupied, open_points, die, rules)
    scratch[OCCUPIED] = occupied
    scratch[BLOTS] = blots
    level = best = count = 0
    while level >= 0:
        todo = scratch[TODO + level]
        if todo == 0:
            level -= 1
            continue
        source = highest_bit(todo)
        scratch[TODO + level] = todo & ~(1 << source)
        played = level + 1
        move_checker(scratch, level, die, source, scratch[BLOTS + level], scratch, played)
        now_occupied = occupied_after(scratch[OCCUPIED + level], scratch, played, source, die)
        now_blots = blots_after(scratch[BLOTS + level], source, die)
        more = playable_sources(now_occupied, open_points, die, rules) & LATER_SOURCES[source]
        if more == 0:
            if played > best:
                best = played
                count = 0
            if played == best:
                copy_board(scratch, played, out_words, count)
                count += 1
        elif played == 3:
            if best < 4:
                best = 4
                count = 0
            while more:
                move_checker(scratch, played, die, lowest_bit(more), now_blots, out_words, count)
                more &= more - 1
                count += 1
        else:
            level = played
            scratch[TODO + level] = more
            scratch[OCCUPIED + level] = now_occupied
            scratch[BLOTS + level] = now_blots
    return count


# -- two different dice ---------------------------------------------------------------------------------------
@bare_kernel
def _list_high_first(
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
    """List all results that play the higher die first; fills the followers in the scratch. Returns their number.

    The followers of a source are the places that play the lower die after it has played the higher one.
    """
    count = 0
    for source in range(1, SOURCES):
        scratch[_FOLLOWERS + source] = 0
    todo = playable_sources(occupied, quiet_points, high, rules)
    while todo:
        source = highest_bit(todo)
        todo &= ~(1 << source)
        move_checker(scratch, 0, high, source, blots, scratch, 1)
        now_blots = blots_after(blots, source, high)
        now_open = open_points if landing(source, high) <= 6 else quiet_points
        more = playable_sources(occupied_after(occupied, scratch, 1, source, high), now_open, low, rules)
        scratch[_FOLLOWERS + source] = more
        if source == HAND_SOURCE:
            more &= ~BAR_BIT  # coincidence 1
        behind = source + low
        other_stop = behind - high
        if behind <= BAR_SOURCE and other_stop >= 1 and not blots >> other_stop & 1:  # coincidence 2
            if scratch[_FOLLOWERS + behind] >> other_stop & 1:
                more &= ~(1 << behind)
            if behind == BAR_SOURCE and scratch[_FOLLOWERS + HAND_SOURCE] >> other_stop & 1:
                more &= ~HAND_BIT
        while more:
            move_checker(scratch, 1, low, lowest_bit(more), now_blots, out_words, count)
            more &= more - 1
            count += 1
    return count


@bare_kernel
def _list_low_first(
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
    todo = playable_sources(occupied, quiet_points, low, rules)
    while todo:
        source = lowest_bit(todo)
        todo &= todo - 1
        move_checker(scratch, 0, low, source, blots, scratch, 1)
        now_blots = blots_after(blots, source, low)
        stop, other_stop = landing(source, low), landing(source, high)
        now_open = open_points if stop <= 6 else quiet_points
        more = playable_sources(occupied_after(occupied, scratch, 1, source, low), now_open, high, rules)
        followers = scratch[_FOLLOWERS + source]
        if source == BAR_SOURCE:
            more &= ~HAND_BIT  # coincidence 1
        if other_stop >= 1 and followers >> other_stop & 1 and not (blots >> other_stop | blots >> stop) & 1:
            more &= ~(1 << stop)  # coincidence 2
        if stop <= 0:
            more &= ~(followers & ((2 << low) - 1))  # coincidence 3
        while more:
            second = lowest_bit(more)
            more &= more - 1
            if not scratch[_FOLLOWERS + second] >> source & 1:
                move_checker(scratch, 1, high, second, now_blots, out_words, count)
                count += 1
    return count


@bare_kernel
def _list_two_dice(
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
    """List all results of two different dice; the board is the first of the scratch. Returns their number.

    ``quiet_points`` are the targets open before the licence to hit is earned, the same as ``open_points`` when it is.
    Besides the same two moves in the other order, these are the ways to reach a board twice:

    1. The bar and the hand enter on the same points. Bar by the higher die stands for both ways.
    2. One checker plays both dice, and neither stop on its way is a hit; it may also push on a checker that stands on
       a stop. The way over the higher die stands for all.
    3. Either die bears off either of two checkers.
    """
    count = _list_high_first(high, low, occupied, open_points, quiet_points, blots, rules, out_words, scratch)
    count = _list_low_first(high, low, occupied, open_points, quiet_points, blots, rules, out_words, scratch, count)
    if count == 0:
        # Only one die can be played: the higher one if that is possible.
        die = high
        todo = playable_sources(occupied, quiet_points, high, rules)
        if todo == 0:
            die = low
            todo = playable_sources(occupied, quiet_points, low, rules)
        while todo:
            move_checker(scratch, 0, die, lowest_bit(todo), blots, out_words, count)
            todo &= todo - 1
            count += 1
    return count


# -- the entry points -----------------------------------------------------------------------------------------
@bare_kernel
def legal_plays_into(position: Array, die1: int, die2: int, rules: Array, out: Array, scratch: Array) -> int:
    """List every distinct result of a roll, still seen by the player who made it; returns how many there are.

    ``position`` int8[32], dice 1-6 in any order, ``rules`` int64[5] (``pack.rules_array``), ``out`` int8[n, 32] with
    n >= MAX_PLAYS, ``scratch`` int64[SCRATCH]; all C-contiguous. When nothing can be played the only result is the
    position itself (no play leads back to it, so it can be told apart). Raises ValueError when ``out`` is too small.
    """
    if out.shape[0] < MAX_PLAYS:
        raise ValueError("out has fewer than MAX_PLAYS rows")
    high, low = to_int64(max(die1, die2)), to_int64(min(die1, die2))
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
    occupied |= (BAR_BIT if position[BAR] > 0 else 0) | (HAND_BIT if position[HAND] > 0 else 0)

    licence = rules[RULE_HIT_LICENCE]
    licensed = (
        licence == LICENCE_FREE
        or occupied & HOME_BITS != 0
        or position[OFF] > 0
        or (licence == LICENCE_PERMANENT and position[LICENCE] != 0)
    )
    if high == low:
        if licensed or blots == 0:
            count = _list_doubles(high, occupied, open_points, blots, rules, out_words, scratch)
        else:
            count = list_unlicensed_doubles(high, occupied, open_points, blots, rules, out_words, scratch)
    else:
        quiet_points = open_points
        if not licensed:
            quiet_points &= ~(blots & ~HOME_BITS) if rules[RULE_ENTERING_MOVE_MAY_HIT] else ~blots
        count = _list_two_dice(high, low, occupied, open_points, quiet_points, blots, rules, out_words, scratch)
    if count == 0:
        copy_board(scratch, 0, out_words, 0)
        return 1
    if licence == LICENCE_PERMANENT or position[LICENCE]:
        set_licences(position, rules, out, count)
    return count


@kernel
def legal_plays_batch(positions: Array, dice: Array, rules: Array, first: int, out: Array, ends: Array) -> int:
    """List the results of many rolls, one after the other from row 0 of ``out``.

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


@bare_kernel
def swap_into(position: Array, out: Array) -> None:
    """Write the same board seen by the other player: int8[32] into another int8[32]."""
    turn_round(position, out)


@bare_kernel
def swap_rows(positions: Array, out: Array) -> None:
    """As ``swap_into`` for every row of int8[n, 32]."""
    for i in range(positions.shape[0]):
        swap_into(positions[i], out[i])
