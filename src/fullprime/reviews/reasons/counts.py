"""Counts of a board after a play: points, primes, shots, and the rolls of 36 by which each side can do something next.

Everything is counted by the rules of the game that is played, from every board that a roll can lead to; nothing is
judged. Points are numbered by the player who has just moved. A *shot* is a roll that hits outside the hitter's own home
board, as in ``rules.position_facts``; an *escape* brings a checker past the other side's block.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fullprime.engine.boards.next_boards import leave_shots, next_boards
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.position import BAR, HAND, Position, Row, pip_count
from fullprime.rules.position_facts import HITTERS_HOME
from fullprime.rules.variants.variant import HitLicence, Variant

HOME = range(1, 7)
THEIR_HOME = range(19, 25)
GOOD_POINTS = (3, 4, 5, 6, 7, 8, 18, 20, 21, 22)
"""The points that are worth a plan: most of the home board, the bar point and its neighbour, the anchors."""

NEAR = range(4, 12)
"""Points from which a free checker bears on the player's home board and bar point."""

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Reach:
    """The rolls by which a side can do something with its next roll."""

    rolls: tuple[Roll, ...] = ()

    @property
    def ways(self) -> int:
        """Their number among the 36 throws."""
        return sum(roll.weight for roll in self.rolls)


NONE = Reach()


@dataclass(frozen=True, slots=True)
class Prime:
    """Adjacent points held by a side, and the other side's checkers that have to pass them."""

    low: int
    length: int
    behind: int

    @property
    def high(self) -> int:
        """The highest of the points."""
        return self.low + self.length - 1


@dataclass(frozen=True, slots=True)
class Counts:
    """The board after a play, counted; of the player who has just moved unless it says otherwise."""

    position: Position
    """Seen by that player."""
    points: frozenset[int]
    """Places with two checkers or more, from 1 to 24."""
    blots: tuple[int, ...]
    prime: Prime
    """The longest; of equals the one with most checkers behind it."""
    hits: Reach
    """The opponent's rolls that hit, anywhere."""
    shots: Reach
    """The opponent's rolls that hit outside his home board."""
    hit_on: dict[int, Reach]
    """The opponent's rolls that can hit the blot on each point."""
    dances: Reach
    """The opponent's rolls that bring none of his checkers in from the bar; none when he has nothing there."""
    passes: Reach
    """The opponent's rolls that bring a checker from behind the prime past it."""
    makes: dict[int, Reach]
    """The player's own next rolls that make a new point, had the opponent not moved."""
    builders: Reach
    """The player's own next rolls that make a point worth having (3 to 8, 18, 20 to 22), had the opponent not moved."""
    strikes: Reach
    """The player's own next rolls that hit, anywhere, had the opponent not moved."""
    own_shots: Reach
    """Those of them that hit outside the player's home board."""
    ends: Reach
    """The player's own next rolls that bear off his last checker."""
    opens: Reach
    """The player's own next rolls of which every play leaves a shot; none with a checker back."""
    escapes: Reach
    """The player's own next rolls that bring a checker past the opponent's block; none with one in hand."""
    their_escapes: Reach
    """The opponent's rolls that bring a checker of his past the player's block; none with one in hand."""
    twice: Reach
    """The opponent's rolls that hit two blots or more."""
    their_builders: Reach
    """The opponent's rolls that make a point worth having to him, one that he does not hold yet."""

    @property
    def at_risk(self) -> int:
        """The pips that the opponent's next roll can cost: of each hitting roll its dearest hit, over all 36 throws."""
        return sum(
            roll.weight * max(25 - point for point, reach in self.hit_on.items() if roll in reach.rolls)
            for roll in self.hits.rolls
        )

    @property
    def own(self) -> Row:
        """The player's checkers."""
        return self.position.player

    @property
    def their(self) -> Row:
        """The opponent's checkers, numbered by the opponent."""
        return self.position.opponent

    @property
    def home_points(self) -> int:
        """How many points of the home board are held."""
        return sum(point in self.points for point in HOME)

    @property
    def their_home_points(self) -> int:
        """How many points of his own home board the opponent holds."""
        return sum(self.their[point] >= 2 for point in HOME)

    @property
    def their_home_blots(self) -> int:
        """How many blots the opponent has in his home board."""
        return sum(self.their[point] == 1 for point in HOME)

    @property
    def anchors(self) -> frozenset[int]:
        """The points held in the opponent's home board."""
        return frozenset(point for point in self.points if point in THEIR_HOME)

    @property
    def back(self) -> int:
        """Checkers in the opponent's home board or on the bar."""
        return sum(self.own[19:26])

    @property
    def deep(self) -> int:
        """Checkers on the ace and the deuce point."""
        return self.own[1] + self.own[2]

    @property
    def free(self) -> int:
        """Checkers on the points 4 to 11 that stand alone, or beyond two: those with which points can be made."""
        return sum(self.own[point] if self.own[point] == 1 else max(0, self.own[point] - 2) for point in NEAR)

    @property
    def pips(self) -> int:
        """The player's pips."""
        return pip_count(self.own)

    @property
    def spare(self) -> int:
        """Pips that the player can play before a point must go: see :func:`spare_pips`."""
        return spare_pips(self.own)


def count_board(position: Position, variant: Variant) -> Counts:
    """The counts of a board, seen by the player who has just moved, whose opponent throws next."""
    own, their = position.player, position.opponent
    points = frozenset(point for point in range(1, 25) if own[point] >= 2)
    prime = longest_prime(points, their)
    theirs, mine = _Next(position.swapped, variant), _Next(position, variant)
    bar, free = their[BAR], variant.hit_licence is HitLicence.FREE
    blots = tuple(point for point in range(24, 0, -1) if own[point] == 1)
    reached = theirs.rolls_where(theirs.boards[:, 1:25] >= 0)
    struck = mine.rolls_where((mine.boards[:, 1:25] >= 0) & (np.array(position.opponent[24:0:-1]) == 1))
    outside = [24 - point for point in blots if 25 - point > HITTERS_HOME]
    held = mine.rolls_where(mine.boards[:, 1:25] >= 2)
    out = count_behind(prime, their) if prime.length >= 4 else 0
    wanted: Bools = held[:, [point - 1 for point in GOOD_POINTS if point not in points]]
    sought: Bools = theirs.boards[:, [point for point in GOOD_POINTS if their[point] < 2]] >= 2
    return Counts(
        position=position,
        points=points,
        blots=blots,
        prime=prime,
        hits=theirs.some(theirs.boards[:, 0] < -own[BAR]),
        shots=_to_reach(np.asarray(reached[:, outside].any(axis=1), np.bool_)),
        hit_on={point: reach for point in blots if (reach := _to_reach(reached[:, 24 - point])).rolls},
        dances=theirs.none(theirs.boards[:, 25] < bar) if bar and not their[HAND] else NONE,
        passes=theirs.some(_behind(theirs.boards, prime) < out) if out else NONE,
        makes={
            point: reach
            for point in range(1, 25)
            if point not in points and (reach := _to_reach(held[:, point - 1])).rolls
        },
        builders=_to_reach(np.asarray(wanted.any(axis=1), np.bool_)),
        strikes=mine.some(mine.boards[:, 0] < -bar),
        own_shots=_to_reach(np.asarray(struck[:, HITTERS_HOME:].any(axis=1), np.bool_)),
        ends=mine.some(mine.boards[:, 26] == position.checkers),
        opens=_opens(mine, variant) if free and not their[HAND] and not any(own[19:27]) else NONE,
        escapes=_escapes(mine, own, their),
        their_escapes=_escapes(theirs, their, own),
        twice=theirs.some(theirs.boards[:, 0] < -own[BAR] - 1),
        their_builders=theirs.some(np.asarray(sought.any(axis=1), np.bool_)),
    )


class _Next:
    """The boards after all rolls of a side in one array, and tests of them roll by roll."""

    def __init__(self, position: Position, variant: Variant) -> None:
        boards_by_roll = next_boards(position, variant, whole_turn=True)
        self.boards = np.concatenate(boards_by_roll)
        self._starts = np.cumsum([0, *(len(boards) for boards in boards_by_roll[:-1])])

    def rolls_where(self, true: Bools) -> Bools:
        """For each roll (and column) whether a board of it passes."""
        passed: Bools = np.logical_or.reduceat(true, self._starts, axis=0)
        return passed

    def some(self, true: Bools) -> Reach:
        """The rolls of which some board passes."""
        return _to_reach(self.rolls_where(true))

    @property
    def by_roll(self) -> list[npt.NDArray[np.int8]]:
        """The boards of each roll."""
        return np.split(self.boards, self._starts[1:])

    def none(self, true: Bools) -> Reach:
        """The rolls of which no board passes."""
        return _to_reach(np.logical_not(self.rolls_where(true)))


def longest_prime(points: frozenset[int], their: Row) -> Prime:
    """The longest row of adjacent points; of equals the one with most opposing checkers behind, then the farthest."""
    best = Prime(0, 0, 0)
    for low in range(1, 25):
        length = 0
        while low + length in points:
            length += 1
        if length:
            prime = Prime(low, length, 0)
            prime = Prime(low, length, count_behind(prime, their))
            best = max(best, prime, key=lambda prime: (prime.length, prime.behind, prime.low))
    return best


def has_target(their: Row) -> bool:
    """True if the opponent has a checker on the bar or a blot in the player's home board: something to attack."""
    return bool(their[BAR]) or any(their[25 - point] == 1 for point in HOME)


def count_behind(prime: Prime, their: Row) -> int:
    """The opponent's checkers that have yet to pass a prime."""
    return sum(their[26 - prime.low : 26]) if prime.length else 0


def spare_pips(own: Row) -> int:
    """The pips that a side can play before it must break a point of its home board or an anchor.

    Counted are the checkers outside both homes, down to the 7 point's place in front of its home (point 6), and those
    beyond two on each point of its home board or anchor, down to the ace point and to point 6 respectively.
    """
    outside = sum(own[point] * (point - 6) for point in range(7, 19))
    home = sum(max(0, own[point] - 2) * (point - 1) for point in HOME)
    back = sum((own[point] - 2 if own[point] >= 2 else own[point]) * (point - 6) for point in THEIR_HOME)
    return outside + home + back


def _to_reach(passed: Bools) -> Reach:
    return Reach(tuple(roll for roll, yes in zip(ALL_ROLLS, passed.tolist(), strict=True) if yes))


def _behind(boards: npt.NDArray[np.int8], prime: Prime) -> npt.NDArray[np.int64]:
    """The checkers of the side that moves which have not passed the other side's prime."""
    counts = np.maximum(boards[:, 26 - prime.low : 26], 0)
    checkers: npt.NDArray[np.int64] = counts.sum(axis=1)
    return checkers


def block_end(other: Row) -> int:
    """The place that a checker must pass to escape, numbered by its side: the last point of the other side's block.

    That are the points held in the other side's home and outer board, and no more than its home where none is held.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> block_end(BACKGAMMON.starting_position.opponent)
    17
    """
    return min([19, *(point for point in range(13, 25) if other[25 - point] >= 2)])


def behind_block(own: Row, other: Row) -> int:
    """The checkers of a side that have not passed the other side's block, those on the bar included."""
    return sum(own[block_end(other) : 26])


def _escapes(following: _Next, own: Row, other: Row) -> Reach:
    """The rolls that bring a checker of a side past the other side's block; none with one in hand."""
    if own[HAND]:
        return NONE
    left = np.maximum(following.boards[:, block_end(other) : 26], 0).sum(axis=1, dtype=np.int64)
    return following.some(left < behind_block(own, other))


def _opens(following: _Next, variant: Variant) -> Reach:
    """The rolls of which every play leaves a shot."""
    forced = []
    for boards in following.by_roll:
        exposed = _open(boards)
        forced.append(bool(exposed.all()) and leave_shots(boards, variant))
    return _to_reach(np.array(forced))


def _open(boards: npt.NDArray[np.int8]) -> Bools:
    """True where the side that has moved leaves a blot in front of an opposing checker."""
    theirs = np.minimum(boards[:, :25], 0) < 0
    first = np.where(theirs.any(axis=1), theirs.argmax(axis=1), 25)
    blot = boards[:, 1:25] == 1
    highest = np.where(blot.any(axis=1), 24 - blot[:, ::-1].argmax(axis=1), 0)
    is_open: Bools = highest > first
    return is_open
