"""Facts of a board that need the rules alone: pips, and the rolls of 36 by which something can be done.

A *shot* is a roll of which some play hits a blot outside the hitter's own home board. A hit inside of it takes six pips
at most: it is a hit, and no shot. Lessons, reasons, hints and trainers count shots by this one definition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.plays import CheckerMove, Play, legal_plays
from fullprime.rules.position import BAR, HAND, OFF, Position
from fullprime.rules.variants.variant import FollowUp, Variant

HITTERS_HOME = 6
"""The highest point of the home board of the side that hits, in its own numbers: hits up to there are no shots."""
Test = Callable[[Position, tuple[Play, ...], Variant], bool]


def check_fact(fact: str) -> None:
    """Raise ValueError for a fact about rolls that lacks its point, or has one too many; others pass."""
    name, *words = fact.split()
    name = _OPPOSITE.get(name, name)
    if name in _TESTS:
        count = int(name in _WITH_POINT)
        if len(words) != count or not all(word.isdigit() and 1 <= int(word) <= 25 for word in words):
            raise ValueError(f"{fact!r}: write {name}{' and a point, such as ' + name + ' 17' if count else ' alone'}")
    elif name == "market_losers" and words and not (len(words) == 1 and re.fullmatch("[1-6]{2}", words[0])):
        raise ValueError(f"{fact!r}: write market_losers alone, or with a roll of your own: market_losers 61")
    elif name == "two_hits" and not (words and all(word.isdigit() for word in words)):
        raise ValueError(f"{fact!r}: write two_hits and the points, such as two_hits 9 5")


def rolls_that(fact: str, position: Position, variant: Variant) -> tuple[Roll, ...]:
    """The rolls by which the player on roll does what ``fact`` names: ``hits``, ``enters``, ``covers 5`` and so on.

    Raises KeyError for a fact that is none of these, ValueError for one whose point is no number.
    """
    name, *words = fact.split()
    test = _TESTS[name](*map(int, words))
    return tuple(roll for roll in ALL_ROLLS if test(position, legal_plays(position, roll, variant), variant))


def count_throws(rolls: tuple[Roll, ...]) -> int:
    """Count the throws, of 36, that these rolls stand for."""
    return sum(roll.weight for roll in rolls)


def board_fact(fact: str, position: Position, variant: Variant) -> float | None:
    """A fact of the board that needs no engine; None for any other."""
    name, *words = fact.split()
    mine, theirs = position.pips
    if name == "pips":
        return mine
    if name == "their_pips":
        return theirs
    if name in ("lead", "behind"):
        return theirs - mine if name == "lead" else mine - theirs
    if name == "two_hits":
        return sum(25 - int(point) for point in words)
    if name in _OPPOSITE:
        return 36 - count_throws(rolls_that(" ".join([_OPPOSITE[name], *words]), position, variant))
    if name in _TESTS:
        return count_throws(rolls_that(fact, position, variant))
    return None


def shot_rolls(position: Position, variant: Variant) -> tuple[Roll, ...]:
    """The shots of the player on roll: the rolls of which some play hits outside his own home board.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> [roll.words for roll in shot_rolls(Position.from_text("18 6:14 / 14 21 6:13"), BACKGAMMON)]
    ['4-3', '5-2', '6-1']
    """
    blots = [25 - point for point in range(1, 25) if position.opponent[point] == 1]
    if all(point <= HITTERS_HOME for point in blots):
        return ()
    return tuple(
        roll
        for roll in ALL_ROLLS
        if any(move.hit and move.target > HITTERS_HOME for move in _moves_of(position, roll, variant))
    )


def shots(after: Position, variant: Variant) -> int:
    """The shots of 36 that a play leaves; ``after`` is seen by the opponent, on roll.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> shots(Position.from_text("24:15 / 7 6:14"), BACKGAMMON)
    17
    """
    return count_throws(shot_rolls(after, variant))


def _moves_of(position: Position, roll: Roll, variant: Variant) -> Iterator[CheckerMove]:
    """The checker moves of all plays of a roll, and of the doubles that it gives, up to a new throw."""
    extras = variant.after_acey_deucey if roll.is_acey_deucey else variant.after_double if roll.is_double else ()
    for play in legal_plays(position, roll, variant):
        yield from play.moves
        if len(play.moves) == len(roll.dice) and not play.after.is_over:
            for number in _doubles_after(roll, extras):
                for more in legal_plays(play.after, Roll(number, number), variant):
                    yield from more.moves


def _doubles_after(roll: Roll, extras: tuple[FollowUp, ...]) -> range | tuple[int, ...]:
    """The doubles that may follow a roll that was played completely."""
    if FollowUp.CHOOSE_DOUBLE in extras:
        return range(1, 7)
    return (7 - roll.high,) if FollowUp.COMPLEMENT in extras else ()


def _hits() -> Test:
    return lambda _, plays, __: any(move.hit for play in plays for move in play.moves)


def _enters() -> Test:
    return lambda _, plays, __: any(move.source in (BAR, HAND) for play in plays for move in play.moves)


def _both_enter() -> Test:
    def test(_: Position, plays: tuple[Play, ...], __: Variant) -> bool:
        return any(sum(move.source in (BAR, HAND) for move in play.moves) >= 2 for play in plays)

    return test


def _covers(point: int) -> Test:
    """True when some play leaves two checkers or more on the point."""
    return lambda _, plays, __: any(play.after.player[point] >= 2 for play in plays)


def _passes(point: int) -> Test:
    """True when some play leaves fewer checkers on the point and behind it."""

    def test(position: Position, plays: tuple[Play, ...], _: Variant) -> bool:
        behind = sum(position.player[point:])
        return any(sum(play.after.player[point:]) < behind for play in plays)

    return test


def _ends() -> Test:
    return lambda position, plays, _: any(play.after.player[OFF] == position.checkers for play in plays)


def _plays() -> Test:
    return lambda _, plays, __: bool(plays[0].moves)


def _loose() -> Test:
    """True when every play leaves the opponent a shot."""
    return lambda _, plays, variant: all(shot_rolls(play.after.swapped, variant) for play in plays)


_TESTS: dict[str, Callable[..., Test]] = {
    "hits": _hits,
    "enters": _enters,
    "both_enter": _both_enter,
    "covers": _covers,
    "passes": _passes,
    "ends": _ends,
    "plays": _plays,
    "loose": _loose,
}
_WITH_POINT = ("covers", "passes")
_OPPOSITE = {"misses": "hits", "dances": "enters", "stays": "passes", "safe": "loose"}
MAPS = frozenset(_TESTS)
"""The facts of which the rolls can be shown as a map."""
