"""The open benchmark's decisions: one JSON object a line, with what the rollouts found. README.md has the fields."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fullprime.engine.boards.edge import row_of
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.rules.dice import Roll
from fullprime.rules.ids import find_gnu_position_id, read_id
from fullprime.rules.position import Position
from fullprime.rules.score import Settings
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Settlement, Variant

HERE = Path(__file__).parent
PLAYS, CUBES, FAMILY, OUTSIDE = (HERE / f"{name}.jsonl" for name in ("plays", "cubes", "family", "outside"))
CHOOSING, JUDGING = "choosing", "judging"


def half_of(name: str) -> str:
    """The half that a decision belongs to: ``choosing`` may serve to choose nets, ``judging`` never.

    >>> half_of("backgammon-1-1"), half_of("backgammon-1-2"), half_of("backgammon-1-4")
    ('choosing', 'choosing', 'judging')
    """
    return JUDGING if hashlib.sha256(name.encode()).digest()[0] % 2 else CHOOSING


def seed_of(name: str) -> int:
    """The seed of a decision's dice."""
    return int.from_bytes(hashlib.sha256(f"dice of {name}".encode()).digest()[:4], "big")


def written(position: Position) -> str:
    """A position as it is stored: its GNU Position ID, or our text form where that cannot hold it."""
    return find_gnu_position_id(position) or position.text


def board_read(text: str, variant: Variant) -> Position:
    """The position that is stored so, seen by its player on roll."""
    return read_id(text, settings=Settings(variant=variant)).game.position


def key(position: Position) -> bytes:
    """What two equal boards have in common, for the same player on roll."""
    return row_of(position).tobytes()


@dataclass(frozen=True)
class Candidate:
    """A play that was rolled out: the board after it (the other player's), its equity, and its loss with its error."""

    after: Position
    equity: float
    loss: float
    error: float


@dataclass(frozen=True)
class Decision:
    """A line of a file. ``asked`` has the fields of a request to ``fullprime engine``."""

    name: str
    asked: Mapping[str, Any]
    found: Mapping[str, Any]

    @property
    def variant(self) -> Variant:
        return variant_named(self.asked["variant"])

    @property
    def position(self) -> Position:
        return board_read(self.asked["position"], self.variant)

    @property
    def roll(self) -> Roll:
        return Roll(*self.asked["dice"])

    @property
    def is_play(self) -> bool:
        return self.asked["dice"] is not None

    @property
    def context(self) -> CubeContext:
        """Cube and score as the engine wants them."""
        return context_of(self.asked)

    @property
    def candidates(self) -> list[Candidate]:
        return [
            Candidate(board_read(each["position_id"], self.variant), each["equity"], each["loss"], each["error"])
            for each in self.found["candidates"]
        ]


def context_of(asked: Mapping[str, Any]) -> CubeContext:
    """The cube and the score of a request."""
    if variant_named(asked["variant"]).settlement is not Settlement.GAMES:
        return CUBELESS
    match, owner = asked["match"], asked["cube"]["owner"]
    away = match and (match["length"] - match["mover"], match["length"] - match["opponent"])
    return CubeContext(
        cube=asked["cube"]["value"],
        owner=owner and CubeOwner(owner),
        away=away or None,
        crawford=bool(match and match["crawford"]),
        **asked["rules"],
    )


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file, none of one that is not there; a last line that was cut off is passed over."""
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and line.endswith("}"):
            yield json.loads(line)


def decisions_in(path: Path) -> list[Decision]:
    """All decisions of a file."""
    return [Decision(each["id"], each["asked"], each["found"]) for each in read_lines(path)]


def append(path: Path, line: Mapping[str, Any]) -> None:
    """Add a line; it is on the disk when this returns. What a crash had cut off is taken away first."""
    text = path.read_bytes() if path.exists() else b""
    whole = text[: text.rfind(b"\n") + 1]
    with path.open("r+b" if path.exists() else "wb") as file:
        file.truncate(len(whole))
        file.seek(len(whole))
        file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
