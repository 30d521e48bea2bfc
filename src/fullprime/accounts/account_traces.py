"""Account traces: the addresses and browsers in which accounts are used.

A login from a known browser is not slowed down, and two accounts of one person can be noticed. Traces are kept for some
months. When a rated match has ended, those of both accounts are compared, and accounts that share one are shown to the
host of the server. Nothing is refused for it, because a family, a school or a club shares an address, too.
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
from fullprime.accounts.store.games import Played
from fullprime.accounts.store.traces import ADDRESS, BROWSER, RatedPair, TraceStore
from fullprime.db.times import utc_now

KEPT = timedelta(days=90)
"""The time for which a trace is kept after it was seen last."""
_AGAIN = 12 * 3600.0
"""Seconds after which a trace is written again."""
_REMEMBERED = 20_000

log = logging.getLogger(__name__)


class AccountTraces:
    """The traces of the accounts of one database. Methods may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._store = TraceStore(engine)
        self._lock = threading.Lock()
        self._noted: OrderedDict[tuple[int, str, str], float] = OrderedDict()
        self._swept = -math.inf

    def note(self, account: int, address: str, browser: str | None) -> None:
        """Note that an account is used from an address, in the browser whose cookie holds that secret (None: none)."""
        for kind, value in ((ADDRESS, address), (BROWSER, digest(browser) if browser else "")):
            if value and self._is_new(account, kind, value):
                removed = self._store.note(account, kind, value)
                with self._lock:
                    for old_value in removed:
                        self._noted.pop((account, kind, old_value), None)

    def is_new(self, account: int, address: str, browser: str | None) -> bool:
        """True if :meth:`note` would write to the database, which callers that must not wait ask first."""
        now = time.monotonic()
        keys = [(account, ADDRESS, address)] + ([(account, BROWSER, digest(browser))] if browser else [])
        return any(self._noted.get(key, -math.inf) + _AGAIN <= now for key in keys if key[2])

    def has(self, name: str, browser: str | None) -> bool:
        """True if the account of that name was used in the browser whose cookie holds that secret."""
        return bool(browser) and self._store.has(name, BROWSER, digest(str(browser)))

    def flag_if_shared(self, game: Played) -> None:
        """Note a rated match between two accounts that share an address or a browser, and say so in the log."""
        x, o = game.accounts
        if not game.rated or x is None or o is None:
            return
        shared = self._store.find_shared(x, o)
        if shared and self._store.flag(game.session_id, game.names, shared):
            log.warning(
                "rated match %s: %s and %s share the %s", game.session_id, *game.names, " and the ".join(shared)
            )

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
            self._store.delete_before(utc_now() - KEPT)
        return True


def find_flagged_pairs(url: str | None, most: int) -> list[RatedPair]:
    """The latest rated matches between two accounts that share an address or a browser, for the host of the server."""
    with closing(TraceStore(url)) as store:
        return store.list_flagged(most)
