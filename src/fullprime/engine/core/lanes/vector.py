"""Vector operations for the kernels, with their sums held in registers: several times as fast as Numba's own loops.

All of them add in a fixed order with fused multiply-add, so results do not depend on the batch. They are written for
LLVM in `vector_code`; with the JIT off `plain_vector` stands in.
"""

from typing import Any

from fullprime.engine.core.jit import JIT, operation
from fullprime.engine.core.lanes import plain_vector as plain
from fullprime.engine.core.lanes.layers import BLOCK, LANES, PAIR, PAIR_SPAN, SPAN, WORD

__all__ = ["BLOCK", "LANES", "PAIR", "PAIR_SPAN", "SPAN", "WORD"]

_CODE = "fullprime.engine.core.lanes.vector_code"

if JIT:
    sum_rows: Any = operation(_CODE, "sum_rows")
    sum_whole_rows: Any = operation(_CODE, "sum_whole_rows")
    dense: Any = operation(_CODE, "dense")
    dense_pair: Any = operation(_CODE, "dense_pair")
    dense_rectified: Any = operation(_CODE, "dense_rectified")
    dense_linear: Any = operation(_CODE, "dense_linear")
    list_active: Any = operation(_CODE, "list_active")
    list_active_pair: Any = operation(_CODE, "list_active_pair")
    quantise: Any = operation(_CODE, "quantise")
    dense_quantised: Any = operation(_CODE, "dense_quantised")
    logistic: Any = operation(_CODE, "logistic")
else:
    sum_rows, sum_whole_rows = plain.sum_rows, plain.sum_whole_rows
    dense, dense_pair = plain.dense(BLOCK, rectify=True), plain.dense(PAIR, rectify=True)
    dense_rectified, dense_linear = plain.dense(BLOCK, rectify=True), plain.dense(BLOCK, rectify=False)
    list_active, list_active_pair = plain.make_lister(BLOCK), plain.make_lister(PAIR)
    logistic = plain.logistic
    quantise, dense_quantised = plain.quantise, plain.dense_quantised
