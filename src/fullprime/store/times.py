"""The time as databases keep it."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The present moment in universal time, without a zone that says so."""
    return datetime.now(UTC).replace(tzinfo=None)
