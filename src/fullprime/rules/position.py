"""A position: the checkers of both sides, as two rows of counts, each numbered by its owner.

Index 0 is borne off, 1-24 are the points (1 = the owner's ace point), 25 is the bar and 26 the hand (not yet
entered; Dutch Backgammon and Acey Deucey). The player on roll comes first. Swapping sides exchanges the two
rows: no index is ever reversed, no sign flipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING

from fullprime.rules import late_binding
from fullprime.rules.errors import PositionError
from fullprime.rules.taking import short_value, to_bool, to_integer, whole_number

if TYPE_CHECKING:
    from fullprime.rules.late_binding import AnyRoll, Play, Variant

OFF = 0
BAR = 25
HAND = 26
SLOTS = 27

Row = tuple[int, ...]
"""27 counts of one side's checkers, in its own numbering."""

Counts = Mapping[int, int] | Mapping[str, int] | Mapping[int | str, int]
"""Checkers by their place: a number, or ``off``, ``bar``, ``hand``."""

_WORDS = {"off": OFF, "bar": BAR, "hand": HAND}
_NAMES = {OFF: "off", **{point: str(point) for point in range(1, BAR)}, BAR: "bar", HAND: "hand"}
_PIPS = (*range(HAND), BAR)
"""The pips that a checker still has to go, by its slot: the bar and the hand count 25."""
MOST_CHECKERS = 15


def slot_name(slot: int) -> str:
    """The word for a slot: ``bar``, ``hand``, ``off`` or the point's number."""
    return _NAMES.get(slot) or str(slot)


def mirror(point: int) -> int:
    """The other side's number for the same point (1 is the other side's 24)."""
    return 25 - point


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A board seen by the player on roll.

    ``player_licence`` and ``opponent_licence`` matter only in games in which the right to hit must be earned
    (Dutch Backgammon): they say that a side has earned it although none of its checkers is home or off now.
    A side with a checker home or off holds the licence anyway, and its flag stays ``False``. Raises PositionError for
    rows that are not 27 counts; :meth:`check` says whether they can stand on a board.
    """

    player: Row
    opponent: Row
    player_licence: bool = False
    opponent_licence: bool = False

    def __post_init__(self) -> None:
        for name in ("player", "opponent"):
            row = getattr(self, name)
            if not isinstance(row, tuple) or len(row) != SLOTS:
                raise PositionError(f"{name}: a side is a tuple of {SLOTS} counts, not {short_value(row)}")
            if {*map(type, row)} != {int}:
                object.__setattr__(self, name, tuple(_count(count) for count in row))
        for name in ("player_licence", "opponent_licence"):
            if not isinstance(getattr(self, name), bool):
                object.__setattr__(self, name, to_bool(name, getattr(self, name), PositionError))

    # -- making -------------------------------------------------------------------------------------------
    @classmethod
    def of(
        cls,
        player: Counts,
        opponent: Counts,
        checkers: int = MOST_CHECKERS,
    ) -> Position:
        """A position from ``{slot: count}`` for each side; checkers missing up to ``checkers`` are borne off.

        Slots are numbers or the words ``off``, ``bar``, ``hand``; ``licence`` is a truth value.

        >>> Position.of({6: 2, "bar": 1}, {24: 3}, checkers=3).text
        'bar 6:2 / 24:3'
        """
        rows: list[Row] = []
        licences: list[bool] = []
        checkers = to_integer("checkers", checkers, 1, MOST_CHECKERS, PositionError)
        for side in (player, opponent):
            if not isinstance(side, Mapping):
                raise PositionError(f"{short_value(side)}: a side is its counts by place, such as {{6: 5, 'bar': 1}}")
            row = [0] * SLOTS
            licence = False
            for key, count in side.items():
                if key == "licence":
                    licence = bool(count) if count in (0, 1) else to_bool("licence", count, PositionError)
                    continue
                row[_slot(key)] += _count(count)
            if not any(str(key) in ("off", "0") for key in side):
                row[OFF] = checkers - sum(row)
            rows.append(tuple(row))
            licences.append(licence and not _implies_licence(row))
        position = cls(rows[0], rows[1], *licences)
        position.check(checkers)
        return position

    @classmethod
    def from_text(cls, text: str, checkers: int = MOST_CHECKERS) -> Position:
        """Read our text form; the inverse of :attr:`text`.

        >>> Position.from_text("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5").pips
        (167, 167)

        Raises PositionError for anything that is not a position of ``checkers`` checkers a side.
        """
        if not isinstance(text, str):
            raise PositionError(f"{short_value(text)} is no text of a position")
        sides = text.strip().split("/")
        if len(sides) != 2:
            raise PositionError(f"{_short(text)}: a position has two sides with one '/' between them")
        counts: list[dict[int | str, int]] = []
        for side in sides:
            places: dict[int | str, int] = {}
            for word in side.split():
                name, colon, number = word.partition(":")
                name = name.lower()
                if name == "licence" and not colon:
                    places["licence"] = 1
                    continue
                if colon and not (number.isascii() and number.isdigit() and len(number) <= 2):
                    raise PositionError(f"{_short(word)}: the count of checkers must be a number")
                slot: int | str = name if name in _WORDS else _slot(name)
                if slot in places:
                    raise PositionError(f"{_short(word)}: this place is named twice in {_short(side.strip())!r}")
                places[slot] = int(number) if colon else 1
            counts.append(places)
        return cls.of(counts[0], counts[1], checkers)

    @classmethod
    def start(cls, variant: str | Variant = "backgammon") -> Position:
        """The board before the first roll of a game; raises SettingsError for an unknown game."""
        return late_binding.variant_named(variant).starting_position

    @classmethod
    def from_id(cls, text: str) -> Position:
        """The board that an identifier of any kind describes (XGID, GNU ID, OGID, FIBS, our text); raises IdError.

        >>> Position.from_id("4HPwATDgc/ABMA") == Position.start()
        True
        """
        return late_binding.to_position(text)

    # -- reading ------------------------------------------------------------------------------------------
    @property
    def text(self) -> str:
        """Our text form: the player on roll first, each side in its own numbering; complete for every variant."""
        return f"{_side(self.player, self.player_licence)} / {_side(self.opponent, self.opponent_licence)}"

    def __repr__(self) -> str:
        return f"Position.from_text({self.text!r}, checkers={self.checkers})"

    def __str__(self) -> str:
        """The board as text, the player on roll at the bottom."""
        return late_binding.game_board(self)

    def _repr_svg_(self) -> str:
        """The board in a notebook."""
        return late_binding.notebook_picture(self)

    def plays(self, dice: AnyRoll, variant: str | Variant | None = None) -> tuple[Play, ...]:
        """Every legal play of a roll, distinct by the board it leads to; a single empty one where none is possible.

        ``variant``: whose rules are meant; by default those of backgammon, or of the game with this number of checkers.
        """
        return late_binding.plays_of(self, dice, variant)

    @property
    def checkers(self) -> int:
        """The number of checkers of each side in this game, those borne off included."""
        return sum(self.player)

    @property
    def pips(self) -> tuple[int, int]:
        """Pip counts of (player on roll, opponent). The bar and the hand count 25 a checker."""
        return pip_count(self.player), pip_count(self.opponent)

    @property
    def swapped(self) -> Position:
        """The board as the other player sees it."""
        return unchecked_position(self.opponent, self.player, self.opponent_licence, self.player_licence)

    @property
    def is_race(self) -> bool:
        """True when no checker of either side can ever meet one of the other side again."""
        return rearmost(self.player) + rearmost(self.opponent) <= 24

    @property
    def is_over(self) -> bool:
        """True when one side has borne off every checker."""
        return self.player[OFF] == self.checkers or self.opponent[OFF] == self.checkers

    def check(self, checkers: int = MOST_CHECKERS) -> None:
        """Raise PositionError unless this can stand on a board: counts, totals, no point held by both sides."""
        checkers = to_integer("checkers", checkers, 1, MOST_CHECKERS, PositionError)
        for name, row in (("player on roll", self.player), ("opponent", self.opponent)):
            if len(row) != SLOTS:
                raise PositionError(f"{name}: a side has {SLOTS} counts, not {len(row)}")
            if min(row) < 0:
                raise PositionError(f"{name} has more than {checkers} checkers or a negative count: {self.text}")
            if sum(row) != checkers:
                raise PositionError(f"{name} has {sum(row)} checkers instead of {checkers}: {self.text}")
        for point in range(1, 25):
            if self.player[point] and self.opponent[mirror(point)]:
                raise PositionError(f"both sides stand on the player's {point}-point: {self.text}")
        if self.player[OFF] == checkers and self.opponent[OFF] == checkers:
            raise PositionError("both sides have borne off every checker")


_new = object.__new__
_set_player, _set_opponent, _set_player_licence, _set_opponent_licence = (
    Position.__dict__[name].__set__ for name in ("player", "opponent", "player_licence", "opponent_licence")
)


def unchecked_position(player: Row, opponent: Row, player_licence: bool, opponent_licence: bool) -> Position:
    """Make a position without checking its rows: for inner loops, whose rows are known to be right."""
    position = _new(Position)
    _set_player(position, player)
    _set_opponent(position, opponent)
    _set_player_licence(position, player_licence)
    _set_opponent_licence(position, opponent_licence)
    return position


def has_licence(row: Row, licence: bool) -> bool:
    """True if a side that must earn the right to hit has earned it (source 003, line 150)."""
    return licence or _implies_licence(row)


def pip_count(row: Row) -> int:
    """Pips one side still has to go; the bar and the hand count 25 a checker."""
    return sum(map(mul, _PIPS, row))


def pip_words(row: Row) -> str:
    """A pip count in words: ``167 pips``, ``1 pip``."""
    count = pip_count(row)
    return "1 pip" if count == 1 else f"{count} pips"


def rearmost(row: Row) -> int:
    """The highest place of a side: 25 for the bar or the hand, 0 when everything is off."""
    if row[HAND]:
        return BAR
    return next((slot for slot in range(BAR, 0, -1) if row[slot]), 0)


def longest_prime(row: Row) -> int:
    """The greatest number of adjacent points that one side blocks with two checkers or more."""
    best = run = 0
    for checkers in row[1:25]:
        if checkers < 2:
            run = 0
            continue
        run += 1
        best = max(best, run)
    return best


def is_full_prime(row: Row) -> bool:
    """True for six blocked points in a row, which no opposing checker can pass (source 003, lines 101-107)."""
    return longest_prime(row) >= 6


def _implies_licence(row: Row | list[int]) -> bool:
    return row[OFF] > 0 or any(row[1:7])


def _count(value: object) -> int:
    count = whole_number(value)
    if count is None:
        raise PositionError(f"{short_value(value)}: the count of checkers must be a number")
    return count


def _slot(key: object) -> int:
    if isinstance(key, str):
        if key in _WORDS:
            return _WORDS[key]
        if not (key.isascii() and key.isdigit() and len(key) <= 2):
            raise PositionError(f"{_short(key)}: not a point (1-24), 'bar', 'hand' or 'off'")
        key = int(key)
    slot = whole_number(key)
    if slot is None or (not 1 <= slot <= 24 and slot not in (OFF, BAR)):
        raise PositionError(f"{short_value(key)}: points are numbered 1 to 24")
    return slot


def _side(row: Row, licence: bool) -> str:
    words = [
        slot_name(slot) + (f":{row[slot]}" if row[slot] != 1 else "")
        for slot in (HAND, *range(BAR, -1, -1))
        if row[slot]
    ]
    if licence:
        words.append("licence")
    return " ".join(words)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
