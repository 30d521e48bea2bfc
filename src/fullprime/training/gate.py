"""The last step: a generation is promoted only when it beats the last in a mirrored duel.

    python -m fullprime.training.gate FIRST SECOND --pairs N [--variant NAME] [--seed K]

FIRST and SECOND are net files, ``ours`` (the nets of the package) or ``gnubg-nn:0``. Every pair of games has the same
dice, with the seats exchanged.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.evaluator import Boards, NetEvaluator, best_results, settled, starting_boards
from fullprime.engine.nets import Net
from fullprime.engine.probabilities import equity
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Variant

Chooser = Callable[[Boards, NDArray[np.int8]], Boards]
"""From positions (n, 32) and dice (n, 2) to the boards after the play chosen, seen by the next player."""

_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Duel:
    """The result of mirrored pairs, seen by the first side: points a game with their standard error over pairs."""

    pairs: int
    points: float
    error: float
    wins: float

    def __str__(self) -> str:
        return f"{self.points:+.4f} ± {self.error:.4f} points a game over {2 * self.pairs} games, {self.wins:.1%} won"


def duel(first: Chooser, second: Chooser, variant: Variant, pairs: int, seed: int, batch: int = 2000) -> Duel:
    """Play ``pairs`` mirrored pairs of cubeless games; the dice depend on the seed alone."""
    scores: list[NDArray[np.float64]] = []
    for part, start in enumerate(range(0, pairs, batch)):
        count = min(batch, pairs - start)
        scores.append(_play(first, second, variant, count, np.random.default_rng((seed, part))))
    points = np.concatenate(scores, axis=1)
    means = points.mean(axis=0)
    return Duel(pairs, float(means.mean()), float(means.std() / math.sqrt(pairs)), float((points > 0).mean()))


def _play(
    first: Chooser, second: Chooser, variant: Variant, pairs: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Points of the first side in both games of each pair, (2, pairs)."""
    points = np.zeros(2 * pairs)
    boards = starting_boards(variant, 2 * pairs)
    running = np.arange(2 * pairs)  # games 0 to pairs - 1 are opened by the first side, the others by the second
    for ply in range(_LONGEST):
        dice = rng.integers(1, 7, (pairs, 2), dtype=np.int8)
        while ply == 0 and (ties := dice[:, 0] == dice[:, 1]).any():
            dice[ties] = rng.integers(1, 7, (int(ties.sum()), 2), dtype=np.int8)
        ours = (running < pairs) == (ply % 2 == 0)
        for chooser, turn in ((first, ours), (second, ~ours)):
            games = running[turn]
            if len(games):
                boards[games] = chooser(boards[games], dice[games % pairs])
        over, outcomes = settled(boards[running], variant)
        # a finished game is lost for the player on roll: the other one has just borne off the last checker
        gained = -equity(outcomes[over], variant)
        points[running[over]] = np.where(ours[over], gained, -gained)
        running = running[~over]
        if not len(running):
            return points.reshape(2, pairs)
    raise RuntimeError(f"{len(running)} games have not ended after {_LONGEST} plies")


def net_chooser(evaluator: NetEvaluator) -> Chooser:
    """The best play at 0 plies by our nets."""
    return lambda boards, dice: best_results(evaluator, boards, dice)


def gnubg_chooser(boards: Boards, dice: NDArray[np.int8]) -> Boards:
    """The best play at 0 plies by gnubg-nn; backgammon and its relatives with 15 checkers only."""
    import gnubg_nn  # noqa: PLC0415 - a peer that need not be installed

    results = np.zeros_like(boards)
    for index, row in enumerate(boards):
        own = [max(int(row[point]), 0) for point in range(1, 26)]
        other = [max(-int(row[25 - point]), 0) for point in range(1, 26)]
        _, key = gnubg_nn.best_move([other, own], int(dice[index, 0]), int(dice[index, 1]), n=0, b=1)
        moved, waiting = gnubg_nn.board_from_position_key(key)  # seen by the next player: its opponent comes first
        for point in range(1, 26):
            results[index, 25 - point] -= moved[point - 1]
            results[index, point] += waiting[point - 1]
        results[index, 26] = 15 - sum(waiting)
        results[index, 27] = 15 - sum(moved)
    return results


def chooser_named(name: str, variant: Variant) -> Chooser:
    """A chooser by what one types: ``ours``, ``gnubg-nn:0`` or the path of a net file."""
    if name == "gnubg-nn:0":
        return gnubg_chooser
    nets = None if name == "ours" else {"contact": Net.read(Path(name))}
    return net_chooser(NetEvaluator(variant, nets))


def main() -> None:
    """Play a duel and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--variant", default="backgammon")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    variant = variant_named(options.variant)
    first, second = chooser_named(options.first, variant), chooser_named(options.second, variant)
    print(duel(first, second, variant, options.pairs, options.seed))  # noqa: T201 - this is a command


if __name__ == "__main__":
    main()
