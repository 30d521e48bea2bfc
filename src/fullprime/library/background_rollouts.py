"""The idle time of a server: while no job waits or runs, what two judges differ on is rolled out, one by one."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Engine

from fullprime.common.jobs import Jobs
from fullprime.library.idle_thread import IdleThread
from fullprime.library.judges import Dispute, list_unsettled, settle
from fullprime.library.service import LibraryStore
from fullprime.library.store.settled import find_judged_twice

EVERY = 30.0
"""Seconds between two looks at whether there is anything to do."""


class BackgroundRollouts:
    """Settles disputes while the queue is empty, in a ``thread``. A rollout that is interrupted begins anew later."""

    def __init__(
        self, engine: Engine, jobs: Jobs, *, every: float = EVERY,
        roll_out: Callable[[LibraryStore, Dispute, Callable[[], bool]], bool] = settle,
    ) -> None:  # fmt: skip
        self._engine, self._jobs, self._roll_out = engine, jobs, roll_out
        self._settled: set[tuple[int, int]] = set()
        """Matches and their newest reviews of which every dispute is settled."""
        self.thread = IdleThread("idle rollouts", self.work, every)

    def _should_pause(self) -> bool:
        return self.thread.is_closed or any(self._jobs.count_jobs().values())

    def work(self) -> int:
        """Settle what there is to settle until a job waits or runs; the number of rollouts made."""
        count = 0
        for shelf, match, review in find_judged_twice(LibraryStore(self._engine)):
            if self._should_pause():
                return count
            if (match, review) in self._settled:
                continue
            store = LibraryStore(self._engine, shelf=shelf)
            for dispute in list_unsettled(store, match):
                if self._should_pause() or not self._roll_out(store, dispute, self._should_pause):
                    return count
                count += 1
            self._settled.add((match, review))
        return count
