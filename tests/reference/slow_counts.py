"""What can be counted of a board after a play, by the readable rules alone: slow and obvious."""

from __future__ import annotations

from dataclasses import dataclass, field

from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import Variant

Rolls = set[Roll]
GOOD = (3, 4, 5, 6, 7, 8, 18, 20, 21, 22)


@dataclass
class _Seen:
    """What some play of a roll does."""

    targets: set[int] = field(default_factory=set)
    """Places of hits, numbered by the side that moves."""
    held: set[int] = field(default_factory=set)
    """Points with two checkers or more afterwards."""
    enters: bool = False
    closed: bool = False
    """No blot in front of an opposing checker."""
    ends: bool = False


class SlowCounts:
    """The board after a play, seen by the player who made it."""

    def __init__(self, position: Position, variant: Variant) -> None:
        self.position = position
        self.theirs = {roll: _seen(legal_plays(position.swapped, roll, variant)) for roll in ALL_ROLLS}
        self.mine = {roll: _seen(legal_plays(position, roll, variant)) for roll in ALL_ROLLS}

    def hits(self) -> Rolls:
        return {roll for roll, seen in self.theirs.items() if seen.targets}

    def hits_on(self, point: int) -> Rolls:
        return {roll for roll, seen in self.theirs.items() if 25 - point in seen.targets}

    def dances(self) -> Rolls:
        return {roll for roll, seen in self.theirs.items() if not seen.enters and self.position.opponent[25]}

    def strikes(self) -> Rolls:
        return {roll for roll, seen in self.mine.items() if seen.targets}

    def makes(self, point: int) -> Rolls:
        if self.position.player[point] >= 2:
            return set()
        return {roll for roll, seen in self.mine.items() if point in seen.held}

    def builders(self) -> Rolls:
        return set().union(*(self.makes(point) for point in GOOD))

    def ends(self) -> Rolls:
        return {roll for roll, seen in self.mine.items() if seen.ends}

    def opens(self) -> Rolls:
        return {roll for roll, seen in self.mine.items() if not seen.closed}

    def risk(self) -> int:
        """Pips over the 36 throws, each hitting throw with its dearest hit."""
        return sum(ways({roll}) * max(target for target in self.theirs[roll].targets) for roll in self.hits())

    def run(self) -> int:
        """The length of the longest row of held points."""
        text = "".join("x" if self.position.player[point] >= 2 else " " for point in range(1, 25))
        return max(map(len, text.split(" ")))

    def behind(self, point: int) -> int:
        """The opponent's checkers that have yet to pass a point, those on the bar included."""
        return sum(count for slot, count in enumerate(self.position.opponent[:26]) if slot and 25 - slot < point)


def _seen(plays: tuple[Play, ...]) -> _Seen:
    found = _Seen()
    for play in plays:
        own, other = play.after.player, play.after.opponent
        for move in play.moves:
            if move.hit:
                found.targets.add(move.target)
            found.enters |= move.source == 25
        found.held |= {point for point in range(1, 25) if own[point] >= 2}
        blots = [point for point in range(1, 25) if own[point] == 1]
        there = [25 - slot for slot in range(1, 26) if other[slot]]
        found.closed |= not any(at < blot for at in there for blot in blots)
        found.ends |= sum(own[1:]) == 0
    return found


def ways(rolls: Rolls) -> int:
    """How many of the 36 throws."""
    return sum(1 if roll.high == roll.low else 2 for roll in rolls)
