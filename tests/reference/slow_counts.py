"""What can be counted of a board after a play, by the readable rules alone: slow and obvious."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.plays import CheckerMove, legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import FollowUp, Variant

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
    ends: bool = False
    escapes: bool = False
    """A checker comes past the other side's block."""
    twice: bool = False
    """Two checkers are hit."""


class SlowCounts:
    """The board after a play, seen by the player who made it."""

    def __init__(self, position: Position, variant: Variant) -> None:
        self.position = position
        self.variant = variant

    @cached_property
    def theirs(self) -> dict[Roll, _Seen]:
        """What the opponent's rolls can do."""
        return {roll: _seen(self.position.swapped, roll, self.variant) for roll in ALL_ROLLS}

    @cached_property
    def mine(self) -> dict[Roll, _Seen]:
        """What the player's own rolls could do, had the opponent not moved."""
        return {roll: _seen(self.position, roll, self.variant) for roll in ALL_ROLLS}

    def hits(self) -> Rolls:
        return {roll for roll, facts in self.theirs.items() if facts.targets}

    def hits_on(self, point: int) -> Rolls:
        return {roll for roll, facts in self.theirs.items() if 25 - point in facts.targets}

    def shots(self) -> Rolls:
        """Rolls that hit outside the opponent's home board."""
        return {roll for roll, facts in self.theirs.items() if any(target >= 7 for target in facts.targets)}

    def own_shots(self) -> Rolls:
        return {roll for roll, facts in self.mine.items() if any(target >= 7 for target in facts.targets)}

    def dances(self) -> Rolls:
        return {roll for roll, facts in self.theirs.items() if not facts.enters and self.position.opponent[25]}

    def strikes(self) -> Rolls:
        return {roll for roll, facts in self.mine.items() if facts.targets}

    def makes(self, point: int) -> Rolls:
        if self.position.player[point] >= 2:
            return set()
        return {roll for roll, facts in self.mine.items() if point in facts.held}

    def builders(self) -> Rolls:
        return set().union(*(self.makes(point) for point in GOOD))

    def ends(self) -> Rolls:
        return {roll for roll, facts in self.mine.items() if facts.ends}

    def opens(self) -> Rolls:
        """Rolls of which every play leaves a shot; asked of boards with no checker back."""
        return {roll for roll in ALL_ROLLS if not _any_safe(self.position, roll, self.variant)}

    def escapes(self) -> Rolls:
        return {roll for roll, facts in self.mine.items() if facts.escapes and not self.position.player[26]}

    def their_escapes(self) -> Rolls:
        return {roll for roll, facts in self.theirs.items() if facts.escapes and not self.position.opponent[26]}

    def twice(self) -> Rolls:
        return {roll for roll, facts in self.theirs.items() if facts.twice}

    def their_builders(self) -> Rolls:
        wanted = {point for point in GOOD if self.position.opponent[point] < 2}
        return {roll for roll, facts in self.theirs.items() if wanted & facts.held}

    def free(self) -> int:
        """Checkers on the points 4 to 11 that hold no point: those that stand alone and those beyond two."""
        return sum(
            1
            for point in (4, 5, 6, 7, 8, 9, 10, 11)
            for number in range(self.position.player[point])
            if number >= 2 or self.position.player[point] == 1
        )

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


def _seen(before: Position, roll: Roll, variant: Variant) -> _Seen:
    facts = _Seen()
    past = past_block(before.opponent)
    already_past = sum(before.player[place] for place in past)
    for moves, after in _turns(before, roll, variant):
        own = after.player
        hit = [move.target for move in moves if move.hit]
        facts.targets.update(hit)
        facts.enters |= any(move.source == 25 for move in moves)
        facts.held |= {point for point in range(1, 25) if own[point] >= 2}
        facts.ends |= sum(own[1:]) == 0
        facts.escapes |= sum(own[place] for place in past) > already_past
        facts.twice |= len(hit) >= 2
    return facts


def past_block(other: Sequence[int]) -> list[int]:
    """The places of a side, that of checkers off included, that have the other side's home, and his points there and in
    his outer board, behind them.
    """
    ends = [25 - point for point in range(1, 13) if other[point] >= 2]
    return [place for place in range(19) if all(place < end for end in ends)]


def _any_safe(before: Position, roll: Roll, variant: Variant) -> bool:
    for _, after in _turns(before, roll, variant):
        blots = [25 - point for point in range(1, 19) if after.player[point] == 1]
        hit = (
            move.hit and move.target in blots
            for answer in ALL_ROLLS
            for moves, _ in _turns(after.swapped, answer, variant)
            for move in moves
        )
        if not blots or not any(hit):
            return True
    return False


Turn = tuple[tuple[CheckerMove, ...], Position]


def _turns(before: Position, roll: Roll, variant: Variant) -> Iterator[Turn]:
    """Everything that one roll allows, the doubles that it gives included, up to a new throw."""
    stages = variant.after_acey_deucey if roll.is_acey_deucey else variant.after_double if roll.is_double else ()
    for play in legal_plays(before, roll, variant):
        uses_all_dice = len(play.moves) == len(roll.dice) and any(play.after.player[1:])
        numbers: tuple[int, ...] = ()
        if uses_all_dice and FollowUp.CHOOSE_DOUBLE in stages:
            numbers = (1, 2, 3, 4, 5, 6)
        elif uses_all_dice and FollowUp.COMPLEMENT in stages:
            numbers = (7 - roll.high,)
        for number in numbers:
            for more in legal_plays(play.after, Roll(number, number), variant):
                yield (*play.moves, *more.moves), more.after
        if not numbers:
            yield play.moves, play.after


def ways(rolls: Rolls) -> int:
    """How many of the 36 throws."""
    return sum(1 if roll.high == roll.low else 2 for roll in rolls)
