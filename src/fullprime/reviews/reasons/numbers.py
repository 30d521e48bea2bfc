"""Duplication, diversification and tempo: the rolls of 36 that do something for a side, counted over several aims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from fullprime.reviews.reasons.counts import Reach
from fullprime.reviews.reasons.facts import Pair
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.position import BAR, HAND

LEAST = 6
"""The plays must differ by at least this number of throws."""
SAME = 0.5
"""And at least this share of the difference must come from rolls that serve both aims, not from fewer rolls of each."""
THREAT, TAKEN = 14, 9
"""A tempo is spoken of where at least the first number of the opponent's throws do something, and after the hit fewer
by at least the second.
"""


class Manner(StrEnum):
    """The ideas about numbers."""

    DUPLICATION = "duplication"
    """The opponent needs the same rolls for two aims: fewer do one or the other."""
    DIVERSIFICATION = "diversification"
    """The player's own next rolls for two aims are different ones: more do one or the other."""
    TEMPO = "tempo"
    """The opponent must enter first, and has fewer rolls that hit or make a good point."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """One idea about two plays: throws of 36 that do one of the aims or the other, after each play."""

    manner: Manner
    aims: tuple[str, str]
    """The aims in words, as verbs of a roll."""
    best: int
    played: int
    both: int = 0
    """Throws that do both after the better play; for diversification after the other one."""
    die: int = 0
    """A number of which every roll does both there; 0 for none."""


def numbers(pair: Pair) -> list[Numbers]:
    """The ideas that speak for the better play, the largest difference first; none in a race."""
    if pair.is_race or any(row[HAND] for counts in (pair.best, pair.played) for row in (counts.own, counts.their)):
        return []
    tempo = _tempo(pair)
    # Where he must enter first, his other numbers are no longer the same question.
    ideas = [tempo] if tempo else [*_find_duplication(pair), *_find_diversification(pair)]
    return sorted(ideas, key=lambda idea: -abs(idea.best - idea.played))


def _find_duplication(pair: Pair) -> Iterator[Numbers]:
    """Aims of the opponent for which he needs the same rolls after the better play."""
    best, played = pair.best, pair.played
    if best.their[BAR] != played.their[BAR]:
        return
    rolls_by_aim = {
        _theirs(pair): (best.shots, played.shots),
        "make a good point": (best.their_builders, played.their_builders),
        "escape": (best.their_escapes, played.their_escapes),
    }  # fmt: skip
    for aims, ((first, before), (second, before_too)) in _pairs(rolls_by_aim):
        few, many, both = _either(first, second), _either(before, before_too), _count_common_ways(first, second)
        if many - few >= LEAST and both - _count_common_ways(before, before_too) >= SAME * (many - few):
            yield Numbers(Manner.DUPLICATION, aims, few, many, both, _die(first, second))


def _find_diversification(pair: Pair) -> Iterator[Numbers]:
    """Aims of the player for which different rolls serve after the better play."""
    best, played = pair.best, pair.played
    rolls_by_aim = {
        "hit outside the home board" if pair.strikes_at_home else "hit": (best.own_shots, played.own_shots),
        "make a good point": (best.builders, played.builders),
        "escape": (best.escapes, played.escapes),
    }  # fmt: skip
    for aims, ((first, before), (second, before_too)) in _pairs(rolls_by_aim):
        many, few, both = _either(first, second), _either(before, before_too), _count_common_ways(before, before_too)
        if many - few >= LEAST and both - _count_common_ways(first, second) >= SAME * (many - few):
            yield Numbers(Manner.DIVERSIFICATION, aims, many, few, both, _die(before, before_too))


_Aim = tuple[Reach, Reach]
"""The rolls for an aim, after each play."""


def _pairs(rolls_by_aim: dict[str, _Aim]) -> Iterator[tuple[tuple[str, str], tuple[_Aim, _Aim]]]:
    """Every two aims that some roll serves after both plays."""
    possible = [(name, aim) for name, aim in rolls_by_aim.items() if all(reach.rolls for reach in aim)]
    for (one, first), (two, second) in combinations(possible, 2):
        yield (one, two), (first, second)


def _tempo(pair: Pair) -> Numbers | None:
    best, played = pair.best, pair.played
    if not best.their[BAR] or played.their[BAR]:
        return None
    left, threat = (_either(counts.shots, counts.their_builders) for counts in (best, played))
    if threat < THREAT or threat - left < TAKEN:
        return None
    return Numbers(Manner.TEMPO, (_theirs(pair), "make a good point"), left, threat)


def _theirs(pair: Pair) -> str:
    """The opponent's shots as an aim."""
    return "hit outside his home board" if pair.hits_at_home else "hit"


def _either(one: Reach, other: Reach) -> int:
    return _ways(set(one.rolls) | set(other.rolls))


def _count_common_ways(one: Reach, other: Reach) -> int:
    return _ways(set(one.rolls) & set(other.rolls))


def _ways(rolls: set[Roll]) -> int:
    return sum(roll.weight for roll in rolls)


def _die(one: Reach, other: Reach) -> int:
    """The largest number of which every roll does both."""
    both = set(one.rolls) & set(other.rolls)
    dice = (die for die in range(6, 0, -1) if all(roll in both for roll in ALL_ROLLS if die in (roll.high, roll.low)))
    return next(dice, 0)


def numbers_words(pair: Pair, best: str, other: str, turn: int) -> str:
    """The clearest idea about numbers in a sentence; empty where none is clear."""
    ideas = numbers(pair)
    if not ideas:
        return ""
    idea = ideas[0]
    forms = _FORMS[idea.manner]
    one, two = idea.aims
    few, many = sorted((idea.best, idea.played))
    words = forms[turn % len(forms)].format(
        best=best, other=other, one=one, two=two, few=few, many=many, both=idea.both, do=_do(few)
    )
    place = other if idea.manner is Manner.DIVERSIFICATION else best
    return " ".join((words, f"Every {idea.die} does both after {place}.")) if idea.die else words


def _do(count: int) -> str:
    return {0: "none does", 1: "one does"}.get(count, f"{count} do")


_FORMS: dict[Manner, tuple[str, ...]] = {
    Manner.DUPLICATION: (
        (
            "Duplication: after {best} {both} of the opponent's rolls both {one} and {two}; {few} do one or the other,"
            " after {other} {many}."
        ),
        (
            "{best} duplicates the opponent's numbers: {few} rolls {one} or {two}, {both} of them do both; after"
            " {other} {many} do one or the other."
        ),
    ),
    Manner.DIVERSIFICATION: (
        (
            "Diversification: after {best} {many} of the next own rolls {one} or {two}, after {other} only {few}, of"
            " which {both} do both."
        ),
        (
            "{best} diversifies the numbers that are good next: {many} rolls {one} or {two}; after {other}, where"
            " {both} do both, only {few}."
        ),
    ),
    Manner.TEMPO: (
        (
            "A tempo: after {other} {many} of the opponent's rolls {one} or {two}; after {best} he must enter first,"
            " and {do}."
        ),
        (
            "{best} gains a tempo, for the opponent must enter first: after {other} {many} of his rolls {one} or {two},"
            " now {do}."
        ),
    ),
}
