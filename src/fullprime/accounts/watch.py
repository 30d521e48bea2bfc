"""The watch: from where accounts are used, so that browsers that are known are spared, and one person is not two.

An address and a browser are kept for each account until some months after they were seen last. They are compared when
a rated match has ended: two accounts that share one are shown to the host of the server. Nothing is refused for it: a
family, a school or a club plays from one address as well.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import OrderedDict
from contextlib import closing
from datetime import timedelta

from sqlalchemy import Engine

from fullprime.accounts.service import digest
from fullprime.accounts.store.played import Played
from fullprime.accounts.store.traces import ADDRESS, BROWSER, RatedPair, TraceStore
from fullprime.db.times import utc_now

KEPT = timedelta(days=90)
"""The time for which a trace is kept after it was seen last."""
_AGAIN = 12 * 3600.0
"""Seconds after which a trace is written again."""
_REMEMBERED = 20_000

log = logging.getLogger(__name__)


class Watch:
    """The traces of the accounts of one database. Methods may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._store = TraceStore(engine)
        self._lock = threading.Lock()
        self._noted: OrderedDict[tuple[int, str, str], float] = OrderedDict()
        self._swept = -math.inf

    def seen(self, account: int, address: str, browser: str | None) -> None:
        """An account is used from an address, in the browser whose cookie holds that secret (None: by a program)."""
        for kind, value in ((ADDRESS, address), (BROWSER, digest(browser) if browser else "")):
            if value and self._is_new(account, kind, value):
                self._store.note(account, kind, value)

    def is_new(self, account: int, address: str, browser: str | None) -> bool:
        """True if :meth:`seen` would write something, for a caller who would rather not wait."""
        now = time.monotonic()
        keys = [(account, ADDRESS, address)] + ([(account, BROWSER, digest(browser))] if browser else [])
        return any(self._noted.get(key, -math.inf) + _AGAIN <= now for key in keys if key[2])

    def knows(self, name: str, browser: str | None) -> bool:
        """True if the account of that name was used in the browser whose cookie holds that secret."""
        return bool(browser) and self._store.knows(name, BROWSER, digest(str(browser)))

    def look_at(self, game: Played) -> None:
        """Note a rated match between two accounts that share an address or a browser, and say so in the log."""
        x, o = game.accounts
        if not game.rated or x is None or o is None:
            return
        shared = self._store.shared(x, o)
        if shared and self._store.flag(game.room, game.names, shared):
            log.warning("rated match %s: %s and %s share the %s", game.room, *game.names, " and the ".join(shared))

    def _is_new(self, account: int, kind: str, value: str) -> bool:
        key, now = (account, kind, value), time.monotonic()
        with self._lock:
            if self._noted.get(key, -math.inf) + _AGAIN > now:
                return False
            self._noted[key] = now
            self._noted.move_to_end(key)
            if len(self._noted) > _REMEMBERED:
                self._noted.popitem(last=False)
            is_due = self._swept + _AGAIN <= now
            if is_due:
                self._swept = now
        if is_due:
            self._store.forget(utc_now() - KEPT)
        return True


def flagged_pairs(url: str | None, most: int) -> list[RatedPair]:
    """The latest rated matches between two accounts that share something, for the host of the server."""
    with closing(TraceStore(url)) as store:
        return store.flagged(most)
