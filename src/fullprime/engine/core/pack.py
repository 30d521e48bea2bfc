"""Positions as rows of int8[32] and back, and legal plays over batches, checked at the door.

The layout is described in ``fullprime.engine.core.layout``. Kernels trust what they are given; these functions do not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from fullprime.engine.core import layout
from fullprime.engine.core.moves import plays
from fullprime.rules.errors import PositionError, RulesError
from fullprime.rules.position import BAR, HAND, OFF, SLOTS, Position, unchecked_position
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import HitLicence, Variant

Rows = npt.NDArray[np.int8]
"""Positions: int8 (n, 32), C-contiguous."""

T = TypeVar("T", bound=np.generic)

_LICENCES = {
    HitLicence.FREE: layout.LICENCE_FREE,
    HitLicence.PERMANENT: layout.LICENCE_PERMANENT,
    HitLicence.CURRENT: layout.LICENCE_CURRENT,
}
_MAX_CHECKERS = 15
_CHUNK_ROWS = 1 << 20


def rules_array(variant: Variant) -> npt.NDArray[np.int64]:
    """The rules of movement of a variant as the kernels read them: int64 (5,)."""
    rules = np.zeros(layout.RULES, np.int64)
    rules[layout.RULE_ENTER_ALL_FIRST] = variant.enter_all_first
    rules[layout.RULE_BAR_PRIORITY] = variant.bar_priority
    rules[layout.RULE_HIT_LICENCE] = _LICENCES[variant.hit_licence]
    rules[layout.RULE_ENTERING_MOVE_MAY_HIT] = variant.entering_move_may_hit
    rules[layout.RULE_EXACT_BEAROFF] = variant.exact_bearoff
    return rules


def for_kernels(array: npt.NDArray[T]) -> npt.NDArray[T]:
    """An array as the prepared kernels take it: C-contiguous and writable, though they may only read it.

    The array itself, if it is so; else a copy.
    """
    return np.require(array, requirements=("C", "A", "W"))


# -- positions <-> rows ---------------------------------------------------------------------------------------
def pack(positions: Iterable[Position]) -> Rows:
    """Rows of positions, each seen by its player on roll: int8 (n, 32)."""
    listed = list(positions)
    own = np.array([position.player for position in listed], np.int8).reshape(-1, SLOTS)
    other = np.array([position.opponent for position in listed], np.int8).reshape(-1, SLOTS)
    rows = pack_counts(own, other)
    rows[:, layout.LICENCE] = [position.player_licence for position in listed]
    rows[:, layout.THEIR_LICENCE] = [position.opponent_licence for position in listed]
    return rows


def pack_counts(own: npt.NDArray[np.int8], other: npt.NDArray[np.int8]) -> Rows:
    """Rows of the counts of both sides (n, 27), each numbered by its owner, without licences: int8 (n, 32)."""
    rows = np.zeros((len(own), layout.ROW), np.int8)
    rows[:, 1:26] = own[:, 1:26]
    rows[:, 0:25] -= other[:, 25:0:-1]
    for column, side, slot in (
        (layout.OFF, own, OFF),
        (layout.THEIR_OFF, other, OFF),
        (layout.HAND, own, HAND),
        (layout.THEIR_HAND, other, HAND),
    ):
        rows[:, column] = side[:, slot]
    return rows


def unpack(rows: Rows) -> list[Position]:
    """The positions of rows; the inverse of :func:`pack`."""
    check_rows(rows)
    own = np.zeros((len(rows), SLOTS), np.int8)
    other = np.zeros((len(rows), SLOTS), np.int8)
    own[:, 1:25] = np.maximum(rows[:, 1:25], 0)
    other[:, 1:25] = np.maximum(-rows[:, 24:0:-1], 0)
    own[:, BAR], other[:, BAR] = rows[:, layout.BAR], -rows[:, layout.THEIR_BAR]
    own[:, OFF], other[:, OFF] = rows[:, layout.OFF], rows[:, layout.THEIR_OFF]
    own[:, HAND], other[:, HAND] = rows[:, layout.HAND], rows[:, layout.THEIR_HAND]
    licences = rows[:, [layout.LICENCE, layout.THEIR_LICENCE]].astype(bool).tolist()
    return [
        unchecked_position(tuple(mine), tuple(theirs), *flags)
        for mine, theirs, flags in zip(own.tolist(), other.tolist(), licences, strict=True)
    ]


def swap(rows: Rows) -> Rows:
    """The same boards seen by the other player."""
    check_rows(rows)
    out = np.empty_like(rows)
    plays.swap_rows(for_kernels(rows), out)
    return out


def check_rows(rows: object) -> None:
    """Raise PositionError unless these are rows that kernels can be trusted with.

    Shape, type and memory order; no side with more than 15 checkers or none; bar, off and hand not negative and on
    the right side; flags 0 or 1.
    """
    if not isinstance(rows, np.ndarray) or rows.dtype != np.int8 or rows.ndim != 2 or rows.shape[1] != layout.ROW:
        raise PositionError(f"positions are int8 (n, {layout.ROW}), not {_described(rows)}")
    if not rows.flags.c_contiguous:
        raise PositionError(f"positions are C-contiguous; {_described(rows)} is not")
    board = rows[:, 1:25].astype(np.int64)
    counters = rows.astype(np.int64)
    counters[:, layout.THEIR_BAR] *= -1
    outside = [layout.THEIR_BAR, layout.BAR, layout.OFF, layout.THEIR_OFF, layout.HAND, layout.THEIR_HAND]
    own = np.maximum(board, 0).sum(1) + counters[:, [layout.BAR, layout.OFF, layout.HAND]].sum(1)
    other = np.maximum(-board, 0).sum(1)
    other += counters[:, [layout.THEIR_BAR, layout.THEIR_OFF, layout.THEIR_HAND]].sum(1)
    flags = rows[:, [layout.LICENCE, layout.THEIR_LICENCE]]
    bad = (counters[:, outside] < 0).any(1) | ((flags & ~1) != 0).any(1)
    for side in (own, other):
        bad |= (side < 1) | (side > _MAX_CHECKERS)
    if bad.any():
        index = int(np.flatnonzero(bad)[0])
        raise PositionError(f"row {index} does not hold 1 to {_MAX_CHECKERS} checkers a side: {rows[index].tolist()}")


def check_dice(dice: object, rolls: int) -> None:
    """Raise RulesError unless these are ``rolls`` rolls: int8 (n, 2) of 1 to 6."""
    if not isinstance(dice, np.ndarray) or dice.dtype != np.int8 or dice.shape != (rolls, 2):
        raise RulesError(f"dice are int8 ({rolls}, 2), one roll for each position, not {_described(dice)}")
    bad = ((dice < 1) | (dice > 6)).any(1)
    if bad.any():
        index = int(np.flatnonzero(bad)[0])
        raise RulesError(f"roll {index}: a die shows 1 to 6, not {dice[index].tolist()}")


def _described(array: object) -> str:
    return f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else f"a {type(array).__name__}"


# -- legal plays ----------------------------------------------------------------------------------------------
def legal_plays(
    positions: Rows, dice: npt.NDArray[np.int8], variant: Variant = BACKGAMMON
) -> tuple[Rows, npt.NDArray[np.int64]]:
    """Every distinct result of each roll: ``(rows, offsets)``.

    ``positions`` int8 (n, 32), ``dice`` int8 (n, 2). The results of position ``i`` are
    ``rows[offsets[i]:offsets[i + 1]]``, still seen by the player who made the play; when nothing can be played there
    is one, the position itself. Raises PositionError or RulesError for arrays that are not what they should be.
    """
    check_rows(positions)
    check_dice(dice, len(positions))
    rules = rules_array(variant)
    positions, dice = for_kernels(positions), for_kernels(dice)
    offsets = np.zeros(len(positions) + 1, np.int64)
    chunks: list[Rows] = []
    first = filled = 0
    while first < len(positions):
        capacity = min(24 * (len(positions) - first), _CHUNK_ROWS) + plays.MAX_PLAYS
        out = np.empty((capacity, layout.ROW), np.int8)
        after = plays.legal_plays_batch(positions, dice, rules, first, out, offsets[1:])
        offsets[first + 1 : after + 1] += filled
        chunks.append(out[: int(offsets[after]) - filled])
        first, filled = after, int(offsets[after])
    if len(chunks) == 1:  # the usual case, without a copy
        return chunks[0], offsets
    return (np.concatenate(chunks) if chunks else np.empty((0, layout.ROW), np.int8)), offsets
