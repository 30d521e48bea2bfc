"""The operations of `vector` in plain NumPy, which stand in when kernels run without the JIT."""

from typing import Any

import numpy as np

SHORT = 16383
"""`quantise` holds numbers to this size."""
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
    """A function that adds what ``count`` chosen units of ``together`` positions give to the layer above.

    With ``rectify`` no sum stays below 0.
    """

    def forward(x, at, units, count, weights, y):  # type: ignore[no-untyped-def]
        chosen, rows = units[:count], slice(at, at + together)
        total = y[rows] + x[rows, chosen] @ weights[chosen]
        y[rows] = np.maximum(total, 0) if rectify else total

    return forward


def make_lister(together: int) -> Any:
    """Make the function that lists the units above 0 in any of ``together`` positions, and returns their number."""

    def list_active(x, at, units):  # type: ignore[no-untyped-def]
        active = np.flatnonzero((x[at : at + together] > 0).any(axis=0))
        units[: len(active)] = active
        return len(active)

    return list_active


def quantise(x, scale, out):  # type: ignore[no-untyped-def]
    """Round to multiples of ``1 / scale``, written into ``out`` as whole numbers of 16 bits."""
    out[:] = np.clip(np.rint(x * scale), -SHORT, SHORT)


def dense_quantised(x, weights, scale, y, squared):  # type: ignore[no-untyped-def]
    """A dense layer of such numbers, added to the first columns of ``y``, none below 0, then ``squared`` or not."""
    columns = len(scale)
    pairs = weights.reshape(len(weights), columns, 2).astype(np.int32)
    total = np.einsum("gpk,pck->gc", x.reshape(len(x), -1, 2).astype(np.int32), pairs)
    seen = np.maximum(y[:, :columns] + total.astype(np.float32) * scale, 0)
    y[:, :columns] = seen * seen if squared else seen


def logistic(x):  # type: ignore[no-untyped-def]
    """1 / (1 + exp(-x)) in place."""
    x[:] = 1 / (1 + np.exp(-np.clip(x, -LIMIT, LIMIT)))
