"""Single checker moves on boards that are one number each: a move is an addition, and equal boards are equal numbers.

A packed board has a byte for every place of the player on roll, then for those of the opponent (each side in its own
numbering, as in :class:`Position`), for both licences, and for the dice that are left (see ``plays``). Python adds,
compares and hashes such numbers in one step each, where tuples of 27 counts would be built anew for every move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from fullprime.rules.errors import NotationError
from fullprime.rules.position import BAR, HAND, OFF, SLOTS, Position, slot_name, unchecked_position
from fullprime.rules.printing import short_repr
from fullprime.rules.taking import make_plain, short_value, truth_value, whole_number
from fullprime.rules.variants.variant import HitLicence, Variant

_OTHER = SLOTS
_MINE, _THEIRS, _LEFT = 2 * SLOTS, 2 * SLOTS + 1, 2 * SLOTS + 2
_BYTES = 2 * SLOTS + 3
DICE_LEFT = 1 << 8 * _LEFT
"""What to add to a packed board for a one in the byte of the dice that are left."""
_MY_LICENCE, _THEIR_LICENCE = 1 << 8 * _MINE, 1 << 8 * _THEIRS
_AWAY = sum(255 << 8 * place for place in range(7, SLOTS))
"""The places of the player's own side outside the home board."""


@dataclass(frozen=True, slots=True, repr=False)
class CheckerMove:
    """One checker moved by one die. ``source`` is 1-25 or 26 (hand), ``target`` 1-24 or 0 (off)."""

    source: int
    target: int
    die: int
    hit: bool = False

    def __post_init__(self) -> None:
        places = (whole_number(self.source), whole_number(self.target), whole_number(self.die))
        source, target, die = places
        hit = truth_value(self.hit)
        if source is None or target is None or die is None or hit is None:
            raise NotationError(f"a checker moves from a place to a place by a die, not {short_value(self._fields)}")
        if not (1 <= source <= HAND and 0 <= target <= 24 and 1 <= die <= 6):
            raise NotationError(f"a checker moves from 1 to 26 to 0 to 24 by 1 to 6, not {short_value(places)}")
        make_plain(self, "source", "target", "die")
        if hit is not self.hit:
            object.__setattr__(self, "hit", hit)

    @property
    def _fields(self) -> tuple[object, ...]:
        return (self.source, self.target, self.die, self.hit)

    def __repr__(self) -> str:
        return short_repr(self)

    def __str__(self) -> str:
        return f"{slot_name(self.source)}/{slot_name(self.target)}{'*' if self.hit else ''}"


Step = tuple[CheckerMove, int]
"""A checker move and the packed board after it."""


def pack(position: Position) -> int:
    """Pack a board into one number. Raises PositionError for impossible counts."""
    try:
        row = bytes(
            (*position.player, *position.opponent, bool(position.player_licence), bool(position.opponent_licence))
        )
    except ValueError:
        position.check()
        raise
    return int.from_bytes(row, "little")


def unpack(board: int) -> Position:
    """The board of a packed number, which may also hold dice that are left."""
    row = board.to_bytes(_BYTES, "little")
    return unchecked_position(tuple(row[:_OTHER]), tuple(row[_OTHER:_MINE]), bool(row[_MINE]), bool(row[_THEIRS]))


@dataclass(frozen=True, slots=True)
class _Landing:
    """A checker that goes from a place to a point by a die, and what it changes, as it is and with a hit."""

    source: int
    target: int
    facing: int
    """The byte of the opponent's checkers on that point."""
    move: CheckerMove
    change: int
    hit: CheckerMove
    hit_change: int


@cache
def _landing(source: int, die: int) -> _Landing:
    target = (BAR if source == HAND else source) - die
    facing = _OTHER + 25 - target
    change = (1 << 8 * target) - (1 << 8 * source)
    return _Landing(
        source, target, facing,
        CheckerMove(source, target, die, False), change,
        CheckerMove(source, target, die, True), change + (1 << 8 * (_OTHER + BAR)) - (1 << 8 * facing),
    )  # fmt: skip


@cache
def _landings(die: int) -> tuple[_Landing, ...]:
    """The ways to a point, in the order in which moves are listed: hand, bar, and the points downwards."""
    return tuple(_landing(source, die) for source in (HAND, BAR, *range(24, die, -1)))


@cache
def _off(source: int, die: int) -> Step:
    """A checker borne off: the move, and what it changes."""
    return CheckerMove(source, OFF, die, False), 1 - (1 << 8 * source)


def moves_of(board: int, die: int, variant: Variant) -> Iterator[Step]:
    """Every checker move of one die, whether or not the other dice can be played then."""
    counts = board.to_bytes(_BYTES, "little")
    landings = _landings(die)
    if _must_enter(counts, variant):
        landings = landings[:2] if variant.enter_all_first else landings[1:2]  # hand and bar are the first
    flagged = counts[_MINE]
    for landing in landings:
        if not counts[landing.source]:  # first, because most places are empty
            continue
        facing = counts[landing.facing]
        if facing > 1:
            continue
        if not (facing or flagged):  # most moves, seen here without a call
            yield landing.move, board + landing.change
        elif (step := _land(board, counts, landing, variant)) is not None:
            yield step
    if not board & _AWAY:
        for source in range(die, 0, -1):
            if (step := _bear_off(board, counts, source, die, variant)) is not None:
                yield step


def move_by(board: int, source: int, die: int, variant: Variant) -> Step | None:
    """The move of one checker from a place by a die; None where none stands, may leave or can land."""
    counts = board.to_bytes(_BYTES, "little")
    if not 0 < source < SLOTS or not counts[source]:
        return None
    if source != BAR and _must_enter(counts, variant) and not (source == HAND and variant.enter_all_first):
        return None
    if (BAR if source == HAND else source) > die:
        return _land(board, counts, _landing(source, die), variant)
    return None if board & _AWAY else _bear_off(board, counts, source, die, variant)


def _land(board: int, counts: bytes, landing: _Landing, variant: Variant) -> Step | None:
    """A checker that stands there on its point; None where it may not land."""
    facing, target = counts[landing.facing], landing.target
    if facing and (facing > 1 or not _may_hit(counts, target, variant)):
        return None
    after = board + (landing.hit_change if facing else landing.change)
    if counts[_MINE] and target <= 6:
        after -= _MY_LICENCE  # a licence that the checkers themselves prove is not flagged (see Position)
    if facing and variant.hit_licence is HitLicence.PERMANENT and target >= 19:
        # A side that loses its last checker at home keeps the licence as a flag.
        after += ((sum(counts[_OTHER : _OTHER + 7]) == 1) - counts[_THEIRS]) * _THEIR_LICENCE
    return (landing.hit if facing else landing.move), after


def _bear_off(board: int, counts: bytes, source: int, die: int, variant: Variant) -> Step | None:
    """A checker of a side that is all at home borne off; None where none stands, or the die does not take it off."""
    if not counts[source] or (die != source and (variant.exact_bearoff or any(counts[source + 1 : 7]))):
        return None
    move, change = _off(source, die)
    return move, board + change - (_MY_LICENCE if counts[_MINE] else 0)


def _must_enter(counts: bytes, variant: Variant) -> bool:
    """True if nothing but the bar may be played from, or the hand too where the game wants all entered first."""
    return bool((counts[BAR] and variant.bar_priority) or (counts[HAND] and variant.enter_all_first))


def _may_hit(counts: bytes, target: int, variant: Variant) -> bool:
    if variant.hit_licence is HitLicence.FREE or _holds_licence(counts, variant):
        return True
    return variant.entering_move_may_hit and target <= 6


def _holds_licence(counts: bytes, variant: Variant) -> bool:
    if variant.hit_licence is HitLicence.PERMANENT and counts[_MINE]:
        return True
    return any(counts[:7])
