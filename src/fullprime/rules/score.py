"""Scores: the settings of a match or a money session, the score, and the worth of a finished game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from fullprime.rules import late_binding
from fullprime.rules.errors import SettingsError
from fullprime.rules.message import Message, label
from fullprime.rules.position import BAR, HAND, OFF, SLOTS, Row
from fullprime.rules.taking import (
    is_pair_of_numbers,
    is_tuple_of,
    make_plain,
    real_number,
    short_value,
    to_bool,
    to_kind,
    to_member,
    whole_number,
)
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import Backgammon, Settlement, Variant
from fullprime.rules.words import format_score

SINGLE, GAMMON, BACKGAMMON_LEVEL = 1, 2, 3
LONGEST_MATCH = 10_000
_NEEDS_CUBE = {
    "jacoby": Message("the Jacoby rule cannot be used without a doubling cube"),
    "beavers": Message("beavers cannot be used without a doubling cube"),
    "raccoons": Message("raccoons cannot be used without a doubling cube"),
    "cube_cap": Message("a limit of the cube cannot be used without a doubling cube"),
}


def _refuse_for_match(field: str, length: int) -> Message:
    match field:
        case "jacoby":
            return Message("the Jacoby rule is for money play, not for a match to {length}", length=length)
        case "beavers":
            return Message("beavers are for money play, not for a match to {length}", length=length)
        case "raccoons":
            return Message("raccoons are for money play, not for a match to {length}", length=length)
        case "automatic_doubles":
            return Message("automatic doubles are for money play, not for a match to {length}", length=length)
    return Message("a stake is for money play, not for a match to {length}", length=length)


MONEY_RULES: Mapping[str, object] = MappingProxyType(
    {"jacoby": False, "beavers": False, "raccoons": False, "automatic_doubles": 0, "stake": 1}
)
"""Settings of money play alone, each with its value in a match. ``parts/words.js`` names them for the pages."""
LEVEL_NAMES = {1: "single game", 2: "gammon", 3: "backgammon", 4: "backgammon on the bar"}


class Player(IntEnum):
    """The two sides, named as position identifiers draw them: X at the bottom, O at the top."""

    X = 0
    O = 1  # noqa: E741 - the letter that XGID and GNU Backgammon draw

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.O if self is Player.X else Player.X

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __repr__(self) -> str:
        return f"Player.{self.name}"


def to_player(value: object) -> Player:
    """A player: itself, or its letter. Raises SettingsError for anything else."""
    if isinstance(value, Player):
        return value
    if isinstance(value, str) and value.strip().upper() in Player.__members__:
        return Player[value.strip().upper()]
    raise SettingsError(Message("{value} is no player: there are X and O", value=short_value(value)))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Settings:
    """The rules in force around the board. Raises SettingsError for a mixture that contradicts itself.

    >>> Settings(length=7, jacoby=True)
    Traceback (most recent call last):
    ...
    fullprime.rules.errors.SettingsError: the Jacoby rule is for money play, not for a match to 7
    """

    variant: Variant = BACKGAMMON
    length: int = 0
    """Points of the match; 0 for money play."""
    stake: Decimal = Decimal(1)
    """Money play: the worth of a point."""
    cube: bool | None = None
    """True for play with the doubling cube, False for play without; None for the variant's own rule."""
    cube_cap: int | None = None
    """The highest value the cube may reach; None for no limit."""
    crawford: bool = True
    jacoby: bool = False
    beavers: bool = False
    raccoons: bool = False
    automatic_doubles: int | None = 0
    """The number of opening ties of a game that double the stake; None for every one (source 003)."""
    backgammon: Backgammon = Backgammon.HOME_OR_BAR

    if TYPE_CHECKING:  # a type checker sees what is taken, not the types of the fields that it becomes

        def __init__(
            self,
            *,
            variant: Variant | str = ...,
            length: int = ...,
            stake: Decimal | float | str = ...,
            cube: bool | str | None = ...,
            cube_cap: int | None = ...,
            crawford: bool | str = ...,
            jacoby: bool | str = ...,
            beavers: bool | str = ...,
            raccoons: bool | str = ...,
            automatic_doubles: int | None = ...,
            backgammon: Backgammon | str = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        self._take()
        if not self.stake.is_finite() or self.stake <= 0:
            raise SettingsError(Message("the stake must be more than nothing, not {stake}", stake=self.stake))
        for field, unused in MONEY_RULES.items():
            if self.is_match and getattr(self, field) != unused:
                with SettingsError.about(field):
                    raise SettingsError(_refuse_for_match(field, self.length))
        if self.cube and not self.variant.cube:
            raise SettingsError(
                Message("doubling is not part of {title}: it is played without a cube", title=label(self.variant.title))
            )
        cube_only = (
            (self.jacoby, "jacoby"),
            (self.beavers, "beavers"),
            (self.raccoons, "raccoons"),
            (self.cube_cap is not None, "cube_cap"),
        )
        for chosen, field in cube_only:
            if chosen and not self.cube:
                with SettingsError.about(field):
                    raise SettingsError(_NEEDS_CUBE[field])
        if self.automatic_doubles != 0 and not self.variant.cube:
            raise SettingsError(
                Message("doubling is not part of {title}: it has no automatic doubles", title=label(self.variant.title))
            )
        if self.raccoons and not self.beavers:
            with SettingsError.about("raccoons"):
                raise SettingsError(Message("raccoons answer beavers: they cannot be used without them"))
        if self.backgammon is not Backgammon.HOME_OR_BAR and self.variant.settlement is not Settlement.GAMES:
            raise SettingsError(
                Message("{title} settles by checkers left and knows no backgammon", title=label(self.variant.title))
            )

    def _take(self) -> None:
        """Put the values in the place of the words that people write for them."""
        variant: object = self.variant
        game = variant if isinstance(variant, Variant) else late_binding.variant_named(cast("str", variant))
        length = whole_number(self.length)
        if length is None:
            raise SettingsError(
                Message("the length of a match is a number of points, not {value}", value=short_value(self.length))
            )
        if not 0 <= length <= LONGEST_MATCH:
            raise SettingsError(
                Message("a match has 1 to 10000 points (0: money play), not {value}", value=short_value(length))
            )
        stake: object = self.stake
        values: dict[str, object] = {
            "variant": game,
            "length": length,
            "stake": stake if isinstance(stake, Decimal) else _stake(stake),
            "cube": game.cube if self.cube is None else to_bool("cube", self.cube),
            "backgammon": to_member(Backgammon, "backgammon", self.backgammon),
            "cube_cap": None if self.cube_cap is None else _cube_cap(self.cube_cap),
            "automatic_doubles": _automatic_doubles(self.automatic_doubles),
        }
        for name in ("crawford", "jacoby", "beavers", "raccoons"):
            values[name] = to_bool(name, getattr(self, name))
        for name, value in values.items():
            if getattr(self, name) is not value:
                object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        changes = [f"{name}={value!r}" for name, value in self._unusual()]
        return f"Settings({', '.join(changes)})"

    def __str__(self) -> str:
        """The game, the length and the rules in a line: ``Backgammon, match to 7, no Crawford rule``."""
        words = [self.variant.title, f"match to {self.length}" if self.is_match else "money play"]
        for name, value in self._unusual():
            if name in ("variant", "length"):
                continue
            title = name.replace("_", " ")
            words.append(title if value is True else f"no {title}" if value is False else f"{title} {value}")
        return ", ".join(words)

    def _unusual(self) -> list[tuple[str, object]]:
        """The settings that differ from the defaults, by name."""
        usual = {field.name: field.default for field in fields(self)} | {"cube": self.variant.cube}
        values = [(field.name, getattr(self, field.name)) for field in fields(self)]
        shown_fields = [(name, str(value) if isinstance(value, Decimal) else value) for name, value in values]
        return [
            (name, value) for (name, value), (_, real) in zip(shown_fields, values, strict=True) if real != usual[name]
        ]

    @property
    def is_match(self) -> bool:
        """True for a match, False for money play."""
        return self.length > 0

    def level(self, loser: Row, cube_turned: bool) -> int:
        """1, 2 or 3 (4) for a game that the side with ``loser`` on the board has lost to a bear-off."""
        _check_row(loser)
        if loser[OFF] or (self.jacoby and not cube_turned):
            return SINGLE
        behind = bool(loser[BAR] or loser[HAND])
        at_home = any(loser[19:25])
        if behind:
            return 4 if self.backgammon is Backgammon.BAR_FOUR else BACKGAMMON_LEVEL
        if at_home and self.backgammon is not Backgammon.BAR_ONLY:
            return BACKGAMMON_LEVEL
        return GAMMON

    def checkers_to_pay(self, loser: Row) -> int:
        """The checkers that the loser pays for where they settle a game: those not borne off, or those on points."""
        _check_row(loser)
        if self.variant.settlement is Settlement.CHECKERS_ON_BOARD:
            return sum(loser[1:25])
        return sum(loser) - loser[OFF]


def _check_row(row: object) -> None:
    if not is_tuple_of(int, row, SLOTS):
        raise SettingsError(
            Message("a side is {slots} counts of checkers, not {value}", slots=SLOTS, value=short_value(row))
        )


def _cube_cap(value: object) -> int:
    cap = whole_number(value)
    if cap is None or cap < 2 or cap & (cap - 1):
        raise SettingsError(
            Message("the cube's limit is a power of two from 2 on, not {value}", value=short_value(value))
        )
    return cap


def _automatic_doubles(value: object) -> int | None:
    count = None if value is None else whole_number(value)
    if value is not None and (count is None or count < 0):
        raise SettingsError(Message("automatic doubles are 0 or more, not {value}", value=short_value(value)))
    return count


def _stake(value: object) -> Decimal:
    try:
        if not isinstance(value, str) and real_number(value) is None:
            raise ArithmeticError
        return Decimal(str(value))
    except (ArithmeticError, ValueError):
        raise SettingsError(
            Message("a stake is a number such as 5 or 2.50, not {value}", value=short_value(value))
        ) from None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game. ``points`` counts the cube and every doubling of the stake, not the money for a point."""

    winner: Player
    """The player who won."""
    points: int
    """Points won, with the cube; checkers in games that settle by them."""
    level: int | None
    """1 single, 2 gammon, 3 backgammon, 4 with the bar; None in a game that settles by checkers."""
    how: str
    """The way it ended: ``bear-off``, ``drop`` or ``resignation``."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "winner", to_player(self.winner))
        if whole_number(self.points) is None:
            raise SettingsError(
                Message("a game is worth a number of points, not {value}", value=short_value(self.points))
            )
        if self.level is not None and whole_number(self.level) not in LEVEL_NAMES:
            raise SettingsError(
                Message("a game is won at level 1, 2, 3 or 4, not {value}", value=short_value(self.level))
            )
        make_plain(self, "points", "level")
        if not isinstance(self.how, str):
            raise SettingsError(
                Message("a game ends in a way that has a word, not {value}", value=short_value(self.how))
            )

    def __str__(self) -> str:
        """``X wins a gammon, 4 points (bear-off)``."""
        words = f"a {LEVEL_NAMES[self.level]}, " if self.level else ""
        return f"{self.winner} wins {words}{self.points} point{'s' if self.points != 1 else ''} ({self.how})"


@dataclass(frozen=True, slots=True)
class Score:
    """The running score, X first, and where the match stands with the Crawford rule."""

    points: tuple[int, int] = (0, 0)
    crawford_game: bool = False
    """The game in play is the Crawford game: no cube for either side."""
    post_crawford: bool = False
    """The Crawford game has been played."""

    def __post_init__(self) -> None:
        if not is_pair_of_numbers(self.points):
            raise SettingsError(
                Message("a score is two numbers of points, such as (3, 0), not {value}", value=short_value(self.points))
            )
        object.__setattr__(self, "points", (int(self.points[0]), int(self.points[1])))
        for name in ("crawford_game", "post_crawford"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                object.__setattr__(self, name, to_bool(name, value))

    def __str__(self) -> str:
        return f"{format_score(self.points)}" + (" (Crawford game)" if self.crawford_game else "")

    @classmethod
    def start(cls, settings: Settings, points: tuple[int, int] = (0, 0)) -> Score:
        """The score before a game; the first game in which a side is one point away is the Crawford game."""
        to_kind(Settings, "the settings", settings, SettingsError)
        points = cls(points).points
        if settings.is_match and not max(points) < settings.length:
            raise SettingsError(
                Message(
                    "a match to {length} is over at {standing}", length=settings.length, standing=format_score(points)
                )
            )
        if min(points) < 0 and settings.is_match:
            raise SettingsError(Message("no match score is {standing}", standing=format_score(points)))
        at_match_point = settings.length > 1 and max(points) == settings.length - 1
        return cls(points, crawford_game=settings.crawford and at_match_point)

    def after(self, result: Result, settings: Settings) -> Score:
        """The score with the game's points added, ready for the next game.

        In money play one side's gain is the other's loss only in the ledger: both columns keep what each has won.
        """
        to_kind(Result, "a result", result, SettingsError)
        to_kind(Settings, "the settings", settings, SettingsError)
        points = [*self.points]
        points[result.winner] += result.points
        pair = (points[0], points[1])
        if not settings.is_match or not settings.crawford:
            return Score(pair)
        played = self.post_crawford or self.crawford_game
        at_match_point = max(pair) == settings.length - 1
        return Score(pair, crawford_game=at_match_point and not played, post_crawford=played)

    def match_winner(self, settings: Settings) -> Player | None:
        """The winner of the match, or None while it goes on (always in money play)."""
        to_kind(Settings, "the settings", settings, SettingsError)
        if not settings.is_match:
            return None
        return next((player for player in (Player.X, Player.O) if self.points[player] >= settings.length), None)

    def away(self, settings: Settings) -> tuple[int, int] | None:
        """Points that X and O still need, or None in money play."""
        to_kind(Settings, "the settings", settings, SettingsError)
        if not settings.is_match:
            return None
        return (max(0, settings.length - self.points[0]), max(0, settings.length - self.points[1]))
