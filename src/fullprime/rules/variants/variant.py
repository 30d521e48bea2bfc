"""Variants: a frozen record of orthogonal options for each game. Games differ in data, not in code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from fullprime.rules import late_binding
from fullprime.rules.errors import SettingsError
from fullprime.rules.position import MOST_CHECKERS, SLOTS, Position, Row
from fullprime.rules.printing import Word, short_repr
from fullprime.rules.taking import is_tuple_of, short_value, to_bool, to_kind, to_member


class HitLicence(Word):
    """The condition under which a side may hit."""

    FREE = "free"
    """Always."""
    PERMANENT = "permanent"
    """Once one of its checkers has been moved into its home board, for the rest of the game."""
    CURRENT = "current"
    """While at least one of its checkers is in its home board or borne off."""


class FollowUp(Word):
    """The extra that a special roll gives after it has been played completely, one stage after the other."""

    CHOOSE_DOUBLE = "choose_double"
    """The player names a double and plays it."""
    COMPLEMENT = "complement"
    """The double of the other side of the dice (7 - n) is played."""
    ROLL_AGAIN = "roll_again"
    """The player throws again."""


class OpeningDice(Word):
    """The dice that the winner of the opening roll plays."""

    PLAY = "play"
    """The two dice that decided the opening."""
    REROLL = "reroll"
    """A fresh throw of both dice."""


class Settlement(Word):
    """The worth of a finished game."""

    GAMES = "games"
    """1 for a single game, 2 for a gammon, 3 for a backgammon."""
    CHECKERS = "checkers"
    """One for every checker of the loser that is not borne off (board, bar and hand)."""
    CHECKERS_ON_BOARD = "checkers_on_board"
    """One for every checker of the loser that stands on a point."""


class Backgammon(Word):
    """The condition under which a gammon is a backgammon, and its worth."""

    HOME_OR_BAR = "home_or_bar"
    """3 when the loser has a checker in the winner's home, on the bar or in hand (sources 000, 001, 003)."""
    BAR_ONLY = "bar_only"
    """3 when the loser has a checker on the bar or in hand (source 004)."""
    BAR_FOUR = "bar_four"
    """3 for the winner's home, 4 for the bar or the hand (source 001)."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Variant:
    """The rules of one game, as data. Money and match rules stand in ``score.Settings``."""

    name: str
    title: str
    start: Row
    """27 counts with which each side starts."""
    enter_all_first: bool = False
    """No checker on the board moves while the side has one in hand."""
    bar_priority: bool = True
    """No other checker moves while the side has one on the bar."""
    hit_licence: HitLicence = HitLicence.FREE
    entering_move_may_hit: bool = False
    """True if the very move that earns the licence may hit."""
    exact_bearoff: bool = False
    """A checker is borne off only by the exact number of its point."""
    opening_dice: OpeningDice = OpeningDice.PLAY
    reroll_opening_acey_deucey: bool = False
    """A 2-1 that decides the opening is thrown again instead of being played."""
    after_acey_deucey: tuple[FollowUp, ...] = ()
    after_double: tuple[FollowUp, ...] = ()
    settlement: Settlement = Settlement.GAMES
    acey_deucey_doubles_stake: bool = False
    """Every acey-deucey thrown, by either player, doubles the stake."""
    cube: bool = True
    """True if the game is played with a doubling cube at all."""

    def __post_init__(self) -> None:
        for name in ("name", "title"):
            to_kind(str, name, getattr(self, name), SettingsError)
        start: object = self.start
        if not (
            isinstance(start, tuple)
            and len(start) == SLOTS
            and all(type(count) is int and count >= 0 for count in start)
            and 1 <= sum(start) <= MOST_CHECKERS
        ):
            raise SettingsError(f"a start is {SLOTS} counts of 1 to {MOST_CHECKERS} checkers, not {short_value(start)}")
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(field.default, bool):
                object.__setattr__(self, field.name, to_bool(field.name, value))
            elif isinstance(field.default, Word):
                object.__setattr__(self, field.name, to_member(type(field.default), field.name, value))
            elif field.default == () and not (is_tuple_of(FollowUp, value)):
                object.__setattr__(self, field.name, _read_option(field.name, value, ()))

    def __repr__(self) -> str:
        """``variants['dutch']``, with what a house plays otherwise: ``.with_options({'bar_priority': 'no'})``."""
        shipped = late_binding.find_shipped(self.name)
        if shipped is None:
            return short_repr(self)
        changed = {name: value for name, value in self.options.items() if value != shipped.options[name]}
        again = f"variants[{self.name!r}]" + (f".with_options({changed!r})" if changed else "")
        return again if shipped.with_options(changed) == self else short_repr(self)

    def __str__(self) -> str:
        return self.title

    @property
    def checkers(self) -> int:
        """Checkers a side."""
        return sum(self.start)

    @property
    def starting_position(self) -> Position:
        """The board before the first roll."""
        return Position(self.start, self.start)

    @property
    def has_hand(self) -> bool:
        """True when checkers start in hand."""
        return self.start[26] > 0

    def with_options(self, options: Mapping[str, object]) -> Variant:
        """The game with some of its options changed; values may be text, as typed.

        Raises SettingsError for an unknown option or value.
        """
        to_kind(Mapping, "the options of a game", options, SettingsError)
        changes: dict[str, object] = {}
        names = option_names()
        for name, value in options.items():
            name = str(name).replace("-", "_")
            if name not in names:
                raise SettingsError(f"{self.name} has no option {name!r:.60}; options are {', '.join(sorted(names))}")
            changes[name] = _read_option(name, value, getattr(self, name))
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def options(self) -> dict[str, str]:
        """The options in force as text, by name."""
        return {name: _option_text(getattr(self, name)) for name in option_names()}


def option_names() -> tuple[str, ...]:
    """Names of the options of a variant, in the order in which they are declared."""
    return tuple(f.name for f in fields(Variant) if f.name not in ("name", "title", "start", "cube"))


def _option_text(value: object) -> str:
    if isinstance(value, tuple):
        return "+".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _read_option(name: str, value: object, current: object) -> object:
    if isinstance(current, bool):
        return to_bool(name, value)
    if not isinstance(value, str | bool | tuple):
        raise SettingsError(f"{name}: {short_value(value)} is no option; write it as text")
    text = _option_text(value).strip().lower().replace("-", "_")
    try:
        if isinstance(current, tuple):
            follow_ups = tuple(FollowUp(part) for part in text.split("+") if part and part != "none")
            if FollowUp.ROLL_AGAIN in follow_ups[:-1]:
                raise SettingsError(f"{name}: 'roll_again' can only come last, not in {value!r}")
            return follow_ups
        return type(current)(text)  # type: ignore[call-arg]
    except ValueError as error:
        if isinstance(error, SettingsError):
            raise
        choices = FollowUp if isinstance(current, tuple) else type(current)
        names = ", ".join(str(choice) for choice in choices)  # type: ignore[attr-defined]
        raise SettingsError(f"{name}: {value!r} is not one of {names}") from None


def counts(points: Mapping[int, int]) -> Row:
    """27 counts from ``{slot: count}``."""
    row = [0] * 27
    for slot, count in points.items():
        row[slot] = count
    return tuple(row)
