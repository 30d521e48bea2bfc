"""What rolls of 36 can do, by moving checkers one by one (``brute_force``): throw by throw, slow and obvious."""

from __future__ import annotations

from itertools import product

from tests.reference.brute_force import results

from fullprime.rules.position import Position
from fullprime.rules.variants import FollowUp, Variant

THROWS = list(product(range(1, 7), repeat=2))


def turns(position: Position, dice: tuple[int, int], variant: Variant) -> set[Position]:
    """The boards after a throw and the doubles that it gives, seen by the side that moves."""
    extras: tuple[FollowUp, ...] = ()
    if sorted(dice) == [1, 2]:
        extras = variant.after_acey_deucey
    elif dice[0] == dice[1]:
        extras = variant.after_double
    pips = sum(dice) * (2 if dice[0] == dice[1] else 1)
    boards = set()
    for board in results(position, dice, variant):
        complete = _way(position) - _way(board) == pips and any(board.player[1:])
        named: list[int] = []
        if complete and FollowUp.CHOOSE_DOUBLE in extras:
            named = [1, 2, 3, 4, 5, 6]
        elif complete and FollowUp.COMPLEMENT in extras:
            named = [7 - dice[0]]
        boards |= {after for double in named for after in results(board, (double, double), variant)} or {board}
    return boards


def _way(position: Position) -> int:
    return sum(place * position.player[place] for place in range(26)) + 25 * position.player[26]


def hit_places(before: Position, after: Position) -> set[int]:
    """The points, in the numbers of the side that moved, from which a checker of the other side has gone."""
    return {point for point in range(1, 25) if after.opponent[25 - point] < before.opponent[25 - point]}


def count_hits(position: Position, variant: Variant, *, outside_home: bool = False) -> int:
    """The throws of 36 of which some play hits, anywhere or outside the home board of the side that hits."""
    lowest = 7 if outside_home else 1
    return sum(
        any(max(hit_places(position, board), default=0) >= lowest for board in turns(position, dice, variant))
        for dice in THROWS
    )


def count_shots_left(after: Position, variant: Variant) -> int:
    """The shots that a board leaves, seen by the side that has moved; without a blot in danger there is none."""
    if not any(after.player[point] == 1 for point in range(1, 19)):
        return 0
    return count_hits(after.swapped, variant, outside_home=True)


def count_loose(position: Position, variant: Variant) -> int:
    """The throws of 36 of which every play leaves a shot."""
    return sum(all(count_shots_left(board, variant) for board in turns(position, dice, variant)) for dice in THROWS)


def count_rolls(fact: str, position: Position, variant: Variant) -> int | None:
    """A fact of lessons about rolls of 36; None for any other."""
    name, *rest = fact.split()
    point = int(rest[0]) if rest and rest[0].isdigit() else 0
    before = position.player
    back = sum(before[point:])
    tests = {
        "enters": lambda row: row[25] < before[25] or row[26] < before[26],
        "both_enter": lambda row: row[25] + row[26] <= before[25] + before[26] - 2,
        "covers": lambda row: row[point] >= 2,
        "passes": lambda row: sum(row[point:]) < back,
        "ends": lambda row: not any(row[1:]),
        "plays": lambda row: row != before,
    }
    opposite = {"dances": "enters", "stays": "passes"}
    if name in ("hits", "misses"):
        hits = count_hits(position, variant)
        return hits if name == "hits" else 36 - hits
    if name in ("loose", "safe"):
        loose = count_loose(position, variant)
        return loose if name == "loose" else 36 - loose
    test = tests.get(opposite.get(name, name))
    if test is None:
        return None
    ways = sum(any(test(board.player) for board in results(position, dice, variant)) for dice in THROWS)
    return 36 - ways if name in opposite else ways
