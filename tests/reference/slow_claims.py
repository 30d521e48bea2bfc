"""What an explanation claims, read from its English sentences and counted again by slow, obvious code.

Nothing is shared with the code that makes the sentences: each is matched as text, its numbers are compared with those
of the readable rules, of the engine asked one board at a time, and of the match equity table, and no word may be left
over that nobody has recomputed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.reference.slow_counts import SlowCounts, ways
from tests.reference.slow_plans import slow_plan

from fullprime.rules.position import Position

WORDS = {"no": 0, "none": 0, "a": 1, "one": 1, "two": 2, "three": 3, "four": 4}
N = r"(?:\d+|none|no|one|two|three|four)"
POINT = r"(?P<p>the ace point|the bar point|the opponent's bar point|the \d+ point)"


def number(word: str) -> int:
    return WORDS[word] if word in WORDS else int(word)


def place(name: str) -> int:
    named = {"the ace point": 1, "the bar point": 7, "the opponent's bar point": 18}
    return named[name] if name in named else int(name.split()[1])


@dataclass
class Plays:
    """Two plays of a roll: the boards after them, counted slowly."""

    before: Position
    best: SlowCounts
    played: SlowCounts
    seen: set[str] = field(default_factory=set)

    def both(self, value: Callable[[SlowCounts], int]) -> tuple[int, int]:
        return value(self.best), value(self.played)


def home(counts: SlowCounts) -> int:
    return sum(counts.position.player[point] >= 2 for point in range(1, 7))


def cost(counts: SlowCounts) -> int:
    return round(counts.risk() / ways(counts.hits())) if counts.hits() else 0


def spare(counts: SlowCounts) -> int:
    """Pips to play, checker by checker, before a point at home or an anchor must go."""
    own, pips = counts.position.player, 0
    for point in range(1, 25):
        free = own[point] - 2 if own[point] >= 2 and (point <= 6 or point >= 19) else own[point]
        if point <= 6 and own[point] < 2:
            free = 0
        pips += free * (point - 1 if point <= 6 else point - 6)
    return pips


def row(counts: SlowCounts) -> int:
    """Points in a row, from four on, with a checker of the opponent behind; else 0."""
    own, longest = counts.position.player, 0
    for low in range(1, 25):
        length = next(n for n in range(30) if low + n > 24 or own[low + n] < 2)
        if length >= 4 and counts.behind(low):
            longest = max(longest, length)
    return longest


def crossings(counts: SlowCounts) -> int:
    own = counts.position.player
    return sum(own[point] * (3 if point > 18 else 2 if point > 12 else 1) for point in range(7, 25))


def sent(plays: Plays) -> Callable[[SlowCounts], int]:
    return lambda counts: counts.position.opponent[25] - plays.before.opponent[25]


def back(counts: SlowCounts) -> int:
    return sum(counts.position.player[19:26])


def held(point: int) -> Callable[[SlowCounts], int]:
    return lambda counts: int(counts.position.player[point] >= 2)


Count = Callable[[SlowCounts], int]

# {a}: after the better play, {b}: after the other, {d}: their difference. The sign is +1 where more is the claim.
COUNTED: list[tuple[str, Count, str]] = [
    ("stays out", lambda c: ways(c.dances()), "keeps the opponent on the bar with {a} rolls? of 36 instead of {b}"),
    ("stays out", lambda c: ways(c.dances()), "shuts out {a} of the opponent's rolls instead of {b}"),
    ("stays out", lambda c: ways(c.dances()), "lets the opponent dance with {a} rolls?, {d} more"),
    ("stays out", lambda c: ways(c.dances()), "keeps the opponent out with (?:only )?{a} rolls? instead of {b}"),
    ("shots", lambda c: ways(c.shots()), "leaves {a} rolls? that hits? instead of {b}"),
    ("shots", lambda c: ways(c.shots()), "is hit by {a} rolls? of 36 instead of {b}"),
    ("shots", lambda c: ways(c.shots()), r"gives the opponent {d} shots? {way} \({a} of 36\)"),
    ("shots", lambda c: ways(c.shots()), "cuts the rolls that hit from {b} to {a}"),
    ("shots", lambda c: ways(c.shots()), "leaves {zero}nothing to hit where P leaves {b} rolls? of 36"),
    ("shots", lambda c: ways(c.shots()), "is {zero}safe while P is hit by {b} rolls? of 36"),
    ("shots", lambda c: ways(c.shots()), "takes {zero}all {b} shots away"),
    ("shots", lambda c: ways(c.shots()), "takes the {zero}last shot away"),
    ("shots", lambda c: ways(c.shots()), "leaves {a} rolls? of 36 that hit"),
    ("shots", lambda c: ways(c.shots()), "can be hit by {a} rolls? of 36"),
    ("shots", lambda c: ways(c.shots()), "gives {a} shots of 36"),
    ("shots", lambda c: ways(c.shots()), "leaves {zero}no shot outside the opponent's home board where P leaves {b}"),
    ("shots", lambda c: ways(c.shots()),
     "leaves {a} shots? outside the opponent's home board(?: instead of {b})?"),
    ("returns", lambda c: ways(c.own_shots()),
     "has {a} rolls? that hits? outside its home board next instead of {b}"),
    ("risk", cost, "has its blots where a hit costs {a} pips? instead of {b}"),
    ("risk", cost, "risks {a} pips? to a hit instead of {b}"),
    ("risk", cost, "loses {a} pips? to a hit on average, {d} {way}"),
    ("risk", cost, "loses {a} pips? to a hit on average instead of {b}"),
    ("stack", lambda c: max(c.position.player[1:25]),
     r"spreads the checkers \(at most {a} on a point instead of {b}\)"),
    ("stack", lambda c: max(c.position.player[1:25]), r"unstacks \({a} instead of {b}\)"),
    ("stack", lambda c: max(c.position.player[1:25]), "stacks {a} checkers on one point"),
    ("free", lambda c: c.free(), "has (?:only )?{a} free checkers? to make points with instead of {b}"),
    ("free", lambda c: c.free(), "keeps {a} free checkers? that bears? on new points instead of {b}"),
    ("free", lambda c: c.free(),
     r"brings (?:{d} more|another) free checkers? to where points can be made \({a} in all\)"),
    ("free", lambda c: c.free(), "brings {a} free checkers? to bear on the attack instead of {b}"),
    ("free", lambda c: c.free(), "has {a} free checkers? to attack with instead of {b}"),
    ("returns", lambda c: ways(c.own_shots()), "hits next with (?:only )?{a} rolls? instead of {b}"),
    ("returns", lambda c: ways(c.own_shots()), "aims {a} rolls? at the opponent's blots instead of {b}"),
    ("returns", lambda c: ways(c.own_shots()), "has {a} rolls? that hits? next, {d} more"),
    ("opens", lambda c: ways(c.opens()),
     r"clears more easily \(next, {a} rolls? of 36 force a shot instead of {b}\)"),
    ("opens", lambda c: ways(c.opens()), r"comes home more safely \(next, {a} rolls? force a shot instead of {b}\)"),
    ("opens", lambda c: ways(c.opens()), "has to leave a shot next with {a} rolls? instead of {b}"),
    ("timing", spare, "keeps {a} pips? to play before a point must go instead of {b}"),
    ("timing", spare, r"has more time \({a} pips? until a point breaks instead of {b}\)"),
    ("timing", spare, "has (?:only )?{a} pips? to play before a point must go instead of {b}"),
    ("escapes", lambda c: ways(c.escapes()),
     "brings a checker past the opponent's block next with {a} rolls? instead of {b}"),
    ("escapes", lambda c: ways(c.escapes()), "escapes next with {a} rolls? of 36, {d} more"),
    ("escapes", lambda c: ways(c.escapes()), "has {a} rolls? that escapes? next instead of {b}"),
    ("escapes", lambda c: ways(c.escapes()), "escapes next with (?:only )?{a} rolls? instead of {b}"),
    ("blocks", lambda c: ways(c.their_escapes()),
     "lets the opponent past the block (?:with|by) {a} rolls? instead of {b}"),
    ("blocks", lambda c: ways(c.their_escapes()), "leaves the opponent {a} rolls? that escapes?, {d} {way}"),
    ("blocks", lambda c: ways(c.their_escapes()), "cuts the rolls by which the opponent escapes from {b} to {a}"),
    ("hit twice", lambda c: ways(c.twice()), "lets the opponent hit two checkers (?:with|by) {a} rolls? instead of {b}"),  # noqa: E501
    ("hit twice", lambda c: ways(c.twice()), "can lose two checkers to {a} rolls?(?: of 36)? instead of {b}"),
    ("hit twice", lambda c: ways(c.twice()),
     "{zero}cannot lose two checkers at once as P does to {b} rolls? of 36"),
    ("hit twice", lambda c: ways(c.twice()), "takes {b} {zero}rolls away that hit two checkers"),
    ("hit twice", lambda c: ways(c.twice()), "takes the {zero}roll away that hits two"),
    ("duel", lambda c: ways(c.their_builders()),
     "leaves the opponent {a} rolls? that makes? a good point instead of {b}"),
    ("duel", lambda c: ways(c.their_builders()), "gives the opponent {a} rolls? for a good point, {d} {way}"),
    ("off", lambda c: c.position.player[0], "takes {d} {way} off"),
    ("off", lambda c: c.position.player[0], "bears off {d} {way}"),
    ("crossovers", crossings, "has {a} crossovers? left instead of {b}"),
    ("crossovers", crossings, "saves {d} of {b} crossovers?"),
    ("ends", lambda c: ways(c.ends()), "ends the game next turn with (?:only )?{a} rolls? instead of {b}"),
    ("ends", lambda c: ways(c.ends()), "bears off the last checker next with {a} rolls? of 36 instead of {b}"),
    ("ends", lambda c: ways(c.ends()), "wins on the next turn with {a} rolls? of 36, {d} more"),
    ("prime", row, "has {a} points in a row instead of {b}"),
    ("prime", row, "has {a} points in a row instead of {few}fewer than 4"),
    ("prime", row, "has fewer than 4{zero} points in a row instead of {b}"),
    ("back", back, "{zero}leaves no checker in the opponent's home board"),
    ("back", back, "{zero}has every checker out of the opponent's home board"),
    ("back", back, "leaves {a} checkers? behind instead of {b}"),
    ("builders", lambda c: ways(c.builders()),
     "has (?:only )?{a} rolls? that makes? a good point next instead of {b}"),
    ("builders", lambda c: ways(c.builders()), "brings {a} rolls? that makes? a good point, {d} more"),
    ("builders", lambda c: ways(c.builders()),
     r"prepares better \({a} rolls? makes? a good point next instead of {b}\)"),
]  # fmt: skip


def _pattern(text: str) -> str:
    text = text.replace("{zero}", "(?P<zero>)").replace("{few}", "(?P<few>)")
    text = text.replace("{way}", "(?P<way>more|fewer)")
    for letter in "abd":
        text = text.replace(f"{{{letter}}}", f"(?P<{letter}>{N})")
    return text


COUNTED_PATTERNS = [(kind, value, re.compile(_pattern(text))) for kind, value, text in COUNTED]


def counted(plays: Plays, text: str) -> str:
    """Every phrase with numbers is checked and taken out; the rest comes back."""

    def check(match: re.Match[str], kind: str, value: Count) -> str:
        best, played = plays.both(value)
        groups = match.groupdict()
        assert groups.get("a") is None or number(groups["a"]) == best, (kind, match[0], best, played)
        assert groups.get("b") is None or number(groups["b"]) == played, (kind, match[0], best, played)
        assert groups.get("d") is None or number(groups["d"]) == abs(best - played), (kind, match[0], best, played)
        assert "zero" not in groups or best == 0, (kind, match[0], best)
        assert "few" not in groups or played == 0, (kind, match[0], played)
        assert groups.get("way") is None or (groups["way"] == "more") is (best > played), (kind, match[0])
        assert best != played or kind == "stack", (kind, match[0], best, played)
        plays.seen.add(kind)
        return "~"

    def built(match: re.Match[str]) -> str:
        point = place(match["p"])
        best, played = plays.both(lambda counts: ways(counts.makes(point)))
        assert number(match["a"]) == best, (match[0], best, played)
        assert match.groupdict().get("b") is None or number(match["b"]) == played, (match[0], best, played)
        assert match.groupdict().get("d") is None or number(match["d"]) == best - played, (match[0], best, played)
        plays.seen.add("builders")
        return "~"

    a, b, d = f"(?P<a>{N})", f"(?P<b>{N})", f"(?P<d>{N})"
    for form in (
        rf"has (?:only )?{a} rolls? that makes? {POINT} next instead of {b}",
        rf"brings {a} rolls? that makes? {POINT}, {d} more",
        rf"prepares better \({a} rolls? makes? {POINT} next instead of {b}\)",
    ):
        text = re.sub(form, built, text)
    for kind, value, pattern in COUNTED_PATTERNS:
        text = pattern.sub(lambda match, kind=kind, value=value: check(match, kind, value), text)
    return text


def shaped(plays: Plays, text: str) -> str:
    """Phrases about points, hits, primes, gaps and checkers out of play: checked and taken out."""
    before, best, played = plays.before.player, plays.best.position, plays.played.position

    def new(match: re.Match[str]) -> bool:
        point = place(match["p"])
        return before[point] < 2 <= best.player[point] and played.player[point] < 2

    def kept(match: re.Match[str]) -> bool:
        point = place(match["p"])
        return before[point] >= 2 and best.player[point] >= 2 > played.player[point]

    def broken(match: re.Match[str]) -> bool:
        point = place(match["p"])
        return before[point] >= 2 > best.player[point] and played.player[point] >= 2

    def left(match: re.Match[str]) -> bool:
        point = place(match["p"])
        return before[point] < 2 <= played.player[point] and best.player[point] < 2

    def at_home(match: re.Match[str]) -> bool:
        """The point is the only new one at home, and with it there are so many."""
        points_made = sum(best.player[point] >= 2 > before[point] for point in range(1, 7))
        places = {"third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
        return new(match) and points_made == 1 and (places.get(match["n"]) or number(match["n"])) == home(plays.best)

    def anchor(match: re.Match[str]) -> bool:
        return place(match["p"]) >= 19

    def hits(match: re.Match[str]) -> bool:
        point = place(match["p"])
        more = plays.both(sent(plays))
        return plays.before.opponent[25 - point] == 1 and best.opponent[25 - point] == 0 and more[0] > more[1]

    def missed(match: re.Match[str]) -> bool:
        point = place(match["p"])
        more = plays.both(sent(plays))
        return plays.before.opponent[25 - point] == 1 and played.opponent[25 - point] == 0 and more[0] < more[1]

    def deep(one: Position, other: Position, match: re.Match[str]) -> bool:
        """More checkers of ``one`` lie on the place named, so many more on the two lowest points together."""
        low = (1, 2) if match["q"] == "the two lowest points" else (place(match["q"]),)
        more = all(one.player[point] > other.player[point] for point in low) or (
            len(low) == 2 and sum(one.player[1:3]) > sum(other.player[1:3])
        )
        size = sum(one.player[1:3]) - sum(other.player[1:3])
        return more and size == number(match["n"])

    def primes(match: re.Match[str]) -> bool:
        groups = match.groupdict()
        length, ok = number(groups["a"]), row(plays.best) > row(plays.played)
        low = int(groups["low"]) if groups.get("low") else None
        lows = [low] if low else range(1, 25)
        ok &= any(
            all(at <= 24 and best.player[at] >= 2 for at in range(point, point + length))
            and (groups.get("n") is None or plays.best.behind(point) == number(groups["n"]))
            for point in lows
        )
        return ok and (low is None or int(groups["high"]) == low + length - 1) and (
            groups.get("b") is None or int(groups["b"]) == row(plays.played)
        ) and length == row(plays.best)  # fmt: skip

    deeps = f"(?P<n>a|{N}) checkers?", r"(?P<q>the two lowest points|the ace point|the 2 point)"
    trapped = f"(?P<n>{N}) of the opponent's checkers"
    forms: list[tuple[str, str, Callable[[re.Match[str]], bool]]] = [
        ("makes", f"makes an anchor on {POINT}", lambda f: new(f) and anchor(f)),
        ("makes", f"anchors on {POINT}", lambda f: new(f) and anchor(f)),
        ("makes", f"makes {POINT} for a (?P<n>\\d)-point board", at_home),
        ("makes", f"makes {POINT} as the (?P<n>third|fourth|fifth|sixth) at home", at_home),
        ("makes", f"does not make {POINT}", left),
        ("makes", f"(?:makes|closes|takes) {POINT}", new),
        ("keeps", f"(?:gives up the anchor|gives the anchor) on {POINT}(?: up)?", lambda f: broken(f) and anchor(f)),
        ("keeps", f"keeps the anchor on {POINT} that P gives up", lambda f: kept(f) and anchor(f)),
        ("keeps", f"holds the anchor on {POINT}", lambda f: kept(f) and anchor(f)),
        ("keeps", f"stays on {POINT}", lambda f: kept(f) and anchor(f)),
        ("keeps", f"breaks {POINT}", broken),
        ("keeps", f"gives {POINT} up", broken),
        ("keeps", f"holds {POINT} that P breaks", kept),
        ("keeps", f"does not break {POINT}", kept),
        ("gap", f"leaves a gap on {POINT}", lambda f: best.player[place(f["p"])] == 0 < played.player[place(f["p"])]),
        ("gap", f"leaves no gap on {POINT}", lambda f: best.player[place(f["p"])] > 0 == played.player[place(f["p"])]),
        ("gap", f"fills {POINT}", lambda f: best.player[place(f["p"])] > 0 == played.player[place(f["p"])]),
        ("keeps", f"keeps {POINT}", kept),
        ("hits", rf"takes (?P<n>\d+) pips? from the opponent by a hit on {POINT}",
         lambda f: hits(f) and place(f["p"]) == int(f["n"])),
        ("hits", f"sends the blot on {POINT} back", hits),
        ("hits", f"does not hit on {POINT}", missed),
        ("hits", f"lets the blot on {POINT} go", missed),
        ("hits", f"hits on {POINT}", hits),
        ("hits", f"(?:sends|hits) (?P<n>{N}) more(?: back)?",
         lambda f: plays.both(sent(plays))[0] - plays.both(sent(plays))[1] == number(f["n"])),
        ("hits", "does not hit|hits fewer checkers than P",
         lambda f: plays.both(sent(plays))[0] < plays.both(sent(plays))[1]),
        ("hits", rf"\((?P<n>{N}) rolls of 36 stay out\)", lambda f: ways(plays.best.dances()) == int(f["n"])),
        ("prime", f"blocks {trapped} with (?P<a>\\d+) points in a row", primes),
        ("prime", rf"has a prime of (?P<a>\d+) from (?P<high>\d+) to (?P<low>\d+) in front of {trapped}", primes),
        ("prime", (r"has (?P<a>\d+) points in a row from (?P<high>\d+) to (?P<low>\d+) instead of"
         r" (?:(?P<b>\d+)|fewer than 4)"), primes),
        ("deep", f"puts {deeps[0]} out of play on {deeps[1]}", lambda f: deep(best, played, f)),
        ("deep", f"keeps {deeps[0]} in play that P buries on {deeps[1]}", lambda f: deep(played, best, f)),
        ("deep", f"does not play {deeps[0]} down to {deeps[1]}", lambda f: deep(played, best, f)),
        ("deep", f"has {deeps[0]} fewer on {deeps[1]}", lambda f: deep(played, best, f)),
        ("back", f"leaves (?P<n>{N}) checkers? in the opponent's home board instead of (?P<m>{N})",
         lambda f: (sum(best.player[19:25]), sum(played.player[19:25])) == (number(f["n"]), number(f["m"]))),
        ("cheap", r"\(a hit costs only (?P<n>\d+) pips? on average\)", lambda f: cost(plays.best) == int(f["n"])),
        ("cheap", r"\(the opponent holds (?P<n>only one|no) point of his home board\)",
         lambda f: sum(best.opponent[at] >= 2 for at in range(1, 7)) == int(f["n"] == "only one")),
        ("cheap", rf"\(the opponent has (?P<n>{N}) blots in his home board\)",
         lambda f: sum(best.opponent[at] == 1 for at in range(1, 7)) == number(f["n"])),
    ]  # fmt: skip
    for kind, form, right in forms:

        def check(match: re.Match[str], kind: str = kind, right: Callable[[re.Match[str]], bool] = right) -> str:
            assert right(match), (kind, match[0], plays.before.text, best.text, played.text)
            plays.seen.add(kind)
            return "~"

        text = re.sub(form, check, text)
    return text


def plans(plays: Plays, text: str) -> bool:
    match = re.fullmatch(r"B is a (.+), P a (.+)\.", text)
    if not match:
        return False
    assert match.groups() == (slow_plan(plays.best.position), slow_plan(plays.played.position)), text
    plays.seen.add("plans")
    return True
