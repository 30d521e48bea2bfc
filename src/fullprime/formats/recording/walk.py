"""Playing written plays on a board, fast: what every reader of matches needs about 300 times a file.

``rules.plays`` lists every legal play; here a play is known already and is only walked, checker by checker, on two
mutable rows of counts (each numbered by its owner, as in ``Position``). Whether fewer checkers than dice were enough is
searched for only then. Only for games in which every blot may be hit and nothing starts in hand; tests hold it equal
to ``rules.plays``.

The result is canonical: plays that lead to the same board are the same moves, whatever order or grouping the file
wrote. Higher sources come first; a checker that uses both dice plays the larger one first unless that changes the
board.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import BAR, OFF

Hop = tuple[int, int]
"""From a point (25: the bar) to a point (0: off), possibly with several dice."""
Step = tuple[int, int, int]
"""Source, target and die of one checker move."""

PLACE = r"(?:bar|off|b|o|\d{1,2})"
_TOKEN = re.compile(rf"({PLACE}(?:\*?[/\-]{PLACE})+)\*?(?:\((\d)\))?\*?", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s,]+")
_WORDS = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF}

_MOVES = {
    (source, target, die, hit): CheckerMove(source, target, die, hit)
    for source in range(1, 26)
    for die in range(1, 7)
    for target in (max(source - die, OFF),)
    for hit in (False, True)
}


@lru_cache(maxsize=1 << 15)
def hops(text: str) -> tuple[Hop, ...] | None:
    """The moves of a written play, or None when the text is no play.

    Understands ``13/7*``, ``bar/24``, ``6/off(2)``, ``5/4*(4)``, ``13/7*/5``, ``13-7``, commas, ``25/20``, ``5/0``.

    >>> hops("bar/24* 13/7*/5, 6/off(2)")
    ((25, 24), (13, 7), (7, 5), (6, 0), (6, 0))
    """
    found: list[Hop] = []
    for token in _SEPARATORS.split(text.strip()):
        if not token:
            continue
        match = _TOKEN.fullmatch(token)
        if match is None:
            return None
        places = [_place(word) for word in re.split(r"[/\-]", match[1].replace("*", ""))]
        if any(place > BAR for place in places):
            return None
        for _ in range(int(match[2] or 1)):
            found.extend((places[i], places[i + 1]) for i in range(len(places) - 1))
        if len(found) > 8:
            return None
    return tuple(found)


def salvage(text: str) -> tuple[tuple[Hop, ...], list[str]]:
    """The moves that can be read in a text that is no play, and the words that cannot."""
    found: list[Hop] = []
    strange: list[str] = []
    for token in _SEPARATORS.split(text.strip()):
        moves = hops(token)
        if moves is None or len(found) + len(moves) > 8:
            strange.append(token)
        else:
            found.extend(moves)
    return tuple(found), strange


def downhill(moves: tuple[Hop, ...]) -> tuple[Hop, ...]:
    """The moves in the mover's own numbering, whichever way the file counts (FIBS counts one side upwards)."""
    if not any(_climbs(*hop) for hop in moves):
        return moves
    return tuple(
        (source if source in (OFF, BAR) else 25 - source, target if target in (OFF, BAR) else 25 - target)
        for source, target in moves
    )


def _climbs(source: int, target: int) -> bool:
    if source == BAR:
        return 0 < target < 7
    return source > 18 if target == OFF else 0 < source < target


def _place(word: str) -> int:
    known = _WORDS.get(word.lower())
    return int(word) if known is None else known


@lru_cache(maxsize=1 << 15)
def readings(moves: tuple[Hop, ...], high: int, low: int) -> tuple[tuple[Step, ...], ...]:
    """The ways in which written moves may use two dice, whatever stands on the board; the canonical ones first."""
    if any(not (0 < source <= BAR and 0 <= target < BAR) for source, target in moves):
        return ()
    if high == low:
        steps = [step for source, target in moves for step in _units(source, target, high)]
        return (tuple(sorted(steps, reverse=True)),) if len(steps) <= 4 and _covers(moves, high) else ()
    if len(moves) == 1:
        return _one_hop(*moves[0], high, low)
    if len(moves) != 2:
        return ((),) if not moves else ()
    first, second = sorted(moves, reverse=True)
    if first[1] == second[0]:
        # One checker through a point in between, or two checkers: the board is the same.
        return tuple(route for route in _routes(first[0], second[1], high, low) if route[0][1] == first[1])
    found = []
    for one, other in ((high, low), (low, high)):
        if _fits(*first, one) and _fits(*second, other):
            found.append(((*first, one), (*second, other)))
    return tuple(found)


def _one_hop(source: int, target: int, high: int, low: int) -> tuple[tuple[Step, ...], ...]:
    single = tuple(((source, target, die),) for die in (high, low) if _fits(source, target, die))
    return single + _routes(source, target, high, low)


def _routes(source: int, target: int, high: int, low: int) -> tuple[tuple[Step, Step], ...]:
    return tuple(
        ((source, between, one), (between, target, other))
        for one, other in ((high, low), (low, high))
        if (between := source - one) > OFF and _fits(between, target, other)
    )


def _fits(source: int, target: int, die: int) -> bool:
    return source - target == die or (target == OFF and 0 < source <= die)


def _units(source: int, target: int, die: int) -> list[Step]:
    steps = []
    while source > target:
        after = max(source - die, OFF)
        steps.append((source, after, die))
        source = after
        if len(steps) > 4:
            break
    return steps


def _covers(moves: tuple[Hop, ...], die: int) -> bool:
    return all(source > target and (target == OFF or (source - target) % die == 0) for source, target in moves)


def walk(own: list[int], other: list[int], steps: Sequence[Step]) -> tuple[list[int], list[int], list[bool]] | None:
    """The two rows after the steps and which of them hit, or None when one of them cannot be made."""
    own, other, hits = own[:], other[:], []
    for source, target, die in steps:
        if not own[source] or (own[BAR] and source != BAR):
            return None
        if target:
            blockers = other[25 - target]
            if blockers > 1:
                return None
            hits.append(blockers == 1)
            if blockers:
                other[25 - target] = 0
                other[BAR] += 1
        else:
            if any(own[7:26]) or (die > source and any(own[source + 1 : 7])):
                return None
            hits.append(False)
        own[source] -= 1
        own[target] += 1
    return own, other, hits


Played = tuple[list[int], list[int], tuple[CheckerMove, ...]]
"""The mover's row, the other row, and the checker moves in canonical order."""


def resolve(
    own: list[int], other: list[int], moves: tuple[Hop, ...], high: int, low: int, marked: bool = False
) -> Played | None:
    """Make a written play of a roll; None when the rules do not allow it.

    ``marked`` says that the file marks a hit: it decides between two ways for one checker of which only one hits.
    """
    dice = 4 if high == low else 2
    best: tuple[tuple[int, int, int], tuple[Step, ...], list[int], list[int], list[bool]] | None = None
    possible = readings(moves, high, low)
    for rank, steps in enumerate(possible):
        made = walk(own, other, steps)
        if made is None:
            continue
        after, beaten, hits = made
        if len(steps) < dice and not _enough(own, other, steps, high, low):
            continue
        if len(possible) == 1:
            best = ((0, 0, 0), steps, after, beaten, hits)
            break
        # Of two ways that both can be made, take the one whose hits are those the file marks, then the canonical one.
        key = (int(any(hits) != marked), sum(hits), rank)
        if best is None or key < best[0]:
            best = (key, steps, after, beaten, hits)
    if best is None:
        return None
    _, steps, after, beaten, hits = best
    if dice == 2 and len(steps) == 2 and steps[0][1] == steps[1][0] and steps[0][2] == low:
        steps, hits = _larger_first(own, other, steps, after, beaten, hits, high, low)
    return after, beaten, tuple(_MOVES[(*step, hit)] for step, hit in zip(steps, hits, strict=True))


def _larger_first(
    own: list[int],
    other: list[int],
    steps: tuple[Step, ...],
    after: list[int],
    beaten: list[int],
    hits: list[bool],
    high: int,
    low: int,
) -> tuple[tuple[Step, ...], list[bool]]:
    source, target = steps[0][0], steps[1][1]
    for route in _routes(source, target, high, low)[:1]:
        made = walk(own, other, route)
        if made is not None and made[0] == after and made[1] == beaten:
            return route, made[2]
    return steps, hits


def _enough(own: list[int], other: list[int], steps: tuple[Step, ...], high: int, low: int) -> bool:
    """Whether no legal play uses more dice than these steps, and the die used is the one that must be."""
    longest, _ = search(own, other, high, low, limit=1)
    if longest != len(steps):
        return False
    if high != low and longest == 1 and steps[0][2] == low:
        return not any(True for _ in _single_steps(own, other, high))
    return True


def search(own: list[int], other: list[int], high: int, low: int, limit: int = 2) -> tuple[int, list[Played]]:
    """How many dice can be played, and up to ``limit`` legal plays that lead to different boards.

    The search ends as soon as ``limit`` plays with all dice are found. When only one of two different dice can be
    played, the larger one must be.
    """
    orders = ((high,) * 4,) if high == low else ((high, low), (low, high))
    dice = len(orders[0])
    longest = 0
    found: dict[tuple[int, ...], tuple[Step, ...]] = {}
    seen: set[tuple[int, ...]] = set()

    def descend(mine: list[int], theirs: list[int], rest: tuple[int, ...], made: tuple[Step, ...]) -> bool:
        nonlocal longest
        key = (*mine, *theirs, *rest)
        if key in seen:
            return False
        seen.add(key)
        stuck = True
        if rest:
            for step in _single_steps(mine, theirs, rest[0]):
                stuck = False
                after = walk(mine, theirs, (step,))
                assert after is not None
                if descend(after[0], after[1], rest[1:], (*made, step)):
                    return True
        if stuck and len(made) >= longest:
            if len(made) > longest:
                longest = len(made)
                found.clear()
            found.setdefault((*mine, *theirs), made)
            return longest == dice and len(found) >= limit
        return False

    for order in orders:
        if descend(own, other, order, ()):
            break
    kept = list(found.values())
    if longest == 1 and high != low and any(made[0][2] == high for made in kept):
        kept = [made for made in kept if made[0][2] == high]
    plays = []
    for made in kept[:limit]:
        after = walk(own, other, made)
        assert after is not None
        plays.append((after[0], after[1], tuple(_MOVES[(*s, h)] for s, h in zip(made, after[2], strict=True))))
    return longest, plays


def _single_steps(own: list[int], other: list[int], die: int) -> list[Step]:
    if own[BAR]:
        return [(BAR, BAR - die, die)] if other[die] < 2 else []
    steps = [
        (source, source - die, die) for source in range(24, die, -1) if own[source] and other[25 - source + die] < 2
    ]
    if not any(own[7:25]):
        if own[die]:
            steps.append((die, OFF, die))
        elif not any(own[die + 1 : 7]):
            highest = next((source for source in range(die - 1, 0, -1) if own[source]), 0)
            if highest:
                steps.append((highest, OFF, die))
    return steps


def force(own: list[int], other: list[int], moves: tuple[Hop, ...]) -> tuple[list[int], list[int], tuple[Hop, ...]]:
    """The rows after moves that the rules do not allow, as far as checkers can be moved, and the moves left out."""
    own, other, left_out = own[:], other[:], []
    for source, target in moves:
        if not (0 < source <= BAR and 0 <= target <= BAR):
            left_out.append((source, target))
            continue
        if not own[source] or (target not in (OFF, BAR) and other[25 - target] > 1):
            left_out.append((source, target))
            continue
        own[source] -= 1
        own[target] += 1
        if target not in (OFF, BAR) and other[25 - target] == 1:
            other[25 - target] = 0
            other[BAR] += 1
    return own, other, tuple(left_out)
