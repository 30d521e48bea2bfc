"""The operations of `vector` written out for LLVM; only Numba comes here, through `jit.operation`."""

from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.core.codegen import get_host_cpu_features
from numba.extending import intrinsic

from fullprime.engine.core.jit import bare_kernel, lowest_bit
from fullprime.engine.core.lanes.layers import BLOCK, LANES, PAIR, PAIR_SPAN, SPAN, WORD
from fullprime.engine.core.lanes.plain_vector import LIMIT, SHORT

POWERS = (
    1.5252733804059841e-5,
    1.5403530393381609e-4,
    1.3333558146428443e-3,
    9.618129107628477e-3,
    5.5504108664821580e-2,
    0.24022650695910072,
    0.6931471805599453,
    1.0,
)
"""Factors of the power series of 2 ** x, the highest power first: exact to float32 for x in -1/2 to 1/2."""
_SET = cast(Any, config).CPU_FEATURES
PACKS_LANES = "+avx512f" in (get_host_cpu_features() if _SET is None else _SET).split(",")
"""Whether the processor compiled for can push the chosen lanes of a vector together."""
FEW = not PACKS_LANES
"""Whether its registers hold fewer sums: 16 registers of 8 floats (AVX2) or 32 of 4 (NEON) instead of 32 of 16. A loop
with more sums than registers writes and reads them back at every step.
"""
GROUP, VECTORS = (BLOCK // 2, 1) if FEW else (BLOCK, 2)
"""Positions of a block, and vectors of columns, whose sums are held at once."""
_FLOAT = ir.FloatType()
_VECTOR = ir.VectorType(_FLOAT, LANES)


def data_of(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The pointer to an array's elements."""
    return context.make_array(kind)(context, builder, value).data


_data = data_of


def _shape(context: Any, builder: Any, kind: Any, value: Any, axis: int) -> Any:
    return builder.extract_value(context.make_array(kind)(context, builder, value).shape, axis)


def _load(builder: Any, data: Any, index: Any) -> Any:
    pointer = builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())
    return builder.load(pointer, align=4)


def _store(builder: Any, vector: Any, data: Any, index: Any) -> None:
    pointer = builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())
    builder.store(vector, pointer, align=4)


def _broadcast(builder: Any, scalar: Any) -> Any:
    single = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(single, ir.Constant(_VECTOR, ir.Undefined), mask)


def _multiply_add(builder: Any, left: Any, right: Any, total: Any) -> Any:
    """``left * right + total`` with one rounding."""
    kind = ir.FunctionType(_VECTOR, (_VECTOR, _VECTOR, _VECTOR))
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f32")
    return builder.call(function, (left, right, total))


def _rectify(builder: Any, vector: Any) -> Any:
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
        span = SPAN // 2 if FEW else SPAN
        sums = [cgutils.alloca_once(builder, _VECTOR) for _ in range(span // LANES)]
        step = ir.Constant(word, span)
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
                total = builder.select(keep, total, _rectify(builder, total))
                _store(builder, total, out_data, builder.add(at_row, place))
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def _sum_whole_rows(typingctx, out, at, start, table, scale, rows, count, linear):  # type: ignore[no-untyped-def]
    signature = types.void(out, types.intp, start, table, scale, rows, types.intp, types.intp)

    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        kinds = sig.args
        word = context.get_value_type(types.intp)
        whole = ir.VectorType(ir.IntType(32), LANES)
        short = ir.VectorType(ir.IntType(16), 2 * LANES)
        width = _shape(context, builder, kinds[2], args[2], 0)
        out_data, start_data, table_data, scale_data, rows_data = (
            _data(context, builder, kinds[j], args[j]) for j in (0, 2, 3, 4, 5)
        )
        at_row = builder.mul(args[1], width)
        sums = [cgutils.alloca_once(builder, short) for _ in range(SPAN // (2 * LANES))]
        halves = [ir.Constant(whole, list(range(start, start + LANES))) for start in (0, LANES)]
        step = ir.Constant(word, SPAN)
        with cgutils.for_range_slice(builder, ir.Constant(word, 0), width, step, word) as (column, _):
            columns = [builder.add(column, ir.Constant(word, 2 * LANES * j)) for j in range(len(sums))]
            for cell in sums:
                builder.store(ir.Constant(short, [0] * 2 * LANES), cell)
            with cgutils.for_range(builder, args[6], intp=word) as loop:
                row = builder.mul(builder.load(builder.gep(rows_data, [loop.index])), width)
                for cell, place in zip(sums, columns, strict=True):
                    pointer = builder.gep(table_data, [builder.add(row, place)])
                    part = builder.load(builder.bitcast(pointer, short.as_pointer()), align=2)
                    builder.store(builder.add(builder.load(cell), part), cell)
            keep = builder.icmp_signed("<", column, args[7])
            for cell, places in zip(sums, columns, strict=True):
                both = builder.load(cell)
                for part, half in enumerate(halves):
                    place = builder.add(places, ir.Constant(word, LANES * part))
                    total = builder.shuffle_vector(both, ir.Constant(short, ir.Undefined), half)
                    total = builder.sitofp(builder.sext(total, whole), _VECTOR)
                    total = _multiply_add(
                        builder, total, _load(builder, scale_data, place), _load(builder, start_data, place)
                    )
                    total = builder.select(keep, total, _rectify(builder, total))
                    _store(builder, total, out_data, builder.add(at_row, place))
        return context.get_dummy_value()

    return signature, codegen


def _load_whole(builder: Any, data: Any, index: Any) -> Any:
    """Sixteen whole numbers of 16 bits as floats."""
    short = ir.VectorType(ir.IntType(16), LANES)
    part = builder.load(builder.bitcast(builder.gep(data, [index]), short.as_pointer()), align=2)
    return builder.sitofp(builder.sext(part, ir.VectorType(ir.IntType(32), LANES)), _VECTOR)


def _dense_intrinsic(together: int, span: int, rectify: bool, whole: bool) -> Any:
    weight = _load_whole if whole else _load
    held = min(together, GROUP)

    @intrinsic
    def dense(typingctx, x, at, units, count, weights, y):  # type: ignore[no-untyped-def]
        signature = types.void(x, types.intp, units, types.intp, weights, y)

        def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
            kinds = sig.args
            word = context.get_value_type(types.intp)
            outputs = _shape(context, builder, kinds[4], args[4], 1)
            x_width = _shape(context, builder, kinds[0], args[0], 1)
            y_width = _shape(context, builder, kinds[5], args[5], 1)
            x_data, u_data, w_data, y_data = (_data(context, builder, kinds[j], args[j]) for j in (0, 2, 4, 5))
            vectors = span // LANES
            sums = [[cgutils.alloca_once(builder, _VECTOR) for _ in range(vectors)] for _ in range(held)]
            zero, end = ir.Constant(word, 0), ir.Constant(word, together)
            with (
                cgutils.for_range_slice(builder, zero, end, ir.Constant(word, held), word) as (first, _),
                cgutils.for_range_slice(builder, zero, outputs, ir.Constant(word, span), word) as (column, _),
            ):
                rows = [builder.add(builder.add(args[1], first), ir.Constant(word, g)) for g in range(held)]
                x_rows = [builder.mul(row, x_width) for row in rows]
                y_rows = [builder.mul(row, y_width) for row in rows]
                columns = [builder.add(column, ir.Constant(word, LANES * j)) for j in range(vectors)]
                for position, row in zip(sums, y_rows, strict=True):
                    for cell, place in zip(position, columns, strict=True):
                        builder.store(_load(builder, y_data, builder.add(row, place)), cell)
                with cgutils.for_range(builder, args[3], intp=word) as loop:
                    unit = builder.sext(builder.load(builder.gep(u_data, [loop.index])), word)
                    w_row = builder.mul(unit, outputs)
                    parts = [weight(builder, w_data, builder.add(w_row, place)) for place in columns]
                    for position, row in zip(sums, x_rows, strict=True):
                        value = builder.load(builder.gep(x_data, [builder.add(row, unit)]))
                        vector = _broadcast(builder, value)
                        for cell, part in zip(position, parts, strict=True):
                            builder.store(_multiply_add(builder, vector, part, builder.load(cell)), cell)
                for position, row in zip(sums, y_rows, strict=True):
                    for cell, place in zip(position, columns, strict=True):
                        total = builder.load(cell)
                        if rectify:
                            total = _rectify(builder, total)
                        _store(builder, total, y_data, builder.add(row, place))
            return context.get_dummy_value()

        return signature, codegen

    return dense


def _find_positive(builder: Any, data: Any, start: Any, width: Any, together: int) -> Any:
    """Compare sixteen columns of ``together`` rows of a matrix with 0: where any row of them is above it, as bits."""
    most = _load(builder, data, start)
    for row in range(1, together):
        shift = builder.mul(width, ir.Constant(width.type, row))
        vector = _load(builder, data, builder.add(start, shift))
        most = builder.select(builder.fcmp_ordered(">", vector, most), vector, most)
    return builder.fcmp_ordered(">", most, ir.Constant(_VECTOR, [0.0] * LANES))


def _positive_bits_intrinsic(together: int) -> Any:
    @intrinsic
    def positive(typingctx, x, at, column):  # type: ignore[no-untyped-def]
        signature = types.int64(x, types.intp, types.intp)

        def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
            word = context.get_value_type(types.intp)
            data = _data(context, builder, sig.args[0], args[0])
            width = _shape(context, builder, sig.args[0], args[0], 1)
            start = builder.add(builder.mul(args[1], width), args[2])
            mask = ir.Constant(word, 0)
            for part in range(WORD // LANES):
                place = builder.add(start, ir.Constant(word, part * LANES))
                bits = _find_positive(builder, data, place, width, together)
                bits = builder.zext(builder.bitcast(bits, ir.IntType(LANES)), word)
                mask = builder.or_(mask, builder.shl(bits, ir.Constant(word, part * LANES)))
            return mask

        return signature, codegen

    return positive


def make_vector_lister(together: int) -> Any:
    """`make_bit_lister` for processors that can push the chosen lanes of a vector together (AVX-512)."""

    @intrinsic
    def list_active(typingctx, x, at, units):  # type: ignore[no-untyped-def]
        signature = types.intp(x, types.intp, units)

        def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
            word = context.get_value_type(types.intp)
            number = ir.IntType(32)
            numbers = ir.VectorType(number, LANES)
            data, to = (_data(context, builder, sig.args[j], args[j]) for j in (0, 2))
            width = _shape(context, builder, sig.args[0], args[0], 1)
            row = builder.mul(args[1], width)
            kind = ir.FunctionType(numbers, [numbers, numbers, ir.VectorType(ir.IntType(1), LANES)])
            name = f"llvm.x86.avx512.mask.compress.v{LANES}i32"
            compress = cgutils.get_or_insert_function(builder.module, kind, name)
            nothing = ir.Constant(numbers, [0] * LANES)
            count = cgutils.alloca_once_value(builder, ir.Constant(word, 0))
            step = ir.Constant(word, LANES)
            with cgutils.for_range_slice(builder, ir.Constant(word, 0), width, step, word) as (column, _):
                bits = _find_positive(builder, data, builder.add(row, column), width, together)
                first = builder.insert_element(nothing, builder.trunc(column, number), ir.Constant(number, 0))
                places = builder.shuffle_vector(first, nothing, nothing)
                places = builder.add(places, ir.Constant(numbers, list(range(LANES))))
                pointer = builder.gep(to, [builder.load(count)])
                packed = builder.call(compress, [places, nothing, bits])
                builder.store(packed, builder.bitcast(pointer, numbers.as_pointer()), align=4)
                number_set = builder.ctpop(builder.bitcast(bits, ir.IntType(LANES)))
                builder.store(builder.add(builder.load(count), builder.zext(number_set, word)), count)
            return builder.load(count)

        return signature, codegen

    return list_active


def make_bit_lister(together: int) -> Any:
    """Make the function that lists the units above 0 in any of ``together`` positions from ``at`` on, into ``units``.

    It returns their number. ``units`` (width + LANES,) of int32; what stands behind the ones listed means nothing.
    """
    positive = _positive_bits_intrinsic(together)

    @bare_kernel
    def list_active(x, at, units):  # type: ignore[no-untyped-def]
        count = 0
        for column in range(0, x.shape[1], WORD):
            mask = positive(x, at, column)
            while mask != 0:
                units[count] = column + lowest_bit(mask)
                mask &= mask - 1
                count += 1
        return count

    return list_active


@intrinsic
def _quantise(typingctx, x, scale, out):  # type: ignore[no-untyped-def]
    signature = types.void(x, types.float32, out)

    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        word = context.get_value_type(types.intp)
        short = ir.VectorType(ir.IntType(16), LANES)
        whole = ir.VectorType(ir.IntType(32), LANES)
        data, to = (_data(context, builder, sig.args[j], args[j]) for j in (0, 2))
        size = builder.mul(*(_shape(context, builder, sig.args[0], args[0], axis) for axis in (0, 1)))
        factor = _broadcast(builder, args[1])
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        rint = cgutils.get_or_insert_function(builder.module, kind, f"llvm.rint.v{LANES}f32")
        bound = ir.Constant(_VECTOR, [float(SHORT)] * LANES)
        step = ir.Constant(word, LANES)
        with cgutils.for_range_slice(builder, ir.Constant(word, 0), size, step, word) as (place, _):
            value = builder.call(rint, [builder.fmul(_load(builder, data, place), factor)])
            value = builder.select(builder.fcmp_ordered("<", value, bound), value, bound)
            value = builder.select(builder.fcmp_ordered(">", value, builder.fneg(bound)), value, builder.fneg(bound))
            value = builder.trunc(builder.fptosi(value, whole), short)
            builder.store(value, builder.bitcast(builder.gep(to, [place]), short.as_pointer()), align=2)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def _dense_quantised(typingctx, x, weights, scale, y, squared):  # type: ignore[no-untyped-def]
    signature = types.void(x, weights, scale, y, types.boolean)

    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        kinds = sig.args
        word = context.get_value_type(types.intp)
        number = ir.IntType(32)
        whole = ir.VectorType(number, LANES)
        short = ir.VectorType(ir.IntType(16), 2 * LANES)
        wide = ir.VectorType(number, 2 * LANES)
        even, odd = (ir.Constant(whole, list(range(start, 2 * LANES, 2))) for start in (0, 1))
        x_data, w_data, s_data, y_data = (
            _data(context, builder, kind, value) for kind, value in zip(kinds[:4], args[:4], strict=True)
        )
        squared = builder.icmp_unsigned("!=", args[4], ir.Constant(args[4].type, 0))
        pairs = _shape(context, builder, kinds[1], args[1], 0)
        columns = _shape(context, builder, kinds[2], args[2], 0)
        x_width = _shape(context, builder, kinds[0], args[0], 1)
        y_width = _shape(context, builder, kinds[3], args[3], 1)
        sums = [[cgutils.alloca_once(builder, whole) for _ in range(VECTORS)] for _ in range(GROUP)]
        zero, end = ir.Constant(word, 0), ir.Constant(word, BLOCK)
        with (
            cgutils.for_range_slice(builder, zero, end, ir.Constant(word, GROUP), word) as (first, _),
            cgutils.for_range_slice(builder, zero, columns, ir.Constant(word, VECTORS * LANES), word) as (column, _),
        ):
            rows = [builder.add(first, ir.Constant(word, g)) for g in range(GROUP)]
            x_rows = [builder.mul(row, x_width) for row in rows]
            y_rows = [builder.mul(row, y_width) for row in rows]
            places = [builder.add(column, ir.Constant(word, LANES * j)) for j in range(VECTORS)]
            for position in sums:
                for cell in position:
                    builder.store(ir.Constant(whole, [0] * LANES), cell)
            with cgutils.for_range(builder, pairs, intp=word) as loop:
                parts = []
                for place in places:
                    at = builder.add(builder.mul(loop.index, columns), place)
                    pointer = builder.gep(w_data, [builder.shl(at, ir.Constant(word, 1))])
                    parts.append(builder.load(builder.bitcast(pointer, short.as_pointer()), align=2))
                for position, row in zip(sums, x_rows, strict=True):
                    at = builder.add(row, builder.shl(loop.index, ir.Constant(word, 1)))
                    pointer = builder.bitcast(builder.gep(x_data, [at]), number.as_pointer())
                    single = builder.insert_element(
                        ir.Constant(whole, ir.Undefined), builder.load(pointer, align=2), ir.Constant(number, 0)
                    )
                    two = builder.shuffle_vector(
                        single, ir.Constant(whole, ir.Undefined), ir.Constant(whole, [0] * LANES)
                    )
                    two = builder.sext(builder.bitcast(two, short), wide)
                    for cell, part in zip(position, parts, strict=True):
                        # LLVM makes one instruction of this where the processor has it (vpmaddwd, vpdpwssd).
                        product = builder.mul(two, builder.sext(part, wide))
                        none = ir.Constant(wide, ir.Undefined)
                        total = builder.shuffle_vector(product, none, even)
                        total = builder.add(total, builder.shuffle_vector(product, none, odd))
                        builder.store(builder.add(builder.load(cell), total), cell)
            for position, row in zip(sums, y_rows, strict=True):
                for cell, place in zip(position, places, strict=True):
                    at = builder.add(row, place)
                    total = builder.sitofp(builder.load(cell), _VECTOR)
                    total = _multiply_add(builder, total, _load(builder, s_data, place), _load(builder, y_data, at))
                    total = _rectify(builder, total)
                    total = builder.select(squared, builder.fmul(total, total), total)
                    _store(builder, total, y_data, at)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def _logistic(typingctx, x):  # type: ignore[no-untyped-def]
    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        word = context.get_value_type(types.intp)
        whole = ir.VectorType(ir.IntType(32), LANES)
        data = _data(context, builder, sig.args[0], args[0])

        def number(value: float) -> Any:
            return ir.Constant(_VECTOR, [float(np.float32(value))] * LANES)

        def call(name: str, *values: Any) -> Any:
            kind = ir.FunctionType(_VECTOR, [_VECTOR] * len(values))
            return builder.call(
                cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{LANES}f32"), values
            )

        for row in range(BLOCK):
            place = ir.Constant(word, row * LANES)
            value = _load(builder, data, place)
            value = builder.select(builder.fcmp_ordered("<", value, number(LIMIT)), value, number(LIMIT))
            value = builder.select(builder.fcmp_ordered(">", value, number(-LIMIT)), value, number(-LIMIT))
            power = builder.fmul(value, number(-1.4426950408889634))
            nearest = call("rint", power)
            rest = builder.fsub(power, nearest)
            total = number(POWERS[0])
            for factor in POWERS[1:]:
                total = _multiply_add(builder, total, rest, number(factor))
            exponent = builder.add(builder.fptosi(nearest, whole), ir.Constant(whole, [127] * LANES))
            scale = builder.bitcast(builder.shl(exponent, ir.Constant(whole, [23] * LANES)), _VECTOR)
            total = builder.fadd(builder.fmul(total, scale), number(1.0))
            _store(builder, builder.fdiv(number(1.0), total), data, place)
        return context.get_dummy_value()

    return types.void(x), codegen


sum_rows, sum_whole_rows = _sum_rows, _sum_whole_rows
dense = _dense_intrinsic(BLOCK, VECTORS * LANES, rectify=True, whole=True)
dense_pair = _dense_intrinsic(PAIR, 2 * LANES if FEW else PAIR_SPAN, rectify=True, whole=True)
dense_rectified = _dense_intrinsic(BLOCK, VECTORS * LANES, rectify=True, whole=False)
dense_linear = _dense_intrinsic(BLOCK, LANES, rectify=False, whole=False)
_make_lister = make_vector_lister if PACKS_LANES else make_bit_lister
list_active, list_active_pair = _make_lister(BLOCK), _make_lister(PAIR)
quantise, dense_quantised, logistic = _quantise, _dense_quantised, _logistic
