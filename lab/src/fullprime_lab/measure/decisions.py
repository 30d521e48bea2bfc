"""Decisions with rolled-out candidates, and the cost of a choice: the files from which PR is measured.

A file has one JSON object a line: ``position_id`` (a GNU Position ID, the player to move on roll), ``dice`` and
``candidates``, each with the ``position_id`` after the play (the other player on roll) and its ``equity`` for the
player who moves. A play that is not among the candidates is charged the loss of the worst one. PR is 500 times the
mean loss.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.core.pack import legal_plays, pack, swap
from fullprime.engine.nets.evaluator import Boards
from fullprime.rules.errors import FullprimeError
from fullprime.rules.ids.gnu import read_gnu_position

PR = 500.0
"""PR of one point of equity lost at every decision."""

Judge = Callable[[Boards], NDArray[np.floating]]
"""Equities of positions (n, 32) for the player on roll."""


class DecisionsError(FullprimeError):
    """A file of decisions that cannot be read."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """Every legal play of every decision: boards seen by the other player, and the cost of choosing each one.

    The plays of decision ``i`` are rows ``first[i]`` to ``first[i + 1]`` of ``boards`` and ``losses``.
    """

    boards: Boards
    losses: NDArray[np.float64]
    first: NDArray[np.int64]
    before: Boards
    dice: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.before)

    @classmethod
    def read(cls, path: Path) -> Decisions:
        """Read a file; raises DecisionsError."""
        try:
            lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
            before = pack([read_gnu_position(line["position_id"]) for line in lines])
            dice = np.array([line["dice"] for line in lines], np.int8).reshape(-1, 2)
            rows, first = legal_plays(before, dice)
            boards = swap(rows)
            losses = np.empty(len(boards))
            for index, line in enumerate(lines):
                span = slice(first[index], first[index + 1])
                losses[span] = _losses(boards[span], line["candidates"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DecisionsError(f"{path}: no file of decisions ({error})") from None
        if not lines:
            raise DecisionsError(f"{path}: no decisions")
        return cls(boards, losses, first, before, dice)

    def loss(self, index: int, after: Boards) -> float:
        """The loss by choosing the board ``after`` (32,) in one decision; raises DecisionsError for no legal play."""
        start, stop = self.first[index], self.first[index + 1]
        same = np.flatnonzero((self.boards[start:stop] == after).all(axis=1))
        if not len(same):
            raise DecisionsError(f"decision {index + 1}: a play was chosen that is not legal")
        return float(self.losses[start + int(same[0])])

    def losses_of(self, judge: Judge) -> NDArray[np.float64]:
        """The loss in each decision when the play with the least equity for the other player is chosen."""
        values = judge(self.boards)
        spans = zip(self.first[:-1], self.first[1:], strict=True)
        return np.array([self.losses[start + int(np.argmin(values[start:stop]))] for start, stop in spans])


def _losses(boards: Boards, candidates: list[dict[str, object]]) -> list[float]:
    after = pack([read_gnu_position(str(each["position_id"])) for each in candidates])
    equities = [float(str(each["equity"])) for each in candidates]
    best = max(equities)
    known = {row.tobytes(): best - value for row, value in zip(after, equities, strict=True)}
    found = [known.pop(row.tobytes(), best - min(equities)) for row in boards]
    if known:
        raise ValueError(f"{len(known)} candidates are no legal plays")
    return found
