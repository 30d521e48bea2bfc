"""Room for what people upload: of the disk, of the database, and of each account by its age. Games come first."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from platformdirs import user_cache_path
from sqlalchemy import Engine

from fullprime.db.database import count_bytes, sqlite_file
from fullprime.db.errors import LibraryError
from fullprime.db.times import utc_now
from fullprime.library.store.room import ShelfUse
from fullprime.rules.errors import FullprimeError

MOST_MATCHES, MOST_BYTES = 10_000, 512 << 20
"""Matches, and bytes of files, in the library of an account that has existed for long."""
FIRST_MATCHES, FIRST_BYTES = 500, 32 << 20
"""The same on its first day: an account costs nothing, and many are made in an hour."""
MATCHES_A_DAY, BYTES_A_DAY = 250, 8 << 20
"""The room that each day adds."""


class StorageFull(FullprimeError):
    """There is no room for uploads."""

    code = "full"


@dataclass(frozen=True, slots=True)
class StorageLimits:
    """The bounds for uploads of all accounts together."""

    budget: int = 8 << 30
    """Bytes of the whole database above which nothing is uploaded."""
    keep_free: float = 0.1
    """The share of the disk that uploads leave free."""


@dataclass(frozen=True, slots=True)
class Quota:
    """Matches, and bytes of files, that an account may have."""

    matches: int
    size: int


class Storage:
    """The room that a server has for uploads."""

    def __init__(self, engine: Engine, limits: StorageLimits | None = None) -> None:
        self.limits = limits or StorageLimits()
        self._engine = engine
        file = sqlite_file(engine.url.render_as_string(hide_password=False))
        self._folders = [*([] if file is None else [file.parent]), user_cache_path("fullprime")]

    def check_uploads(self) -> None:
        """Raise StorageFull while there is no room: actions of games, which need little, still go on."""
        if any(_free_share(folder) < self.limits.keep_free for folder in self._folders):
            raise StorageFull("the disk of this server is nearly full: games go on, but nothing is uploaded now")
        with self._engine.begin() as connection:
            stored = count_bytes(connection)
        if stored > self.limits.budget:
            raise StorageFull("this server keeps as much as it may: games go on, but nothing is uploaded now")


def quota_at(age: timedelta) -> Quota:
    """The quota of an account of that age."""
    days = max(0, age.days)
    return Quota(
        min(MOST_MATCHES, FIRST_MATCHES + MATCHES_A_DAY * days), min(MOST_BYTES, FIRST_BYTES + BYTES_A_DAY * days)
    )


def check_room(use: ShelfUse, more: int, limits: StorageLimits, now: datetime | None = None) -> None:
    """Raise LibraryError where a file of ``more`` bytes is too much for an account or for all together."""
    quota = quota_at((now or utc_now()) - use.since) if use.since is not None else quota_at(timedelta())
    if use.matches >= quota.matches or use.size + more > quota.size:
        later = "" if quota == quota_at(timedelta.max) else "; an account may keep more each day"
        raise LibraryError(
            f"the library is full: {quota.matches:,} matches and {quota.size >> 20} MiB of files are kept{later}"
        )
    if use.stored + more > limits.budget:
        raise LibraryError("this server keeps as much as it may: games go on, but nothing is uploaded now", "full")


def _free_share(folder: Path) -> float:
    """The share of a folder's disk that is free; of one that is not there yet, of the folder above."""
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    usage = shutil.disk_usage(existing)
    return usage.free / usage.total if usage.total else 1.0
