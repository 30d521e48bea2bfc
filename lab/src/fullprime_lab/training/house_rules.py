"""Positions in which backgammons are likely, judged under a house's rules and rolled out to the end under them.

``python -m fullprime_lab.training.house_rules`` prints how far the equities are from the rollouts, beside those in
which every backgammon counts three.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

import numpy as np

from fullprime.engine.boards.conversion import position_of
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import starting_boards
from fullprime.engine.rollouts.task import TrialPolicy
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON
from fullprime.rules.variants.variant import Backgammon
from fullprime_lab.training.bar_share import find_likely_positions, play_games

LEVELS = ("0-ply", "2-ply")


def choose_positions(engine: Engine, count: int, seed: int) -> list[Position]:
    """Positions of games of their own, one of a game at most, in which a backgammon is likely."""
    chosen: list[Position] = []
    while len(chosen) < count:
        met, games, _ = play_games(engine, starting_boards(BACKGAMMON, 1000), seed)
        boards = find_likely_positions(engine, np.concatenate(met), np.concatenate(games), seed)
        chosen += [position_of(board) for board in boards]
        seed += 1
    return chosen[:count]


def main() -> None:
    """Judge, roll out, and print the distances."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--trials", type=int, default=324)
    parser.add_argument("--seed", type=int, default=77)
    options = parser.parse_args()
    engine = Engine.open(level="0-ply")
    positions = choose_positions(engine, options.positions, options.seed)
    plain = CubeContext(cap=1)
    for rule in (Backgammon.BAR_ONLY, Backgammon.BAR_FOUR):
        context = replace(plain, backgammon=rule)
        rolled = [
            engine.rollout(
                board, context=context, trials=options.trials, threads=1, policy=TrialPolicy(seed=options.seed)
            ).best
            for board in positions
        ]
        truth = np.array([play.equity for play in rolled])
        error = float(np.mean([play.error for play in rolled]))
        sys.stdout.write(
            f"{rule}: {len(positions)} positions, {options.trials} trials, error of a rollout {error:.4f}\n"
        )
        for level in LEVELS:
            for name, counted in (("as home_or_bar", plain), ("counted", context)):
                judged = [engine.evaluate(board, counted, level=level).equity for board in positions]
                apart = np.array(judged) - truth
                sys.stdout.write(
                    f"  {level} {name:<15} mean {apart.mean():+.4f}, distance {np.abs(apart).mean():.4f}, "
                    f"largest {np.abs(apart).max():.4f}\n"
                )


if __name__ == "__main__":
    main()
