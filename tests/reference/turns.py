"""Whole turns by the readable rules, special rolls included."""

from __future__ import annotations

from collections.abc import Iterator

from fullprime.rules.dice import Roll
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import FollowUp, Variant


def slow_turns(position: Position, roll: Roll, variant: Variant) -> set[tuple[Position, bool]]:
    """Every (board seen by the next to roll, whether that is the same player) at the end of a turn."""
    stages = variant.after_acey_deucey if roll.is_acey_deucey else variant.after_double if roll.is_double else ()
    return set(_ends(position, roll, stages, variant))


def _ends(
    position: Position, roll: Roll, stages: tuple[FollowUp, ...], variant: Variant
) -> Iterator[tuple[Position, bool]]:
    for play in legal_plays(position, roll, variant):
        if play.after.is_over or not stages or len(play.moves) < len(roll.dice):
            yield play.position, False
        elif stages[0] is FollowUp.ROLL_AGAIN:
            yield play.after, True
        else:
            numbers = range(1, 7) if stages[0] is FollowUp.CHOOSE_DOUBLE else [7 - roll.high]
            for number in numbers:
                yield from _ends(play.after, Roll(number, number), stages[1:], variant)
