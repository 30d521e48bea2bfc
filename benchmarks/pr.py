"""PR of levels and peers on decisions with rolled-out candidates.

    python benchmarks/pr.py FILE [--net FILE ...] [--level NAME ...] [--half even|odd] [--most N] [--peers]

PR is 500 times the mean equity given up by a decision. FILE has one JSON object a line: ``position_id`` (a GNU
Position ID, the player to move on roll), ``dice`` and ``candidates``, each with the ``position_id`` after the play
(the other player on roll) and its ``equity`` for the player who moves. A play that is not among the candidates is
charged the loss of the worst one. ``--half`` keeps every second decision, so that what is chosen by one half is
measured by the other, ``--most`` the first N of those; levels after the first are compared with it. The file is for
measuring, never for training.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.bots.batch import BatchPlayer, PlayerError
from fullprime.engine.bots.players import player_named
from fullprime.engine.cube.probabilities import equity
from fullprime.engine.nets.evaluator import Evaluator, NetEvaluator
from fullprime.engine.nets.net import Net, nets_with
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.measure.decisions import PR, Decisions, Judge
from fullprime_lab.peers.programs import peer_named

PEERS = ("gnubg-nn:0", "bgsage:1ply")


def losses_of_player(decisions: Decisions, player: BatchPlayer, asked: Sequence[int]) -> NDArray[np.float64]:
    """What each of the decisions ``asked`` costs when the player chooses."""
    chosen = ((at, player.choose(decisions.before[at : at + 1], decisions.dice[at : at + 1])) for at in asked)
    return np.array([decisions.loss(at, end.boards[0]) for at, end in chosen])


def equities_by(evaluator: Evaluator) -> Judge:
    """What an evaluator thinks of positions, in points."""
    return lambda boards: equity(evaluator.evaluate(boards), BACKGAMMON)


def our_judge(net: Path | None) -> Judge:
    """A net file, or the nets of the package."""
    return equities_by(NetEvaluator(BACKGAMMON, nets_with(Net.read(net)) if net else None))


def main() -> None:
    """Print the PR of everything asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--net", type=Path, action="append", default=[], help="net files beside the package's own")
    parser.add_argument("--no-default", action="store_true", help="leave the package's own nets out")
    parser.add_argument("--level", action="append", default=[], help="levels, or peers such as gnubg-nn:2, bgsage:2ply")
    parser.add_argument("--peers", action="store_true", help="also gnubg-nn and bgsage, where they are installed")
    parser.add_argument("--half", choices=("even", "odd"), help="levels: every second decision")
    parser.add_argument("--most", type=int, help="levels: so many decisions at most")
    options = parser.parse_args()
    decisions = Decisions.read(options.file)
    judges: dict[str, Judge] = {} if options.no_default else {"fullprime 0-ply": our_judge(None)}
    judges |= {f"{net.parent.name}/{net.name}": our_judge(net) for net in options.net}
    for name in PEERS if options.peers else ():
        try:
            judges[f"{name} static"] = equities_by(peer_named(name))
        except PlayerError as error:
            print(error)
    count = len(decisions)
    print(f"{count} decisions of {options.file.name}, {len(decisions.boards)} plays")
    asked = range(options.half == "odd", count, 2 if options.half else 1)[: options.most]
    first: NDArray[np.float64] | None = None
    for name in options.level:
        player = player_named(name, BACKGAMMON)
        start = time.process_time()
        losses = PR * losses_of_player(decisions, player, asked)
        seconds = time.process_time() - start
        line = f"{name:28} PR {losses.mean():5.2f} ± {losses.std() / len(asked) ** 0.5:.2f} of {len(asked)}"
        if first is None:
            first = losses
        else:
            apart = losses - first
            line += f"   against the first {apart.mean():+.2f} ± {apart.std() / len(asked) ** 0.5:.2f}"
        print(f"{line}   {1000 * seconds / len(asked):.2f} ms a play (processor, mean)", flush=True)
    reference: NDArray[np.float64] | None = None
    for name, judge in judges.items():
        judge(decisions.boards[:8])
        start = time.perf_counter()
        losses = PR * decisions.losses_of(judge)
        seconds = time.perf_counter() - start
        line = f"{name:28} PR {losses.mean():5.2f} ± {losses.std() / count**0.5:.2f}"
        if reference is None:
            reference = losses
        else:
            difference = losses - reference
            line += f"   against the first {difference.mean():+.2f} ± {difference.std() / count**0.5:.2f}"
        print(f"{line}   {1e6 * seconds / len(decisions.boards):.2f} µs an evaluation")


if __name__ == "__main__":
    main()
