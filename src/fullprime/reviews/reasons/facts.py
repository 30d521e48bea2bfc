"""Facts about two plays of a roll: what is counted differently after them, which play that favours, and how much."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fullprime.reviews.reasons.counts import GOOD_POINTS, HOME, THEIR_HOME, Counts, behind_block
from fullprime.reviews.reasons.features import FitPhase, Topic, phase_of, sizes, weights_of
from fullprime.rules.position import BAR, HAND, OFF, Position

SHORT = 18
"""Timing is spoken of when one play leaves no more pips than this to wait with."""
STACKED = 5
"""From this number of checkers on, a point is a stack."""
PIPS = 3
"""Costs of a hit that differ by fewer pips are the same."""


class FactKind(StrEnum):
    """Kinds of facts. ``best`` and ``played`` of a fact are what the kind says, after each play."""

    MAKES = "makes a point"
    """A point that was not held before. ``best``, ``played``: 1 where it is held, else 0."""
    KEEPS = "keeps a point"
    """A point that was held before; numbers as for ``MAKES``."""
    HITS = "hits"
    """Checkers of the opponent sent back by the play. ``point``: the last place of a hit; 0 for several."""
    DANCES = "stays out"
    """The opponent's rolls that bring no checker in."""
    PRIME = "prime"
    """Points in a row, from four on, with a checker of the opponent behind; 0 for none."""
    SHOTS = "shots"
    """The opponent's rolls that hit outside his home board."""
    RISK = "risk"
    """The pips that a hit costs on average: of each hitting roll the dearest hit."""
    DEEP = "deep"
    """Checkers on the ace and deuce points."""
    STACK = "stack"
    """Checkers on the most crowded point."""
    BACK = "back"
    """Checkers in the opponent's home board or on the bar."""
    BUILDERS = "builders"
    """The player's next rolls that make a good point; of ``point`` where it is not 0."""
    FREE = "free checkers"
    """Checkers on the points 4 to 11 that stand alone, or beyond two."""
    RETURNS = "returns"
    """The player's next rolls that hit outside the home board."""
    OPENS = "opens"
    """The player's next rolls of which every play leaves a shot."""
    TIMING = "timing"
    """Pips to play before a point must go."""
    OFF = "off"
    """Checkers borne off."""
    CROSSOVERS = "crossovers"
    """Quarters of the board still to be crossed by the checkers outside."""
    GAP = "gap"
    """Checkers on a point of the home board, where one play has none."""
    ENDS = "ends"
    """The player's next rolls that bear off the last checker."""
    ESCAPES = "escapes"
    """The player's next rolls that bring a checker past the opponent's block, of as many behind it."""
    BLOCKS = "blocks"
    """The opponent's rolls that bring a checker past the player's block, of as many in the player's home board."""
    TWICE = "hit twice"
    """The opponent's rolls that hit two blots or more."""
    DUEL = "duel"
    """The opponent's rolls that make a point worth having."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One counted difference. ``size``: the equity that usually goes with it, above 0 in favour of the better play."""

    kind: FactKind
    theme: Topic
    size: float
    best: int
    played: int
    point: int = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """The boards before a roll and after its two plays, counted; seen by the player who rolled."""

    before: Position
    best: Counts
    played: Counts
    variant: str

    @property
    def is_race(self) -> bool:
        """True if neither play leaves any contact."""
        return self.best.position.is_race and self.played.position.is_race

    @property
    def phase(self) -> FitPhase:
        """The phase whose weights count."""
        return phase_of(self.before, race=self.is_race)

    @property
    def hits_at_home(self) -> bool:
        """True if some rolls of the opponent hit in his home board alone, after either play: those are no shots."""
        return any(counts.hits != counts.shots for counts in (self.best, self.played))

    @property
    def strikes_at_home(self) -> bool:
        """True if some next rolls of the player hit in the home board alone, after either play."""
        return any(counts.strikes != counts.own_shots for counts in (self.best, self.played))


def facts(pair: Pair) -> list[Fact]:
    """Everything that is counted differently, the largest in favour of the better play first."""
    size = sizes(pair.best, pair.played, pair.variant, pair.phase)
    if not size:
        return []
    differences = _race(pair, size) if pair.is_race else _contact(pair, size)
    return sorted((fact for fact in differences if fact.best != fact.played), key=lambda fact: -fact.size)


def _contact(pair: Pair, size: dict[Topic, float]) -> list[Fact]:
    best, played = pair.best, pair.played
    facts = [
        *_points(pair),
        *_hits(pair, size[Topic.HIT]),
        *_shots(pair, size[Topic.SHOTS] + size[Topic.TWICE]),
    ]
    facts.append(Fact(FactKind.PRIME, Topic.PRIME, size[Topic.PRIME], _prime(best), _prime(played)))
    low = {1, 2} & (best.points ^ played.points)
    if not low and any(pair.before.player[7:]):
        facts.append(Fact(FactKind.DEEP, Topic.DEEP, size[Topic.DEEP], best.deep, played.deep))
    stacks = max(best.own[1:25]), max(played.own[1:25])
    if max(stacks) >= STACKED:
        facts.append(Fact(FactKind.STACK, Topic.STACK, size[Topic.STACK], *stacks))
    facts.append(Fact(FactKind.BACK, Topic.BACK, size[Topic.BACK], best.back, played.back))
    broken = {point for point in GOOD_POINTS if pair.before.player[point] >= 2} - (best.points & played.points)
    if not broken:
        facts.append(_builders(pair, size[Topic.BUILDERS]))
    # Who makes a point spends free checkers on it, which is no loss.
    if best.free > played.free or (best.free < played.free - 1 and best.points <= played.points):
        facts.append(Fact(FactKind.FREE, Topic.FREE, size[Topic.FREE], best.free, played.free))
    if best.their[BAR] == played.their[BAR]:  # after a hit fewer blots are left to aim at, which is no loss
        facts.append(
            Fact(
                FactKind.RETURNS,
                Topic.RETURNS,
                size[Topic.RETURNS],
                best.own_shots.ways,
                played.own_shots.ways,
            )
        )
    if not best.back and not played.back:
        facts.append(Fact(FactKind.OPENS, Topic.CLEARING, size[Topic.CLEARING], best.opens.ways, played.opens.ways))
    elif min(best.spare, played.spare) <= SHORT and not any(
        counts.own[BAR] or counts.own[HAND] for counts in (best, played)
    ):
        facts.append(Fact(FactKind.TIMING, Topic.TIMING, size[Topic.TIMING], best.spare, played.spare))
    # With contact the weight of checkers off is below 0, as those who have some off are still in danger; between two
    # plays of one roll a checker off is worth what it is in a race.
    off = weights_of(pair.variant, FitPhase.RACE).get("off", 0.0) * (best.own[OFF] - played.own[OFF])
    facts.append(Fact(FactKind.OFF, Topic.OFF, off, best.own[OFF], played.own[OFF]))
    facts += _fights(pair, size)
    return facts


def _fights(pair: Pair, size: dict[Topic, float]) -> list[Fact]:
    """What each side's next roll can do to the other's checkers, beyond a hit."""
    best, played = pair.best, pair.played
    facts = [
        Fact(
            FactKind.DUEL,
            Topic.DUEL,
            size[Topic.DUEL],
            best.their_builders.ways,
            played.their_builders.ways,
        ),
    ]
    if not _shots(pair, size[Topic.SHOTS] + size[Topic.TWICE]):
        facts.append(Fact(FactKind.TWICE, Topic.TWICE, size[Topic.TWICE], best.twice.ways, played.twice.ways))
    trapped = [behind_block(counts.own, counts.their) for counts in (best, played)]
    if trapped[0] == trapped[1] and not best.own[HAND] and not played.own[HAND]:
        facts.append(Fact(FactKind.ESCAPES, Topic.ESCAPE, size[Topic.ESCAPE], best.escapes.ways, played.escapes.ways))
    if sum(best.their[19:26]) == sum(played.their[19:26]) and not best.their[HAND]:
        ways = best.their_escapes.ways, played.their_escapes.ways
        facts.append(Fact(FactKind.BLOCKS, Topic.BLOCK, size[Topic.BLOCK], *ways))
    return facts


def _points(pair: Pair) -> list[Fact]:
    """Points that only one of the plays holds; the size of each by itself."""
    weights = weights_of(pair.variant, pair.phase)
    held = {point for point in range(1, 25) if pair.before.player[point] >= 2}
    facts = []
    for point in pair.best.points ^ pair.played.points:
        kind = FactKind.KEEPS if point in held else FactKind.MAKES
        theme = Topic.ANCHOR if point in THEIR_HOME else Topic.POINT
        mine = point in pair.best.points
        size = weights.get(f"point {point}", 0.0) * (1 if mine else -1)
        facts.append(Fact(kind, theme, size, int(mine), int(not mine), point))
    return facts


def _hits(pair: Pair, size: float) -> list[Fact]:
    start = pair.before.opponent[BAR]
    sent = [counts.their[BAR] - start for counts in (pair.best, pair.played)]
    if sent[0] != sent[1]:
        more = pair.best if sent[0] > sent[1] else pair.played
        places = [25 - at for at in range(1, 25) if pair.before.opponent[at] == 1 and more.their[at] == 0]
        return [Fact(FactKind.HITS, Topic.HIT, size, sent[0], sent[1], places[0] if len(places) == 1 else 0)]
    if pair.best.their[BAR]:
        return [Fact(FactKind.DANCES, Topic.HIT, size, pair.best.dances.ways, pair.played.dances.ways)]
    return []


def _shots(pair: Pair, size: float) -> list[Fact]:
    """Rolls that hit, and where these point the other way the pips that a hit costs."""
    best, played = pair.best, pair.played
    shots = Fact(FactKind.SHOTS, Topic.SHOTS, size, best.shots.ways, played.shots.ways)
    if (shots.played - shots.best) * size > 0 or not best.hits.ways or not played.hits.ways:
        return [shots] if (shots.played - shots.best) * size > 0 else []
    cost = [round(counts.at_risk / counts.hits.ways) for counts in (best, played)]
    return (
        [Fact(FactKind.RISK, Topic.SHOTS, size, *cost)]
        if (cost[1] - cost[0]) * size > 0 and abs(cost[1] - cost[0]) >= PIPS
        else []
    )


def _prime(counts: Counts) -> int:
    return counts.prime.length if counts.prime.length >= 4 and counts.prime.behind else 0


def _builders(pair: Pair, size: float) -> Fact:
    """Rolls that make a good point next, told of the single point that differs most where it says as much."""
    best, played = pair.best, pair.played
    overall = Fact(FactKind.BUILDERS, Topic.BUILDERS, size, best.builders.ways, played.builders.ways)
    ways = {
        point: tuple(counts.makes[point].ways if point in counts.makes else 0 for counts in (best, played))
        for point in GOOD_POINTS
        if point not in best.points | played.points
    }
    if not ways:
        return overall
    point = max(ways, key=lambda point: (ways[point][0] - ways[point][1]) * (1 if size > 0 else -1))
    mine, other = ways[point]
    if abs(mine - other) < abs(overall.best - overall.played) or (mine - other) * (overall.best - overall.played) <= 0:
        return overall
    return Fact(FactKind.BUILDERS, Topic.BUILDERS, size, mine, other, point)


def _race(pair: Pair, size: dict[Topic, float]) -> list[Fact]:
    best, played = pair.best, pair.played
    facts = [
        Fact(FactKind.OFF, Topic.OFF, size[Topic.OFF], best.own[OFF], played.own[OFF]),
        Fact(FactKind.CROSSOVERS, Topic.HOME, size[Topic.HOME], crossovers(best), crossovers(played)),
    ]
    if best.ends.ways != played.ends.ways:
        more = 1.0 if best.ends.ways > played.ends.ways else -1.0
        ways = Fact(FactKind.ENDS, Topic.OFF, more, best.ends.ways, played.ends.ways)
        return [ways]
    gaps = [point for point in HOME if (best.own[point] == 0) != (played.own[point] == 0) and point > 1]
    if gaps:
        point = gaps[-1]
        facts.append(Fact(FactKind.GAP, Topic.GAPS, size[Topic.GAPS], best.own[point], played.own[point], point))
    return facts


def crossovers(counts: Counts) -> int:
    """Quarters of the board that the checkers outside have yet to cross to come home."""
    return sum(counts.own[point] * ((point - 1) // 6) for point in range(7, 25))
