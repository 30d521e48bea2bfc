"""Reasons why a play is not legal: one sentence that names the broken rule, and a play that is possible."""

from __future__ import annotations

from fullprime.rules.dice import Roll
from fullprime.rules.message import Message, label
from fullprime.rules.notation.text import WrittenMove, format_play
from fullprime.rules.notation.walk import Walk, is_sum_of, pips, walks
from fullprime.rules.plays import Play, RollPlays
from fullprime.rules.position import BAR, HAND, OFF, Position, slot_name
from fullprime.rules.variants.variant import HitLicence, Variant


def why_illegal(moves: tuple[WrittenMove, ...], position: Position, roll: Roll, variant: Variant) -> Message | None:
    """The rule that these moves break with this roll, and a possible play; None for a play that breaks none.

    Points are numbered by the player who moves. The moves are those of ``read_moves``.
    """
    roll_plays = RollPlays(position, roll, variant)
    plays = roll_plays.plays()
    if not plays[0].moves:
        return _why_no_play(position, roll, variant) if moves else None
    reason = _reason(moves, position, roll, variant, roll_plays, plays)
    if reason is None or "shown" in reason.facts:
        return reason
    return Message("{reason}; {play} is possible", reason=reason, play=format_play(plays[0]))


def turn_down(moves: tuple[WrittenMove, ...], position: Position) -> tuple[WrittenMove, ...]:
    """Turn moves that were written upwards into downward ones; empty where the player may have meant the other
    side's numbering, because a checker stands where ``moves``, turned round already, begin.
    """
    ends = {move.target for move in moves}
    if all(position.player[move.source] or move.source in ends for move in moves):
        return ()
    return tuple(WrittenMove(25 - move.target, 25 - move.source, star=False) for move in moves)


def why_upwards(down: tuple[WrittenMove, ...]) -> Message:
    """The reason why moves written upwards are not legal; ``down`` are the same moves written downwards."""
    written = " ".join(str(WrittenMove(move.target, move.source)) for move in down)
    return Message.by_number(
        len(down),
        "{written} moves away from home; plays go down, from the higher point to the lower one: {meant}",
        "{written} move away from home; plays go down, from the higher point to the lower one: {meant}",
        written=written,
        meant=" ".join(map(str, down)),
    )


def _reason(
    moves: tuple[WrittenMove, ...],
    position: Position,
    roll: Roll,
    variant: Variant,
    roll_plays: RollPlays,
    plays: tuple[Play, ...],
) -> Message | None:
    if not moves:
        return Message("{dice} can be played and must be", dice=roll.words)
    attempts = list(walks(moves, position, roll, variant))
    complete = [walk for walk in attempts if not walk.pending]
    if not complete:
        return _why_stuck(min(attempts, key=lambda walk: _count_left_over(walk, moves)), moves, roll, variant)
    for move in moves:
        if move.star and not any(_hits(walk, move) for walk in complete):
            return Message("{move}: there is nobody to hit on that point", move=str(move))
    boards = {play.after for play in plays}
    if any(walk.position in boards for walk in complete):
        return None
    return _why_too_short(complete[0], roll, roll_plays, plays)


def _count_left_over(walk: Walk, moves: tuple[WrittenMove, ...]) -> tuple[int, int]:
    """The number of moves that are left; among equals, the sooner the last of them stands in the text, the worse."""
    return len(walk.pending), -max((n for n, move in enumerate(moves) if move in walk.pending), default=0)


def _hits(walk: Walk, written: WrittenMove) -> bool:
    return any(move.hit and written.target <= move.target < written.source for move in walk.moves)


# -- a move that cannot be made ---------------------------------------------------------------------------
def _why_stuck(walk: Walk, moves: tuple[WrittenMove, ...], roll: Roll, variant: Variant) -> Message:
    # A checker that must enter explains more than the moves that wait for it.
    move = min(walk.pending, key=lambda move: move.source not in (BAR, HAND))
    reason = _why_stuck_there(move, walk, moves, roll, variant)
    return Message("{move}: {reason}", move=str(move), reason=reason) if len(moves) > 1 else reason


def _why_stuck_there(
    move: WrittenMove, walk: Walk, moves: tuple[WrittenMove, ...], roll: Roll, variant: Variant
) -> Message:
    if not walk.dice:
        count = len(roll.dice)
        return Message(
            "{dice} has {count} numbers to play, and they are used up before that", dice=roll.words, count=count
        )
    if variant.exact_bearoff and move.target == OFF and move not in moves:
        # The checker has come nearer by another number on the way: the point that was written is the one to speak of.
        meant = next((written for written in moves if written.target == OFF and written not in walk.pending), move)
        return _why_not_off(meant.source, walk, variant) or _why_not(move, walk, roll, variant)
    return _why_not(move, walk, roll, variant)


def _why_not(move: WrittenMove, walk: Walk, roll: Roll, variant: Variant) -> Message:
    own = walk.position.player
    if not own[move.source]:
        return Message("you have no checker {where}", where=_where(move.source))
    if own[BAR] and variant.bar_priority and move.source not in ((BAR, HAND) if variant.enter_all_first else (BAR,)):
        return Message("you must enter from the bar first")
    if own[HAND] and variant.enter_all_first and move.source not in (BAR, HAND):
        return Message(
            "you must enter all your checkers before you move one on, and {count} of them are in hand", count=own[HAND]
        )
    if move.target == OFF and (reason := _why_not_off(move.source, walk, variant)):
        return reason
    reach = pips(move)
    if move.target != OFF and not is_sum_of(walk.dice, move):
        if reach in roll.dice:
            return Message(
                "{number} is not on the dice any more: {left} to play", number=reach, left=_list_dice(walk.dice)
            )
        return Message("{number} is not on the dice: {left} to play", number=reach, left=_list_dice(walk.dice))
    return _why_blocked(move, walk, variant)


def _why_blocked(move: WrittenMove, walk: Walk, variant: Variant) -> Message:
    """The first point on the way, by whichever number, on which the checker cannot land."""
    start = BAR if move.source == HAND else move.source
    stops = [start - die for die in sorted(set(walk.dice), reverse=True) if start - die > move.target]
    if pips(move) in walk.dice:
        stops = []
    for point in (*stops, move.target):
        blockers = walk.position.opponent[25 - point]
        if blockers >= 2:
            facts = {"point": point, "count": blockers}
            return Message("your {point}-point is blocked by {count} checkers of your opponent", **facts)
        if blockers and variant.hit_licence is not HitLicence.FREE:
            return Message(
                "a single checker of your opponent holds your {point}-point, and you may hit only after one of your"
                " checkers has been moved into your home board",
                point=point,
            )
    source, target = _name_slot(move.source), _name_slot(move.target)
    return Message(
        "there is no way from {source} to {target} with {dice}",
        source=source,
        target=target,
        dice=_list_dice(walk.dice),
    )


def _why_not_off(source: int, walk: Walk, variant: Variant) -> Message | None:
    """The reason why the dice take no checker off, or None when something on its way stops it."""
    own = walk.position.player
    behind = [slot for slot in (HAND, BAR, *range(24, 6, -1)) if own[slot] - (slot == source)]
    if behind or (source > 6 and source in walk.dice):
        where = _where(behind[0] if behind else source)
        return Message("bearing off needs all your checkers in your home board, and one is {where}", where=where)
    if sum(walk.dice) < source:
        return Message(
            "it takes {pips} pips to bear off from your {pips}-point, with {dice} to play",
            pips=source,
            dice=_list_dice(walk.dice),
        )
    die = max(walk.dice)
    if source > 6 or die < source:
        return None
    if variant.exact_bearoff:
        game = label(variant.title)
        return Message("only a {number} takes a checker off your {number}-point in {game}", number=source, game=game)
    higher = max(slot for slot in range(1, 7) if own[slot])
    return Message(
        "a {die} may take the checker from your {point}-point off only when no checker stands higher,"
        " and one is on your {higher}-point",
        die=die,
        point=source,
        higher=higher,
    )


def _where(slot: int) -> Message:
    if slot == BAR:
        return Message("on the bar")
    return Message("in hand") if slot == HAND else Message("on your {point}-point", point=slot)


def _name_slot(slot: int) -> str:
    return {BAR: Message("the bar"), HAND: Message("the hand")}.get(slot, slot_name(slot))


def _list_dice(dice: tuple[int, ...]) -> str:
    if len(dice) == 2:
        return Message("{first} and {second}", first=dice[0], second=dice[1])
    if len(dice) > 2:
        return Message("{count} times {number}", count=len(dice), number=dice[0])
    return "".join(map(str, dice))


# -- moves that can be made, but too few of them ----------------------------------------------------------
def _why_too_short(walk: Walk, roll: Roll, roll_plays: RollPlays, plays: tuple[Play, ...]) -> Message:
    used, needed = len(walk.moves), roll_plays.dice_playable
    if used < needed:
        longer = [play for play in plays if _begins_with(play, walk)]
        shown = format_play((longer or list(plays))[0])
        if roll.is_double:
            facts = {"count": needed, "number": roll.high, "shown": shown}
            return Message("{count} of the {number}s must be played: {shown} is possible", **facts)
        missing = walk.dice[0]
        if longer:
            return Message("the {number} must be played too: {shown} is possible", number=missing, shown=shown)
        return Message(
            "both numbers must be played, and the {number} could not be after that: {shown} is possible",
            number=missing,
            shown=shown,
        )
    shown = format_play(plays[0])
    return Message("only one number can be played, and it must be the larger: {shown} is possible", shown=shown)


def _begins_with(play: Play, walk: Walk) -> bool:
    pairs = [(move.source, move.target) for move in play.moves]
    for move in walk.moves:
        pair = (move.source, move.target)
        if pair not in pairs:
            return False
        pairs.remove(pair)
    return True


def _why_no_play(position: Position, roll: Roll, variant: Variant) -> Message:
    own = position.player
    if own[BAR] and variant.bar_priority:
        return Message("{dice} cannot be played: the checker on the bar cannot enter", dice=roll.words)
    if own[HAND] and variant.enter_all_first:
        return Message("{dice} cannot be played: no checker can enter from the hand", dice=roll.words)
    return Message("{dice} cannot be played: every move is blocked", dice=roll.words)
