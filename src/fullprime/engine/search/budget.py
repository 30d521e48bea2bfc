"""Budgets: the limits of one search, and the signal that stops it."""

from __future__ import annotations

import time
from collections.abc import Callable

from fullprime.rules.errors import FullprimeError


class Stopped(FullprimeError):
    """The search was stopped before it was complete."""


class Budget:
    """The limits of one search: seconds, nodes (boards that nets or tables have judged), and a function to stop it."""

    def __init__(
        self, seconds: float | None = None, nodes: int | None = None, stop: Callable[[], bool] | None = None
    ) -> None:
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._most = nodes
        self._stop = stop
        self.nodes = 0

    def spend(self, nodes: int) -> None:
        """Spend nodes on work that is about to be done; raises Stopped when the budget is used up."""
        if self._stop is not None and self._stop():
            raise Stopped("the search was stopped")
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise Stopped("the time for the search is over")
        if self._most is not None and self.nodes + nodes > self._most:
            raise Stopped(f"the search may not go beyond {self._most} nodes")
        self.nodes += nodes

    @property
    def seconds_left(self) -> float | None:
        """The time that is left, 0 when it is over; None where there is no limit of time."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
