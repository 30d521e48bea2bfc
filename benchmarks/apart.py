"""One level against another by the plays in which they differ: fewer games for the same error than a duel.

    python benchmarks/apart.py 2-ply 1-ply --variant dutch --games 40

The first player meets the second. At each of his turns the second one is asked too; where they choose differently,
both boards are rolled out with the same dice. What his plays are better by, summed over a game, is what the first
player wins from the second, as far as the trials are right: they are static plays, cut after ``--cut`` plies and then
judged by all nets of the game. The standard error is that of a sum of independent differences.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import numpy as np

from fullprime.engine.boards.conversion import position_of
from fullprime.engine.bots.batch import BatchPlayer, Dice
from fullprime.engine.bots.players import player_named
from fullprime.engine.duel import duel
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.rollouts.rollout import Candidate, TrialPolicy, rollout
from fullprime.engine.search.searcher import Ends
from fullprime.rules.variants import variant_named


class Difference(NamedTuple):
    """Two boards (32,) after a roll, seen by the next to roll, who is the same player where ``again`` says so."""

    boards: tuple[Boards, Boards]
    again: tuple[bool, bool]


class Watched:
    """A player whose choices are compared with another one's."""

    def __init__(self, player: BatchPlayer, other: BatchPlayer) -> None:
        self.name, self.in_batches = player.name, player.in_batches
        self.turns = 0
        self.different: list[Difference] = []
        self._player, self._other = player, other

    def choose(self, boards: Boards, dice: Dice) -> Ends:
        """The first player's choice."""
        chosen, instead = self._player.choose(boards, dice), self._other.choose(boards, dice)
        self.turns += len(boards)
        for at in np.flatnonzero((chosen.boards != instead.boards).any(axis=1)):
            pair = (chosen.boards[at].copy(), instead.boards[at].copy())
            self.different.append(Difference(pair, (bool(chosen.again[at]), bool(instead.again[at]))))
        return chosen


def main() -> None:
    """Play, roll out, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("-v", "--variant", default="backgammon")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--trials", type=int, default=36)
    parser.add_argument("--cut", type=int, default=11, help="plies of a trial; 0: to the end of the game")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    variant = variant_named(options.variant)
    first, second = (player_named(name, variant) for name in (options.first, options.second))
    watched, start = Watched(first, second), time.perf_counter()
    played = duel(watched, second, variant=variant, games=options.games, seed=options.seed)
    print(f"{played.games} games, {watched.turns} turns, {len(watched.different)} different", flush=True)
    if not watched.different:
        parser.exit(0, "the two chose the same plays: there is nothing to roll out\n")
    engine = Engine.open(variant, "0-ply")
    policy = TrialPolicy(cubeful=False, truncate=options.cut or None, joint=True)
    gains = []
    for difference in watched.different:
        candidates = [
            Candidate(position_of(board), name, theirs=not again)
            for board, name, again in zip(difference.boards, ("first", "second"), difference.again, strict=True)
        ]
        result = rollout(engine.searcher, candidates, policy=policy, trials=options.trials, threads=1)
        gains.append(result.of(0).equity - result.of(1).equity)
    total = np.array(gains)
    print(
        f"{options.first} against {options.second}, {variant.title}: {total.sum() / played.games:+.4f} ± "
        f"{np.sqrt(np.square(total).sum()) / played.games:.4f} points a game; a different play is better by "
        f"{total.mean():+.4f}; {time.perf_counter() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
