"""Facts in words. The better play is the subject of every phrase; numbers and points are those of the fact."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fullprime.reviews.reasons.counts import HOME, THEIR_HOME, has_target
from fullprime.reviews.reasons.facts import Fact, FactKind, Pair
from fullprime.rules.position import BAR

Forms = tuple[tuple[str, ...], tuple[str, ...]]
"""What to say when a fact favours the better play, and what to concede when it favours the other."""

LOW_COST, MANY_BLOTS = 8, 2
"""A hit is called cheap when it costs no more pips than this, or meets at least this number of blots in the opponent's
home.
"""
DANCE = 9
"""The least number of rolls that stay out that is worth a word."""

_FORMS: dict[FactKind, Forms] = {
    FactKind.DANCES: (
        (
            "keeps the opponent on the bar with {best} rolls of 36 instead of {played}",
            "shuts out {best} of the opponent's rolls instead of {played}",
            "lets the opponent dance with {best} rolls, {more} more",
        ),
        ("keeps the opponent out with only {best} rolls instead of {played}",),
    ),
    FactKind.SHOTS: (
        (
            "leaves {best} rolls that hit instead of {played}",
            "is hit by {best} rolls of 36 instead of {played}",
            "gives the opponent {more} shots fewer ({best} of 36)",
            "cuts the rolls that hit from {played} to {best}",
        ),
        (
            "leaves {best} rolls that hit instead of {played}",
            "is hit by {best} rolls of 36 instead of {played}",
            "gives the opponent {more} shots more ({best} of 36)",
        ),
    ),
    FactKind.RISK: (
        (
            "has its blots where a hit costs {best} pips instead of {played}",
            "risks {best} pips to a hit instead of {played}",
            "loses {best} pips to a hit on average, {more} fewer",
        ),
        (  # without a comma: a concession ends with one
            "risks {best} pips to a hit instead of {played}",
            "loses {best} pips to a hit on average instead of {played}",
        ),
    ),
    FactKind.STACK: (
        (
            "spreads the checkers (at most {best} on a point instead of {played})",
            "unstacks ({best} instead of {played})",
        ),
        ("stacks {best} checkers on one point",),
    ),
    FactKind.FREE: (
        (
            "has {best} free checkers to make points with instead of {played}",
            "keeps {best} free checkers that bear on new points instead of {played}",
            "brings {more} more free checkers to where points can be made ({best} in all)",
        ),
        ("has only {best} free checkers to make points with instead of {played}",),
    ),
    FactKind.RETURNS: (
        (
            "hits next with {best} rolls instead of {played}",
            "aims {best} rolls at the opponent's blots instead of {played}",
            "has {best} rolls that hit next, {more} more",
        ),
        ("hits next with only {best} rolls instead of {played}",),
    ),
    FactKind.OPENS: (
        (
            "clears more easily (next, {best} rolls of 36 force a shot instead of {played})",
            "comes home more safely (next, {best} rolls force a shot instead of {played})",
        ),
        ("has to leave a shot next with {best} rolls instead of {played}",),
    ),
    FactKind.TIMING: (
        (
            "keeps {best} pips to play before a point must go instead of {played}",
            "has more time ({best} pips until a point breaks instead of {played})",
        ),
        ("has only {best} pips to play before a point must go instead of {played}",),
    ),
    FactKind.ESCAPES: (
        (
            "brings a checker past the opponent's block next with {best} rolls instead of {played}",
            "escapes next with {best} rolls of 36, {more} more",
            "has {best} rolls that escape next instead of {played}",
        ),
        ("escapes next with only {best} rolls instead of {played}",),
    ),
    FactKind.BLOCKS: (
        (
            "lets the opponent past the block with {best} rolls instead of {played}",
            "leaves the opponent {best} rolls that escape, {more} fewer",
            "cuts the rolls by which the opponent escapes from {played} to {best}",
        ),
        ("lets the opponent past the block with {best} rolls instead of {played}",),
    ),
    FactKind.TWICE: (
        (
            "lets the opponent hit two checkers with {best} rolls instead of {played}",
            "can lose two checkers to {best} rolls of 36 instead of {played}",
        ),
        ("can lose two checkers to {best} rolls instead of {played}",),
    ),
    FactKind.DUEL: (
        (
            "leaves the opponent {best} rolls that make a good point instead of {played}",
            "gives the opponent {best} rolls for a good point, {more} fewer",
        ),
        ("leaves the opponent {best} rolls that make a good point instead of {played}",),
    ),
    FactKind.OFF: (("takes {more} more off", "bears off {more} more"), ("takes {more} fewer off",)),
    FactKind.CROSSOVERS: (
        ("has {best} crossovers left instead of {played}", "saves {more} of {played} crossovers"),
        ("has {best} crossovers left instead of {played}",),
    ),
    FactKind.ENDS: (
        (
            "ends the game next turn with {best} rolls instead of {played}",
            "bears off the last checker next with {best} rolls of 36 instead of {played}",
            "wins on the next turn with {best} rolls of 36, {more} more",
        ),
        ("ends the game next turn with only {best} rolls instead of {played}",),
    ),
}

_ATTACK = (
    "brings {best} free checkers to bear on the attack instead of {played}",
    "has {best} free checkers to attack with instead of {played}",
)
"""Free checkers, where the opponent has a checker on the bar or a blot to attack."""

_FORMS_OF_NONE = {
    FactKind.DANCES: "keeps the opponent out with no roll instead of {played}",
    FactKind.TIMING: "has no pip to play before a point must go instead of {played}",
    FactKind.ESCAPES: "escapes next with no roll instead of {played}",
}
"""What the better play has less of, where it has none."""


def phrases(fact: Fact, pair: Pair, other: str) -> Sequence[str]:
    """The ways to say a fact; ``other`` is the text of the other play. A fact that is not worth telling has none."""
    good = fact.size > 0
    special = _SPECIAL.get(fact.kind)
    if special is not None:
        return special(fact, pair, other)
    best, played = fact.best, fact.played
    if fact.kind is FactKind.SHOTS and pair.hits_at_home:
        return _outside(fact, other)
    if fact.kind is FactKind.RETURNS and pair.strikes_at_home:
        return [_correct_plural(f"has {best} rolls that hit outside its home board next instead of {played}")]
    if fact.kind is FactKind.SHOTS and good and not best:
        return (
            f"leaves nothing to hit where {other} leaves {_rolls(played)}",
            f"is safe while {other} is hit by {_rolls(played)}",
            f"takes all {played} shots away" if played > 1 else "takes the last shot away",
        )
    if fact.kind is FactKind.TWICE and good and not best:
        return (
            f"cannot lose two checkers at once as {other} does to {_rolls(played)}",
            f"takes {played} rolls away that hit two checkers" if played > 1 else "takes the roll away that hits two",
        )
    if fact.kind is FactKind.SHOTS and not good and not played:
        return (f"leaves {_rolls(best)} that hit", f"can be hit by {_rolls(best)}", f"gives {best} shots of 36")
    if not good and not best and fact.kind in _FORMS_OF_NONE:
        return [_FORMS_OF_NONE[fact.kind].format(played=played)]
    forms = _FORMS[fact.kind][0 if good else 1]
    if fact.kind is FactKind.FREE and good and has_target(pair.best.their):
        forms = _ATTACK
    return [
        _correct_plural(form.format(best=best, played=played, more=abs(best - played), other=other)) for form in forms
    ]


def _outside(fact: Fact, other: str) -> Sequence[str]:
    """Shots, where other rolls hit in the opponent's home board alone."""
    best, played = fact.best, fact.played
    if fact.size > 0 and not best:
        return [_correct_plural(f"leaves no shot outside the opponent's home board where {other} leaves {played}")]
    if fact.size < 0 and not played:
        return [_correct_plural(f"leaves {best} shots outside the opponent's home board")]
    return [_correct_plural(f"leaves {best} shots outside the opponent's home board instead of {played}")]


def _correct_plural(words: str) -> str:
    """No zero and no plural of one."""
    for wrong, right in (
        (" 1 rolls that hit", " 1 roll that hits"),
        (" 1 rolls that makes", " 1 roll that makes"),
        (" 1 rolls that make", " 1 roll that makes"),
        (" 1 rolls that escape", " 1 roll that escapes"),
        (" 1 rolls", " 1 roll"),
        (" 1 pips", " 1 pip"),
        (" 1 shots", " 1 shot"),
        (" 1 crossovers", " 1 crossover"),
        (" 1 checkers", " 1 checker"),
        (" 1 more free checkers", " another free checker"),
        (" 1 free checkers that bear", " 1 free checker that bears"),
        (" 1 free checkers", " 1 free checker"),
        ("only 0 ", "no "),
        ("by 0 rolls", "by no roll"),
        ("(0 ", "(no "),
        (" 0 ", " no "),
        ("instead of 0", "instead of none"),
    ):
        words = words.replace(wrong, right)
    return words


def _make_phrases(fact: Fact, pair: Pair, _other: str) -> Sequence[str]:
    name = point_name(fact.point)
    if fact.size < 0:
        return (f"does not make {name}",)
    if fact.point in THEIR_HOME:
        return (f"makes an anchor on {name}", f"anchors on {name}")
    points = pair.best.home_points
    new = [point for point in HOME if point in pair.best.points and pair.before.player[point] < 2]
    if fact.point in HOME and points >= 3 and new == [fact.point]:  # of two new points neither is the fourth
        return (
            f"makes {name} for a {points}-point board",
            f"closes {name}",
            _as_the(name, points),
        )
    return (f"makes {name}", f"takes {name}")


def _as_the(name: str, points: int) -> str:
    """A home point by its number, a sentence each: other languages have no words to put together."""
    return {
        3: f"makes {name} as the third at home",
        4: f"makes {name} as the fourth at home",
        5: f"makes {name} as the fifth at home",
        6: f"makes {name} as the sixth at home",
    }[points]


def _keep_phrases(fact: Fact, _: Pair, other: str) -> Sequence[str]:
    name = point_name(fact.point)
    if fact.point in THEIR_HOME:
        if fact.size < 0:
            return (f"gives up the anchor on {name}", f"gives the anchor on {name} up")
        return (f"keeps the anchor on {name} that {other} gives up", f"holds the anchor on {name}", f"stays on {name}")
    if fact.size < 0:
        return (f"breaks {name}", f"gives {name} up")
    return (f"keeps {name}", f"holds {name} that {other} breaks", f"does not break {name}")


def _hit_phrases(fact: Fact, pair: Pair, other: str) -> Sequence[str]:
    if fact.size < 0:
        where = f" on {point_name(fact.point)}" if fact.point else ""
        return (f"does not hit{where}", f"lets the blot{where} go" if where else f"hits fewer checkers than {other}")
    out = pair.best.dances.ways
    dance = f" ({out} rolls of 36 stay out)" if out >= DANCE else ""
    if fact.best - fact.played > 1 or not fact.point:
        number = _number(fact.best - fact.played)
        return (f"sends {number} more back{dance}", f"hits {number} more{dance}")
    name = point_name(fact.point)
    return (
        f"hits on {name}{dance}",
        f"sends the blot on {name} back{dance}",
        f"takes {_pips(fact.point)} from the opponent by a hit on {name}{dance}",
    )


def _prime_phrases(fact: Fact, pair: Pair, _other: str) -> Sequence[str]:
    if fact.size < 0:
        return (f"has {_row(fact.best)} points in a row instead of {fact.played}",)
    row = f"from {pair.best.prime.high} to {pair.best.prime.low}"
    trapped = f"{_number(pair.best.prime.behind)} of the opponent's checkers"
    return (
        f"blocks {trapped} with {fact.best} points in a row",
        f"has a prime of {fact.best} {row} in front of {trapped}",
        f"has {fact.best} points in a row {row} instead of {_row(fact.played)}",
    )


def _row(length: int) -> str:
    return str(length) if length else "fewer than 4"


def _deep_phrases(fact: Fact, pair: Pair, other: str) -> Sequence[str]:
    more = pair.played if fact.size > 0 else pair.best
    places = [point for point in (1, 2) if more.own[point] > min(pair.best.own[point], pair.played.own[point])]
    name = point_name(places[0]) if len(places) == 1 else "the two lowest points"
    number = abs(fact.best - fact.played)
    checkers = "a checker" if number == 1 else f"{_number(number)} checkers"
    if fact.size < 0:
        return (f"puts {checkers} out of play on {name}",)
    return (
        f"keeps {checkers} in play that {other} buries on {name}",
        f"does not play {checkers} down to {name}",
        f"has {checkers} fewer on the two lowest points",
    )


def _back_phrases(fact: Fact, pair: Pair, _other: str) -> Sequence[str]:
    if not fact.best:
        return ("leaves no checker in the opponent's home board", "has every checker out of the opponent's home board")
    checkers = "one checker" if fact.best == 1 else f"{_number(fact.best)} checkers"
    behind = f"leaves {checkers} behind instead of {_number(fact.played)}"
    if pair.best.own[BAR] or pair.played.own[BAR]:  # these are not in the home board
        return (behind,)
    return (f"leaves {checkers} in the opponent's home board instead of {_number(fact.played)}", behind)


def _builder_phrases(fact: Fact, _pair: Pair, _other: str) -> Sequence[str]:
    if fact.best == 1:
        clause = f"makes {point_name(fact.point)}" if fact.point else "makes a good point"
    else:
        clause = f"make {point_name(fact.point)}" if fact.point else "make a good point"
    if fact.size < 0:
        return (_correct_plural(f"has only {fact.best} rolls that {clause} next instead of {fact.played}"),)
    some = (
        f"has {fact.best} rolls that {clause} next instead of {fact.played}",
        f"brings {fact.best} rolls that {clause}, {abs(fact.best - fact.played)} more",
        f"prepares better ({fact.best} rolls {clause} next instead of {fact.played})",
    )
    return [_correct_plural(phrase) for phrase in some]


def _gap_phrases(fact: Fact, _pair: Pair, _other: str) -> Sequence[str]:
    name = point_name(fact.point)
    if fact.size < 0:
        return (f"leaves a gap on {name}",)
    return (f"fills {name}", f"leaves no gap on {name}")


_SPECIAL: dict[FactKind, Callable[[Fact, Pair, str], Sequence[str]]] = {
    FactKind.MAKES: _make_phrases,
    FactKind.KEEPS: _keep_phrases,
    FactKind.HITS: _hit_phrases,
    FactKind.PRIME: _prime_phrases,
    FactKind.DEEP: _deep_phrases,
    FactKind.BACK: _back_phrases,
    FactKind.BUILDERS: _builder_phrases,
    FactKind.GAP: _gap_phrases,
}


def cheap_hits(pair: Pair) -> Sequence[str]:
    """Reasons why being hit after the better play costs little, as clauses; empty where none is sure."""
    best = pair.best
    if not best.hits.ways:
        return ()
    pips = best.at_risk / best.hits.ways
    if pips <= LOW_COST:
        return (f"a hit costs only {_pips(round(pips))} on average",)
    if best.their_home_points <= 1:
        points = "only one point" if best.their_home_points else "no point"
        return (f"the opponent holds {points} of his home board",)
    if best.their_home_blots >= MANY_BLOTS:
        return (f"the opponent has {_number(best.their_home_blots)} blots in his home board",)
    return ()


def point_name(point: int) -> str:
    """The name of a point, seen by the player who moves.

    >>> point_name(5), point_name(7), point_name(18), point_name(1)
    ('the 5 point', 'the bar point', "the opponent's bar point", 'the ace point')
    """
    return {1: "the ace point", 7: "the bar point", 18: "the opponent's bar point"}.get(point, f"the {point} point")


def _rolls(count: int) -> str:
    return f"{count} roll{'' if count == 1 else 's'} of 36"


def _pips(count: int) -> str:
    return f"{count} pip{'' if count == 1 else 's'}"


def _number(count: int) -> str:
    return {0: "none", 1: "one", 2: "two", 3: "three", 4: "four"}.get(count, str(count))


def pick(forms: Sequence[str], turn: int) -> str:
    """One of several forms of words, in turn; empty where there is none."""
    return forms[turn % len(forms)] if forms else ""
