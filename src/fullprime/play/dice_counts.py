"""Compare the dice of a game with what chance gives: doubles, pips, and rolls that hit. Pure functions.

A roll counts for the side that threw it. The opening throw counts for neither, because each side throws one die of it
and ties are thrown again. Numbers that a roll gives besides, such as the double after an acey-deucey, have not been
thrown and do not count. docs/dice.md says what the figures mean.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import ClassVar, Final, Literal, TypeAlias

from fullprime.common.json_values import JsonFields, json_names
from fullprime.rules.actions import ActionKind
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.game import Action, Game
from fullprime.rules.position import BAR, Position
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player
from fullprime.rules.variants.variant import Variant

DiceStanding: TypeAlias = Literal["ordinary", "unusual", "rare"]
"""The distance from what chance gives: up to 2 standard deviations, up to 3, or more."""

THROWS: Final = 36
_UNUSUAL, _RARE = 2.0, 3.0
_DIGITS: Final = 4
_DOUBLES: Final = Fraction(sum(roll.weight for roll in ALL_ROLLS if roll.is_double), THROWS)
_PIPS: Final = Fraction(sum(roll.weight * sum(roll.dice) for roll in ALL_ROLLS), THROWS)
_PIPS_SPREAD: Final = Fraction(sum(roll.weight * sum(roll.dice) ** 2 for roll in ALL_ROLLS), THROWS) - _PIPS**2


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceCount:
    """A count, and what chance gives."""

    __json_digits__: ClassVar[int] = _DIGITS

    count: int
    """The number that came."""
    expected: float
    """The mean of what chance gives."""
    deviation: float
    """One standard deviation of what chance gives."""
    standing: DiceStanding
    """``ordinary`` within 2 standard deviations of the mean, ``unusual`` within 3, else ``rare``."""


def _chance_count(count: int, expected: Fraction, spread: Fraction) -> ChanceCount:
    deviation = sqrt(spread)
    distance = abs(float(count - expected))
    standing: DiceStanding = "ordinary"
    if distance > _UNUSUAL * deviation:
        standing = "unusual" if distance <= _RARE * deviation else "rare"
    return ChanceCount(count=count, expected=float(expected), deviation=deviation, standing=standing)


@dataclass(frozen=True, slots=True)
class SideDice:
    """The rolls of one side, counted; two of them are added by ``+``."""

    __json__: ClassVar[JsonFields] = json_names(
        "rolls", "hits", doubles="doubles_by_chance", pips="pips_by_chance", hitting="hitting_by_chance"
    )

    rolls: int = 0
    """The rolls of the side, without opening throws."""
    doubles: int = 0
    """The doubles among them."""
    pips: int = 0
    """The pips thrown; a double counts four times its number."""
    hitting: int = 0
    """The rolls with which some legal play hits."""
    hits: int = 0
    """The rolls that were played with a hit."""
    chances: int = 0
    """For each roll, the number of the 36 throws with which some legal play would have hit; their sum."""
    spread: int = 0
    """For each roll, that number times the number of the other throws; their sum."""

    def __add__(self, other: SideDice) -> SideDice:
        return SideDice(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))

    @property
    def doubles_by_chance(self) -> ChanceCount:
        """The doubles, of which every sixth roll is one."""
        return _chance_count(self.doubles, self.rolls * _DOUBLES, self.rolls * _DOUBLES * (1 - _DOUBLES))

    @property
    def pips_by_chance(self) -> ChanceCount:
        """The pips thrown, a double counted four times: a roll gives 8 1/6 of them."""
        return _chance_count(self.pips, self.rolls * _PIPS, self.rolls * _PIPS_SPREAD)

    @property
    def hitting_by_chance(self) -> ChanceCount:
        """The rolls with which some legal play hits, beside the sum of the chances that a roll is one."""
        return _chance_count(self.hitting, Fraction(self.chances, THROWS), Fraction(self.spread, THROWS**2))


NOTHING_THROWN: Final = SideDice()


@dataclass(frozen=True, slots=True)
class DiceCounts:
    """The dice of both sides."""

    __json__: ClassVar[JsonFields] = json_names(X="x", O="o")

    x: SideDice = NOTHING_THROWN
    """The rolls of X."""
    o: SideDice = NOTHING_THROWN
    """The rolls of O."""

    def __add__(self, other: DiceCounts) -> DiceCounts:
        return DiceCounts(self.x + other.x, self.o + other.o)

    def to_text(self) -> str:
        """The counts as the database keeps them."""
        return json.dumps([astuple(self.x), astuple(self.o)], separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> DiceCounts:
        """The counts that :meth:`to_text` has written."""
        x, o = json.loads(text)
        return cls(SideDice(*x), SideDice(*o))


@dataclass(frozen=True, slots=True)
class MatchDice:
    """The dice of a match so far."""

    game: DiceCounts
    """Those of the latest game."""
    match: DiceCounts
    """Those of all games of the match."""


def dice_of_match(match: Match) -> MatchDice:
    """Count the dice of a match; raises RulesError for a record that cannot be followed."""
    games = [dice_of_game(record) for record in match.games]
    return MatchDice(games[-1] if games else DiceCounts(), sum_of(games))


def dice_of_game(record: GameRecord) -> DiceCounts:
    """Count the dice of a game; raises RulesError for a record that cannot be followed."""
    sides = dict.fromkeys(Player, NOTHING_THROWN)
    thrower: Player | None = None
    for entry in record.entries():
        event, before = entry.event, entry.before
        if isinstance(event, Action) and event.kind is ActionKind.ROLL:
            thrower = before.on_roll
            sides[thrower] += _count_roll(before, Roll(*event.required_dice))
        elif entry.ends_a_move:
            # Only the play of the dice themselves: what a special roll gives besides was not thrown.
            if thrower is not None and _on_bar(entry.after, thrower.other) > _on_bar(before, thrower.other):
                sides[thrower] += SideDice(hits=1)
            thrower = None
    return DiceCounts(sides[Player.X], sides[Player.O])


def sum_of(counts: Iterable[DiceCounts]) -> DiceCounts:
    """The counts of several games together."""
    return sum(counts, DiceCounts())


def _on_bar(game: Game, side: Player) -> int:
    return game.position_of(side).player[BAR]


def _count_roll(before: Game, roll: Roll) -> SideDice:
    hitting = hitting_rolls(before.position, before.settings.variant)
    chances = sum(hit.weight for hit in hitting)
    return SideDice(
        rolls=1,
        doubles=int(roll.is_double),
        pips=sum(roll.dice),
        hitting=int(roll in hitting),
        chances=chances,
        spread=chances * (THROWS - chances),
    )


@lru_cache(maxsize=4096)
def hitting_rolls(position: Position, variant: Variant) -> frozenset[Roll]:
    """The rolls with which some legal play of the player on roll hits a checker, by the dice themselves.

    The plays of all rolls come from the kernels, because the server counts the match of an account while others play:
    one of 693 rolls takes 0.4 ms a roll, and took 1.7 ms by the readable rules.
    """
    if not _is_contact_with_blot(position):
        return frozenset()
    from fullprime.engine.boards.next_boards import next_boards

    on_bar = -position.opponent[BAR]
    boards_by_roll = zip(ALL_ROLLS, next_boards(position, variant), strict=True)
    return frozenset(roll for roll, boards in boards_by_roll if (boards[:, 0] < on_bar).any())


def _is_contact_with_blot(position: Position) -> bool:
    """True if a checker that stands alone on a point has one of the player's behind it."""
    farthest = max((place for place, count in enumerate(position.player) if count), default=0)
    return any(position.opponent[25 - place] == 1 for place in range(1, min(farthest, 25)))
