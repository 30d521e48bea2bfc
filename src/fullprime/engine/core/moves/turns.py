"""Whole turns: what a roll can lead to when special rolls give more (Acey Deucey).

A roll that is played completely may give a double of the player's choice, or the double of the other side of the dice,
and then another throw. So a turn ends either with the other player on roll or with the same one.
"""

import numpy as np

from fullprime.engine.core.jit import highest_bit, kernel, lowest_bit
from fullprime.engine.core.layout import BAR, HAND
from fullprime.engine.core.moves.plays import MAX_PLAYS, legal_plays_into, swap_into
from fullprime.engine.core.moves.steps import (
    BAR_BIT,
    BLOTS,
    HAND_BIT,
    OCCUPIED,
    TODO,
    blots_after,
    move_checker,
    occupied_after,
    playable_sources,
)

NOTHING, CHOOSE_DOUBLE, COMPLEMENT, ROLL_AGAIN = range(4)
STAGES = (2, 3)
"""Shape of the follow-ups of a variant: after an acey-deucey, after a double; up to two stages, then NOTHING."""

_SEEN, _FEW = 1 << 19, 1 << 13
"""Places to note ends in, for any turn and for one of up to four checkers."""


@kernel
def plays_every_die(board, high, low, rules, scratch):
    """Whether all dice of a roll (four of a double) can be played; for games without a licence to hit.

    ``board`` int8[32], ``scratch`` int64[`plays.SCRATCH`].
    """
    words = board.view(np.int64)
    for word in range(4):
        scratch[word] = words[word]
    occupied = 0
    open_points = 0
    blots = 0
    for point in range(1, 25):
        checkers = board[point]
        occupied |= (1 if checkers > 0 else 0) << point
        open_points |= (1 if checkers >= -1 else 0) << point
        blots |= (1 if checkers == -1 else 0) << point
    occupied |= (BAR_BIT if board[BAR] > 0 else 0) | (HAND_BIT if board[HAND] > 0 else 0)
    if high != low:
        for turn in range(2):
            first = low if turn else high
            second = high if turn else low
            todo = playable_sources(occupied, open_points, first, rules)
            while todo:
                source = lowest_bit(todo)
                todo &= todo - 1
                move_checker(scratch, 0, first, source, blots, scratch, 1)
                now_occupied = occupied_after(occupied, scratch, 1, source, first)
                if playable_sources(now_occupied, open_points, second, rules):
                    return True
        return False
    scratch[TODO] = playable_sources(occupied, open_points, high, rules)
    scratch[OCCUPIED] = occupied
    scratch[BLOTS] = blots
    level = 0
    while level >= 0:
        todo = scratch[TODO + level]
        if todo == 0:
            level -= 1
            continue
        source = highest_bit(todo)
        scratch[TODO + level] = todo & ~(1 << source)
        if level == 3:
            return True
        move_checker(scratch, level, high, source, scratch[BLOTS + level], scratch, level + 1)
        scratch[OCCUPIED + level + 1] = occupied_after(scratch[OCCUPIED + level], scratch, level + 1, source, high)
        scratch[BLOTS + level + 1] = blots_after(scratch[BLOTS + level], source, high)
        level += 1
        scratch[TODO + level] = playable_sources(scratch[OCCUPIED + level], open_points, high, rules)
    return False


@kernel
def _count_checkers(board):
    """Count the checkers that the player of this board has left."""
    left = np.int64(board[BAR]) + board[HAND]
    for point in range(1, 25):
        left += max(board[point], 0)
    return left


@kernel
def is_gone(board):
    """True when the player of this board has no checker left."""
    return _count_checkers(board) == 0


@kernel
def _add_if_new(boards, again, row, seen):
    """Note row ``row`` in ``seen`` unless an equal row is there already; returns whether it is new."""
    words = boards.reshape(-1).view(np.int64)
    mixed = 1 if again[row] else 0
    for word in range(4):
        mixed = (mixed * 0x9E3779B1 + (int(words[4 * row + word]) & 0x7FFFFFFF)) & 0x7FFFFFFFFFFF
        mixed = (mixed * 0x85EBCA6B + (int(words[4 * row + word]) >> 31 & 0x1FFFFFFFF)) & 0x7FFFFFFFFFFF
    place = (mixed ^ (mixed >> 21)) & (seen.shape[0] - 1)
    while seen[place] >= 0:
        other = seen[place]
        same = again[other] == again[row]
        for word in range(4):
            same = same and words[4 * other + word] == words[4 * row + word]
        if same:
            return False
        place = (place + 1) & (seen.shape[0] - 1)
    seen[place] = row
    return True


@kernel
def stages_of(high, low, follow_ups):
    """Give what a roll brings when it is played completely, and what comes after that."""
    if high == 2 and low == 1:
        return follow_ups[0, 0], follow_ups[0, 1]
    if high == low:
        return follow_ups[1, 0], follow_ups[1, 1]
    return np.int64(NOTHING), np.int64(NOTHING)


@kernel
def list_second_doubles(middle, stage, next_stage, high, rules, boards, again, end, plays, play_scratch, seen):
    """List every end of a turn whose first roll has led to ``middle`` and which goes on with a double; as `list_turns`.

    With an empty ``seen`` the same end may be stored twice. The second half of ``plays`` is used.
    """
    first = 1
    last = 6
    if stage == COMPLEMENT:
        first = 7 - high
        last = first
    for die in range(first, last + 1):
        if boards.shape[0] - end < MAX_PLAYS:
            raise ValueError("boards has too few rows for this turn")
        once_more = next_stage == ROLL_AGAIN and plays_every_die(middle, die, die, rules, play_scratch)
        more = legal_plays_into(middle, die, die, rules, plays[MAX_PLAYS:], play_scratch)
        for j in range(more):
            result = plays[MAX_PLAYS + j]
            again[end] = once_more and not is_gone(result)
            if again[end]:
                boards[end] = result
            else:
                swap_into(result, boards[end])
            if seen.shape[0] == 0 or _add_if_new(boards, again, end, seen):
                end += 1
    return end


@kernel
def list_turns(board, high, low, rules, follow_ups, boards, again, start, plays, play_scratch):
    """List every way to end a turn that begins with a roll, from row ``start`` of ``boards``; returns where they end.

    No end is stored twice. Rows are seen by the player who rolls next: the other one, or the same one where ``again``
    is set. ``follow_ups`` int64[2, 3] (see STAGES), ``plays`` int8[>= 2 MAX_PLAYS, 32]. Raises ValueError when
    ``boards`` is too small.
    """
    stage, next_stage = stages_of(high, low, follow_ups)
    end = start
    if stage == NOTHING or not plays_every_die(board, high, low, rules, play_scratch):
        count = legal_plays_into(board, high, low, rules, plays, play_scratch)
        for i in range(count):
            swap_into(plays[i], boards[end])
            again[end] = False
            end += 1
        return end
    # At most one stage plays dice again, so that two levels are enough: the roll, and a double after it.
    count = legal_plays_into(board, high, low, rules, plays[:MAX_PLAYS], play_scratch)
    seen = np.full(1 if stage == ROLL_AGAIN else _SEEN if _count_checkers(board) > 4 else _FEW, -1, np.int64)
    for i in range(count):
        middle = plays[i]
        if is_gone(middle):
            swap_into(middle, boards[end])
            again[end] = False
            end += 1
        elif stage == ROLL_AGAIN:
            boards[end] = middle
            again[end] = True
            end += 1
        else:
            end = list_second_doubles(
                middle, stage, next_stage, high, rules, boards, again, end, plays, play_scratch, seen
            )
    return end
