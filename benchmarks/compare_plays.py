"""Random decisions against gnubg-nn: the legal plays must be the same, board by board.

    python benchmarks/compare_plays.py --decisions 1000000

Needs the extra ``peers``. Positions come from random games, several hundred side by side. Every board after a play
is written as gnubg-nn's own key, by code of this file alone, and the sorted keys of each decision are compared.
Ends with status 1 when any decision differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib.metadata import version

import gnubg_nn
import numpy as np

from fullprime.engine.core.pack import Rows, legal_plays, unpack
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.measure.bench import random_decisions

CHUNK = 20_000
LETTERS = str.maketrans("0123456789abcdef", "ABCDEFGHIJKLMNOP")
KEY = 20


def keys(rows: Rows) -> str:
    """gnubg-nn's position keys of boards seen by the mover, 20 letters each, one after the other.

    80 bits: for the opponent and then the mover, for each of the points 1 to 24 and the bar of its own numbering, as
    many ones as it has checkers there and a zero; two letters a byte, the low bits first.
    """
    mine = np.concatenate([np.maximum(rows[:, 1:25], 0), rows[:, 25:26]], axis=1)
    theirs = np.concatenate([np.maximum(-rows[:, 24:0:-1], 0), -rows[:, 0:1]], axis=1)
    counts = np.concatenate([theirs, mine], axis=1).astype(np.int64)
    zeros = np.cumsum(counts, axis=1) + np.arange(50)
    bits = np.arange(80) < zeros[:, -1:]
    np.put_along_axis(bits, zeros, values=False, axis=1)
    return np.packbits(bits, axis=1, bitorder="little").tobytes().hex().translate(LETTERS)


def compare(decisions: int, seed: int) -> tuple[int, int]:
    """Differing decisions and all plays of the core."""
    differences = plays = 0
    for part, first in enumerate(range(0, decisions, CHUNK)):
        positions, dice = random_decisions(BACKGAMMON, min(CHUNK, decisions - first), seed * 1_000_000 + part)
        rows, offsets = legal_plays(positions, dice)
        plays += len(rows)
        text, bounds = keys(rows), (offsets * KEY).tolist()
        stay = keys(positions)
        for i, (position, pair) in enumerate(zip(unpack(positions), dice.tolist(), strict=True)):
            ours = sorted(text[at : at + KEY] for at in range(bounds[i], bounds[i + 1], KEY))
            board = [list(position.opponent[1:26]), list(position.player[1:26])]
            theirs = sorted(gnubg_nn.moves(board, *pair)) or [stay[i * KEY : (i + 1) * KEY]]
            if ours != theirs:
                differences += 1
                print(f"different: {position.text} {pair[0]}{pair[1]}: {len(ours)} and {len(theirs)} boards")
    return differences, plays


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the core's legal plays with gnubg-nn's.")
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start = time.perf_counter()
    differences, plays = compare(options.decisions, options.seed)
    seconds = time.perf_counter() - start
    print(
        f"{options.decisions} decisions, {plays} plays, {differences} differences with gnubg-nn "
        f"{version('gnubg-nn')} (seed {options.seed}, {seconds:.0f} s)"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
