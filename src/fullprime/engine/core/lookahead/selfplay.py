"""Self-play, whole games inside one kernel: positions and what they were worth.

Values are five outputs (see `engine.cube.probabilities`) seen by the player on roll. The sequence of random numbers
begins anew with every call (`chance`), so results depend on the seed alone.
"""

import numpy as np

from fullprime.engine.core.chance import STATE, random_below, random_uniform, seed_chance
from fullprime.engine.core.jit import bare_kernel, kernel
from fullprime.engine.core.lookahead.search import PRUNED, ROLLS, WEIGHTS, find_cheapest
from fullprime.engine.core.lookahead.stages import GLANCE
from fullprime.engine.core.lookahead.turn_search import evaluate_rolls, list_roll_turns
from fullprime.engine.core.moves.plays import legal_plays_into, swap_into
from fullprime.engine.core.nets.features import masks_of
from fullprime.engine.core.nets.network import OUTPUTS, settle, words_of

LONGEST_GAME = 400
FINALISTS = 4
"""How many plays of a roll the large net sees after a small one."""


@bare_kernel
def _flip_to_mover(turns, at, out):
    """Write the values of row ``at``, seen by the player who has just played, into ``out``."""
    values = turns.buffers.values
    if turns.again[at]:
        for k in range(OUTPUTS):
            out[k] = values[at, k]
        return
    out[0] = np.float32(1) - values[at, 0]
    out[1] = values[at, 3]
    out[2] = values[at, 4]
    out[3] = values[at, 1]
    out[4] = values[at, 2]


@bare_kernel
def choose_exploring(costs, start, stop, best, chance, heat, state):
    """Choose a row: mostly the best, at times any other one, or one drawn with Gumbel noise of size ``heat``."""
    if chance > 0 and random_uniform(state) < chance:
        return start + random_below(stop - start, state)
    if heat <= 0:
        return best
    choice = best
    highest = -1e30
    for i in range(start, stop):
        if costs[i] < PRUNED:
            noise = -np.log(-np.log(max(random_uniform(state), 1e-12)) + 1e-12)
            if heat * noise - costs[i] > highest:
                highest = heat * noise - costs[i]
                choice = i
    return choice


@kernel
def look_ahead(nets, board, rules, follow_ups, worth, near, turns, mean):
    """Average the value of a position over all 21 rolls, the best play of each, into ``mean`` (5 of float64).

    ``worth`` is as in `search.expand_plays`, ``near`` how far behind the best by the small net a play may be.
    The buffers keep the plays of roll ``r`` in rows ``first[r]`` to ``first[r + 1]``.
    """
    rolls = ROLLS.shape[0]
    first = turns.buffers.first
    first[0] = 0
    for roll in range(rolls):
        first[roll + 1] = list_roll_turns(
            nets, board, ROLLS[roll, 0], ROLLS[roll, 1], rules, follow_ups, GLANCE, turns, first[roll]
        )
    evaluate_rolls(nets, rolls, worth, FINALISTS, near, turns)
    for k in range(OUTPUTS):
        mean[k] = 0.0
    child = np.empty(OUTPUTS, np.float32)
    for roll in range(rolls):
        _flip_to_mover(turns, find_cheapest(turns.buffers, roll), child)
        for k in range(OUTPUTS):
            mean[k] += WEIGHTS[roll] * child[k]


@kernel
def label_batch(nets, boards, rules, follow_ups, worth, near, turns, targets):
    """Write what `look_ahead` gives for every one of ``boards`` into ``targets``; finished games are exact."""
    mean = np.zeros(OUTPUTS, np.float64)
    words = words_of(boards)
    for j in range(boards.shape[0]):
        own, other, _, _ = masks_of(words, j)
        if not settle(boards, j, own, other, nets.per_checker, targets, j):
            look_ahead(nets, boards[j], rules, follow_ups, worth, near, turns, mean)
            for k in range(OUTPUTS):
                targets[j, k] = np.float32(mean[k])


@kernel
def _draw_opening(starts, usual, state, board):
    """Draw a start into ``board``: the usual one with chance ``usual``, else one of all."""
    pick = 0
    if random_uniform(state) >= usual:
        pick = random_below(starts.shape[0], state)
    board[:] = starts[pick]


@bare_kernel
def _add_difference(value, ply, later, same, expected, trace, out):
    """Set ``out`` to the value of this ply plus ``trace`` times the correction that the next ply brings.

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
    nets,
    ahead,
    rules,
    follow_ups,
    worth,
    near,
    starts,
    usual,
    seed,
    chance,
    heat,
    wild,
    calm,
    calm_trace,
    trace,
    turns,
    boards,
    targets,
):
    """Fill ``boards`` (n, 32) and ``targets`` (n, 5) with positions of self-play and what they proved to be worth.

    ``ahead``: a position's own value is the average over the 21 rolls (one ply of look-ahead), and the target adds
    ``trace`` times the correction that the rest of the game brings, G = v + trace * (G' - V'), where V' is what the
    best play was expected to be worth: the luck of the dice cancels. Without ``ahead`` v is the value of the best
    play of the roll thrown (temporal differences with the same ``trace``). The trace is cut where the play made was
    not the best one. ``wild``: chance that a game starts with up to 24 random plays; ``calm``: chance that nothing but
    the best is played after that, with the trace ``calm_trace``. Returns the games begun.
    """
    state = np.empty(STATE, np.int64)
    seed_chance(seed, state)
    capacity = boards.shape[0]
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
    buffers = turns.buffers
    over = np.empty((1, OUTPUTS), np.float32)
    child = np.empty(OUTPUTS, np.float32)
    filled = 0
    games = 0
    while filled < capacity:
        games += 1
        _draw_opening(starts, usual, state, board)
        random_plies = 1 + random_below(24, state) if random_uniform(state) < wild else 0
        game_chance = chance if random_uniform(state) < 0.5 else 0.0
        game_heat = heat if random_uniform(state) < 0.6 else 0.0
        game_trace = trace
        if calm > 0 and random_uniform(state) < calm:
            game_chance = game_heat = 0.0
            game_trace = calm_trace
        plies = 0
        for ply in range(LONGEST_GAME + random_plies):
            die1 = 1 + random_below(6, state)
            die2 = 1 + random_below(6, state)
            high = max(die1, die2)
            low = min(die1, die2)
            if ply < random_plies:
                count = legal_plays_into(board, high, low, rules, buffers.plays, buffers.play_scratch)
                swap_into(buffers.plays[random_below(count, state)], board)
                own, other, _, _ = masks_of(single_words, 0)
                if settle(single, 0, own, other, nets.per_checker, over, 0):
                    break
                continue
            roll = 0
            if ahead:
                look_ahead(nets, board, rules, follow_ups, worth, near, turns, mean)
                roll = high * (high - 1) // 2 + low - 1
            else:
                buffers.first[0] = 0
                buffers.first[1] = list_roll_turns(nets, board, high, low, rules, follow_ups, GLANCE, turns, 0)
                evaluate_rolls(nets, 1, worth, FINALISTS, near, turns)
            best = find_cheapest(buffers, roll)
            _flip_to_mover(turns, best, child)
            game[plies] = board
            for k in range(OUTPUTS):
                expected[plies, k] = child[k]
                value[plies, k] = mean[k] if ahead else expected[plies, k]
            choice = choose_exploring(
                buffers.costs, buffers.first[roll], buffers.first[roll + 1], best, game_chance, game_heat, state
            )
            same[plies] = turns.again[choice]
            straight[plies] = choice == best and not buffers.over[best]
            plies += 1
            if buffers.over[choice] or plies == LONGEST_GAME:
                break
            board[:] = buffers.boards[choice]
        for ply in range(plies - 1, -1, -1):
            if ply == plies - 1 or not straight[ply]:
                for k in range(OUTPUTS):
                    now[k] = value[ply, k]
            else:
                _add_difference(value, ply, later, same[ply], expected, game_trace, now)
            for k in range(OUTPUTS):
                later[k] = now[k]
            if filled < capacity:
                boards[filled] = game[ply]
                for k in range(OUTPUTS):
                    targets[filled, k] = np.float32(min(max(now[k], 0.0), 1.0))
                filled += 1
    return games
