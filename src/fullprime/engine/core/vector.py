"""Vector operations written out for LLVM, with their sums held in registers, and the count of a mask's bits.

Numba's own loops reload and store every partial sum; these are several times as fast. All of them add in a fixed
order with fused multiply-add, so results do not depend on the batch. With the JIT off plain loops stand in.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from fullprime.engine.core.jit import JIT

LANES = 16
BLOCK = 8
"""Positions that go through a dense layer together."""
SPAN = 128
"""First layers, and the part of them that sees hand features, are multiples of this many columns wide."""

_FLOAT = ir.FloatType()
_VECTOR = ir.VectorType(_FLOAT, LANES)


def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.make_array(kind)(context, builder, value).data


def _shape(context: Any, builder: Any, kind: Any, value: Any, axis: int) -> Any:
    return builder.extract_value(context.make_array(kind)(context, builder, value).shape, axis)


def _load(builder: Any, data: Any, index: Any) -> Any:
    pointer = builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())
    return builder.load(pointer, align=4)


def _store(builder: Any, vector: Any, data: Any, index: Any) -> None:
    pointer = builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())
    builder.store(vector, pointer, align=4)


def _spread(builder: Any, scalar: Any) -> Any:
    single = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(single, ir.Constant(_VECTOR, ir.Undefined), mask)


def _fused(builder: Any, left: Any, right: Any, total: Any) -> Any:
    """``left * right + total`` with one rounding."""
    kind = ir.FunctionType(_VECTOR, (_VECTOR, _VECTOR, _VECTOR))
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f32")
    return builder.call(function, (left, right, total))


def _rectified(builder: Any, vector: Any) -> Any:
    zero = ir.Constant(_VECTOR, [0.0] * LANES)
    return builder.select(builder.fcmp_ordered(">", vector, zero), vector, zero)


@intrinsic
def _sum_rows(typingctx, out, at, start, table, rows, count, linear):  # type: ignore[no-untyped-def]
    signature = types.void(out, types.intp, start, table, rows, types.intp, types.intp)

    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        kinds = sig.args
        word = context.get_value_type(types.intp)
        width = _shape(context, builder, kinds[2], args[2], 0)
        out_data, start_data, table_data, rows_data = (_data(context, builder, kinds[j], args[j]) for j in (0, 2, 3, 4))
        at_row = builder.mul(args[1], width)
        sums = [cgutils.alloca_once(builder, _VECTOR) for _ in range(SPAN // LANES)]
        step = ir.Constant(word, SPAN)
        with cgutils.for_range_slice(builder, ir.Constant(word, 0), width, step, word) as (column, _):
            columns = [builder.add(column, ir.Constant(word, LANES * j)) for j in range(len(sums))]
            for cell, place in zip(sums, columns, strict=True):
                builder.store(_load(builder, start_data, place), cell)
            with cgutils.for_range(builder, args[5], intp=word) as loop:
                row = builder.mul(builder.load(builder.gep(rows_data, [loop.index])), width)
                for cell, place in zip(sums, columns, strict=True):
                    part = _load(builder, table_data, builder.add(row, place))
                    builder.store(builder.fadd(builder.load(cell), part), cell)
            keep = builder.icmp_signed("<", column, args[6])
            for cell, place in zip(sums, columns, strict=True):
                total = builder.load(cell)
                total = builder.select(keep, total, _rectified(builder, total))
                _store(builder, total, out_data, builder.add(at_row, place))
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def _sum_whole_rows(typingctx, out, at, start, table, scale, rows, count, linear):  # type: ignore[no-untyped-def]
    signature = types.void(out, types.intp, start, table, types.float32, rows, types.intp, types.intp)

    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        kinds = sig.args
        word = context.get_value_type(types.intp)
        whole = ir.VectorType(ir.IntType(32), LANES)
        short = ir.VectorType(ir.IntType(16), LANES)
        width = _shape(context, builder, kinds[2], args[2], 0)
        out_data, start_data, table_data, rows_data = (_data(context, builder, kinds[j], args[j]) for j in (0, 2, 3, 5))
        at_row = builder.mul(args[1], width)
        factor = _spread(builder, args[4])
        sums = [cgutils.alloca_once(builder, whole) for _ in range(SPAN // LANES)]
        step = ir.Constant(word, SPAN)
        with cgutils.for_range_slice(builder, ir.Constant(word, 0), width, step, word) as (column, _):
            columns = [builder.add(column, ir.Constant(word, LANES * j)) for j in range(len(sums))]
            for cell in sums:
                builder.store(ir.Constant(whole, [0] * LANES), cell)
            with cgutils.for_range(builder, args[6], intp=word) as loop:
                row = builder.mul(builder.load(builder.gep(rows_data, [loop.index])), width)
                for cell, place in zip(sums, columns, strict=True):
                    pointer = builder.gep(table_data, [builder.add(row, place)])
                    part = builder.load(builder.bitcast(pointer, short.as_pointer()), align=2)
                    builder.store(builder.add(builder.load(cell), builder.sext(part, whole)), cell)
            keep = builder.icmp_signed("<", column, args[7])
            for cell, place in zip(sums, columns, strict=True):
                total = builder.sitofp(builder.load(cell), _VECTOR)
                total = _fused(builder, total, factor, _load(builder, start_data, place))
                total = builder.select(keep, total, _rectified(builder, total))
                _store(builder, total, out_data, builder.add(at_row, place))
        return context.get_dummy_value()

    return signature, codegen


def _dense_intrinsic(span: int, rectify: bool) -> Any:
    @intrinsic
    def dense(typingctx, x, weights, y):  # type: ignore[no-untyped-def]
        signature = types.void(x, weights, y)

        def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
            kinds = sig.args
            word = context.get_value_type(types.intp)
            inputs = _shape(context, builder, kinds[1], args[1], 0)
            outputs = _shape(context, builder, kinds[1], args[1], 1)
            x_width = _shape(context, builder, kinds[0], args[0], 1)
            y_width = _shape(context, builder, kinds[2], args[2], 1)
            x_data, w_data, y_data = (
                _data(context, builder, kind, value) for kind, value in zip(kinds, args, strict=True)
            )
            vectors = span // LANES
            sums = [[cgutils.alloca_once(builder, _VECTOR) for _ in range(vectors)] for _ in range(BLOCK)]
            x_rows = [builder.mul(ir.Constant(word, g), x_width) for g in range(BLOCK)]
            y_rows = [builder.mul(ir.Constant(word, g), y_width) for g in range(BLOCK)]
            step = ir.Constant(word, span)
            with cgutils.for_range_slice(builder, ir.Constant(word, 0), outputs, step, word) as (column, _):
                columns = [builder.add(column, ir.Constant(word, LANES * j)) for j in range(vectors)]
                for position, row in zip(sums, y_rows, strict=True):
                    for cell, place in zip(position, columns, strict=True):
                        builder.store(_load(builder, y_data, builder.add(row, place)), cell)
                with cgutils.for_range(builder, inputs, intp=word) as loop:
                    w_row = builder.mul(loop.index, outputs)
                    parts = [_load(builder, w_data, builder.add(w_row, place)) for place in columns]
                    for position, row in zip(sums, x_rows, strict=True):
                        value = builder.load(builder.gep(x_data, [builder.add(row, loop.index)]))
                        vector = _spread(builder, value)
                        for cell, part in zip(position, parts, strict=True):
                            builder.store(_fused(builder, vector, part, builder.load(cell)), cell)
                for position, row in zip(sums, y_rows, strict=True):
                    for cell, place in zip(position, columns, strict=True):
                        total = builder.load(cell)
                        if rectify:
                            total = _rectified(builder, total)
                        _store(builder, total, y_data, builder.add(row, place))
            return context.get_dummy_value()

        return signature, codegen

    return dense


@intrinsic
def _ones(typingctx, mask):  # type: ignore[no-untyped-def]
    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


def _plain_ones(mask):  # type: ignore[no-untyped-def]
    return int(mask).bit_count()


def _plain_sum_rows(out, at, start, table, rows, count, linear):  # type: ignore[no-untyped-def]
    total = start + table[rows[:count]].sum(axis=0, dtype=np.float32)
    total[linear:] = np.maximum(total[linear:], 0)
    out[at] = total


def _plain_sum_whole_rows(out, at, start, table, scale, rows, count, linear):  # type: ignore[no-untyped-def]
    total = start + np.float32(scale) * table[rows[:count]].sum(axis=0, dtype=np.int32).astype(np.float32)
    total[linear:] = np.maximum(total[linear:], 0)
    out[at] = total


def _plain_dense(x, weights, y):  # type: ignore[no-untyped-def]
    width = weights.shape[1]
    y[:, :width] = np.maximum(y[:, :width] + x[:, : len(weights)] @ weights, 0)


def _plain_dense_linear(x, weights, y):  # type: ignore[no-untyped-def]
    y[:, : weights.shape[1]] += x[:, : len(weights)] @ weights


if JIT:
    sum_rows: Any = _sum_rows
    sum_whole_rows: Any = _sum_whole_rows
    ones: Any = _ones
    dense: Any = _dense_intrinsic(2 * LANES, rectify=True)
    dense_linear: Any = _dense_intrinsic(LANES, rectify=False)
else:
    sum_rows, sum_whole_rows, ones = _plain_sum_rows, _plain_sum_whole_rows, _plain_ones
    dense, dense_linear = _plain_dense, _plain_dense_linear
