"""Are slots valued rightly? Their error beside the error of other plays of the same roll.

    python benchmarks/slots.py FILE_OR_FOLDER ... [--plies N ...]

A slot leaves a blot on one of the player's points 3 to 7, where there was none of his checkers, with a checker of the
opponent's behind it. Asked are decisions with plays of both kinds: those of a file of rolled-out decisions
(``pr_dev.jsonl``; without a cube) or eXtreme Gammon's deep analyses of plays within 0.15 of the best (files and folders
as for ``xg.py``; at the score, with the cube). Printed is the mean over the decisions of our error of slots less our
error of the others, in points: negative where slots are undervalued. The files are for measuring, never for training.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from xg import PlayJudged
from xg import decisions as xg_decisions

from fullprime.engine.boards.conversion import row_of
from fullprime.engine.engine import Engine
from fullprime.engine.search.levels import Level, Sieve
from fullprime.rules.dice import Roll
from fullprime.rules.game import Game
from fullprime.rules.ids.gnu import read_gnu_position
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON

_NEAR = 0.15
_SLOTS = range(3, 8)
_EVERY = Sieve(1000, 10.0)
"""All plays are looked at to the same depth."""


class Judged(NamedTuple):
    """A roll before it is played, and what boards after it, seen by the player who moved, are worth to him."""

    before: Position | Game
    roll: Roll
    worth: dict[Position, float]

    @property
    def board(self) -> Position:
        """The board before the play."""
        return self.before.position if isinstance(self.before, Game) else self.before


def judged(paths: Sequence[Path]) -> Iterator[Judged]:
    """All decisions of the files and folders."""
    for path in paths:
        if path.suffix == ".jsonl":
            for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
                after = (
                    (read_gnu_position(candidate["position_id"]).swapped, candidate["equity"])
                    for candidate in line["candidates"]
                )
                yield Judged(read_gnu_position(line["position_id"]), Roll(*line["dice"]), dict(after))
            continue
        for decision in xg_decisions([path]):
            if isinstance(decision, PlayJudged) and decision.game.dice is not None:
                near = {board: -loss for board, loss in decision.losses.items() if loss <= _NEAR}
                yield Judged(decision.game, decision.game.dice, near)


def is_slot(before: Position, after: Position) -> bool:
    """True for a play that leaves a new blot on a point from 3 to 7 with an opponent's checker behind it."""
    was, is_ = row_of(before).reshape(-1), row_of(after).reshape(-1)
    return any(is_[point] == 1 and was[point] <= 0 and (is_[:point] < 0).any() for point in _SLOTS)


def apart(engine: Engine, decision: Judged) -> float | None:
    """Our error of slots less our error of other plays; None where there are not both."""
    ours = {ranked.play.after: ranked.equity for ranked in engine.rank_plays(decision.before, decision.roll).plays}
    errors = {True: list[float](), False: list[float]()}
    for board, worth in decision.worth.items():
        if board in ours:
            errors[is_slot(decision.board, board)].append(ours[board] - worth)
    return float(np.mean(errors[True]) - np.mean(errors[False])) if errors[True] and errors[False] else None


def main() -> None:
    """Print a line for each number of plies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1, 2])
    options = parser.parse_args()
    decisions = [
        decision
        for decision in judged(options.paths)
        if len({is_slot(decision.board, board) for board in decision.worth}) == 2
    ]
    if not decisions:
        parser.error("no decision has a slot and another play")
    for plies in options.plies:
        engine = Engine.open(BACKGAMMON, Level("every play", plies, (_EVERY,) * plies, joint=True))
        differences = np.array(
            [difference for difference in (apart(engine, decision) for decision in decisions) if difference is not None]
        )
        error = differences.std() / len(differences) ** 0.5
        print(f"{plies} plies: {differences.mean():+.4f} ± {error:.4f} of {len(differences)} decisions", flush=True)


if __name__ == "__main__":
    main()
