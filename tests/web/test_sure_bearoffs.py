"""Bear-offs that the page makes by itself: where every die takes a checker off, no play needs fewer rolls.

Exact, by a slow and obvious calculation: the least mean number of rolls from every position in the home board.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

MOST = 4
"""Checkers: the positions of as many or fewer are all looked at."""
ROLLS = [(a, b) for a in range(1, 7) for b in range(a, 7)]
Home = tuple[int, ...]


def moves(home: Home, die: int) -> list[tuple[Home, int]]:
    """The positions to which a die leads, and the checkers that it takes off."""
    rolls, highest = [], max((at for at in range(6) if home[at]), default=-1)
    for at in range(6):
        row = list(home)
        row[at] -= 1
        if not home[at]:
            continue
        if at + 1 == die or (at + 1 < die and at == highest):
            rolls.append((tuple(row), 1))
        elif at + 1 > die:
            row[at - die] += 1
            rolls.append((tuple(row), 0))
    return rolls


@cache
def plays(home: Home, a: int, b: int) -> dict[Home, tuple[int, int]]:
    """Each legal end of a roll, with the dice played and the checkers taken off."""
    ends: dict[Home, tuple[int, int]] = {}
    for order in [(a,) * 4] if a == b else [(a, b), (b, a)]:
        front = {(home, 0, 0)}
        for die in order:
            front = {
                step
                for at, played, off in front
                for step in ([(to, played + 1, off + one) for to, one in moves(at, die)] or [(at, played, off)])
            }
        for to, played, off in front:
            ends[to] = max(ends.get(to, (0, 0)), (played, off))
    most = max(played for played, _ in ends.values())
    return {to: end for to, end in ends.items() if end[0] == most}


@cache
def rolls_to_go(home: Home) -> float:
    if not any(home):
        return 0.0
    worth = ((1 if a == b else 2) * min(map(rolls_to_go, plays(home, a, b))) for a, b in ROLLS)
    return 1 + sum(worth) / 36


def test_where_every_die_takes_a_checker_off_there_is_one_such_play_and_none_is_better() -> None:
    seen = 0
    for count in range(1, MOST + 1):
        for places in combinations_with_replacement(range(6), count):
            home = tuple(places.count(at) for at in range(6))
            for roll in ROLLS:
                ends = plays(home, *roll)
                sure = [to for to, (played, off) in ends.items() if played == off]
                assert len(sure) <= 1
                for to in sure:
                    seen += 1
                    assert rolls_to_go(to) <= min(map(rolls_to_go, ends)) + 1e-12
    assert seen > 1000
