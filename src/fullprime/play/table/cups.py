"""The dice cups for people with a real board: the opening, two cups that take turns, and a count of the dice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from fullprime.common.json_values import JsonFields, json_names
from fullprime.rules.dice import Roll, SeededDice, SystemDice
from fullprime.rules.score import Player

MEAN_PIPS = 49 / 6
"""Pips of a roll on average, the four moves of a double counted."""


@dataclass(slots=True)
class CupCount:
    """The rolls of one cup, counted, and the figures expected for that number of rolls."""

    __json__: ClassVar[JsonFields] = json_names(
        "rolls", "pips", "expected_pips", "doubles", "expected_doubles", "faces", "expected_face"
    )
    __json_digits__: ClassVar[int] = 3

    rolls: int = 0
    """Rolls of two dice."""
    pips: int = 0
    """Pips of all dice, each counted once."""
    doubles: int = 0
    """Rolls that were doubles."""
    faces: list[int] = field(default_factory=lambda: [0] * 6)
    """The number of times that each face fell, 1 to 6."""

    def add(self, roll: Roll) -> None:
        """Count one roll of two dice."""
        self.rolls += 1
        self.pips += sum(roll.dice)
        self.doubles += roll.is_double
        self.faces[roll.high - 1] += 1
        self.faces[roll.low - 1] += 1

    @property
    def expected_pips(self) -> float:
        """The pips expected of that number of rolls."""
        return self.rolls * MEAN_PIPS

    @property
    def expected_doubles(self) -> float:
        """The doubles expected of that number of rolls."""
        return self.rolls / 6

    @property
    def expected_face(self) -> float:
        """The number of times that each face is expected."""
        return self.rolls / 3

    def text(self, name: str) -> str:
        """The same in a line."""
        if not self.rolls:
            return f"{name}: no rolls yet"
        rolls = "1 roll" if self.rolls == 1 else f"{self.rolls} rolls"
        doubles = "1 double" if self.doubles == 1 else f"{self.doubles} doubles"
        doubles += f" (expected {self.expected_doubles:.1f})"
        faces = " ".join(f"{face}:{count}" for face, count in enumerate(self.faces, 1))
        return (
            f"{name}: {rolls}, {self.pips / self.rolls:.2f} pips a roll (expected {MEAN_PIPS:.2f}),"
            f" {doubles}, faces {faces} (expected {self.expected_face:.1f} each)"
        )


class Cups:
    """Two cups and one source of chance; without a seed it is the system's generator."""

    def __init__(self, seed: str | None = None, automatic_doubles: int | None = 0) -> None:
        self._source = SystemDice() if seed is None else SeededDice(seed)
        self._limit = automatic_doubles
        self.counts = (CupCount(), CupCount())
        self.turn: Player | None = None
        """The player whose cup is next; None before the opening."""
        self.multiplier = 1
        """The factor by which ties of the opening have raised the stake."""
        self._ties = 0

    def opening(self) -> tuple[int, int]:
        """X's and O's die; after a tie the opening goes on, and the stake may have been doubled."""
        x_die, o_die = self._source.die(), self._source.die()
        if x_die == o_die:
            self._ties += 1
            if self._limit is None or self._ties <= self._limit:
                self.multiplier *= 2
            return x_die, o_die
        first = Player.X if x_die > o_die else Player.O
        # The winner plays these two dice, so the other's cup is next.
        self.turn = first.other
        return x_die, o_die

    def roll(self, player: Player | None = None) -> tuple[Player, Roll]:
        """Throw the cup that is next, or that of ``player``; the other's turn follows."""
        cup = player if player is not None else self.turn if self.turn is not None else Player.X
        roll = Roll(self._source.die(), self._source.die())
        self.counts[cup].add(roll)
        self.turn = cup.other
        return cup, roll

    def new_game(self) -> None:
        """Go back to the opening roll; the statistics go on."""
        self.turn, self.multiplier, self._ties = None, 1, 0
