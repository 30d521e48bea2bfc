"""Decisions with rolled-out candidates, and the cost of a choice: the files from which PR is measured.

A file has one JSON object a line: ``position_id`` (a GNU Position ID, the player to move on roll), ``dice`` and
``candidates``, each with the ``position_id`` after the play (the other player on roll) and its ``equity`` for the
player who moves. A play that is not among the candidates is charged the loss of the worst one. PR is 500 times the
mean loss.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.boards.conversion import position_of
from fullprime.engine.core.pack import legal_plays, pack, swap
from fullprime.engine.nets.evaluator import Boards
from fullprime.rules.errors import FullprimeError
from fullprime.rules.ids.gnu import gnu_position_id, read_gnu_position
from fullprime_lab.measure.completions import Completions
from fullprime_lab.peers.questions import money_question

PR = 500.0
"""PR of one point of equity lost at every decision."""

Judge = Callable[[Boards], NDArray[np.floating]]
"""Equities of positions (n, 32) for the player on roll."""


class DecisionsError(FullprimeError):
    """A file of decisions that cannot be read."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """Every legal play of every decision: boards seen by the other player, and the cost of choosing each one.

    The plays of decision ``i`` are rows ``first[i]`` to ``first[i + 1]`` of ``boards``, ``losses``, ``listed`` (the
    file judges the play) and ``completed`` (a file of completions does).
    """

    boards: Boards
    losses: NDArray[np.float64]
    listed: NDArray[np.bool_]
    completed: NDArray[np.bool_]
    first: NDArray[np.int64]
    before: Boards
    dice: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.before)

    @classmethod
    def read(cls, path: Path, completions: Completions | None = None) -> Decisions:
        """Read a file, and the plays that completions add to it; raises DecisionsError."""
        try:
            lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
            before = pack([read_gnu_position(line["position_id"]) for line in lines])
            dice = np.array([line["dice"] for line in lines], np.int8).reshape(-1, 2)
            rows, first = legal_plays(before, dice)
            boards = swap(rows)
            losses, listed, completed = np.empty(len(boards)), np.zeros(len(boards), bool), np.zeros(len(boards), bool)
            for index, line in enumerate(lines):
                span = slice(first[index], first[index + 1])
                name = _name(line["position_id"], line["dice"])
                judged = _JudgedPlays(line["candidates"], _find_completed(completions, name, boards[span]))
                losses[span], listed[span], completed[span] = judged.assign_to(boards[span])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DecisionsError(f"{path}: no file of decisions ({error})") from None
        if not lines:
            raise DecisionsError(f"{path}: no decisions")
        return cls(boards, losses, listed, completed, first, before, dice)

    def row_of(self, index: int, after: Boards) -> int:
        """The row of the play that leads to the board ``after`` (32,); raises DecisionsError for no legal play."""
        start, stop = self.first[index], self.first[index + 1]
        same = np.flatnonzero((self.boards[start:stop] == after).all(axis=1))
        if not len(same):
            raise DecisionsError(f"decision {index + 1}: a play was chosen that is not legal")
        return int(start + same[0])

    def loss(self, index: int, after: Boards) -> float:
        """The loss by choosing the board ``after`` (32,) in one decision; raises DecisionsError for no legal play."""
        return float(self.losses[self.row_of(index, after)])

    def rows_of(self, judge: Judge) -> NDArray[np.int64]:
        """The row, in each decision, of the play with the least equity for the other player."""
        values = judge(self.boards)
        spans = zip(self.first[:-1], self.first[1:], strict=True)
        return np.array([start + int(np.argmin(values[start:stop])) for start, stop in spans])

    def complete(self, row: int, completions: Completions) -> None:
        """Roll out the play of a row, unless it is judged: for the completions, from which files are read anew."""
        if self.listed[row] or self.completed[row]:
            return
        index = int(np.searchsorted(self.first, row, side="right")) - 1
        start, stop = self.first[index], self.first[index + 1]
        judged = start + np.flatnonzero(self.listed[start:stop])
        best = judged[np.argmin(self.losses[judged])]
        position, dice = gnu_position_id(position_of(self.before[index])), self.dice[index].tolist()
        question = money_question(_name(position, dice), position, (dice[0], dice[1]))
        completions.complete(question, position_of(self.boards[best]), position_of(self.boards[row]))


def _name(position: str, dice: Sequence[int]) -> str:
    """The name of a decision in a file of completions: the position before the roll, and the roll."""
    return f"{position}:{max(dice)}{min(dice)}"


def _find_completed(completions: Completions | None, name: str, boards: Boards) -> dict[bytes, float]:
    """The losses of those of the boards (n, 32) after a decision's plays that completions hold."""
    losses = {} if completions is None else completions.get_losses(name)
    if completions is None or not losses:
        return {}
    names = [completions.write_name(gnu_position_id(position_of(row))) for row in boards]
    return {row.tobytes(): losses[name] for row, name in zip(boards, names, strict=True) if name in losses}


class _JudgedPlays:
    """What is known of the plays of one decision."""

    def __init__(self, candidates: list[dict[str, object]], completed: Mapping[bytes, float]) -> None:
        equities = [float(str(candidate["equity"])) for candidate in candidates]
        best = max(equities)
        self._listed = dict(
            zip(
                _keys([str(candidate["position_id"]) for candidate in candidates]),
                (best - value for value in equities),
                strict=True,
            )
        )
        self._completed = completed

    def assign_to(self, boards: Boards) -> tuple[list[float], list[bool], list[bool]]:
        """The losses of legal plays to the best play of all that are judged, which are listed and which completed."""
        keys = [row.tobytes() for row in boards]
        strange = len(self._listed.keys() - set(keys))
        if strange:
            raise ValueError(f"{strange} candidates are no legal plays")
        losses = {**self._completed, **self._listed}
        least, worst = min(losses.values()), max(self._listed.values())
        charged = [losses.get(key, worst) - least for key in keys]
        return charged, [key in self._listed for key in keys], [key in self._completed for key in keys]


def _keys(position_ids: list[str]) -> list[bytes]:
    return [row.tobytes() for row in pack([read_gnu_position(text) for text in position_ids])]
