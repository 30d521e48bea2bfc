"""The time as databases keep it, and a clock that no correction of the system's clock makes jump."""

from __future__ import annotations

import logging
import os
import platform
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

_ENVIRONMENT = "FULLPRIME_CLOCK"
"""Where a process tells those that it starts how its clock stands: its ``ahead``."""
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - universal time, as databases keep it
_JUMP = 2.0
"""Seconds that the system's clock may be off before a warning is logged."""

_COUNTS_SLEEP = {"Linux": "CLOCK_BOOTTIME", "Darwin": "CLOCK_MONOTONIC"}.get(platform.system(), "")
_CLOCK: int | None = getattr(time, _COUNTS_SLEEP, None)
"""The system's clock that counts sleep too; elsewhere (Windows) the usual one does."""

log = logging.getLogger(__name__)


_since_start: Callable[[], float] = time.monotonic if _CLOCK is None else partial(time.clock_gettime, _CLOCK)
"""Seconds since the machine was started, those that it slept included; no clock setting changes it."""


class SteadyClock:
    """Universal time that goes on evenly while the system's clock is set forward or back.

    It begins with the system's time, or with ``ahead``, that of another process of the same machine. Small corrections
    of the system's clock (which is slowed down or sped up for them) hold for both. Any thread may ask.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = _since_start,
        ahead: float | None = None,
    ) -> None:
        self._wall, self._steady = wall, steady
        self.ahead = wall() - steady() if ahead is None else ahead
        """The seconds from 1970 to the start of the machine."""
        self._has_warned = False

    def now(self) -> float:
        """Seconds since 1970."""
        now = self._steady() + self.ahead
        off = self._wall() - now
        if abs(off) > _JUMP and not self._has_warned:
            self._has_warned = True
            log.warning("the system's clock has jumped by %+.0f seconds: this process goes by the time before it", off)
        elif self._has_warned and abs(off) < _JUMP / 2:
            self._has_warned = False
        return now


def _ahead_of_parent() -> float | None:
    """The state of the clock of the process that started this one."""
    try:
        return float(os.environ[_ENVIRONMENT])
    except (KeyError, ValueError):
        return None


_clock = SteadyClock(ahead=_ahead_of_parent())


def share_clock() -> None:
    """Make processes that this one starts later use its clock."""
    os.environ[_ENVIRONMENT] = repr(_clock.ahead)


def utc_now() -> datetime:
    """The present time in UTC, as a naive datetime; it never jumps while the process runs."""
    return _EPOCH + timedelta(seconds=_clock.now())
