"""Plays in the notation of the players: ``13/7*(2) bar/24 6/off``.

``format_play`` writes the one canonical form; ``read_play`` reads the notations of players and programs and gives a
legal play, or says why it is none.
"""

from __future__ import annotations

from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalPlay, NotationError
from fullprime.rules.message import Message
from fullprime.rules.notation.illegal import turn_down, why_illegal, why_upwards
from fullprime.rules.notation.text import FAN, WrittenMove, format_play, parse_play, read_moves
from fullprime.rules.notation.walk import Walk, die_by_die, is_sum_of, walks
from fullprime.rules.plays import Play, RollPlays
from fullprime.rules.position import BAR, HAND, Position
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import Variant


def read_play(text: str, position: Position, roll: Roll, variant: Variant = BACKGAMMON) -> Play:
    """The legal play that a text means, its moves in an order in which they can be made.

    Read are: any order of moves and dice, ``/`` or ``-``, ``off`` or ``0``, ``bar`` or ``25``, ``hand``, missing ``*``,
    ``24/18/13`` and ``24/13``, ``(2)``, the other side's numbering (ascending moves), and ``fan`` and its synonyms.

    >>> play = read_play("6-5, 8-5", BACKGAMMON.starting_position, Roll(3, 1))
    >>> format_play(play)
    '8/5 6/5'

    Raises NotationError for text that is no play, or that means several plays; IllegalPlay, with the rule that it
    breaks, for a play that is not legal.
    """
    parsed = parse_play(text)
    if parsed.roll is not None and Roll.from_text(parsed.roll) != roll:
        played = Roll.from_text(parsed.roll).words
        raise NotationError(
            Message("{text} is a play of {dice}, but the roll is {roll}", text=repr(text), dice=played, roll=roll.words)
        )
    moves = _hand_for_bar(parsed.moves, position)
    play = _resolve(moves, position, roll, variant, text)
    if play is None and parsed.otherwise and (parsed.upwards or not all(is_sum_of(roll.dice, move) for move in moves)):
        play = _resolve(_hand_for_bar(parsed.otherwise, position), position, roll, variant, text)
    if play is None and roll.is_double:
        play = _resolve(die_by_die(moves, roll.high), position, roll, variant, text)
    if play is None:
        reason: Message | None = None
        if parsed.upwards and parsed.otherwise is None and (down := turn_down(moves, position)):
            reason = why_upwards(down)
            if _resolve(down, position, roll, variant, text) is None:
                possible = _possible(position, roll, variant)
                reason = Message("{reason}; {possible}", reason=reason, possible=possible)
        reason = reason or why_illegal(moves, position, roll, variant)
        raise IllegalPlay(Message("{play}: {reason}", play=repr(text.strip() or FAN), reason=reason or ""))
    return play


def _possible(position: Position, roll: Roll, variant: Variant) -> Message:
    play = RollPlays(position, roll, variant).plays()[0]
    if play.moves:
        return Message("{play} is possible", play=format_play(play))
    return Message("{dice} cannot be played", dice=roll.words)


def _resolve(
    moves: tuple[WrittenMove, ...], position: Position, roll: Roll, variant: Variant, text: str
) -> Play | None:
    """The legal play that the moves make, or None; raises NotationError when they make different ones."""
    best: list[Walk] = []
    fewest = len(roll.dice) + 1
    one_die_each = len(moves) == len(roll.dice)
    roll_plays: RollPlays | None = None
    for walk in walks(moves, position, roll, variant):
        if walk.pending:
            continue
        unmarked = _unmarked_hits(walk, moves)
        if unmarked is None:
            continue
        if walk.dice:
            # Fewer dice were used than there are: legal only if no more could be, and with the right one.
            roll_plays = roll_plays or RollPlays(position, roll, variant)
            if not roll_plays.allows(walk.moves):
                continue
        if unmarked < fewest:
            best, fewest = [walk], unmarked
        elif unmarked == fewest and all(walk.position != other.position for other in best):
            best.append(walk)
        if one_die_each and best:
            break  # Other orders lead to the same board.
    if len(best) > 1:
        *others, last = (format_play(walk.moves) for walk in best)
        facts = {"text": repr(text), "plays": ", ".join(others), "last": last}
        raise NotationError(Message("{text} could mean {plays} or {last}", **facts))
    return Play(best[0].moves, best[0].position) if best else None


def _unmarked_hits(walk: Walk, moves: tuple[WrittenMove, ...]) -> int | None:
    """The number of hits that the text does not mark; None when it marks one that is none."""
    hits = {move.target for move in walk.moves if move.hit}
    marked: set[int] = set()
    for move in moves:
        if not move.star:
            continue
        if move.target in hits:
            marked.add(move.target)
            continue
        passed = {hit for hit in hits if move.target < hit < move.source}
        if not passed:
            return None
        marked |= passed
    return len(hits - marked)


def _hand_for_bar(moves: tuple[WrittenMove, ...], position: Position) -> tuple[WrittenMove, ...]:
    """Programs without a hand write 25 for it: with no checker on the bar, the bar means the hand."""
    if position.player[BAR] or not position.player[HAND]:
        return moves
    return tuple(move._replace(source=HAND) if move.source == BAR else move for move in moves)


__all__ = ["FAN", "WrittenMove", "format_play", "read_moves", "read_play"]
