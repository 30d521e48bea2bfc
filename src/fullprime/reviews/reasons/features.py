"""The worth of facts: a board after a play as a few numbers, and the equity that goes with each of them.

The weights are a linear fit of the engine's equities (``benchmarks/reasons.py``): the equity between two plays of a
roll is about the sum of the differences of these numbers by their weights. They serve to order facts and to tell which
way each points, never as a judgement of a play.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from fullprime.reviews.reasons.counts import Counts
from fullprime.reviews.reasons.weights import CONTACT, RACE
from fullprime.rules.position import BAR, OFF, pip_count


class Theme(StrEnum):
    """Subjects of facts: the sort of thing that one play does better than another."""

    POINT = "points"
    ANCHOR = "anchors"
    PRIME = "primes"
    HIT = "hitting"
    SHOTS = "shots"
    DEEP = "checkers out of play"
    STACK = "stacks"
    BACK = "back checkers"
    BUILDERS = "builders"
    RETURNS = "return shots"
    CLEARING = "clearing"
    TIMING = "timing"
    OFF = "bearing off"
    HOME = "bearing in"
    GAPS = "gaps"
    ESCAPE = "escaping"
    BLOCK = "blocking"
    DUEL = "the fight for points"
    TWICE = "two blots hit"


Feature = Callable[[Counts], float]


def _point(point: int) -> Feature:
    return lambda counts: point in counts.points


_SHOTS: dict[str, Feature] = {
    "shots": lambda each: each.shots.ways,
    "shots, board": lambda each: each.shots.ways * each.their_home_points,
    "shots, blots": lambda each: each.shots.ways * each.their_home_blots,
    "pips at risk": lambda each: each.at_risk / 36,
}

FEATURES: dict[Theme, dict[str, Feature]] = {
    Theme.POINT: {f"point {point}": _point(point) for point in range(1, 19)},
    Theme.ANCHOR: {f"point {point}": _point(point) for point in range(19, 25)},
    Theme.PRIME: {"prime": lambda each: max(0, min(each.prime.length, 6) - 3) * min(each.prime.behind, 4)},
    Theme.HIT: {
        "on the bar": lambda each: each.their[BAR],
        "on the bar, board": lambda each: each.their[BAR] * each.home_points,
        "dances": lambda each: each.dances.ways,
        "their pips": lambda each: pip_count(each.their),
    },
    Theme.SHOTS: _SHOTS,
    Theme.DEEP: {"deep": lambda each: each.deep},
    Theme.STACK: {"stack": lambda each: sum(max(0, each.own[point] - 3) for point in range(1, 25))},
    Theme.BACK: {"back": lambda each: each.back, "last": lambda each: sum(each.own[22:26])},
    Theme.BUILDERS: {"builders": lambda each: each.builders.ways},
    Theme.RETURNS: {"strikes": lambda each: each.own_shots.ways},
    Theme.CLEARING: {"opens": lambda each: each.opens.ways},
    Theme.TIMING: {"spare": lambda each: min(each.spare, 40)},
    Theme.OFF: {"off": lambda each: each.own[OFF]},
    Theme.ESCAPE: {"escapes": lambda each: each.escapes.ways},
    Theme.BLOCK: {"their escapes": lambda each: each.their_escapes.ways},
    Theme.TWICE: {"hit twice": lambda each: each.twice.ways},
    Theme.DUEL: {"their builders": lambda each: each.their_builders.ways},
}
"""What is counted of a board with contact, by subject."""

RACE_FEATURES: dict[Theme, dict[str, Feature]] = {
    Theme.OFF: {"off": lambda each: each.own[OFF]},
    Theme.HOME: {"crossovers": lambda each: sum(each.own[point] * ((point - 1) // 6) for point in range(7, 25))},
    Theme.GAPS: {
        **{f"gap {point}": (lambda each, point=point: each.own[point] == 0) for point in (2, 3, 4, 5, 6)},  # type: ignore[misc]
        "aces": lambda each: max(0, each.own[1] - 1),
    },
}
"""The same of a race."""


def weights_of(variant: str, *, race: bool) -> dict[str, float]:
    """The weights in a game by its name; empty where none were fitted, and then nothing is said about its plays."""
    return (RACE if race else CONTACT).get(variant, {})


def sizes(best: Counts, played: Counts, variant: str) -> dict[Theme, float]:
    """For each subject the equity by which the better play is ahead in it; below 0 where it is behind."""
    race = best.position.is_race and played.position.is_race
    features, weights = RACE_FEATURES if race else FEATURES, weights_of(variant, race=race)
    if not weights:
        return {}
    return {
        theme: sum(weights[name] * (value(best) - value(played)) for name, value in some.items())
        for theme, some in features.items()
    }
