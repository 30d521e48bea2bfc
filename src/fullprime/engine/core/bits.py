"""Single bits of a mask as instructions of the processor; only Numba comes here, through `jit.operation`."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _lowest_bit(_typing_context: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


def _highest_bit(_typing_context: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), generate


lowest_bit: Any = intrinsic(_lowest_bit)
highest_bit: Any = intrinsic(_highest_bit)
