"""Boards that SGF sets piece by piece: checkers, player, roll and cube."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.formats.sgf.analysis import read_point
from fullprime.formats.sgf.tree import SgfNode
from fullprime.rules.position import SLOTS
from fullprime.rules.score import Player

WHITE, BLACK = Player.O, Player.X
COLOURS = {"W": WHITE, "B": BLACK}


@dataclass(slots=True)
class Setting:
    """A board that is set piece by piece: by ``AE``, ``AW``, ``AB``, ``PL``, ``DI``, ``CV``, ``CP``."""

    rows: tuple[list[int], list[int]] | None = None
    player: Player | None = None
    dice: tuple[int, int] | None = None
    roller: Player | None = None
    """The player named with the dice."""
    cube: int | None = None
    owner: Player | None = None
    owner_known: bool = False

    def __bool__(self) -> bool:
        return self.rows is not None or self.dice is not None or self.cube is not None or self.owner_known

    def collect(self, node: SgfNode, cube: int | None) -> None:
        """Add what a node sets; ``cube`` is the value that it gives the cube."""
        properties = node.properties
        if "AE" in properties or "AW" in properties or "AB" in properties:
            rows = self.rows or ([0] * SLOTS, [0] * SLOTS)
            for key, player in (("AW", WHITE), ("AB", BLACK)):
                for value in properties.get(key, []):
                    _add_checkers(rows[player], value, player)
            self.rows = rows
        if cube is not None:
            self.cube = cube
        for key in ("CP", "CO"):
            if (owner := node.one(key)) is not None:
                letter = owner.strip().lower()[:1]
                self.owner, self.owner_known = {"w": WHITE, "b": BLACK}.get(letter), True
        if (named := COLOURS.get((node.one("PL") or "").strip().upper()[:1])) is not None:
            self.player = named


def _add_checkers(row: list[int], value: str, player: Player) -> None:
    first, _, last = value.strip().partition(":")
    places = first if not last else "".join(map(chr, range(ord(first[:1] or "a"), ord(last[:1]) + 1)))
    for letter in places[:26]:
        place = read_point(letter, player)
        if place is not None:
            row[place] += 1
