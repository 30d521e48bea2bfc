"""One ply of look-ahead where rolls give more than two dice: every roll's best whole turn (Acey Deucey).

The twin of `search` for such games. A board after a turn belongs to whoever rolls next, which ``again`` says is the
same player; costs are always those of the other one.
"""

from typing import NamedTuple

import numpy as np

from fullprime.engine.core.jit import bare_kernel, kernel
from fullprime.engine.core.lookahead.search import (
    ROLLS,
    Bench,
    ask,
    bench_for,
    cheapest,
    finalists,
    phase_part,
    settled,
)
from fullprime.engine.core.lookahead.stages import ROOM, likely_turns_into
from fullprime.engine.core.moves.plays import MAX_PLAYS
from fullprime.engine.core.nets.network import OUTPUTS, PHASES, split_by_phase


class TurnBench(NamedTuple):
    """Working memory of one thread: a bench with room for whole turns, and where the same player rolls next."""

    bench: Bench
    again: np.ndarray


def turn_bench_for(nets):
    """Working memory for nets of these widths."""
    bench = bench_for(nets)._replace(
        boards=np.empty((ROOM, 32), np.int8),
        values=np.empty((ROOM, OUTPUTS), np.float32),
        costs=np.empty(ROOM, np.float32),
        over=np.empty(ROOM, np.bool_),
        masks=np.empty((ROOM, 4), np.int64),
        chosen=np.empty(ROOM, np.int64),
        races=np.empty(ROOM, np.int64),
        back_games=np.empty(ROOM, np.int64),
        plays=np.empty((2 * MAX_PLAYS, 32), np.int8),
    )
    return TurnBench(bench, np.zeros(ROOM, np.bool_))


@bare_kernel
def _turned_cost(values, at, worth):
    """What a board is worth to the other player than the one who rolls there."""
    win = np.float32(1) - values[at, 0]
    cost = worth[OUTPUTS] + worth[0] * win
    cost += worth[1] * values[at, 3] + worth[2] * values[at, 4]
    return cost + worth[3] * values[at, 1] + worth[4] * values[at, 2]


@bare_kernel
def _ask_turns(net, nets, turns, chosen, count, worth, scratch):
    bench = turns.bench
    ask(net, nets.per_checker, bench, chosen, count, worth, scratch)
    for j in range(count):
        at = chosen[j]
        if turns.again[at]:
            bench.costs[at] = _turned_cost(bench.values, at, worth)


@bare_kernel
def _ask_by_phase(nets, turns, count, worth):
    bench = turns.bench
    counts = split_by_phase(bench.boards, bench.masks, bench.chosen, count, bench.races, bench.back_games)
    for phase in range(PHASES):
        net, chosen, scratch = phase_part(nets, bench, phase)
        _ask_turns(net, nets, turns, chosen, counts[phase], worth, scratch)


@kernel
def turns_of(nets, board, high, low, rules, follow_ups, middles, turns, at):
    """The ends of the turns of a roll from row ``at``; returns where they end. ``middles``: see `stages`."""
    bench = turns.bench
    return likely_turns_into(
        board,
        high,
        low,
        rules,
        follow_ups,
        middles,
        nets.small,
        nets.per_checker,
        bench.boards,
        bench.values,
        bench.masks,
        bench.chosen,
        turns.again,
        at,
        bench.plays,
        bench.play_scratch,
        bench.small,
    )


@bare_kernel
def judge_rolls(nets, rolls, worth, most, near, turns):
    """Values and costs of the ends of the first ``rolls`` rolls, the best few of each by the large nets."""
    bench = turns.bench
    running = settled(nets, bench, bench.first[rolls], worth)
    if nets.filtered:
        _ask_turns(nets.small, nets, turns, bench.chosen, running, worth, bench.small)
        running = finalists(bench, rolls, most, near)
    _ask_by_phase(nets, turns, running, worth)


@kernel
def _best_of_rolls(nets, rolls, worth, most, near, turns, j, children, again, values):
    bench = turns.bench
    judge_rolls(nets, rolls, worth, most, near, turns)
    for roll in range(rolls):
        best = cheapest(bench, roll)
        children[j, roll, :] = bench.boards[best]
        again[j, roll] = turns.again[best]
        for k in range(OUTPUTS):
            values[j, roll, k] = bench.values[best, k]


@kernel
def expand_turns(nets, boards, rules, follow_ups, middles, worth, most, near, turns, children, again, values):
    """`search.expand` with whole turns: ``again`` (n, 21) says where the same player rolls next.

    ``children`` and ``values`` are seen by whoever that is; ``worth`` is that of the player who waits now.
    """
    rolls = ROLLS.shape[0]
    first = turns.bench.first
    for j in range(boards.shape[0]):
        first[0] = 0
        for roll in range(rolls):
            first[roll + 1] = turns_of(
                nets, boards[j], ROLLS[roll, 0], ROLLS[roll, 1], rules, follow_ups, middles, turns, first[roll]
            )
        _best_of_rolls(nets, rolls, worth, most, near, turns, j, children, again, values)


@kernel
def choose_turns(nets, boards, dice, rules, follow_ups, middles, worth, most, near, turns, children, again, values):
    """`expand_turns` for one roll of each board: ``dice`` (n, 2); ``children`` (n, 1, 32) and so on."""
    first = turns.bench.first
    for j in range(boards.shape[0]):
        first[0] = 0
        high = max(dice[j, 0], dice[j, 1])
        low = min(dice[j, 0], dice[j, 1])
        first[1] = turns_of(nets, boards[j], high, low, rules, follow_ups, middles, turns, 0)
        _best_of_rolls(nets, 1, worth, most, near, turns, j, children, again, values)
