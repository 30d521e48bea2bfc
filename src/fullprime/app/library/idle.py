"""The idle time of a server: while no job waits or runs, what two judges differ on is rolled out, one by one."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable

from sqlalchemy import Engine

from fullprime.app.jobs import Jobs
from fullprime.app.library.judges import Dispute, settle, unsettled
from fullprime.app.matches.library import LibraryStore
from fullprime.rules.errors import FullprimeError
from fullprime.store.library.settled import judged_twice

log = logging.getLogger(__name__)

EVERY = 30.0
"""Seconds between two looks at whether there is anything to do."""
_NICE = 15


class Settler:
    """A thread that settles disputes while the queue is empty. A rollout that is interrupted begins anew later."""

    def __init__(
        self, engine: Engine, jobs: Jobs, *, every: float = EVERY,
        roll_out: Callable[[LibraryStore, Dispute, Callable[[], bool]], bool] = settle,
    ) -> None:  # fmt: skip
        self._engine, self._jobs, self._every, self._roll_out = engine, jobs, every, roll_out
        self._seen: set[tuple[int, int]] = set()
        """Matches and their newest reviews of which every dispute is settled."""
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to look, also once more after :meth:`close`."""
        self._closed.clear()
        self._thread = threading.Thread(target=self._run, name="idle rollouts", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End, and wait a little for it."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join(2.0)

    def _wanted_elsewhere(self) -> bool:
        return self._closed.is_set() or any(self._jobs.lengths().values())

    def _run(self) -> None:
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        while not self._closed.wait(self._every):
            try:
                self.work()
            except FullprimeError as error:
                log.warning("no rollout in idle time: %s", error)
            except Exception:
                log.exception("no rollout in idle time")

    def work(self) -> int:
        """Settle what there is to settle until somebody else wants the machine; the number of rollouts made."""
        made = 0
        for shelf, match, review in judged_twice(LibraryStore(self._engine)):
            if self._wanted_elsewhere():
                return made
            if (match, review) in self._seen:
                continue
            store = LibraryStore(self._engine, shelf=shelf)
            for dispute in unsettled(store, match):
                if self._wanted_elsewhere() or not self._roll_out(store, dispute, self._wanted_elsewhere):
                    return made
                made += 1
            self._seen.add((match, review))
        return made


__all__ = ["EVERY", "Settler"]
