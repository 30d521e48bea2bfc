"""Reasons why a play is not legal: one sentence that names the broken rule, and a play that is possible."""

from __future__ import annotations

from fullprime.rules.dice import Roll
from fullprime.rules.notation.text import WrittenMove, format_play
from fullprime.rules.notation.walk import Walk, is_sum_of, pips, walks
from fullprime.rules.plays import Play, RollPlays
from fullprime.rules.position import BAR, HAND, OFF, Position, slot_name
from fullprime.rules.variants.variant import HitLicence, Variant


def why_illegal(moves: tuple[WrittenMove, ...], position: Position, roll: Roll, variant: Variant) -> str:
    """The rule that these moves break with this roll, and a possible play; empty for a play that breaks none.

    Points are numbered by the player who moves. The moves are those of ``read_moves``.
    """
    ways = RollPlays(position, roll, variant)
    plays = ways.plays()
    if not plays[0].moves:
        return _why_no_play(position, roll, variant) if moves else ""
    reason = _reason(moves, position, roll, variant, ways, plays)
    if not reason:
        return ""
    return reason if " is possible" in reason else f"{reason}; {format_play(plays[0])} is possible"


def turned_down(moves: tuple[WrittenMove, ...], position: Position) -> tuple[WrittenMove, ...]:
    """The same points as downward moves, for moves that were written upwards; empty where the player may have meant
    the other side's numbering, because a checker stands where ``moves``, turned round already, begin.
    """
    ends = {move.target for move in moves}
    if all(position.player[move.source] or move.source in ends for move in moves):
        return ()
    return tuple(WrittenMove(25 - move.target, 25 - move.source, star=False) for move in moves)


def why_upwards(down: tuple[WrittenMove, ...]) -> str:
    """The reason why moves that were written upwards are none; ``down`` are the same points the other way."""
    written = " ".join(str(WrittenMove(move.target, move.source)) for move in down)
    verb = "moves" if len(down) == 1 else "move"
    meant = " ".join(map(str, down))
    return f"{written} {verb} away from home; plays go down, from the higher point to the lower one: {meant}"


def _reason(
    moves: tuple[WrittenMove, ...],
    position: Position,
    roll: Roll,
    variant: Variant,
    ways: RollPlays,
    plays: tuple[Play, ...],
) -> str:
    if not moves:
        return f"{roll.words} can be played and must be"
    tried = list(walks(moves, position, roll, variant))
    complete = [walk for walk in tried if not walk.pending]
    if not complete:
        return _why_stuck(min(tried, key=lambda walk: _left_over(walk, moves)), moves, roll, variant)
    for move in moves:
        if move.star and not any(_hits(walk, move) for walk in complete):
            return f"{move}: there is nobody to hit on that point"
    boards = {play.after for play in plays}
    if any(walk.position in boards for walk in complete):
        return ""
    return _why_too_short(complete[0], roll, ways, plays)


def _left_over(walk: Walk, moves: tuple[WrittenMove, ...]) -> tuple[int, int]:
    """The number of moves that are left; among equals, the sooner the last of them stands in the text, the worse."""
    return len(walk.pending), -max((n for n, move in enumerate(moves) if move in walk.pending), default=0)


def _hits(walk: Walk, written: WrittenMove) -> bool:
    return any(move.hit and written.target <= move.target < written.source for move in walk.moves)


# -- a move that cannot be made ---------------------------------------------------------------------------
def _why_stuck(walk: Walk, moves: tuple[WrittenMove, ...], roll: Roll, variant: Variant) -> str:
    # A checker that must enter explains more than the moves that wait for it.
    move = min(walk.pending, key=lambda move: move.source not in (BAR, HAND))
    named = f"{move}: " if len(moves) > 1 else ""
    if not walk.dice:
        return f"{named}{roll.words} has {len(roll.dice)} numbers to play, and they are used up before that"
    if variant.exact_bearoff and move.target == OFF and move not in moves:
        # The checker has come nearer by another number on the way: the point that was written is the one to speak of.
        meant = next((each for each in moves if each.target == OFF and each not in walk.pending), move)
        return named + (_why_not_off(meant.source, walk, variant) or _why_not(move, walk, roll, variant))
    return named + _why_not(move, walk, roll, variant)


def _why_not(move: WrittenMove, walk: Walk, roll: Roll, variant: Variant) -> str:
    own = walk.position.player
    if not own[move.source]:
        return f"you have no checker {_where(move.source)}"
    if own[BAR] and variant.bar_priority and move.source not in ((BAR, HAND) if variant.enter_all_first else (BAR,)):
        return "you must enter from the bar first"
    if own[HAND] and variant.enter_all_first and move.source not in (BAR, HAND):
        return f"you must enter all your checkers before you move one on, and {own[HAND]} of them are in hand"
    if move.target == OFF and (reason := _why_not_off(move.source, walk, variant)):
        return reason
    reach = pips(move)
    if move.target != OFF and not is_sum_of(walk.dice, move):
        used = " any more" if reach in roll.dice else ""
        return f"{reach} is not on the dice{used}: {_listed(walk.dice)} to play"
    return _why_blocked(move, walk, variant)


def _why_blocked(move: WrittenMove, walk: Walk, variant: Variant) -> str:
    """The first point on the way, by whichever number, on which the checker cannot land."""
    start = BAR if move.source == HAND else move.source
    stops = [start - die for die in sorted(set(walk.dice), reverse=True) if start - die > move.target]
    if pips(move) in walk.dice:
        stops = []
    for point in (*stops, move.target):
        blockers = walk.position.opponent[25 - point]
        if blockers >= 2:
            return f"your {point}-point is blocked by {blockers} checkers of your opponent"
        if blockers and variant.hit_licence is not HitLicence.FREE:
            return (
                f"a single checker of your opponent holds your {point}-point, and you may hit only after one of your"
                " checkers has been moved into your home board"
            )
    return f"there is no way from {slot_name(move.source)} to {slot_name(move.target)} with {_listed(walk.dice)}"


def _why_not_off(source: int, walk: Walk, variant: Variant) -> str:
    """The reason why the dice take no checker off, or nothing when something on its way stops it."""
    own = walk.position.player
    behind = [slot for slot in (HAND, BAR, *range(24, 6, -1)) if own[slot] - (slot == source)]
    if behind or (source > 6 and source in walk.dice):
        where = _where(behind[0] if behind else source)
        return f"bearing off needs all your checkers in your home board, and one is {where}"
    if sum(walk.dice) < source:
        return f"it takes {source} pips to bear off from your {source}-point, with {_listed(walk.dice)} to play"
    die = max(walk.dice)
    if source > 6 or die < source:
        return ""
    if variant.exact_bearoff:
        return f"only a {source} takes a checker off your {source}-point in {variant.title}"
    higher = max(slot for slot in range(1, 7) if own[slot])
    return (
        f"a {die} may take the checker from your {source}-point off only when no checker stands higher,"
        f" and one is on your {higher}-point"
    )


def _where(slot: int) -> str:
    return {BAR: "on the bar", HAND: "in hand"}.get(slot, f"on your {slot}-point")


def _listed(dice: tuple[int, ...]) -> str:
    return " and ".join(map(str, dice)) if len(dice) < 3 else f"{len(dice)} times {dice[0]}"


# -- moves that can be made, but too few of them ----------------------------------------------------------
def _why_too_short(walk: Walk, roll: Roll, ways: RollPlays, plays: tuple[Play, ...]) -> str:
    used, needed = len(walk.moves), ways.dice_playable
    if used < needed:
        rest = [play for play in plays if _begins_with(play, walk)]
        shown = format_play((rest or list(plays))[0])
        if roll.is_double:
            return f"{needed} of the {roll.high}s must be played: {shown} is possible"
        missing = walk.dice[0]
        if rest:
            return f"the {missing} must be played too: {shown} is possible"
        return f"both numbers must be played, and the {missing} could not be after that: {shown} is possible"
    return f"only one number can be played, and it must be the larger: {format_play(plays[0])} is possible"


def _begins_with(play: Play, walk: Walk) -> bool:
    rest = [(move.source, move.target) for move in play.moves]
    for move in walk.moves:
        pair = (move.source, move.target)
        if pair not in rest:
            return False
        rest.remove(pair)
    return True


def _why_no_play(position: Position, roll: Roll, variant: Variant) -> str:
    own = position.player
    if own[BAR] and variant.bar_priority:
        return f"{roll.words} cannot be played: the checker on the bar cannot enter"
    if own[HAND] and variant.enter_all_first:
        return f"{roll.words} cannot be played: no checker can enter from the hand"
    return f"{roll.words} cannot be played: every move is blocked"
