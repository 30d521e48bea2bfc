"""Legal plays of many positions as GNU Backgammon Position IDs, by the kernels.

The IDs are written for whole arrays at once; ``rules.ids`` is the readable truth, and tests hold the two equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fullprime.rules.dice import Roll
from fullprime.rules.position import Position
from fullprime.rules.variants.variant import Variant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BITS, _SLOTS, _CHARACTERS = 80, 25, 14


def legal_position_ids(decisions: Sequence[tuple[Position, Roll]], variant: Variant) -> list[list[str]]:
    """For each decision the sorted Position IDs after its plays, seen by the other player; empty when there is none.

    Raises PositionError or RulesError for input that the kernels refuse.
    """
    import numpy as np

    from fullprime.engine.core.pack import legal_plays, pack

    if not decisions:
        return []
    rows = pack([position for position, _ in decisions])
    dice = np.array([(roll.high, roll.low) for _, roll in decisions], np.int8)
    results, offsets = legal_plays(rows, dice, variant)
    ids = position_ids(results)
    single = np.flatnonzero(np.diff(offsets) == 1)
    passes = set(single[(results[offsets[single]] == rows[single]).all(axis=1)].tolist())
    bounds = offsets.tolist()
    return [
        [] if number in passes else sorted(ids[bounds[number] : bounds[number + 1]]) for number in range(len(decisions))
    ]


def position_ids(results: npt.NDArray[np.int8]) -> list[str]:
    """The Position IDs of packed boards int8 (n, 32), each seen by the side that has just moved.

    The ID is that of the opponent, who is on roll now; its first half is therefore the side that moved. A Position ID
    carries no hand.
    """
    import numpy as np

    count = len(results)
    # Each side's points 1-24 and bar: as many ones as checkers, then a zero; the zeros are at known places.
    checkers = np.empty((count, 2 * _SLOTS), np.int64)
    points = results[:, 1:25]
    checkers[:, :24] = np.maximum(points, 0)
    checkers[:, 24] = results[:, 25]
    checkers[:, 25:49] = np.maximum(-points[:, ::-1], 0)
    checkers[:, 49] = -results[:, 0]
    zeros = np.cumsum(checkers, axis=1) + np.arange(2 * _SLOTS)
    bits = (np.arange(_BITS) < zeros[:, -1:]).astype(np.uint8)
    np.put_along_axis(bits, np.minimum(zeros, _BITS - 1), 0, axis=1)
    octets = np.packbits(bits, axis=1, bitorder="little")
    # Base64 takes the bits of each byte from the top: 80 bits and four zeros make 14 characters.
    padded = np.zeros((count, 6 * _CHARACTERS), np.uint8)
    padded[:, :_BITS] = np.unpackbits(octets, axis=1)
    weights = np.array([32, 16, 8, 4, 2, 1], np.uint8)
    sextets = (padded.reshape(count, _CHARACTERS, 6) * weights).sum(axis=2, dtype=np.uint8)
    text = np.frombuffer(_ALPHABET, np.uint8)[sextets]
    return [code.decode("ascii") for code in np.ascontiguousarray(text).view(f"S{_CHARACTERS}").ravel().tolist()]
