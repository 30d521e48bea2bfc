"""The licence to hit: games in which a side may hit only after a checker of its own has come home.

Before it is earned, the order of the moves matters: one that comes home must be played before the first hit.
"""

from __future__ import annotations

from fullprime.engine.core.jit import bare_kernel, highest_bit
from fullprime.engine.core.layout import (
    LICENCE,
    LICENCE_PERMANENT,
    OFF,
    RULE_BAR_PRIORITY,
    RULE_ENTER_ALL_FIRST,
    RULE_ENTERING_MOVE_MAY_HIT,
    RULE_HIT_LICENCE,
    THEIR_LICENCE,
    THEIR_OFF,
    Array,
)
from fullprime.engine.core.moves.steps import (
    BAR_SOURCE,
    BLOTS,
    HAND_SOURCE,
    LATER_SOURCES,
    OCCUPIED,
    TODO,
    blots_after,
    copy_board,
    count_at,
    landing,
    move_checker,
    occupied_after,
    playable_sources,
)

# More lists by level in the scratch.
_SOURCE, _HITS = 35, 40


@bare_kernel
def list_unlicensed_doubles(
    die: int, occupied: int, open_points: int, blots: int, rules: Array, out_words: Array, scratch: Array
) -> int:
    """List all results of a double for a side that has yet to earn the right to hit.

    Sources are enumerated as if hits were free. A set of sources with hits counts when its moves can be made in some
    order in which one that earns the licence comes before the first hit; what comes after it is free, and so can be
    played in the usual order.
    """
    scratch[TODO] = playable_sources(occupied, open_points, die, rules)
    scratch[OCCUPIED] = occupied
    scratch[BLOTS] = blots
    scratch[_HITS] = 0
    level = best = count = 0
    while level >= 0:
        todo = scratch[TODO + level]
        if todo == 0:
            level -= 1
            continue
        source = highest_bit(todo)
        scratch[TODO + level] = todo & ~(1 << source)
        played = level + 1
        scratch[_SOURCE + level] = source
        move_checker(scratch, level, die, source, scratch[BLOTS + level], scratch, played)
        now_blots = blots_after(scratch[BLOTS + level], source, die)
        hits = scratch[_HITS + level] | (1 if now_blots != scratch[BLOTS + level] else 0)
        if played >= best and (hits == 0 or _earns_licence_first(die, played, blots, rules, scratch)):
            if played > best:
                best = played
                count = 0
            copy_board(scratch, played, out_words, count)
            count += 1
        if played < 4:
            now_occupied = occupied_after(scratch[OCCUPIED + level], scratch, played, source, die)
            level = played
            scratch[TODO + level] = playable_sources(now_occupied, open_points, die, rules) & LATER_SOURCES[source]
            scratch[OCCUPIED + level] = now_occupied
            scratch[BLOTS + level] = now_blots
            scratch[_HITS + level] = hits
    return count


@bare_kernel
def _earns_licence_first(die: int, moves: int, blots: int, rules: Array, scratch: Array) -> bool:
    """Whether some of these moves, none of them a hit, can be made up to one that earns the licence.

    Making a move never forbids another one of the list, so any that can be made is made.
    """
    made = 0
    progress = True
    while progress:
        progress = False
        for i in range(moves):
            source = scratch[_SOURCE + i]
            target = landing(source, die)
            earns = target <= 6
            if made >> i & 1 or target <= 0:
                continue
            if blots >> target & 1 and not (earns and rules[RULE_ENTERING_MOVE_MAY_HIT]):
                continue
            bar, hand = count_at(scratch, 0, BAR_SOURCE), count_at(scratch, 0, HAND_SOURCE)
            here = count_at(scratch, 0, source)
            if here > 15:  # the opponent's, a negative count
                here = 0
            for j in range(moves):
                if made >> j & 1:
                    other = scratch[_SOURCE + j]
                    bar -= int(other == BAR_SOURCE)
                    hand -= int(other == HAND_SOURCE)
                    here += int(landing(other, die) == source) - int(other == source)
            waits_for_bar = bar > 0 and rules[RULE_BAR_PRIORITY] and source != BAR_SOURCE
            if source == HAND_SOURCE:
                waits_for_bar = waits_for_bar and not rules[RULE_ENTER_ALL_FIRST]
            waits_for_hand = hand > 0 and rules[RULE_ENTER_ALL_FIRST] and source < BAR_SOURCE
            if here <= 0 or waits_for_bar or waits_for_hand:
                continue
            if earns:
                return True
            made |= 1 << i
            progress = True
    return False


@bare_kernel
def _they_are_home(board: Array) -> bool:
    """Whether the opponent has a checker home or off, which is licence enough."""
    home: bool = board[THEIR_OFF] > 0
    for point in range(19, 25):
        home |= board[point] < 0
    return home


@bare_kernel
def set_licences(position: Array, rules: Array, out: Array, count: int) -> None:
    """Set the flags of the results: a licence stays, and is flagged where the checkers do not prove it."""
    if position[LICENCE]:
        for i in range(count):
            home = out[i, OFF] > 0
            for point in range(1, 7):
                home |= out[i, point] > 0
            out[i, LICENCE] = 0 if home else 1
    if rules[RULE_HIT_LICENCE] == LICENCE_PERMANENT and _they_are_home(position):
        for i in range(count):
            out[i, THEIR_LICENCE] = 0 if _they_are_home(out[i]) else 1
