"""Perft: the number of plays, ply by ply. A changed number means that the rules have changed.

At each ply, every position reached (a position reached twice counts twice) is given each of the 21 unordered rolls,
and the distinct resulting positions of each roll are added up; no legal play counts as one. A finished game is not
played on. Only single rolls are played: the extra stages that a special roll gives in some games (naming a double,
throwing again) belong to the game, not to the play, and are left out.
"""

from __future__ import annotations

from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.errors import SettingsError
from fullprime.rules.variants.variant import Variant

MAX_DEPTH = 6
_CHUNK = 1000
"""Positions expanded at a time; keeps the memory bounded at any depth."""


def perft(variant: Variant, depth: int) -> tuple[int, ...]:
    """The number of plays at ply 1, 2, ... ``depth`` from the starting position.

    Raises SettingsError for a depth that is not 1 to 6.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise SettingsError(f"perft: a depth is 1 to {MAX_DEPTH}, not {depth}")
    # Compiled kernels are loaded only for a count.
    import numpy as np

    from fullprime.engine.core.layout import OFF
    from fullprime.engine.core.pack import Rows, legal_plays, pack, swap

    rolls = np.array([(roll.high, roll.low) for roll in ALL_ROLLS], np.int8)
    counts = [0] * depth

    def expand(rows: Rows, ply: int) -> None:
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            results, _ = legal_plays(np.repeat(chunk, len(rolls), axis=0), np.tile(rolls, (len(chunk), 1)), variant)
            counts[ply] += len(results)
            if ply + 1 < depth:
                expand(swap(results[results[:, OFF] < variant.checkers]), ply + 1)

    expand(pack([variant.starting_position]), 0)
    return tuple(counts)


def perft_by_roll(variant: Variant) -> dict[str, int]:
    """The number of distinct plays of each of the 21 rolls from the starting position, by name (``"31"``)."""
    import numpy as np

    from fullprime.engine.core.pack import legal_plays, pack

    rolls = np.array([(roll.high, roll.low) for roll in ALL_ROLLS], np.int8)
    _, offsets = legal_plays(pack([variant.starting_position] * len(rolls)), rolls, variant)
    return {str(roll): int(count) for roll, count in zip(ALL_ROLLS, np.diff(offsets), strict=True)}
