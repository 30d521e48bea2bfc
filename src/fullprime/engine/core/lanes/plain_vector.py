"""The operations of `vector` in plain NumPy, which stand in when kernels run without the JIT."""

from typing import Any

import numpy as np

SHORT = 16383
"""`shortened` holds numbers to this size."""
LIMIT = 30.0
"""`logistic` holds what it is given to this size."""


def sum_rows(out, at, start, table, rows, count, linear):  # type: ignore[no-untyped-def]
    """``out[at]``: ``start`` plus the rows of a table, none below 0 from column ``linear`` on."""
    total = start + table[rows[:count]].sum(axis=0, dtype=np.float32)
    total[linear:] = np.maximum(total[linear:], 0)
    out[at] = total


def sum_whole_rows(out, at, start, table, scale, rows, count, linear):  # type: ignore[no-untyped-def]
    """`sum_rows` of whole numbers that stand for multiples of ``scale``."""
    total = start + scale * table[rows[:count]].sum(axis=0, dtype=np.int32).astype(np.float32)
    total[linear:] = np.maximum(total[linear:], 0)
    out[at] = total


def dense(together: int, rectify: bool) -> Any:
    """Adds what ``count`` chosen units of so many positions say to the layer above; ``rectify``: none below 0."""

    def forward(x, at, units, count, weights, y):  # type: ignore[no-untyped-def]
        chosen, rows = units[:count], slice(at, at + together)
        total = y[rows] + x[rows, chosen] @ weights[chosen]
        y[rows] = np.maximum(total, 0) if rectify else total

    return forward


def speaking(together: int) -> Any:
    """Lists the units that are above 0 in any of so many positions; returns how many there are."""

    def found_in(x, at, units):  # type: ignore[no-untyped-def]
        found = np.flatnonzero((x[at : at + together] > 0).any(axis=0))
        units[: len(found)] = found
        return len(found)

    return found_in


def shortened(x, scale, out):  # type: ignore[no-untyped-def]
    """Whole numbers of 16 bits for multiples of ``1 / scale``."""
    out[:] = np.clip(np.rint(x * scale), -SHORT, SHORT)


def short_dense(x, weights, scale, y, squared):  # type: ignore[no-untyped-def]
    """A dense layer of such numbers, added to the first columns of ``y``, none below 0, then ``squared`` or not."""
    columns = len(scale)
    pairs = weights.reshape(len(weights), columns, 2).astype(np.int32)
    total = np.einsum("gpk,pck->gc", x.reshape(len(x), -1, 2).astype(np.int32), pairs)
    seen = np.maximum(y[:, :columns] + total.astype(np.float32) * scale, 0)
    y[:, :columns] = seen * seen if squared else seen


def logistic(x):  # type: ignore[no-untyped-def]
    """1 / (1 + exp(-x)) in place."""
    x[:] = 1 / (1 + np.exp(-np.clip(x, -LIMIT, LIMIT)))
