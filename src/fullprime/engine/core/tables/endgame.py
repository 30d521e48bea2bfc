"""Kernels of the exact endgame tables: every position of a few checkers a side, with contact, by the rules of any game.

A side is the sorted list of the places its checkers stand on (0 off, 1-24 points, 25 bar) and has a number
(`all_places` lists them); a position is the pair (player on roll, other side), each numbered by its owner. Solved by
policy iteration: every position's best ends for the 21 rolls are looked up once and their values then go round until
they stand still. Positions are taken in the order of their pips, so that a race is right the first time.
"""

import numpy as np

from fullprime.engine.core.jit import highest_bit, kernel, lowest_bit
from fullprime.engine.core.layout import BAR, HAND, OFF, THEIR_BAR, THEIR_HAND, THEIR_OFF
from fullprime.engine.core.lookahead.search import ROLLS, WEIGHTS
from fullprime.engine.core.moves.plays import MAX_PLAYS, SCRATCH
from fullprime.engine.core.moves.turns import list_turns
from fullprime.engine.core.nets.features import masks_of
from fullprime.engine.core.nets.network import equity_of, settle

OUTPUTS = 5
PLACES = 26


@kernel
def number_of(checkers, a, b, c):
    """The number of a side of at most three checkers that stand on a <= b <= c; with fewer the first ones are 0."""
    if checkers == 3:
        return (c * (c + 1) * (c + 2)) // 6 + (b * (b + 1)) // 2 + a
    if checkers == 2:
        return (c * (c + 1)) // 2 + b
    return c


@kernel
def all_places(checkers):
    """The places (n, 3) of every side, by number."""
    first = PLACES if checkers > 2 else 1
    second = PLACES if checkers > 1 else 1
    out = np.zeros((PLACES * (PLACES + 1) * (PLACES + 2) // 6, 3), np.int64)
    count = 0
    for c in range(PLACES):
        for b in range(min(c + 1, second)):
            for a in range(min(b + 1, first)):
                out[count, 0] = a
                out[count, 1] = b
                out[count, 2] = c
                count += 1
    return out[:count].copy()


@kernel
def number_from(mask, board, checkers, turn):
    """The number of the side that stands on the places of ``mask``; with ``turn`` the other side's, places reversed."""
    a = b = c = 0
    while mask:
        at = highest_bit(mask) if turn else lowest_bit(mask)
        mask &= ~(1 << at)
        place = 25 - at if turn else at
        for _ in range(abs(np.int64(board[at]))):
            a = b
            b = c
            c = place
    return number_of(checkers, a, b, c)


@kernel
def set_board(board, own, other, total):
    """Write a position of sides with ``total`` checkers each; False where both stand on one point."""
    board[:] = 0
    left = 0
    for place in own:
        if place:
            board[place] += 1
            left += 1
    board[OFF] = total - left
    left = 0
    for place in other:
        if place:
            if board[25 - place] > 0:
                return False
            board[25 - place] -= 1
            left += 1
    board[THEIR_OFF] = total - left
    return True


@kernel
def guess_values(places, total, per_checker, out, equity):
    """Fill in the outputs (n, n, 5) of finished games, a guess by the pips for the others; equities (n, n) likewise."""
    count = places.shape[0]
    board = np.zeros((1, 32), np.int8)
    one = np.zeros((1, OUTPUTS), np.float32)
    for i in range(count):
        own_pips = places[i].sum()
        for j in range(count):
            out[i, j, :] = 0
            equity[i, j] = 0
            if own_pips and places[j].sum():
                ahead = (places[j].sum() - own_pips + 4.0) / (places[j].sum() + own_pips)
                equity[i, j] = ahead
            elif own_pips or places[j].sum():
                set_board(board[0], places[i], places[j], total)
                own, other, _, _ = masks_of(board, 0)
                settle(board, 0, own, other, per_checker, one, 0)
                for k in range(OUTPUTS):
                    out[i, j, k] = one[0, k]
                equity[i, j] = equity_of(one, 0, per_checker)


@kernel
def improve_policy(order, checkers, places, total, rules, follow_ups, equity, policy):
    """Find the best end of every roll for the positions of ``order`` (pairs as one number), and keep it in ``policy``.

    ``policy`` (n * n, 21) holds the pair that follows, or its complement (~) where the same player rolls again.
    ``equity`` is kept up to date on the way; returns the largest change.
    """
    count = places.shape[0]
    board = np.zeros(32, np.int8)
    boards = np.empty((8 * MAX_PLAYS, 32), np.int8)
    again = np.zeros(8 * MAX_PLAYS, np.bool_)
    plays = np.empty((2 * MAX_PLAYS, 32), np.int8)
    scratch = np.empty(SCRATCH, np.int64)
    flat = equity.reshape(-1)
    largest = 0.0
    for pair in order:
        other_side = pair % count
        set_board(board, places[pair // count], places[other_side], total)
        waiting = -board[THEIR_BAR]
        mean = 0.0
        for roll in range(ROLLS.shape[0]):
            end = list_turns(board, ROLLS[roll, 0], ROLLS[roll, 1], rules, follow_ups, boards, again, 0, plays, scratch)
            best = -1e9
            chosen = np.int64(0)
            for at in range(end):
                own, other, _, _ = masks_of(boards, at)
                if again[at]:
                    mine = number_from(own, boards[at], checkers, False)
                    hit = -boards[at, THEIR_BAR] != waiting
                    theirs = number_from(other, boards[at], checkers, True) if hit else other_side
                    child = mine * count + theirs
                else:
                    mine = number_from(other, boards[at], checkers, True)
                    hit = boards[at, BAR] != waiting
                    theirs = number_from(own, boards[at], checkers, False) if hit else other_side
                    child = theirs * count + mine
                value = flat[child] if again[at] else -flat[child]
                if value > best:
                    best = value
                    chosen = ~child if again[at] else child
            policy[pair, roll] = chosen
            mean += WEIGHTS[roll] * best
        largest = max(largest, abs(mean - flat[pair]))
        flat[pair] = mean
    return largest


@kernel
def evaluate_equities(order, policy, equity):
    """Evaluate a policy by one round of the equities (n, n); returns the largest change."""
    flat = equity.reshape(-1)
    largest = 0.0
    for pair in order:
        mean = 0.0
        for roll in range(ROLLS.shape[0]):
            child = policy[pair, roll]
            mean += WEIGHTS[roll] * (flat[~child] if child < 0 else -flat[child])
        largest = max(largest, abs(mean - flat[pair]))
        flat[pair] = mean
    return largest


@kernel
def evaluate_outputs(order, policy, outputs):
    """Evaluate a policy by one round of the outputs (n, n, 5); returns the largest change."""
    flat = outputs.reshape(-1, OUTPUTS)
    largest = 0.0
    mean = np.zeros(OUTPUTS, np.float64)
    for pair in order:
        mean[:] = 0.0
        for roll in range(ROLLS.shape[0]):
            child = policy[pair, roll]
            weight = WEIGHTS[roll]
            if child < 0:
                for k in range(OUTPUTS):
                    mean[k] += weight * flat[~child, k]
            else:
                mean[0] += weight * (1.0 - flat[child, 0])
                mean[1] += weight * flat[child, 3]
                mean[2] += weight * flat[child, 4]
                mean[3] += weight * flat[child, 1]
                mean[4] += weight * flat[child, 2]
        for k in range(OUTPUTS):
            largest = max(largest, abs(mean[k] - flat[pair, k]))
            flat[pair, k] = mean[k]
    return largest


@kernel
def look_up(rows, checkers, total, table, scale, columns, covered, out):
    """Look up the outputs (n, 5) of the rows that the table (n, n, columns) covers, finished games left out.

    ``covered`` (n,) gets which rows those are; ``columns`` says which output each column is; ``scale`` is what one unit
    of the table is worth.
    """
    for i in range(rows.shape[0]):
        row = rows[i]
        covered[i] = (
            total - checkers <= row[OFF] < total
            and total - checkers <= row[THEIR_OFF] < total
            and row[HAND] == 0
            and row[THEIR_HAND] == 0
        )
        if covered[i]:
            own = np.int64(row[BAR])
            other = -np.int64(row[THEIR_BAR])
            for point in range(1, 25):
                own += max(row[point], 0)
                other += max(-row[point], 0)
            covered[i] = own == total - row[OFF] and other == total - row[THEIR_OFF]
        if covered[i]:
            for k in range(OUTPUTS):
                out[i, k] = 0.0
            mine, theirs, _, _ = masks_of(rows, i)
            first = number_from(mine, row, checkers, False)
            second = number_from(theirs, row, checkers, True)
            for k in range(columns.shape[0]):
                out[i, columns[k]] = table[first, second, k] * scale


@kernel
def look_up_steps(rows, checkers, total, table, scale, columns, covered, out):
    """The same for a table of 16 bits, each number of which is a step of a chance: another type, other machine code."""
    look_up(rows, checkers, total, table, scale, columns, covered, out)


@kernel
def have_contact(order, places):
    """Which pairs (n,) are no races: somewhere a checker still has one of the other side before it."""
    count = places.shape[0]
    out = np.zeros(order.shape[0], np.bool_)
    for i in range(order.shape[0]):
        out[i] = places[order[i] // count, 2] + places[order[i] % count, 2] > 25
    return out
