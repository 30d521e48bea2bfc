"""Ask players about the decisions of the open benchmark, and add up what they lose.

    python benchmarks/open/run.py [PLAYER ...] [--half choosing|judging] [--family] [--no-rollouts] [--json]

A PLAYER is a level (``1-ply``), a peer (``gnubg-nn:2``, ``bgsage:2ply``), the file of a net of PureTD (``….pt``), or
any program that answers as ``fullprime engine`` does: ``"engine: fullprime engine"``, or speaks UBGI: ``"ubgi: …"``. PR
is 500 times the mean loss of a roll; ± is one standard error. First all players choose; then every play that one of
them chose and the file leaves out is rolled out beside the best one, once (kept in ``outside.jsonl``), and all are
charged by the verdicts with these. A line says which share of the decisions and of the loss was completed so. With
``--no-rollouts`` a play that is not judged is charged the worst loss of the list, and the number of such plays is
printed. Cubes: wrong doubles and wrong answers, and 500 times the mean loss of the doubles.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from records import CUBES, FAMILY, OUTSIDE, PLAYS, Decision, decisions_in, half_of

from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position
from fullprime_lab.measure.completions import Completions
from fullprime_lab.peers.players import Player, open_player
from fullprime_lab.peers.questions import board_key

PR = 500.0


@dataclass(frozen=True)
class Choices:
    """What a player chose: the boards after its plays and its answers with the cube, by decision; time a decision."""

    player: str
    plays: Mapping[str, Position]
    cubes: Mapping[str, tuple[bool, bool]]
    ms: float


@dataclass(frozen=True)
class Figures:
    """The result of a player; errors are standard errors over the decisions."""

    player: str
    plays: int
    pr: float
    pr_error: float
    completed: int
    completed_loss: float
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
        left = f", completed {self.completed / max(1, self.plays):.1%} of them, {self.completed_loss:.1%} of the loss"
        left += f" ({self.charged} charged the worst)" if self.charged else ""
        return (
            f"{self.player:<24} PR {self.pr:5.2f} ± {self.pr_error:4.2f} of {self.plays} rolls{left}{cubes}; "
            f"{self.ms:.1f} ms a decision"
        )


def choices_of(player: Player, decisions: Sequence[Decision]) -> Choices:
    """Ask a player about all decisions of games that it plays."""
    plays, cubes, spent = dict[str, Position](), dict[str, tuple[bool, bool]](), 0.0
    for decision in decisions:
        begun = time.process_time()
        after = player.play(decision) if decision.is_play else None
        answer = None if decision.is_play else player.cube(decision)
        spent += time.process_time() - begun
        if after is not None:
            plays[decision.name] = after
        if answer is not None:
            cubes[decision.name] = answer
    player.close()
    return Choices(player.name, plays, cubes, 1000 * spent / max(1, len(plays) + len(cubes)))


def complete(table: Sequence[Choices], decisions: Sequence[Decision], completions: Completions) -> None:
    """Roll out every play that a player of the table chose and the file leaves out."""
    for decision in (decision for decision in decisions if decision.is_play):
        best = min(decision.candidates, key=lambda candidate: candidate.loss).after
        listed = {board_key(candidate.after) for candidate in decision.candidates}
        for choices in table:
            after = choices.plays.get(decision.name)
            if after is not None and board_key(after) not in listed:
                completions.complete(decision, best, after)


def measure(choices: Choices, decisions: Sequence[Decision], completions: Completions | None) -> Figures:
    """What a player's choices cost; without completions a play that is not listed costs what the worst one does."""
    lost, completed, costs, wrong, charged = list[float](), list[float](), list[float](), [0, 0], 0
    for decision in decisions:
        if decision.name in choices.plays:
            after = board_key(choices.plays[decision.name])
            losses = decision.losses(completions.get_losses(decision.name) if completions is not None else {})
            charged += after not in losses
            lost.append(losses.get(after, max(losses.values())))
            if after in losses and after not in {board_key(candidate.after) for candidate in decision.candidates}:
                completed.append(lost[-1])
        if decision.name in choices.cubes:
            doubled, taken = choices.cubes[decision.name]
            cost, answer_cost = cube_costs(decision, doubled=doubled, taken=taken)
            costs.append(cost)
            wrong[0] += cost > 0
            wrong[1] += answer_cost > 0
    losses_array = np.array(lost or [0.0])
    return Figures(
        choices.player,
        len(lost),
        PR * float(losses_array.mean()),
        PR * float(losses_array.std() / np.sqrt(len(losses_array))),
        len(completed),
        sum(completed) / sum(lost) if sum(lost) else 0.0,
        charged,
        len(costs),
        wrong[0],
        wrong[1],
        PR * float(np.mean(costs or [0.0])),
        choices.ms,
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
    decisions = [
        decision for path in files for decision in decisions_in(path) if options.half in (None, half_of(decision.name))
    ]
    try:
        table = [choices_of(open_player(name), decisions) for name in options.players]
        completions = None if options.no_rollouts else Completions(OUTSIDE)
        if completions is not None:
            complete(table, decisions, completions)
    except FullprimeError as error:
        parser.error(str(error))
    for choices in table:
        figures = measure(choices, decisions, completions)
        print(json.dumps(asdict(figures)) if options.json else figures, flush=True)


if __name__ == "__main__":
    main()
