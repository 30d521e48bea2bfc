"""Kernels of the trainer: the sparse first layer, forwards and backwards, and the optimiser.

The first layer is learnt as a few units for each (side, slot), and applied as one table row for each count, the
sum of the units that the count switches on. A sample costs one row per occupied slot instead of one per unit.
"""

import numpy as np

from fullprime.engine.core.jit import fast_kernel, kernel
from fullprime.engine.core.lanes.vector import sum_rows
from fullprime.engine.core.nets.features import COUNTS, list_table_rows, masks_of, write_hand_features
from fullprime.engine.core.nets.network import words_of

_SPECK = np.float32(1e-30)


@kernel
def gather_inputs(boards, chosen, rows, counts, features, tops):
    """Gather table rows (n, 40) with their number (n,), and hand features (n, f or 0), of ``boards[chosen]``.

    ``tops`` gets the greatest count met in each slot: no table row above it is needed for this batch.
    """
    tops[:] = 0
    with_features = features.shape[1] > 0
    words = words_of(boards)
    for j in range(chosen.shape[0]):
        at = chosen[j]
        own, other, own_made, other_made = masks_of(words, at)
        counts[j] = list_table_rows(boards, at, own, other, rows[j])
        for k in range(counts[j]):
            slot = rows[j, k] // COUNTS
            tops[slot] = max(tops[slot], rows[j, k] % COUNTS)
        if with_features:
            write_hand_features(boards, at, own, other, own_made, other_made, rows[j], features, j)


@fast_kernel
def build_table(units, steps, tops, table):
    """Build table rows from units: ``steps[slot, count, unit]`` is what one more checker adds of a unit."""
    for slot in range(units.shape[0]):
        for count in range(1, tops[slot] + 1):
            row = slot * COUNTS + count
            for i in range(table.shape[1]):
                table[row, i] = table[row - 1, i]
            for unit in range(units.shape[1]):
                step = steps[slot, count, unit]
                if step != 0:
                    for i in range(table.shape[1]):
                        table[row, i] += step * units[slot, unit, i]


@fast_kernel
def fold_table(gradient, steps, tops, units, total):
    """Fold the gradient of the table rows, which is set back to zero, into that of the units; ``total`` is scratch."""
    for slot in range(units.shape[0]):
        for i in range(total.shape[0]):
            total[i] = 0
        for unit in range(units.shape[1]):
            for i in range(total.shape[0]):
                units[slot, unit, i] = 0
        for count in range(tops[slot], 0, -1):
            row = slot * COUNTS + count
            for i in range(total.shape[0]):
                total[i] += gradient[row, i]
                gradient[row, i] = 0
            for unit in range(units.shape[1]):
                step = steps[slot, count, unit]
                if step != 0:
                    for i in range(total.shape[0]):
                        units[slot, unit, i] += step * total[i]


@kernel
def table_forward(table, bias, rows, counts, out):
    """Sum the rows of every sample, not yet rectified."""
    for j in range(rows.shape[0]):
        sum_rows(out, j, bias, table, rows[j], counts[j], table.shape[1])


@fast_kernel
def add_rectified(out, extra):
    """Set ``out = max(out + extra, 0)``, where ``extra`` covers the first columns only."""
    for j in range(out.shape[0]):
        for i in range(extra.shape[1]):
            out[j, i] = max(out[j, i] + extra[j, i], np.float32(0))
        for i in range(extra.shape[1], out.shape[1]):
            out[j, i] = max(out[j, i], np.float32(0))


@fast_kernel
def add_activity_cost(hidden, price, typical, slope):
    """Add to ``slope`` that of a price on active units, ``price`` * h / (h + t) for each sample's h.

    ``typical`` (width,) gets t, the mean of a unit's h where it is above 0, which counts as a constant: it makes no
    difference whether a unit is small with great weights or great with small ones. Where h is 0 the slope means
    nothing: `table_backward` masks it.
    """
    width = hidden.shape[1]
    active = np.zeros(width, np.float32)
    for i in range(width):
        typical[i] = 0
    for j in range(hidden.shape[0]):
        for i in range(width):
            typical[i] += hidden[j, i]
            active[i] += np.float32(1) if hidden[j, i] > 0 else np.float32(0)
    for i in range(width):
        typical[i] = (typical[i] + np.float32(1e-3)) / (active[i] + np.float32(1))
    for j in range(hidden.shape[0]):
        for i in range(width):
            whole = hidden[j, i] + typical[i]
            slope[j, i] += np.float32(price) * typical[i] / (whole * whole)


@fast_kernel
def table_backward(hidden, slope, rows, counts, gradient, bias):
    """Mask ``slope`` by the rectifier in place, and add it to the table's and the bias's gradients."""
    width = hidden.shape[1]
    for i in range(width):
        bias[i] = 0
    for j in range(hidden.shape[0]):
        for i in range(width):
            slope[j, i] = slope[j, i] if hidden[j, i] > 0 else np.float32(0)
            bias[i] += slope[j, i]
        for k in range(counts[j]):
            row = rows[j, k]
            for i in range(width):
                gradient[row, i] += slope[j, i]


@fast_kernel
def adam(weights, gradient, mean, square, scale, rate, decay1, decay2, step, refresh):
    """Make one step of Adam (Kingma and Ba 2015) on flat float32 arrays.

    ``scale`` keeps 1 / (root of ``square`` + epsilon), which costs more than all the rest and changes slowly: it is
    computed every ``refresh`` steps only. Where slopes are rare it may be far too large for one that comes between,
    so that no weight moves by more than the rate in one step.
    """
    correction = np.float32(np.sqrt(1.0 - decay2**step) / (1.0 - decay1**step) * rate)
    a = np.float32(decay1)
    b = np.float32(decay2)
    one = np.float32(1)
    if step % refresh == 0 or step < 100:
        for i in range(weights.shape[0]):
            slope = gradient[i]
            square[i] = b * square[i] + (one - b) * slope * slope + _SPECK
            scale[i] = one / (np.sqrt(square[i]) + np.float32(1e-8))
            mean[i] = a * mean[i] + (one - a) * slope + _SPECK
            weights[i] -= correction * mean[i] * scale[i]
    else:
        for i in range(weights.shape[0]):
            slope = gradient[i]
            square[i] = b * square[i] + (one - b) * slope * slope + _SPECK
            mean[i] = a * mean[i] + (one - a) * slope + _SPECK
            weights[i] -= correction * min(max(mean[i] * scale[i], -one), one)


@fast_kernel
def average(mean, weights, share):
    """Move a running average towards the weights."""
    for i in range(mean.shape[0]):
        mean[i] += np.float32(share) * (weights[i] - mean[i])
