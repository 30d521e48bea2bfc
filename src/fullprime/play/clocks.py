"""Clocks: a simple delay before each turn's time counts, a reserve for the match, or so many days for each turn.

A clock is read from the times at which the events of a match were stored, and from nothing else: any process reads the
same, and a server that stood still takes nobody's time back. A turn lasts from the moment at which a player must decide
until the other one must; answering a double is a turn of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from fullprime.messages import Message
from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Player, Settings

DAY = 86_400.0
_MONEY_AS = 5
"""A game of a money session has the reserve of a match to so many points."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds of delay in each turn, and of reserve for each player."""

    delay: float
    reserve: float

    @property
    def days(self) -> int | None:
        """Days for each turn of a correspondence game; None for any other."""
        return round(self.delay / DAY) if self.delay >= DAY else None

    @property
    def words(self) -> str:
        """The control in words for people.

        >>> TimeControl(12, 600).words, TimeControl(3 * DAY, 0).words
        ('12 s delay, 10 min reserve', '3 days a turn')
        """
        if self.days:
            return f"{self.days} day{'s' if self.days > 1 else ''} a turn"
        minutes, seconds = divmod(round(self.reserve), 60)
        reserve = " ".join([f"{minutes} min"] * bool(minutes) + [f"{seconds} s"] * bool(seconds or not minutes))
        return f"{self.delay:g} s delay, {reserve} reserve"


@dataclass(frozen=True, slots=True)
class Preset:
    """A time control that grows with the length of the match."""

    delay: float
    per_point: float
    about: str


PRESETS: Mapping[str, Preset] = MappingProxyType({
    "usbgf": Preset(12, 120, "12 s delay, 2 min a point"),
    "slow": Preset(15, 180, "15 s delay, 3 min a point"),
    "medium": Preset(10, 60, "10 s delay, 1 min a point"),
    "fast": Preset(8, 20, "8 s delay, 20 s a point"),
    "bullet": Preset(2, 6, "2 s delay, 6 s a point"),
})  # fmt: skip
"""The usual controls by name. US Backgammon Federation, Tournament Rules: 12 seconds of simple delay, a reserve of two
minutes for each point of the match."""

_CUSTOM = re.compile(r"(\d{1,2})\+(\d{1,5})", re.ASCII)
_DAYS = re.compile(r"(\d{1,2})d", re.ASCII)


def time_control(text: str, settings: Settings) -> TimeControl:
    """The control of a preset's name, of ``12+600`` (delay and reserve in seconds), or of ``3d`` (days a turn).

    Raises SettingsError.

    >>> time_control("usbgf", Settings(length=7))
    TimeControl(delay=12, reserve=840)
    """
    preset = PRESETS.get(text)
    if preset is not None:
        return TimeControl(preset.delay, preset.per_point * (settings.length or _MONEY_AS))
    if found := _CUSTOM.fullmatch(text):
        delay, reserve = float(found[1]), float(found[2])
        if delay + reserve >= 5:
            return TimeControl(delay, reserve)
        raise SettingsError(Message("a clock of {text}: nobody can play with less than 5 seconds", text=text))
    if (found := _DAYS.fullmatch(text)) and 1 <= int(found[1]) <= 30:
        return TimeControl(int(found[1]) * DAY, 0.0)
    known = ", ".join(PRESETS)
    raise SettingsError(
        Message(
            "there is no clock {text}; there are {known}, seconds such as 12+600, and 1d to 30d",
            text=repr(text[:40]),
            known=known,
        )
    )


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock at one moment: the reserve that is left to X and O, whose turn it is and since when."""

    control: TimeControl
    left: tuple[float, float]
    running: Player | None = None
    since: datetime | None = None

    @classmethod
    def start(cls, control: TimeControl) -> Clock:
        """The clock before the first turn."""
        return cls(control, (control.reserve, control.reserve))

    def pressed(self, at: datetime, turn: Player | None) -> Clock:
        """After an event at that time, from when on it is that player's turn (None: no player's).

        While the turn stays with the same player it goes on, delay and all.
        """
        if turn is self.running:
            return self
        return replace(self, left=self.left_at(at), running=turn, since=at if turn is not None else None)

    def renewed(self) -> Clock:
        """With whole reserves, as each game of a money session begins."""
        return Clock.start(self.control)

    def left_at(self, at: datetime) -> tuple[float, float]:
        """The reserves at that time, 0 or more."""
        if self.running is None or self.since is None:
            return self.left
        used = max(0.0, (at - self.since).total_seconds() - self.control.delay)
        left = list(self.left)
        left[self.running] = max(0.0, left[self.running] - used)
        return left[0], left[1]

    @property
    def falls(self) -> datetime | None:
        """When the flag of the player who must act falls, unless they act before; None while nobody must."""
        if self.running is None or self.since is None:
            return None
        return self.since + timedelta(seconds=self.control.delay + self.left[self.running])

    def loser(self, at: datetime) -> Player | None:
        """The player whose flag has fallen by that time."""
        falls = self.falls
        return self.running if falls is not None and at >= falls else None


def read(
    control: TimeControl, turns: Iterable[tuple[datetime | None, Player | None, bool]], *, renew: bool = False
) -> Clock:
    """The clock after events: for each when it was stored, whose turn it was after it, and whether it began a game.

    With ``renew`` the reserves are whole again in each game.
    """
    clock = Clock.start(control)
    for at, turn, begins in turns:
        if begins and renew:
            clock = clock.renewed()
        if at is not None:
            clock = clock.pressed(at, turn)
    return clock
