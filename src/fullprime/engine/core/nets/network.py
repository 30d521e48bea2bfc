"""Running a net on batches of packed positions.

Every position goes through the same arithmetic in the same order whatever stands beside it in the batch, so that
the same position gives the same bits in any batch, chunk or thread. No fast-math here.
"""

from typing import NamedTuple

import numpy as np

from fullprime.engine.core.jit import bare_kernel, highest_bit, kernel, lowest_bit
from fullprime.engine.core.lanes.vector import (
    BLOCK,
    LANES,
    PAIR,
    PAIR_SPAN,
    dense,
    dense_linear,
    dense_pair,
    dense_quantised,
    dense_rectified,
    list_active,
    list_active_pair,
    logistic,
    quantise,
    sum_whole_rows,
)
from fullprime.engine.core.nets.features import HAND_FEATURES, MAX_ROWS, list_table_rows, masks_of, write_hand_features

OUTPUTS = 5
CONTACT, RACE, BACK_GAME = 0, 1, 2
PHASES = 3
FEATURE_SCALE = np.float32(2048)
"""Hand features become whole numbers of this many to one; none is as great as 8."""

_ZERO = np.float32(0)
_UNIT = np.float32(1)


class Weights(NamedTuple):
    """A net as the kernels want it: float32 or whole numbers of 16 bits, C-contiguous.

    ``table`` (rows, h1) of int16: the first layer in units of ``scale`` (h1,), one row for each (side, slot, count),
    the rows of no checkers zero. Whole numbers add up to the same sum in any order, and the units are such that no
    position's sum needs more than 16 bits. ``bias1`` (h1,). ``hand`` (features / 2, 2 * columns) of int16: what two
    features say to each of the first columns of h1, side by side, in units of ``hand_scale`` (columns,) for a feature
    in units of 1 / FEATURE_SCALE; empty for a net without them. ``layer2`` (h1, h2) of int16, whose units are part of
    the first layer's: half the memory to read at every evaluation. ``bias2`` (h2,); ``layer3`` (h2, 16) and ``bias3``
    (16,), of which the first five columns are the outputs. With ``squared`` the second layer sees the squares of the
    first. ``layer4`` (h2, h3), ``bias4`` (h3,) and ``layer5`` (h3, 16): what a third layer, which sees the second, adds
    to the outputs; of no width in nets without one.
    """

    table: np.ndarray
    scale: np.ndarray
    bias1: np.ndarray
    hand: np.ndarray
    hand_scale: np.ndarray
    layer2: np.ndarray
    bias2: np.ndarray
    layer3: np.ndarray
    bias3: np.ndarray
    layer4: np.ndarray
    bias4: np.ndarray
    layer5: np.ndarray
    squared: bool


class Nets(NamedTuple):
    """The nets of one variant: one for each phase, and ``small``, which chooses what they look at when ``filtered``.

    ``per_checker``: the outputs are those of a game settled by checkers (see `engine.cube.probabilities`).
    """

    small: Weights
    contact: Weights
    race: Weights
    back_game: Weights
    filtered: bool
    per_checker: bool


class Scratch(NamedTuple):
    """Working memory of one thread for nets of up to a given size."""

    rows: np.ndarray
    features: np.ndarray
    shorts: np.ndarray
    hidden1: np.ndarray
    units: np.ndarray
    every: np.ndarray
    hidden2: np.ndarray
    hidden3: np.ndarray
    logits: np.ndarray


def make_scratch(net):
    """Working memory for nets of this net's widths; kernels call it `new_scratch`."""
    every = np.empty(max(net.layer2.shape[1], net.layer4.shape[1]), np.int32)
    for unit in range(every.shape[0]):
        every[unit] = unit
    return Scratch(
        np.zeros(MAX_ROWS, np.int64),
        np.zeros((BLOCK, HAND_FEATURES), np.float32),
        np.zeros((BLOCK, HAND_FEATURES), np.int16),
        np.zeros((BLOCK, net.layer2.shape[0]), np.float32),
        np.zeros(net.layer2.shape[0] + LANES, np.int32),
        every,
        np.zeros((BLOCK, net.layer2.shape[1]), np.float32),
        np.zeros((BLOCK, net.layer4.shape[1]), np.float32),
        np.zeros((BLOCK, LANES), np.float32),
    )


new_scratch = kernel(make_scratch)


@kernel
def words_of(boards):
    """Packed positions (n, 32) as four words each, (n, 4), without copying."""
    return boards.reshape(-1).view(np.int64).reshape(-1, 4)


@bare_kernel
def store_masks(boards, at, masks):
    """Store the masks of position ``at`` (see `features.masks_of`) in ``masks[at]``."""
    own, other, own_made, other_made = masks_of(boards, at)
    masks[at, 0] = own
    masks[at, 1] = other
    masks[at, 2] = own_made
    masks[at, 3] = other_made


@bare_kernel
def net_outputs(net, boards, masks, chosen, count, out, scratch):
    """Write the raw outputs of ``boards[chosen[:count]]`` into the same rows of ``out`` (n, 5), as numbers in 0 to 1.

    ``masks`` (n, 4) are those of the boards.
    """
    table, scale, bias1, hand, hand_scale, layer2, bias2, layer3, bias3, layer4, bias4, layer5, squared = net
    rows, features, shorts, hidden1, units, every, hidden2, hidden3, logits = scratch
    linear = hand_scale.shape[0]
    for start in range(0, count, BLOCK):
        here = min(BLOCK, count - start)
        for g in range(here):
            at = chosen[start + g]
            k = list_table_rows(boards, at, masks[at, 0], masks[at, 1], rows)
            sum_whole_rows(hidden1, g, bias1, table, scale, rows, k, linear)
            if linear:
                own, other, own_made, other_made = masks[at, 0], masks[at, 1], masks[at, 2], masks[at, 3]
                write_hand_features(boards, at, own, other, own_made, other_made, rows, features, g)
        for g in range(BLOCK):
            for j in range(bias2.shape[0]):
                hidden2[g, j] = bias2[j]
            for j in range(bias4.shape[0]):
                hidden3[g, j] = bias4[j]
            for j in range(LANES):
                logits[g, j] = bias3[j]
        if linear:
            quantise(features, FEATURE_SCALE, shorts)
            dense_quantised(shorts, hand, hand_scale, hidden1, squared)
        if squared:
            for g in range(here):
                for j in range(linear, hidden1.shape[1]):
                    hidden1[g, j] *= hidden1[g, j]
        # Most units are 0: only those above 0 in any of the positions taken together are added up.
        # The others add zeros, which changes no bit of a sum, so that the company makes no difference.
        if bias2.shape[0] % PAIR_SPAN == 0:
            for g in range(0, here, PAIR):
                dense_pair(hidden1, g, units, list_active_pair(hidden1, g, units), layer2, hidden2)
        else:
            dense(hidden1, 0, units, list_active(hidden1, 0, units), layer2, hidden2)
        dense_linear(hidden2, 0, every, bias2.shape[0], layer3, logits)
        if bias4.shape[0]:
            dense_rectified(hidden2, 0, every, bias2.shape[0], layer4, hidden3)
            dense_linear(hidden3, 0, every, bias4.shape[0], layer5, logits)
        logistic(logits)
        for g in range(here):
            at = chosen[start + g]
            for k in range(OUTPUTS):
                out[at, k] = logits[g, k]


@bare_kernel
def is_race(boards, at, own, other):
    """True when no checker can meet one of the other side any more; masks are those of `masks_of`."""
    if boards[at, 28] > 0 or boards[at, 29] > 0 or own == 0 or other == 0:
        return boards[at, 28] == 0 and boards[at, 29] == 0
    return highest_bit(own) < lowest_bit(other)


@bare_kernel
def is_back_game(own_made, other_made):
    """True when a side holds two points or more in the other's home; masks are those of `masks_of`."""
    own = (own_made >> 19) & 63
    other = (other_made >> 1) & 63
    return (own & (own - 1)) != 0 or (other & (other - 1)) != 0


@bare_kernel
def split_by_phase(boards, masks, chosen, count, races, back_games):
    """Move races and back games out of the first ``count`` of ``chosen``; returns how many are left, and of each."""
    contacts = 0
    race_count = 0
    back_count = 0
    for j in range(count):
        at = chosen[j]
        if is_race(boards, at, masks[at, 0], masks[at, 1]):
            races[race_count] = at
            race_count += 1
        elif is_back_game(masks[at, 2], masks[at, 3]):
            back_games[back_count] = at
            back_count += 1
        else:
            chosen[contacts] = at
            contacts += 1
    return contacts, race_count, back_count


@bare_kernel
def settle(boards, at, own, other, per_checker, out, to):
    """Write the exact outcome of ``boards[at]`` into ``out[to]``; False (and nothing written) in a running game.

    With ``per_checker`` the outputs mean what a game settled by checkers needs (see `engine.cube.probabilities`).
    """
    own_done = own == 0 and boards[at, 28] == 0
    other_done = other == 0 and boards[at, 29] == 0
    if not own_done and not other_done:
        return False
    for k in range(OUTPUTS):
        out[to, k] = _ZERO
    if own_done:
        out[to, 0] = _UNIT
        if per_checker:
            left = np.int64(boards[at, 26]) - boards[at, 27]
            out[to, 1] = np.float32(left) / np.float32(15)
        elif boards[at, 27] == 0:
            out[to, 1] = _UNIT
            if other & 0x7F or boards[at, 29] > 0:
                out[to, 2] = _UNIT
    elif per_checker:
        left = np.int64(boards[at, 27]) - boards[at, 26]
        out[to, 3] = np.float32(left) / np.float32(15)
    elif boards[at, 26] == 0:
        out[to, 3] = _UNIT
        if own >> 19 or boards[at, 28] > 0:
            out[to, 4] = _UNIT
    return True


@bare_kernel
def limit_outputs(boards, at, own, other, race, per_checker, out):
    """Hold the outputs of a running game to what is possible: cumulative, and no gammon of a side that has one off."""
    win = out[at, 0]
    if per_checker:
        out[at, 1] = min(out[at, 1], win)
        out[at, 2] = _ZERO
        out[at, 3] = min(out[at, 3], _UNIT - win)
        out[at, 4] = _ZERO
        return
    if boards[at, 27] > 0:
        out[at, 1] = _ZERO
    if boards[at, 26] > 0:
        out[at, 3] = _ZERO
    if race:
        if other & 0x7F == 0:
            out[at, 2] = _ZERO
        if own >> 19 == 0:
            out[at, 4] = _ZERO
    out[at, 1] = min(out[at, 1], win)
    out[at, 2] = min(out[at, 2], out[at, 1])
    out[at, 3] = min(out[at, 3], _UNIT - win)
    out[at, 4] = min(out[at, 4], out[at, 3])


@bare_kernel
def equity_of(values, at, per_checker):
    """Points the player on roll wins on average."""
    if per_checker:
        return np.float32(15) * (values[at, 1] - values[at, 3])
    return np.float32(2) * values[at, 0] - np.float32(1) + values[at, 1] + values[at, 2] - values[at, 3] - values[at, 4]


@kernel
def evaluate_phases(nets, boards, out):
    """Write the outputs (n, 5) of packed positions (n, 32), the player on roll first, by the net of each one's phase.

    Finished games are exact, the others within what is possible.
    """
    count = boards.shape[0]
    masks = np.empty((count, 4), np.int64)
    contacts = np.empty(count, np.int64)
    races = np.empty(count, np.int64)
    back_games = np.empty(count, np.int64)
    running = 0
    for j in range(count):
        store_masks(boards, j, masks)
        if not settle(boards, j, masks[j, 0], masks[j, 1], nets.per_checker, out, j):
            contacts[running] = j
            running += 1
    counts = split_by_phase(boards, masks, contacts, running, races, back_games)
    for phase in range(PHASES):  # one call for all nets: what is compiled for each is large
        if counts[phase]:
            net = nets.contact if phase == CONTACT else (nets.race if phase == RACE else nets.back_game)
            chosen = contacts if phase == CONTACT else (races if phase == RACE else back_games)
            net_outputs(net, boards, masks, chosen, counts[phase], out, new_scratch(net))
            for j in range(counts[phase]):
                at = chosen[j]
                limit_outputs(boards, at, masks[at, 0], masks[at, 1], phase == RACE, nets.per_checker, out)


@bare_kernel
def mark_back_games(boards, marks):
    """Mark the positions (n, 32) that the net for back games evaluates: ``marks`` (n,)."""
    for j in range(boards.shape[0]):
        own, other, own_made, other_made = masks_of(boards, j)
        marks[j] = is_back_game(own_made, other_made) and not is_race(boards, j, own, other)


@bare_kernel
def settle_batch(boards, per_checker, over, out):
    """As `settle` for every position (n, 32): which are over (n,), and their outcomes (n, 5)."""
    for j in range(boards.shape[0]):
        own, other, _, _ = masks_of(boards, j)
        over[j] = settle(boards, j, own, other, per_checker, out, j)


@kernel
def hand_feature_batch(boards, out):
    """Write the hand features (n, HAND_FEATURES) of packed positions."""
    rows = np.zeros(MAX_ROWS, np.int64)
    for j in range(boards.shape[0]):
        own, other, own_made, other_made = masks_of(boards, j)
        list_table_rows(boards, j, own, other, rows)
        write_hand_features(boards, j, own, other, own_made, other_made, rows, out, j)
