"""The way from one board to another: the checker moves of a play of which only the result is known.

Engines work with boards; a play is put into words only where people see it. Listing every play to find one of them
would cost more than choosing it did.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalPlay
from fullprime.rules.plays import CheckerMove, Play, checker_moves
from fullprime.rules.position import BAR, HAND, Position, Row
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import Variant


def find_play_to(before: Position, roll: Roll, after: Position, variant: Variant = BACKGAMMON) -> Play:
    """The play of a roll that leads to the board ``after``, still seen by the player who made it.

    >>> start = BACKGAMMON.starting_position
    >>> after = Position.from_text("24:2 13:5 8:2 6:4 5:2 / 24:2 13:5 8:3 6:5")
    >>> [str(move) for move in find_play_to(start, Roll(3, 1), after).moves]
    ['8/5', '6/5']

    Further playable dice are not checked for. Raises IllegalPlay when no moves of the roll lead there.
    """
    goal = _heights(after.player)
    orders = [roll.dice] if roll.is_double else [roll.dice, roll.dice[::-1]]
    # As many dice as possible are played, so the longest way is the play.
    for count in range(len(roll.dice), -1, -1):
        for dice in orders:
            moves = _walk(before, dice[:count], after, goal, variant)
            if moves is not None:
                return Play(moves, after)
    raise IllegalPlay(f"no play of {roll.words} leads from {before.text} to {after.text}")


def _walk(
    position: Position, dice: tuple[int, ...], after: Position, goal: tuple[int, ...], variant: Variant
) -> tuple[CheckerMove, ...] | None:
    if not dice:
        return () if position == after else None
    for move, reached in _towards(position, dice[0], goal, variant):
        following = _walk(reached, dice[1:], after, goal, variant)
        if following is not None:
            return (move, *following)
    return None


def _towards(
    position: Position, die: int, goal: tuple[int, ...], variant: Variant
) -> Iterator[tuple[CheckerMove, Position]]:
    """The moves of a die that do not carry a checker past where it must stand in the end."""
    for move, reached in checker_moves(position, die, variant):
        heights = _heights(reached.player)
        if all(have >= need for have, need in zip(heights, goal, strict=True)):
            yield move, reached


def _heights(row: Row) -> tuple[int, ...]:
    """The number of checkers on each place or behind it, the hand behind the bar: moves only make these smaller."""
    return tuple(accumulate((row[HAND], *row[BAR:0:-1])))
