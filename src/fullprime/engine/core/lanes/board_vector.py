"""A packed position as one vector of 32 bytes: the places of both sides, the other player's view; bits of a mask.

A comparison of the whole vector with a number gives a mask of places at once. With the JIT off plain loops stand in.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fullprime.engine.core.jit import JIT
from fullprime.engine.core.lanes.vector import data_of

OWN, OTHER, POINTS = 0x3FFFFFE, 0x1FFFFFF, 0x1FFFFFE
"""Places on which a side's checkers may stand, as bits of `places`, and the points alone."""
TURNED = (*range(25, -1, -1), 27, 26, 29, 28, 31, 30)
"""Where each place of a packed position stands for the other player."""
_ROW = 32
"""Bytes of a packed position."""


@intrinsic
def _places(typingctx, boards, at):  # type: ignore[no-untyped-def]
    signature = types.UniTuple(types.int64, 4)(boards, types.intp)

    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        word = ir.IntType(64)
        kind = ir.VectorType(ir.IntType(8), _ROW)
        data = data_of(context, builder, sig.args[0], args[0])
        row = builder.load(builder.gep(builder.bitcast(data, kind.as_pointer()), [args[1]]), align=1)
        found = []
        for sign, least, mask in ((">", 0, OWN), ("<", 0, OTHER), (">", 1, POINTS), ("<", -1, POINTS)):
            bits = builder.icmp_signed(sign, row, ir.Constant(kind, [least] * _ROW))
            bits = builder.zext(builder.bitcast(bits, ir.IntType(_ROW)), word)
            found.append(builder.and_(bits, ir.Constant(word, mask)))
        return context.make_tuple(builder, sig.return_type, found)

    return signature, codegen


@intrinsic
def _turn_round(typingctx, position, out):  # type: ignore[no-untyped-def]
    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        kind = ir.VectorType(ir.IntType(8), _ROW)
        data, to = (data_of(context, builder, one, value) for one, value in zip(sig.args, args, strict=True))
        row = builder.load(builder.bitcast(data, kind.as_pointer()), align=1)
        order = ir.Constant(ir.VectorType(ir.IntType(32), _ROW), list(TURNED))
        row = builder.shuffle_vector(row, ir.Constant(kind, ir.Undefined), order)
        signs = ir.Constant(kind, [-1] * 26 + [0] * (_ROW - 26))
        row = builder.sub(builder.xor(row, signs), signs)
        builder.store(row, builder.bitcast(to, kind.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(position, out), codegen


@intrinsic
def _ones(typingctx, mask):  # type: ignore[no-untyped-def]
    def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


def _plain_ones(mask):  # type: ignore[no-untyped-def]
    return int(mask).bit_count()


def _plain_places(boards, at):  # type: ignore[no-untyped-def]
    row = np.ascontiguousarray(boards[at]).view(np.int8)
    bits = 1 << np.arange(_ROW)
    conditions = ((row > 0, OWN), (row < 0, OTHER), (row > 1, POINTS), (row < -1, POINTS))
    return tuple(int(bits[where].sum()) & mask for where, mask in conditions)


def _plain_turn_round(position, out):  # type: ignore[no-untyped-def]
    row = position[list(TURNED)]
    row[:26] *= -1
    out[:] = row


if JIT:
    places: Any = _places
    """Bits of the places (0 to 25) of own and other checkers, of own and other made points of ``boards[at]``."""
    turn_round: Any = _turn_round
    """A position (32,) seen by the other player, into ``out`` (32,), which may be the same one."""
    ones: Any = _ones
    """How many bits of a mask are set."""
else:
    places, turn_round, ones = _plain_places, _plain_turn_round, _plain_ones
