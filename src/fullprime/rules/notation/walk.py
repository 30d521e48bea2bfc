"""Written moves made on a board, in any order and with any dice by which they can be made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fullprime.rules.dice import Roll
from fullprime.rules.notation.text import WrittenMove
from fullprime.rules.plays import CheckerMove, make_moves
from fullprime.rules.position import BAR, HAND, OFF, Position
from fullprime.rules.variants.variant import Variant


class Walk(NamedTuple):
    """Written moves made as far as this order and these dice allow."""

    moves: tuple[CheckerMove, ...]
    position: Position
    dice: tuple[int, ...]
    """The dice not used."""
    pending: tuple[WrittenMove, ...]
    """The moves, or the rest of them, that could not be made."""


def walks(moves: tuple[WrittenMove, ...], position: Position, roll: Roll, variant: Variant) -> Iterator[Walk]:
    """Every different way to make the moves, each as far as it goes; a complete one has nothing pending.

    A move of several dice is made die by die; its star is not looked at.
    """
    visited: set[tuple[Position, tuple[int, ...], tuple[WrittenMove, ...]]] = set()
    stack = [Walk((), position, roll.dice, moves)]
    while stack:
        walk = stack.pop()
        key = (walk.position, walk.dice, tuple(sorted(walk.pending)))
        if key in visited:
            continue
        visited.add(key)
        following = list(_next(walk, variant)) if walk.pending and walk.dice else []
        if not following:
            yield walk
        stack.extend(reversed(following))


def _next(walk: Walk, variant: Variant) -> Iterator[Walk]:
    dice = sorted(set(walk.dice), reverse=True)
    for number, written in enumerate(walk.pending):
        if written in walk.pending[:number]:
            continue
        others = walk.pending[:number] + walk.pending[number + 1 :]
        for die in dice:
            dice_after = _without(walk.dice, die)
            if not _helps(die, dice_after, written):
                continue
            play = make_moves(walk.position, ((written.source, die),), variant)
            if play is None:
                continue
            (move,) = play.moves
            if move.target < written.target:
                continue
            left = others if move.target == written.target else (*others, written._replace(source=move.target))
            yield Walk((*walk.moves, move), play.after, dice_after, left)


def die_by_die(moves: tuple[WrittenMove, ...], double: int) -> tuple[WrittenMove, ...]:
    """The moves of a double cut into single numbers, which other checkers on the way may make first.

    It matters where a hit must be earned: in ``18/14*/6`` another checker may go 10/6 before the first one hits.
    """
    cut: list[WrittenMove] = []
    for source, target, star in moves:
        place = BAR if source == HAND else source
        while place - double > target:
            cut.append(WrittenMove(source, place - double))
            source = place = place - double
        cut.append(WrittenMove(source, target, star))
    return tuple(cut)


def pips(move: WrittenMove) -> int:
    """The distance of a written move in pips; the hand and the bar are 25 away."""
    return (BAR if move.source == HAND else move.source) - move.target


def is_sum_of(dice: tuple[int, ...], move: WrittenMove) -> bool:
    """True if a move can be made by some of the dice, other checkers aside."""
    return any(_helps(die, _without(dice, die), move) for die in dice)


def _helps(die: int, other_dice: tuple[int, ...], move: WrittenMove) -> bool:
    """True if this die begins the move, so that some of the ``other_dice`` can finish it."""
    left = pips(move) - die
    if move.target == OFF:
        return left <= sum(other_dice)
    return left in {sum(other_dice[:count]) for count in range(len(other_dice) + 1)}


def _without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]
