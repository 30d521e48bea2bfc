"""Patterns of positions: the text form of a position with wildcards. ``docs/library.md`` has the grammar."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.reviews.match_facts import place_bits
from fullprime.rules.errors import PositionError
from fullprime.rules.position import BAR, HAND, OFF, SLOTS, Position

MOST = 99
"""Stands for any number of checkers."""
_WORDS = {"off": OFF, "bar": BAR, "hand": HAND}


@dataclass(frozen=True, slots=True)
class SidePattern:
    """The least and the greatest number of checkers of one side on each of the 27 places, and its licence if asked."""

    least: tuple[int, ...]
    most: tuple[int, ...]
    licence: bool | None = None

    def fits(self, row: tuple[int, ...], licence: bool) -> bool:
        """True if a side stands like that."""
        if self.licence is not None and licence is not self.licence:
            return False
        return all(low <= count <= high for low, count, high in zip(self.least, row, self.most, strict=True))

    @property
    def present(self) -> int:
        """A bit for each place on which a checker must stand."""
        return place_bits(self.least, 1)

    @property
    def made(self) -> int:
        """A bit for each place on which two or more must stand."""
        return place_bits(self.least, 2)

    @property
    def absent(self) -> int:
        """A bit for each place on which none may stand."""
        return sum(1 << slot for slot in range(1, HAND + 1) if self.most[slot] == 0)

    @property
    def single(self) -> int:
        """A bit for each place on which at most one may stand."""
        return sum(1 << slot for slot in range(1, HAND + 1) if self.most[slot] <= 1)

    @property
    def pips(self) -> tuple[int, int | None]:
        """The lowest and the highest pip count that fits; None for no limit."""
        weights = [min(slot, BAR) for slot in range(SLOTS)]
        lowest = sum(weight * count for weight, count in zip(weights, self.least, strict=True))
        if any(count == MOST for slot, count in enumerate(self.most) if slot != OFF):
            return lowest, None
        return lowest, sum(weight * count for weight, count in zip(weights, self.most, strict=True))


@dataclass(frozen=True, slots=True)
class Pattern:
    """The conditions on both sides, the player on roll first.

    >>> pattern = Pattern.from_text("6:3+ 8:* bar / *")
    >>> pattern.fits(Position.from_text("bar 6:4 / 24:2 13:5"))
    True
    >>> pattern.fits(Position.from_text("bar 7 6:4 / 24:2 13:5"))
    False
    """

    player: SidePattern
    opponent: SidePattern

    @classmethod
    def from_text(cls, text: str) -> Pattern:
        """Read a pattern; raises PositionError with the word that is none."""
        sides = text.strip().split("/")
        if len(sides) != 2:
            raise PositionError(f"{text[:60]!r}: a pattern has two sides with one '/' between them")
        return cls(_side(sides[0]), _side(sides[1]))

    def fits(self, position: Position) -> bool:
        """True if a position is one of these."""
        return self.player.fits(position.player, position.player_licence) and self.opponent.fits(
            position.opponent, position.opponent_licence
        )


def _side(text: str) -> SidePattern:
    words = text.lower().split()
    free = "*" in words
    least, most = [0] * SLOTS, [MOST if free else 0] * SLOTS
    most[OFF] = MOST
    licence: bool | None = None if free else False
    slots: set[int] = set()
    for word in words:
        if word == "*":
            continue
        if word == "licence":
            licence = True
            continue
        place, colon, count = word.partition(":")
        low, high = _counts(count, word) if colon else (1, 1)
        for slot in _slots(place, word):
            if slot in slots:
                raise PositionError(f"{word[:40]!r}: place {place} is named twice in {text.strip()[:60]!r}")
            slots.add(slot)
            least[slot], most[slot] = low, high
    if not words:
        raise PositionError("a side of a pattern names its places, or is '*' for anything")
    return SidePattern(tuple(least), tuple(most), licence)


def _slots(place: str, word: str) -> list[int]:
    if place in _WORDS:
        return [_WORDS[place]]
    first, dash, last = place.partition("-")
    low, high = _number(first, word), _number(last, word) if dash else _number(first, word)
    if not 1 <= low <= high <= 24:
        raise PositionError(f"{word[:40]!r}: points are 1 to 24, ranges of them such as 3-8, or bar, hand, off")
    return list(range(low, high + 1))


def _counts(count: str, word: str) -> tuple[int, int]:
    if count == "*":
        return 0, MOST
    if count.endswith("+"):
        return _number(count[:-1], word), MOST
    first, dash, last = count.partition("-")
    low, high = _number(first, word), _number(last, word) if dash else _number(first, word)
    if low > high:
        raise PositionError(f"{word[:40]!r}: a range of counts goes upwards, such as 2-4")
    return low, high


def _number(text: str, word: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise PositionError(f"{word[:40]!r}: a place is written 6, 6:3, 6:3+, 6:2-4 or 6:*, several as 3-8:2+")
    return int(text)
