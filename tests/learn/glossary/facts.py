"""The facts that the boards of the glossary show, read and checked: ``prime = 6``, ``after their bar = 1``.

A number with decimals, such as ``costs = 0.25``, is that of the fact rounded to as many
(tests/learn/glossary/judged.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import eq, ge, gt, le, lt

from tests.learn.glossary.judged import judged

from fullprime.learn.glossary import Term
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import BAR, HAND, OFF, Position, Row, longest_prime
from fullprime.rules.position_facts import count_throws, rolls_that
from fullprime.rules.variants.variant import Variant

SIGNS = {"=": eq, "<": lt, ">": gt, "<=": le, ">=": ge}
_FACT = re.compile(
    r"(?P<after>after )?(?P<their>their )?(?P<name>[a-z ]+?)(?: (?P<point>-?\d+))? (?P<sign>[<>]?=?) "
    r"(?P<number>-?\d+(?:\.\d+)?)"
)
_ROUNDED = 0.55
"""Units of the last decimal that a number may be off: half a one, and a little for another processor."""


def _held(row: Row, first: int, last: int) -> int:
    return sum(count >= 2 for count in row[first : last + 1])


_ROWS: dict[str, Callable[[Row], int]] = {
    "off": lambda row: row[OFF],
    "bar": lambda row: row[BAR],
    "hand": lambda row: row[HAND],
    "prime": longest_prime,
    "blots": lambda row: row[1:25].count(1),
    "spares": lambda row: sum(count > 2 for count in row[1:25]),
    "most": lambda row: max(row[1:25]),
    "anchors": lambda row: _held(row, 19, 24),
    "home points": lambda row: _held(row, 1, 6),
    "home": lambda row: sum(row[1:7]),
    "outer": lambda row: sum(row[7:13]),
    "back": lambda row: sum(row[19:26]),
}
"""Facts of the checkers of one side."""
_ROLLS = ("hits", "enters", "covers", "passes", "ends")
"""Facts told in throws of 36, for whichever side is on roll."""


def _of_position(name: str, point: str | None, position: Position, game: Variant) -> int:
    if name in _ROWS:
        return _ROWS[name](position.player)
    if name == "point":
        return position.player[int(point or 0)]
    if name in _ROLLS:
        return count_throws(rolls_that(f"{name} {point}" if point else name, position, game))
    mine, theirs = position.pips
    return {"pips": mine, "lead": theirs - mine, "race": int(position.is_race)}[name]


def value(term: Term, fact: re.Match[str]) -> float:
    """A fact's number on the board of a term."""
    position = term.position
    name = fact["name"]
    judgement = None if fact["after"] or fact["their"] else judged(term, name, fact["point"] and int(fact["point"]))
    if judgement is not None:
        return judgement
    if name == "choices":
        assert term.roll is not None, term.name
        return len(legal_plays(position, term.roll, term.game))
    if name in ("moves", "play hits"):
        return len(term.moves()) if name == "moves" else sum(move.hit for move in term.moves())
    if fact["after"]:
        played = term.read_play()
        assert played is not None, term.name
        position = played.after
    return _of_position(name, fact["point"], position.swapped if fact["their"] else position, term.game)


def wrong(term: Term) -> list[str]:
    """The facts of a term that its board does not show, each with the number that it has."""
    faults = []
    for line in term.shows:
        fact = _FACT.fullmatch(line)
        assert fact is not None, f"{term.name}: {line!r} is no fact"
        number, text = value(term, fact), fact["number"]
        if fact["sign"] == "=":
            holds = abs(number - float(text)) <= _ROUNDED * 10.0 ** -len(text.partition(".")[2])
        else:
            holds = SIGNS[fact["sign"]](number, float(text))
        if not holds:
            faults.append(f"{line}: it is {number:.6g}")
    return faults
