"""PR of levels and peers on decisions with rolled-out candidates.

    python benchmarks/pr.py FILE [--net FILE ...] [--level NAME ...] [--half even|odd] [--most N] [--peers]
                             [--complete] [--completions FILE]

PR is 500 times the mean equity given up by a decision. FILE has one JSON object a line: ``position_id`` (a GNU
Position ID, the player to move on roll), ``dice`` and ``candidates``, each with the ``position_id`` after the play
(the other player on roll) and its ``equity`` for the player who moves. A play that is not among the candidates is
charged the loss of the worst one. ``--half`` keeps every second decision, so that what is chosen by one half is
measured by the other, ``--most`` the first N of those; levels after the first are compared with it. The file is for
measuring, never for training.

``--complete`` rolls out every play that a level, a peer or a net of the table chose and the file leaves out, beside the
file's best play (1-ply plays, cut after seven plies, at most 1,296 trials, ``fullprime_lab.measure.rolling``), keeps it
in a file of completions, from which a later run goes on, and charges all alike by the verdicts with these. Each line
then says which share of its decisions and of its loss was completed, and what its PR was before. The completions of
``pr_dev.jsonl`` are ``benchmarks/completions/pr_dev.jsonl``; their names are digests, as the decisions are not ours to
publish. Stopped anywhere, the command goes on from the plays that are done.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.bots.batch import BatchPlayer, PlayerError
from fullprime.engine.bots.players import player_named
from fullprime.engine.cube.probabilities import equity
from fullprime.engine.nets.evaluator import Evaluator, NetEvaluator
from fullprime.engine.nets.net import Net, nets_with
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.measure.completions import Completions
from fullprime_lab.measure.decisions import PR, Decisions, Judge
from fullprime_lab.peers.programs import peer_named

PEERS = ("gnubg-nn:0", "bgsage:1ply")
COMPLETIONS = Path(__file__).parent / "completions"


def rows_of_player(decisions: Decisions, player: BatchPlayer, numbers: Sequence[int]) -> NDArray[np.int64]:
    """The plays that the player chooses in the decisions of these ``numbers``."""
    chosen = ((at, player.choose(decisions.before[at : at + 1], decisions.dice[at : at + 1])) for at in numbers)
    return np.array([decisions.row_of(at, end.boards[0]) for at, end in chosen])


def equities_by(evaluator: Evaluator) -> Judge:
    """What an evaluator thinks of positions, in points."""
    return lambda boards: equity(evaluator.evaluate(boards), BACKGAMMON)


def our_judge(net: Path | None) -> Judge:
    """A net file, or the nets of the package."""
    return equities_by(NetEvaluator(BACKGAMMON, nets_with(Net.read(net)) if net else None))


@dataclass(frozen=True)
class Choices:
    """The plays that one line of the table chose, and how long that took, in words."""

    name: str
    rows: NDArray[np.int64]
    pace: str


def choices_of_levels(decisions: Decisions, names: Sequence[str], numbers: Sequence[int]) -> list[Choices]:
    """The choices of levels and peers, one decision at a time."""
    table = []
    for name in names:
        player = player_named(name, BACKGAMMON)
        start = time.process_time()
        rows = rows_of_player(decisions, player, numbers)
        seconds = time.process_time() - start
        table.append(Choices(name, rows, f"{1000 * seconds / len(numbers):.2f} ms a play (processor, mean)"))
    return table


def choices_of_judges(decisions: Decisions, judges: Mapping[str, Judge]) -> list[Choices]:
    """The choices of static judges among all plays."""
    table = []
    for name, judge in judges.items():
        judge(decisions.boards[:8])
        start = time.perf_counter()
        rows = decisions.rows_of(judge)
        seconds = time.perf_counter() - start
        table.append(Choices(name, rows, f"{1e6 * seconds / len(decisions.boards):.2f} µs an evaluation"))
    return table


def print_table(decisions: Decisions, table: Sequence[Choices], charged: Decisions | None) -> None:
    """A line for each: its PR, and how far it is from the first one's; ``charged`` are the decisions not completed."""
    first: NDArray[np.float64] | None = None
    for choices in table:
        losses, count = PR * decisions.losses[choices.rows], len(choices.rows)
        line = f"{choices.name:28} PR {losses.mean():5.2f} ± {losses.std() / count**0.5:.2f} of {count}"
        if first is None:
            first = losses
        else:
            apart = losses - first
            line += f"   against the first {apart.mean():+.2f} ± {apart.std() / count**0.5:.2f}"
        if charged is not None:
            here = decisions.completed[choices.rows]
            share = losses[here].sum() / losses.sum() if losses.any() else 0.0
            before = PR * charged.losses[choices.rows]
            line += f"   completed {here.mean():.1%} of them, {share:.1%} of the loss"
            line += f" (charged the worst: PR {before.mean():.2f} ± {before.std() / count**0.5:.2f})"
        print(f"{line}   {choices.pace}")


def main() -> None:
    """Print the PR of every level and every judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--net", type=Path, action="append", default=[], help="net files beside the package's own")
    parser.add_argument("--no-default", action="store_true", help="leave the package's own nets out")
    parser.add_argument("--level", action="append", default=[], help="levels, or peers such as gnubg-nn:2, bgsage:2ply")
    parser.add_argument("--peers", action="store_true", help="also gnubg-nn and bgsage, where they are installed")
    parser.add_argument("--half", choices=("even", "odd"), help="levels: every second decision")
    parser.add_argument("--most", type=int, help="levels: so many decisions at most")
    parser.add_argument("--complete", action="store_true", help="roll out chosen plays that the file leaves out")
    parser.add_argument("--completions", type=Path, help="keep these here, not in benchmarks/completions")
    options = parser.parse_args()
    completions = None
    if options.complete:
        completions = Completions(options.completions or COMPLETIONS / options.file.name, sealed=True)
    decisions = Decisions.read(options.file, completions)
    judges: dict[str, Judge] = {} if options.no_default else {"fullprime 0-ply": our_judge(None)}
    judges |= {f"{net.parent.name}/{net.name}": our_judge(net) for net in options.net}
    for name in PEERS if options.peers else ():
        try:
            judges[f"{name} static"] = equities_by(peer_named(name))
        except PlayerError as error:
            print(error)
    count = len(decisions)
    print(f"{count} decisions of {options.file.name}, {len(decisions.boards)} plays")
    numbers = range(options.half == "odd", count, 2 if options.half else 1)[: options.most]
    tables = [choices_of_levels(decisions, options.level, numbers), choices_of_judges(decisions, judges)]
    charged = None
    if completions is not None:
        rows = {int(row) for table in tables for choices in table for row in choices.rows}
        missing = sorted(row for row in rows if not decisions.listed[row] and not decisions.completed[row])
        for number, row in enumerate(missing, 1):
            print(f"rolling out {number} of {len(missing)} plays that the file leaves out", end="\r", flush=True)
            decisions.complete(row, completions)
        charged, decisions = Decisions.read(options.file), Decisions.read(options.file, completions)
    for table in tables:
        print_table(decisions, table, charged)


if __name__ == "__main__":
    main()
