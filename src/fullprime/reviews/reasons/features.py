"""The worth of facts: a board after a play as a few numbers, and the equity that goes with each of them.

The weights are a linear fit of the engine's equities (``benchmarks/reasons.py``), one for each phase of a game: the
equity between two plays of a roll is about the sum of the differences of these numbers by their weights. No weight has
the wrong sign (:data:`LESS_IS_BETTER`). They serve to order facts, never as a judgement of a play.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from fullprime.reviews.reasons.counts import Counts
from fullprime.reviews.reasons.weights import WEIGHTS
from fullprime.rules.position import BAR, HAND, OFF, Position, pip_count


class Topic(StrEnum):
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
    FREE = "free checkers"
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


class FitPhase(StrEnum):
    """The phases of a game whose weights are fitted apart, seen by the player on roll."""

    MUTUAL = "both back"
    """Both sides have checkers in the other's home board."""
    BEARING_IN = "bearing in"
    """The opponent alone has."""
    HOLDING = "holding"
    """The opponent has none there any more."""
    RACE = "race"
    """No contact is left after either play."""


Feature = Callable[[Counts], float]


def _point(point: int) -> Feature:
    return lambda counts: point in counts.points


_SHOTS: dict[str, Feature] = {
    "shots": lambda counts: counts.shots.ways,
    "shots, board": lambda counts: counts.shots.ways * counts.their_home_points,
    "shots, blots": lambda counts: counts.shots.ways * counts.their_home_blots,
    "pips at risk": lambda counts: counts.at_risk / 36,
}

FEATURES: dict[Topic, dict[str, Feature]] = {
    Topic.POINT: {f"point {point}": _point(point) for point in range(1, 19)},
    Topic.ANCHOR: {f"point {point}": _point(point) for point in range(19, 25)},
    Topic.PRIME: {"prime": lambda counts: max(0, min(counts.prime.length, 6) - 3) * min(counts.prime.behind, 4)},
    Topic.HIT: {
        "on the bar": lambda counts: counts.their[BAR],
        "on the bar, board": lambda counts: counts.their[BAR] * counts.home_points,
        "dances": lambda counts: counts.dances.ways,
        "their pips": lambda counts: pip_count(counts.their),
    },
    Topic.SHOTS: _SHOTS,
    Topic.DEEP: {"deep": lambda counts: counts.deep},
    Topic.STACK: {"stack": lambda counts: sum(max(0, counts.own[point] - 3) for point in range(1, 25))},
    Topic.BACK: {"back": lambda counts: counts.back, "last": lambda counts: sum(counts.own[22:26])},
    Topic.BUILDERS: {"builders": lambda counts: counts.builders.ways},
    Topic.FREE: {
        "free": lambda counts: counts.free,
        "free, open": lambda counts: counts.free * sum(point not in counts.points for point in range(3, 8)),
    },
    Topic.RETURNS: {"strikes": lambda counts: counts.own_shots.ways},
    Topic.CLEARING: {"opens": lambda counts: counts.opens.ways},
    Topic.TIMING: {"spare": lambda counts: min(counts.spare, 40)},
    Topic.OFF: {"off": lambda counts: counts.own[OFF]},
    Topic.ESCAPE: {"escapes": lambda counts: counts.escapes.ways},
    Topic.BLOCK: {"their escapes": lambda counts: counts.their_escapes.ways},
    Topic.TWICE: {"hit twice": lambda counts: counts.twice.ways},
    Topic.DUEL: {"their builders": lambda counts: counts.their_builders.ways},
}
"""What is counted of a board with contact, by subject."""

RACE_FEATURES: dict[Topic, dict[str, Feature]] = {
    Topic.OFF: {"off": lambda counts: counts.own[OFF]},
    Topic.HOME: {"crossovers": lambda counts: sum(counts.own[point] * ((point - 1) // 6) for point in range(7, 25))},
    Topic.GAPS: {
        **{f"gap {point}": (lambda counts, point=point: counts.own[point] == 0) for point in (2, 3, 4, 5, 6)},  # type: ignore[misc]
        "aces": lambda counts: max(0, counts.own[1] - 1),
    },
}
"""The same of a race."""


LESS_IS_BETTER = frozenset(
    {
        "shots", "shots, board", "pips at risk", "deep", "stack", "back", "last", "opens", "their escapes",
        "hit twice", "their builders", "crossovers", "gap 2", "gap 3", "gap 4", "gap 5", "gap 6", "aces",
    }
)  # fmt: skip
"""Features whose weights are at most 0; the others have weights of 0 or more."""


def phase_of(before: Position, *, race: bool) -> FitPhase:
    """The phase of the board before a roll; ``race`` if its plays end all contact."""
    own, their = before.player, before.opponent
    if race:
        return FitPhase.RACE
    if own[HAND] or their[HAND]:
        return FitPhase.MUTUAL
    if not any(their[19:26]):
        return FitPhase.HOLDING
    return FitPhase.MUTUAL if any(own[19:26]) else FitPhase.BEARING_IN


def weights_of(variant: str, phase: FitPhase) -> dict[str, float]:
    """The weights of a phase of a game by its name; empty where none were fitted: nothing is said about its plays.

    A phase with too few decisions for a fit of its own has the weights of all decisions with contact.
    """
    fitted = WEIGHTS.get(variant, {})
    return fitted.get(phase) or fitted.get("contact", {})


def sizes(best: Counts, played: Counts, variant: str, phase: FitPhase) -> dict[Topic, float]:
    """For each subject the equity by which the better play is ahead in it; below 0 where it is behind."""
    features, weights = RACE_FEATURES if phase is FitPhase.RACE else FEATURES, weights_of(variant, phase)
    if not weights:
        return {}
    return {
        theme: sum(weights.get(name, 0.0) * (value(best) - value(played)) for name, value in functions.items())
        for theme, functions in features.items()
    }
