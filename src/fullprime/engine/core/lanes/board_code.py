"""The operations of `board_vector` written out for LLVM; only Numba comes here, through `jit.operation`."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fullprime.engine.core.lanes.board_vector import OTHER, OWN, POINTS, ROW, TURNED
from fullprime.engine.core.lanes.vector_code import data_of


@intrinsic
def _places(typingctx, boards, at):  # type: ignore[no-untyped-def]
    signature = types.UniTuple(types.int64, 4)(boards, types.intp)

    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        word = ir.IntType(64)
        kind = ir.VectorType(ir.IntType(8), ROW)
        data = data_of(context, builder, sig.args[0], args[0])
        row = builder.load(builder.gep(builder.bitcast(data, kind.as_pointer()), [args[1]]), align=1)
        masks = []
        for sign, least, mask in ((">", 0, OWN), ("<", 0, OTHER), (">", 1, POINTS), ("<", -1, POINTS)):
            bits = builder.icmp_signed(sign, row, ir.Constant(kind, [least] * ROW))
            bits = builder.zext(builder.bitcast(bits, ir.IntType(ROW)), word)
            masks.append(builder.and_(bits, ir.Constant(word, mask)))
        return context.make_tuple(builder, sig.return_type, masks)

    return signature, codegen


@intrinsic
def _turn_round(typingctx, position, out):  # type: ignore[no-untyped-def]
    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        kind = ir.VectorType(ir.IntType(8), ROW)
        data, to = (data_of(context, builder, array, value) for array, value in zip(sig.args, args, strict=True))
        row = builder.load(builder.bitcast(data, kind.as_pointer()), align=1)
        order = ir.Constant(ir.VectorType(ir.IntType(32), ROW), list(TURNED))
        row = builder.shuffle_vector(row, ir.Constant(kind, ir.Undefined), order)
        signs = ir.Constant(kind, [-1] * 26 + [0] * (ROW - 26))
        row = builder.sub(builder.xor(row, signs), signs)
        builder.store(row, builder.bitcast(to, kind.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(position, out), codegen


@intrinsic
def _count_ones(typingctx, mask):  # type: ignore[no-untyped-def]
    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


places, turn_round, count_ones = _places, _turn_round, _count_ones
