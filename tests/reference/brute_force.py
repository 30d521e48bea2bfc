"""A second reading of the rules, slow on purpose, and different from ``fullprime.rules.plays`` wherever it can be.

It moves checkers, not counts: each side is a list of places, one for every checker. It tries every order of the dice
and every checker for each die, writes down the board after *every* beginning of such a sequence, and only then throws
away what used too few dice or the wrong one. Nothing is pruned, nothing is looked ahead.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from fullprime.rules.position import BAR, HAND, OFF, SLOTS, Position
from fullprime.rules.variants import HitLicence, Variant

HAND_PLACE = 30
"""A checker in hand, on no point; it enters like one on the bar."""


@dataclass(frozen=True, slots=True)
class Board:
    """Places of the mover's and the other side's checkers, both numbered by the mover, sorted."""

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    """1-24 points; 0 on the bar; 25 off; 30 in hand."""
    my_licence: bool
    their_licence: bool


def results(position: Position, dice: tuple[int, int], variant: Variant) -> set[Position]:
    """Boards after every legal play, seen by the mover; the position itself when nothing can be played."""
    start = _board(position, variant)
    orders = {(dice[0],) * 4} if dice[0] == dice[1] else set(permutations(dice))
    plays: set[tuple[tuple[int, ...], Board]] = set()
    for order in orders:
        reached = {start}
        for used in range(1, len(order) + 1):
            reached = {after for board in reached for after in _every_move(board, order[used - 1], variant)}
            plays |= {(order[:used], board) for board in reached}
    most = max((len(used) for used, _ in plays), default=0)
    if most == 0:
        return {position}
    longest = [(used, board) for used, board in plays if len(used) == most]
    if most == 1:
        larger = max(used[0] for used, _ in longest)
        longest = [(used, board) for used, board in longest if used[0] == larger]
    return {_position(board, variant) for _, board in longest}


def _every_move(board: Board, die: int, variant: Variant) -> list[Board]:
    return [after for place in sorted(set(board.mine)) if (after := _move(board, place, die, variant)) is not None]


def _move(board: Board, place: int, die: int, variant: Variant) -> Board | None:
    """The board after one checker moves from ``place``, or None where a rule forbids it."""
    if place == OFF:
        return None
    on_bar, in_hand = BAR in board.mine, HAND_PLACE in board.mine
    must_enter: set[int] = set()
    if on_bar and variant.bar_priority:
        must_enter.add(BAR)
        if variant.enter_all_first:
            must_enter.add(HAND_PLACE)
    elif in_hand and variant.enter_all_first:
        must_enter |= {BAR, HAND_PLACE}
    if must_enter and place not in must_enter:
        return None
    target = (25 if place == HAND_PLACE else place) - die
    others = list(board.mine)
    others.remove(place)
    if target < 1:
        all_home = all(p <= 6 for p in board.mine)
        exact = target == 0
        highest = place == max(board.mine)
        if not all_home or not (exact or (highest and not variant.exact_bearoff)):
            return None
        return Board(tuple(sorted([*others, OFF])), board.theirs, True, board.their_licence)
    enemies = board.theirs.count(target)
    if enemies > 1:
        return None
    theirs, their_licence = board.theirs, board.their_licence
    if enemies == 1:
        if not _may_hit(board, target, variant):
            return None
        left = list(theirs)
        left.remove(target)
        theirs = tuple(sorted([*left, 0]))
    return Board(tuple(sorted([*others, target])), theirs, board.my_licence or target <= 6, their_licence)


def _may_hit(board: Board, target: int, variant: Variant) -> bool:
    if variant.hit_licence is HitLicence.FREE:
        return True
    if variant.entering_move_may_hit and target <= 6:
        return True
    home_now = any(place <= 6 for place in board.mine)
    return home_now or (variant.hit_licence is HitLicence.PERMANENT and board.my_licence)


def _board(position: Position, variant: Variant) -> Board:
    mine = [place for place in range(26) for _ in range(position.player[place])]
    mine += [HAND_PLACE] * position.player[HAND]
    theirs = [25 - place for place in range(26) for _ in range(position.opponent[place])]
    theirs += [HAND_PLACE] * position.opponent[HAND]
    return Board(
        tuple(sorted(mine)),
        tuple(sorted(theirs)),
        position.player_licence or any(place <= 6 for place in mine),
        position.opponent_licence or any(19 <= place <= 25 for place in theirs),
    )


def _position(board: Board, variant: Variant) -> Position:
    mine, theirs = [0] * SLOTS, [0] * SLOTS
    for place in board.mine:
        mine[HAND if place == HAND_PLACE else place] += 1
    for place in board.theirs:
        theirs[HAND if place == HAND_PLACE else 25 - place] += 1
    permanent = variant.hit_licence is HitLicence.PERMANENT
    return Position(
        tuple(mine),
        tuple(theirs),
        permanent and board.my_licence and not any(mine[:7]),
        permanent and board.their_licence and not any(theirs[:7]),
    )


def perft(variant: Variant, depth: int) -> tuple[int, ...]:
    """The counts of ``fullprime.engine.boards.perft`` by brute force."""
    counts = []
    reached = [variant.starting_position]
    for _ in range(depth):
        reached = [
            after.swapped
            for position in reached
            if not position.is_over
            for high in range(1, 7)
            for low in range(1, high + 1)
            for after in results(position, (high, low), variant)
        ]
        counts.append(len(reached))
    return tuple(counts)
