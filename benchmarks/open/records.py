"""The open benchmark's decisions: one JSON object a line, with what the rollouts found. README.md has the fields."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fullprime.rules.position import Position
from fullprime_lab.measure.json_lines import read_lines
from fullprime_lab.peers.questions import Question, board_key, read_board

HERE = Path(__file__).parent
PLAYS, CUBES, FAMILY, OUTSIDE = (HERE / f"{name}.jsonl" for name in ("plays", "cubes", "family", "outside"))
CHOOSING, JUDGING = "choosing", "judging"


def half_of(name: str) -> str:
    """The half that a decision belongs to: ``choosing`` may serve to choose nets, ``judging`` never.

    >>> half_of("backgammon-1-1"), half_of("backgammon-1-2"), half_of("backgammon-1-4")
    ('choosing', 'choosing', 'judging')
    """
    return JUDGING if hashlib.sha256(name.encode()).digest()[0] % 2 else CHOOSING


@dataclass(frozen=True)
class Candidate:
    """A play that was rolled out: the board after it (the other player's), its equity, and its loss with its error."""

    after: Position
    equity: float
    loss: float
    error: float


@dataclass(frozen=True)
class Decision(Question):
    """A line of a file: the question, and what the rollouts found."""

    found: Mapping[str, Any]

    @property
    def candidates(self) -> list[Candidate]:
        return [
            Candidate(read_board(row["position_id"], self.variant), row["equity"], row["loss"], row["error"])
            for row in self.found["candidates"]
        ]

    def losses(self, completed: Mapping[str, float]) -> dict[bytes, float]:
        """What each play costs that is listed or ``completed``; the best one of all costs nothing."""
        losses = {board_key(read_board(text, self.variant)): loss for text, loss in completed.items()}
        losses |= {board_key(candidate.after): candidate.loss for candidate in self.candidates}
        least = min(losses.values())
        return {key: loss - least for key, loss in losses.items()}


def decisions_in(path: Path) -> list[Decision]:
    """All decisions of a file."""
    return [Decision(line["id"], line["asked"], line["found"]) for line in read_lines(path)]
