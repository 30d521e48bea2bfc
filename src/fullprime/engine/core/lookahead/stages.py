"""Special rolls of Acey Deucey in look-ahead: the most promising boards between two stages, and what they lead to.

A 2-1 with the double of one's choice can end in more than a hundred thousand ways (`turns.list_turns` makes them all).
Most of them begin with a poor 2-1: here a net judges the boards after it, its player still on roll, and only the
best few are played on with every double.
"""

import numpy as np

from fullprime.engine.core.jit import kernel
from fullprime.engine.core.moves.plays import MAX_PLAYS, legal_plays_into, swap_into
from fullprime.engine.core.moves.turns import (
    NOTHING,
    ROLL_AGAIN,
    is_gone,
    list_second_doubles,
    list_turns,
    plays_every_die,
    stages_of,
)
from fullprime.engine.core.nets.network import equity_of, net_outputs, settle, store_masks

MIDDLES = 4
"""Boards between two stages that are played on where a turn is chosen."""
GLANCE = 2
"""The same inside look-ahead and in self-play, where every one of them costs the plays of six doubles."""
ROOM = 128 * MAX_PLAYS
"""Rows for the ends of all 21 rolls of a position: far more than there ever are."""

_LEAST = np.float32(-1e9)


@kernel
def _keep_best_middles(net, per_checker, most, boards, values, masks, chosen, start, count, kept, scratch):
    """Copy the best ``most`` of the boards from row ``start`` into ``kept``; finished games count as best."""
    running = 0
    for at in range(start, start + count):
        store_masks(boards, at, masks)
        if not settle(boards, at, masks[at, 0], masks[at, 1], per_checker, values, at):
            chosen[running] = at
            running += 1
    net_outputs(net, boards, masks, chosen, running, values, scratch)
    best_count = min(most, count)
    equities = np.empty(count, np.float32)
    for i in range(count):
        equities[i] = equity_of(values, start + i, per_checker)
    for k in range(best_count):
        best = 0
        for i in range(1, count):
            if equities[i] > equities[best]:
                best = i
        equities[best] = _LEAST
        kept[k, :] = boards[start + best]
    return best_count


@kernel
def list_likely_turns(
    board,
    high,
    low,
    rules,
    follow_ups,
    most,
    net,
    per_checker,
    boards,
    values,
    masks,
    chosen,
    again,
    start,
    plays,
    play_scratch,
    scratch,
):
    """`turns.list_turns`, but of a roll with a further double only the best ``most`` beginnings are played on.

    ``net`` with its ``scratch`` judges them; ``values`` (n, 5), ``masks`` (n, 4) and ``chosen`` (n,) are working
    memory beside ``boards``. The same end may be stored twice. With ``most`` 0 nothing is left out.
    """
    if boards.shape[0] - start < MAX_PLAYS:
        raise ValueError("boards has too few rows for this turn")
    stage, next_stage = stages_of(high, low, follow_ups)
    if stage in (NOTHING, ROLL_AGAIN) or most == 0:
        return list_turns(board, high, low, rules, follow_ups, boards, again, start, plays, play_scratch)
    if not plays_every_die(board, high, low, rules, play_scratch):
        count = legal_plays_into(board, high, low, rules, plays, play_scratch)
        for i in range(count):
            swap_into(plays[i], boards[start + i])
            again[start + i] = False
        return start + count
    count = legal_plays_into(board, high, low, rules, plays, play_scratch)
    for i in range(count):
        boards[start + i] = plays[i]
    kept = np.empty((most, 32), np.int8)
    unnoted = np.empty(0, np.int64)
    middles = _keep_best_middles(net, per_checker, most, boards, values, masks, chosen, start, count, kept, scratch)
    end = start
    for k in range(middles):
        middle = kept[k]
        if is_gone(middle):
            swap_into(middle, boards[end])
            again[end] = False
            end += 1
            continue
        end = list_second_doubles(
            middle, stage, next_stage, high, rules, boards, again, end, plays, play_scratch, unnoted
        )
    return end
