"""One ply of look-ahead where rolls give more than two dice: every roll's best whole turn (Acey Deucey).

The twin of `search` for such games. A board after a turn belongs to the player who rolls next (the one who has
just played, where ``again`` is set); costs are always those of the other one.
"""

from typing import NamedTuple

import numpy as np

from fullprime.engine.core.jit import bare_kernel, kernel
from fullprime.engine.core.lookahead.search import (
    ROLLS,
    SearchBuffers,
    evaluate_chosen,
    find_cheapest,
    make_search_buffers,
    prune_plays,
    select_phase,
    settle_finished,
)
from fullprime.engine.core.lookahead.stages import ROOM, list_likely_turns
from fullprime.engine.core.moves.plays import MAX_PLAYS
from fullprime.engine.core.nets.network import OUTPUTS, PHASES, split_by_phase


class TurnBuffers(NamedTuple):
    """Working memory of one thread: search buffers with room for whole turns, and where the same player rolls next."""

    buffers: SearchBuffers
    again: np.ndarray


def make_turn_buffers(nets):
    """Working memory for nets of these widths."""
    buffers = make_search_buffers(nets)._replace(
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
    return TurnBuffers(buffers, np.zeros(ROOM, np.bool_))


@bare_kernel
def _cost_for_other(values, at, worth):
    """Equity of the player who does not roll on this board."""
    win = np.float32(1) - values[at, 0]
    cost = worth[OUTPUTS] + worth[0] * win
    cost += worth[1] * values[at, 3] + worth[2] * values[at, 4]
    return cost + worth[3] * values[at, 1] + worth[4] * values[at, 2]


@bare_kernel
def _evaluate_turns(net, nets, turns, chosen, count, worth, scratch):
    """Fill in the values and costs of the chosen ends of turns by one net."""
    buffers = turns.buffers
    evaluate_chosen(net, nets.per_checker, buffers, chosen, count, worth, scratch)
    for j in range(count):
        at = chosen[j]
        if turns.again[at]:
            buffers.costs[at] = _cost_for_other(buffers.values, at, worth)


@bare_kernel
def _evaluate_by_phase(nets, turns, count, worth):
    """Fill in the values and costs of the first ``count`` of ``chosen``, each by the net of its phase."""
    buffers = turns.buffers
    counts = split_by_phase(buffers.boards, buffers.masks, buffers.chosen, count, buffers.races, buffers.back_games)
    for phase in range(PHASES):
        net, chosen, scratch = select_phase(nets, buffers, phase)
        _evaluate_turns(net, nets, turns, chosen, counts[phase], worth, scratch)


@kernel
def list_roll_turns(nets, board, high, low, rules, follow_ups, middles, turns, at):
    """List the ends of the turns of a roll from row ``at``; returns where they end. ``middles``: see `stages`."""
    buffers = turns.buffers
    return list_likely_turns(
        board,
        high,
        low,
        rules,
        follow_ups,
        middles,
        nets.small,
        nets.per_checker,
        buffers.boards,
        buffers.values,
        buffers.masks,
        buffers.chosen,
        turns.again,
        at,
        buffers.plays,
        buffers.play_scratch,
        buffers.small,
    )


@bare_kernel
def evaluate_rolls(nets, rolls, worth, most, near, turns):
    """Evaluate the ends of the first ``rolls`` rolls, the best few of each by the large nets."""
    buffers = turns.buffers
    running = settle_finished(nets, buffers, buffers.first[rolls], worth)
    if nets.filtered:
        _evaluate_turns(nets.small, nets, turns, buffers.chosen, running, worth, buffers.small)
        running = prune_plays(buffers, rolls, most, near)
    _evaluate_by_phase(nets, turns, running, worth)


@kernel
def _write_best_turns(nets, rolls, worth, most, near, turns, j, children, again, values):
    """Evaluate the first ``rolls`` rolls and write the best end of each as the children of board ``j``."""
    buffers = turns.buffers
    evaluate_rolls(nets, rolls, worth, most, near, turns)
    for roll in range(rolls):
        best = find_cheapest(buffers, roll)
        children[j, roll, :] = buffers.boards[best]
        again[j, roll] = turns.again[best]
        for k in range(OUTPUTS):
            values[j, roll, k] = buffers.values[best, k]


@kernel
def expand_turns(nets, boards, rules, follow_ups, middles, worth, most, near, turns, children, again, values):
    """As `search.expand_plays` with whole turns: ``again`` (n, 21) says where the same player rolls next.

    ``children`` and ``values`` are seen by the player who rolls next; ``worth`` is that of the player who waits now.
    """
    rolls = ROLLS.shape[0]
    first = turns.buffers.first
    for j in range(boards.shape[0]):
        first[0] = 0
        for roll in range(rolls):
            first[roll + 1] = list_roll_turns(
                nets, boards[j], ROLLS[roll, 0], ROLLS[roll, 1], rules, follow_ups, middles, turns, first[roll]
            )
        _write_best_turns(nets, rolls, worth, most, near, turns, j, children, again, values)


@kernel
def choose_turns(nets, boards, dice, rules, follow_ups, middles, worth, most, near, turns, children, again, values):
    """As `expand_turns` for one roll of each board: ``dice`` (n, 2); ``children`` (n, 1, 32) and so on."""
    first = turns.buffers.first
    for j in range(boards.shape[0]):
        first[0] = 0
        high = max(dice[j, 0], dice[j, 1])
        low = min(dice[j, 0], dice[j, 1])
        first[1] = list_roll_turns(nets, boards[j], high, low, rules, follow_ups, middles, turns, 0)
        _write_best_turns(nets, 1, worth, most, near, turns, j, children, again, values)
