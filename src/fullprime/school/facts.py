"""Facts of a board that need the rules alone: pips, and the rolls of 36 by which something can be done."""

from __future__ import annotations

import re
from collections.abc import Callable

from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import BAR, HAND, OFF, Position
from fullprime.rules.variants.variant import Variant

Test = Callable[[Position, tuple[Play, ...]], bool]


def check_fact(fact: str) -> None:
    """Raise ValueError for a fact about rolls that lacks its point, or has one too many; others pass."""
    name, *rest = fact.split()
    name = _OPPOSITE.get(name, name)
    if name in _TESTS:
        wanted = int(name in _WITH_POINT)
        if len(rest) != wanted or not all(each.isdigit() and 1 <= int(each) <= 25 for each in rest):
            raise ValueError(f"{fact!r}: write {name}{' and a point, such as ' + name + ' 17' if wanted else ' alone'}")
    elif name == "market_losers" and rest and not (len(rest) == 1 and re.fullmatch("[1-6]{2}", rest[0])):
        raise ValueError(f"{fact!r}: write market_losers alone, or with a roll of your own: market_losers 61")
    elif name == "two_hits" and not (rest and all(each.isdigit() for each in rest)):
        raise ValueError(f"{fact!r}: write two_hits and the points, such as two_hits 9 5")


def rolls_that(fact: str, position: Position, variant: Variant) -> tuple[Roll, ...]:
    """The rolls with which the player on roll can do it: ``hits``, ``enters``, ``covers 5``, ``passes 18`` and so on.

    Raises KeyError for a fact that is none of these, ValueError for one whose point is no number.
    """
    name, *rest = fact.split()
    test = _TESTS[name](*map(int, rest))
    return tuple(roll for roll in ALL_ROLLS if test(position, legal_plays(position, roll, variant)))


def ways(rolls: tuple[Roll, ...]) -> int:
    """How many of the 36 throws these rolls are."""
    return sum(roll.weight for roll in rolls)


def board_fact(fact: str, position: Position, variant: Variant) -> float | None:
    """A fact of the board that needs no engine; None for any other."""
    name, *rest = fact.split()
    mine, theirs = position.pips
    if name == "pips":
        return mine
    if name == "their_pips":
        return theirs
    if name in ("lead", "behind"):
        return theirs - mine if name == "lead" else mine - theirs
    if name == "two_hits":
        return sum(25 - int(point) for point in rest)
    if name in _OPPOSITE:
        return 36 - ways(rolls_that(" ".join([_OPPOSITE[name], *rest]), position, variant))
    if name in _TESTS:
        return ways(rolls_that(fact, position, variant))
    return None


def shots(after: Position, variant: Variant) -> int:
    """The rolls of 36 by which the opponent can hit after a play; ``after`` is seen by the opponent, on roll.

    Hits in the opponent's own home are not counted: they cost the player few pips, and the hitter stands open there.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> shots(Position.from_text("24:15 / 7 6:14"), BACKGAMMON)
    17
    """
    if 1 not in after.opponent[1:19]:
        return 0
    return ways(
        tuple(
            roll
            for roll in ALL_ROLLS
            if any(move.hit and move.target > 6 for play in legal_plays(after, roll, variant) for move in play.moves)
        )
    )


def _hits() -> Test:
    return lambda _, plays: any(move.hit for play in plays for move in play.moves)


def _enters() -> Test:
    return lambda _, plays: any(move.source in (BAR, HAND) for play in plays for move in play.moves)


def _both_enter() -> Test:
    def test(_: Position, plays: tuple[Play, ...]) -> bool:
        return any(sum(move.source in (BAR, HAND) for move in play.moves) >= 2 for play in plays)

    return test


def _covers(point: int) -> Test:
    """True when some play leaves two checkers or more on the point."""
    return lambda _, plays: any(play.after.player[point] >= 2 for play in plays)


def _passes(point: int) -> Test:
    """True when some play leaves fewer checkers on the point and behind it."""

    def test(position: Position, plays: tuple[Play, ...]) -> bool:
        behind = sum(position.player[point:])
        return any(sum(play.after.player[point:]) < behind for play in plays)

    return test


def _ends() -> Test:
    return lambda position, plays: any(play.after.player[OFF] == position.checkers for play in plays)


def _plays() -> Test:
    return lambda _, plays: bool(plays[0].moves)


def _loose() -> Test:
    """True when every play leaves a checker that can be hit: a blot with an opponent's checker behind it."""

    def exposed(after: Position) -> bool:
        nearest = min((25 - slot for slot in range(1, 26) if after.opponent[slot]), default=25)
        return any(after.player[point] == 1 for point in range(nearest + 1, 25))

    return lambda _, plays: all(exposed(play.after) for play in plays)


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
