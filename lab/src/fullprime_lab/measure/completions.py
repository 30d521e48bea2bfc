"""Completed verdicts: plays that a file of verdicts leaves out and a player chose, rolled out by our own judge.

Each is rolled out once, beside the best play that the verdicts hold and with the decision's own dice
(``fullprime_lab.measure.rolling``), and kept in a file of JSON lines beside them. All players are charged by the
verdicts with every play of that file, so that no judge is charged the worst of a list for a play it does not judge.

A sealed file names decisions and plays by digests. It can be published where the decisions cannot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import fullprime
from fullprime.engine import shared
from fullprime.engine.engine import Engine
from fullprime.engine.rollouts.workers import Recipe
from fullprime.rules.position import Position
from fullprime_lab.measure.json_lines import LinesError, append_line, read_lines
from fullprime_lab.measure.rolling import roll_out_boards
from fullprime_lab.peers.questions import Question, write_board


def seed_of(name: str) -> int:
    """The seed of a decision's dice."""
    return int.from_bytes(hashlib.sha256(f"dice of {name}".encode()).digest()[:4], "big")


class Completions:
    """The losses in a file of completions, by decision and by the board after the play as it is written."""

    def __init__(self, path: Path, *, sealed: bool = False) -> None:
        """Read what is there already; all names of a ``sealed`` file are digests. Raises LinesError."""
        self.path = path
        self._sealed = sealed
        self._losses: dict[str, dict[str, float]] = {}
        try:
            for line in read_lines(path):
                self._losses.setdefault(str(line["id"]), {})[str(line["position_id"])] = float(line["loss"])
        except (KeyError, TypeError, ValueError) as error:
            raise LinesError(f"{path}: no file of completions ({error!r})") from None

    def get_losses(self, name: str) -> Mapping[str, float]:
        """How far each completed play of a decision is behind the best one of the verdicts; less than 0 if ahead.

        The plays are named as ``write_name`` writes them.
        """
        return self._losses.get(self.write_name(name), {})

    def write_name(self, name: str) -> str:
        """The name of a decision, or of the board after a play, in this file."""
        return hashlib.sha256(name.encode()).hexdigest()[:16] if self._sealed else name

    def complete(self, question: Question, best: Position, after: Position) -> None:
        """Roll out the play that leads to a board, beside the one that leads to ``best``, unless that was done."""
        decision, board = self.write_name(question.name), self.write_name(write_board(after))
        if board in self.get_losses(question.name):
            return
        engine = shared.engine_for(question.variant)
        front, other = roll_out_boards(engine, [best, after], question.context, seed_of(question.name))
        loss = round(front.equity - other.equity, 5)
        error = round(max(front.error, other.error), 5)
        line = {"id": decision, "position_id": board, "loss": loss, "error": error}
        version = write_version(engine)
        append_line(self.path, {**line, "trials": other.trials, "settled": other.settled, "version": version})
        self._losses.setdefault(decision, {})[board] = loss


def write_version(engine: Engine) -> str:
    """The package and the nets by which an engine of ours rolls out, in words."""
    names = " ".join(Recipe.of(engine.searcher).names)
    nets = hashlib.sha256(names.encode()).hexdigest()[:8]
    return f"fullprime {fullprime.__version__} with nets {nets}"
