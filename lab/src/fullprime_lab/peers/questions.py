"""Questions that are put to players: a decision in the fields of a request to ``fullprime engine``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.rules.dice import Roll
from fullprime.rules.ids import find_gnu_position_id, read_id
from fullprime.rules.position import Position
from fullprime.rules.score import Settings
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Settlement, Variant


def write_board(position: Position) -> str:
    """A position as it is stored: its GNU Position ID, or our text form where that cannot hold it."""
    return find_gnu_position_id(position) or position.text


def read_board(text: str, variant: Variant) -> Position:
    """The position that is stored so, seen by its player on roll."""
    return read_id(text, settings=Settings(variant=variant)).game.position


def board_key(position: Position) -> bytes:
    """What two equal boards have in common, for the same player on roll."""
    return row_of(position).tobytes()


@dataclass(frozen=True)
class Question:
    """A decision by its name. ``request`` has the fields of a request to ``fullprime engine`` (docs/engine.md)."""

    name: str
    request: Mapping[str, Any]

    @property
    def variant(self) -> Variant:
        """The game."""
        return variant_named(self.request["variant"])

    @property
    def position(self) -> Position:
        """The board, seen by the player who decides."""
        return read_board(self.request["position"], self.variant)

    @property
    def is_play(self) -> bool:
        """True for the play of a roll, False for a decision with the cube."""
        return self.request["dice"] is not None

    @property
    def roll(self) -> Roll:
        """The dice of a play."""
        return Roll(*self.request["dice"])

    @property
    def context(self) -> CubeContext:
        """Cube and score as the engine wants them."""
        return context_of(self.request)


def money_question(name: str, position: str, dice: tuple[int, int] | None, *, cubeful: bool = False) -> Question:
    """A decision of backgammon for money without Jacoby's rule and beavers, the cube in the middle or left out."""
    request = {
        "position": position,
        "dice": None if dice is None else list(dice),
        "variant": "backgammon",
        "cubeful": cubeful,
        "cube": {"value": 1, "owner": None},
        "match": None,
        "rules": {"jacoby": False, "beavers": False},
    }
    return Question(name, request)


def context_of(request: Mapping[str, Any]) -> CubeContext:
    """The cube and the score of a request; one without the cube has none."""
    if not request["cubeful"] or variant_named(request["variant"]).settlement is not Settlement.GAMES:
        return CUBELESS
    match, owner = request["match"], request["cube"]["owner"]
    away = match and (match["length"] - match["mover"], match["length"] - match["opponent"])
    return CubeContext(
        cube=request["cube"]["value"],
        owner=owner and CubeOwner(owner),
        away=away or None,
        crawford=bool(match and match["crawford"]),
        **request["rules"],
    )
