"""Ask players about the decisions of the open benchmark, and add up what they lose.

    python benchmarks/open/run.py [PLAYER ...] [--half choosing|judging] [--family] [--no-rollouts] [--json]

A PLAYER is a level (``1-ply``), a peer (``gnubg-nn:2``, ``bgsage:2ply``), the file of a net of PureTD (``….pt``), or
any program that answers as ``fullprime engine`` does: ``"engine: fullprime engine"``. PR is 500 times the mean loss of
a roll; ± is one standard error. A play that the file leaves out is rolled out beside the best one, once: what it costs
is kept in ``outside.jsonl``. With ``--no-rollouts`` it is charged the worst loss of the list, and the number of such
plays is told. Cubes: wrong doubles and wrong answers, and 500 times the mean loss of the doubles.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from players import Player, named
from records import CUBES, FAMILY, OUTSIDE, PLAYS, Decision, append, decisions_in, half_of, key, read_lines, seed_of
from records import written as stored
from rolling import plays_rolled

from fullprime.engine import shared
from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position

PR = 500.0
Outside = Callable[[Decision, Position], float | None]
"""The loss of a play that is not in the list; None where nobody rolls it out."""


@dataclass(frozen=True)
class Figures:
    """The result of a player; errors are standard errors over the decisions."""

    player: str
    plays: int
    pr: float
    pr_error: float
    outside: int
    charged: int
    cubes: int
    wrong_doubles: int
    wrong_answers: int
    cube_pr: float
    ms: float

    def __str__(self) -> str:
        cubes = (
            f"; of {self.cubes} cubes {self.wrong_doubles} doubles and {self.wrong_answers} answers wrong "
            f"(PR {self.cube_pr:.2f})"
            if self.cubes
            else ""
        )
        left = f", {self.outside} outside the list" if self.outside else ""
        left += f" ({self.charged} charged its worst)" if self.charged else ""
        return (
            f"{self.player:<24} PR {self.pr:5.2f} ± {self.pr_error:4.2f} of {self.plays} rolls{left}{cubes}; "
            f"{self.ms:.1f} ms a decision"
        )


class Beside:
    """Plays outside the lists: rolled out beside the best play with the decision's own dice, and remembered."""

    def __init__(self, path: Path = OUTSIDE) -> None:
        self._path = path
        self._known = {(line["id"], line["position_id"]): line["loss"] for line in read_lines(path)}

    def loss(self, decision: Decision, after: Position) -> float | None:
        """The loss of the play that leads to a board."""
        name = (decision.name, stored(after))
        if name not in self._known:
            best = min(decision.candidates, key=lambda each: each.loss)
            engine = shared.engine_for(decision.variant)
            front, found = plays_rolled(engine, [best.after, after], decision.context, seed_of(decision.name))
            loss = round(front.equity - found.equity, 5)
            line = {"id": name[0], "position_id": name[1], "loss": loss, "error": round(found.error, 5)}
            append(self._path, {**line, "trials": found.trials, "settled": found.settled})
            self._known[name] = loss
        return max(0.0, float(self._known[name]))


def measure(player: Player, asked: Sequence[Decision], outside: Outside) -> Figures:
    """One player on all decisions of games that it plays."""
    lost, costs, wrong, left, charged = list[float](), list[float](), [0, 0], 0, 0
    spent = 0.0
    for decision in asked:
        begun = time.process_time()
        if decision.is_play:
            after = player.play(decision)
            spent += time.process_time() - begun
            if after is None:
                continue
            losses = {key(each.after): each.loss for each in decision.candidates}
            loss = losses.get(key(after))
            if loss is None:
                left += 1
                loss = outside(decision, after)
            if loss is None:
                charged += 1
                loss = max(losses.values())
            lost.append(loss)
            continue
        answer = player.cube(decision)
        spent += time.process_time() - begun
        if answer is not None:
            doubled, taken = answer
            cost, answer_cost = cube_costs(decision, doubled=doubled, taken=taken)
            costs.append(cost)
            wrong[0] += cost > 0
            wrong[1] += answer_cost > 0
    losses_array, count = np.array(lost or [0.0]), len(lost) + len(costs)
    return Figures(
        player.name,
        len(lost),
        PR * float(losses_array.mean()),
        PR * float(losses_array.std() / np.sqrt(len(losses_array))),
        left,
        charged,
        len(costs),
        wrong[0],
        wrong[1],
        PR * float(np.mean(costs or [0.0])),
        1000 * spent / max(1, count),
    )


def cube_costs(decision: Decision, *, doubled: bool, taken: bool) -> tuple[float, float]:
    """What doubling or not costs, and what the answer costs the other one."""
    stay, take, drop = (float(decision.found[name]) for name in ("no_double", "double_take", "double_drop"))
    worth = min(take, drop)
    cost = max(stay, worth) - (worth if doubled else stay)
    return cost, (take if taken else drop) - worth


def main() -> None:
    """Print a line for each player."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="*", default=["fast", "0-ply", "1-ply", "2-ply"])
    parser.add_argument("--half", choices=("choosing", "judging"))
    parser.add_argument("--family", action="store_true")
    parser.add_argument("--no-rollouts", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    files = [FAMILY] if options.family else [PLAYS, CUBES]
    asked = [each for path in files for each in decisions_in(path) if options.half in (None, half_of(each.name))]
    outside: Outside = (lambda _decision, _after: None) if options.no_rollouts else Beside().loss
    for name in options.players:
        try:
            found = measure(named(name), asked, outside)
        except FullprimeError as error:
            parser.error(str(error))
        print(json.dumps(asdict(found)) if options.json else found, flush=True)


if __name__ == "__main__":
    main()
