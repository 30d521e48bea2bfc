"""Self-play, whole games inside one kernel: positions and what they were worth.

Values are five outputs (see `engine.probabilities`) seen by the player on roll. Random numbers come from NumPy's
legacy generator, which Numba keeps for each thread; every entry point seeds it, so results depend on the seed alone.
"""

from typing import NamedTuple

import numpy as np

from fullprime.engine.core.features import masks_of
from fullprime.engine.core.jit import kernel
from fullprime.engine.core.network import (
    OUTPUTS,
    Scratch,
    Weights,
    make_sane,
    net_outputs,
    new_scratch,
    note_masks,
    race_between,
    settle,
    words_of,
)
from fullprime.engine.core.plays import MAX_PLAYS, SCRATCH, legal_plays_into, swap_into
from fullprime.engine.core.stages import GLANCE, ROOM, likely_turns_into

ROLLS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], np.int64)
"""The 21 different rolls."""
WEIGHTS = np.array([1.0 if high == low else 2.0 for high, low in ROLLS], np.float64) / 36.0
LONGEST_GAME = 400
_NEAR = np.float32(0.10)
_FINALISTS = 4
_LOST = np.float32(-1e9)


class Table(NamedTuple):
    """Working memory of one thread for the positions one decision or one look-ahead can lead to."""

    boards: np.ndarray
    values: np.ndarray
    equities: np.ndarray
    over: np.ndarray
    again: np.ndarray
    chosen: np.ndarray
    masks: np.ndarray
    plays: np.ndarray
    play_scratch: np.ndarray
    first: np.ndarray
    small_scratch: Scratch
    large_scratch: Scratch


def table_for(small: Weights, large: Weights) -> Table:
    """Working memory for a filter net and a judging net of these widths."""
    room = ROOM
    return Table(
        boards=np.empty((room, 32), np.int8),
        values=np.empty((room, OUTPUTS), np.float32),
        equities=np.empty(room, np.float32),
        over=np.empty(room, np.bool_),
        again=np.zeros(room, np.bool_),
        chosen=np.empty(room, np.int64),
        masks=np.empty((room, 4), np.int64),
        plays=np.empty((2 * MAX_PLAYS, 32), np.int8),
        play_scratch=np.empty(SCRATCH, np.int64),
        first=np.empty(len(ROLLS) + 1, np.int64),
        small_scratch=new_scratch(small),
        large_scratch=new_scratch(large),
    )


@kernel
def equity_of(values, at, per_checker):
    """Points the player on roll wins on average."""
    if per_checker:
        return np.float32(15) * (values[at, 1] - values[at, 3])
    return np.float32(2) * values[at, 0] - np.float32(1) + values[at, 1] + values[at, 2] - values[at, 3] - values[at, 4]


@kernel
def swap_values(values, at):
    """The same outcome seen by the other player, in place."""
    values[at, 0] = np.float32(1) - values[at, 0]
    gammon = values[at, 1]
    backgammon = values[at, 2]
    values[at, 1] = values[at, 3]
    values[at, 2] = values[at, 4]
    values[at, 3] = gammon
    values[at, 4] = backgammon


@kernel
def successors(small, per_checker, board, high, low, rules, follow_ups, table, at):
    """Boards at the end of the turns of a roll, seen by who rolls next, from row ``at`` of the table; where they end.

    ``table.again`` says where that is the same player. Where a roll gives another double, the small net chooses which
    beginnings are played on.
    """
    return likely_turns_into(
        board,
        high,
        low,
        rules,
        follow_ups,
        GLANCE,
        small,
        per_checker,
        table.boards,
        table.values,
        table.masks,
        table.chosen,
        table.again,
        at,
        table.plays,
        table.play_scratch,
        table.small_scratch,
    )


@kernel
def judge(net, per_checker, table, start, stop, scratch):
    """Values and equities, seen by the player who has just played, of rows ``start`` to ``stop`` of the table."""
    boards = table.boards
    words = words_of(boards)
    values = table.values
    chosen = table.chosen
    masks = table.masks
    running = 0
    for i in range(start, stop):
        note_masks(words, i, masks)
        table.over[i] = settle(boards, i, masks[i, 0], masks[i, 1], per_checker, values, i)
        if not table.over[i]:
            chosen[running] = i
            running += 1
    net_outputs(net, boards, masks, chosen, running, values, scratch)
    for j in range(running):
        i = chosen[j]
        race = race_between(boards, i, masks[i, 0], masks[i, 1])
        make_sane(boards, i, masks[i, 0], masks[i, 1], race, per_checker, values)
    for i in range(start, stop):
        if not table.again[i]:
            swap_values(values, i)
        table.equities[i] = equity_of(values, i, per_checker)


@kernel
def judge_finalists(net, per_checker, table, groups):
    """Judge again, with the large net, the best few of each group; the others fall out of the choice."""
    boards = table.boards
    values = table.values
    equities = table.equities
    chosen = table.chosen
    count = 0
    for group in range(groups):
        start = table.first[group]
        stop = table.first[group + 1]
        best = _LOST
        for i in range(start, stop):
            best = max(best, equities[i])
        # the equity of the last finalist: the best is taken out _FINALISTS times
        bar = best
        for _ in range(_FINALISTS - 1):
            below = _LOST
            for i in range(start, stop):
                if below < equities[i] < bar:
                    below = equities[i]
            if below < best - _NEAR:
                break
            bar = below
        for i in range(start, stop):
            if equities[i] < bar:
                equities[i] = _LOST
            elif not table.over[i]:
                chosen[count] = i
                count += 1
    masks = table.masks
    net_outputs(net, boards, masks, chosen, count, values, table.large_scratch)
    for j in range(count):
        i = chosen[j]
        race = race_between(boards, i, masks[i, 0], masks[i, 1])
        make_sane(boards, i, masks[i, 0], masks[i, 1], race, per_checker, values)
        if not table.again[i]:
            swap_values(values, i)
        equities[i] = equity_of(values, i, per_checker)


@kernel
def best_of(equities, start, stop):
    """The row of the greatest equity; the first among equals."""
    best = start
    for i in range(start + 1, stop):
        if equities[i] > equities[best]:
            best = i
    return best


@kernel
def explored(equities, start, stop, best, chance, heat):
    """A row to play: mostly the best, at times any other one, or one drawn with Gumbel noise of size ``heat``."""
    if chance > 0 and np.random.random() < chance:
        return start + np.random.randint(0, stop - start)
    if heat <= 0:
        return best
    choice = best
    highest = -1e30
    for i in range(start, stop):
        if equities[i] > _LOST:
            noise = -np.log(-np.log(max(np.random.random(), 1e-12)) + 1e-12)
            if equities[i] + heat * noise > highest:
                highest = equities[i] + heat * noise
                choice = i
    return choice


@kernel
def look_ahead(small, large, filtered, per_checker, board, rules, follow_ups, table, mean):
    """The value of a position averaged over all 21 rolls, the best play of each, into ``mean`` (5 of float64).

    With ``filtered``, the small net sees every play and the large one the best few. The table keeps the plays of
    roll ``r`` in rows ``first[r]`` to ``first[r + 1]``.
    """
    rolls = ROLLS.shape[0]
    table.first[0] = 0
    for roll in range(rolls):
        table.first[roll + 1] = successors(
            small, per_checker, board, ROLLS[roll, 0], ROLLS[roll, 1], rules, follow_ups, table, table.first[roll]
        )
    if filtered:
        judge(small, per_checker, table, 0, table.first[rolls], table.small_scratch)
        judge_finalists(large, per_checker, table, rolls)
    else:
        judge(large, per_checker, table, 0, table.first[rolls], table.large_scratch)
    for k in range(OUTPUTS):
        mean[k] = 0.0
    for roll in range(rolls):
        best = best_of(table.equities, table.first[roll], table.first[roll + 1])
        for k in range(OUTPUTS):
            mean[k] += WEIGHTS[roll] * table.values[best, k]


@kernel
def label_batch(small, large, filtered, per_checker, boards, rules, follow_ups, table, targets):
    """`look_ahead` for every one of ``boards``; finished games are exact."""
    mean = np.zeros(OUTPUTS, np.float64)
    words = words_of(boards)
    for j in range(boards.shape[0]):
        own, other, _, _ = masks_of(words, j)
        if not settle(boards, j, own, other, per_checker, targets, j):
            look_ahead(small, large, filtered, per_checker, boards[j], rules, follow_ups, table, mean)
            for k in range(OUTPUTS):
                targets[j, k] = np.float32(mean[k])


@kernel
def _opening(starts, usual, board):
    """A start: the usual one with chance ``usual``, else one of all."""
    pick = 0
    if np.random.random() >= usual:
        pick = np.random.randint(0, starts.shape[0])
    board[:] = starts[pick]


@kernel
def _add_difference(value, ply, later, same, expected, trace, out):
    """``out`` = value of this ply plus ``trace`` times what the next ply found it wrong by.

    ``later`` is seen by the next ply's player, who is the same as this one's or the other.
    """
    if same:
        for k in range(OUTPUTS):
            out[k] = value[ply, k] + trace * (later[k] - expected[ply, k])
        return
    out[0] = value[ply, 0] - trace * (later[0] - (1.0 - expected[ply, 0]))
    out[1] = value[ply, 1] + trace * (later[3] - expected[ply, 1])
    out[2] = value[ply, 2] + trace * (later[4] - expected[ply, 2])
    out[3] = value[ply, 3] + trace * (later[1] - expected[ply, 3])
    out[4] = value[ply, 4] + trace * (later[2] - expected[ply, 4])


@kernel
def play_games(
    small,
    large,
    ahead,
    filtered,
    per_checker,
    rules,
    follow_ups,
    starts,
    usual,
    seed,
    chance,
    heat,
    wild,
    trace,
    table,
    boards,
    targets,
):
    """Fill ``boards`` (n, 32) and ``targets`` (n, 5) with positions of self-play and what they proved to be worth.

    ``ahead``: a position's own value is the average over the 21 rolls (one ply of look-ahead), and the target adds
    ``trace`` times the correction that the rest of the game brings, G = v + trace * (G' - V'), where V' is what the
    best play was expected to be worth: the luck of the dice cancels. Without ``ahead`` v is the value of the best
    play of the roll thrown (temporal differences with the same ``trace``). The trace is cut where the play made was
    not the best one. ``wild``: chance that a game starts with up to 24 random plays. Returns the games begun.
    """
    np.random.seed(seed)
    want = boards.shape[0]
    game = np.empty((LONGEST_GAME, 32), np.int8)
    value = np.empty((LONGEST_GAME, OUTPUTS), np.float64)
    expected = np.empty((LONGEST_GAME, OUTPUTS), np.float64)
    straight = np.empty(LONGEST_GAME, np.bool_)
    same = np.empty(LONGEST_GAME, np.bool_)
    mean = np.zeros(OUTPUTS, np.float64)
    later = np.zeros(OUTPUTS, np.float64)
    now = np.zeros(OUTPUTS, np.float64)
    single = np.empty((1, 32), np.int8)
    single_words = words_of(single)
    board = single[0]
    filled = 0
    games = 0
    while filled < want:
        games += 1
        _opening(starts, usual, board)
        random_plies = np.random.randint(1, 25) if np.random.random() < wild else 0
        game_chance = chance if np.random.random() < 0.5 else 0.0
        game_heat = heat if np.random.random() < 0.6 else 0.0
        plies = 0
        for ply in range(LONGEST_GAME + random_plies):
            die1 = np.random.randint(1, 7)
            die2 = np.random.randint(1, 7)
            high = max(die1, die2)
            low = min(die1, die2)
            if ply < random_plies:
                count = legal_plays_into(board, high, low, rules, table.plays, table.play_scratch)
                swap_into(table.plays[np.random.randint(0, count)], board)
                own, other, _, _ = masks_of(single_words, 0)
                if settle(single, 0, own, other, per_checker, table.values, 0):
                    break
                continue
            if ahead:
                look_ahead(small, large, filtered, per_checker, board, rules, follow_ups, table, mean)
                roll = high * (high - 1) // 2 + low - 1
                start = table.first[roll]
                stop = table.first[roll + 1]
            else:
                start = 0
                stop = successors(small, per_checker, board, high, low, rules, follow_ups, table, 0)
                judge(large, per_checker, table, 0, stop, table.large_scratch)
            best = best_of(table.equities, start, stop)
            game[plies] = board
            for k in range(OUTPUTS):
                expected[plies, k] = table.values[best, k]
                value[plies, k] = mean[k] if ahead else expected[plies, k]
            choice = explored(table.equities, start, stop, best, game_chance, game_heat)
            same[plies] = table.again[choice]
            straight[plies] = choice == best and not table.over[best]
            plies += 1
            if table.over[choice] or plies == LONGEST_GAME:
                break
            board[:] = table.boards[choice]
        for ply in range(plies - 1, -1, -1):
            if ply == plies - 1 or not straight[ply]:
                for k in range(OUTPUTS):
                    now[k] = value[ply, k]
            else:
                _add_difference(value, ply, later, same[ply], expected, trace, now)
            for k in range(OUTPUTS):
                later[k] = now[k]
            if filled < want:
                boards[filled] = game[ply]
                for k in range(OUTPUTS):
                    targets[filled, k] = np.float32(min(max(now[k], 0.0), 1.0))
                filled += 1
    return games
