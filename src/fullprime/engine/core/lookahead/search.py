"""One ply of look-ahead for whole batches: every roll's best play and what the nets think of the board after it.

This is the primitive of search and rollouts: deeper look-ahead expands what it has expanded.
"""

from typing import NamedTuple

import numpy as np

from fullprime.engine.core.jit import bare_kernel
from fullprime.engine.core.moves.plays import MAX_PLAYS, SCRATCH, legal_plays_into, swap_into
from fullprime.engine.core.nets.network import (
    CONTACT,
    OUTPUTS,
    PHASES,
    RACE,
    Nets,
    Scratch,
    is_race,
    limit_outputs,
    make_scratch,
    net_outputs,
    settle,
    split_by_phase,
    store_masks,
)

ROLLS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], np.int64)
"""The 21 different rolls, in the order of the columns that `expand_plays` fills."""
WEIGHTS = np.array([1.0 if high == low else 2.0 for high, low in ROLLS], np.float64) / 36.0
"""Their chances."""

PRUNED = np.float32(1e9)
"""The cost of a play that is not looked at any more."""


class SearchBuffers(NamedTuple):
    """Working memory of one thread. ``costs`` are equities of the player who moves next: less is better."""

    boards: np.ndarray
    values: np.ndarray
    costs: np.ndarray
    over: np.ndarray
    masks: np.ndarray
    chosen: np.ndarray
    races: np.ndarray
    back_games: np.ndarray
    plays: np.ndarray
    play_scratch: np.ndarray
    first: np.ndarray
    small: Scratch
    contact: Scratch
    race: Scratch
    back_game: Scratch


def make_search_buffers(nets: Nets) -> SearchBuffers:
    """Working memory for nets of these widths."""
    room = len(ROLLS) * MAX_PLAYS
    return SearchBuffers(
        boards=np.empty((room, 32), np.int8),
        values=np.empty((room, OUTPUTS), np.float32),
        costs=np.empty(room, np.float32),
        over=np.empty(room, np.bool_),
        masks=np.empty((room, 4), np.int64),
        chosen=np.empty(room, np.int64),
        races=np.empty(room, np.int64),
        back_games=np.empty(room, np.int64),
        plays=np.empty((MAX_PLAYS, 32), np.int8),
        play_scratch=np.empty(SCRATCH, np.int64),
        first=np.empty(len(ROLLS) + 1, np.int64),
        small=make_scratch(nets.small),
        contact=make_scratch(nets.contact),
        race=make_scratch(nets.race),
        back_game=make_scratch(nets.back_game),
    )


@bare_kernel
def _cost(values, at, worth):
    """Equity of the player who moves next: linear in the outputs, the constant last."""
    cost = worth[OUTPUTS]
    for k in range(OUTPUTS):
        cost += worth[k] * values[at, k]
    return cost


@bare_kernel
def evaluate_chosen(net, per_checker, buffers, chosen, count, worth, scratch):
    """Fill in the values and costs of the chosen boards by one net."""
    boards = buffers.boards
    masks = buffers.masks
    net_outputs(net, boards, masks, chosen, count, buffers.values, scratch)
    for j in range(count):
        at = chosen[j]
        race = is_race(boards, at, masks[at, 0], masks[at, 1])
        limit_outputs(boards, at, masks[at, 0], masks[at, 1], race, per_checker, buffers.values)
        buffers.costs[at] = _cost(buffers.values, at, worth)


@bare_kernel
def select_phase(nets, buffers, phase):
    """Give the net of a phase, the list of its boards, and its working memory."""
    if phase == CONTACT:
        return nets.contact, buffers.chosen, buffers.contact
    if phase == RACE:
        return nets.race, buffers.races, buffers.race
    return nets.back_game, buffers.back_games, buffers.back_game


@bare_kernel
def _evaluate_by_phase(nets, buffers, count, worth):
    """Fill in the values and costs of the first ``count`` of ``chosen``, each by the net of its phase."""
    counts = split_by_phase(buffers.boards, buffers.masks, buffers.chosen, count, buffers.races, buffers.back_games)
    for phase in range(PHASES):  # one call for all nets: what is compiled for each is large
        net, chosen, scratch = select_phase(nets, buffers, phase)
        evaluate_chosen(net, nets.per_checker, buffers, chosen, counts[phase], worth, scratch)


@bare_kernel
def settle_finished(nets, buffers, count, worth):
    """Give finished games their exact values; list the others in ``chosen`` and return how many there are."""
    masks = buffers.masks
    running = 0
    for at in range(count):
        store_masks(buffers.boards, at, masks)
        buffers.over[at] = settle(buffers.boards, at, masks[at, 0], masks[at, 1], nets.per_checker, buffers.values, at)
        if buffers.over[at]:
            buffers.costs[at] = _cost(buffers.values, at, worth)
        else:
            buffers.chosen[running] = at
            running += 1
    return running


@bare_kernel
def prune_plays(buffers, rolls, most, near):
    """Keep the best few plays of each roll by the costs so far, and return how many the large nets evaluate."""
    count = 0
    for roll in range(rolls):
        start = buffers.first[roll]
        stop = buffers.first[roll + 1]
        best = PRUNED
        for at in range(start, stop):
            best = min(best, buffers.costs[at])
        bar = best
        for _ in range(most - 1):
            above = PRUNED
            for at in range(start, stop):
                if bar < buffers.costs[at] < above:
                    above = buffers.costs[at]
            if above > best + near:
                break
            bar = above
        for at in range(start, stop):
            if buffers.costs[at] > bar:
                buffers.costs[at] = PRUNED
            elif not buffers.over[at]:
                buffers.chosen[count] = at
                count += 1
    return count


@bare_kernel
def find_cheapest(buffers, roll):
    """Find the row of the least cost among the plays of a roll; the first among equals."""
    best = buffers.first[roll]
    for at in range(best + 1, buffers.first[roll + 1]):
        if buffers.costs[at] < buffers.costs[best]:
            best = at
    return best


@bare_kernel
def find_next_cheapest(buffers, roll, after):
    """Find the row of a roll that comes next by cost after row ``after``; the same row when all others are pruned."""
    next_row = -1
    for at in range(buffers.first[roll], buffers.first[roll + 1]):
        cost = buffers.costs[at]
        beyond = cost > buffers.costs[after] or (cost == buffers.costs[after] and at > after)
        if beyond and cost < PRUNED and (next_row < 0 or cost < buffers.costs[next_row]):
            next_row = at
    return next_row if next_row >= 0 else after


@bare_kernel
def _list_boards_after(board, die1, die2, rules, buffers, at):
    """Write the boards after every play of a roll, seen by the next player, from row ``at``; returns where they end."""
    count = legal_plays_into(board, die1, die2, rules, buffers.plays, buffers.play_scratch)
    for i in range(count):
        swap_into(buffers.plays[i], buffers.boards[at + i])
    return at + count


@bare_kernel
def expand_plays(nets, boards, rules, worth, most, near, buffers, children, values):
    """Find the best plays of each of the 21 rolls for every one of ``boards`` (n, 32).

    ``children`` (n, 21, k, 32) and ``values`` (n, 21, k, 5) are the boards after them and their outputs, the best one
    first, seen by the next player; where a roll has fewer than k the last one is repeated. ``worth`` (6,) says what
    that player's outputs are worth to him. Where the nets are filtered, the small net sees every play and the others
    the best ``most`` within ``near``. Finished games have exact values; a board that is finished itself is its own
    child, with the values it has for the player on roll turned round.
    """
    rolls = ROLLS.shape[0]
    for j in range(boards.shape[0]):
        buffers.first[0] = 0
        for roll in range(rolls):
            buffers.first[roll + 1] = _list_boards_after(
                boards[j], ROLLS[roll, 0], ROLLS[roll, 1], rules, buffers, buffers.first[roll]
            )
        running = settle_finished(nets, buffers, buffers.first[rolls], worth)
        if nets.filtered:
            evaluate_chosen(nets.small, nets.per_checker, buffers, buffers.chosen, running, worth, buffers.small)
            running = prune_plays(buffers, rolls, most, near)
        _evaluate_by_phase(nets, buffers, running, worth)
        for roll in range(rolls):
            row = find_cheapest(buffers, roll)
            for place in range(children.shape[2]):
                if place:
                    row = find_next_cheapest(buffers, roll, row)
                for k in range(32):
                    children[j, roll, place, k] = buffers.boards[row, k]
                for k in range(OUTPUTS):
                    values[j, roll, place, k] = buffers.values[row, k]


@bare_kernel
def choose_plays(nets, boards, dice, rules, worth, most, near, buffers, children, values):
    """As `expand_plays` for one roll of each board: ``dice`` (n, 2), ``children`` (n, 32), ``values`` (n, 5)."""
    for j in range(boards.shape[0]):
        buffers.first[0] = 0
        buffers.first[1] = _list_boards_after(boards[j], dice[j, 0], dice[j, 1], rules, buffers, 0)
        running = settle_finished(nets, buffers, buffers.first[1], worth)
        if nets.filtered and buffers.first[1] > most:
            evaluate_chosen(nets.small, nets.per_checker, buffers, buffers.chosen, running, worth, buffers.small)
            running = prune_plays(buffers, 1, most, near)
        _evaluate_by_phase(nets, buffers, running, worth)
        best = find_cheapest(buffers, 0)
        for k in range(32):
            children[j, k] = buffers.boards[best, k]
        for k in range(OUTPUTS):
            values[j, k] = buffers.values[best, k]
