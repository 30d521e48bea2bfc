"""Counting a race: effective pips and the published formulas for doubling, redoubling and taking in one.

The formulas are rules of thumb for money, judged from the player on roll. Their sources: Keith (Tom Keith,
bkgm.com), Thorp (*The Mathematics of Gambling*), Ward (*The Doubling Cube in Backgammon*), 8-9-12 (Robertie,
*Advanced Backgammon*), Kleinman (*Vision Laughs at Counting*; chances by Johansen and Bower), Isight (Reichert), Trice
(*Backgammon Boot Camp*).
Winning chances of Thorp and 8-9-12 are Bower's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from fullprime.engine.tables.bearoff import PIPS_PER_ROLL, Bearoff
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.errors import FullprimeError
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import BAR, OFF, SLOTS, Position, Row, pip_count, rearmost

HOME = 6


class RaceError(FullprimeError):
    """A position that is not a race."""


@dataclass(frozen=True, slots=True)
class RaceCount:
    """One formula's advice about a race.

    ``player`` and ``opponent``: the counts it compares, ``player`` with the addition for being on roll.
    ``double``, ``redouble``: True if the player on roll should; ``take``: True if the opponent should.
    ``win``: the player's chance where the formula gives one.
    """

    name: str
    player: float
    opponent: float
    double: bool
    redouble: bool
    take: bool
    win: float | None = None

    @property
    def verdict(self) -> str:
        """In words, such as "redouble, take"."""
        turn = "redouble" if self.redouble else "double, no redouble" if self.double else "no double"
        return f"{turn}, {'take' if self.take else 'drop'}"


def keith(position: Position) -> RaceCount:
    """Pips with additions for stacks and gaps; a seventh more for the player on roll, rounded down."""
    _check(position)

    def count(row: Row) -> int:
        stacks = 2 * max(0, row[1] - 1) + max(0, row[2] - 1) + max(0, row[3] - 3)
        return pip_count(row) + stacks + sum(row[point] == 0 for point in (4, 5, 6))

    player, opponent = count(position.player), count(position.opponent)
    player += player // 7
    return RaceCount("Keith", player, opponent, player <= opponent + 4, player <= opponent + 3, player >= opponent + 2)


def thorp(position: Position) -> RaceCount:
    """Pips, checkers and points covered; a tenth more for the player on roll above 30. For races at home."""
    _check(position)

    def count(row: Row) -> float:
        return pip_count(row) + 2 * _count_checkers(row) + row[1] - sum(row[point] > 0 for point in range(1, HOME + 1))

    player, opponent = count(position.player), count(position.opponent)
    if player > 30:
        player *= 1.1
    lead = opponent - player
    return RaceCount("Thorp", player, opponent, lead >= -2, lead >= -1, lead <= 2, _chance(0.74 + 0.02 * lead))


def ward(position: Position) -> RaceCount:
    """Pips with additions for stacks, gaps, checkers left and outside; a tenth more for the player on roll."""
    _check(position)

    def count(own: Row, other: Row) -> float:
        stacks = 2 * max(0, own[1] - 2) + max(0, own[2] - 2)
        gaps = max(0, _points(own) - _points(other))
        outside = max(0, _outside(own) - _outside(other))
        return (
            pip_count(own) + stacks - gaps + 2 * max(0, _count_checkers(own) - _count_checkers(other)) + 0.5 * outside
        )

    player = 1.1 * count(position.player, position.opponent)
    opponent = count(position.opponent, position.player)
    mean = sum(position.pips) / 2
    # Ward names 100, 75 and 50 pips; between them the limit is interpolated.
    limit = 2.0 + 2.0 * min(1.0, max(0.0, (mean - 50.0) / 50.0))
    double, redouble = player <= opponent + 2, player <= opponent + 1
    return RaceCount("Ward", player, opponent, double, redouble, opponent <= player + limit)


def eight_nine_twelve(position: Position) -> RaceCount:
    """The lead in percent of one's own pips: double at 8, redouble at 9, take up to 12."""
    _check(position)
    player, opponent = position.pips
    lead = (opponent - player) / player
    win = _chance(0.54 + 2 * lead)
    return RaceCount("8-9-12", player, opponent, lead >= 0.08, lead >= 0.09, lead <= 0.12, win)


def kleinman(position: Position) -> RaceCount:
    """Kleinman's metric (D + 4)² / (S - 4) of lead D and sum S: double at 0.5, redouble at 0.7, take to 1.2."""
    _check(position)
    player, opponent = position.pips
    metric = kleinman_metric(player, opponent)
    win = kleinman_chance(player, opponent)
    ahead = opponent - player + 4 > 0
    take = not ahead or metric <= 1.2
    return RaceCount("Kleinman", player, opponent, ahead and metric >= 0.5, ahead and metric >= 0.7, take, win)


def isight(position: Position) -> RaceCount:
    """Reichert's Isight: P = 80 - L/3 + 2 D on counts adjusted against each other; 68, 70 and 76 are the limits."""
    _check(position)

    def count(own: Row, other: Row) -> float:
        stacks = 2 * max(0, own[1] - 2) + max(0, own[2] - 2) + max(0, own[3] - 3)
        gaps = sum(own[point] == 0 and other[point] > 0 for point in (4, 5, 6))
        more = max(0, _count_checkers(own) - _count_checkers(other)) + max(0, _crossovers(own) - _crossovers(other))
        return pip_count(own) + stacks + gaps + more

    player, opponent = count(position.player, position.opponent), count(position.opponent, position.player)
    percent = 80 - player / 3 + 2 * (opponent - player)
    return RaceCount("Isight", player, opponent, percent >= 68, percent >= 70, percent <= 76, _chance(percent / 100))


def trice(position: Position) -> RaceCount:
    """Trice's Rule 62: the last take is behind by a seventh of the pips less 5, rounded down; of more than 62 pips by a
    tenth, rounded up, and 1.

    Double three pips before it, redouble two pips before it.
    """
    _check(position)
    player, opponent = position.pips
    last = (player - 5) // 7 if player <= 62 else -(-player // 10) + 1
    lead = opponent - player
    return RaceCount("Trice", player, opponent, lead >= last - 3, lead >= last - 2, lead <= last)


METHODS: dict[str, Callable[[Position], RaceCount]] = {
    "keith": keith,
    "thorp": thorp,
    "ward": ward,
    "8-9-12": eight_nine_twelve,
    "kleinman": kleinman,
    "isight": isight,
    "trice": trice,
}
"""The formulas by name."""


def race_counts(position: Position) -> tuple[RaceCount, ...]:
    """The advice of every formula. Raises RaceError unless the position is a race that both still run."""
    return tuple(method(position) for method in METHODS.values())


def kleinman_metric(pips: int, opponent_pips: int) -> float:
    """Kleinman's metric of two pip counts, the first being on roll.

    >>> round(kleinman_metric(100, 113), 3)
    1.383
    """
    return (opponent_pips - pips + 4) ** 2 / max(1, pips + opponent_pips - 4)


def kleinman_chance(pips: int, opponent_pips: int) -> float:
    """The chance to win a race from two pip counts (Johansen and Bower), the first being on roll.

    >>> round(kleinman_chance(100, 106), 3)
    0.688
    """
    metric = kleinman_metric(pips, opponent_pips)
    over_half = 0.26 + 0.114 * math.log(metric) if metric > 1 else 0.267 * math.sqrt(metric)
    return _chance(0.5 + math.copysign(over_half, opponent_pips - pips + 4))


def epc(row: Row, tables: Bearoff, *, limit: int = 400) -> float | None:
    """Effective pip count of one side: mean rolls to bear off, as fast as can be, times 49/6. Exact.

    With stragglers outside the home board the positions on the way in are searched; None when they are more than
    ``limit`` (some three milliseconds each). ``row``: 27 counts in the side's own numbering.
    """
    cached: dict[Row, float] = {}

    def rolls(place: Row) -> float:
        if rearmost(place) <= HOME:
            return float(tables.mean[tables.rank(place[1 : HOME + 1])])
        if place not in cached:
            if len(cached) >= limit:
                raise OverflowError
            # The other side stands out of the way with a checker left, so that the game goes on.
            away = tuple(14 if slot == OFF else int(slot == 1) for slot in range(SLOTS))
            position = Position(place, away)
            cached[place] = math.nan
            total = 1.0
            for roll in ALL_ROLLS:
                ends = {play.after.player for play in legal_plays(position, roll)}
                total += roll.weight / 36 * min(rolls(end) for end in ends)
            cached[place] = total
        return cached[place]

    try:
        return rolls(row) * PIPS_PER_ROLL
    except OverflowError:
        return None


def wastage(row: Row, tables: Bearoff) -> float | None:
    """Effective pips beyond the plain pip count; None where :func:`epc` is unknown."""
    effective = epc(row, tables)
    return None if effective is None else effective - pip_count(row)


def _check(position: Position) -> None:
    if not position.is_race or not all(position.pips):
        raise RaceError(f"{position.text}: not a race that both sides still run")


def _count_checkers(row: Row) -> int:
    return sum(row[1:])


def _points(row: Row) -> int:
    return sum(row[point] > 0 for point in range(1, HOME + 1))


def _outside(row: Row) -> int:
    return sum(row[HOME + 1 : BAR + 1])


def _crossovers(row: Row) -> int:
    return sum(count * ((point - 1) // HOME) for point, count in enumerate(row[: BAR + 1]) if point)


def _chance(value: float) -> float:
    return min(1.0, max(0.0, value))
