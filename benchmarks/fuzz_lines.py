"""Hostile lines for every command that reads lines, for as long as one likes.

    python benchmarks/fuzz_lines.py --minutes 60 --seed 1
    python benchmarks/fuzz_lines.py --minutes 5 --only engine

Each command runs as a process of its own and is sent batches of lines that are wrong in every way we know (NaN, numbers
beyond all bounds, nesting, halves of surrogates, bytes that are no text, lines without an end), cut anywhere. Each line
must have its answer, the last of each batch the right one; nothing may end a command, hang it, or make it say
"internal error". A batch that does is kept in ``tests/data/lines``, where the tests send it again for ever.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.cli.hostile_lines import TARGETS, Broken, Left, Process, Sent, Target, batch  # noqa: E402

KEPT = ROOT / "tests" / "data" / "lines"
BATCHES = 40
"""Batches for one process before the next command has its turn."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=sorted(TARGETS), default=None)
    options = parser.parse_args()
    targets = [target for name, target in TARGETS.items() if options.only in (None, name)]
    sent, broken = {target.name: Sent() for target in targets}, 0
    end, turn = time.monotonic() + 60 * options.minutes, 0
    while time.monotonic() < end:
        target = targets[turn % len(targets)]
        broken += attack(target, sent[target.name], f"{options.seed} {target.name} {turn}", end)
        turn += 1
    for name, sums in sent.items():
        print(
            f"{name}: {sums.lines} lines, {sums.bytes / 1e6:.1f} MB, {sums.errors} answered by an error, "
            f"{sums.lines - sums.errors} by something else, {sums.starts} processes, at most {sums.peak / 1024:.0f} MiB"
        )
    print(f"seed {options.seed}, {options.minutes:g} minutes, {broken} batches broke a command")
    return 1 if broken else 0


def attack(target: Target, sent: Sent, seed: str, end: float) -> int:
    """Send batches to one process; gives 1 if one of them broke it."""
    chance = random.Random(seed)
    running = Process(target, sent)
    for number in range(BATCHES):
        data = batch(target.make, chance, 50)
        try:
            running.answers(data, random.Random(number))
        except Left:
            break
        except Broken as error:
            KEPT.mkdir(parents=True, exist_ok=True)
            file = KEPT / f"{target.name}-{hashlib.sha256(data).hexdigest()[:8]}.txt"
            file.write_bytes(data)
            print(
                f"{target.name}, seed {seed!r}, batch {number}: {error}\n  kept as {file}", file=sys.stderr, flush=True
            )
            running.close()
            return 1
        if time.monotonic() > end:
            break
    try:
        running.close()
    except Broken as error:
        print(f"{target.name}, seed {seed!r}, at the end: {error}", file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
