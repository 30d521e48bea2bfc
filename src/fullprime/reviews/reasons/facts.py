"""Facts about two plays of a roll: what is counted differently after them, which play that favours, and how much."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fullprime.reviews.reasons.counts import GOOD_POINTS, HOME, THEIR_HOME, Counts, behind_block
from fullprime.reviews.reasons.features import Theme, sizes, weights_of
from fullprime.rules.position import BAR, HAND, OFF, Position

SHORT = 18
"""Timing is spoken of when one play leaves no more pips than this to wait with."""
STACKED = 5
"""So many checkers on a point are a stack."""
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
    theme: Theme
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
    def hits_at_home(self) -> bool:
        """True if some rolls of the opponent hit in his home board alone, after either play: those are no shots."""
        return any(each.hits != each.shots for each in (self.best, self.played))

    @property
    def strikes_at_home(self) -> bool:
        """True if some next rolls of the player hit in the home board alone, after either play."""
        return any(each.strikes != each.own_shots for each in (self.best, self.played))


def facts(pair: Pair) -> list[Fact]:
    """Everything that is counted differently, the largest in favour of the better play first."""
    size = sizes(pair.best, pair.played, pair.variant)
    if not size:
        return []
    found = _race(pair, size) if pair.is_race else _contact(pair, size)
    return sorted((each for each in found if each.best != each.played), key=lambda each: -each.size)


def _contact(pair: Pair, size: dict[Theme, float]) -> list[Fact]:
    best, played = pair.best, pair.played
    found = [*_points(pair), *_hits(pair, size[Theme.HIT]), *_shots(pair, size[Theme.SHOTS] + size[Theme.TWICE])]
    found.append(Fact(FactKind.PRIME, Theme.PRIME, size[Theme.PRIME], _prime(best), _prime(played)))
    low = {1, 2} & (best.points ^ played.points)
    if not low and any(pair.before.player[7:]):
        found.append(Fact(FactKind.DEEP, Theme.DEEP, size[Theme.DEEP], best.deep, played.deep))
    stacks = max(best.own[1:25]), max(played.own[1:25])
    if max(stacks) >= STACKED:
        found.append(Fact(FactKind.STACK, Theme.STACK, size[Theme.STACK], *stacks))
    found.append(Fact(FactKind.BACK, Theme.BACK, size[Theme.BACK], best.back, played.back))
    broken = {point for point in GOOD_POINTS if pair.before.player[point] >= 2} - (best.points & played.points)
    if not broken:
        found.append(_builders(pair, size[Theme.BUILDERS]))
    if best.their[BAR] == played.their[BAR]:  # who has hit already has fewer blots left to aim at, and is not worse off
        found.append(
            Fact(FactKind.RETURNS, Theme.RETURNS, size[Theme.RETURNS], best.own_shots.ways, played.own_shots.ways)
        )
    if not best.back and not played.back:
        found.append(Fact(FactKind.OPENS, Theme.CLEARING, size[Theme.CLEARING], best.opens.ways, played.opens.ways))
    elif min(best.spare, played.spare) <= SHORT and not any(each.own[BAR] or each.own[HAND] for each in (best, played)):
        found.append(Fact(FactKind.TIMING, Theme.TIMING, size[Theme.TIMING], best.spare, played.spare))
    # With contact the weight of checkers off is below 0, as those who have some off are still in danger; between two
    # plays of one roll a checker off is worth what it is in a race.
    off = weights_of(pair.variant, race=True).get("off", 0.0) * (best.own[OFF] - played.own[OFF])
    found.append(Fact(FactKind.OFF, Theme.OFF, off, best.own[OFF], played.own[OFF]))
    found += _fights(pair, size)
    return found


def _fights(pair: Pair, size: dict[Theme, float]) -> list[Fact]:
    """What each side's next roll can do to the other's checkers, beyond a hit."""
    best, played = pair.best, pair.played
    found = [
        Fact(FactKind.DUEL, Theme.DUEL, size[Theme.DUEL], best.their_builders.ways, played.their_builders.ways),
    ]
    if not _shots(pair, size[Theme.SHOTS] + size[Theme.TWICE]):
        found.append(Fact(FactKind.TWICE, Theme.TWICE, size[Theme.TWICE], best.twice.ways, played.twice.ways))
    trapped = [behind_block(each.own, each.their) for each in (best, played)]
    if trapped[0] == trapped[1] and not best.own[HAND] and not played.own[HAND]:
        found.append(Fact(FactKind.ESCAPES, Theme.ESCAPE, size[Theme.ESCAPE], best.escapes.ways, played.escapes.ways))
    if sum(best.their[19:26]) == sum(played.their[19:26]) and not best.their[HAND]:
        ways = best.their_escapes.ways, played.their_escapes.ways
        found.append(Fact(FactKind.BLOCKS, Theme.BLOCK, size[Theme.BLOCK], *ways))
    return found


def _points(pair: Pair) -> list[Fact]:
    """Points that only one of the plays holds; the size of each by itself."""
    weights = weights_of(pair.variant, race=False)
    held = {point for point in range(1, 25) if pair.before.player[point] >= 2}
    found = []
    for point in pair.best.points ^ pair.played.points:
        kind = FactKind.KEEPS if point in held else FactKind.MAKES
        theme = Theme.ANCHOR if point in THEIR_HOME else Theme.POINT
        mine = point in pair.best.points
        size = weights[f"point {point}"] * (1 if mine else -1)
        found.append(Fact(kind, theme, size, int(mine), int(not mine), point))
    return found


def _hits(pair: Pair, size: float) -> list[Fact]:
    start = pair.before.opponent[BAR]
    sent = [each.their[BAR] - start for each in (pair.best, pair.played)]
    if sent[0] != sent[1]:
        more = pair.best if sent[0] > sent[1] else pair.played
        places = [25 - at for at in range(1, 25) if pair.before.opponent[at] == 1 and more.their[at] == 0]
        return [Fact(FactKind.HITS, Theme.HIT, size, sent[0], sent[1], places[0] if len(places) == 1 else 0)]
    if pair.best.their[BAR]:
        return [Fact(FactKind.DANCES, Theme.HIT, size, pair.best.dances.ways, pair.played.dances.ways)]
    return []


def _shots(pair: Pair, size: float) -> list[Fact]:
    """Rolls that hit, and where these point the other way the pips that a hit costs."""
    best, played = pair.best, pair.played
    shots = Fact(FactKind.SHOTS, Theme.SHOTS, size, best.shots.ways, played.shots.ways)
    if (shots.played - shots.best) * size > 0 or not best.hits.ways or not played.hits.ways:
        return [shots] if (shots.played - shots.best) * size > 0 else []
    cost = [round(each.at_risk / each.hits.ways) for each in (best, played)]
    return (
        [Fact(FactKind.RISK, Theme.SHOTS, size, *cost)]
        if (cost[1] - cost[0]) * size > 0 and abs(cost[1] - cost[0]) >= PIPS
        else []
    )


def _prime(counts: Counts) -> int:
    return counts.prime.length if counts.prime.length >= 4 and counts.prime.behind else 0


def _builders(pair: Pair, size: float) -> Fact:
    """Rolls that make a good point next, told of the single point that differs most where it says as much."""
    best, played = pair.best, pair.played
    whole = Fact(FactKind.BUILDERS, Theme.BUILDERS, size, best.builders.ways, played.builders.ways)
    ways = {
        point: tuple(each.makes[point].ways if point in each.makes else 0 for each in (best, played))
        for point in GOOD_POINTS
        if point not in best.points | played.points
    }
    if not ways:
        return whole
    point = max(ways, key=lambda each: (ways[each][0] - ways[each][1]) * (1 if size > 0 else -1))
    mine, other = ways[point]
    if abs(mine - other) < abs(whole.best - whole.played) or (mine - other) * (whole.best - whole.played) <= 0:
        return whole
    return Fact(FactKind.BUILDERS, Theme.BUILDERS, size, mine, other, point)


def _race(pair: Pair, size: dict[Theme, float]) -> list[Fact]:
    best, played = pair.best, pair.played
    found = [
        Fact(FactKind.OFF, Theme.OFF, size[Theme.OFF], best.own[OFF], played.own[OFF]),
        Fact(FactKind.CROSSOVERS, Theme.HOME, size[Theme.HOME], crossovers(best), crossovers(played)),
    ]
    if best.ends.ways != played.ends.ways:
        more = 1.0 if best.ends.ways > played.ends.ways else -1.0
        ways = Fact(FactKind.ENDS, Theme.OFF, more, best.ends.ways, played.ends.ways)
        return [ways]
    gaps = [point for point in HOME if (best.own[point] == 0) != (played.own[point] == 0) and point > 1]
    if gaps:
        point = gaps[-1]
        found.append(Fact(FactKind.GAP, Theme.GAPS, size[Theme.GAPS], best.own[point], played.own[point], point))
    return found


def crossovers(counts: Counts) -> int:
    """Quarters of the board that the checkers outside have yet to cross to come home."""
    return sum(counts.own[point] * ((point - 1) // 6) for point in range(7, 25))
