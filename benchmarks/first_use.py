"""What the first play and the first hint cost in a fresh process: ``python benchmarks/first_use.py [--compiled]``.

Each line is a process of its own with an empty cache, so that nothing was compiled and no table was built before; then
the same again with the cache that the first left. Processor seconds are those of all its processes; memory is the most
that was resident. ``--compiled`` leaves the prepared machine code alone: what processors have that there is none for.
``--speed`` compares the two at work in turns: evaluations, plays, and plays with one ply of look-ahead.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time

PLAY = """
from fullprime.engine.engine import Engine
from fullprime.rules.dice import Roll
engine = Engine.open("{game}")
print(engine.best_play(engine.variant.starting_position, Roll(4, 1), level="0-ply"))
"""
HINT = "from fullprime.cli.main import main; import sys; sys.argv = ['fullprime', 'hint', '{position}']; main()"
POSITION = "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8"
SPEED = """
import hashlib, sys, time
import numpy as np
from fullprime.engine.core.lookahead import search
from fullprime.engine.core.moves import plays
from fullprime.engine.core.pack import legal_plays, pack, rules_array, swap, unpack
from fullprime.engine.engine import Engine
from fullprime.rules.dice import Roll
from fullprime.rules.variants import BACKGAMMON
chance, pool = np.random.default_rng(1), [pack([BACKGAMMON.starting_position] * 400)]
for _ in range(40):
    dice = chance.integers(1, 7, (400, 2)).astype(np.int8)
    rows, ends = legal_plays(pool[-1], dice)
    pool.append(swap(np.ascontiguousarray(rows[chance.integers(ends[:-1], ends[1:])])))
boards = np.concatenate(pool)
engine = Engine.open(level="0-ply")
asked, rules = unpack(boards[::100].copy()), rules_array(BACKGAMMON)
def best(work, times):
    work()
    found = []
    for _ in range(times):
        begin = time.process_time()
        work()
        found.append(time.process_time() - begin)
    return min(found)
outputs = engine.searcher.evaluator.evaluate(boards)
dice = chance.integers(1, 7, (len(boards), 2)).astype(np.int8)
room, ends = np.empty((1 << 20, 32), np.int8), np.zeros(len(boards), np.int64)
made = ends[plays.legal_plays_batch(boards, dice, rules, 0, room, ends) - 1]
print(
    len(boards) / best(lambda: engine.searcher.evaluator.evaluate(boards), 8) / 1e6,
    made / best(lambda: plays.legal_plays_batch(boards, dice, rules, 0, room, ends), 8) / 1e6,
    best(lambda: [engine.best_play(board, Roll(5, 2)) for board in asked], 4) / len(asked) * 1e3,
    best(lambda: [engine.best_play(board, Roll(5, 2), level="1-ply") for board in asked[::4]], 3) / len(asked) * 4e3,
    hashlib.sha256(outputs.tobytes()).hexdigest()[:16],
)
"""
GAMES = ("backgammon", "nackgammon", "hypergammon", "longgammon", "dutch", "acey_deucey", "acey_deucey_european")


def measured(code: str, folder: str, compiled: bool) -> tuple[float, float, float, str]:
    """Seconds on the wall, of the processor, MB of memory, and the last line that a fresh process says."""
    environment = os.environ | {"XDG_CACHE_HOME": folder, "FULLPRIME_KERNEL_CACHE": f"{folder}/kernels"}
    environment["FULLPRIME_MACHINE_CODE"] = "off" if compiled else ""
    # A process between, so that memory and time are those of this run alone.
    own = "import resource, subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]], check=True); "
    own += "r = resource.getrusage(resource.RUSAGE_CHILDREN); print(r.ru_utime + r.ru_stime, r.ru_maxrss / 1024)"
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", own, code], env=environment, capture_output=True, text=True, check=True
    )
    wall = time.perf_counter() - begin
    *lines, last = done.stdout.strip().splitlines()
    seconds, memory = map(float, last.split())
    return wall, seconds, memory, lines[-1] if lines else ""


def first_use(compiled: bool) -> None:
    """First play of every game, and a first hint, with an empty cache and again."""
    print(f"{'':28} {'wall s':>8} {'cpu s':>8} {'MB':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for turn in ("empty cache", "again"):
            for game in GAMES:
                wall, seconds, memory, _ = measured(PLAY.format(game=game), folder, compiled)
                print(f"{game:21} {turn:>12} {wall:8.2f} {seconds:8.2f} {memory:6.0f}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for turn in ("empty cache", "again"):
            wall, seconds, memory, _ = measured(HINT.format(position=POSITION), folder, compiled)
            print(f"{'hint':21} {turn:>12} {wall:8.2f} {seconds:8.2f} {memory:6.0f}", flush=True)


def speed(rounds: int) -> None:
    """Prepared and compiled code at work, in turns; the same hash means the same bits."""
    print(f"{'':10} {'M evaluations/s':>16} {'M plays/s':>10} {'ms 0-ply':>9} {'ms 1-ply':>9}  hash")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds + 1):
            for compiled in (False, True):
                words = measured(SPEED, folder, compiled)[3].split()
                if number:  # the first round compiles
                    numbers = [float(word) for word in words[:4]]
                    name = "compiled" if compiled else "prepared"
                    figures = "{:16.3f} {:10.1f} {:9.3f} {:9.2f}".format(*numbers)
                    print(f"{name:10} {figures}  {words[4]}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiled", action="store_true", help="without prepared machine code")
    parser.add_argument("--speed", type=int, metavar="ROUNDS", help="compare the speed of both instead")
    options = parser.parse_args()
    if options.speed:
        speed(options.speed)
    else:
        first_use(options.compiled)
