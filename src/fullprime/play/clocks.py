"""Clocks: a simple delay before each turn's time counts, a reserve for the match, or a number of days for each turn.

A clock is read from the times at which the events of a match were stored, and from nothing else, so any process reads
the same. Time goes on while no server runs. A turn lasts from the moment at which a player must decide until the other
one must; answering a double is a turn of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from fullprime.messages import Message
from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Player, Settings

DAY = 86_400.0
_MONEY_AS = 5
"""A game of a money session has the reserve of a match to this number of points."""


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
    def words(self) -> Message:
        """The control in words for people.

        >>> TimeControl(12, 600).words, TimeControl(3 * DAY, 0).words
        ('12 s delay, 10 min reserve', '3 days a turn')
        """
        if self.days:
            return Message.by_number(self.days, "{n} day a turn", "{n} days a turn")
        minutes, seconds = divmod(round(self.reserve), 60)
        facts = {"delay": f"{self.delay:g}", "minutes": minutes, "seconds": seconds}
        if not minutes:
            return Message("{delay} s delay, {seconds} s reserve", **facts)
        if not seconds:
            return Message("{delay} s delay, {minutes} min reserve", **facts)
        return Message("{delay} s delay, {minutes} min {seconds} s reserve", **facts)


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
    """Read a control: the name of a preset, ``12+600`` (delay and reserve in seconds), or ``3d`` (days a turn).

    Raises SettingsError.

    >>> time_control("usbgf", Settings(length=7))
    TimeControl(delay=12, reserve=840)
    """
    preset = PRESETS.get(text)
    if preset is not None:
        return TimeControl(preset.delay, preset.per_point * (settings.length or _MONEY_AS))
    if match := _CUSTOM.fullmatch(text):
        delay, reserve = float(match[1]), float(match[2])
        if delay + reserve >= 5:
            return TimeControl(delay, reserve)
        raise SettingsError(Message("a clock of {text}: nobody can play with less than 5 seconds", text=text))
    if (match := _DAYS.fullmatch(text)) and 1 <= int(match[1]) <= 30:
        return TimeControl(int(match[1]) * DAY, 0.0)
    names = ", ".join(PRESETS)
    raise SettingsError(
        Message(
            "there is no clock {text}; there are {known}, seconds such as 12+600, and 1d to 30d",
            text=repr(text[:40]),
            known=names,
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

    def press(self, at: datetime, turn: Player | None) -> Clock:
        """The clock after an event at that time, which gives that player the turn (None: no player).

        Where the player had the turn already, it goes on, its delay included.
        """
        if turn is self.running:
            return self
        return replace(self, left=self.reserves_at(at), running=turn, since=at if turn is not None else None)

    def renew(self) -> Clock:
        """The clock with full reserves, as at the start of each game of a money session."""
        return Clock.start(self.control)

    def reserves_at(self, at: datetime) -> tuple[float, float]:
        """The reserves at that time, 0 or more."""
        if self.running is None or self.since is None:
            return self.left
        used = max(0.0, (at - self.since).total_seconds() - self.control.delay)
        left = list(self.left)
        left[self.running] = max(0.0, left[self.running] - used)
        return left[0], left[1]

    @property
    def falls(self) -> datetime | None:
        """The time at which the flag of the player who must act will fall; None while no player must."""
        if self.running is None or self.since is None:
            return None
        return self.since + timedelta(seconds=self.control.delay + self.left[self.running])

    def loser(self, at: datetime) -> Player | None:
        """The player whose flag has fallen by that time."""
        falls = self.falls
        return self.running if falls is not None and at >= falls else None
