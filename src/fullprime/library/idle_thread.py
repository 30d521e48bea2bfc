"""A thread of low priority that looks from time to time for work on which no request waits."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable

from fullprime.rules.errors import FullprimeError

_NICE = 15

log = logging.getLogger(__name__)


class IdleThread:
    """Calls ``work`` every ``every`` seconds. What fails is logged, and tried again at the next look."""

    def __init__(self, name: str, work: Callable[[], object], every: float) -> None:
        self._name, self._work, self._every = name, work, every
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def is_closed(self) -> bool:
        """True when the work under way should be broken off."""
        return self._closed.is_set()

    def start(self) -> None:
        """Begin to look, also once more after :meth:`close`."""
        self._closed.clear()
        self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End, and wait a little for it."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join(2.0)

    def _run(self) -> None:
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        while not self._closed.wait(self._every):
            try:
                self._work()
            except FullprimeError as error:
                log.warning("%s: %s", self._name, error)
            except Exception:
                log.exception(self._name)
