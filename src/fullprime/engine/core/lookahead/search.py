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
    make_sane,
    net_outputs,
    note_masks,
    race_between,
    scratch_for,
    settle,
    split_by_phase,
)

ROLLS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], np.int64)
"""The 21 different rolls, in the order of the columns that `expand` fills."""
WEIGHTS = np.array([1.0 if high == low else 2.0 for high, low in ROLLS], np.float64) / 36.0
"""Their chances."""

OUT = np.float32(1e9)
"""The cost of what has fallen out of the choice."""


class Bench(NamedTuple):
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


def bench_for(nets: Nets) -> Bench:
    """Working memory for nets of these widths."""
    room = len(ROLLS) * MAX_PLAYS
    return Bench(
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
        small=scratch_for(nets.small),
        contact=scratch_for(nets.contact),
        race=scratch_for(nets.race),
        back_game=scratch_for(nets.back_game),
    )


@bare_kernel
def _cost(values, at, worth):
    """Equity of the player who moves next: linear in the outputs, the constant last."""
    cost = worth[OUTPUTS]
    for k in range(OUTPUTS):
        cost += worth[k] * values[at, k]
    return cost


@bare_kernel
def ask(net, per_checker, bench, chosen, count, worth, scratch):
    """Values and costs of the chosen boards by one net."""
    boards = bench.boards
    masks = bench.masks
    net_outputs(net, boards, masks, chosen, count, bench.values, scratch)
    for j in range(count):
        at = chosen[j]
        race = race_between(boards, at, masks[at, 0], masks[at, 1])
        make_sane(boards, at, masks[at, 0], masks[at, 1], race, per_checker, bench.values)
        bench.costs[at] = _cost(bench.values, at, worth)


@bare_kernel
def phase_part(nets, bench, phase):
    """The net of a phase, where its boards are listed, and its working memory."""
    if phase == CONTACT:
        return nets.contact, bench.chosen, bench.contact
    if phase == RACE:
        return nets.race, bench.races, bench.race
    return nets.back_game, bench.back_games, bench.back_game


@bare_kernel
def _ask_by_phase(nets, bench, count, worth):
    """Values and costs of the first ``count`` of ``chosen``, each by the net of its phase."""
    counts = split_by_phase(bench.boards, bench.masks, bench.chosen, count, bench.races, bench.back_games)
    for phase in range(PHASES):  # one call for all nets: what is compiled for each is large
        net, chosen, scratch = phase_part(nets, bench, phase)
        ask(net, nets.per_checker, bench, chosen, counts[phase], worth, scratch)


@bare_kernel
def settled(nets, bench, count, worth):
    """Give finished games their exact values; list the others in ``chosen`` and return how many there are."""
    masks = bench.masks
    running = 0
    for at in range(count):
        note_masks(bench.boards, at, masks)
        bench.over[at] = settle(bench.boards, at, masks[at, 0], masks[at, 1], nets.per_checker, bench.values, at)
        if bench.over[at]:
            bench.costs[at] = _cost(bench.values, at, worth)
        else:
            bench.chosen[running] = at
            running += 1
    return running


@bare_kernel
def finalists(bench, rolls, most, near):
    """For each roll the best few by the costs so far; the others are priced out. Returns how many are to be asked."""
    count = 0
    for roll in range(rolls):
        start = bench.first[roll]
        stop = bench.first[roll + 1]
        best = OUT
        for at in range(start, stop):
            best = min(best, bench.costs[at])
        bar = best
        for _ in range(most - 1):
            above = OUT
            for at in range(start, stop):
                if bar < bench.costs[at] < above:
                    above = bench.costs[at]
            if above > best + near:
                break
            bar = above
        for at in range(start, stop):
            if bench.costs[at] > bar:
                bench.costs[at] = OUT
            elif not bench.over[at]:
                bench.chosen[count] = at
                count += 1
    return count


@bare_kernel
def cheapest(bench, roll):
    """The row of the least cost among the plays of a roll; the first among equals."""
    best = bench.first[roll]
    for at in range(best + 1, bench.first[roll + 1]):
        if bench.costs[at] < bench.costs[best]:
            best = at
    return best


@bare_kernel
def next_cheapest(bench, roll, after):
    """The row of a roll that comes next by cost after row ``after``, which is returned when all others are out."""
    found = -1
    for at in range(bench.first[roll], bench.first[roll + 1]):
        cost = bench.costs[at]
        beyond = cost > bench.costs[after] or (cost == bench.costs[after] and at > after)
        if beyond and cost < OUT and (found < 0 or cost < bench.costs[found]):
            found = at
    return found if found >= 0 else after


@bare_kernel
def _gather(board, die1, die2, rules, bench, at):
    """Boards after every play of a roll, seen by the next player, from row ``at``; returns where they end."""
    count = legal_plays_into(board, die1, die2, rules, bench.plays, bench.play_scratch)
    for i in range(count):
        swap_into(bench.plays[i], bench.boards[at + i])
    return at + count


@bare_kernel
def expand(nets, boards, rules, worth, most, near, bench, children, values):
    """The best plays of each of the 21 rolls for every one of ``boards`` (n, 32).

    ``children`` (n, 21, k, 32) and ``values`` (n, 21, k, 5) are the boards after them and their outputs, the best one
    first, seen by the next player; where a roll has fewer than k the last one is repeated. ``worth`` (6,) says what
    that player's outputs are worth to him. Where the nets are filtered, the small net sees every play and the others
    the best ``most`` within ``near``. Finished games have exact values; a board that is finished itself is its own
    child, with the values it has for the player on roll turned round.
    """
    rolls = ROLLS.shape[0]
    for j in range(boards.shape[0]):
        bench.first[0] = 0
        for roll in range(rolls):
            bench.first[roll + 1] = _gather(boards[j], ROLLS[roll, 0], ROLLS[roll, 1], rules, bench, bench.first[roll])
        running = settled(nets, bench, bench.first[rolls], worth)
        if nets.filtered:
            ask(nets.small, nets.per_checker, bench, bench.chosen, running, worth, bench.small)
            running = finalists(bench, rolls, most, near)
        _ask_by_phase(nets, bench, running, worth)
        for roll in range(rolls):
            row = cheapest(bench, roll)
            for place in range(children.shape[2]):
                if place:
                    row = next_cheapest(bench, roll, row)
                for k in range(32):
                    children[j, roll, place, k] = bench.boards[row, k]
                for k in range(OUTPUTS):
                    values[j, roll, place, k] = bench.values[row, k]


@bare_kernel
def choose_plays(nets, boards, dice, rules, worth, most, near, bench, children, values):
    """`expand` for one roll of each board: ``dice`` (n, 2), ``children`` (n, 32), ``values`` (n, 5)."""
    for j in range(boards.shape[0]):
        bench.first[0] = 0
        bench.first[1] = _gather(boards[j], dice[j, 0], dice[j, 1], rules, bench, 0)
        running = settled(nets, bench, bench.first[1], worth)
        if nets.filtered and bench.first[1] > most:
            ask(nets.small, nets.per_checker, bench, bench.chosen, running, worth, bench.small)
            running = finalists(bench, 1, most, near)
        _ask_by_phase(nets, bench, running, worth)
        best = cheapest(bench, 0)
        for k in range(32):
            children[j, k] = bench.boards[best, k]
        for k in range(OUTPUTS):
            values[j, k] = bench.values[best, k]
