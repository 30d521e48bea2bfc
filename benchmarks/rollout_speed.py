"""Rollouts of the starting position on one core: games a second, and seconds to a standard error of 0.01.

    python benchmarks/rollout_speed.py [--trials 216] [--small NET] [--peers]

Games a second alone say little: a control that takes more of the luck out is worth more time. So the second figure is
the time to an error, from the error and the time measured. Times are processor seconds of one thread. Peers, where
they are installed, play in processes of their own, since one of them is known to crash.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.engine import Engine
from fullprime.engine.nets.net import Net, nets_for
from fullprime.engine.rollouts.rollout import Candidate, TrialPolicy, rollout
from fullprime.rules.variants import BACKGAMMON

GOAL = 0.01

BGSAGE = """
import time
import bgbot_cpp, bgsage
nets = bgsage.default_weights()
def play(trials, reduced):
    made = bgbot_cpp.create_rollout(nets.strategy_type, nets.weight_paths_list, nets.hidden_sizes_list,
        n_trials=trials, truncation_depth=0, decision_ply=1, n_threads=1, seed=1, enable_vr=reduced)
    begun = time.process_time()
    found = made.evaluate_board(bgsage.STARTING_BOARD, bgsage.STARTING_BOARD)
    return time.process_time() - begun, found["std_error"]
play(36, False)
for reduced in (False, True):
    print(*play({trials}, reduced))
"""
GNUBG = """
import time
import gnubg_nn
start = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
begun = time.process_time()
found = gnubg_nn.rollout(start, {trials}, 0, gnubg_nn.ro_over, 500, 1)
print(time.process_time() - begun, found)
"""


def told(name: str, trials: int, seconds: float, error: float) -> None:
    goal = seconds * (error / GOAL) ** 2
    print(f"{name:<44}{trials / seconds:>9.1f} games/s   error {error:.4f}   {goal:>7.1f} s to {GOAL}")


def ours(trials: int, small: Path | None) -> None:
    nets = dict(nets_for(BACKGAMMON.name))
    if small is not None:
        nets["small"] = Net.read(small)
    searcher = Engine.open(nets=nets).searcher
    start = [Candidate.position(BACKGAMMON.starting_position)]
    for words, context in (("cubeless", None), ("cubeful", CubeContext())):
        for reduced in (False, True):
            policy = TrialPolicy(variance_reduction=reduced)
            rollout(searcher, start, context, policy=replace(policy, truncate=2), trials=36, threads=1)
            begun = time.process_time()
            result = rollout(searcher, start, context, policy=policy, trials=trials, threads=1)
            seconds = time.process_time() - begun
            luck = "with" if reduced else "no"
            told(f"fullprime {words}, {luck} variance reduction", result.trials, seconds, result.best.error)


def peer(name: str, program: str, trials: int) -> None:
    command = [sys.executable, "-c", program.replace("{trials}", str(trials))]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    except subprocess.TimeoutExpired:
        print(f"{name}: not done after 900 s")
        return
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"ended by signal {-done.returncode}"]
        print(f"{name}: no figure, it failed ({last[0]})")
        return
    for luck, line in zip(("no", "with"), done.stdout.strip().splitlines(), strict=False):
        seconds, error = (float(word) for word in line.split()[:2])
        told(f"{name} cubeless, {luck} variance reduction", trials, seconds, error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trials", type=int, default=216)
    parser.add_argument("--small", type=Path, help="a small net that looks at all plays before the others")
    parser.add_argument("--peers", action="store_true", help="gnubg-nn and bgsage too")
    options = parser.parse_args()
    ours(options.trials, options.small)
    if options.peers:
        peer("bgsage", BGSAGE, options.trials)
        peer("gnubg-nn", GNUBG, options.trials)


if __name__ == "__main__":
    main()
