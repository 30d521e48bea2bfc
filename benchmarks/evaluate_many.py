"""How long do many positions take, at once and one by one?

    python benchmarks/evaluate_many.py [--count N]

The positions are drawn from games that the random bot plays with itself. Printed are the seconds for all of them by
``fullprime.evaluate_many``, from an array, and by ``fullprime.evaluate``, of which a few hundred are timed.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import fullprime as fp

ALONE = 300


def boards(count: int) -> np.ndarray:
    """Counts (count, 2, 27) of positions before a roll."""
    positions = [
        (entry.before.position.player, entry.before.position.opponent)
        for seed in range(20)
        for entry in fp.play_match("random", "random", seed=seed).games[0].entries()
        if entry.before.phase in (fp.Phase.ROLL, fp.Phase.CUBE_DECISION)
    ]
    rows = np.array(positions, np.int8)
    return rows[np.random.default_rng(1).integers(0, len(rows), count)]


class Timed:
    """Prints the time of a block, many times as long."""

    def __init__(self, name: str, times: float) -> None:
        self.name, self.times = name, times

    def __enter__(self) -> None:
        self.begun, self.worked = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        seconds, work = time.perf_counter() - self.begun, time.process_time() - self.worked
        print(f"{self.name}: {seconds * self.times:.2f} s, {work * self.times:.2f} s of processors")


def main() -> None:
    """Print a line for each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    count: int = parser.parse_args().count
    rows = boards(count)
    alone = [fp.Position(tuple(own), tuple(other)) for own, other in rows[:ALONE].tolist()]
    for level in ("fast", "0-ply"):
        fp.evaluate_many(rows[:100], level=level)
        fp.evaluate(alone[0], level=level)
        with Timed(f"{level}: {count:,} at once", 1.0):
            fp.evaluate_many(rows, level=level)
        with Timed(f"{level}: {count:,} one by one, from {len(alone)} of them", count / len(alone)):
            for position in alone:
                fp.evaluate(position, level=level)


if __name__ == "__main__":
    main()
