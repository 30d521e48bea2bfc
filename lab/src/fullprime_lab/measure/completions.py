"""Completed verdicts: plays that a file of verdicts leaves out and a player chose, rolled out by our own judge.

Each is rolled out once, beside the best play that the verdicts hold and with the decision's own dice
(``fullprime_lab.measure.rolling``), and kept in a file of JSON lines beside them. All players are charged by the
verdicts with every play of that file, so that no judge is charged the worst of a list for a play it does not judge.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from fullprime.engine import shared
from fullprime.rules.position import Position
from fullprime_lab.measure.json_lines import LinesError, append_line, read_lines
from fullprime_lab.measure.rolling import roll_out_boards
from fullprime_lab.peers.questions import Question, write_board


def seed_of(name: str) -> int:
    """The seed of a decision's dice."""
    return int.from_bytes(hashlib.sha256(f"dice of {name}".encode()).digest()[:4], "big")


def completions_beside(path: Path) -> Path:
    """The file of completions of a file of verdicts: ``pr_dev.completions.jsonl`` of ``pr_dev.jsonl``."""
    return path.with_suffix(f".completions{path.suffix}")


class Completions:
    """The losses in a file of completions, by decision and by the board after the play as it is written."""

    def __init__(self, path: Path) -> None:
        """Read what is there already. Raises LinesError."""
        self.path = path
        self._losses: dict[str, dict[str, float]] = {}
        try:
            for line in read_lines(path):
                self._losses.setdefault(str(line["id"]), {})[str(line["position_id"])] = float(line["loss"])
        except (KeyError, TypeError, ValueError) as error:
            raise LinesError(f"{path}: no file of completions ({error!r})") from None

    def get_losses(self, name: str) -> Mapping[str, float]:
        """How far each completed play of a decision is behind the best one of the verdicts; less than 0 if ahead."""
        return self._losses.get(name, {})

    def complete(self, question: Question, best: Position, after: Position) -> None:
        """Roll out the play that leads to a board, beside the one that leads to ``best``, unless that was done."""
        board = write_board(after)
        if board in self.get_losses(question.name):
            return
        engine = shared.engine_for(question.variant)
        front, other = roll_out_boards(engine, [best, after], question.context, seed_of(question.name))
        loss = round(front.equity - other.equity, 5)
        error = round(max(front.error, other.error), 5)
        line = {"id": question.name, "position_id": board, "loss": loss, "error": error}
        append_line(self.path, {**line, "trials": other.trials, "settled": other.settled})
        self._losses.setdefault(question.name, {})[board] = loss
