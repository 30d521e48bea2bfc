"""Room for what people store: of the disk, of the database, and of each account by its age. Games come first."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from platformdirs import user_cache_path
from sqlalchemy import Engine

from fullprime.db.database import count_bytes, sqlite_file
from fullprime.db.errors import LibraryFull
from fullprime.db.times import utc_now
from fullprime.library.store.room import ShelfUse

MOST_MATCHES, MOST_BYTES = 10_000, 512 << 20
"""Matches, and bytes, in the library of an account that has existed for long."""
FIRST_MATCHES, FIRST_BYTES = 500, 32 << 20
"""The same on its first day: an account costs nothing, and many are made in an hour."""
MATCHES_A_DAY, BYTES_A_DAY = 250, 8 << 20
"""The room that each day adds."""
_GAMES_ALONE = "games go on, but nothing else is stored now"


@dataclass(frozen=True, slots=True)
class StorageLimits:
    """The bounds for what all accounts store together, games apart."""

    budget: int = 8 << 30
    """Bytes of the whole database above which only games are stored."""
    keep_free: float = 0.1
    """The share of the disk that is left free for games."""


@dataclass(frozen=True, slots=True)
class Quota:
    """Matches, and bytes of all that stands in its library, that an account may have."""

    matches: int
    size: int


class Storage:
    """The room that a server has for what people store."""

    def __init__(self, engine: Engine, limits: StorageLimits | None = None) -> None:
        self.limits = limits or StorageLimits()
        self._engine = engine
        file = sqlite_file(engine.url.render_as_string(hide_password=False))
        self._folders = [*([] if file is None else [file.parent]), user_cache_path("fullprime")]

    def check(self) -> None:
        """Raise LibraryFull while there is room for games alone, which need little."""
        self._check_disk()
        with self._engine.begin() as connection:
            self._check_budget(count_bytes(connection))

    def check_growth(self, use: ShelfUse, more: int, matches: int) -> None:
        """Raise LibraryFull where there is room for games alone, or it is too much for an account of its age."""
        self._check_disk()
        self._check_budget(use.stored + more)
        if use.since is not None:
            _check_quota(quota_at(utc_now() - use.since), use, more, matches)

    def _check_disk(self) -> None:
        if any(_free_share(folder) < self.limits.keep_free for folder in self._folders):
            raise LibraryFull(f"the disk of this server is nearly full: {_GAMES_ALONE}", "full")

    def _check_budget(self, stored: int) -> None:
        if stored > self.limits.budget:
            raise LibraryFull(f"this server keeps as much as it may: {_GAMES_ALONE}", "full")


def quota_at(age: timedelta) -> Quota:
    """The quota of an account of that age."""
    days = max(0, age.days)
    return Quota(
        min(MOST_MATCHES, FIRST_MATCHES + MATCHES_A_DAY * days), min(MOST_BYTES, FIRST_BYTES + BYTES_A_DAY * days)
    )


def _check_quota(quota: Quota, use: ShelfUse, more: int, matches: int) -> None:
    if (matches and use.matches >= quota.matches) or use.size + more > quota.size:
        later = "" if quota == quota_at(timedelta.max) else "; an account may keep more each day"
        raise LibraryFull(f"the library is full: {quota.matches:,} matches and {quota.size >> 20} MiB are kept{later}")


def _free_share(folder: Path) -> float:
    """The share of a folder's disk that is free; of one that is not there yet, of the folder above."""
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    usage = shutil.disk_usage(existing)
    return usage.free / usage.total if usage.total else 1.0
